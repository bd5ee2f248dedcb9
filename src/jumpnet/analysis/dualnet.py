"""Fewer links between two halves of a recursive dual-net than Theorem 1 says: an upper bound of its bisection.

Theorem 1 of the RDN paper (li2009rdn, section 2) gives half of the top level's cross edges as the bisection. Fewer
links do when the network below has an even number n of nodes and a halving of b links: put cluster c of type 0 on
the side of node c, and split every cluster of type 1 as that halving does. A cross edge joins (0, c, u) and (1, u, c),
which are then on one side, so only the n clusters of type 1 are cut, b links each. Called by `paper`; `bisection`
starts from these halvings too (`topology.rdn.halvings`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.graph.bisection import bisection
from jumpnet.network import Network
from jumpnet.terms import Array
from jumpnet.topology.rdn import halvings, level_sizes, over

__all__ = ["DualHalving", "dual_halving", "lift"]

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
    start = bisection(over(base, level), halvings(base, level) if level else ())
    links, half = start.upper, start.half
    for n in sizes[level:-1]:
        links *= n
        half = lift(half) if half is not None and 2 * n * n <= MAX_WITNESS_ROUTERS else None
    return DualHalving(sizes[-1], links, -(-((2 * base.routers) ** (2**k)) // 8), half)
