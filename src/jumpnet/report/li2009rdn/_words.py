"""What the sections on recursive dual-nets share: ids as the paper writes them, clusters as they hang together."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from jumpnet.networks import Network
from jumpnet.terms import I64, NO_ROUTER
from jumpnet.topology.rdn import level_sizes

__all__ = ["clusters_of", "id_words", "router_of", "sizes_of"]


def sizes_of(net: Network) -> list[int]:
    """Routers of RDN(m, 0), ..., RDN(m, k)."""
    return level_sizes(int(net.params[1]), int(net.params[0]))


def id_words(sizes: Sequence[int], router: int) -> str:
    """The id of a router in the paper's words: a number at level 0, else (type, cluster id, node id).

    >>> id_words([3, 18], 14)
    '(1,1,2)'
    """
    if len(sizes) == 1:
        return str(router)
    n, below = sizes[-2], sizes[:-1]
    kind, c, u = router // (n * n), router // n % n, router % n
    return f"({kind},{id_words(below, c)},{id_words(below, u)})"


def router_of(sizes: Sequence[int], words: str) -> int:
    """The router of an id, by the numbers in it from left to right.

    >>> router_of([3, 18], "(1,1,2)")
    14
    """
    fields = [int(word) for word in re.findall(r"\d+", words)]

    def number(level: int) -> int:
        if level == 0:
            return fields.pop(0)
        n = sizes[level - 1]
        kind = fields.pop(0)
        c = number(level - 1)
        return kind * n * n + c * n + number(level - 1)

    return number(len(sizes) - 1)


def clusters_of(net: Network) -> I64:
    """(R,) cluster of the top level of each router: what hangs together without the links of that level."""
    below = net.class_rank[net.link_class] < int(net.params[0])
    label = np.full(net.routers, -1, np.int64)
    for start in range(net.routers):
        if label[start] < 0:
            label[start] = start
            front = [start]
            for r in front:
                for s in net.neighbor[r][below[r] & (net.neighbor[r] != NO_ROUTER)].tolist():
                    if label[s] < 0:
                        label[s] = start
                        front.append(s)
    return np.unique(label, return_inverse=True)[1]
