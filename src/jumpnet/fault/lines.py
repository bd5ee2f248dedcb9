"""How whole lines may shift, and which choices exclude each other: the methods `graph` and `exact` with several spares.

With more than one spare line a side, conflicts are no longer between pairs of compensation paths (Kung, Jean and Chan
1989, see `candidates`): two faults of a line shift what lies beyond both by two. They are between pairs of lines, when
a vertex is all that one row or column does: so many of its faults go to the low end, so many to the high end, the
others are left to the lines across. The generalisation is ours. Two vertices exclude each other when they are of one
line, when one fault is covered twice or not at all, when paths cross, and when the tracks between neighbouring lines do
not suffice (asked of the router of `_place`, so that what is left is wired). Broken links, switches and tracks come in
at the same place: two ways clash when a wire between the two lines would use one. With them one spare line a side goes
this way too, as not to shift a line is then a choice with consequences.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from jumpnet.fault._place import route_gap
from jumpnet.fault._trace import trace
from jumpnet.fault.array import EAST, NORTH, SOUTH, WEST, WaferArray
from jumpnet.fault.breaks import Breaks, breaks_from
from jumpnet.fault.candidates import Candidates
from jumpnet.fault.configuration import core_faults
from jumpnet.terms import I8, I64, Array

__all__ = ["LineChoices", "directions", "line_choices"]


class _Way(NamedTuple):
    """What one line may do."""

    line: int
    low: int
    """Its first faults, so many of them, go to the low end (west or north)."""
    high: int
    """Its last faults, so many of them, go to the high end."""
    covers: Array
    """(along,) bool: places of the core that its paths start at or pass."""
    shift: I64
    """(along,) how far each logical element is shifted."""


class LineChoices(NamedTuple):
    """Ways of all lines, rows first, then columns, as the vertices of a contradiction graph."""

    ways: list[_Way]
    graph: Candidates
    """`faults` has a row for each line, `fault` the line of each way, `side` its number."""


def _shift(bad: Array, first: int, along: int, faults: list[int], low: int, high: int) -> I64:
    """Displacement of each element of a line: each takes the next good place, as `_place.place_lines` has it."""
    shift = np.zeros(along, np.int64)
    if high:
        p = faults[-high]
        for c in range(faults[-high] - first, along):
            while bad[p]:
                p += 1
            shift[c] = p - (c + first)
            p += 1
    if low:
        p = faults[low - 1]
        for c in range(faults[low - 1] - first, -1, -1):
            while bad[p]:
                p -= 1
            shift[c] = p - (c + first)
            p -= 1
    return shift


def _ways(bad: Array, offset: int, first: int, lines: int, along: int) -> list[list[_Way]]:
    """The ways of each line of an array (for columns: of the transposed one)."""
    found = []
    for i in range(lines):
        row = bad[i + offset]
        faults = (np.flatnonzero(row[first : first + along]) + first).tolist()
        spare_low, spare_high = int((~row[:first]).sum()), int((~row[first + along :]).sum())
        of_line = []
        for low in range(min(spare_low, len(faults)) + 1):
            for high in range(min(spare_high, len(faults) - low) + 1):
                covers = np.zeros(along, bool)
                if low:
                    covers[: faults[low - 1] - first + 1] = True
                if high:
                    covers[faults[-high] - first :] = True
                of_line.append(_Way(i, low, high, covers, _shift(row, first, along, faults, low, high)))
        found.append(of_line)
    return found


def _wired(one: I64, two: I64, first: int, broken: I8) -> bool:
    """Whether the tracks between two neighbouring lines that are shifted so suffice, and no wire meets a break.

    broken (positions, tracks): the broken terminals of the switches in the gap between the lines.
    """
    unbroken = not broken.any()
    if unbroken and not one.any() and not two.any():
        return True
    before, after = (np.arange(len(one)) + first + shift for shift in (one, two))
    states, used = np.zeros((1, *broken.shape), np.int8), np.zeros(len(one), np.int64)
    if route_gap(before, after, broken.shape[1], used, states, 0) > 0:
        return False
    if unbroken:
        return True
    # The one gap, closed to a torus of one position: each wire has to end on its own ring.
    rings = np.arange(len(one))
    owner, place = np.full((len(broken), 1), -1, np.int64), np.zeros((len(one), 1, 2), np.int32)
    owner[after, 0], place[:, 0, 0] = rings, before
    reached, length, turns = (np.empty((len(one), 1), np.int64) for _ in range(3))
    trace(owner, place, states + 4 * broken, reached, length, turns)
    return bool((reached[:, 0] == rings).all())


def _neighbours(
    ways: list[list[_Way]], closed: bool, offset: int, first: int, broken: I8
) -> tuple[list[list[_Way]], list[tuple[_Way, _Way]]]:
    """The ways that the spare lines beside the core allow, and the pairs of ways that exclude each other by the wires
    between them. offset: the spare lines before the first line; broken (gaps, positions, tracks) as in `Breaks`."""
    still = np.zeros(len(ways[0][0].shift), np.int64)
    kept = [list(of_line) for of_line in ways]
    last = offset + len(ways) - 1
    if not closed:  # beyond the first and the last line of the core, nothing shifts
        kept[0] = [w for w in kept[0] if _wired(still, w.shift, first, broken[offset - 1])]
        kept[-1] = [w for w in kept[-1] if _wired(w.shift, still, first, broken[last])]
    pairs = [*pairwise(kept), *([(kept[-1], kept[0])] if closed else [])]
    clashes = [
        (a, b)
        for gap, (before, after) in enumerate(pairs, offset)
        for a in before
        for b in after
        if not _wired(a.shift, b.shift, first, broken[gap])
    ]
    return kept, clashes


def line_choices(array: WaferArray, bad: Array, breaks: Breaks | None = None) -> LineChoices:
    """Every way of every line, and the pairs that exclude each other. Cost: (lines x ways)^2.

    bad: with broken links and switches the elements that `breaks.idled` gives.

    >>> from jumpnet.fault.defects import from_places
    >>> array = WaferArray(4, 4, 2, 2, 2, 2)
    >>> found = line_choices(array, from_places(array, [(3, 2), (3, 4)]))
    >>> [(way.low, way.high) for way in found.ways if way.line == 1][:6]
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0)]
    """
    height, width = array.shape
    rows = _ways(bad, array.north, array.west, array.rows, array.columns)
    columns = _ways(np.ascontiguousarray(bad.T), array.west, array.north, array.columns, array.rows)
    broken = breaks or breaks_from(array)
    rows, row_clashes = _neighbours(rows, height == array.rows, array.north, array.west, broken.columns)
    columns, column_clashes = _neighbours(columns, width == array.columns, array.west, array.north, broken.rows)
    ways = [way for of_line in (*rows, *columns) for way in of_line]
    number = {id(way): k for k, way in enumerate(ways)}
    split = sum(map(len, rows))
    conflict = np.zeros((len(ways), len(ways)), bool)
    for a, b in (*row_clashes, *column_clashes):
        conflict[number[id(a)], number[id(b)]] = True
    if split and split < len(ways):
        i, j = np.array([w.line for w in ways[:split]]), np.array([w.line for w in ways[split:]])
        by_row = np.array([w.covers for w in ways[:split]])[:, j]
        by_column = np.array([w.covers for w in ways[split:]])[:, i].T
        core = bad[array.north : array.north + array.rows, array.west : array.west + array.columns]
        conflict[:split, split:] = np.where(core[np.ix_(i, j)], by_row == by_column, by_row & by_column)
    conflict |= conflict.T
    line = np.array([w.line for w in ways[:split]] + [array.rows + w.line for w in ways[split:]], np.int64)
    places = np.full((array.rows + array.columns, 2), -1, np.int64)
    return LineChoices(ways, Candidates(places, line, np.arange(len(ways)), conflict))


def directions(array: WaferArray, bad: Array, found: LineChoices, chosen: dict[int, int]) -> I64:
    """(faults,) the side of each of `core_faults`, from the way chosen for each line; -1 where none covers a fault."""
    faults = core_faults(array, bad)
    result = np.full(len(faults), -1, np.int64)
    for line, number in chosen.items():
        way = found.ways[number]
        axis = 1 if line < array.rows else 0
        own = (line + array.north) if axis == 1 else (line - array.rows + array.west)
        of_line = np.flatnonzero(faults[:, 1 - axis] == own)
        of_line = of_line[np.argsort(faults[of_line, axis])]
        result[of_line[: way.low]] = WEST if axis == 1 else NORTH
        if way.high:
            result[of_line[-way.high :]] = EAST if axis == 1 else SOUTH
    return result
