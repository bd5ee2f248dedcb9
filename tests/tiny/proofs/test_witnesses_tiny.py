"""What waits for what, and why a routing is free, in words: networks of a few routers, argued by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.tiny.proofs.ring_routing import round_or_back

from jumpnet.analysis.deadlock import explain as explain_module
from jumpnet.analysis.deadlock.conditions import escape_numbers
from jumpnet.analysis.deadlock.cycles.class_order import Group, chain_levels, numbered_groups
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.explain import channel_words, explain
from jumpnet.analysis.deadlock.multicast import prove_multicast
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.waiting.who_waits import who_waits
from jumpnet.analysis.deadlock.waiting.witnesses import Witness
from jumpnet.errors import JumpnetError
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.routings import DESTINATION, ESCAPE, KIND, NEXT_STATE, NORMAL, PORT, VC, Routing, bind
from jumpnet.topology import build


def _nearer(net, here, head, out):
    """Every port of a mesh that comes nearer; ports 2d and 2d + 1 lead up and down in dimension d."""
    to, count = head[DESTINATION], 0
    for d in range(2):
        away = net.coord[to, d] - net.coord[here, d]
        if away != 0:
            out[count, PORT] = 2 * d if away > 0 else 2 * d + 1
            out[count, VC], out[count, NEXT_STATE], out[count, KIND] = 0, 0, NORMAL
            count += 1
    return count


def test_each_packet_of_a_ring_goes_two_hops() -> None:
    """On a ring of five each packet that holds a channel up and wants the next goes two hops up: i to i + 2."""
    bound = bind("torus.dimension_order", build("torus:5"))
    made = dependencies(bound)
    waiting = who_waits(prove(bound, made=made), made)
    assert waiting.kind == "stuck"  # two ports a router, one virtual channel: channel 2 i leads up from i
    assert list(waiting.packets) == [
        Witness(i, (i + 2) % 5, 0, -1, (2 * i,), 0, 2 * ((i + 1) % 5), ()) for i in (0, 1, 2, 3, 4)
    ]
    said = str(explain(prove(bound)))
    assert "packet from 3 to 0 holds 3 -> 4 (dimension 0 +, vc 0) and waits for 4 -> 0 (dimension 0 +, vc 0)" in said
    assert said.endswith("none can move.") and said == prove(bound).explain()


def test_four_packets_that_turn_round_a_square() -> None:
    """Each begins with a choice, aside of the square, and has none left where it waits."""
    bound = Routing("nearer.square", _nearer, adaptive=True).bind(build("mesh:2x2"))
    made = dependencies(bound)
    proof = prove(bound, made=made)
    waiting = who_waits(proof, made)
    assert (proof.verdict, waiting.kind, len(waiting.packets)) == ("deadlock", "stuck", 4)
    for packet in waiting.packets:
        assert packet.source + packet.destination == 3  # opposite corners of routers 0, 1 / 2, 3
        assert (len(packet.path), packet.others, len(packet.aside)) == (1, (), 1)
    assert {packet.wants for packet in waiting.packets} == {packet.holds for packet in waiting.packets}


def test_classes_of_a_mesh_in_their_order() -> None:
    """Dimension 0 before dimension 1, and within each along the line: two channels from end to end of three routers."""
    found = explain(prove(bind("mesh.dimension_order", build("mesh:3x3"))))
    assert [(g.step, g.classes, g.channels, g.longest, g.along) for g in found.groups] == [
        (1, ("dimension 0 +, vc 0",), 6, 2, "coordinate 0 rises"),
        (1, ("dimension 0 -, vc 0",), 6, 2, "coordinate 0 falls"),
        (2, ("dimension 1 +, vc 0",), 6, 2, "coordinate 1 rises"),
        (2, ("dimension 1 -, vc 0",), 6, 2, "coordinate 1 falls"),
    ]
    assert len(found.chain) == 4 and found.as_json()["longest_chain"][0]["link"].startswith("dimension 0")
    assert "1. dimension 0 +, vc 0: 6 channels; within, coordinate 0 rises, chains of 2 at most" in str(found)


def test_a_dateline_is_crossed_once() -> None:
    """Ring of five, packets of two hops at most: they cross into class 1, where they may have come in too."""
    groups = explain(prove(bind("torus.dateline", build("torus:5")))).groups
    assert [g.classes[0][-4:] for g in groups] == ["vc 0", "vc 0", "vc 1", "vc 1"]
    assert [g.step for g in groups] == [1, 1, 2, 2] and all(g.along for g in groups)


def test_where_no_order_of_classes_tells_the_longest_chain_does() -> None:
    proof = prove(bind("mesh.odd_even", build("mesh:4x4")))
    found = explain(proof)
    assert len(found.groups) == 1 and len(found.groups[0].classes) == 4
    assert proof.certificate is not None
    assert (np.diff(proof.certificate[list(found.chain)]) > 0).all()  # it ascends in the numbers of the certificate
    assert f"has {len(found.chain)} channels: {channel_words(found.bound, found.chain[0])}" in str(found)


def test_rings_of_bubbles_are_said_to_be_rings() -> None:
    found = explain(prove(bind("torus.bubble", build("torus:4x4"))))
    assert any(group.longest == 0 for group in found.groups) and found.chain == ()
    assert "rings, entered with room for one packet more" in str(found)


def test_levels_leave_out_what_lies_behind_a_ring() -> None:
    assert chain_levels(5, np.array([0, 1, 1, 2]), np.array([1, 0, 2, 3])).tolist() == [-1, -1, -1, -1, 0]


def test_packets_with_a_way_round_are_no_knot() -> None:
    """Four routers, up by channel 0 in a ring, or down by channel 1. A packet to 0 may turn round at 1, and again at 2:
    a cycle of two. But each may also go on, and channel 1 into router 0 is for packets that have arrived."""
    bound = Routing("ring.round_or_back", round_or_back(NORMAL), vcs=2, adaptive=True).bind(build("torus:4"))
    made = dependencies(bound)
    proof = prove(bound, made=made)
    found = explain(proof, made)
    assert found.waiting is not None and (proof.verdict, found.waiting.kind) == ("unproved", "cycle")
    cycle = {packet.holds for packet in found.waiting.packets}
    assert len(cycle) == 2 and cycle == {packet.wants for packet in found.waiting.packets}
    assert all(len(set(packet.others) - cycle) == 1 for packet in found.waiting.packets)
    assert "have a way round" in found.therefore and "no knot" in found.therefore


def test_an_escape_that_is_asked_for_again() -> None:
    """The same with the ways up as escapes: a packet to 0 that took the one from 1 may come back, and ask again."""
    bound = Routing("ring.up_escapes", round_or_back(ESCAPE), vcs=2, adaptive=True).bind(build("torus:4"))
    found = explain(prove(bound))
    assert found.waiting is not None and found.waiting.kind == "indirect"
    (packet,) = found.waiting.packets
    assert packet.held == 0 and len(packet.path) == 2 and packet.wants == packet.holds
    assert ", goes on by " in str(found) and "nothing is proved" in found.therefore


def test_escapes_of_a_mesh_are_in_order() -> None:
    """Escapes in dimension order; by way of other channels a packet may come from an escape to any later one of a line.
    A line of three has two escapes each way."""
    found = explain(prove(bind("mesh.duato", build("mesh:3x3"))))
    assert found.condition.startswith("Duato's condition")
    assert [(g.step, g.channels, g.longest) for g in found.groups] == [(1, 6, 2), (1, 6, 2), (2, 6, 2), (2, 6, 2)]


def test_classes_by_their_numbers_alone() -> None:
    """A line of four: port 0 leads up, port 1 down, two channels each. Channels up are 4 r and 4 r + 1 at routers 0, 1
    and 2, channels down 4 r + 2 and 4 r + 3 at 1, 2 and 3."""
    net = build("mesh:4")
    number = np.full(16, -1)
    number[[0, 4, 8]] = 0, 1, 2
    number[[14, 10, 6]] = 3, 5, 7  # down: numbers ascend where the coordinate falls
    number[[9, 5, 1]] = 4, 4, 6  # between those; two of them have one number
    up, down = ("dimension 0 +, vc 0",), ("dimension 0 +, vc 1", "dimension 0 -, vc 0")
    assert numbered_groups(net, 2, number) == (Group(1, up, 3, 3, "coordinate 0 rises"), Group(2, down, 6, 5, ""))
    number[[1, 5, 9]] = 8, 8, 9  # after all: 8 stands for coordinates 0 and 1, so neither comes first
    found = numbered_groups(net, 2, number)
    assert [(g.step, g.classes[0], g.longest, g.along) for g in found] == [
        (1, "dimension 0 +, vc 0", 3, "coordinate 0 rises"),
        (2, "dimension 0 -, vc 0", 3, "coordinate 0 falls"),
        (3, "dimension 0 +, vc 1", 2, ""),
    ]
    number[[9, 5, 1]] = 7, 8, 9  # the first meets the last of the channels down: one group
    assert [g.classes for g in numbered_groups(net, 2, number)] == [up, down]
    number[8] = 20  # that class now ends behind all others, though one between ends before the next begins
    number[[9, 5, 1]] = 9, 10, 11
    assert [len(g.classes) for g in numbered_groups(net, 2, number)] == [3]
    number[8] = 2
    number[[9, 5, 1]] = 8, 8, 8  # one number: none depends on another
    assert numbered_groups(net, 2, number)[2] == Group(3, ("dimension 0 +, vc 1",), 3, 1, "")
    assert numbered_groups(net, 2, np.full(16, -1)) == ()


def test_where_duatos_condition_is_shown_by_numbers_its_graph_is_not_made(monkeypatch) -> None:
    bound = bind("mesh.duato", build("mesh:3x3"))
    exact = explain(prove(bound))
    monkeypatch.setattr(escape_numbers, "MANY_STEPS", 0)
    proof = prove(bound)
    monkeypatch.delattr(explain_module, "extended_dependencies")
    found = explain(proof)
    assert proof.escape_dependencies is None and found.chain == () and "in the numbers of the certificate" in str(found)
    step = {name: group.step for group in found.groups for name in group.classes}
    assert set(step) == {name for group in exact.groups for name in group.classes}
    before = {name: group.step for group in exact.groups for name in group.classes}
    assert all(step[a] <= step[b] for a in step for b in step if before[a] < before[b])


def test_packets_that_branch_are_not_explained() -> None:
    proof = prove_multicast(chip_rules(build("rdt:8"), "chip"))
    with pytest.raises(JumpnetError, match="packets that branch, or kinds of them that share channels, found"):
        proof.explain()
