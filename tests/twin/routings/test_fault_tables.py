"""Rank-0 entries of `rdt.fault_tolerant`, filled for all goals at once where they can be, against a search of each."""

from __future__ import annotations

import numpy as np
import pytest
from tests.naive.local_tables import naive_hops

from jumpnet.fault.degraded import degraded
from jumpnet.routings import bind
from jumpnet.routings._rdt.vectors import OWN_RADIUS
from jumpnet.topology import build


@pytest.mark.parametrize("spec", ["rdt:4", "rdt:8", "prdt:16", "prdt:30,n=3,R=1"])
@pytest.mark.parametrize(("routers", "links"), [(0, 0), (1, 0), (0, 1), (2, 20)])
def test_hops_over_the_base_are_those_of_a_search_from_each_goal(spec: str, routers: int, links: int) -> None:
    net, draw = build(spec), np.random.default_rng(5)
    ends = np.argwhere(net.neighbor >= 0)
    broken = degraded(net, draw.permutation(net.routers)[:routers].tolist(), draw.permutation(ends)[:links].tolist())
    view = bind("rdt.fault_tolerant", broken).view
    radius, first = int(view.own[OWN_RADIUS]), 4 * int(net.params[2])
    side = 2 * radius + 1
    window = view.table[:, first : first + side * side].reshape(-1, side, side)
    found = {
        (router, x - radius, y - radius): int(window[router, y, x])
        for router, y, x in np.argwhere(window >= 0).tolist()
    }
    assert found == naive_hops(broken, radius)
