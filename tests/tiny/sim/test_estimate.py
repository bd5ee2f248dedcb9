"""What a run is said to take before it begins is what its arrays take."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jumpnet.routings import bind
from jumpnet.sim.config import config_from
from jumpnet.sim.memory.allocate import SMALL, allocate, estimate_bytes
from jumpnet.sim.memory.state import ARRAYS, SHAPES
from jumpnet.topology import build
from jumpnet.traffic import PacketList

CASES: list[dict[str, Any]] = [
    {"packet_flits": "1"},
    {"packet_flits": "1..9", "vcs": 8},
    {"buffer_policy": "dynamic", "port_buffer_flits": 16, "priority": "hop_count", "reply_flits": 3},
    {"internal_speedup": 2.0, "hold_switch": True, "arbiter": "matrix", "source_queue_packets": 3},
    {"allocator": "pim", "vc_allocator": "max_size", "injection_ports": 2, "link_cycles": 3},
]


@pytest.mark.parametrize("settings", CASES)
def test_an_estimate_is_the_bytes_of_the_arrays(settings: dict[str, Any]) -> None:
    net, config = build("torus:5x4"), config_from({"vcs": 2, **settings})
    bound = bind("torus.dateline", net, config.vcs)
    _, state = allocate(net, bound, config)
    assert estimate_bytes(net, bound, config) == sum(array.nbytes for array in state) + SMALL


def test_arrays_have_the_type_that_is_declared() -> None:
    net, config = build("torus:4x4"), config_from({"vcs": 8, "packet_flits": "2"})
    trace = PacketList(*(np.array(column) for column in ([3, 1], [0, 5], [1, 2], [2, 2])))
    shape, state = allocate(net, bind("torus.dateline", net, 8), config, trace, event_rows=7)
    assert tuple(SHAPES) == state._fields
    for name, array in state._asdict().items():
        assert array.dtype == (ARRAYS[name] or np.int64), name  # sets of forty lanes have 64 bits
    assert state.event.shape[0] == 7 and state.trace.tolist() == [[3, 1, 2], [1, 2, 2]]
    assert state.trace_first.tolist() == [0, 1, 1, 1, 1, 1, *[2] * (shape.terminals - 5)]
