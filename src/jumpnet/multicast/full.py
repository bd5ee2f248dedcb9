"""The full hierarchical bit-map: each node of the tree has a map of its own, so that only destinations receive.

Source: kudoh1995rhbd section 3, where its sum of n^k bits for a tree of height m is the reason for the reductions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jumpnet.multicast._scheme import Digits, Maps, Scheme

__all__ = ["full"]


def _maps(digits: Sequence[Digits]) -> Maps:
    maps: dict[tuple[int, Digits], int] = {}
    for d in digits:
        for r in reversed(range(len(d))):
            node = tuple(reversed(d[r + 1 :]))
            maps[r, node] = maps.get((r, node), 0) | 1 << d[r]
    return maps


def _rule(bit_map: int, local: bool, starts: bool, every: int) -> int:
    return bit_map


def _count(digits, k, top, stride, fanout):
    seen = np.zeros((1 << stride * (top + 1)) // 8 + 1, np.uint8)
    receivers = 0
    for i in range(k):
        place, bit = digits[i] >> 3, np.uint8(1 << (digits[i] & 7))
        receivers += (seen[place] & bit) == 0
        seen[place] |= bit
    return receivers


def _bits(ranks: int, fanout: int) -> int:
    return sum(fanout**k for k in range(1, ranks + 1))


full = Scheme(
    "full",
    _maps,
    _rule,
    _count,
    _bits,
    per_node=True,
    source="kudoh1995rhbd section 3",
    summary="a map for each node of the tree",
)
