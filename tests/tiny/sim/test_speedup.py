"""Steps within a cycle and held connections, argued by hand on a ring; what does not go together is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.faults.simulate import simulate_with_faults
from jumpnet.sim.memory import layout as at
from jumpnet.topology import build
from jumpnet.traffic import PacketList


def replay(packets: list[tuple[int, int, int, int]], **settings: Any) -> np.ndarray:
    """Events of packets (cycle, source, destination, flits) alone in a ring of eight routers."""
    config = config_from({"events": True, "vcs": 2, **settings})
    trace = PacketList(*(np.array(a) for a in zip(*packets, strict=True)))
    engine = Engine(build("torus:8"), "torus.dimension_order", config, trace)
    engine.advance(300)
    return engine.events()


def arrivals(events: np.ndarray) -> list[int]:
    """Cycles in which flits reach a terminal."""
    return [int(row[0]) for row in events[events[:, 1] == at.EVENT_ARRIVE]]


@pytest.mark.parametrize(("speedup", "cycles_a_hop"), [(1.0, 5), (2.0, 3), (3.0, 3), (4.0, 2)])
def test_stages_of_one_cycle_are_one_step(speedup: float, cycles_a_hop: int) -> None:
    """A flit that comes in cycle c is routed in step c S, crosses the switch in step c S + 3, leaves in that step's
    cycle, and can be read two cycles after it: 5, 3, 3 and 2 cycles later. The first router sees it in cycle 2."""
    for hops, flits in ((0, 1), (1, 5), (2, 16)):
        got = arrivals(replay([(0, 0, hops, flits)], internal_speedup=speedup))
        assert got == [2 + (hops + 1) * cycles_a_hop + k for k in range(flits)]


@pytest.mark.parametrize(("speedup", "cycles"), [(1.0, {3}), (1.5, {2}), (3.0, {1})])
def test_one_virtual_channel_passes_a_head_every_three_steps(speedup: float, cycles: set[int]) -> None:
    got = arrivals(replay([(0, 0, 2, 1)] * 30, vcs=1, internal_speedup=speedup))
    assert set(np.diff(got[8:]).tolist()) == cycles


@pytest.mark.parametrize("hold", [False, True])
def test_a_held_connection_sends_what_waits_in_a_row(hold: bool) -> None:
    """Packets from routers 0 and 1 meet at the link from 1 to 2. In turn they change with every flit. Flits come one a
    cycle, and the first waits for route and output VC, so that there is always a next one: who holds sends all 16."""
    events = replay([(0, 0, 2, 16), (0, 1, 2, 16)], hold_switch=hold, buffer_flits=16)
    link = events[(events[:, 1] == at.EVENT_SWITCH) & (events[:, 6] == 1) & (events[:, 7] < 2)]
    assert len(link) == 32
    if hold:
        assert np.count_nonzero(np.diff(link[:, 2])) == 1
    else:
        both = link[(link[:, 0] >= 10) & (link[:, 0] < 16)]
        assert np.count_nonzero(np.diff(both[:, 2])) == len(both) - 1


def test_an_output_buffer_of_one_flit_passes_one_a_cycle() -> None:
    """A flit that comes out of the switch in a cycle takes no room from the one that asks then, and then is gone."""
    events = replay([(0, 0, 2, 16)], output_speedup=2, output_buffer_flits=1, buffer_flits=16)
    assert arrivals(events) == list(range(17, 33))


@pytest.mark.parametrize("room", [1, 2, 5])
def test_an_output_buffer_takes_so_many_flits_and_no_more(room: int) -> None:
    """Packets from routers 0 and 1 meet at the link from 1 to 2, each with an output of the switch to itself.

    So two flits win at once; one that wins in cycle t is out of the switch after t + 1, and one leaves a cycle. When a
    flit wins, of those that are out at most `room` - 1 are still there, and so many once at least.
    """
    packets = [(0, 0, 2, 16), (0, 1, 2, 16)]
    events = replay(packets, output_speedup=2, output_buffer_flits=room, buffer_flits=16)
    won = events[(events[:, 1] == at.EVENT_SWITCH) & (events[:, 6] == 1) & (events[:, 7] < 2), 0].tolist()
    leaves = [won[0] + 1]
    for cycle in won[1:]:
        leaves.append(max(cycle + 1, leaves[-1] + 1))
    there = [sum(w + 1 < t <= leave for w, leave in zip(won, leaves, strict=True)) for t in won]
    assert len(won) == 32 and max(there) == room - 1


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(JumpnetError, match="speculation with speed-ups or hold_switch"):
        config_from({"input_speedup": 2, "speculation": True})
    with pytest.raises(JumpnetError, match=r"internal_speedup 0\.5 found, 1\.0 to 8\.0 expected"):
        config_from({"internal_speedup": 0.5})
    with pytest.raises(JumpnetError, match="hold_switch True found, none expected with faults"):
        simulate_with_faults("torus:4x4", ["cycle=40,link=0-1"], "up_down", hold_switch=True)
    with pytest.raises(JumpnetError, match=r"internal_speedup 2\.0 found, 1 expected by the formula"):
        config_from({"internal_speedup": 2}).zero_load_cycles(3, 1)
