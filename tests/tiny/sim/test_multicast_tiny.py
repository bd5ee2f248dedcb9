"""Multicasts on a few routers: cycle counts argued by hand, conservation, and the deadlocks that must come."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.naive.multicast_routers import MulticastSimulation

from jumpnet.analysis.deadlock.multicast import prove_multicast
from jumpnet.errors import JumpnetError
from jumpnet.multicast import scheme
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.multicast.plan import DROPS, Plan, bit_map_plan
from jumpnet.sim.config import SimConfig, config_from, preset
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.engine import Delivered, MulticastEngine, send_messages
from jumpnet.sim.multicast.messages import COMBINED, DIRECT, NO_ACK, Forest, Messages, forest
from jumpnet.topology import build

CHIP = preset("jump1")
Row = tuple[int, int, int, int]


def messages_of(rows: list[Row]) -> Messages:
    """Rows (cycle, plan, flits, acknowledge)."""
    return Messages(*(np.array(column) for column in zip(*rows, strict=True)))


def plans_on(spec: str, sets: list[tuple[int, list[int]]], rules: str = "chip") -> tuple[Forest, list[Plan]]:
    """Plans of multicasts (source, destinations), and after them the plans of their direct acknowledges."""
    net = build(spec)
    known = chip_rules(net, rules)
    plans = [bit_map_plan(known, scheme("full"), source, to) for source, to in sets]
    replies = {}
    for source, to in sets:
        for receiver in to:
            replies[receiver, source] = len(plans)
            plans.append(bit_map_plan(known, scheme("full"), receiver, [source]))
    return forest(net, plans, replies), plans


def alone(to: list[int], flits: int, kind: int, ack: MulticastConfig, config: SimConfig = CHIP) -> Delivered:
    """One multicast from router 9 of an 8x8 torus, alone."""
    trees, _ = plans_on("prdt:8", [(9, to)])
    engine = MulticastEngine(build("prdt:8"), 2, trees, messages_of([(0, 0, flits, kind)]), config, ack)
    while engine.cycle < 1000 and engine.go(1):
        engine.check()
    engine.check()
    return engine.result()


@pytest.mark.parametrize(("to", "routers"), [([10], 2), ([1, 8, 10, 17], 2), ([1, 8, 10, 16, 17, 18, 25], 3)])
@pytest.mark.parametrize("flits", [1, 13])
def test_alone_a_multicast_takes_the_time_of_its_farthest_receiver(to: list[int], routers: int, flits: int) -> None:
    """Every branch goes at once: 3 + R(rd + A + X) + (R - 1)L + S - 1, as for one packet."""
    done = alone(to, flits, NO_ACK, MulticastConfig())
    assert done.last_arrival.tolist() == [CHIP.zero_load_cycles(routers, flits)]
    assert done.receipts.tolist() == [len(to)] and done.finished


def test_acknowledges_combine_link_by_link() -> None:
    """Back over one link into the unit (2 routers), from there to the source (1 router); 3 flits each.

    Two hops away: from the receiver to its parent's unit, from there to the unit of the source, and to the source.
    """
    there, one, end = CHIP.zero_load_cycles(2, 13), CHIP.zero_load_cycles(2, 3), CHIP.zero_load_cycles(1, 3)
    done = alone([1, 8], 13, COMBINED, MulticastConfig(ack_delay_cycles=4))
    # Both acknowledges share the unit's port of one flit a cycle: the last is 3 flits behind.
    assert done.acknowledged.tolist() == [there + 4 + one + 3 + end]
    assert (done.ack_link_flits, done.link_flits, done.fallbacks) == (2 * 3, 2 * 3 + 2 * 13, 0)
    far = alone([25], 13, COMBINED, MulticastConfig(ack_delay_cycles=4))
    assert far.acknowledged.tolist() == [CHIP.zero_load_cycles(3, 13) + 4 + 2 * one + end]


def test_without_a_buffer_the_processor_counts() -> None:
    """The source's processor counts the acknowledge itself; a router on the way takes it up, and sends one anew."""
    there, one = CHIP.zero_load_cycles(3, 13), CHIP.zero_load_cycles(2, 3)
    done = alone([25], 13, COMBINED, MulticastConfig(ack_delay_cycles=4, combining_entries=0))
    assert done.acknowledged.tolist() == [there + 3 * 4 + 2 * one] and done.fallbacks == 2
    mixed = alone([1, 8, 10, 16, 17, 18, 25], 13, COMBINED, MulticastConfig(combining_entries=1))
    assert mixed.fallbacks == 0 and mixed.finished


def test_direct_acknowledges_go_all_the_way() -> None:
    """By the plan of a packet to one destination: from two places north it leads over a link of rank 1."""
    done = alone([25], 13, DIRECT, MulticastConfig(ack_delay_cycles=4))
    hops = len(plans_on("prdt:8", [(9, [25])])[1][1].router) - 1
    assert done.acknowledged.tolist() == [CHIP.zero_load_cycles(3, 13) + 4 + CHIP.zero_load_cycles(hops + 1, 3)]
    assert done.ack_link_flits == hops * 3


def test_ready_branches_do_not_wait_for_the_others() -> None:
    """A packet holds the channel east: others receive as if alone, the router east 23 cycles later.

    16 flits, and 7 cycles until the last credit is back: 3 to the next router, 2 until it moves on there, 2 back.
    """
    net = build("prdt:8")
    trees, _ = plans_on("prdt:8", [(9, [10]), (9, [1, 8, 10, 17])])
    rows = messages_of([(0, 0, 16, NO_ACK), (0, 1, 13, NO_ACK)])
    slow = MulticastSimulation(net, 2, trees, rows, CHIP.replace(injection_ports=2), MulticastConfig())
    slow.run(80)
    arrived = {row[6]: row[0] for row in slow.events if row[1] == 3 and row[2] == 1 and row[5] == 12}
    clear = CHIP.zero_load_cycles(2, 13)
    assert arrived[1] == arrived[8] == arrived[17] == clear
    assert arrived[10] == clear + 16 + 7 and slow.received[1].count(10) == 1


def loaded(
    spec: str, rules: str, rate: float, config: SimConfig, name: str = "SM"
) -> tuple[MulticastEngine, list[Plan]]:
    """Random multicasts with combined acknowledges for 150 cycles, run to the end or to a standstill."""
    net, draw = build(spec), random.Random(1)
    known = chip_rules(net, rules)
    plans = []
    for source in range(net.routers):
        to = draw.sample(known.where.members(source, known.where.top).tolist(), 5)
        plans.append(bit_map_plan(known, scheme(name), source, to))
    rows = [(t, source, 16, COMBINED) for t in range(150) for source in range(net.routers) if draw.random() < rate]
    engine = MulticastEngine(
        net, 2, forest(net, plans), messages_of(rows), config, MulticastConfig(combining_entries=2)
    )
    while engine.cycle < 50_000 and engine.go(500):
        engine.check()
    engine.check()
    return engine, [plans[row[1]] for row in rows]


@pytest.mark.parametrize(
    ("spec", "name"), [("prdt:4", "SM"), ("prdt:8", "LPRA"), ("rdt:8", "LARP"), ("rdt:8", "LARP:path")]
)
def test_under_heavy_load_all_is_delivered_once_and_nothing_is_left(spec: str, name: str) -> None:
    """LARP:path spreads to children whose map is empty: those packets end in a processor, and are acknowledged."""
    engine, plans = loaded(spec, "chip", 0.05, CHIP, name)
    done = engine.result()
    assert done.finished and not done.deadlock and done.fallbacks > 0
    assert done.receipts.tolist() == [len(plan.receivers) for plan in plans]
    assert (done.acknowledged > done.last_arrival).all()


def test_copies_that_nobody_wants_are_dropped_and_acknowledged() -> None:
    """LARP:path spreads to children whose map may be empty: those copies end in a processor, which is no receiver."""
    net = build("rdt:16")
    plan = bit_map_plan(chip_rules(net), scheme("LARP:path"), 2, [20])
    assert (plan.local == DROPS).sum() == 6
    done = send_messages(net, 2, forest(net, [plan]), messages_of([(0, 0, 13, COMBINED)]), CHIP)
    assert done.finished and done.receipts.tolist() == [len(plan.receivers)]
    assert done.ack_link_flits == 3 * (len(plan.router) - 1)


def test_each_receiver_has_each_message_once() -> None:
    net = build("prdt:4")
    sets = [(s, [s ^ 1, s ^ 6, s ^ 11]) for s in range(16)]
    trees, plans = plans_on("prdt:4", sets)
    rows = messages_of([(k, k % 16, 5, k % 3) for k in range(48)])
    slow = MulticastSimulation(net, 2, trees, rows, CHIP, MulticastConfig(combining_entries=1))
    slow.run(900)
    assert all(sorted(slow.received[m]) == sorted(plans[m % 16].receivers) for m in range(48))
    assert sorted(slow.acknowledged) == [m for m in range(48) if m % 3]
    assert not any(slow.left.values()) and not any(slow.entries_used)
    assert not any(lane.flits for router in slow.routers for lane in router.lanes)


def test_rows_for_more_branches_may_come_while_flits_are_on_their_way() -> None:
    """Trees of one branch, then wider ones in the middle of the run: as if there had been room from the start."""
    net = build("prdt:8")
    known = chip_rules(net)
    wide = [bit_map_plan(known, scheme("full"), 9, [1, 8, 10, 17])]
    narrow = [bit_map_plan(known, scheme("full"), source, [to]) for source, to in ((9, 25), (25, 9), (0, 27), (3, 9))]
    rows = [(0, k, 13, k % 2 * COMBINED) for k in range(4)] + [(12, 4, 13, COMBINED)]
    both, first = forest(net, narrow + wide), forest(net, narrow)
    given = MulticastEngine(net, 2, first, messages_of(rows[:4]), CHIP)
    given.go(11)
    before = given.shape.most_branches
    given.add(both, messages_of(rows[4:]))
    known_before = MulticastEngine(net, 2, both, messages_of(rows), CHIP)
    assert given.shape.most_branches == known_before.shape.most_branches > before
    for engine in (given, known_before):
        while engine.cycle < 1000 and engine.go(1):
            engine.check()
    assert given.result().finished
    one, other = given.result(), known_before.result()
    assert one.last_arrival.tolist() == other.last_arrival.tolist()
    assert one.acknowledged.tolist() == other.acknowledged.tolist()


RING = ((0, 36), (22, 50), (36, 0), (50, 22))
"""Each router of one southward ring of rank 1 on prdt:8, and the one two hops on: its child SS."""


@pytest.mark.parametrize(("rules", "stuck"), [("chip", False), ("chip:change=none", True)])
def test_without_the_change_southward_the_ring_deadlocks(rules: str, stuck: bool) -> None:
    """Four packets two hops south on one ring of four: each holds a channel and waits for the next."""
    net = build("prdt:8")
    trees, plans = plans_on("prdt:8", [(source, [to]) for source, to in RING], rules)
    assert all(net.link_class[p.router[p.parent[1:]], p.port[1:]].tolist() == [6, 6] for p in plans[:4])
    rows = messages_of([(0, k, 16, NO_ACK) for k in range(4)])
    done = send_messages(net, 2, trees, rows, CHIP)
    assert (done.finished, done.deadlock) == (not stuck, stuck)
    proof = prove_multicast(chip_rules(net, rules))
    assert proof.deadlock_free != stuck
    ring = [(hop.router, hop.port, hop.vc) for hop in proof.cycle or ()]
    assert (done.ring or []) in [ring[k:] + ring[:k] for k in range(max(1, len(ring)))]
    slow = MulticastSimulation(net, 2, trees, rows, CHIP, MulticastConfig())
    slow.run(200)
    assert len(slow.last_arrival) == (0 if stuck else 4)
    assert max(row[0] for row in slow.events) < 100
    if stuck:
        held = {(row[6], row[7]) for row in slow.events if row[1] == 1}
        assert held == {(r, p * 2 + v) for r, p, v in ring}


def test_buffers_smaller_than_packets_deadlock_between_siblings() -> None:
    """Where the buffers take a packet whole the same messages all arrive."""
    small, _ = loaded("prdt:4", "chip", 0.05, config_from({"buffer_flits": 4, "vcs": 2}))
    assert small.result().deadlock and not small.result().finished
    whole, _ = loaded(
        "prdt:4", "chip", 0.05, config_from({"buffer_flits": 16, "vcs": 2, "flow_control": "cut_through"})
    )
    assert whole.result().finished


def test_settings_that_do_not_fit_are_one_line() -> None:
    trees, _ = plans_on("prdt:4", [(0, [1])])
    rows = messages_of([(0, 0, 1, NO_ACK)])
    for config, ack, vcs, message in (
        (
            config_from({"reply_flits": 3}),
            MulticastConfig(),
            2,
            "reply_flits 3 found, none expected with multicasts",
        ),
        (CHIP, MulticastConfig(), 0, "0 virtual channels found, 1 expected"),
    ):
        with pytest.raises(JumpnetError, match=message):
            send_messages(build("prdt:4"), vcs, trees, rows, config, ack)
    with pytest.raises(JumpnetError, match="a terminal at each router expected"):
        send_messages(build("fattree:2,n=2"), 2, trees, messages_of([(0, 0, 1, COMBINED)]), CHIP)
