"""Recursive dual-nets in the paper's own words: halvings against Theorem 1, and Algorithm 1 as it is printed.

Theorem 1 of the RDN paper (li2009rdn, section 2) gives half of the top level's cross edges as the bisection. Fewer
links do when the network below has an even number n of nodes and a halving of b links: put cluster c of type 0 on
the side of node c, and split every cluster of type 1 as that halving does. A cross edge joins (0, c, u) and (1, u, c),
which are then on one side, so only the n clusters of type 1 are cut, b links each. Called by `report`; `bisection`
starts from these halvings too (`topology.rdn.halvings`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.graph.bisection import bisection
from jumpnet.networks import Network
from jumpnet.terms import Array
from jumpnet.topology.rdn import halvings, level_sizes, over

__all__ = ["DualHalving", "algorithm_1", "dual_halving", "lift"]

MAX_SEARCHED_ROUTERS = 10_000
MAX_WITNESS_ROUTERS = 10_000_000


@dataclass(frozen=True)
class DualHalving:
    """A halving of RDN(m, k)."""

    routers: int
    links: int
    """Links it cuts: the bisection width is at most this."""
    claimed: int
    """What Theorem 1 gives: ceil((2m)^(2^k) / 8), half of the cross edges of level k."""
    half: Array | None
    """(R,) bool, the routers of one half; None beyond 10 million routers."""


def lift(half: Array) -> Array:
    """The halving of the dual construction on n nodes that follows from a halving (n,) of those.

    >>> lift(np.array([True, False])).tolist()
    [True, True, False, False, True, False, True, False]
    """
    n = len(half)
    return np.concatenate([np.repeat(half, n), np.tile(half, n)])


def dual_halving(base: Network, k: int) -> DualHalving:
    """The halving of RDN(m, k) over `base`, k from 1: lifted level by level from one that a search found.

    The search is `bisection` of the highest level of even size up to 10,000 routers, here or below. Cost: that, and 2
    bytes a router for the witness.

    >>> from jumpnet.topology import build
    >>> found = dual_halving(build("torus:3"), 2)
    >>> found.links, found.claimed
    (90, 162)
    """
    if k < 1:
        raise JumpnetError(f"k={k} found, a number from 1 expected")
    sizes = level_sizes(base.routers, k)
    level = base.routers % 2
    while level < k and sizes[level + 1] <= MAX_SEARCHED_ROUTERS:
        level += 1
    start = bisection(over(base, level), halvings(base, level) if level else (), by_routes=False)
    links, half = start.upper, start.half
    for n in sizes[level:-1]:
        links *= n
        half = lift(half) if half is not None and 2 * n * n <= MAX_WITNESS_ROUTERS else None
    return DualHalving(sizes[-1], links, -(-((2 * base.routers) ** (2**k)) // 8), half)


def algorithm_1(net: Network, source: int, destination: int) -> list[int]:
    """The routers that Algorithm 1 passes, as it is printed: recursive, with the part in v's cluster found from v.

    Base networks are crossed by shortest paths, of equal ones that over the lower port at each router. Nothing is asked
    of the network's cross edges: `net` gives the base and the levels. The routing `rdn.recursive` decides hop by hop;
    its routes are as long, but pass other routers in v's cluster. Source: li2009rdn, section 4. Cost: O(route).

    >>> from jumpnet.topology import build
    >>> algorithm_1(build("rdn:3,k=1"), 0, 17)
    [0, 2, 15, 17]
    """
    k, m, ports = (int(value) for value in net.params[:3])
    table = net.params[3:].reshape(m, ports)
    sizes = level_sizes(m, k)

    def along(level: int, u: int, v: int) -> list[int]:
        """The path between two routers of a dual-net of that level."""
        if level == 0:
            return _base_path(table, u, v)
        n = sizes[level - 1]
        own, other = (r // n * n for r in (u, v))
        if own == other:  # Case 1
            return [own + r for r in along(level - 1, u % n, v % n)]
        if u // (n * n) == v // (n * n):  # Case 3
            across = (u + n * n) % (2 * n * n) // (n * n) * n * n + u % n * n + u // n % n
            return [u, *along(level, across, v)]
        there = along(level - 1, u % n, v // n % n)  # Case 2
        back = along(level - 1, v % n, u // n % n)
        return [own + r for r in there] + [other + r for r in reversed(back)]

    return along(k, source, destination)


def _base_path(table: Array, source: int, destination: int) -> list[int]:
    """A shortest path of the base network; raises JumpnetError where there is none."""
    before = {destination: destination}
    front = [destination]
    for r in front:
        for s in np.flatnonzero((table == r).any(axis=1)).tolist():
            if s not in before:
                before[s] = r
                front.append(s)
    if source not in before:
        raise JumpnetError(f"base router {destination} cannot be reached from {source}, a connected base expected")
    path = [source]
    while path[-1] != destination:
        path.append(before[path[-1]])
    return path
