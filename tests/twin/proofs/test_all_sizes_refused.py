"""Proofs for all sizes: what is not run, not followed to its end or not held against packets is not said to be free."""

from __future__ import annotations

import pytest
from tests.twin.proofs.caught import (
    as_prepared,
    by_its_own_number,
    by_number,
    by_side,
    by_what_it_catches,
    by_what_it_divides,
)

from jumpnet.analysis.deadlock.all_sizes import argument
from jumpnet.analysis.deadlock.all_sizes.argument import RINGS, prove_all_sizes
from jumpnet.analysis.deadlock.all_sizes.conditions import DIRECT, OrderForAllSizes, ordered
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.ways_to_graph.inequalities import flow as flow_module
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.flow import flow_of
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.symbols import Run
from jumpnet.errors import JumpnetError
from jumpnet.routings import Routing, bind
from jumpnet.routings.view import DESTINATION, ESCAPE, IN_PORT, INTERMEDIATE, STATE
from jumpnet.topology import build


def test_no_order_is_given_out_before_it_was_held_against_packets(monkeypatch):
    bound = bind("torus.dateline", build("torus:4"))
    spoilt = OrderForAllSizes(DIRECT, prove_all_sizes(bound).order[::-1])
    monkeypatch.setattr(argument, "ordered", lambda *_: spoilt)
    with pytest.raises(JumpnetError, match="does not ascend on torus:4"):  # rings of three have one hop each way
        prove_all_sizes(bound)


def _stops_short(net, here, head, out):
    """To the target, but no further than the ninth router."""
    ahead = net.coord[head[DESTINATION], 0] - net.coord[here, 0]
    if ahead == 0 or net.coord[here, 0] > 7:
        return 0
    out[0, 0] = 0 if ahead > 0 else 1
    return 1


def test_who_stops_short_has_not_arrived():
    bound = Routing(name="test.short", relation=_stops_short).bind(build("mesh:6"))
    with pytest.raises(Unfit):
        flow_of(Run(bound, None), [RINGS["mesh"]], (0,), by_channel=False)


def _straight_on(net, here, head, out):
    """To the target, by the port across from that of arrival."""
    ahead = net.coord[head[DESTINATION], 0] - net.coord[here, 0]
    if ahead == 0:
        return 0
    out[0, 0] = head[IN_PORT] ^ 1 if head[IN_PORT] >= 0 else 0 if ahead > 0 else 1
    return 1


def test_the_channel_of_arrival_is_that_across_the_link():
    bound = Routing(name="test.straight", relation=_straight_on).bind(build("mesh:6"))
    found = ordered(flow_of(Run(bound, None), [RINGS["mesh"]], (0,), by_channel=True), 1, bubble=False)
    assert found.arrives and found.order


def _through_the_middle(net, here, head, out):
    """To the router in the middle, then to the target, by escapes alone."""
    ahead = net.coord[head[DESTINATION if head[STATE] == 1 else INTERMEDIATE], 0] - net.coord[here, 0]
    if ahead == 0:
        return 0
    out[0, 0], out[0, 2], out[0, 3] = 0 if ahead > 0 else 1, head[STATE], ESCAPE
    return 1


def test_escapes_of_two_phases_are_not_ordered_apart():
    """Up to the middle and down again is a cycle, though either way alone is none."""
    bound = Routing(name="test.middle", relation=_through_the_middle, two_phases=True).bind(build("mesh:6"))
    assert ordered(flow_of(Run(bound, None), [RINGS["mesh"]], (0, 1), by_channel=False), 1, bubble=False).order == ()


def test_a_routing_of_ones_own_does_not_run_without_guard():
    def relation(net, here, head, out):
        head[100_000] = 1  # beyond the header
        return _straight_on(net, here, head, out)

    proof = prove_all_sizes(Routing(name="test.own", relation=relation).bind(build("mesh:6")))
    assert proof.verdict == "unproved" and "one's own" in proof.method


def _far_first(net, here, head, out):
    """Along the dimension in which a packet is three or more away, whichever way, then along the others."""
    ahead = [net.coord[head[DESTINATION], d] - net.coord[here, d] for d in range(2)]
    for least in (3, 1):
        for d in range(2):
            if abs(ahead[d]) >= least:
                out[0, 0] = 2 * d if ahead[d] > 0 else 2 * d + 1
                return 1
    return 0


def test_distances_are_the_same_both_ways():
    run = Run(Routing(name="test.far", relation=_far_first).bind(build("mesh:6x6")), None)
    flow = flow_of(run, [RINGS["mesh"]] * 2, (0,), False)
    back = {(edge.tail[0] ^ 1, edge.head[0] ^ 1) for edge in flow.dependencies()}
    assert back == {(edge.tail[0], edge.head[0]) for edge in flow.dependencies()}
    assert ordered(flow, 2, bubble=False).arrives


@pytest.mark.parametrize(
    ("spec", "name", "most"),
    [("torus:3x3", "torus.booksim", 1000), ("torus:3x3", "torus.duato", 40)],
)
def test_what_is_given_up_says_why(spec, name, most, monkeypatch):
    monkeypatch.setattr(flow_module, "MOST_STATES", most)
    proof = prove_all_sizes(bind(name, build(spec)))
    assert proof.verdict == "unproved" and not proof.arrives and "more than 16,384 kinds" in proof.method


@pytest.mark.parametrize("prepare", [by_number, by_side])
def test_a_hook_that_catches_its_question_has_not_answered(prepare, monkeypatch):
    """Without the guard that keeps routings of one's own off inequalities: larger networks deadlock."""
    said = {"name": "test.caught", "relation": as_prepared, "prepare": prepare}
    assert prove(Routing(**said).bind(build("mesh:4x4"))).deadlock_free
    assert prove(Routing(**said).bind(build("mesh:8x8"))).verdict == "deadlock"
    monkeypatch.setattr(Routing, "own", False)
    assert prove_all_sizes(Routing(**said).bind(build("mesh:4x4"))).verdict == "unproved"


@pytest.mark.parametrize("relation", [by_what_it_catches, by_what_it_divides, by_its_own_number])
def test_a_relation_that_catches_its_question_has_not_answered(relation):
    run = Run(Routing(name="test.catches", relation=relation).bind(build("mesh:4x4")), None)
    with pytest.raises(Unfit):
        flow_of(run, [RINGS["mesh"]] * 2, (0,), False)
