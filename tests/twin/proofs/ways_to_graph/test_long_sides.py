"""Proofs of meshes and tori with long sides, by kinds of packets, beside the walk over all packets of small ones."""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np
import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.conditions.bubble import escape_dependencies, marked_dependencies
from jumpnet.analysis.deadlock.conditions.duato import extended_dependencies
from jumpnet.analysis.deadlock.cycles.checker import accepts_rows
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.kinds import kinds_of_packets, rings_of
from jumpnet.routings import DESTINATION, IN_PORT, STATE, BoundRouting, Routing, bind
from jumpnet.routings.writes import constants_written
from jumpnet.topology import build

SAME = [
    ("mesh:9", "mesh.dimension_order", None),
    ("mesh:2x7", "mesh.west_first", 2),
    ("mesh:5x1", "mesh.negative_first", None),
    ("mesh:3x6", "mesh.odd_even", None),
    ("mesh:12x3", "mesh.odd_even", None),
    ("mesh:9x4", "mesh.odd_even", 2),
    ("mesh:4x5", "mesh.o1turn_adaptive", None),
    ("mesh:5x3", "mesh.valiant", None),
    ("mesh:2x2x5", "mesh.duato", None),
    ("cmesh:4x6", "mesh.duato", 3),
    ("torus:7", "torus.dateline", None),
    ("torus:2x6", "torus.dateline", None),
    ("torus:1x5", "torus.dateline", 3),
    ("torus:4x7", "torus.duato", None),
    ("torus:9", "torus.booksim", None),
    ("torus:10", "torus.booksim", 3),
    ("torus:2x5", "torus.booksim", None),
    ("torus:4x3x3", "torus.booksim", None),
]
MORE = [
    ("torus:7", "torus.valiant", None),
    ("torus:6x3", "torus.romm", None),
    ("torus:3x4", "torus.ugal", None),
]
"""There are dependencies between kinds that no packet has."""


@pytest.fixture
def by_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dependency_module, "MANY_WALKS", 0)  # those of all ways in two phases
    monkeypatch.setattr(dependency_module, "kinds_of_packets", partial(kinds_of_packets, longest=0))


@pytest.mark.parametrize(("spec", "name", "vcs"), SAME + MORE, ids=str)
def test_kinds_have_all_dependencies_of_packets(spec, name, vcs, by_kinds) -> None:
    bound = bind(name, build(spec), vcs)
    walked, made = dependencies(bound, apart=False), dependencies(bound, beyond=True)
    assert (made.by, made.whole) == ("kinds", False)
    assert not (walked.bits & ~made.bits).any()
    assert (made.count == walked.count) == ((spec, name, vcs) in SAME)
    for field in ("used", "escape", "adaptive", "choices", "has_escape"):
        assert np.array_equal(getattr(made, field), getattr(walked, field)), field
    proof = prove(bound)
    assert (proof.verdict, proof.by, proof.may_circle) == ("free", "kinds", False)
    if proof.escape_channels is None:
        assert accepts_rows(proof.certificate, *walked.rows)
    else:
        extended = extended_dependencies(walked)
        assert accepts_rows(proof.certificate[extended.channel], extended.indptr, extended.indices)


@pytest.mark.parametrize(("spec", "name"), [("torus:7", "torus.bubble"), ("torus:2x5", "torus.bubble_adaptive")])
def test_kinds_are_marked_as_packets_are(spec, name, by_kinds) -> None:
    bound = bind(name, build(spec))
    walked, made = dependencies(bound, apart=False), dependencies(bound, beyond=True)
    for marks in (marked_dependencies, escape_dependencies):
        one, two = marks(walked), marks(made)
        assert (one is None) == (two is None)
        if one is not None and two is not None:
            assert _all_of(one) == _all_of(two)
    proof = prove(bound)
    assert (proof.verdict, proof.by) == ("free", "kinds") and proof.method.startswith("bubble flow control")


def _all_of(found) -> tuple[set[tuple[int, int, bool]], list[int]]:
    """The marked dependencies, in no order, and the channels that are asked for without a mark."""
    marked = found if hasattr(found, "holder") else found[0]
    pairs = zip(marked.holder.tolist(), marked.wanted.tolist(), marked.enters.tolist(), strict=True)
    return set(pairs), np.flatnonzero(marked.unmarked).tolist()


def test_what_kinds_do_not_prove_is_followed(by_kinds) -> None:
    for spec, name, vcs, verdict in (
        ("torus:7", "torus.dateline", 1, "deadlock"),
        ("mesh:3x4", "mesh.duato", 1, "deadlock"),
        ("torus:9", "torus.booksim", 1, "deadlock"),
    ):
        proof = prove(bind(name, build(spec), vcs))
        assert (proof.verdict, proof.by) == (verdict, "walks")


@pytest.mark.parametrize(
    ("spec", "name", "dependencies"),
    [
        ("mesh:65536", "mesh.dimension_order", 2 * 65534),
        ("torus:65536", "torus.duato", None),
        ("torus:4x4096", "torus.bubble_adaptive", None),
        ("torus:65536", "torus.booksim", 262136),
        ("torus:3x3x1025", "torus.booksim", 184302),
        ("mesh:21845x3", "mesh.odd_even", 436876),
    ],
)
def test_long_sides_are_proved_without_following_packets(spec, name, dependencies) -> None:
    proof = prove(bind(name, build(spec)))
    assert (proof.verdict, proof.by, proof.certificate_checked) == ("free", "kinds", True)
    assert dependencies in (None, proof.dependencies)


def test_only_meshes_and_tori_with_every_terminal_have_kinds() -> None:
    assert rings_of(build("hypercube:3")) is None and rings_of(build("hyperx:5x4")) is None
    assert [ring.single for ring in rings_of(build("torus:2x3"))] == [True, False]
    bound = bind("mesh.dimension_order", build("mesh:5x4"))
    assert kinds_of_packets(bound, job_of(bound)) is None and kinds_of_packets(bound, job_of(bound), 4) is not None


def test_a_draw_is_one_of_so_many_numbers() -> None:
    def other(net, head, draw, queue):
        draw = 7
        head[STATE] = draw

    def drawn(net, head, draw, queue):
        head[STATE] = draw if queue[0] else 5

    assert constants_written(drawn, 1, STATE, 3) == {0, 1, 2, 5} and constants_written(drawn, 1, STATE) is None
    assert constants_written(other, 1, STATE, 3) is None


def _turns(allowed: int):
    """Along the first dimension, or the other way too where a bit says so: by direction and which columns are odd."""

    def relation(net, here, head, out):
        to = head[DESTINATION]
        x, y = net.coord[to, 0] - net.coord[here, 0], net.coord[to, 1] - net.coord[here, 1]
        count, which = 0, (net.coord[here, 0] & 1) * 2 + net.coord[to, 0] % 2
        if x > 0:
            which += 4
        if x != 0:
            out[count, 0], out[count, 1], out[count, 2], out[count, 3] = 0 if x > 0 else 1, 0, 0, 0
            count += 1
        if y != 0 and (x == 0 or (allowed >> which) & 1 == 1):
            out[count, 0], out[count, 1], out[count, 2], out[count, 3] = 2 if y > 0 else 3, 0, 0, 0
            count += 1
        return count

    return relation


def _classes(first: int):
    """Round a ring; the class is fixed where a packet starts, by its way and whether the end of the ring lies ahead."""

    def relation(net, here, head, out):
        at, to, state = net.coord[here, 0], net.coord[head[DESTINATION], 0], head[STATE]
        ahead = (to - at) % net.params[0]
        if ahead == 0:
            return 0
        up = 2 * ahead <= net.params[0]
        if head[IN_PORT] < 0:
            wraps = to < at if up else to > at
            state = (first >> ((2 if up else 0) + (1 if wraps else 0))) & 1
        out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 0 if up else 1, state, state, 0
        return 1

    return relation


def _second_ring(first: int):
    """Round two rings; the class of the second by its way, its end, where it is, and how the packet comes in."""

    def relation(net, here, head, out):
        destination, state, came = head[DESTINATION], head[STATE], head[IN_PORT]
        for d in range(2):
            at, to = net.coord[here, d], net.coord[destination, d]
            ahead = to - at if to >= at else to - at + net.params[d]
            if ahead != 0:
                up = 2 * ahead <= net.params[d]
                if came < 0 or came >> 1 != d:
                    wraps = to < at if up else to > at
                    state = 1 if wraps == up else 0
                    if d == 1 and came >= 0 and net.coord[here, 0] > 0:
                        state = (first >> ((2 if up else 0) + (1 if wraps else 0))) & 1
                out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 2 * d if up else 2 * d + 1, state, state, 0
                return 1
        return 0

    return relation


def test_turns_by_odd_columns_and_classes_of_rings_are_judged_alike(by_kinds, monkeypatch) -> None:
    """A relation that is wrong is not proved, and one that is right is."""
    monkeypatch.setattr(BoundRouting, "own", False)
    cases = [(_turns(3), "mesh:10x3"), (_turns(195), "mesh:10x3"), (_classes(9), "torus:9"), (_classes(15), "torus:9")]
    cases += [(_second_ring(9), "torus:3x6"), (_second_ring(6), "torus:3x6")]
    by = Counter[tuple[str, str]]()
    for relation, spec in cases:
        bound = Routing("test.drawn", relation, 2, adaptive=True).bind(build(spec))
        walked, made = dependencies(bound, 1, apart=False), dependencies(bound, 1, beyond=True)
        assert made.by == "kinds" and not (walked.bits & ~made.bits).any()
        one, other = prove(bound, 1), prove(bound, 1, made=walked)
        assert one.verdict == other.verdict and (one.verdict == "free" or one.by == "walks")
        assert (one.cycle is None or len(one.cycle)) == (other.cycle is None or len(other.cycle))
        by[one.verdict, one.by] += 1
    assert by == {("free", "kinds"): 3, ("deadlock", "walks"): 3}
