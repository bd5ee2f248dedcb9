"""A deadlock that the simulator shows is a cycle of the dependency graph that `prove` looks at, on many networks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.routings import bind
from jumpnet.sim.config import config_from, preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.deadlock import find_deadlock
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import LANE_ROW, OUT_VC_ROW
from jumpnet.topology import build

FULL: dict[str, Any] = {"load": 1.0, "packet_flits": "16", "buffer_flits": 2}

DEADLOCKS = [
    ("torus:8", "torus.dimension_order", 1, {}),
    ("torus:5x5", "torus.dimension_order", 1, {}),
    ("torus:5x5x5", "torus.dimension_order", 1, {}),
    ("torus:5x5", "torus.dimension_order", 1, {"flow_control": "cut_through", "buffer_flits": 16}),
    ("torus:8x8", "torus.dimension_order", 1, {"vc_reuse": "empty", "buffer_flits": 4}),
    ("torus:6x6", "torus.dimension_order", 1, {"reply_flits": 5}),
    ("rdt:8", "rdt.floating", 1, {}),
    ("rdt:16", "rdt.floating", 1, {"buffer_flits": 8}),
    ("rdt:32", "rdt.deadlock_free:moves=x", 3, {"load": 0.3, "buffer_flits": 8}),
    ("random:40,d=3,seed=1", "minimal", 1, {}),
    ("random:60,d=3,seed=2", "minimal", 2, {"packet_flits": "8"}),
    ("kautz:2,n=4", "minimal", 1, {}),
    ("debruijn:2,n=5", "minimal", 1, {}),
]
"""Network, routing, channels, settings: all fall into deadlock."""


def _run_into_deadlock(spec: str, routing: str, vcs: int, changes: dict[str, Any], most: int = 8000) -> Any:
    net = build(spec)
    bound = bind(routing, net, vcs)
    engine = Engine(net, bound, config_from({**FULL, "vcs": vcs, **changes}))
    while engine.cycle < most:
        engine.advance(100)
        ring = find_deadlock(engine)
        if ring is not None:
            return bound, ring
    return bound, None


@pytest.mark.parametrize(("spec", "routing", "vcs", "changes"), DEADLOCKS)
def test_the_ring_is_a_cycle_of_dependencies(spec: str, routing: str, vcs: int, changes: dict[str, Any]) -> None:
    bound, ring = _run_into_deadlock(spec, routing, vcs, changes)
    assert ring is not None
    net = bound.network
    graph = dependencies(bound)
    first, ahead = graph.rows
    channels = [(r * net.ports + p) * vcs + v % vcs for r, p, v in ring]
    assert len(set(ring)) == len(ring) and len({v // vcs for _, _, v in ring}) == 1  # one message class
    for here, there in zip(channels, channels[1:] + channels[:1], strict=True):
        assert there in ahead[first[here] : first[here + 1]]
    if net.routers < 200:
        assert prove(bound).verdict != "free"


@settings(max_examples=20)
@given(
    which=st.sampled_from(DEADLOCKS[:6]),
    buffer=st.integers(1, 6),
    seed=st.integers(0, 99),
    delay=st.sampled_from([0, 20]),
)
def test_what_is_found_never_moves_again(
    which: tuple[str, str, int, dict[str, Any]], buffer: int, seed: int, delay: int
) -> None:
    """Looked for at every cycle: the first ring found is one for good, not a wait that a credit on its way ends."""
    spec, routing, vcs, changes = which
    net = build(spec)
    size = buffer if "flow_control" not in changes else 16
    config = config_from(
        {**FULL, "vcs": vcs, **changes, "buffer_flits": size, "seed": seed, "credit_delay_cycles": delay}
    )
    engine = Engine(net, bind(routing, net, vcs), config)
    ring = None
    while ring is None and engine.cycle < 1000:
        engine.advance(1)
        ring = find_deadlock(engine)
    if ring is not None:
        s, lane = engine.shape, engine.state.lane.reshape(-1, engine.shape.lane_stride)
        rows = [(r * s.outputs + p) * s.vcs + v for r, p, v in ring]
        fed = engine.state.out_vc.reshape(-1, at.OUT_VC_FIELDS)[rows, OUT_VC_ROW.to] // s.lane_stride
        front = lane[fed, LANE_ROW.read].copy()
        for _ in range(100):
            engine.advance(7)
            assert (lane[fed, LANE_ROW.read] == front).all()


FREE = [
    ("torus:5x5", "torus.dateline", 2),
    ("torus:4x4", "torus.duato", 3),
    ("rdt:8", "rdt.deadlock_free", 3),
    ("rdt:8", "rdt.duato", 4),
    ("random:20,d=3,seed=1", "up_down", 1),
]


@settings(max_examples=12)
@given(which=st.sampled_from(FREE), buffer=st.integers(1, 8), flits=st.integers(1, 20), seed=st.integers(0, 99))
def test_where_prove_says_free_none_is_found(which: tuple[str, str, int], buffer: int, flits: int, seed: int) -> None:
    """At every cycle of a network under more than it can take; a wait that a credit on its way ends is no deadlock."""
    spec, routing, vcs = which
    net = build(spec)
    engine = Engine(
        net, bind(routing, net, vcs),
        config_from({**FULL, "vcs": vcs, "buffer_flits": buffer, "packet_flits": flits, "seed": seed}),
    )  # fmt: skip
    engine.advance(100)
    for _ in range(150):
        engine.advance(1)
        assert find_deadlock(engine) is None


def test_the_turn_model_counts_the_wraps_of_rank_3() -> None:
    """Both axes of rank 3 move base x one way; with base y's wraps counted, four of its channels wait in a ring."""
    net = build("rdt:64")
    engine = Engine(net, bind("rdt.turn_model", net, 4), preset("yang2001", load=0.25, vcs=4), threads=1)
    engine.advance(3000)
    assert find_deadlock(engine) is None


@pytest.mark.parametrize(("spec", "routing", "vcs"), [("mesh:8x8", "mesh.duato", 2), ("torus:8x8", "torus.duato", 3)])
def test_escape_channels_need_buffers_of_one_packet(spec: str, routing: str, vcs: int) -> None:
    """Duato's condition supposes them; reused after the tail, channels close a ring, and `auto` is free of it."""
    net = build(spec)
    for reuse in ("tail", "auto"):
        settings = {"load": 0.8, "packet_flits": "16", "vcs": vcs, "vc_reuse": reuse}
        engine = Engine(net, bind(routing, net, vcs), preset("yang2001", **settings))
        found = None
        while found is None and engine.cycle < 6000:
            engine.advance(500)
            found = find_deadlock(engine)
        assert (found is not None) == (reuse == "tail")
