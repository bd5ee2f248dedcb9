"""Acyclic or not: a numbering of the nodes by which every edge ascends, or a shortest cycle.

Source of the method: Kahn 1962 for the numbering; breadth-first search from the nodes left over for the cycle. Called
by `prove`; any directed graph in compressed rows will do.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.cycles._search import (
    mark_forks,
    shortest,
    shortest_both_ways,
    trim_backward,
    trim_forward,
)
from jumpnet.process.threads import interruptible
from jumpnet.terms import I64, Array

__all__ = ["Order", "numbering", "order_or_cycle"]

MANY_NODES = 1 << 15
"""Nodes between cycles above which these are looked for both ways, forward and backward."""


class Order(NamedTuple):
    """Either a numbering or a cycle."""

    number: I64 | None
    """(N,) distinct numbers by which every edge ascends; None when there is a cycle."""
    cycle: I64 | None
    """Nodes of a shortest cycle in order (the last leads to the first); None when there is none."""


def numbering(indptr: I64, indices: I64) -> I64 | None:
    """(N,) distinct numbers by which every edge ascends, None where there is a cycle. Cost O(N + E).

    >>> numbering(np.array([0, 1, 2, 2]), np.array([1, 2])).tolist()
    [0, 1, 2]
    """
    number = np.full(len(indptr) - 1, -1, np.int64)
    indptr, indices = np.ascontiguousarray(indptr, np.int64), np.ascontiguousarray(indices, np.int32)
    return number if trim_forward(indptr, indices, number) == len(number) else None


def order_or_cycle(indptr: I64, indices: I64, roots: Callable[[], Array] | None = None) -> Order:
    """A numbering by which every edge ascends, or a shortest cycle. Edges of node n: indices[indptr[n]:indptr[n + 1]].

    roots() (N,) bool: asked where many nodes lie between cycles; nodes to one of which each is carried by an
    automorphism. Cost O(N + E) without a cycle; with one, a bounded search from each node that lies between cycles; of
    many nodes from those alone that lead on to several, where each cycle has one.

    >>> order_or_cycle(np.array([0, 1, 2, 2]), np.array([1, 2])).number.tolist()
    [0, 1, 2]
    >>> order_or_cycle(np.array([0, 1, 2, 3]), np.array([1, 2, 1])).cycle.tolist()
    [1, 2]
    """
    size = len(indptr) - 1
    indptr = np.ascontiguousarray(indptr, np.int64)
    indices = np.ascontiguousarray(indices, np.int32)
    number = np.full(size, -1, np.int64)
    if trim_forward(indptr, indices, number) == size:
        return Order(number, None)
    alive = number < 0
    trim_backward(indptr, indices, alive)
    cycle = np.zeros(size, np.int64)
    search = partial(shortest, indptr, indices, alive)
    if alive.sum() > MANY_NODES:
        among = np.ones(size, bool) if roots is None else roots().copy()
        fork, seen = np.zeros(size, bool), np.zeros(size, np.int32)
        if mark_forks(indptr, indices, alive, fork, seen):  # an automorphism carries forks to forks
            among &= fork
        search = partial(shortest_both_ways, indptr, indices, alive, among)
    length = interruptible(partial(search, cycle))
    return Order(None, cycle[:length])
