"""LARP:path, the other reading of LARP: broadcast on the path to the source only, maps everywhere else.

Source: kudoh1995rhbd section 3.1: "broadcast is done at nodes which are the root of the subtree including the source
node". The router where the multicast starts uses its map. Below it, routers on the source's path send to all their
children, and routers off the path use the map of their rank, which covers the destinations that are off the path
there. It meets SM at 5 destinations where the paper prints about 10: docs/decisions/0030. The default is `larp.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from jumpnet.multicast._scheme import Digits, Maps, Scheme, popcount

__all__ = ["larp_path"]


def _maps(digits: Sequence[Digits]) -> Maps:
    top = len(digits[0]) - 1
    maps: dict[tuple[int, Digits], int] = {(top, ()): sum(1 << c for c in {d[top] for d in digits})}
    for r in range(top):
        maps[r, ()] = sum(1 << c for c in {d[r] for d in digits if any(d[r + 1 :])})
    return maps


def _rule(bit_map: int, local: bool, starts: bool, every: int) -> int:
    return bit_map if starts or not local else every


def _count(digits, k, top, stride, fanout):
    low = (1 << stride) - 1
    on_path, off_path = 1, 1  # Leaves below a node of the rank before.
    for r in range(top):
        mask = 0
        for i in range(k):
            if digits[i] >> (stride * (r + 1)) != 0:
                mask |= 1 << ((digits[i] >> (stride * r)) & low)
        on_path += (fanout - 1) * off_path
        off_path *= popcount(mask)
    mask = 0
    for i in range(k):
        mask |= 1 << ((digits[i] >> (stride * top)) & low)
    return (mask & 1) * on_path + popcount(mask & ~1) * off_path


larp_path = Scheme(
    "LARP:path",
    _maps,
    _rule,
    _count,
    lambda ranks, fanout: ranks * fanout,
    source="kudoh1995rhbd section 3.1",
    summary="LARP read otherwise: broadcast on the source's path, maps elsewhere",
)
