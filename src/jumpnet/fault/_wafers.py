"""Kernels: defects of numbered wafers, and whole wafers drawn, reconfigured by the local method and verified.

Used by `defects.py` and `yields.py`. Wafer w of a seed is the same whichever thread makes it.
"""

from __future__ import annotations

import numpy as np

from jumpnet.fault._local import local_directions
from jumpnet.fault._place import displacements, place_all, route
from jumpnet.fault._trace import trace
from jumpnet.jit.linked import entry, kernel
from jumpnet.jit.random import draw63, stream_key


@kernel
def draw_defects(seed, wafer, threshold, clustered, bad):
    """Fill `bad`: each place starts a defect when its draw is below threshold / 2**63.

    Clustered: a seed, also one just outside the array, spoils its own place and each place round it with
    probability 1/2 (the lowest bits of a second draw).
    """
    height, width = bad.shape
    key = stream_key(seed, wafer)
    bad[:] = False
    if not clustered:
        for x in range(height):
            for y in range(width):
                bad[x, y] = draw63(key, x * width + y) < threshold
        return
    for x in range(-1, height + 1):
        for y in range(-1, width + 1):
            counter = 2 * ((x + 1) * (width + 2) + y + 1)
            if draw63(key, counter) >= threshold:
                continue
            bits = draw63(key, counter + 1) >> 20
            k = 0
            for dx in range(-1, 2):
                for dy in range(-1, 2):
                    hit = (dx == 0 and dy == 0) or bits >> k & 1 == 1
                    k += 1
                    if hit and 0 <= x + dx < height and 0 <= y + dy < width:
                        bad[x + dx, y + dy] = True


@entry
def draw_breaks(seed, wafer, link_threshold, switch_threshold, track_threshold, which, broken):
    """Mark links, switches and pieces of track of one direction as broken, each by a draw of its own.

    which: 0 for the gaps that horizontal links cross, 1 for the others. broken (gaps, lines, tracks) int8: bits 0b0011
    on all switches of a broken link, 0b1111 on a broken switch, 0b1000 where the piece to the next line is broken.
    """
    key = stream_key(seed, wafer)
    gaps, lines, tracks = broken.shape
    for g in range(gaps):
        for x in range(lines):
            # Far beyond the counters of the elements, which are below 2**32.
            counter = (1 << 40) + ((which * gaps + g) * lines + x) * (tracks + 1)
            link = draw63(key, counter) < link_threshold
            for t in range(tracks):
                broken[g, x, t] = 3 if link else 0
                if draw63(key, counter + 1 + t) < switch_threshold:
                    broken[g, x, t] = 15
                if x + 1 < lines and draw63(key, counter + (1 << 40) + 1 + t) < track_threshold:
                    broken[g, x, t] |= 8


@kernel
def gather_faults(bad, rows, columns, north, west, row, column):
    """Write the defective core elements in row order; returns how many there are."""
    count = 0
    for i in range(north, north + rows):
        for j in range(west, west + columns):
            if bad[i, j]:
                row[count], column[count] = i, j
                count += 1
    return count


@kernel
def _wired(place, owner, offset, other, shift, states, reached, length, turns, step):
    """Set the switches of one direction and trace its wires: 0 when all arrive at the next element of their ring."""
    displacements(place, offset, other, shift)
    if route(shift, offset, states) > 0:
        return 1
    trace(owner, place, states, reached, length, turns)
    rings, along = reached.shape
    wrong = 0
    for i in range(rings):
        for j in range(along):
            after = j + 1 if j + 1 < along else 0
            wanted = i * along + after if step == 1 else after * rings + i
            wrong += reached[i, j] != wanted
    return wrong


@entry(allocates=True)
def local_wafers(seed, first, threshold, clustered, core, height, width, done):
    """Draw, reconfigure locally and verify wafers first, first + 1, ...; done (wafers,) int8: 1 where verified.

    core: a `Core` in an array of height x width elements. Both orders of the local method are tried. One pass holds the
    arrays of one wafer.
    """
    rows, columns, north, west, tracks = core.rows, core.columns, core.north, core.west, core.tracks
    bad = np.empty((height, width), np.bool_)
    row, column = np.empty(rows * columns, np.int64), np.empty(rows * columns, np.int64)
    free = np.zeros(rows * columns, np.int8)
    place, owner = np.empty((rows, columns, 2), np.int32), np.empty((height, width), np.int64)
    turned, owner_t = np.empty((columns, rows, 2), np.int32), np.empty((width, height), np.int64)
    shift, shift_t = np.empty((rows, width), np.int64), np.empty((columns, height), np.int64)
    states = np.empty((width, height, tracks), np.int8)
    states_t = np.empty((height, width, tracks), np.int8)
    out, out_t = np.empty((3, rows, columns), np.int64), np.empty((3, columns, rows), np.int64)
    for w in range(done.size):
        done[w] = 0
        draw_defects(seed, first + w, threshold, clustered, bad)
        n = gather_faults(bad, rows, columns, north, west, row, column)
        direction = np.empty(n, np.int64)
        for outer in range(2):
            if local_directions(bad, row[:n], column[:n], core, outer == 0, free[:n], direction):
                continue
            if place_all(bad, row[:n], column[:n], direction, north, west, place, owner):
                continue
            for i in range(rows):
                for j in range(columns):
                    turned[j, i, 0], turned[j, i, 1] = place[i, j, 1], place[i, j, 0]
            for i in range(height):
                for j in range(width):
                    owner_t[j, i] = owner[i, j]
            if _wired(place, owner, north, west, shift, states, out[0], out[1], out[2], 1):
                continue
            if _wired(turned, owner_t, west, north, shift_t, states_t, out_t[0], out_t[1], out_t[2], 2):
                continue
            done[w] = 1
            break
