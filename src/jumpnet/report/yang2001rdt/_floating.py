"""The floating vector routing of the RDT paper as its four steps say, followed by hand (section III.B).

A second, plain form of `rdt.floating:moves=near,ties=zero`, with the sign of step 3 as an option. A step on an upper
rank leaves a node's class alone, so classes and rank-0 vectors are all that matters. Used by `floating_algorithm` and
`vector_routing`.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from jumpnet.report.yang2001rdt._vector import conversion, offsets
from jumpnet.topology.rdt import ALPHA, class_of

__all__ = ["Followed", "Update", "follow_all", "rank_0_range"]

Update = Literal["subtract", "add"]
"""Step 3's new rank-0 vector: the base move taken off it, or added as printed."""

MOVES = ((1, 0), (-1, 0), (0, 1), (0, -1))
MOST_MOVES = 16
"""Base moves between ranks after which a packet is given up: no route needs more than two for each rank."""


class Followed(NamedTuple):
    """All packets of an RDT(2,4,1)/alpha, one source for each class."""

    packets: int
    arrived: int
    hops: int
    """Hops of all packets together, whether they arrive or not."""
    low: int
    """Least and greatest component of the rank-0 vector on the way."""
    high: int


def _ranks(R: int) -> list[int]:
    """The rank of each class, 0 where the network has no such rank."""
    return [r if r <= R else 0 for r in map(int, ALPHA.split("."))]


@cache
def _one(
    kind: int, pending: frozenset[int], v: tuple[int, int], R: int, update: Update
) -> tuple[int, int, int, int, int]:
    """(x, y, hops, least, greatest) of the base moves of one packet until it has used all ranks and its vector."""
    ranks, (x, y) = _ranks(R), (kind % 4, kind // 4)
    moved, low, high = [0, 0], min(v), max(v)
    left, hops = set(pending), 0
    for _ in range(MOST_MOVES):
        here = ranks[int(class_of(np.array(x), np.array(y), 2))]
        left.discard(here)  # step 1: every step of the ranks that this node has
        if not left:
            break
        near: list[tuple[int, int, tuple[int, int]]] = []
        for dx, dy in MOVES:  # step 2: in alpha a neighbor has a pending rank
            there = ranks[int(class_of(np.array(x + dx), np.array(y + dy), 2))]
            if there in left:
                near.append((abs(dx - v[0]) + abs(dy - v[1]), -len(near), (dx, dy)))
        if not near:
            break
        dx, dy = min(near, key=lambda found: (found[0], -found[1]))[2]
        sign = -1 if update == "subtract" else 1  # step 3
        v = v[0] + sign * dx, v[1] + sign * dy
        x, y, moved, hops = x + dx, y + dy, [moved[0] + dx, moved[1] + dy], hops + 1
        low, high = min(low, *v), max(high, *v)
    return moved[0] + v[0], moved[1] + v[1], hops + abs(v[0]) + abs(v[1]), low, high  # step 4


def follow_all(side: int, R: int, update: Update) -> Followed:
    """Every packet from a source of each class to every other place, floating as the paper says.

    >>> follow_all(16, 2, "subtract").arrived == 8 * 255
    True
    """
    parts = conversion(*offsets(side), 2, R)
    used, upper = np.zeros_like(parts[0][0]), np.zeros_like(parts[0][0])
    for r, (i, j) in enumerate(parts[1:], 1):
        used |= ((i != 0) | (j != 0)).astype(np.int64) << r
        upper += np.abs(i) + np.abs(j)
    every = np.stack([parts[0][0], parts[0][1], used, upper]).reshape(4, -1)
    kinds, counts = np.unique(every, axis=1, return_counts=True)
    arrived, hops, low, high, packets = 0, 0, 0, 0, 0
    for (vx, vy, mask, steps), count in zip(kinds.T.tolist(), counts.tolist(), strict=True):
        pending = frozenset(r for r in range(1, R + 1) if mask >> r & 1)
        for kind in range(8):
            if not pending and (vx, vy) == (0, 0):
                continue  # the source itself
            to_x, to_y, base, least, most = _one(kind, pending, (vx, vy), R, update)
            packets += count
            arrived += count * ((to_x, to_y) == (vx, vy))
            hops += count * (base + steps)
            low, high = min(low, least), max(high, most)
    return Followed(packets, arrived, hops, low, high)


def rank_0_range(side: int) -> tuple[int, int]:
    """Least and greatest component of the rank-0 vector of any packet on its way, floating.

    >>> rank_0_range(128)
    (-4, 4)
    """
    found = follow_all(side, {32: 3, 64: 3, 128: 4, 256: 4}.get(side, 2), "subtract")
    return found.low, found.high
