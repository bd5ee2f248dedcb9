"""What broken routers and links leave of a network, beside plain searches of dictionaries."""

from __future__ import annotations

from collections import deque
from fractions import Fraction

import numpy as np
import pytest

from jumpnet.analysis.what_is_left import what_is_left
from jumpnet.networks import Network
from jumpnet.topology import build

SPECS = (
    "mesh:3x4",
    "torus:4x4",
    "fattree:2,n=3",
    "dragonfly:2",
    "debruijn:2,n=4,directed=true",
    "rdt:4",
    "tree:2,height=3",
)


def _linked(net: Network, routers: set[int], links: list[tuple[int, int]]) -> dict[int, set[int]]:
    cut = set(links)
    if not net.directed:
        cut |= {(int(net.neighbor[link]), int(net.far_port[link])) for link in links}
    works = [r for r in range(net.routers) if r not in routers]
    ports = range(net.ports)
    return {r: {int(net.neighbor[r, p]) for p in ports if (r, p) not in cut} & {*works} for r in works}


def _hops(linked: dict[int, set[int]], start: int) -> dict[int, int]:
    found, waiting = {start: 0}, deque([start])
    while waiting:
        here = waiting.popleft()
        for there in linked[here] - found.keys():
            found[there] = found[here] + 1
            waiting.append(there)
    return found


@pytest.mark.parametrize("spec", SPECS)
def test_figures_are_those_of_plain_searches(spec: str) -> None:
    net, draw = build(spec), np.random.default_rng(5)
    channels = np.argwhere(net.neighbor >= 0)
    for count in (0, 1, 3, 6):
        routers = {int(r) for r in draw.choice(net.routers, count, replace=False)}
        links = [(int(r), int(p)) for r, p in channels[draw.choice(len(channels), count, replace=False)]]
        linked = _linked(net, routers, links)
        hops = {r: _hops(linked, r) for r in linked}
        pieces = {frozenset(s for s in hops[r] if r in hops[s]) for r in linked}
        ends = {piece: sum(int(net.terminals[r] + net.sinks[r]) for r in piece) for piece in pieces}
        pairs = {(r, s): int(net.terminals[r]) * int(net.sinks[s]) for r in linked for s in linked if r != s}
        joined = {(r, s): many for (r, s), many in pairs.items() if s in hops[r] and many}
        found = what_is_left(net, routers, links)
        assert found.network == spec and found.working == len(linked) and found.pieces == len(pieces)
        assert found.largest_piece == max((ends[piece], len(piece)) for piece in pieces)[1]
        assert found.joined == Fraction(sum(joined.values()), sum(pairs.values()))
        assert found.diameter == max(hops[r][s] for r, s in joined)
        total = sum(hops[r][s] * many for (r, s), many in joined.items())
        assert found.average_distance == Fraction(total, sum(joined.values()))


def test_nothing_is_left() -> None:
    found = what_is_left(build("mesh:1x2"), [0, 1])
    assert (found.working, found.pieces, found.largest_piece, found.joined, found.diameter) == (0, 0, 0, None, None)
    assert repr(found) == "WhatIsLeft(mesh:1x2: routers 0, pieces 0, largest 0, no pair is joined)"
