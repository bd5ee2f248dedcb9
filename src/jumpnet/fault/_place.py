"""Kernels: from one direction for each fault to places, displacements and switch states. Used by `configuration.py`
and `_wafers.py`; the naive twins are in `tests/naive/fault.py`.

Shapes: `bad` (height, width) bool; `row`, `column`, `direction` (faults,) physical places of the core's faults and
the side each is shifted to (-1: none); `place` (rows, columns, 2) physical place of each logical element or -1.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry, kernel


@kernel
def place_lines(bad, low, high, along, offset, across, place, axis):
    """Shift the elements of each line (row, or column with axis 1 and `bad` transposed); returns the conflicts.

    low[line]: largest position of a fault shifted to the low end, -1 for none; high[line]: the smallest one shifted
    to the high end, or the length. Each shifted element takes the next good place in its direction.
    """
    conflicts = 0
    width = bad.shape[1]
    for i in range(low.size):
        x = i + across
        if low[i] >= high[i]:
            conflicts += 1
            continue
        p = high[i]
        for c in range(high[i] - offset, along):
            while p < width and bad[x, p]:
                p += 1
            a, b = (i, c) if axis == 0 else (c, i)
            if p >= width or place[a, b, 0] >= 0:
                conflicts += 1
                continue
            place[a, b, axis] = x
            place[a, b, 1 - axis] = p
            p += 1
        p = low[i]
        for c in range(low[i] - offset, -1, -1):
            while p >= 0 and bad[x, p]:
                p -= 1
            a, b = (i, c) if axis == 0 else (c, i)
            if p < 0 or place[a, b, 0] >= 0:
                conflicts += 1
                continue
            place[a, b, axis] = x
            place[a, b, 1 - axis] = p
            p -= 1
    return conflicts


@kernel(allocates=True)
def limits(row, column, direction, rows, columns, north, west, height, width):
    """The reach of the shifts: (left, right) for each row, (up, down) for each column, as `place_lines` wants them."""
    left, right = np.full(rows, -1, np.int64), np.full(rows, width, np.int64)
    up, down = np.full(columns, -1, np.int64), np.full(columns, height, np.int64)
    for f in range(row.size):
        i, j = row[f] - north, column[f] - west
        if direction[f] == 0:
            up[j] = max(up[j], row[f])
        elif direction[f] == 1:
            right[i] = min(right[i], column[f])
        elif direction[f] == 2:
            down[j] = min(down[j], row[f])
        elif direction[f] == 3:
            left[i] = max(left[i], column[f])
    return left, right, up, down


@kernel(allocates=True)
def place_all(bad, row, column, direction, north, west, place, owner):
    """Place every logical element; returns how many are left without a place or claimed twice (0: repaired).

    owner (height, width): the logical index on each element, -1 where it is not used.
    """
    rows, columns = place.shape[0], place.shape[1]
    height, width = bad.shape
    left, right, up, down = limits(row, column, direction, rows, columns, north, west, height, width)
    place[:] = -1
    owner[:] = -1
    conflicts = place_lines(bad, left, right, columns, west, north, place, 0)
    conflicts += place_lines(bad.T, up, down, rows, north, west, place, 1)
    for i in range(rows):
        for j in range(columns):
            if place[i, j, 0] < 0:
                if bad[i + north, j + west]:
                    conflicts += 1
                    continue
                place[i, j, 0] = i + north
                place[i, j, 1] = j + west
            x, y = place[i, j, 0], place[i, j, 1]
            if owner[x, y] >= 0:
                conflicts += 1
            owner[x, y] = i * columns + j
    return conflicts


@kernel
def displacements(place, offset, other, shift):
    """shift[i, p]: how far ring i passes off its own line at physical position p, from the places of its elements.

    Only elements shifted across their ring displace it; `offset` is the spare lines before the ring's own lines,
    `other` those before the positions along it.
    """
    shift[:] = 0
    for i in range(place.shape[0]):
        for j in range(place.shape[1]):
            if place[i, j, 0] >= 0 and place[i, j, 0] != i + offset:
                shift[i, j + other] = place[i, j, 0] - (i + offset)


@kernel
def _set(states, g, x, t, state):
    """Ask a switch for a state; 1 when it already has another, else 0."""
    if states[g, x, t] != 0 and states[g, x, t] != state:
        return 1
    states[g, x, t] = state
    return 0


@kernel
def _track(first, last, r, ways, tracks, used):
    """The track of the net of ring r: that of the net which leaves the line where r arrives, else the lowest free.

    The nets between them overlap r and have other tracks, so that as many tracks as the busiest place has nets
    suffice, and no net that arrives must pass the switch at which the next one leaves.
    """
    taken = 0
    step = 1 if last[r] > first[r] else -1
    n = r + step
    while 0 <= n < first.size and (first[n] - last[r]) * step < 0:
        taken |= 1 << used[n]
        n += step
    if 0 <= n < first.size and first[n] == last[r] and first[n] != last[n]:
        return used[n]
    for t in range(tracks):
        if not taken >> t & 1:
            return t
    return -1


@kernel
def route_gap(first, last, tracks, used, states, g):
    """Set the switches of gap g so that ring r goes on from line first[r] to line last[r]; `used` (rings,) is scratch.

    Returns the number of nets for which the tracks do not suffice.
    """
    rings = first.size
    failures = 0
    for r in range(rings):
        if first[r] == last[r]:
            for t in range(tracks):
                failures += _set(states, g, first[r], t, 1)
    for n in range(2 * rings):
        # Nets that move down from the last ring to the first, then those that move up from the first to the last.
        r = rings - 1 - n if n < rings else n - rings
        step = 1 if n < rings else -1
        if (last[r] - first[r]) * step <= 0:
            continue
        k = _track(first, last, r, step, tracks, used)
        if k < 0:
            failures += 1
            continue
        used[r] = k
        turn = 3 if step > 0 else 2
        for t in range(k):
            failures += _set(states, g, first[r], t, 1)
        failures += _set(states, g, first[r], k, turn)
        x = first[r] + step
        while x != last[r]:
            failures += _set(states, g, x, k, 1)
            x += step
        failures += _set(states, g, last[r], k, turn)
        for t in range(k + 1, tracks):
            failures += _set(states, g, last[r], t, 1)
    return failures


@entry(allocates=True)
def clashes(first, last, lines, tracks, found):
    """found[a, b] = whether the tracks of a gap do not suffice from line first[a, r] to line last[b, r] of each ring r.

    first (A, rings), last (B, rings), found (A, B) bool; `lines` and `tracks` of the gap. Cost: A B lines tracks.
    """
    states, used = np.zeros((1, lines, tracks), np.int8), np.zeros(first.shape[1], np.int64)
    for a in range(first.shape[0]):
        for b in range(last.shape[0]):
            states[:] = 0
            found[a, b] = route_gap(first[a], last[b], tracks, used, states, 0) > 0


@kernel(allocates=True)
def route(shift, offset, states):
    """Set the switches of every gap so that each ring goes on from its place left of the gap to that right of it.

    shift (rings, positions) from `displacements`; states (gaps, lines, tracks) int8, gap g lying after position g.
    Returns the number of nets for which the tracks do not suffice (0: all routed). Cost: the number of switches.
    """
    rings, width = shift.shape
    tracks = states.shape[2]
    states[:] = 0
    failures = 0
    first, last = np.empty(rings, np.int64), np.empty(rings, np.int64)
    used = np.zeros(rings, np.int64)
    for g in range(width):
        after = g + 1 if g + 1 < width else 0
        for r in range(rings):
            first[r] = r + offset + shift[r, g]
            last[r] = r + offset + shift[r, after]
        failures += route_gap(first, last, tracks, used, states, g)
    return failures
