"""Bubble flow control on rings, argued by hand: who may enter, who goes on, and what happens without it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jumpnet.analysis.hint import others
from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import jit
from jumpnet.routings import (
    DESTINATION,
    ENTERS,
    KIND,
    NEXT_STATE,
    NORMAL,
    PORT,
    SOURCE,
    STATE,
    VC,
    Routing,
    routings,
)  # fmt: skip
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.faults.simulate import simulate_with_faults
from jumpnet.sim.measure.checks import check
from jumpnet.sim.measure.deadlock import find_deadlock
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.sim.memory.shape import Branching
from jumpnet.sim.outside import Outside
from jumpnet.sim.resolve.bubble import refusal
from jumpnet.topology import build
from jumpnet.traffic import PacketList

BUBBLE = {"flow_control": "cut_through", "packet_flits": "2", "buffer_flits": 4}
TURN = 12
"""Cycles in which every front packet of a ring can move once: 4 a hop, 1 more for the tail, and some to spare."""


def trace_of(packets: list[tuple[int, int, int, int]]) -> PacketList:
    """A list of packets (cycle, source, destination, flits)."""
    return PacketList(*(np.array(column) for column in zip(*packets, strict=True)))


def crowd(count: int) -> list[tuple[int, int, int, int]]:
    """Each router of a ring of four sends so many packets of 2 flits two hops up, all at once."""
    return [(0, r, (r + 2) % 4, 2) for r in range(4) for _ in range(count)]


def ring(routing: str | Routing, packets: list[tuple[int, int, int, int]], **settings: Any) -> Engine:
    """The engine of a ring of four routers with buffers of two packets of 2 flits."""
    config = config_from({**BUBBLE, "events": True, **settings})
    return Engine(build("torus:4"), routing, config, trace_of(packets))


def grants_up(engine: Engine) -> list[tuple[int, bool]]:
    """Of each packet that got a channel up, in order: packets in the ring before, and whether it came from a terminal.

    A packet counts in the ring until it gets the channel to its terminal.
    """
    events, inside, found = engine.events(), set(), []
    for source, number, out_vc in events[events[:, 1] == at.EVENT_VC][:, [2, 3, 7]].tolist():
        packet = (source, number)
        if out_vc == 0:
            found.append((len(inside), packet not in inside))
            inside.add(packet)
        else:
            inside.discard(packet)
    return found


ROUNDS = 24
"""Hops, six rounds of a ring of four, that a packet makes at least."""


def going_round(marked: bool) -> Routing:
    """Always up, ROUNDS times at least; only packets of router 3 are marked as entering, or none are."""

    def relation(net, here, head, out):
        """STATE counts the hops."""
        enters = marked and head[STATE] == 0 and head[SOURCE] == 3
        out[0, PORT], out[0, VC], out[0, NEXT_STATE], out[0, KIND] = 0, 0, head[STATE] + 1, ENTERS if enters else NORMAL
        return 0 if here == head[DESTINATION] and head[STATE] >= ROUNDS else 1

    return Routing(name="test.going_round", relation=relation, bubble=marked)


SEVEN_AND_TWO = [(0, r, r, 2) for r in (0, 0, 1, 1, 2, 2)] + [(0, 3, 3, 2)] * 3
"""Two packets from each of the routers 0, 1 and 2, and three from router 3."""


def test_an_idle_ring_costs_nothing() -> None:
    """Alone in the ring a packet takes 3 + 4R + L(R - 1) cycles and one for its second flit, as without bubbles."""
    engine = ring("torus.bubble", [(0, 0, 2, 2)])
    engine.advance(60)
    arrived = [int(row[0]) for row in engine.events() if row[1] == at.EVENT_ARRIVE]
    assert arrived == [3 + 12 + 2, 3 + 12 + 2 + 1]


def test_an_entry_leaves_room_for_one_packet_more() -> None:
    """Buffers of two: of two packets to the next router's terminal that follow at once, the second enters when the
    first has left; with buffers of three packets it does not wait for that."""
    waits = {}
    for buffer in (4, 6):
        engine = ring("torus.bubble", [(0, 0, 1, 2), (0, 0, 1, 2)], buffer_flits=buffer)
        engine.advance(80)
        events = engine.events()
        grants = events[(events[:, 1] == at.EVENT_VC) & (events[:, 6] == 0) & (events[:, 7] == 0)]
        waits[buffer] = int(grants[1, 0] - grants[0, 0])
    assert waits[6] < waits[4]
    engine = ring("torus.dimension_order", [(0, 0, 1, 2), (0, 0, 1, 2)], vcs=1)
    engine.advance(80)
    events = engine.events()
    grants = events[(events[:, 1] == at.EVENT_VC) & (events[:, 6] == 0) & (events[:, 7] == 0)]
    assert int(grants[1, 0] - grants[0, 0]) == waits[6]


def test_one_free_place_lets_nobody_in_but_the_ring_moves() -> None:
    """Six packets fill three of four buffers of two, one more enters the fourth: there is room for one, never for two.

    So the other two of router 3 wait while the seven move a hop at a time through the free place, and enter when
    packets have left; all nine arrive.
    """
    engine = ring(going_round(marked=True), SEVEN_AND_TWO)
    while engine.state.counter[COUNTER.packets] or engine.cycle == 0:
        engine.advance(10)
        check(engine)
        assert find_deadlock(engine) is None
    grants = grants_up(engine)
    assert grants[:7] == [(k, True) for k in range(7)]
    assert grants.count((7, False)) >= 7 * (ROUNDS - 1 - 4)  # none has left while each has up to a round to go
    assert (7, True) not in grants and sum(entered for _, entered in grants) == 9
    assert engine.state.counter[COUNTER.ejected] == 18


def test_the_last_place_taken_stops_the_ring() -> None:
    """The same nine packets, none of them marked: the eighth enters, and nothing ever moves again."""
    engine = ring(going_round(marked=False), SEVEN_AND_TWO)
    engine.advance(400)
    assert (7, True) in grants_up(engine)
    assert sorted(find_deadlock(engine) or []) == [(r, 0, 0) for r in range(4)]
    moved = int(engine.state.counter[COUNTER.moved])
    engine.advance(400)
    assert engine.state.counter[COUNTER.moved] == moved < 400


def test_a_ring_where_all_go_on_moves() -> None:
    """Each router sends 30 packets two hops up at once: some packet moves in every turn, and all arrive."""
    engine = ring("torus.bubble", crowd(30))
    while engine.state.counter[COUNTER.packets] or engine.cycle == 0:
        engine.advance(TURN)
        check(engine)
        assert engine.state.counter[COUNTER.moved] >= engine.cycle - TURN
    assert engine.state.counter[COUNTER.ejected] == 4 * 30 * 2


def test_dimension_order_on_one_channel_stands_there() -> None:
    """The same packets by `torus.dimension_order`: let in wherever one fits, they close the ring."""
    engine = ring("torus.dimension_order", crowd(30), vcs=1)
    engine.advance(600)
    assert sorted(find_deadlock(engine) or []) == [(r, 0, 0) for r in range(4)]
    assert grants_up(engine)[-1] == (7, True)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"flow_control": "wormhole"}, "flow_control wormhole found, cut_through expected by torus.bubble"),
        ({"buffer_flits": 3}, "buffer_flits 3 found, at least 4 (two packets) expected by torus.bubble"),
        ({"reply_flits": 3}, "buffer_flits 4 found, at least 6 (two packets) expected by torus.bubble"),
        ({"packet_flits": "1..2"}, "packets of 1 to 2 flits found, one length expected by torus.bubble"),
        ({"more_classes": [{"packet_flits": "1"}]}, "packets of 1 to 2 flits found, one length expected by "
                                                    "torus.bubble"),
        ({"vc_reuse": "empty"}, "vc_reuse empty found, tail expected by torus.bubble"),
    ],
)  # fmt: skip
def test_other_settings_are_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(JumpnetError, match=f"^{says.replace('(', '.').replace(')', '.')}$"):
        Engine(build("torus:4"), "torus.bubble", config_from({**BUBBLE, **settings}))


def test_packets_of_other_lengths_are_refused() -> None:
    with pytest.raises(JumpnetError, match=r"^packets of 1 to 2 flits found, one length expected by torus.bubble$"):
        ring("torus.bubble", [(0, 0, 2, 2), (0, 1, 2, 1)])
    network = Outside(build("torus:4"), "torus.bubble", config_from(BUBBLE))
    one = np.ones(1, np.int64)
    network.post(one, 0 * one, 2 * one, 3 * one, 2 * one)
    with pytest.raises(JumpnetError, match=r"packets of other than 2 flits found"):
        network.post(one, 0 * one, 2 * one, 3 * one, one)


def test_branches_and_faults_are_refused() -> None:
    config = config_from(BUBBLE)
    with pytest.raises(JumpnetError, match=r"multicasts found, packets to one destination expected by torus.bubble"):
        Engine(build("torus:4"), "torus.bubble", config, branching=Branching(2, 0, None))
    with pytest.raises(JumpnetError, match=r"^reroute torus.bubble found, a routing without bubble flow control"):
        simulate_with_faults("torus:4x4", ["cycle=40,link=0-1"], "up_down", reroute="torus.bubble", **BUBBLE, vcs=1)
    words = {**BUBBLE, "warmup_cycles": 100, "measure_cycles": 400, "load": 0.1}
    assert simulate_with_faults("torus:4x4", ["cycle=140,link=0-1"], "torus.bubble", reroute="up_down", **words).drained


def test_hints_name_it_only_where_it_can_run() -> None:
    def named(more: dict[str, Any]) -> set[str]:
        config = config_from(more)
        return {bound.name for bound in others(build("torus:8x8"), lambda one: refusal(one, config) is None)}

    worm, whole = named({}), named(BUBBLE)
    assert whole - worm == {"torus.bubble", "torus.bubble_adaptive"} and worm < whole


@pytest.mark.parametrize(
    ("spec", "load"), [("torus:8x8", 0.3), ("torus:8x8", 0.9), ("torus:4x4x4", 0.45), ("torus:4x4x4", 0.9)]
)
def test_a_torus_at_and_beyond_saturation_goes_on(spec: str, load: float) -> None:
    """20,000 cycles: with bubbles no deadlock, and the last thousand bring as much as any; without them one comes."""
    config = config_from({**BUBBLE, "load": load, "vcs": 1})
    engine = Engine(build(spec), "torus.bubble", config)
    left = [int(engine.state.counter[COUNTER.ejected])]
    for _ in range(20):
        engine.advance(1000)
        check(engine)
        assert find_deadlock(engine) is None
        left.append(int(engine.state.counter[COUNTER.ejected]))
    assert left[-1] - left[-2] > 0.9 * (left[3] - left[2])
    other = Engine(build(spec), "torus.dimension_order", config)
    other.advance(20_000)
    assert find_deadlock(other) is not None
    assert other.cycle - other.state.counter[COUNTER.moved] > 1000


def without_bubbles(routing: Routing) -> Routing:
    """The same ways, but nothing is marked as entering a ring."""
    go = jit(routing.relation)

    def relation(net, here, head, out):
        count = go(net, here, head, out)
        for i in range(count):
            out[i, KIND] &= ~ENTERS
        return count

    return Routing(name="test.unmarked", relation=relation, vcs=2, adaptive=True)


@pytest.mark.parametrize("seed", [1, 2])
def test_rings_as_escapes_never_fill_up_and_without_bubbles_they_do(seed: int) -> None:
    """Far more than a ring of eight carries: with bubbles packets go on arriving, without them all buffers fill up."""
    settings = {**BUBBLE, "load": 1.0, "seed": seed, "vcs": 2, "vc_reuse": "tail"}
    shipped = routings()["torus.bubble_adaptive"]
    engines = [Engine(build("torus:8"), each, config_from(settings)) for each in (shipped, without_bubbles(shipped))]
    for engine in engines:
        engine.advance(10_000)
    assert find_deadlock(engines[0]) is None and not engines[0].still
    assert find_deadlock(engines[1]) is not None and engines[1].still
