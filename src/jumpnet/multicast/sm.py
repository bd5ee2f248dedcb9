"""SM, the single map scheme: one map a rank, read by every node of the rank.

Source: kudoh1995rhbd section 3.1. The map of a rank is the union of the destinations' digits there, so the receivers
are all combinations of them. Best for few destinations.
"""

from __future__ import annotations

from collections.abc import Sequence

from jumpnet.multicast._scheme import Digits, Maps, Scheme, popcount

__all__ = ["sm"]


def _maps(digits: Sequence[Digits]) -> Maps:
    ranks = len(digits[0])
    return {(r, ()): sum(1 << c for c in {d[r] for d in digits}) for r in range(ranks)}


def _rule(bit_map: int, local: bool, starts: bool, every: int) -> int:
    return bit_map


def _count(digits, k, top, stride, fanout):
    low = (1 << stride) - 1
    receivers = 1
    for r in range(top + 1):
        mask = 0
        for i in range(k):
            mask |= 1 << ((digits[i] >> (stride * r)) & low)
        receivers *= popcount(mask)
    return receivers


sm = Scheme(
    "SM",
    _maps,
    _rule,
    _count,
    lambda ranks, fanout: ranks * fanout,
    source="kudoh1995rhbd section 3.1",
    summary="one map a rank, read everywhere",
)
