"""REMAKE: at every router where a rank's multicast starts, the processor makes the map of its own subtree.

Source: kudoh1995rhbd section 6. The packet "is forced to transfer to the MBP" there, which makes the map for the
destinations below it and starts again, so that only destinations receive, with one map in the header at a time; the
price is the time of a processor, and of a packet that leaves the network and enters it again, at every rank. The text
does not say how a processor knows the destinations below it: section 3.1 has maps kept at the nodes as the other way.
`remade(k)` stops at rank k: from there down the last processor's maps serve as single maps (SM) of its subtree.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import jumpnet.multicast.full as exact
from jumpnet.multicast._scheme import Digits, Maps, Scheme, popcount

__all__ = ["remade", "remake"]


def _maps(lowest: int, digits: Sequence[Digits]) -> Maps:
    """Exact maps down to rank `lowest`; below, each node has the union over the subtree of the last processor."""
    top = len(digits[0]) - 1
    last = min(lowest, top)
    groups: dict[Digits, list[Digits]] = {}
    maps: dict[tuple[int, Digits], int] = {}
    for d in digits:
        for r in range(top, last, -1):
            node = tuple(reversed(d[r + 1 :]))
            maps[r, node] = maps.get((r, node), 0) | 1 << d[r]
        groups.setdefault(tuple(reversed(d[last + 1 :])), []).append(d)
    for node, below in groups.items():
        listed = [sorted({d[r] for d in below}) for r in range(last, -1, -1)]
        for k, r in enumerate(range(last, -1, -1)):
            mask = sum(1 << c for c in listed[k])
            maps |= {(r, (*node, *path)): mask for path in product(*listed[:k])}
    return maps


def _rule(bit_map: int, local: bool, starts: bool, every: int) -> int:
    return bit_map


def remade(lowest: int) -> Scheme:
    """REMAKE down to a rank, 0 for all the way.

    >>> from jumpnet.multicast.territory import territories
    >>> from jumpnet.multicast.tree import multicast_tree
    >>> where = territories("prdt:64")
    >>> [len(multicast_tree(where, remade(k), 0, [1, 130, 1500]).receivers) for k in range(4)]
    [3, 5, 5, 36]
    """

    def count(digits, k, top, stride, fanout):
        last = min(lowest, top)
        above, low = stride * (last + 1), (1 << stride) - 1
        receivers = 0
        for i in range(k):
            known = False
            for j in range(i):
                known |= digits[j] >> above == digits[i] >> above
            below = 0 if known else 1
            for r in range(last + 1):
                mask = 0
                for j in range(i, k):
                    if digits[j] >> above == digits[i] >> above:
                        mask |= 1 << ((digits[j] >> (stride * r)) & low)
                below *= popcount(mask)
            receivers += below
        return receivers

    return Scheme(
        f"REMAKE to rank {lowest}" if lowest else "REMAKE",
        lambda digits: _maps(lowest, digits),
        _rule,
        count if lowest else exact.full.count,
        lambda ranks, fanout: (min(lowest, ranks - 1) + 1) * fanout,
        per_node=True,
        remakes=lowest,
        source="kudoh1995rhbd section 6",
        summary="processors make a new map at each rank",
    )


remake = remade(0)
