"""Hierarchical routes on an SRT are no longer than the cheapest plan at their source, found by trying all plans."""

from __future__ import annotations

import pytest

from jumpnet.analysis.routes.paths import route
from jumpnet.routings import bind
from jumpnet.topology import build


def cheapest(levels: list[int], address: int, ahead: int) -> int:
    """Hops of the cheapest plan along a ring: base steps to a bypass, jumps there, base steps for the rest."""
    N = len(levels)
    best = min(ahead, N - ahead)
    for to_go in (ahead, ahead - N):
        for walk in range(-N // 2, N // 2 + 1):
            level = levels[(address + walk) % N]
            if level > 0:
                left = to_go - walk
                best = min(best, *(abs(walk) + abs(k) + abs(left - (k << level)) for k in range(-N, N + 1)))
    return best


@pytest.mark.parametrize("spec", ["srt1d:16", "srt1d:32", "srt1d:32,variant=ss", "srt1d:32,variant=ls"])
def test_hierarchical_routes_are_no_longer_than_the_cheapest_plan(spec: str) -> None:
    net = build(spec)
    bound, N = bind("srt.hierarchical", net), int(net.params[0])
    levels = net.params[3 : 3 + N].tolist()
    for source in range(N):
        for destination in range(N):
            plan = cheapest(levels, source, (destination - source) % N) if destination != source else 0
            assert len(route(bound, source, destination)) <= plan
