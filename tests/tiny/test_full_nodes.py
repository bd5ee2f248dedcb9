"""Nodes with room for few messages, argued by hand: what a full one holds up, and a standstill with its ring."""

from __future__ import annotations

import numpy as np
import pytest
from tests.naive.turns import run_in_turns

from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed import machine
from jumpnet.machine.timed.design import Costs
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace, block_of
from jumpnet.sim.config import preset
from jumpnet.sim.outside import Outside
from jumpnet.topology import build

CONFIG = preset("booksim", vcs=1, deadlock_cycles=100)
BARRIER = 1 << 20


def arrivals(room: int, freed: dict[int, int]) -> list[list[int]]:
    """Number and arrival of three packets of four flits from node 0 to node 1 beside it.

    freed: how many places node 1 gives up in a cycle.
    """
    network, three = Outside(build("mesh:2x1"), "mesh.dimension_order", CONFIG), np.arange(3)
    network.limit(room)
    network.post(three, 0 * three, 0 * three + 1, 0 * three, 0 * three + 4)
    for cycle in range(200):
        places = np.zeros((2, 1), np.int64)
        places[1] = freed.get(cycle, 0)
        network.free(places)
        network.go_to(cycle + 1)
    number, _, arrived = network.take()
    return [number.tolist(), arrived.tolist()]


def test_a_full_node_takes_a_packet_when_it_has_given_a_place_up() -> None:
    """Alone a packet takes 3 + 2 x 4 + 1 + 3 = 15 cycles to its tail. The next one is four flits behind, and two cycles
    more for its head, which is routed and asks for the output when the tail before it has left: 21 and 27.

    With one place the second waits at node 1's router until a place is free in cycle 50: its head gets the output in
    that cycle, bids for the switch in the next, and is there three cycles later (switch, crossbar, link), its tail
    three after that: 57. The third waits until cycle 90. Two places hold up the third alone, unless one is free in
    time.
    """
    assert arrivals(3, {}) == [[0, 1, 2], [15, 21, 27]]
    assert arrivals(1, {50: 1, 90: 1}) == [[0, 1, 2], [15, 57, 97]]
    assert arrivals(2, {50: 1}) == [[0, 1, 2], [15, 21, 57]]
    assert arrivals(2, {12: 1}) == [[0, 1, 2], [15, 21, 27]]
    with pytest.raises(JumpnetError, match="room for 0 packets found, 1 or more expected"):
        arrivals(0, {})


def _two_writers(alone: int = 1) -> object:
    """Node 1 has a line, and reads it so often; after a barrier nodes 0 and 2 beside it write the line."""
    rows = [*alone * [(1, 0, 4, False, 0)], *((p, BARRIER, 4, True, 4) for p in range(3))]
    block = block_of(*zip(*rows, (0, 0, 4, True, 0), (2, 0, 4, True, 0), strict=True))
    return streams_of(Trace("made", 3, lambda: iter([block])))


WHOLE = {"synchronisation": "free", "directory": "line", "config": CONFIG}


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"endpoint_room": 2},
        {"endpoint_room": 1, "networks": "2", "endpoints": "queued"},
        {"endpoint_room": 1, "networks": "3", "endpoints": "reserved"},
        {"endpoint_room": 1, "networks": "least"},
        {
            "endpoint_room": 1,
            "networks": "GetS GetM PutM / Inv Fetch FetchInv / InvAck OwnerData Data DataM PutAck / Done",
        },
    ],
)
def test_the_second_of_two_writers_is_served_when_the_first_is_done(how) -> None:
    """Both ask in the same cycle, so that one request waits at its home until the other's Done is handled.

    The first: a processor's request is handled by its own node, crosses one link, is handled (and the copy of node 1 is
    taken away there); the line crosses, is handled; Done crosses, is handled. Then the new owner is told, and its
    acknowledge brings the line, which crosses for the second.
    """
    costs = Costs()
    word, line = (CONFIG.zero_load_cycles(2, costs.flits(size)) for size in (0, 32))
    barrier = 1 + costs.occupancy_cycles + 1 + costs.sync_cycles  # node 1 reads at once, from its own memory
    first, second = 1 + 10 + word + 10 + line + 10 + word + 10, word + 10 + line + 10 + line + 10
    assert closed_loop(_two_writers(), "mesh:3x1", **WHOLE, **how).timing.cycles == barrier + first + second


@pytest.mark.parametrize("endpoints", ["held", "reserved", "queued"])
def test_done_does_not_reach_a_home_that_is_full_of_requests(endpoints) -> None:
    """In one network the second request has the only place when the Done comes, for which it waits.

    The Done's head leaves the first writer's router four cycles after it was sent, and the last of its four flits three
    cycles later: no flit moves after that.
    """
    costs = Costs()
    word, line = (CONFIG.zero_load_cycles(2, costs.flits(size)) for size in (0, 32))
    done = 1 + costs.occupancy_cycles + 1 + costs.sync_cycles + 1 + 10 + word + 10 + line + 10
    with pytest.raises(JumpnetError) as told:
        closed_loop(_two_writers(), "mesh:3x1", **WHOLE, endpoint_room=1, endpoints=endpoints)
    node, channel = "node 1 full of network 0", r"router 1 input \d channel 0"
    ring = f"({node} -> {channel}|{channel} -> {node}) -> the first"
    assert told.match(
        rf"^mesh:3x1: no flit has moved since cycle {done + 4 + 3}, deadlock of nodes and network: {ring}$"
    )


@pytest.mark.parametrize("kernels", [True, False])
def test_a_network_that_was_empty_for_long_does_not_stand_still(kernels, monkeypatch) -> None:
    """No flit moves for more than `deadlock_cycles` while node 1 reads alone, nor while a slow home keeps node 1 full.

    Then the first packet comes, and moves a cycle later; and the second writer's request enters when a place is free.
    """
    if not kernels:
        monkeypatch.setattr(machine, "run_cosimulated", run_in_turns)
    quiet = 20 * CONFIG.deadlock_cycles
    room = {"endpoint_room": 1, "networks": "least"}
    cycles = [closed_loop(_two_writers(n), "mesh:3x1", **WHOLE, **room).timing.cycles for n in (1, 1 + quiet)]
    assert cycles[1] == cycles[0] + quiet
    slow = {**WHOLE, "costs": Costs(handlers={"write request": quiet, "tell": quiet})}
    tight, loose = (closed_loop(_two_writers(), "mesh:3x1", **slow, **how).timing.cycles for how in (room, {}))
    assert tight >= loose > 3 * quiet


def _patience_that_is_enough(link_cycles: int) -> int:
    """The least `deadlock_cycles` with which a machine on such links does not seem to stand still."""
    for patience in range(link_cycles // 3, link_cycles):
        slow = preset("booksim", vcs=1, link_cycles=link_cycles, deadlock_cycles=patience)
        how = {**WHOLE, "config": slow, "endpoint_room": 1, "networks": "least"}
        try:
            closed_loop(_two_writers(), "mesh:3x1", **how)
        except JumpnetError as stands:
            assert "deadlock of nodes and network" in str(stands)
        else:
            return patience
    raise AssertionError("a machine that never ends")


def test_kernels_take_a_machine_to_stand_still_in_the_cycle_in_which_the_twin_does(monkeypatch) -> None:
    """Nothing moves while a packet is on a link: for so long as to be seen, and then for as long again."""
    links = 40, 41  # in one of both the packet comes in the very cycle before that
    found = [_patience_that_is_enough(cycles) for cycles in links]
    monkeypatch.setattr(machine, "run_cosimulated", run_in_turns)
    assert found == [_patience_that_is_enough(cycles) for cycles in links] and min(found) > links[1] // 3


def test_a_message_that_waits_to_be_sent_is_no_standstill() -> None:
    """At a barrier node 0 tells both others to go on, the second long after the first, which has ended by then."""
    barrier = [(p, BARRIER, 4, True, 4) for p in range(3)]
    made = streams_of(Trace("made", 3, lambda: iter([block_of(*zip((0, 0, 4, False, 0), *barrier, strict=True))])))
    how = {"directory": "line", "config": CONFIG, "endpoint_room": 1, "networks": "least"}
    quiet = 10 * CONFIG.deadlock_cycles
    long, longer = (
        closed_loop(made, "mesh:3x1", **how, costs=Costs(spacing_cycles=n)).timing for n in (quiet, 2 * quiet)
    )
    assert longer.cycles == long.cycles + quiet and long.messages["release"] == 2
