"""Kernel of the local method; naive twin in `tests/naive/fault.py`. Used by `method/local.py` and `_wafers.py`.

Rows and columns are looked at by the same kernels: a *line* is a row, or a column of the transposed array. Shifts go to
its low end (west, north) or its high end (east, south).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.linked import kernel
from jumpnet.terms import I64, Array

__all__ = ["Core", "local_directions"]


class Core(NamedTuple):
    """The logical array within the physical one."""

    rows: int
    columns: int
    north: int
    """Spare rows in the north: the physical row of the core's first one."""
    west: int
    tracks: int
    """Tracks between elements."""


class Lines(NamedTuple):
    """The lines of one direction and what was decided for them."""

    bad: Array
    """(across, width) bool, the physical array, each line a row of it."""
    low: I64
    """(lines,) largest position of a fault shifted to the low end, -1 for none."""
    high: I64
    """(lines,) smallest position of a fault shifted to the high end, the width for none."""
    shift: I64
    """(lines, along) displacement of each logical element along its line."""
    along: int
    """Elements of a line in the core."""
    offset: int
    """Position of the core's first element along a line."""
    across: int
    """Position of the core's first line."""
    around: bool
    """Whether the first line and the last are neighbors: no spare line lies between them."""


@kernel
def _may_shift(lines, other_low, other_high, i, p, low, tracks):
    """Whether the fault at position p of line i can shift to the high end (low=False) or the low end of its line.

    It looks along its own line and the two beside it: enough good spares for all faults the path meets, no path across
    (`other_low`, `other_high`: of the lines in the other direction), none from the other end, and no more displacement
    against the lines beside than there are tracks.
    """
    width, offset, along = lines.bad.shape[1], lines.offset, lines.along
    x = i + lines.across
    if (low and p >= lines.high[i]) or (not low and p <= lines.low[i]):
        return False
    faults, spares = 0, 0
    q = p
    step = -1 if low else 1
    reach = lines.low[i] if low else lines.high[i]
    # A longer path in the same direction starts further in: its faults count as well.
    if (low and reach > p) or (not low and reach < p):
        q = reach
    while 0 <= q < width:
        if offset <= q < offset + along:
            faults += lines.bad[x, q]
            c = q - offset
            if other_low[c] >= x or other_high[c] <= x:
                return False
        else:
            spares += not lines.bad[x, q]
        q += step
    if faults > spares:
        return False
    for beside in (i - 1, i + 1):
        if lines.around:
            beside %= lines.low.size
        if 0 <= beside < lines.low.size:
            c = p - offset
            while 0 <= c < along:
                if abs(lines.shift[i, c] + step - lines.shift[beside, c]) > tracks:
                    return False
                c += step
    return True


@kernel
def _commit(lines, i, p, low):
    """Write down the shift: the reach of the line and one more displacement of all elements beyond the fault."""
    c = p - lines.offset
    if low:
        lines.low[i] = max(lines.low[i], p)
    else:
        lines.high[i] = min(lines.high[i], p)
    while 0 <= c < lines.along:
        lines.shift[i, c] += -1 if low else 1
        c += -1 if low else 1


@kernel(allocates=True)
def local_directions(bad, row, column, core, outer_first, barred, direction):
    """Choose a side for each fault, one after the other by distance from the nearest edge; returns the unplaced.

    core: a `Core`. direction (faults,): 0 north, 1 east, 2 south, 3 west, -1 none. Each fault tries the nearest side
    first, but for the sides whose bits are set in barred (faults,).
    Cost: faults x (rows + columns).
    """
    height, width = bad.shape
    rows, columns, north, west, tracks = core.rows, core.columns, core.north, core.west, core.tracks
    of_rows = Lines(
        bad, np.full(rows, -1, np.int64), np.full(rows, width, np.int64), np.zeros((rows, columns), np.int64),
        columns, west, north, height == rows,
    )  # fmt: skip
    of_columns = Lines(
        bad.T, np.full(columns, -1, np.int64), np.full(columns, height, np.int64),
        np.zeros((columns, rows), np.int64), rows, north, west, width == columns,
    )  # fmt: skip
    far = np.empty(4, np.int64)
    direction[:] = -1
    unplaced = 0
    last = (min(height, width) + 1) // 2
    for ring in range(last + 1):
        distance = ring if outer_first else last - ring
        for f in range(row.size):
            x, y = row[f], column[f]
            if min(min(x, height - 1 - x), min(y, width - 1 - y)) != distance:
                continue
            far[0], far[1], far[2], far[3] = x, width - 1 - y, height - 1 - x, y
            for _ in range(4):
                d = np.argmin(far)
                far[d] = height + width + 1
                if barred[f] >> d & 1:
                    continue
                if d == 1 or d == 3:
                    i, low = x - north, d == 3
                    if _may_shift(of_rows, of_columns.low, of_columns.high, i, y, low, tracks):
                        _commit(of_rows, i, y, low)
                        direction[f] = d
                        break
                else:
                    j, low = y - west, d == 0
                    if _may_shift(of_columns, of_rows.low, of_rows.high, j, x, low, tracks):
                        _commit(of_columns, j, x, low)
                        direction[f] = d
                        break
            if direction[f] < 0:
                unplaced += 1
    return unplaced
