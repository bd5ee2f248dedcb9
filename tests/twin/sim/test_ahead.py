"""Looking ahead lists the lanes that are due or have a head or tail to send, and changes nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.jit.decorator import DISABLED
from jumpnet.routings import default_routing
from jumpnet.sim.config import preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.prefetch import MANY_ROUTERS, look_ahead
from jumpnet.sim.memory.record import kernel, memory_at
from jumpnet.sim.sets.prefetch import look_ahead_sets
from jumpnet.topology import build

WORD = 32


@kernel
def _look(address, w, t):
    """`look_ahead` as a kernel of the simulator calls it."""
    look_ahead(memory_at(address), w, t)
    return 0


@kernel
def _look_sets(address, block, t, end):
    """`look_ahead_sets` as a kernel of the simulator calls it."""
    look_ahead_sets(memory_at(address), block, t, end)
    return 0


def _unchanged(engine: Engine, before: dict[str, Any], *scratch: str) -> None:
    """Fail when an array differs from what it was, but for those of scratch."""
    for name, array in engine.state._asdict().items():
        if name not in scratch:
            np.testing.assert_array_equal(array, before[name], err_msg=name)


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
            router, lane = listed >> at.LANE_SHIFT, listed & at.LANE_NUMBER
            expected = np.nonzero(due[WORD * v : WORD * v + WORD])
            np.testing.assert_array_equal(router - WORD * v, expected[0])
            np.testing.assert_array_equal(lane, expected[1])
    _unchanged(engine, before, "ahead")
    assert due.sum() > 100


def test_lists_of_sets_are_those_of_heads_and_tails() -> None:
    """1056 routers are half a block more than 16; sets stand as the last cycle has left them."""
    net = build("torus:33x32")
    engine = Engine(net, "torus.dateline", preset("booksim", load=0.05, vcs=2), threads=1, sets=True)
    engine.advance(30 if DISABLED else 400)
    s, p, t = engine.shape, engine.memory.packing, engine.cycle
    before = {name: array.copy() for name, array in engine.state._asdict().items()}
    rows = before["sets"][: p.winners].reshape(-1, p.set_rows, 16)
    members = (rows[..., None] >> np.arange(s.lanes) & 1).astype(bool)
    left = sum(members[:, p.left + k].astype(int) << k for k in range(p.left_bits))
    came = members[:, p.came + t % p.ring]
    looks = members[:, p.looks + t % p.ring] | members[:, p.looks + (t + 1) % p.ring]
    ends = members[:, at.S_FRESH] | (left == 1) | (left == 2)
    soon = looks | came & members[:, at.S_IDLE] | ends & (came | members[:, at.S_THERE])
    expected = np.argwhere(soon.reshape(-1, s.lanes))
    blocks = -(-net.routers // 64)
    for block in range(blocks):
        _look_sets(engine.memory.address, block, t, t + 2)
        for coming in range(block, min(block + 3, blocks)):
            row = engine.state.ahead[coming % 3]
            listed = row[: int(row[-1]) - coming % 3 * row.size]
            found = np.stack([listed >> at.LANE_SHIFT, listed & at.LANE_NUMBER], axis=1)
            np.testing.assert_array_equal(found, expected[expected[:, 0] // 64 == coming])
    assert len(expected) > 100 and left.max() > 2
    before["sets"][p.winners :] = engine.state.sets[p.winners :]
    _unchanged(engine, before, "ahead")


def test_a_large_run_keeps_sets_where_routers_are_busy() -> None:
    """It asks soon after the network has filled."""
    engine = Engine(build("torus:33x32"), "torus.dateline", preset("booksim", load=0.1, vcs=2), threads=1)
    assert not engine._as_sets()
    reached, _ = engine._run(1000)
    assert reached == 32
    engine.cycle = reached
    assert engine._as_sets()
    reached, _ = engine._run(1000)
    assert reached == 1000
