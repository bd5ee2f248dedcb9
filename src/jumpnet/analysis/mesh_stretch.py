"""How far the links of a mesh must be stretched in a network of as many routers: a search for a place of every node.

The question is yang2001rdt section IV.A, after Table II ("difficult to use to embed the mesh"). Nodes are placed row by
row, each at a free router near enough to its neighbors, those with the fewest free routers near them first. Links of
directed networks may be used either way. Called by the report.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.graph.distances import distances_from
from jumpnet.networks import Network

__all__ = ["MOST_PLACED", "place_mesh"]

MOST_PLACED = 100_000
"""Nodes placed until the search gives up."""


def place_mesh(net: Network, width: int, height: int, stretch: int) -> tuple[int, ...] | str:
    """The router of each mesh node, row by row, with neighbors at most `stretch` hops apart.

    "none" where the search has tried every way, "unknown" where it gave up. Raises JumpnetError for a mesh of another
    number of nodes.

    >>> from jumpnet.topology import build
    >>> place_mesh(build("hypercube:2"), 2, 2, 1), place_mesh(build("star:3"), 2, 3, 1)
    ((0, 1, 2, 3), 'none')
    """
    if width * height != net.routers:
        raise JumpnetError(f"{net.spec}: a mesh of {width * height} nodes found, {net.routers} expected")
    away = np.array([distances_from(net, r) for r in range(net.routers)])
    near = [set(np.flatnonzero((a > 0) & (a <= stretch)).tolist()) for a in np.minimum(away, away.T)]
    return _search(near, width)


def _search(near: Sequence[set[int]], width: int) -> tuple[int, ...] | str:
    """A place for each node; `none` where there is none, `unknown` after too many tries."""
    place: list[int] = []
    free = set(range(len(near)))

    def choices() -> list[int]:
        """Free routers for the next node, the best last."""
        fits = free
        if len(place) % width:
            fits = fits & near[place[-1]]
        if len(place) >= width:
            fits = fits & near[place[-width]]
        return sorted(fits, key=lambda r: (len(near[r] & free), r), reverse=True)

    left = [choices()]
    for _ in range(MOST_PLACED):
        while not left[-1]:
            left.pop()
            if not left:
                return "none"
            free.add(place.pop())
        place.append(left[-1].pop())
        free.discard(place[-1])
        if not free:
            return tuple(place)
        left.append(choices())
    return "unknown"
