"""A run shared out to threads leaves the arrays as one thread leaves them, whatever the ranges and the barriers."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np
import pytest
from tests.twin.sim.slots_left import slots_left

from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED
from jumpnet.routings import DESTINATION, KIND, NEXT_STATE, NORMAL, PORT, SOURCE, VC, Routing
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.engine.team import GREATEST, SUMS, threads_for
from jumpnet.sim.measure.checks import check
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.topology import build
from jumpnet.traffic import PacketList

CASES: list[tuple[str, str, int, dict[str, Any]]] = [
    ("torus:12x12", "torus.dateline", 2, {"load": 0.6, "packet_flits": "1"}),
    ("torus:8x8", "torus.booksim", 2, {"load": 0.25, "packet_flits": "16"}),
    ("torus:8x8", "torus.duato", 3, {"load": 0.9, "packet_flits": "5", "selection": "credits"}),
    ("mesh:6x6x6", "mesh.dimension_order", 2, {"load": 0.4, "packet_flits": "1..6", "reply_flits": 3}),
]
PACKED: list[tuple[str, str, int, dict[str, Any]]] = [
    *CASES[:2],
    ("torus:14x14", "torus.dateline", 2, {"load": 0.3, "packet_flits": "1*0.5+6*0.5", "link_cycles": 3}),
    ("rdt:16", "rdt.deadlock_free", 3, {"load": 0.4, "packet_flits": "5", "routing_delay_cycles": 2}),
    ("torus:8x8", "torus.booksim", 2, {"load": 0.3, "packet_flits": "2", "routing_delay_cycles": 2,
                                       "stage_batches": True}),
    ("torus:10x10", "torus.ugal", 4, {"load": 0.9, "packet_flits": "2", "routing_delay_cycles": 0}),
    ("dragonfly:3", "dragonfly.par", 4, {"load": 0.5, "packet_flits": "3", "selection": "credits"}),
    ("torus:10x10", "torus.dateline", 8, {"load": 0.9, "packet_flits": "2", "vc_allocation_delay_cycles": 3}),
    ("random:150,d=5,seed=3", "up_down", 4, {"load": 0.5, "packet_flits": "16", "buffer_flits": 3}),
]  # fmt: skip
"""Runs whose routers can be kept as sets."""

SAME = ("out_vc", "free", "turn", "process_memory", "injector_write", "injector_class", "histogram", "batches",
        "by_source")  # fmt: skip
"""Arrays that name no rows of the packet table, which differ."""


def _engine(
    case: tuple[str, str, int, dict[str, Any]],
    threads: int | None,
    sets: bool | None = None,
    trace: PacketList | None = None,
) -> Engine:
    spec, routing, vcs, settings = case
    return Engine(build(spec), routing, config_from({**settings, "vcs": vcs}), trace, threads=threads, sets=sets)


@pytest.mark.skipif(DISABLED, reason="plain Python has one thread")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0] + case[1])
@pytest.mark.parametrize("threads", [2, 3])
def test_any_number_of_threads_leaves_the_same(case: tuple[str, str, int, dict[str, Any]], threads: int) -> None:
    one, many = _engine(case, 1), _engine(case, threads, sets=False)
    assert_same_left(one, many, threads)


@pytest.mark.skipif(DISABLED, reason="plain Python has one thread")
@pytest.mark.parametrize("case", PACKED, ids=lambda case: case[0] + case[1])
@pytest.mark.parametrize("threads", [2, 5])
def test_threads_on_sets_leave_the_same_as_one_on_rows(
    case: tuple[str, str, int, dict[str, Any]], threads: int
) -> None:
    one, many = _engine(case, 1, sets=False), _engine(case, threads, sets=True)
    assert many.team is not None and many.team.packs
    assert_same_left(one, many, threads)


@pytest.mark.skipif(DISABLED, reason="plain Python has one thread")
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_replay_a_trace_as_one_does(threads: int) -> None:
    """Random packets in no order of terminals, some in a burst."""
    rng = np.random.default_rng(4)
    count = 6000
    created = np.sort(np.where(rng.random(count) < 0.3, 5, rng.integers(0, 900, count)))
    source, to = rng.integers(0, 144, (2, count))
    trace = PacketList(created, source, np.where(to == source, (to + 1) % 144, to), rng.integers(1, 7, count))
    one, many = (_engine(CASES[0], k, trace=trace) for k in (1, threads))
    assert_same_left(one, many, threads)


def _lost(net: Any, here: Any, head: Any, out: Any) -> int:
    """Up in x, then in y, of a torus of 12x12, and nowhere at router 71 on the way from 70 to 80."""
    if here == 71 and head[SOURCE] == 70 and head[DESTINATION] == 80:
        return -1
    out[0, PORT] = 0 if here % 12 != head[DESTINATION] % 12 else 2
    out[0, VC], out[0, NEXT_STATE], out[0, KIND] = 0, 0, NORMAL
    return 0 if here == head[DESTINATION] else 1


def _round_and_round(net: Any, here: Any, head: Any, out: Any) -> int:
    """The same, and in x for ever."""
    strays = head[SOURCE] == 70 and head[DESTINATION] == 80
    out[0, PORT] = 0 if strays or here % 12 != head[DESTINATION] % 12 else 2
    out[0, VC], out[0, NEXT_STATE], out[0, KIND] = 0, 0, NORMAL
    return 0 if here == head[DESTINATION] and not strays else 1


def _off_the_edge(net: Any, here: Any, head: Any, out: Any) -> int:
    """The same, and by a port that is not there."""
    out[0, PORT] = 0 if here % 12 != head[DESTINATION] % 12 else 2
    if head[SOURCE] == 70 and head[DESTINATION] == 80:
        out[0, PORT] = 7
    out[0, VC], out[0, NEXT_STATE], out[0, KIND] = 0, 0, NORMAL
    return 0 if here == head[DESTINATION] else 1


@pytest.mark.skipif(DISABLED, reason="plain Python has one thread")
@pytest.mark.parametrize(
    ("relation", "words"), [(_lost, "has no route"), (_round_and_round, "livelock"), (_off_the_edge, "not there")]
)
def test_threads_say_the_error_that_one_says(relation: Any, words: str) -> None:
    """A routing that is wrong for the packets of one pair, which meet it among the last thread's routers."""
    lines, config = set(), config_from({"packet_flits": "1", "vcs": 2, "load": 0.03})
    bound = Routing(name="test.bad", relation=relation).bind(build("torus:12x12"), 2)
    for threads, sets in ((1, False), (1, True), (2, True), (3, False)):
        engine = Engine(bound.network, bound, config, threads=threads, sets=sets)
        assert engine.memory.packs and (threads == 1 or (engine.team is not None and engine.team.packs))
        with pytest.raises(JumpnetError, match=words) as caught:
            engine.advance(30_000)
        lines.add(str(caught.value))
    assert len(lines) == 1 and "from 70 to 80" in lines.pop()


def assert_same_left(one: Engine, many: Engine, threads: int) -> None:
    """Run both in pieces, and fail where they differ."""
    assert many.team is not None
    assert many.team.threads == min(threads, one.shape.routers // 32)
    for cycles in (60, 1, 1, *[7] * 100, 240):  # runs that end inside a window, too
        one.advance(cycles)
        many.advance(cycles)
        check(many)
        for counted in (SUMS, GREATEST):
            np.testing.assert_array_equal(one.state.counter[counted], many.state.counter[counted])
    assert one.state.counter[COUNTER.ejected] > 10_000 and one.state.counter[COUNTER.max_latency] > 0
    for name in SAME:
        np.testing.assert_array_equal(getattr(one.state, name), getattr(many.state, name), err_msg=name)
    np.testing.assert_array_equal(slots_left(one), slots_left(many))


def test_the_default_knows_the_size_and_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    small = _engine(CASES[1], None)
    assert small.team is None
    monkeypatch.setenv("JUMPNET_THREADS", "2")
    assert threads_for(small.shape, small.state) == (1 if DISABLED else 2)
    assert threads_for(small.shape, small.state, 1) == 1
    assert threads_for(small.shape._replace(events=1), small.state) == 1
    monkeypatch.setenv("JUMPNET_THREADS", "none")
    with pytest.raises(JumpnetError, match="JUMPNET_THREADS='none' found, a positive number of threads expected"):
        threads_for(small.shape, small.state)
    monkeypatch.delenv("JUMPNET_THREADS")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(3), raising=False)
    most = 1 if DISABLED or sys.platform == "win32" else 3
    assert [threads_for(small.shape._replace(routers=n), small.state) for n in (2047, 2048, 9999)] == [
        1,
        min(2, most),
        most,
    ]
