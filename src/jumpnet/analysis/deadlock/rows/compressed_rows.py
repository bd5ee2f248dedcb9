"""Compressed rows: a list of pairs in the order of their first members, and where the pairs of each of these begin.

`indptr` (N + 1,) and `indices` (E,) are a graph of N nodes: those of node n are indices[indptr[n]:indptr[n + 1]].
"""

from __future__ import annotations

import numpy as np

from jumpnet.terms import I64, Array

__all__ = ["components", "holders", "in_order", "row_starts", "spans"]


def in_order(numbers: Array, size: int) -> I64:
    """The places of numbers 0..size - 1 in ascending order, of equal ones in theirs.

    NumPy counts numbers of 16 bits in place of comparing them.

    >>> in_order(np.array([2, 0, 2, 1]), 3).tolist()
    [1, 3, 0, 2]
    """
    return np.argsort(numbers.astype(np.uint16) if size <= 1 << 16 else numbers, kind="stable")


def row_starts(holder: Array, size: int) -> I64:
    """(size + 1,) `indptr` of pairs whose first members (E,) are in ascending order.

    >>> row_starts(np.array([0, 0, 2]), 3).tolist()
    [0, 2, 2, 3]
    """
    return np.searchsorted(holder, np.arange(size + 1))


def holders(indptr: I64) -> I64:
    """(E,) the first member of each pair.

    >>> holders(np.array([0, 2, 2, 3])).tolist()
    [0, 0, 2]
    """
    return np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))


def spans(first: I64, many: I64) -> I64:
    """The numbers first[k], first[k] + 1, ..., many[k] of them, for one k after the other.

    >>> spans(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    return np.repeat(first - np.cumsum(many) + many, many) + np.arange(int(many.sum()))


def components(size: int, holder: I64, wanted: I64) -> tuple[int, I64]:
    """How many strongly connected components a graph of so many nodes has, and the number of each node's."""
    from scipy.sparse import csr_array  # a while to load, and most proofs do without
    from scipy.sparse.csgraph import connected_components

    graph = csr_array((np.ones(len(holder), np.int64), (holder, wanted)), shape=(size, size))
    count, label = connected_components(graph, directed=True, connection="strong")
    return int(count), label.astype(np.int64)
