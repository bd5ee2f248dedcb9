"""LPRA, local precise remote approximate: maps only on the path to the source, broadcast in every other subtree.

Source: kudoh1995rhbd section 3.1. The map of a rank covers the destinations that have not left the source's path
above it. Best for a group of destinations far from the source.
"""

from __future__ import annotations

from collections.abc import Sequence

from jumpnet.multicast._scheme import Digits, Maps, Scheme, popcount

__all__ = ["lpra"]


def _maps(digits: Sequence[Digits]) -> Maps:
    maps: dict[tuple[int, Digits], int] = {}
    on_path = list(digits)
    for r in reversed(range(len(digits[0]))):
        maps[r, ()] = sum(1 << c for c in {d[r] for d in on_path})
        on_path = [d for d in on_path if d[r] == 0]
    return maps


def _rule(bit_map: int, local: bool, starts: bool, every: int) -> int:
    return bit_map if local else every


def _count(digits, k, top, stride, fanout):
    low = (1 << stride) - 1
    leaves = 1
    for _ in range(top):
        leaves *= fanout
    receivers = 0
    for r in range(top, -1, -1):
        mask = 0
        for i in range(k):
            if digits[i] >> (stride * (r + 1)) == 0:
                mask |= 1 << ((digits[i] >> (stride * r)) & low)
        receivers += popcount(mask & ~1) * leaves
        if mask & 1 == 0:
            return receivers
        leaves //= fanout
    return receivers + 1


lpra = Scheme(
    "LPRA",
    _maps,
    _rule,
    _count,
    lambda ranks, fanout: ranks * fanout,
    source="kudoh1995rhbd section 3.1",
    summary="maps on the source's path, broadcast elsewhere",
)
