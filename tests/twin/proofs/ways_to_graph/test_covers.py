"""Proofs by products that hold all packets, and perhaps more, beside the walks over all packets of small networks."""

from __future__ import annotations

import numpy as np
import pytest
from tests.twin.proofs.ways_to_graph.test_dimensions_drawn import drawn

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.certificates.check import check_certificate
from jumpnet.analysis.deadlock.certificates.text import write_certificate
from jumpnet.analysis.deadlock.conditions.bubble import escape_dependencies, marked_dependencies
from jumpnet.analysis.deadlock.conditions.duato import extended_dependencies
from jumpnet.analysis.deadlock.cycles.checker import accepts_rows
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.walks import drawn as drawn_packets_module
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.covers import cover as cover_module
from jumpnet.analysis.deadlock.ways_to_graph.covers import machine as machine_module
from jumpnet.analysis.deadlock.ways_to_graph.covers.function import function_of
from jumpnet.analysis.deadlock.ways_to_graph.covers.graph import covered
from jumpnet.errors import JumpnetError
from jumpnet.routings import DESTINATION, BoundRouting, Routing, bind
from jumpnet.topology import build

SAME = [
    ("torus:4x3", "torus.dateline", None),
    ("torus:4x2x3", "torus.dateline", 1),
    ("torus:4x5", "torus.duato", None),
    ("torus:4x4", "torus.duato", 2),
    ("torus:4x4", "torus.booksim", None),
    ("torus:4x3x2", "torus.booksim", 1),
    ("torus:4x3", "torus.bubble", None),
    ("torus:4x3x2", "torus.bubble_adaptive", None),
    ("torus:3x2", "torus.bubble_adaptive", 3),
    ("mesh:3x3x3", "mesh.negative_first", None),
    ("mesh:2x2x2x2", "mesh.duato", None),
    ("mesh:3x3", "mesh.duato", 1),
    ("mesh:5x4", "mesh.odd_even", None),
    ("cmesh:4x6", "mesh.duato", None),
]


@pytest.fixture
def by_covers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small grids by products too."""
    monkeypatch.setattr(dependency_module, "GRID_ROUTERS", 0)
    for other in ("dependencies_by_dimension", "dependencies_by_translation"):
        monkeypatch.setattr(dependency_module, other, lambda *said: None)


def _marks(made) -> list[object]:
    """What is known of the kinds of candidates, of all and of escapes."""
    found: list[object] = []
    for one in (marked_dependencies(made), escape_dependencies(made)):
        marked = one if one is None or hasattr(one, "holder") else one[0]
        if marked is not None:
            pairs = zip(marked.holder.tolist(), marked.wanted.tolist(), marked.enters.tolist(), strict=True)
            found += [set(pairs), marked.unmarked.tolist()]
    return found


def _alike(made, walked) -> None:
    assert (made.by, made.whole) == ("covers", False)
    for name in ("bits", "used", "escape"):
        assert np.array_equal(getattr(made, name), getattr(walked, name)), name
    for name in ("states", "adaptive", "choices", "has_escape"):
        assert getattr(made, name) == getattr(walked, name), name
    assert _marks(made) == _marks(walked)


@pytest.mark.parametrize(("spec", "name", "vcs"), SAME, ids=str)
def test_products_have_the_dependencies_of_packets(spec, name, vcs, by_covers) -> None:
    bound = bind(name, build(spec), vcs)
    walked = dependencies(bound, 1, apart=False)
    _alike(dependencies(bound, 1, beyond=True), walked)
    one, other = prove(bound, 1), prove(bound, 1, made=walked)
    assert one.verdict == other.verdict and (one.verdict == "free") == (one.by == "covers")
    assert (one.cycle is None or len(one.cycle)) == (other.cycle is None or len(other.cycle))
    if one.escape_channels is None and not bound.routing.bubble and one.certificate is not None:
        assert accepts_rows(one.certificate, *walked.rows)
    if one.escape_channels is not None and one.certificate is not None and not bound.routing.bubble:
        extended = extended_dependencies(walked)
        assert accepts_rows(one.certificate[extended.channel], extended.indptr, extended.indices)


def test_drawn_relations_have_no_dependencies_but_those_of_products(by_covers, monkeypatch) -> None:
    """Also where ways are joined at once, and one product that holds more packets than there are stands for all."""
    monkeypatch.setattr(BoundRouting, "own", False)
    fit = joined = 0
    for seed in range(6):
        bound = drawn(seed)
        walked, made = dependencies(bound, 1, apart=False), dependencies(bound, 1, beyond=True)
        if made.by == "walks":
            continue
        _alike(made, walked)
        fit += 1
        with monkeypatch.context() as patch:
            patch.setattr(machine_module, "MOST_JOINED", 0)
            patch.setattr(cover_module, "MOST_PRODUCTS", 1)
            more = covered(bound, job_of(bound))
        if more is not None:
            bits, used, escape, _ = more.graph
            joined += not np.array_equal(bits, walked.bits)
            assert not ((walked.bits & ~bits).any() or (walked.used & ~used).any() or (walked.escape & ~escape).any())
    assert fit >= 4 and joined


def test_what_is_parted_too_often_is_proved_by_products() -> None:
    proof = prove(bind("torus.duato", build("torus:4x4x4x4x4")), 1)
    assert (proof.verdict, proof.by, proof.certificate_checked, proof.may_circle) == ("free", "covers", True, False)


def test_packets_that_are_drawn_are_held_against_products() -> None:
    bound = bind("torus.duato", build("torus:4x3"))
    cover = covered(bound, job_of(bound))
    assert cover is not None
    bits, used, _, _ = cover.graph
    for spoiled in ((bits * np.uint64(0), used), (bits, used * 0)):
        with pytest.raises(AssertionError, match="that the cover has not"):
            cover._hold(*spoiled)


def test_certificates_of_products(by_covers, tmp_path, monkeypatch) -> None:
    for name, spec in (("mesh.negative_first", "mesh:3x3"), ("torus.bubble_adaptive", "torus:4x2")):
        bound = bind(name, build(spec))
        proof = prove(bound, 1)
        assert proof.by == "covers"
        write_certificate(tmp_path / "some.cert", bound, proof)
        check_certificate(tmp_path / "some.cert")
    bound = bind("torus.duato", build("torus:4x3"))
    proof = prove(bound, 1)
    monkeypatch.setattr("jumpnet.analysis.deadlock.certificates.grid.states_for", lambda bound, plain: None)
    monkeypatch.setattr("jumpnet.analysis.deadlock.certificates.text.orbit_certificate", lambda *said: None)
    monkeypatch.setattr("jumpnet.analysis.deadlock.certificates.text.MOST_EXTENDED", 0)
    with pytest.raises(JumpnetError, match="which no certificate of Duato's condition shows"):
        write_certificate(tmp_path / "some.cert", bound, proof)


def test_what_cannot_be_done_on_tables_is_refused(monkeypatch) -> None:
    def listed(net, here, head, out):
        return len([here for d in range(2)])

    def sliced(net, here, head, out):
        out[0, :] = 1
        return 1

    def itself(net, here, head, out):
        return itself(net, here, head, out)

    monkeypatch.setattr(BoundRouting, "own", False)
    for relation in (listed, sliced, itself):
        bound = Routing("test.refused", relation).bind(build("mesh:5"))
        assert function_of(relation).body and covered(bound, job_of(bound)) is None
    with pytest.raises(Unfit):
        function_of(eval("lambda net, here, head, out: 0"))


def _at_another(net, here, head, out):
    """Arrives one router too early."""
    at, to = net.coord[here, 0], net.coord[head[DESTINATION], 0]
    if abs(to - at) <= 1:
        return 0
    out[0, 0], out[0, 1] = 0 if to > at else 1, 0
    out[0, 2], out[0, 3] = 0, 0
    return 1


def _twice(net, here, head, out):
    """Writes a candidate and says that there are two."""
    at, to = net.coord[here, 0], net.coord[head[DESTINATION], 0]
    if at == to:
        return 0
    for field in range(4):
        out[0, field] = 0
    return 2


def _on_and_on(net, here, head, out):
    """Round the first ring, without an end where the target lies in another row."""
    if net.coord[here, 0] == net.coord[head[DESTINATION], 0] and net.coord[here, 1] == net.coord[head[DESTINATION], 1]:
        return 0
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 0, 0, 0, 0
    return 1


def _beyond_64_bits(net, here, head, out):
    """A number that goes round in compiled code: there it is below 0, in plain Python it is not."""
    at, to = net.coord[here, 0], net.coord[head[DESTINATION], 0]
    if at == to:
        return 0
    far = net.vcs
    for _ in range(7):
        far = (far << 9) + 1
    out[0, 0], out[0, 1] = 0 if to > at else 1, 1 if far > 0 else 0
    out[0, 2], out[0, 3] = 0, 0
    return 1


def _divided(net, here, head, out):
    """By nothing, or a shift by more bits than there are."""
    none = net.vcs - net.vcs
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 0, 1 // none, 0, 0
    return 1


def _shifted(net, here, head, out):
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = 0, net.vcs >> (32 * net.vcs), 0, 0
    return 1


def test_what_compiled_code_reckons_otherwise_has_no_products(monkeypatch) -> None:
    monkeypatch.setattr(BoundRouting, "own", False)
    for relation in (_beyond_64_bits, _divided, _shifted):
        bound = Routing("test.reckons", relation, 2).bind(build("mesh:5"))
        assert function_of(relation).body and covered(bound, job_of(bound)) is None


def test_packets_that_go_on_and_on_are_not_followed_for_ever(monkeypatch) -> None:
    monkeypatch.setattr(BoundRouting, "own", False)
    monkeypatch.setattr(drawn_packets_module, "MOST_HOPS", 1 << 7)
    bound = Routing("test.round", _on_and_on).bind(build("torus:4x3"))
    cover = covered(bound, job_of(bound))
    assert cover is not None and cover.graph[0].any() and not cover.arrive


def test_packets_that_go_astray_have_no_products(monkeypatch) -> None:
    monkeypatch.setattr(BoundRouting, "own", False)
    for relation in (_at_another, _twice):
        bound = Routing("test.astray", relation).bind(build("mesh:5"))
        assert function_of(relation).body and covered(bound, job_of(bound)) is None


def _loops(net, here, head, out):
    a, b, c = 0, 0, 1
    for d in range(3):
        e = a + d
        if e > 2:
            b = c
            continue
        a = e
    return a + b


def test_names_are_told_apart_as_long_as_they_are_read():
    """Else ways would become one whose packets go on differently."""
    function = function_of(_loops)
    loop = function.body[1]
    assert function.live[loop] == {"a", "b"}
    assert [function.live[node] for node in loop.body] == [{"a", "b", "c", "e"}, {"b", "c", "e"}, {"a", "b", "c"}]
    assert function.live[loop.body[1].body[0]] == {"a", "b", "c"}
