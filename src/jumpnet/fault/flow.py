"""The yardstick: most compensation paths, bent ones too, that share no element; and the cut when they are too few.

By Menger's theorem and maximum flow: when the paths are fewer than the faults, some faults are enclosed by fewer
elements than they are, and no method that shifts elements to neighbours can mend the wafer, whatever its tracks.
Used by `method/exact.py` and `yields.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from jumpnet.fault.array import WaferArray
from jumpnet.fault.configuration import core_faults
from jumpnet.terms import I64, Array

__all__ = ["Cut", "disjoint_paths", "min_cut"]


class Cut(NamedTuple):
    """What the maximum flow says."""

    paths: int
    """Most compensation paths without a common element."""
    enclosed: I64
    """(n, 2) faults from which every way to a spare passes an element of the cut; empty when all have paths."""
    elements: I64
    """(m, 2) good elements of the cut, m < n; empty when all have paths."""


def _graph(array: WaferArray, bad: Array) -> tuple[csr_matrix, I64]:
    """Flow network: source, sink, then for each element its entry and exit. Arcs of capacity 1."""
    height, width = array.shape
    index = np.arange(height * width).reshape(height, width)
    core = np.zeros((height, width), bool)
    core[array.north : array.north + array.rows, array.west : array.west + array.columns] = True
    faults = core_faults(array, bad)
    good = ~bad
    enter, leave = 2 + 2 * index, 3 + 2 * index
    tails, heads = [enter[good]], [leave[good]]  # a good element takes part in one path
    at = leave[faults[:, 0], faults[:, 1]]
    tails.append(np.zeros(len(at), np.int64))
    heads.append(at)
    ends = leave[good & ~core]
    tails.append(ends)
    heads.append(np.ones(len(ends), np.int64))
    for a, b in (
        ((slice(0, -1), slice(None)), (slice(1, None), slice(None))),
        ((slice(None), slice(0, -1)), (slice(None), slice(1, None))),
    ):
        for here, there in ((a, b), (b, a)):
            usable = core[here] & good[there]
            tails.append(leave[here][usable])
            heads.append(enter[there][usable])
    tail, head = np.concatenate(tails), np.concatenate(heads)
    size = 2 + 2 * height * width
    return csr_matrix((np.ones(len(tail), np.int32), (tail, head)), (size, size)), faults


def disjoint_paths(array: WaferArray, bad: Array) -> int:
    """Most compensation paths that share no element; as many as faults where shifting could mend the wafer.

    >>> from jumpnet.fault.defects import from_places
    >>> array = WaferArray(4, 4)
    >>> disjoint_paths(array, from_places(array, [(2, 2), (3, 3)]))
    2
    """
    graph, _ = _graph(array, bad)
    return int(maximum_flow(graph, 0, 1).flow_value)


def min_cut(array: WaferArray, bad: Array) -> Cut:
    """The most disjoint paths, and when they are fewer than the faults the faults enclosed and what encloses them.

    One spare line a side; the enclosed faults have no way out but over `elements`, which are fewer than they.

    >>> from jumpnet.fault.defects import from_places
    >>> array = WaferArray.around(4, 4, sides="E")
    >>> cut = min_cut(array, from_places(array, [(x, y) for x in (0, 1) for y in (0, 1, 2)]))
    >>> cut.paths, len(cut.enclosed), len(cut.elements)
    (4, 2, 0)
    """
    graph, faults = _graph(array, bad)
    solved = maximum_flow(graph, 0, 1)
    none = np.zeros((0, 2), np.int64)
    if solved.flow_value == len(faults):
        return Cut(int(solved.flow_value), none, none)
    residual = graph - solved.flow
    residual.data = np.maximum(residual.data, 0)
    residual.eliminate_zeros()
    reached = np.zeros(graph.shape[0], bool)
    reached[breadth_first_order(residual, 0, return_predecessors=False)] = True
    height, width = array.shape
    enter, leave = reached[2::2].reshape(height, width), reached[3::2].reshape(height, width)
    inside = leave[faults[:, 0], faults[:, 1]]
    return Cut(int(solved.flow_value), faults[inside], np.argwhere(enter & ~leave & ~bad))
