"""Kernels: defects of numbered wafers, and whole wafers drawn, reconfigured by the local method and verified.

Used by `defects.py` and `yields.py`. Wafer w of a seed is the same whichever thread makes it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.fault._local import local_directions
from jumpnet.fault._place import displacements, place_all, route
from jumpnet.fault._trace import trace
from jumpnet.jit.linked import entry, kernel
from jumpnet.jit.random import draw63, stream_key
from jumpnet.terms import I32, I64, Array


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


class Wires(NamedTuple):
    """The wires of one direction of an array: the horizontal ones, or with all arrays transposed the vertical ones."""

    place: I32
    """(rings, along, 2) physical place of each logical element."""
    owner: I64
    """(height, width) logical index on each element or -1."""
    shift: I64
    """(rings, width) displacements."""
    states: Array
    """(gaps, lines, tracks) int8, of the switches."""
    found: I64
    """(3, rings, along) element that each wire reaches, its length and turns."""


@kernel(allocates=True)
def _new_wires(rings, along, height, width, tracks):
    """Room for the wires of a core of rings x along elements."""
    return Wires(
        np.empty((rings, along, 2), np.int32),
        np.empty((height, width), np.int64),
        np.empty((rings, width), np.int64),
        np.empty((width, height, tracks), np.int8),
        np.empty((3, rings, along), np.int64),
    )


@kernel
def _transpose(wires, turned):
    """The places of the elements for the other direction."""
    for i in range(wires.place.shape[0]):
        for j in range(wires.place.shape[1]):
            turned.place[j, i, 0], turned.place[j, i, 1] = wires.place[i, j, 1], wires.place[i, j, 0]
    for i in range(wires.owner.shape[0]):
        for j in range(wires.owner.shape[1]):
            turned.owner[j, i] = wires.owner[i, j]


@kernel
def _wired(wires, offset, other, turned):
    """Set the switches of one direction and trace its wires: whether all arrive at the next element of their ring."""
    displacements(wires.place, offset, other, wires.shift)
    if route(wires.shift, offset, wires.states) > 0:
        return False
    reached = wires.found[0]
    trace(wires.owner, wires.place, wires.states, reached, wires.found[1], wires.found[2])
    rings, along = reached.shape
    for i in range(rings):
        for j in range(along):
            after = j + 1 if j + 1 < along else 0
            if reached[i, j] != (after * rings + i if turned else i * along + after):
                return False
    return True


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
    wires = _new_wires(rows, columns, height, width, tracks)
    turned = _new_wires(columns, rows, width, height, tracks)
    for w in range(done.size):
        done[w] = 0
        draw_defects(seed, first + w, threshold, clustered, bad)
        n = gather_faults(bad, rows, columns, north, west, row, column)
        direction = np.empty(n, np.int64)
        for outer in range(2):
            if local_directions(bad, row[:n], column[:n], core, outer == 0, free[:n], direction):
                continue
            if place_all(bad, row[:n], column[:n], direction, north, west, wires.place, wires.owner):
                continue
            _transpose(wires, turned)
            if _wired(wires, north, west, False) and _wired(turned, west, north, True):
                done[w] = 1
                break
