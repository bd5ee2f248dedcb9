"""A single tree for all nodes against the trees of an RDT: loads of the roots, and ways to them.

Used by kudoh1995rhbd and nishi1997router.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from jumpnet.multicast import scheme
from jumpnet.multicast.territory import Territories, territories
from jumpnet.multicast.tree import multicast_tree
from jumpnet.terms import I64

__all__ = [
    "DESTINATIONS", "MACHINE", "SEED", "SIGMAS", "SPEC", "Edge", "Multicasts", "all_multicast", "casts", "fat_loads",
    "single_tree", "tree_loads",
]  # fmt: skip

SPEC, MACHINE = "prdt:64", "rdt:64"
DESTINATIONS = 4
SIGMAS = (1.0, 5.0, 0.0)
"""Spread of the destinations; 0 for anywhere."""
SEED = 1995
Edge = tuple[tuple[int, ...], int, bool]
"""A link of the single tree: the node above it (digits from the top), which of its children, and whether upward."""


def single_tree(where: Territories) -> list[tuple[int, ...]]:
    """Digits of every router in the one tree that has its root at router 0, the top level first.

    >>> len(set(single_tree(territories("prdt:16"))))
    256
    """
    every = range(where.routers)
    digits = where.address(0, every, where.top).digits
    return [tuple(reversed(d)) for d in digits]


def casts(side: int, sigma: float) -> list[list[int]]:
    """Destinations of one multicast from every router: different, and not the source."""
    draw = random.Random(SEED)
    found = []
    for source in range(side * side):
        to: set[int] = set()
        while len(to) < DESTINATIONS:
            x, y = (round(draw.gauss(0.0, sigma)) if sigma else draw.randrange(side) for _ in range(2))
            to.add((source // side + y) % side * side + (source % side + x) % side)
            to.discard(source)
        found.append(sorted(to))
    return found


def tree_loads(digits: Sequence[tuple[int, ...]], sets: Sequence[Sequence[int]]) -> tuple[Counter[Edge], I64]:
    """Messages over each link of the single tree, and levels that each goes up, to the least node above all."""
    load: Counter[Edge] = Counter()
    up = np.zeros(len(sets), np.int64)
    for source, to in enumerate(sets):
        leaves = [digits[source], *(digits[d] for d in to)]
        meet = next(k for k in range(len(leaves[0])) if len({leaf[k] for leaf in leaves}) > 1)
        own = leaves[0]
        up[source] = len(own) - meet
        links = {(own[:k], own[k], True) for k in range(meet, len(own))}
        links |= {(leaf[:k], leaf[k], False) for leaf in leaves[1:] for k in range(meet, len(own))}
        load.update(links)
    return load, up


def fat_loads(where: Territories, sets: Sequence[Sequence[int]]) -> tuple[Counter[tuple[int, int, int]], I64]:
    """Messages over each link of the RDT with full maps, and hops of each to its root."""
    load: Counter[tuple[int, int, int]] = Counter()
    up = np.zeros(len(sets), np.int64)
    full = scheme("full")
    for source, to in enumerate(sets):
        tree = multicast_tree(where, full, source, to)
        load.update((hop.sender, hop.receiver, hop.rank) for hop in tree.hops)
        up[source] = int(np.abs(where.hops[where.class_at(source), tree.address.top]).sum())
    return load, up


class Multicasts(NamedTuple):
    """Every node multicasts once: the single tree against the tree that each source has on an RDT."""

    root: int
    """Messages on the busiest link of the single tree's root."""
    inner: int
    """On the busiest of its other links."""
    busiest: int
    """On the busiest link of the RDT."""
    up: float
    """Links up the single tree, on average."""
    hops: float
    """Hops to the root on the RDT, on average."""


@cache
def all_multicast(spec: str, sigma: float) -> Multicasts:
    """Both ways for the same destinations, whose spread is sigma; 0 for anywhere."""
    where = territories(SPEC)
    sets = casts(where.side, sigma)
    single, up = tree_loads(single_tree(where), sets)
    fat, hops = fat_loads(territories(spec), sets)
    root = max(count for (above, *_), count in single.items() if above == ())
    inner = max(count for (above, *_), count in single.items() if above != ())
    return Multicasts(root, inner, max(fat.values()), float(up.mean()), float(hops.mean()))
