"""Rings of multicasts that wait for each other: one that is found is for good, and none is found where none can be."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jumpnet.jit.decorator import DISABLED
from jumpnet.sim.config import config_from
from jumpnet.sim.measure.deadlock import find_deadlock
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import OUT_VC_ROW
from jumpnet.sim.multicast.engine import MulticastEngine
from jumpnet.sim.multicast.messages import DIRECT, NO_ACK, Messages
from jumpnet.sim.multicast.trees import Trees
from jumpnet.topology import build

SMALL: dict[str, Any] = {"buffer_flits": 3}
WHOLE: dict[str, Any] = {"buffer_flits": 8, "flow_control": "cut_through"}


def engine_of(spec: str, routing: str, vcs: int, seed: int, changes: dict[str, Any]) -> MulticastEngine:
    """Multicasts of 8 flits to four terminals, one after the other at every terminal."""
    net, draw = build(spec), random.Random(seed)
    trees = Trees(net, "paths", routing, vcs)
    plan, source = [], []
    for _ in range(4):
        for i in range(net.endpoints):
            to = draw.sample([k for k in range(net.endpoints) if k != i], 4)
            plan.append(trees.number(i, to, True))
            source.append(i)
    ack = np.array([draw.choice([NO_ACK, DIRECT]) for _ in plan])
    columns = np.zeros(len(plan), np.int64), np.array(plan), np.full(len(plan), 8), ack, np.array(source)
    return MulticastEngine(
        net, vcs, trees.forest(), Messages(*columns), config_from({"vcs": vcs, "packet_flits": "8", **changes})
    )


def counts(engine: MulticastEngine, ring: list[tuple[int, int, int]]) -> list[int]:
    """Flits that have gone through channels."""
    s, out_vc = engine.shape, engine.state.out_vc.reshape(-1, at.OUT_VC_FIELDS)
    return [int(out_vc[(r * s.outputs + p) * s.vcs + v, OUT_VC_ROW.sent]) for r, p, v in ring]


@pytest.mark.skipif(DISABLED, reason="thousands of cycles")
@settings(max_examples=8, deadline=None)
@given(
    which=st.sampled_from([("torus:4x4", "torus.dateline", 2), ("mesh:4x3", "mesh.dimension_order", 1)]),
    seed=st.integers(0, 99),
    buffer=st.integers(1, 5),
    delay=st.sampled_from([0, 20]),
)
def test_what_is_found_never_moves_again(which: tuple[str, str, int], seed: int, buffer: int, delay: int) -> None:
    """Buffers smaller than packets: looked for all the time, the first ring found is one for good."""
    engine = engine_of(*which, seed, {"buffer_flits": buffer, "credit_delay_cycles": delay})
    ring = None
    while ring is None and not engine.over:
        engine.advance(4)
        ring = find_deadlock(engine)
    if ring is not None:
        before = counts(engine, ring)
        assert len(set(ring)) == len(ring) > 1
        engine.advance(700)
        assert counts(engine, ring) == before and not engine.over
        assert engine.go(10_000) is False and engine.result().ring


@pytest.mark.skipif(DISABLED, reason="thousands of cycles")
def test_small_buffers_end_in_a_ring_and_whole_packets_do_not() -> None:
    """The same multicasts: a still network has a ring; with room for packets none is ever found."""
    which = ("torus:4x4", "torus.dateline", 2)
    small = engine_of(*which, 3, SMALL)
    assert not small.go(20_000) and small.result().deadlock and small.result().ring
    whole = engine_of(*which, 3, WHOLE)
    while not whole.over:
        whole.advance(7)
        assert find_deadlock(whole) is None
    assert whole.result().finished
