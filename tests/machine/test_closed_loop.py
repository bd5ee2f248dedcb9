"""The network in the loop: the steps between both sides do not show, zero-load times by hand, bad input in one line."""

from __future__ import annotations

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timing import Costs
from jumpnet.machine.timing_streams import streams_of
from jumpnet.machine.trace import Trace, block_of
from jumpnet.machine.workload import workload
from jumpnet.sim.config import preset
from jumpnet.topology import build


@pytest.fixture(scope="module")
def streams():
    return streams_of(workload("water:processors=16,molecules=16,steps=1").trace(), clusters_of=2)


@pytest.mark.parametrize("protocol", ["invalidate", "update"])
@pytest.mark.parametrize("quantum", [1, 4])
def test_the_quantum_does_not_show(streams, protocol, quantum) -> None:
    # One cycle at a time is the twin: neither side ever runs ahead of the other.
    runs = [closed_loop(streams, "rdt:8", protocol=protocol, clusters_of=2, quantum=q) for q in (None, quantum)]
    assert runs[0] == runs[1]


def test_stalls_add_up_and_the_network_takes_time(streams) -> None:
    found = closed_loop(streams, "torus:4x2", clusters_of=2)
    t = found.timing
    assert t.busy + t.read_stall + t.write_stall + t.sync_stall + t.idle == pytest.approx(t.cycles)
    assert t.cycles > found.direct_cycles and 0.0 < found.network_share < 1.0
    assert t.message_latency_mean >= found.network_latency_mean > 0.0
    slower = closed_loop(streams, "torus:4x2", clusters_of=2, config=preset("jump1", link_cycles=20))
    assert slower.timing.cycles > t.cycles and slower.direct_cycles == found.direct_cycles


def test_one_miss_alone_takes_the_zero_load_latency() -> None:
    rows = [(0, 0, 4, False, 0), *((p, 1 << 20, 4, True, 4) for p in (0, 1)), (1, 0, 4, False, 0)]
    block = block_of(*zip(*rows, strict=True))
    trace = Trace("made", 2, lambda: iter([block]))
    costs, config = Costs(), preset("jump1")
    found = closed_loop(streams_of(trace), "torus:2x1", costs=costs)
    messages = sum(config.zero_load_cycles(2, flits) for flits in (costs.flits(0), costs.flits(32)))
    barrier = 1 + costs.occupancy_cycles + 1 + costs.sync_cycles
    assert build("torus:2x1").routers == 2
    assert found.timing.cycles == barrier + 1 + 3 * costs.occupancy_cycles + messages
    assert found.hops_mean == 2.0


def test_too_small_a_network_is_refused(streams) -> None:
    with pytest.raises(JumpnetError, match="8 nodes found, at most the 4 terminals of torus:2x2 expected"):
        closed_loop(streams, "torus:2x2", clusters_of=2)
