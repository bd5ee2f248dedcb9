"""Sets of nodes that were told before are looked up by their words: the same as when each is made anew."""

from __future__ import annotations

from typing import Any

import pytest

from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed import machine
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace, block_of
from jumpnet.machine.workload import workload

MACHINES: dict[str, dict[str, Any]] = {
    "trees": {"multicast": "SM", "acknowledges": "combined"},
    "routers": {"multicast": "SM", "branches": "routers", "migrates": 2},
    "maps": {"encoding_name": "SM", "protocol": "update"},
    "pointers": {"encoding_name": "limited_broadcast", "directory": "line"},
    "list": {"encoding_name": "chained", "directory": "line"},
}


@pytest.mark.parametrize("name", MACHINES)
def test_sets_looked_up_are_those_made_anew(name, monkeypatch) -> None:
    streams = streams_of(workload("water:processors=16,molecules=16,steps=1").trace())
    found = closed_loop(streams, "rdt:4", **MACHINES[name])
    monkeypatch.setattr(machine, "MOST_SEEN", 0)
    assert found == closed_loop(streams, "rdt:4", **MACHINES[name])


def test_a_list_of_the_same_nodes_in_another_order_is_another_way() -> None:
    """On a line 0 -> 2 -> 1 -> 15 -> 0 is two hops longer than 0 -> 1 -> 2 -> 15 -> 0."""

    def stall(*orders: tuple[int, ...]) -> float:
        barrier = [(p, 1 << 20, 4, True, 4) for p in range(16)]
        rows = [(0, 0, 4, False, 0), *barrier]
        for order in orders:
            rows += [row for p in order for row in ((p, 0, 4, False, 0), *barrier)] + [(0, 0, 4, True, 0), *barrier]
        trace = Trace("made", 16, lambda: iter([block_of(*zip(*rows, strict=True))]))
        design = {"encoding_name": "chained", "directory": "line", "synchronisation": "free"}
        return closed_loop(streams_of(trace), "mesh:16x1", **design).timing.write_stall * 16

    near, far = (15, 2, 1), (15, 1, 2)
    assert stall(near) < stall(far)
    assert stall(near, far) == stall(near) + stall(far)
