"""The yardstick: places enough for all elements, whatever is shifted how; and the cut when there are not.

Every way to mend a wafer gives each logical element a good physical one near its own place. By Hall's theorem that can
be had for all at once unless some set of logical elements, the region, has fewer good places near it than members.
With one spare line a side it is Menger's theorem on compensation paths, bent ones too, that share no element. Used by
`method/exact.py` and `yields.py`; `certificate.py` checks a cut without anything of this file.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from jumpnet.errors import unknown_name
from jumpnet.fault.array import WaferArray
from jumpnet.fault.configuration import core_faults
from jumpnet.terms import I64, Array

__all__ = ["MOVES", "Cut", "cut", "disjoint_paths"]

MOVES = ("straight", "any")
"""Where a logical element may go. straight: along its own row or its own column, no further than there are spare lines
on that side, as every method here has it (order is kept, so nothing can go further). any: as far along both at once;
every configuration keeps to it in which the rings of rows and of columns keep their order."""
MOST_STARTS = 64
"""Elements without a place from which a small region is looked for."""


class Cut(NamedTuple):
    """Logical elements that have fewer good places near them than they are; each of them is needed for that."""

    moves: str
    """Where elements may go, of `MOVES`."""
    region: I64
    """(n, 2) logical elements of the region; empty when there are places for all."""
    enclosed: I64
    """(k, 2) physical places of the region's own that are defective."""
    elements: I64
    """(m, 2) good elements outside the region's own places to which it can go, m < k."""
    paths: int
    """Most defective core elements that can be compensated together."""
    faults: int
    """How many there are."""


def _places(array: WaferArray, bad: Array, moves: str) -> csr_matrix:
    """(logical, physical) 1 for each good element that a logical one may go to."""
    height, width = array.shape
    index = np.arange(height * width).reshape(height, width)
    logical = np.arange(array.rows * array.columns).reshape(array.rows, array.columns)
    of, to = [], []
    for down in range(array.north + array.south + 1):
        for right in range(array.west + array.east + 1):
            if moves == "straight" and down != array.north and right != array.west:
                continue
            window = slice(down, down + array.rows), slice(right, right + array.columns)
            good = ~bad[window]
            of.append(logical[good])
            to.append(index[window][good])
    row, column = np.concatenate(of), np.concatenate(to)
    return csr_matrix((np.ones(len(row), np.int8), (row, column)), (logical.size, index.size))


def _region(places: csr_matrix, matched: I64, start: int) -> I64:
    """Logical elements reached from one without a place by taking the places of others, in turn."""
    holder = np.full(places.shape[1], -1, np.int64)
    have = matched >= 0
    holder[matched[have]] = np.flatnonzero(have)
    seen, todo = {start}, [start]
    while todo:
        k = todo.pop()
        for p in places.indices[places.indptr[k] : places.indptr[k + 1]].tolist():
            other = int(holder[p])
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return np.array(sorted(seen), np.int64)


def disjoint_paths(array: WaferArray, bad: Array, moves: str = "straight") -> int:
    """Most core faults that can be compensated together; all of them where shifting could mend the wafer.

    With one spare line a side: most compensation paths, bent ones too, that share no element. Cost: a maximum matching.

    >>> from jumpnet.fault.defects import from_places
    >>> array = WaferArray(4, 4)
    >>> disjoint_paths(array, from_places(array, [(2, 2), (3, 3)]))
    2
    """
    if moves not in MOVES:
        raise unknown_name("kind of move", moves, MOVES)
    matched = maximum_bipartite_matching(_places(array, bad, moves), perm_type="column")
    return len(core_faults(array, bad)) - int((matched < 0).sum())


def cut(array: WaferArray, bad: Array, moves: str = "straight") -> Cut:
    """A region with too few places, the smallest of some that the matching gives; empty when all can be placed.

    Raises JumpnetError for moves of another name. Cost: a maximum matching.

    >>> from jumpnet.fault.defects import from_places
    >>> array = WaferArray.around(4, 4, 2, "E")
    >>> found = cut(array, from_places(array, [(1, 0), (1, 2), (1, 4)]))
    >>> found.region.tolist(), found.enclosed.tolist(), found.elements.tolist()
    ([[1, 0], [1, 1], [1, 2]], [[1, 0], [1, 2]], [[1, 3]])
    """
    if moves not in MOVES:
        raise unknown_name("kind of move", moves, MOVES)
    places = _places(array, bad, moves)
    matched = maximum_bipartite_matching(places, perm_type="column").astype(np.int64)
    faults, without = len(core_faults(array, bad)), np.flatnonzero(matched < 0)
    none = np.zeros((0, 2), np.int64)
    if not without.size:
        return Cut(moves, none, none, none, faults, faults)
    found = min((_region(places, matched, int(k)) for k in without[:MOST_STARTS]), key=len)
    region = np.stack(np.divmod(found, array.columns), axis=1)
    own = region + np.array([array.north, array.west])
    near = np.stack(np.divmod(np.unique(places[found].indices), array.shape[1]), axis=1)
    inside = {(int(x), int(y)) for x, y in own}
    outside = np.array([p for p in near.tolist() if tuple(p) not in inside], np.int64).reshape(-1, 2)
    return Cut(moves, region, own[bad[own[:, 0], own[:, 1]]], outside, faults - without.size, faults)
