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

from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from jumpnet.fault._place import clashes
from jumpnet.fault.array import EAST, NORTH, SOUTH, WEST, WaferArray
from jumpnet.fault.breaks import Breaks, breaks_from
from jumpnet.fault.candidates import Candidates
from jumpnet.fault.configuration import core_faults
from jumpnet.fault.tracks import set_gap
from jumpnet.terms import I8, I64, Array

__all__ = ["LineChoices", "blocked", "choose_sides", "line_choices"]

MOST_FREE = 4
"""Elements of a line beside breaks of which each may be used or left idle; further ones are left idle where passed."""


class _Way(NamedTuple):
    """What one line may do."""

    line: int
    low: tuple[int, ...]
    """Physical positions of its faults that go to the low end (west or north): the first ones."""
    high: tuple[int, ...]
    """Those that go to the high end: the last ones."""
    idle: tuple[int, ...]
    """Physical positions of good elements beside breaks that it leaves idle where its paths meet them."""
    covers: Array
    """(along,) bool: places of the core that its paths start at or pass."""
    shift: I64
    """(along,) how far each logical element is shifted."""


class LineChoices(NamedTuple):
    """Ways of all lines, rows first, then columns, as the vertices of a contradiction graph."""

    ways: list[_Way]
    graph: Candidates
    """`faults` has a row for each line, `fault` the line of each way, `side` its number."""


def _shift(bad: Array, first: int, along: int, low: tuple[int, ...], high: tuple[int, ...]) -> I64:
    """Displacement of each element of a line: each takes the next good place, as `_place.place_lines` has it."""
    shift = np.zeros(along, np.int64)
    if high:
        p = high[0]
        for c in range(high[0] - first, along):
            while bad[p]:
                p += 1
            shift[c] = p - (c + first)
            p += 1
    if low:
        p = low[-1]
        for c in range(low[-1] - first, -1, -1):
            while bad[p]:
                p -= 1
            shift[c] = p - (c + first)
            p -= 1
    return shift


def _ways_with(row: Array, i: int, first: int, along: int, idle: tuple[int, ...]) -> list[_Way]:
    """The ways of line i, in which elements of `row` are not to be used, that pass all of the idle ones."""
    faults = tuple((np.flatnonzero(row[first : first + along]) + first).tolist())
    spare_low, spare_high = int((~row[:first]).sum()), int((~row[first + along :]).sum())
    found = []
    for low in range(min(spare_low, len(faults)) + 1):
        for high in range(min(spare_high, len(faults) - low) + 1):
            before, after = faults[:low], faults[len(faults) - high :]
            end, start = max(before, default=-1), min(after, default=len(row))
            if all(p <= end or p >= start for p in idle):  # others would be left to the line across
                core = np.arange(first, first + along)
                covers = (core <= end) | (core >= start)
                found.append(_Way(i, before, after, idle, covers, _shift(row, first, along, before, after)))
    return found


def _ways(bad: Array, free: Array, offset: int, first: int, lines: int, along: int) -> list[list[_Way]]:
    """The ways of each line of an array (for columns: of the transposed one). free: what may be left idle or not."""
    found = []
    for i in range(lines):
        row, choice = bad[i + offset], np.flatnonzero(free[i + offset]).tolist()
        kept, rest, row = choice[:MOST_FREE], tuple(choice[MOST_FREE:]), row.copy()
        row[list(rest)] = True
        of_line: dict[tuple[object, ...], _Way] = {}
        for n in range(len(kept) + 1):
            for idle in combinations(kept, n):
                without = row.copy()
                without[list(idle)] = True
                for way in _ways_with(without, i, first, along, idle):
                    of_line.setdefault((way.low, way.high, way.shift.tobytes()), way._replace(idle=idle + rest))
        found.append(list(of_line.values()))
    return found


def _wired(one: I64, two: I64, first: int, broken: I8) -> bool:
    """Whether the tracks between two neighbouring lines that are shifted so suffice, and no wire meets a break.

    broken (positions, tracks): the broken terminals of the switches in the gap between the lines.
    """
    if not (broken.any() or one.any() or two.any()):
        return True
    before, after = (np.arange(len(one)) + first + shift for shift in (one, two))
    return set_gap(before, after, broken) is not None


def _clashing(before: list[_Way], after: list[_Way], first: int, broken: I8) -> list[tuple[_Way, _Way]]:
    """Pairs of ways of two neighbouring lines that the tracks of the gap between them do not serve; as `_wired`."""
    if broken.any() or not (before and after):
        return [(a, b) for a in before for b in after if not _wired(a.shift, b.shift, first, broken)]
    from_lines, to_lines = (np.array([w.shift for w in ways]) for ways in (before, after))
    rings = np.arange(from_lines.shape[1]) + first
    found = np.empty((len(before), len(after)), bool)
    clashes(from_lines + rings, to_lines + rings, *broken.shape, found)
    return [(before[a], after[b]) for a, b in np.argwhere(found).tolist()]


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
    return kept, [
        clash
        for gap, (before, after) in enumerate(pairs, offset)
        for clash in _clashing(before, after, first, broken[gap])
    ]


def line_choices(array: WaferArray, bad: Array, breaks: Breaks | None = None) -> LineChoices:
    """Every way of every line, and the pairs that exclude each other. Cost: (lines x ways)^2.

    bad: with breaks the elements that `breaks.needed` gives; others that are `breaks.beside` one may be left idle.

    >>> from jumpnet.fault.defects import from_places
    >>> array = WaferArray(4, 4, 2, 2, 2, 2)
    >>> found = line_choices(array, from_places(array, [(3, 2), (3, 4)]))
    >>> [(way.low, way.high) for way in found.ways if way.line == 1][:6]
    [((), ()), ((), (4,)), ((), (2, 4)), ((2,), ()), ((2,), (4,)), ((2, 4), ())]
    """
    height, width = array.shape
    broken = breaks or breaks_from(array)
    free = broken.beside(bad) & ~bad
    rows = _ways(bad, free, array.north, array.west, array.rows, array.columns)
    columns = _ways(bad.T, free.T, array.west, array.north, array.columns, array.rows)
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


def choose_sides(array: WaferArray, bad: Array, found: LineChoices, chosen: dict[int, int]) -> tuple[Array, I64]:
    """What is not to be used, and the side of each core fault of that, from the way chosen for each line.

    The side is -1 where no way covers a fault. (height, width) bool and (faults,), as `configure` takes them.
    """
    idle, side = bad.copy(), np.full(array.shape, -1, np.int64)
    for line, number in chosen.items():
        way, level = found.ways[number], line < array.rows
        own = (line + array.north) if level else (line - array.rows + array.west)
        of_idle, of_side = (idle[own], side[own]) if level else (idle[:, own], side[:, own])
        first, along = (array.west, array.columns) if level else (array.north, array.rows)
        of_side[list(way.low)] = WEST if level else NORTH
        of_side[list(way.high)] = EAST if level else SOUTH
        passed = (*way.low, *way.high)
        of_idle[[p for p in way.idle if p in passed or not first <= p < first + along]] = True
    faults = core_faults(array, idle)
    return idle, side[faults[:, 0], faults[:, 1]]


def blocked(array: WaferArray, breaks: Breaks) -> dict[str, list[int]]:
    """Gaps beside spare lines only, where nothing shifts, that no choice of tracks carries all rings over.

    Keys columns (gaps after these physical columns) and rows.

    >>> blocked(WaferArray(4, 4), breaks_from(WaferArray(4, 4), [("link", 2, 5, "E", 0)]))
    {'columns': [5], 'rows': []}
    """
    found: dict[str, list[int]] = {}
    for name, broken, first, lines, offset, rings in (
        ("columns", breaks.rows, array.west, array.columns, array.north, array.rows),
        ("rows", breaks.columns, array.north, array.rows, array.west, array.columns),
    ):
        core = (np.arange(len(broken)) >= first) & (np.arange(len(broken)) < first + lines)
        outside = np.flatnonzero(~core & ~np.roll(core, -1))
        still = np.zeros(rings, np.int64)
        found[name] = [g for g in outside.tolist() if not _wired(still, still, offset, broken[g])]
    return found
