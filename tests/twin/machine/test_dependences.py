"""Packets that wait for each other are sent and arrive when the naive twin says, and rings are refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.naive import dependences as naive

from jumpnet.errors import JumpnetError
from jumpnet.machine.dependences import Dependent, replay
from jumpnet.sim.config import preset
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.outside import Outside
from jumpnet.topology import build

NET = build("torus:4x4")
CONFIG = preset("booksim", vcs=2)
ROUTING = "torus.dateline"
NODE = st.integers(0, 15)
PACKETS = st.lists(st.tuples(st.integers(0, 40), NODE, NODE, st.integers(1, 9)), min_size=1, max_size=25)
EDGES = st.sets(st.tuples(st.integers(0, 24), st.integers(0, 24)), max_size=30)


def _dependent(packets, edges):
    columns = [np.array(c, np.int64) for c in zip(*packets, strict=True)]
    edges = sorted(edges)
    first = np.searchsorted([a for a, _ in edges], np.arange(len(packets) + 1))
    return Dependent(*columns, first, np.array([b for _, b in edges], np.int64), 0)


@settings(max_examples=40)
@given(PACKETS, EDGES, st.sampled_from([0, 1, 13]))
def test_equals_the_naive_twin(packets, edges, gap) -> None:
    edges = {(a, b) for a, b in edges if a < b < len(packets)}
    found = replay(_dependent(packets, edges), NET, ROUTING, CONFIG, gap_cycles=gap)
    expected = naive.replay(packets, edges, Outside(NET, ROUTING, CONFIG), gap)
    assert (found.sent.tolist(), found.arrived.tolist()) == expected


def test_a_slow_network_delays_what_depends_on_it() -> None:
    """A chain of requests and answers takes all latencies one after another; recorded cycles hide it."""
    chain = [(10 * k, *((0, 15), (15, 0))[k % 2], 1) for k in range(8)]
    packets = _dependent(chain, {(k, k + 1) for k in range(7)})
    slow = CONFIG.replace(link_cycles=20)
    held, free = (replay(packets, NET, ROUTING, slow, honoured=honoured) for honoured in (True, False))
    one = int(held.arrived[0])
    assert held.sent.tolist() == [k * one for k in range(8)] and held.cycles == 8 * one
    assert free.sent.tolist() == packets.cycle.tolist() and free.cycles == 70 + one
    assert held.latency_mean == free.latency_mean == one and free.delay_mean == 0.0
    assert held.delay_mean == sum(k * (one - 10) for k in range(8)) / 8
    assert replay(packets, NET, ROUTING, slow, gap_cycles=5).cycles == 8 * one + 7 * 5


def test_rings_and_small_networks_are_refused() -> None:
    ring = _dependent([(0, 0, 1, 1), (0, 1, 2, 1), (0, 2, 3, 1)], {(1, 2), (2, 1)})
    with pytest.raises(
        JumpnetError,
        match=r"2 packets wait for each other in a ring: (1 -> 2|2 -> 1); with all that wait .* 2 are never sent",
    ):
        replay(ring, NET, ROUTING, CONFIG)
    with pytest.raises(JumpnetError, match="0 to 3 expected: torus:2x2 has 4 terminals"):
        replay(_dependent([(0, 0, 15, 1)], ()), "torus:2x2")
    with pytest.raises(JumpnetError, match="a gap of -1 cycles"):
        replay(ring, NET, gap_cycles=-1)


@pytest.mark.parametrize(("cycle", "gap"), [(0, 500_000_000), (500_000_000, 0)])
def test_cycles_in_which_a_network_is_empty_are_left_out(monkeypatch, cycle, gap) -> None:
    simulated, advance = [0], Engine.advance
    monkeypatch.setattr(Engine, "advance", lambda engine, n: simulated.append(n) or advance(engine, n))
    found = replay(_dependent([(0, 0, 3, 4), (cycle, 3, 0, 4)], {(0, 1)}), NET, ROUTING, CONFIG, gap_cycles=gap)
    alone = int(found.arrived[0])
    assert found.sent.tolist() == [0, max(cycle, alone + gap)] and found.arrived[1] == found.sent[1] + alone
    assert sum(simulated) < 50_000


@pytest.mark.parametrize(
    ("cycle", "gap", "says"),
    [(2**39, 0, "packet 1: cycle 549755813888 found"), (0, 2**39, "a gap of 549755813888 cycles found")],
)
def test_more_cycles_than_a_network_has_are_refused_beforehand(monkeypatch, cycle, gap, says) -> None:
    monkeypatch.setattr(Outside, "advance", None)
    with pytest.raises(JumpnetError, match=f"{says}, below 1056964608 expected: no network is simulated for longer"):
        replay(_dependent([(0, 0, 3, 4), (cycle, 3, 0, 4)], {(0, 1)}), NET, ROUTING, CONFIG, gap_cycles=gap)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"cycle": [0, 5]}, r"source of shape \(3,\) found, \(2,\) expected"),
        ({"cycle": [0, 5, 2**62]}, "cycle.2. is 4611686018427387904, 0 to 549755813888 expected"),
        ({"flits": [2, 2, 0]}, "flits.2. is 0, 1 to 1000000 expected"),
        ({"first": [0, 1, 2]}, r"first of shape \(3,\) found, \(4,\) expected"),
        ({"first": [0, 2, 1, 2]}, "first does not rise from 0 to the 2 that wait"),
        ({"waiting": [1, 3]}, "waiting.1. is 3, 0 to 2 expected"),
        ({"waiting": None}, "waiting is an array of object, whole numbers expected"),
    ],
)
def test_packets_that_are_none_are_refused_where_they_are_made(wrong, says) -> None:
    columns = {"cycle": [0, 5, 9], "source": [0, 1, 2], "destination": [1, 2, 3], "flits": [2, 2, 2]}
    with pytest.raises(JumpnetError, match=f"^packets: {says}"):
        Dependent(**{**columns, "first": [0, 1, 2, 2], "waiting": [1, 2], "unknown": 0, **wrong})
