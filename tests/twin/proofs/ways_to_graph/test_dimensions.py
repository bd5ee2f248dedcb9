"""Proofs without walks against the walks: on grids by dimension and by translation, and by numbers of escapes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.conditions import bubble as bubble_module
from jumpnet.analysis.deadlock.conditions import escape_numbers as escapes_module
from jumpnet.analysis.deadlock.conditions.bubble import marked_dependencies
from jumpnet.analysis.deadlock.conditions.duato import extended_dependencies
from jumpnet.analysis.deadlock.conditions.escape_numbers import numbered_escapes
from jumpnet.analysis.deadlock.cycles.checker import accepts
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.waiting.knots import may_circle
from jumpnet.analysis.deadlock.walks.search import search
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.cases import cases
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.escapes import class_numbers
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.grid import grid_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.moves import OnGrid, circle_free, on_grid
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.translation import _reads_differences
from jumpnet.routings import DESTINATION, ESCAPE, STATE, BoundRouting, Routing, bind
from jumpnet.topology import build

GRIDS = [
    ("torus:5x4", "torus.dateline", None),
    ("torus:4x2x3", "torus.dateline", 1),
    ("torus:6x5", "torus.dimension_order", None),
    ("torus:4x5", "torus.duato", None),
    ("torus:4x4", "torus.duato", 2),
    ("torus:4x3", "torus.valiant", None),
    ("torus:3x4", "torus.valiant", 2),
    ("torus:4x4", "torus.romm", None),
    ("torus:4x3", "torus.ugal", None),
    ("mesh:5x3", "mesh.dimension_order", None),
    ("mesh:4x4", "mesh.west_first", None),
    ("mesh:4x3", "mesh.north_last", 2),
    ("mesh:3x3x3", "mesh.negative_first", None),
    ("mesh:3x4", "mesh.duato", None),
    ("mesh:3x3", "mesh.duato", 1),
    ("mesh:3x4", "mesh.valiant", None),
    ("mesh:3x3", "mesh.romm", 1),
    ("hypercube:4", "hypercube.ecube", None),
    ("hypercube:3", "hypercube.duato", None),
    ("hypercube:3", "hypercube.valiant", None),
    ("hyperx:3x4", "hyperx.dimension_order", None),
    ("hyperx:3x2", "hyperx.valiant", None),
    ("mesh:5x4", "mesh.odd_even", None),
    ("mesh:4x6", "mesh.odd_even", 2),
    ("torus:4x4", "torus.booksim", None),
    ("torus:4x3x2", "torus.booksim", 1),
    ("torus:5x4", "torus.bubble", None),
    ("torus:3x4", "torus.bubble", 2),
    ("hyperx:3x3", "hyperx.adaptive", None),
    ("cmesh:4x6", "mesh.duato", None),
    ("cmesh:4x4", "mesh.valiant", None),
    ("torus:6x7", "torus.booksim", None),
]
ALIKE = [
    ("hypercube:4", "hypercube.ecube", None),
    ("hypercube:4", "hypercube.duato", None),
    ("hypercube:3", "hypercube.duato", 1),
    ("hyperx:3x3", "hyperx.adaptive", None),
    ("hyperx:4x2", "hyperx.adaptive", 3),
    ("hyperx:3x4", "hyperx.dimension_order", None),
    ("torus:5x3", "torus.dimension_order", None),
]


@pytest.fixture
def on_any_grid(monkeypatch):
    """Small grids are not walked either; routings that take some ways in two phases are given all, and no packet goes
    home."""
    monkeypatch.setattr("jumpnet.analysis.deadlock.walks.walkers.FEW_TRIPLES", 0)
    monkeypatch.setattr(dependency_module, "GRID_ROUTERS", 0)
    monkeypatch.setattr(dependency_module, "MANY_WALKS", 0)


def _equal(one, other):
    for name in ("bits", "used", "escape"):
        assert (getattr(one, name) == getattr(other, name)).all(), name
    for name in ("states", "adaptive", "choices", "has_escape", "phased", "whole"):
        assert getattr(one, name) == getattr(other, name), name


@pytest.mark.parametrize(("spec", "name", "vcs"), GRIDS, ids=lambda v: str(v))
def test_dependencies_by_dimension_are_those_of_the_walk(spec, name, vcs, on_any_grid, monkeypatch):
    bound = bind(name, build(spec), vcs)
    monkeypatch.setattr(dependency_module, "dependencies_by_translation", lambda bound, job, phases: None)
    made = dependencies(bound, beyond=True)
    assert made.by == "dimensions"
    monkeypatch.setattr(dependency_module, "GRID_ROUTERS", 1 << 30)
    _equal(made, dependencies(bound, beyond=True))


def test_one_destination_stands_for_all_where_routers_have_many_ports(monkeypatch):
    """On fewer routers than it otherwise does: a shortest cycle, and its length by all packets, are the same."""
    walked = prove(bound := bind("hyperx.adaptive", build("hyperx:4x4x3"), 1))
    monkeypatch.setattr(dependency_module, "GRID_TURNS", 48 * bound.network.ports**2 + 1)
    assert dependencies(bound).by == "walks"
    monkeypatch.setattr(dependency_module, "GRID_TURNS", 48 * bound.network.ports**2)
    found = prove(bound)
    assert found.basis.by == "translation" and found.verdict == walked.verdict == "deadlock"
    assert len(found.cycle) == len(walked.cycle) and found.method == walked.method


@pytest.mark.parametrize(("spec", "name", "vcs"), ALIKE, ids=lambda v: str(v))
def test_one_destination_stands_for_all(spec, name, vcs, on_any_grid, monkeypatch):
    bound = bind(name, build(spec), vcs)
    monkeypatch.setattr(dependency_module, "dependencies_by_dimension", lambda bound, job, phases: None)
    made = dependencies(bound)
    assert made.by == "translation"
    monkeypatch.setattr(dependency_module, "GRID_ROUTERS", 1 << 30)
    walked = dependencies(bound)
    _equal(made, walked)
    assert may_circle(made) == may_circle(walked)


@pytest.mark.parametrize(
    ("spec", "name"),
    [("torus:4x4", "torus.dateline"), ("mesh:3x3", "mesh.west_first"), ("torus:3x3", "torus.booksim")],
    ids=lambda word: word,
)
def test_what_depends_on_the_place_does_not_look_alike(spec, name, on_any_grid, monkeypatch):
    monkeypatch.setattr(dependency_module, "dependencies_by_dimension", lambda bound, job, phases: None)
    assert dependencies(bind(name, build(spec))).by == "walks"


@pytest.mark.parametrize(
    "asks",
    [
        lambda net, here, target: net.coord[here, 0] == 0,
        lambda net, here, target: net.coord[here, 0] != net.coord[target, 0],
        lambda net, here, target: (net.coord[target, 0] - net.coord[here, 0]) == 1,
        lambda net, here, target: bool(net.coord[here, 0]),
        lambda net, here, target: not here,
    ],
    ids=["column", "same column", "difference", "first column", "first router"],
)
def test_comparisons_are_no_differences(asks):
    bound = Routing("test.asks", lambda net, here, head, out: int(asks(net, here, head[DESTINATION]))).bind(
        build("torus:4x4")
    )
    assert not _reads_differences(bound, (4, 4), np.arange(16), 1)


ESCAPING = [
    ("torus:4x5", "torus.duato", None),
    ("torus:6x3", "torus.duato", 4),
    ("torus:3x3x3", "torus.duato", 5),
    ("mesh:4x3", "mesh.duato", None),
    ("hypercube:4", "hypercube.duato", None),
    ("hyperx:3x3", "hyperx.adaptive", None),
    ("rdt:8", "rdt.duato", None),
]


@pytest.mark.parametrize("by", ["dimensions", "translation", "walks"])
@pytest.mark.parametrize(("spec", "name", "vcs"), ESCAPING, ids=lambda v: str(v))
def test_numbers_of_escapes_ascend_along_all_extended_dependencies(spec, name, vcs, by, on_any_grid, monkeypatch):
    bound = bind(name, build(spec), vcs)
    if by != "dimensions":
        monkeypatch.setattr(dependency_module, "dependencies_by_dimension", lambda bound, job, phases: None)
    if by == "walks":
        monkeypatch.setattr(dependency_module, "dependencies_by_translation", lambda *of: None)
    made = dependencies(bound)
    found = numbered_escapes(made)
    extended = extended_dependencies(made)
    number = found.number[extended.channel]
    assert (number >= 0).all()
    holder = np.repeat(np.arange(len(number)), np.diff(extended.indptr))
    assert accepts(number, holder, extended.indices)


@pytest.mark.parametrize(
    ("spec", "name"), [("torus:4x5", "torus.duato"), ("rdt:8", "rdt.duato"), ("mesh:3x4", "mesh.duato")]
)
def test_numbers_that_begin_equal_are_raised_until_they_ascend(spec, name):
    """By nodes with numbers and by nodes found by hashing; the result is the least, whatever the threads."""
    made = dependencies(bind(name, build(spec)))
    extended, found = extended_dependencies(made), []
    for threads in (1, 2):
        number = np.where(made.escape != 0, 0, -1).astype(np.int64)
        while search(made.bound, job_of(made.bound), number, threads).raised:
            pass
        found.append(number)
    number = found[0][extended.channel]
    holder = np.repeat(np.arange(len(number)), np.diff(extended.indptr))
    assert accepts(number, holder, extended.indices)
    longest = np.zeros(len(number), np.int64)
    for c in np.argsort(number, kind="stable"):
        after = extended.indices[extended.indptr[c] : extended.indptr[c + 1]]
        longest[after] = np.maximum(longest[after], longest[c] + 1)
    assert (number == longest).all()
    assert (found[0] == found[1]).all()


@pytest.mark.parametrize("spec", ["torus:4x4", "torus:3x5"])
def test_numbers_do_not_settle_where_the_condition_fails(spec, on_any_grid):
    made = dependencies(bind("torus.duato", build(spec), 2))
    assert class_numbers(on_grid(made.bound), made.bound.network, 2) is None
    assert numbered_escapes(made) is None


def _two_ways(net, here, head, out):
    """Right first, or down first: the packet chooses. Column 0 is an escape for those that need it no more."""
    count = 0
    for d in range(2):
        if net.coord[here, d] != net.coord[head[DESTINATION], d]:
            ahead = (net.coord[head[DESTINATION], d] - net.coord[here, d]) % net.params[d]
            out[count, 0], out[count, 1], out[count, 2] = 2 * d if 2 * ahead <= net.params[d] else 2 * d + 1, 0, 0
            out[count, 3] = ESCAPE if d == 0 else 0
            count += 1
    return count


TWO_WAYS = Routing(name="test.two_ways", relation=_two_ways, adaptive=True)


@pytest.mark.parametrize("spec", ["torus:4x4", "torus:5x3"])
def test_a_packet_without_escape_is_named(spec, monkeypatch):
    monkeypatch.setattr(escapes_module, "MANY_STEPS", 0)
    proof = prove(TWO_WAYS.bind(build(spec)))
    assert proof.verdict != "free"
    assert "has no escape candidate" in proof.method


def test_the_packet_that_is_named_does_not_depend_on_the_threads():
    made = dependencies(TWO_WAYS.bind(build("torus:16x16")))
    number = np.where(made.escape, 0, -1).astype(np.int64)
    found = {search(made.bound, job_of(made.bound), number.copy(), threads) for threads in (1, 2, 3, 2)}
    assert {(one.walk, one.destination, one.router) for one in found} == {(0, 0, 128)}


def _escape_from_the_middle_on(net, here, head, out):
    """Along a line: channel 1 is an escape everywhere, channel 0 in the right half."""
    at, to = net.coord[here, 0], net.coord[head[DESTINATION], 0]
    for vc in range(2):
        out[vc, 0], out[vc, 1], out[vc, 2] = 0 if to > at else 1, vc, 0
        out[vc, 3] = ESCAPE if vc == 1 or at >= 3 else 0
    return 0 if at == to else 2


def test_channels_that_are_no_escapes_have_no_number(on_any_grid, monkeypatch):
    monkeypatch.setattr(BoundRouting, "own", False)
    made = dependencies(Routing("test.half", _escape_from_the_middle_on, 2, adaptive=True).bind(build("mesh:6")))
    assert made.by == "dimensions" and made.escape.sum() < made.used.sum()
    assert ((numbered_escapes(made).number >= 0) == (made.escape != 0)).all()


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(2, 5), min_size=1, max_size=3),
    st.sampled_from(["torus.dateline", "torus.duato", "torus.dimension_order", "torus.valiant"]),
    st.integers(1, 4),
)
def test_proofs_by_dimension_agree_on_drawn_tori(sides, name, vcs):
    bound = bind(name, build("torus:" + "x".join(map(str, sides))), vcs)
    walked = prove(bound)
    try:
        dependency_module.GRID_ROUTERS, escapes_module.MANY_STEPS = 0, 0
        proof = prove(bound)
    finally:
        dependency_module.GRID_ROUTERS, escapes_module.MANY_STEPS = 1024, 1 << 24
    assert (proof.verdict, proof.channels, proof.dependencies) == (walked.verdict, walked.channels, walked.dependencies)
    assert proof.may_circle == walked.may_circle


@pytest.mark.parametrize(
    ("spec", "name", "by"),
    [
        ("torus:256x256", "torus.dateline", "dimensions"),
        ("torus:256x256", "torus.duato", "dimensions"),
        ("torus:256x256", "torus.valiant", "dimensions"),
        ("torus:256x256", "torus.bubble", "dimensions"),
        ("mesh:256x256", "mesh.odd_even", "dimensions"),
        ("hypercube:12", "hypercube.duato", "translation"),
    ],
)
def test_large_grids_are_proved_without_following_packets(spec, name, by):
    proof = prove(bind(name, build(spec)))
    assert (proof.verdict, proof.by, proof.certificate_checked) == ("free", by, True)


@pytest.mark.parametrize(
    ("spec", "name", "said"),
    [
        ("torus:4x3", "torus.dateline", "every source, destination and candidate, dimension by dimension"),
        ("torus:4x3", "torus.valiant", "joined at every middle router, dimension by dimension"),
        ("hypercube:3", "hypercube.duato", "packets to one router, as those to any other go the same ways"),
    ],
)
def test_it_is_said_how_packets_were_looked_at(spec, name, said, on_any_grid, monkeypatch):
    if "one router" in said:
        monkeypatch.setattr(dependency_module, "dependencies_by_dimension", lambda bound, job, phases: None)
    followed = explain(prove(bind(name, build(spec)))).followed
    assert followed.startswith("Followed: ") and f"{said}; " in followed


def _across(net, here, head, out):
    """Looks at two dimensions at once: the sum of both coordinates says which channel."""
    for d in range(2):
        at, to = net.coord[here, d], net.coord[head[DESTINATION], d]
        if at != to:
            out[0, 0], out[0, 1] = 2 * d if to > at else 2 * d + 1, (net.coord[here, 0] + net.coord[here, 1]) % 2
            out[0, 2], out[0, 3] = 0, 0
            return 1
    return 0


@pytest.mark.parametrize(("spec", "vcs"), [("torus:5x4", 1), ("torus:4x3", 2), ("torus:2x3x4", 1)])
def test_kinds_of_dependencies_by_dimension_are_those_of_the_walk(spec, vcs, on_any_grid, monkeypatch):
    bound = bind("torus.bubble", build(spec), vcs)
    made = dependencies(bound)
    assert made.by == "dimensions"
    marked = marked_dependencies(made)
    monkeypatch.setattr(bubble_module, "marks_by_dimension", lambda *of: None)
    walked = marked_dependencies(made)
    sets = [set(zip(m.holder.tolist(), m.wanted.tolist(), m.enters.tolist(), strict=True)) for m in (marked, walked)]
    assert sets[0] == sets[1]
    assert len(marked.holder) == len(walked.holder)
    assert (marked.unmarked == walked.unmarked).all()


def _both_ways(net, here, head, out):
    """Up or down, as the packet likes."""
    count = 0
    for d in range(2):
        if net.coord[here, d] != net.coord[head[DESTINATION], d]:
            for port in (2 * d, 2 * d + 1):
                out[count, 0], out[count, 1], out[count, 2], out[count, 3] = port, 0, 0, 0
                count += 1
    return count


def _on(relation, spec):
    """What `on_grid` makes of the package's own routings."""
    bound = Routing(name="test.own", relation=relation, vcs=2, adaptive=True).bind(build(spec))
    grid = grid_of(bound.network)
    return OnGrid(grid, list(cases(bound, grid, [np.ones((k, k), bool) for k in grid.sides], {STATE: 0})))


def test_what_looks_at_two_dimensions_at_once_does_not_fit():
    with pytest.raises(Unfit):
        _on(_across, "mesh:4x4")


def _sum_of_truths(net, here, head, out):
    """How many of two things are true of the column; the answer is what is looked at."""
    return (net.coord[here, 0] > 0) + (net.coord[here, 0] > 1)


def test_truths_add_up_as_in_python():
    found = _on(_sum_of_truths, "mesh:4x2").cases
    assert {case.found: case.masks[0].any(axis=1).tolist() for case in found} == {
        0: [True, False, False, False],
        1: [False, True, False, False],
        2: [False, False, True, True],
    }


@pytest.mark.parametrize("number", [lambda here, target: here, lambda here, target: target], ids=["here", "target"])
def test_whether_a_router_is_the_first_does_not_fit(number):
    with pytest.raises(Unfit):
        _on(lambda net, here, head, out: 0 if number(here, head[DESTINATION]) else 1, "mesh:4x2")


def test_circles_on_grids_are_seen():
    assert circle_free(on_grid(bind("torus.duato", build("torus:5x4"))))
    assert not circle_free(_on(_both_ways, "torus:5x4"))


def test_cases_are_all_pairs_once():
    on = on_grid(bind("torus.duato", build("torus:6x5")))
    count = np.zeros((6, 6, 5, 5), int)
    for case in on.cases:
        count += case.masks[0][:, :, None, None] & case.masks[1][None, None]
    assert (count == 1).all()


@pytest.mark.parametrize(
    ("spec", "is_one"),
    [
        ("mesh:4x3", True),
        ("torus:4", True),
        ("hyperx:3x3", True),
        ("rdt:8", False),
        ("dragonfly:1", False),
        ("mesh:5000", False),
    ],
)
def test_what_is_a_grid(spec, is_one):
    assert (grid_of(build(spec)) is not None) == is_one
