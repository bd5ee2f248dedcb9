"""Looking ahead lists the lanes that are due, and changes nothing else."""

from __future__ import annotations

import numpy as np

from jumpnet._jit import DISABLED
from jumpnet.routing import default_routing
from jumpnet.sim import _layout as at
from jumpnet.sim._ahead import MANY_ROUTERS, look_ahead
from jumpnet.sim._memory import kernel, memory_at
from jumpnet.sim.config import preset
from jumpnet.sim.engine import Engine
from jumpnet.topology import build

WORD = 32


@kernel
def _look(address, w, t):
    """`look_ahead` as a kernel of the simulator calls it."""
    look_ahead(memory_at(address), w, t)
    return 0


def test_lists_are_those_of_due_lanes_and_nothing_else_changes() -> None:
    net = build("rdt:32")
    assert net.routers >= MANY_ROUTERS
    engine = Engine(net, default_routing(net), preset("booksim", load=0.1), threads=1)
    engine.advance(60 if DISABLED else 400)
    s, words = engine.shape, net.routers // WORD
    before = {name: array.copy() for name, array in engine.state._asdict().items()}
    due = before["due"].reshape(s.routers, s.cells)[:, : s.lanes] <= engine.cycle + 1
    for w in range(words):
        _look(engine.memory.address, w, engine.cycle + 1)
        for v in range(w, min(w + 3, words)):
            lists = engine.state.ahead.reshape(3, -1)
            row = lists[v % 3]
            listed = row[: int(row[-1]) - v % 3 * row.size]
            router = WORD * v + (listed >> at.ROUTER_SHIFT & 31)
            lane = listed & at.LANE_NUMBER
            expected = np.nonzero(due[WORD * v : WORD * v + WORD])
            np.testing.assert_array_equal(router - WORD * v, expected[0])
            np.testing.assert_array_equal(lane, expected[1])
            np.testing.assert_array_equal(listed >> at.ROW_SHIFT, (router * s.lanes + lane) * s.lane_stride)
    for name, array in engine.state._asdict().items():
        if name != "ahead":
            np.testing.assert_array_equal(array, before[name], err_msg=name)
    assert due.sum() > 100
