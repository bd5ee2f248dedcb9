"""Kernel of the local method; naive twin in `tests/naive/fault.py`. Used by `method/local.py` and `_wafers.py`."""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import kernel


@kernel
def _side(bad, left, right, up, down, shift, i, p, low, along, offset, across, around, tracks):
    """Whether the fault at position p of line i can shift to the high end (low=False) or the low end of its line.

    It looks along its own line and the two beside it: enough good spares for all faults the path meets, no path across,
    none from the other end, and no more displacement against the lines beside than there are tracks.
    """
    width = bad.shape[1]
    x = i + across
    if (low and p >= right[i]) or (not low and p <= left[i]):
        return False
    faults, spares = 0, 0
    q = p
    step = -1 if low else 1
    reach = left[i] if low else right[i]
    # A longer path in the same direction starts further in: its faults count as well.
    if (low and reach > p) or (not low and reach < p):
        q = reach
    while 0 <= q < width:
        if offset <= q < offset + along:
            faults += bad[x, q]
            c = q - offset
            if up[c] >= x or down[c] <= x:
                return False
        else:
            spares += not bad[x, q]
        q += step
    if faults > spares:
        return False
    for beside in (i - 1, i + 1):
        if around:  # no spare line between the first and the last line
            beside %= left.size
        if 0 <= beside < left.size:
            c = p - offset
            while 0 <= c < along:
                if abs(shift[i, c] + step - shift[beside, c]) > tracks:
                    return False
                c += step
    return True


@kernel
def _commit(reach_low, reach_high, shift, i, p, low, along, offset):
    """Write down the shift: the reach of the line and one more displacement of all elements beyond the fault."""
    c = p - offset
    if low:
        reach_low[i] = max(reach_low[i], p)
    else:
        reach_high[i] = min(reach_high[i], p)
    while 0 <= c < along:
        shift[i, c] += -1 if low else 1
        c += -1 if low else 1


@kernel(allocates=True)
def local_directions(bad, row, column, rows, columns, north, west, tracks, outer_first, barred, direction):
    """Choose a side for each fault, one after the other by distance from the nearest edge; returns the unplaced.

    direction (faults,): 0 north, 1 east, 2 south, 3 west, -1 none. Each fault tries the nearest side first, but for
    the sides whose bits are set in barred (faults,).
    Cost: faults x (rows + columns).
    """
    height, width = bad.shape
    left, right = np.full(rows, -1, np.int64), np.full(rows, width, np.int64)
    up, down = np.full(columns, -1, np.int64), np.full(columns, height, np.int64)
    across, along = np.zeros((rows, columns), np.int64), np.zeros((columns, rows), np.int64)
    far = np.empty(4, np.int64)
    level, upright = height == rows, width == columns
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
                    if _side(bad, left, right, up, down, across, i, y, low, columns, west, north, level, tracks):
                        _commit(left, right, across, i, y, low, columns, west)
                        direction[f] = d
                        break
                else:
                    j, low = y - west, d == 0
                    if _side(bad.T, up, down, left, right, along, j, x, low, rows, north, west, upright, tracks):
                        _commit(up, down, along, j, x, low, rows, north)
                        direction[f] = d
                        break
            if direction[f] < 0:
                unplaced += 1
    return unplaced
