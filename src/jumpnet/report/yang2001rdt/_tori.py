"""The separate tori of each rank of an RDT or PRDT, as labels of the routers: what Theorems 1 and 2 speak of.

Used by `definitions_1_2`, `definitions_5_6` and `theorem_1_2`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.terms import I64, NO_ROUTER

__all__ = ["Shape", "ranks_of", "shape", "torus_labels", "windows_distinct"]


class Shape(NamedTuple):
    """The torus through node 0 of one rank, walked link by link."""

    x: int
    """Steps along x until the walk is back."""
    y: int
    """Steps along y until it meets the ring along x again."""
    shift: int
    """Where on that ring: 0 for a common torus, other places for a spiral."""


def shape(net: Network, rank: int) -> Shape:
    """Walk the links of a rank from router 0.

    >>> from jumpnet.topology import build
    >>> shape(build("prdt:16"), 1)
    Shape(x=8, y=4, shift=4)
    """

    def step(here: int, kind: int) -> int:
        for other in (kind, kind ^ 1, 4 * rank):  # a link that leads where another does is there once
            port = np.flatnonzero((net.link_class[here] == other) & (net.neighbor[here] != NO_ROUTER))
            if port.size:
                return int(net.neighbor[here, port[0]])
        raise JumpnetError(f"{net.spec}: router {here} has no links of rank {rank}")

    ring = [0]
    while (there := step(ring[-1], 4 * rank)) != 0:
        ring.append(there)
    here, height = step(0, 4 * rank + 2), 1
    while here not in ring:
        here, height = step(here, 4 * rank + 2), height + 1
    return Shape(len(ring), height, ring.index(here))


def ranks_of(net: Network) -> list[int]:
    """The ranks that have links in a network, ascending."""
    used = np.unique(net.link_class[net.neighbor != NO_ROUTER])
    return [int(r) for r in np.unique(net.class_rank[used])]


def torus_labels(net: Network, rank: int) -> I64:
    """(R,) a number for the torus of `rank` each router is on, -1 for routers without that rank.

    Connected components of the links of that rank, numbered from 0. Cost: one pass over the links.

    >>> from jumpnet.topology import build
    >>> int(torus_labels(build("prdt:16"), 1).max()) + 1
    8
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    here, port, there = net.channel_ends
    of_rank = net.class_rank[net.link_class[here, port]] == rank
    here, there = here[of_rank], there[of_rank]
    joined = csr_array((np.ones(len(here), np.int8), (here, there)), shape=(net.routers,) * 2)
    _, label = connected_components(joined, directed=False)
    result = np.full(net.routers, -1, np.int64)
    members = np.unique(here)
    result[members] = np.unique(label[members], return_inverse=True)[1]
    return result


def windows_distinct(labels: I64, side: int, x: I64, y: I64, n: int) -> bool:
    """Whether, from every router, the 2n by n array along steps x and y meets 2n^2 different labels (Theorem 2)."""
    place = np.indices((side, side), dtype=np.int64)
    grid = labels.reshape(side, side)
    window = []
    for j in range(n):
        for i in range(2 * n):
            dx, dy = i * x + j * y
            window.append(grid[(place[0] + dy) % side, (place[1] + dx) % side])
    ordered = np.sort(np.stack(window), axis=0)
    return bool((ordered[1:] != ordered[:-1]).all())
