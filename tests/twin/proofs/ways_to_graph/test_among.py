"""Routings that say among whose dependencies theirs are: held against all packets, and a false word is found."""

from __future__ import annotations

import pytest

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.certificates.check import check_certificate
from jumpnet.analysis.deadlock.certificates.text import write_certificate
from jumpnet.analysis.deadlock.cycles.checker import accepts_bits
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.ways_to_graph.bounds import among as among_module
from jumpnet.analysis.deadlock.ways_to_graph.bounds.among import hold_all, wider
from jumpnet.errors import JumpnetError
from jumpnet.routings import DESTINATION, Routing, bind, routings
from jumpnet.routings.classes import put_class
from jumpnet.topology import build

SHIPPED = [
    ("fattree:2,n=3", "fattree.anca_booksim", None),
    ("fattree:3,n=2", "fattree.anca_booksim", 2),
    ("fattree:2,n=4", "fattree.nca:up=random", None),
    ("clos:3,2,4", "clos.nca:up=random", 2),
]


@pytest.fixture
def at_any_size(monkeypatch):
    """Small networks are not followed either."""
    monkeypatch.setattr(dependency_module, "MANY_WALKS", 0)


@pytest.mark.parametrize(("spec", "name", "vcs"), SHIPPED, ids=lambda v: str(v))
def test_what_shipped_routings_say_is_so(spec, name, vcs, at_any_size, tmp_path):
    bound = bind(name, build(spec), vcs)
    followed, other = dependencies(bound), wider(bound)
    assert followed.among is None and followed.whole and other is not None
    hold_all(bound, followed, dependencies)
    made, proof = dependencies(bound, beyond=True), prove(bound)
    assert (made.bits == dependencies(other).bits).all() and not made.whole
    assert (
        proof.verdict == "free"
        and f"free because all the routing's dependencies are among those of {other.name}" in (proof.method)
    )
    assert f"those of {other.name} (held against it on " in str(explain(proof))
    assert accepts_bits(proof.certificate, followed.bits, followed.base)
    written = write_certificate(tmp_path / "it.cert", bound, proof)
    assert (written.dependencies, written.states) == (made.count, 0)
    assert check_certificate(tmp_path / "it.cert").head["states"] == 0


def test_all_that_say_so_are_held_to_it():
    said = {name for name, routing in routings().items() if routing.among is not None and not routing.own}
    assert said == {name.partition(":")[0] for _, name, _ in SHIPPED}


def _against(net, here, head, out):
    """On a mesh along dimension 1 first, where the destination is router 0; else as `mesh.dimension_order`."""
    destination = head[DESTINATION]
    first = 1 if destination == 0 else 0
    for i in range(2):
        d = (first + i) % 2
        if net.coord[here, d] != net.coord[destination, d]:
            return put_class(out, 0, 2 * d + (net.coord[here, d] > net.coord[destination, d]), 0, 1, net.vcs, 0, 0)
    return 0


def _claims(name, relation=_against):
    return Routing("own.against", relation, among=lambda net, options: name)


ROWS_FIRST = routings()["mesh.dimension_order"].relation


def test_a_false_word_is_found_on_small_networks():
    with pytest.raises(
        JumpnetError, match=r"among is declared, but a packet holds router \d's port \d, vc 0 and waits"
    ):
        prove(bind(_claims("mesh.dimension_order"), build("mesh:3x3")))
    assert prove(bind(_claims("mesh.west_first", ROWS_FIRST), build("mesh:3x3"))).verdict == "free"


def test_a_false_word_is_found_by_the_small_ones_of_the_family(at_any_size, monkeypatch):
    """No packet is drawn on the network itself, and not all are followed there."""
    monkeypatch.setattr("jumpnet.analysis.deadlock.walks.drawn.DRAWN", 0)
    with pytest.raises(JumpnetError, match=r"own\.against on mesh:8x8: among is declared"):
        prove(bind(_claims("mesh.dimension_order"), build("mesh:40x40")))


def test_a_false_word_is_found_by_packets_that_are_drawn(at_any_size, monkeypatch):
    monkeypatch.setattr(among_module, "SMALL", 0)
    with pytest.raises(JumpnetError, match=r"own\.against on mesh:4x4: among is declared"):
        prove(bind(_claims("mesh.dimension_order"), build("mesh:4x4")))
    assert "for 256 packets here" in prove(bind(_claims("mesh.west_first", ROWS_FIRST), build("mesh:4x4"))).method


def _on_the_last(net, here, head, out):
    """One hop on a ring of three, on virtual channel 1."""
    destination = head[DESTINATION]
    for port in range(net.neighbor.shape[1]):
        if here != destination and net.neighbor[here, port] == destination:
            return put_class(out, 0, port, 1, 2, net.vcs, 0, 0)
    return 0


@pytest.mark.parametrize("most", [0, 1 << 24])
def test_a_channel_that_the_other_never_takes_is_found(most, monkeypatch):
    """Packets of one hop, which depend on nothing; drawn, and all of them."""
    monkeypatch.setattr(dependency_module, "MANY_WALKS", most)
    claims = _claims("torus.dateline", _on_the_last).changed(
        fits=lambda net: None if net.routers == 3 else "it is for three"
    )
    with pytest.raises(
        JumpnetError, match=r"among is declared, but a packet takes router \d's port \d, vc 1, and none"
    ):
        prove(bind(claims, build("torus:3"), 2))


def test_words_that_name_nothing_are_refused():
    for name, says in (("mesh.dimension_ordre", "unknown routing"), (True, "among gives True")):
        with pytest.raises(JumpnetError, match=says):
            prove(bind(_claims(name), build("mesh:3x3")))


def test_where_the_other_has_a_cycle_the_routing_has_its_own_say(at_any_size):
    dateline = bind("torus.dateline", build("torus:4x4")).routing
    bound = bind(dateline.changed(among=lambda net, options: "torus.dimension_order"), build("torus:4x4"), 2)
    assert dependencies(bound, beyond=True).among is not None
    proof = prove(bound)
    assert proof.verdict == "free" and "among" not in proof.method and proof.dependencies == dependencies(bound).count
