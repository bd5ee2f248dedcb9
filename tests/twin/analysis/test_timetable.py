"""Timetables against their plain twin, and the checker against timetables that were spoiled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.naive import timetable as naive

from jumpnet.analysis.routes.timetable import check, timetable
from jumpnet.errors import JumpnetError
from jumpnet.topology import build


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(["rdt:8", "prdt:8", "torus:5", "hypercube:4", "debruijn:2,n=4,directed=true"]), st.data())
def test_kernel_and_twin_make_the_same_timetable(spec, data):
    net = build(spec)
    routers = st.integers(0, net.routers - 1)
    pairs = data.draw(st.lists(st.tuples(routers, routers), min_size=1, max_size=40))
    sources, targets = (np.array(side, np.int64) for side in zip(*pairs, strict=True))
    made = timetable(net, sources, targets)
    check(net, made, sources, targets)
    found = naive.reserve(net.neighbor.tolist(), sources.tolist(), targets.tolist())
    assert made.hops.tolist() == [list(hop) for hop in found]


def test_a_spoiled_timetable_is_refused():
    net = build("rdt:8")
    sources, targets = np.arange(64), np.arange(64) ^ 4
    made = timetable(net, sources, targets)
    check(net, made, sources, targets)
    twice = made._replace(hops=np.concatenate([made.hops, made.hops[:1]]))
    with pytest.raises(JumpnetError, match="two messages use in one step"):
        check(net, twice, sources, targets)
    with pytest.raises(JumpnetError, match="at other routers than theirs"):
        check(net, made._replace(hops=made.hops[1:]), sources, targets)
    moved = made.hops.copy()
    moved[0, 2] = (moved[0, 2] + 1) % 64
    with pytest.raises(JumpnetError, match="message"):
        check(net, made._replace(hops=moved), sources, targets)


def test_one_channel_carries_one_message_a_step():
    ring = build("torus:3")
    made = timetable(ring, np.zeros(4, np.int64), np.ones(4, np.int64))
    assert made.steps == 3  # two ways of one and two hops: three messages straight, or two and two
    with pytest.raises(JumpnetError, match="as many of both"):
        timetable(ring, np.zeros(2, np.int64), np.ones(1, np.int64))
    with pytest.raises(JumpnetError, match="once expected"):
        timetable(ring, np.zeros(2, np.int64), np.ones(2, np.int64), np.zeros(2, np.int64))
