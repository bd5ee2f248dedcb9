"""Checks what says why a wafer cannot be mended, with nothing of the searches that found it.

The claim of a cut (`flow.py`): the logical elements of its region have fewer good physical elements near them than
they are; counting checks it. The claim of a conflict or of lines (`method/exact.py`): no choice of straight paths
serves these faults, or these rows and columns, together; trying all choices checks it, each by its cells and by how
many wires must cross at each place between neighbouring lines. With broken links, switches and tracks (`breaks.py`) the
choices leave elements beside them idle or not, and a wire is known not to get over a gap where it must use a broken
terminal or where too few tracks are whole; beyond one track a claim may rest on more than that, and stays undecided.
Called by `cli/reconfigure.py` and tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np

from jumpnet.api.public import public
from jumpnet.fault.array import WaferArray
from jumpnet.fault.breaks import Breaks, breaks_from
from jumpnet.terms import I8, Array

__all__ = ["cut_holds", "gaps_hold", "none_together", "places_near", "severed_holds"]

MOST_STEPS = 200_000
"""Choices that are tried before a check is given up."""
MOST_IDLE = 10
"""Elements of a line beside breaks, each of which may be left idle or not, up to which all choices are tried."""
_W, _E, _N, _S = 1, 2, 4, 8
"""Bits of the terminals of a switch that no wire may use, as in `Breaks`."""


def places_near(array: WaferArray, bad: Array, i: int, j: int, moves: str) -> set[tuple[int, int]]:
    """Good physical elements that the logical element (i, j) may go to; `moves` as in `flow.MOVES`.

    >>> import numpy as np
    >>> array = WaferArray(4, 4, 0, 2, 1, 0)
    >>> sorted(places_near(array, np.zeros(array.shape, bool), 0, 0, "straight"))
    [(0, 0), (0, 1), (0, 2), (1, 0)]
    """
    found = set()
    for down in range(-array.north, array.south + 1):
        for right in range(-array.west, array.east + 1):
            if moves == "any" or down == 0 or right == 0:
                x, y = i + array.north + down, j + array.west + right
                if not bad[x, y]:
                    found.add((x, y))
    return found


@public
def cut_holds(array: WaferArray, bad: Array, certificate: Mapping[str, Any]) -> bool:
    """Whether the region of a cut is one of the array and has fewer places than members, those that the cut names.

    certificate: keys `moves`, `region`, `enclosed` and `elements`, as `method/exact.py` gives them.
    Cost: the region times the places near one element.

    >>> import numpy as np
    >>> array, bad = WaferArray.around(4, 4, 1, "E"), np.zeros((4, 5), bool)
    >>> bad[1, 1:3] = True
    >>> words = {"moves": "straight", "enclosed": [(1, 1), (1, 2)], "elements": [(1, 3)]}
    >>> cut_holds(array, bad, {"region": [(1, 1), (1, 2)], **words})
    True
    >>> cut_holds(array, bad, {"region": [(1, 0), (1, 1)], **words})
    False
    """

    def pairs(key: str) -> set[tuple[int, int]]:
        items: Iterable[Sequence[int]] = certificate[key]
        return {(int(item[0]), int(item[1])) for item in items}

    region = pairs("region")
    if any(not (0 <= i < array.rows and 0 <= j < array.columns) for i, j in region):
        return False
    own = {(i + array.north, j + array.west) for i, j in region}
    near = set().union(*(places_near(array, bad, i, j, certificate["moves"]) for i, j in region))
    named = pairs("enclosed") == {place for place in own if bad[place]} and pairs("elements") == near - own
    return named and len(near) < len(region)


class _Choice(NamedTuple):
    """What one line does, or one fault of it."""

    level: bool
    """Whether the line is a row."""
    line: int
    """Logical row or column."""
    low: int
    """Physical position along the line up to which elements shift to the low end, -1 for none."""
    high: int
    """Position from which they shift to the high end, the length of the line for none."""
    places: tuple[int, ...]
    """Physical position of each logical element of the line."""
    known: bool = True
    """Whether its wires to spare lines beside it are known to get there."""


def _choice(array: WaferArray, bad: Array, level: bool, line: int, low: int, high: int) -> _Choice | None:
    """The choice with its places, each the next good one in its direction; None when the line is too short."""
    row = (bad[line + array.north] if level else bad[:, line + array.west]).tolist()
    first, along = (array.west, array.columns) if level else (array.north, array.rows)
    down = [p for p in range(min(low, len(row) - 1), -1, -1) if not row[p]]
    up = [p for p in range(high, len(row)) if not row[p]]
    places = list(range(first, first + along))
    shifted = [c for c in range(along - 1, -1, -1) if c + first <= low], [c for c in range(along) if c + first >= high]
    for free, members in zip((down, up), shifted, strict=True):
        if len(free) < len(members):
            return None
        for c, p in zip(members, free, strict=False):
            places[c] = p
    return _Choice(level, line, low, high, tuple(places))


def _clash(a: _Choice, b: _Choice, array: WaferArray, bad: Array, breaks: Breaks, whole: bool) -> bool | None:
    """Whether two choices exclude each other, None where it is not known.

    whole: the choices are those of lines, so that what neither row nor column covers is left without a path.
    """
    if a.level == b.level and a.line == b.line:
        return max(a.low, b.low) >= min(a.high, b.high)
    if a.level != b.level:
        row, column = (a, b) if a.level else (b, a)
        x, y = row.line + array.north, column.line + array.west
        by_row, by_column = y <= row.low or y >= row.high, x <= column.low or x >= column.high
        return (by_row and by_column) or bool(whole and bad[x, y] and not by_row and not by_column)
    lines, offset, gaps = _across(array, breaks, a.level)
    found: set[bool | None] = set()
    for first, second in ((a, b), (b, a)):
        # The lines of a torus without spares are closed: the last one is beside the first.
        if second.line == first.line + 1 or (first.line + 1, second.line, lines) == (lines, 0, len(gaps)):
            found.add(_barred(first.places, second.places, gaps[first.line + offset]))
    return True if True in found else None if None in found else False


def _across(array: WaferArray, breaks: Breaks, level: bool) -> tuple[int, int, I8]:
    """(rows, spare rows before them, what is broken in the gap after each physical row); the same for columns."""
    return (array.rows, array.north, breaks.columns) if level else (array.columns, array.west, breaks.rows)


def _passes(broken: I8, x: int, track: int) -> bool:
    """Whether a track is whole from the switch at position x to the next."""
    return not broken[x, track] & _S and not broken[x + 1, track] & _N


def _barred(here: Sequence[int], there: Sequence[int], broken: I8) -> bool | None:
    """Whether the wires from these positions of one line cannot all get to those of the next, None for not known.

    broken (positions, tracks): terminals of the gap's switches that no wire may use.
    """
    spans = [(min(p, q), max(p, q)) for p, q in zip(here, there, strict=True)]
    tracks = broken.shape[1]
    for x in {x for low, high in spans for x in range(low, high)}:
        if sum(low <= x < high for low, high in spans) > sum(_passes(broken, x, t) for t in range(tracks)):
            return True
    if any(broken[p, 0] & _W or broken[q, -1] & _E for p, q in zip(here, there, strict=True)):
        return True
    # With one track a wire has one way, of which all is now checked. Where nothing is broken, as many tracks suffice as
    # wires cross at the busiest place.
    return None if tracks > 1 and any(broken[low : high + 1].any() for low, high in spans) else False


def _choices_of_lines(array: WaferArray, bad: Array, breaks: Breaks, level: bool, line: int) -> list[_Choice] | None:
    """All that a line may do: so many of its first faults to the low end, so many of its last to the high end.

    With breaks any good elements beside them may be left idle on the way, as if they were faults. None for too many.
    """
    lines, offset, gaps = _across(array, breaks, level)
    first, along = (array.west, array.columns) if level else (array.north, array.rows)
    x = line + offset
    row, beside = (bad[x], breaks.beside(bad)[x]) if level else (bad[:, x], breaks.beside(bad)[:, x])
    free = np.flatnonzero(beside & ~row).tolist()
    if len(free) > MOST_IDLE:
        return None
    # No wire leaves these places over the gap after the line, or gets there over that before it.
    dead = set(np.flatnonzero((gaps[x, :, 0] & _W) | (gaps[x - 1, :, -1] & _E)).tolist())
    still = range(first, first + along)
    found = []
    for idle in chain.from_iterable(combinations(free, n) for n in range(len(free) + 1)):
        out = bad.copy()
        (out[x] if level else out[:, x])[list(idle)] = True
        faults = [p for p in still if (out[x, p] if level else out[p, x])]
        for low, high in combinations(range(len(faults) + 2), 2):
            ends = faults[low - 1] if low else -1, faults[high - 1] if high <= len(faults) else len(row)
            made = _choice(array, out, level, line, *ends)
            if made is None or dead.intersection(made.places) or any(ends[0] < p < ends[1] for p in idle):
                continue
            wires = set[bool | None]()
            if lines < len(gaps):  # a spare line, where nothing shifts, lies beside the first line and the last
                wires |= {_barred(still, made.places, gaps[x - 1])} if line == 0 else set()
                wires |= {_barred(made.places, still, gaps[x])} if line == lines - 1 else set()
            if True not in wires:
                found.append(made._replace(known=None not in wires))
    return found


def _choices_of_fault(array: WaferArray, bad: Array, x: int, y: int) -> list[_Choice]:
    """The straight paths from a fault to a spare that meet no other defective element."""
    found = []
    for level, line, p, before, after in (
        (True, x - array.north, y, bad[x, :y], bad[x, y + 1 :]),
        (False, y - array.west, x, bad[:x, y], bad[x + 1 :, y]),
    ):
        length = array.shape[1] if level else array.shape[0]
        for path, ends in ((before, (p, length)), (after, (-1, p))):
            made = None if path.any() else _choice(array, bad, level, line, *ends)
            if made is not None:
                found.append(made)
    return found


def none_together(
    array: WaferArray, bad: Array, certificate: Mapping[str, Any], breaks: Breaks | None = None
) -> bool | None:
    """Whether no choice of straight paths serves the faults of a `conflict`, or the `lines`, of a wafer.

    None when trying all would take more than `MOST_STEPS`, and where broken tracks leave it open whether wires get over
    a gap. Cost: exponential in what is named.

    >>> import numpy as np
    >>> array, bad = WaferArray.around(4, 4, 1, "E"), np.zeros((4, 5), bool)
    >>> bad[1, 1:3] = True
    >>> none_together(array, bad, {"kind": "lines", "rows": [1], "columns": [1]})
    True
    >>> none_together(array, bad, {"kind": "lines", "rows": [1], "columns": [2]})
    False
    """
    whole, broken = certificate["kind"] == "lines", breaks or breaks_from(array)
    options: list[list[_Choice]] = []
    if whole:
        for level, line in ((n == 0, k) for n, key in enumerate(("rows", "columns")) for k in certificate[key]):
            of_line = _choices_of_lines(array, bad, broken, level, line)
            if of_line is None:
                return None
            options.append(of_line)
    else:
        options = [_choices_of_fault(array, bad, x, y) for x, y in certificate["faults"]]
    todo: list[tuple[bool, list[_Choice]]] = [(True, [])]  # choices that fit, and whether that is known
    open_question = False
    for _ in range(MOST_STEPS):
        if not todo:
            return None if open_question else True
        known, chosen = todo.pop()
        if len(chosen) == len(options):
            if known:
                return False
            open_question = True
            continue
        for one in options[len(chosen)]:
            clashes = {_clash(one, other, array, bad, broken, whole) for other in chosen}
            if True not in clashes:
                todo.append((known and one.known and None not in clashes, [*chosen, one]))
    return None


def gaps_hold(array: WaferArray, breaks: Breaks, certificate: Mapping[str, Any]) -> bool | None:
    """Whether the gaps of a `blocked` lie between spare lines and cannot be crossed; None where that is not known.

    >>> breaks = breaks_from(WaferArray(4, 4), [("link", 2, 5, "E", 0)])
    >>> gaps_hold(WaferArray(4, 4), breaks, {"kind": "blocked", "columns": [5], "rows": []})
    True
    """
    found: list[bool | None] = []
    for key, level in (("rows", True), ("columns", False)):
        lines, offset, gaps = _across(array, breaks, level)
        first, along = (array.west, array.columns) if level else (array.north, array.rows)
        still = range(first, first + along)
        for gap in certificate[key]:
            if any(offset <= x % len(gaps) < offset + lines for x in (gap, gap + 1)):
                return False
            found.append(_barred(still, still, gaps[gap]))
    return False if False in found else None if None in found else bool(found)


def severed_holds(array: WaferArray, breaks: Breaks, certificate: Mapping[str, Any]) -> bool:
    """Whether each line of a `severed` has a spare of its own that no wire can leave or enter, though its ring must.

    >>> breaks = breaks_from(WaferArray(4, 4), [("link", 2, 0, "E", 0)])
    >>> severed_holds(WaferArray(4, 4), breaks, {"kind": "severed", "rows": [1], "columns": []})
    True
    """
    for key, gaps, offset, first, along in (
        ("rows", breaks.rows, array.north, array.west, array.columns),
        ("columns", breaks.columns, array.west, array.north, array.rows),
    ):
        spares = [p for p in range(len(gaps)) if not first <= p < first + along]
        for line in certificate[key]:
            own = gaps[:, line + offset]
            if not any(own[p, 0] & _W or own[p - 1, -1] & _E for p in spares):
                return False
    return bool(certificate["rows"] or certificate["columns"])
