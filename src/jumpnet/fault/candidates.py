"""Candidate compensation paths and the pairs that exclude each other, for one spare line a side. Used by the methods
`graph` and `exact`.

Source: Kung, Jean and Chan 1989 (inoguchi1996srt [7]): a fault is compensated along a straight path to a spare at the
edge; paths may not cross, and with single-track switches no near-miss may occur. What a near-miss is follows here
from the wires (docs/decisions/0020): in neighbouring lines, one path to the high end that starts before the start of
one to the low end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.fault.array import EAST, NORTH, SOUTH, WEST, WaferArray
from jumpnet.fault.configuration import core_faults
from jumpnet.terms import I64, Array

__all__ = ["Candidates", "candidates", "neighbours"]


class Candidates(NamedTuple):
    """The vertices of the contradiction graph and its edges."""

    faults: I64
    """(faults, 2) physical places of the core's faults."""
    fault: I64
    """(candidates,) the fault that each candidate compensates."""
    side: I64
    """(candidates,) the side it runs to."""
    conflict: Array
    """(candidates, candidates) bool, symmetric: the two cannot be used together, for another reason than being of
    one fault."""


def _crossing(row: I64, column: I64, side: I64) -> Array:
    """(k, k) bool: the horizontal path of the first crosses the vertical path of the second, or the other way."""
    x, y = row[:, None], column[:, None]
    gx, gy = row[None, :], column[None, :]
    a, b = side[:, None], side[None, :]
    along = ((a == EAST) & (gy >= y)) | ((a == WEST) & (gy <= y))
    across = ((b == SOUTH) & (gx <= x)) | ((b == NORTH) & (gx >= x))
    crossing = along & across
    return crossing | crossing.T


def _near_misses(line: I64, position: I64, high: Array, low: Array, around: int) -> Array:
    """(k, k) bool: in neighbouring lines, a path to the high end starts before one to the low end.

    around: number of lines when the first and the last are neighbours over the wrap-around gap, else 0.
    """
    apart = np.abs(line[:, None] - line[None, :])
    beside = (apart == 1) | (apart == around - 1)
    meets = beside & high[:, None] & low[None, :] & (position[:, None] < position[None, :])
    return meets | meets.T


def candidates(array: WaferArray, bad: Array) -> Candidates:
    """Every straight path from a fault to a good spare that meets no other fault, and the conflicts between them.

    Raises JumpnetError when a side has more than one spare line: then conflicts are no longer between pairs.

    >>> from jumpnet.fault.defects import from_places
    >>> array = WaferArray(4, 4)
    >>> found = candidates(array, from_places(array, [(2, 2), (2, 3)]))
    >>> found.fault.tolist(), found.side.tolist()
    ([0, 0, 0, 1, 1, 1], [0, 2, 3, 0, 1, 2])
    """
    if array.most_spares > 1:
        raise JumpnetError(
            f"{array.most_spares} spare lines on a side found, at most 1 expected; `lines.line_choices` takes several"
        )
    faults = core_faults(array, bad)
    fault, side = [], []
    for k, (x, y) in enumerate(faults.tolist()):
        lines = (
            (NORTH, array.north, bad[:x, y]),
            (EAST, array.east, bad[x, y + 1 :]),
            (SOUTH, array.south, bad[x + 1 :, y]),
            (WEST, array.west, bad[x, :y]),
        )
        for d, spares, path in lines:
            if spares and not path.any():
                fault.append(k)
                side.append(d)
    of, to = np.array(fault, np.int64), np.array(side, np.int64)
    row, column = faults[of, 0], faults[of, 1]
    conflict = _crossing(row, column, to) & (of[:, None] != of[None, :])
    if array.tracks == 1:
        # Round the torus, the first and last lines of the core are neighbours when no spare line lies between them.
        around = (0 if array.north + array.south else array.rows, 0 if array.east + array.west else array.columns)
        conflict |= _near_misses(row, column, to == EAST, to == WEST, around[0])
        conflict |= _near_misses(column, row, to == SOUTH, to == NORTH, around[1])
    return Candidates(faults, of, to, conflict)


def neighbours(found: Candidates) -> list[int]:
    """For each candidate the others it excludes, those of its own fault included, as the bits of a whole number."""
    both = found.conflict | (found.fault[:, None] == found.fault[None, :])
    np.fill_diagonal(both, False)
    packed = np.packbits(both, axis=1, bitorder="little")
    return [int.from_bytes(line.tobytes(), "little") for line in packed]
