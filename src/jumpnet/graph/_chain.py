"""Paths and rings of any length: their distances follow from their length, where searches would take hours.

Called by `distances` for networks of many routers; twin: its searches (`tests/twin/graph/test_distances.py`).
"""

from __future__ import annotations

import numpy as np

from jumpnet.graph._bfs_one import search_table
from jumpnet.graph._table import Table
from jumpnet.networks import Network
from jumpnet.terms import I32, I64, NO_ROUTER

__all__ = ["MOST_PORTS", "chain_distances", "chain_figures", "places_on_chain"]

MOST_PORTS = 2
"""Of networks that may be paths or rings."""

NO_PATH = -1


def places_on_chain(neighbor: I32, directed: bool) -> I64 | None:
    """(R,) place of each router on a path, from 0; all NO_PATH on a ring; None where a network is neither.

    neighbor: (R, P) as in Network. A ring has three routers at least, as a path has. Cost: two searches.

    >>> places_on_chain(np.array([[1, -1], [0, 2], [1, -1]], np.int32), False).tolist()
    [0, 1, 2]
    >>> places_on_chain(np.array([[1, 2], [0, 2], [0, 1]], np.int32), False).tolist()
    [-1, -1, -1]
    """
    routers = len(neighbor)
    present = neighbor != NO_ROUTER
    degrees = present.sum(axis=1)
    channels = int(degrees.sum())
    if directed or routers < 3 or degrees.max() > 2 or not 2 * (routers - 1) <= channels <= 2 * routers:
        return None
    if (neighbor == np.arange(routers)[:, None]).any():  # a link of a router to itself
        return None
    # In one piece, so many links make a tree, whose routers of one link end a path; or one ring.
    end = int(np.argmin(degrees))
    order, levels = np.empty(routers, np.int32), np.zeros(routers, np.int64)
    search_table(neighbor, end, np.zeros(routers // 8 + 1, np.uint8), order, levels)
    if levels.sum() < routers:
        return None
    place = np.full(routers, NO_PATH, np.int64)
    if channels < 2 * routers:
        place[order] = np.arange(routers)
    return place


def chain_distances(place: I64) -> tuple[I64, I64]:
    """(ordered pairs at each distance, eccentricity of each router) of a path or ring, by `places_on_chain`.

    >>> counts, far = chain_distances(np.array([0, 1, 2, 3]))
    >>> counts.tolist(), far.tolist()
    ([4, 6, 4, 2], [3, 2, 2, 3])
    >>> chain_distances(np.full(5, NO_PATH))[0].tolist()
    [5, 10, 10]
    """
    routers = place.size
    if place[0] != NO_PATH:
        counts = 2 * np.arange(routers, 0, -1, dtype=np.int64)
        counts[0] = routers
        return counts, np.maximum(place, routers - 1 - place)
    half = routers // 2
    counts = np.full(half + 1, 2 * routers, np.int64)
    counts[0] = routers
    if routers % 2 == 0:
        counts[half] = routers
    return counts, np.full(routers, half, np.int64)


def chain_figures(net: Network | Table) -> tuple[I64, I64] | None:
    """(pairs of routers, and of terminals, at each distance (2, levels), eccentricities (R,)) of a path or ring with
    as many terminals at each router; None of others."""
    if (net.terminals != net.terminals[0]).any() or (net.sinks != net.sinks[0]).any():
        return None
    place = places_on_chain(net.neighbor, net.directed)
    if place is None:
        return None
    counts, far = chain_distances(place)
    return np.stack([counts, counts * int(net.terminals[0]) * int(net.sinks[0])]), far
