"""LARP, local approximate remote precise: broadcast to the subtree that holds the source, maps everywhere else.

Source: kudoh1995rhbd section 3.1: "the broadcast is started from children nodes whose parent starts the multicasting
... to the subtree which includes the source node". The router where the multicast starts uses its map; all leaves below
its child M receive, if the map names it; its other children use one map a rank, made from the destinations that are
not below M. Best for many local destinations. The other reading of the text is `LARP:path` (`larp_path.py`); why this
one is the default: docs/decisions/0030.
"""

from __future__ import annotations

from collections.abc import Sequence

from jumpnet.multicast._scheme import Digits, Maps, Scheme, popcount

__all__ = ["larp"]


def _maps(digits: Sequence[Digits]) -> Maps:
    top = len(digits[0]) - 1
    maps: dict[tuple[int, Digits], int] = {(top, ()): sum(1 << c for c in {d[top] for d in digits})}
    for r in range(top):
        maps[r, ()] = sum(1 << c for c in {d[r] for d in digits if d[top]})
    return maps


def _rule(bit_map: int, local: bool, starts: bool, every: int) -> int:
    return bit_map if starts or not local else every


def _count(digits, k, top, stride, fanout):
    low = (1 << stride) - 1
    near, far = 1, 1  # Leaves below the start's child M, and below each of its other children.
    for r in range(top):
        mask = 0
        for i in range(k):
            if digits[i] >> (stride * top) != 0:
                mask |= 1 << ((digits[i] >> (stride * r)) & low)
        near *= fanout
        far *= popcount(mask)
    mask = 0
    for i in range(k):
        mask |= 1 << ((digits[i] >> (stride * top)) & low)
    return (mask & 1) * near + popcount(mask & ~1) * far


larp = Scheme(
    "LARP",
    _maps,
    _rule,
    _count,
    lambda ranks, fanout: ranks * fanout,
    local="subtree",
    source="kudoh1995rhbd section 3.1",
    summary="broadcast in the source's subtree, maps elsewhere",
)
