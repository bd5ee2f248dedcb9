"""Checks what says why a wafer cannot be mended, with nothing of the searches that found it.

The claim of a cut (`flow.py`): the logical elements of its region have fewer good physical elements near them than
they are; counting checks it. The claim of a conflict or of lines (`method/exact.py`): no choice of straight paths
serves these faults, or these rows and columns, together; trying all choices checks it, each by its cells and by how
many wires must cross at each place between neighbouring lines. Called by `cli/reconfigure.py` and tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from jumpnet.fault.array import WaferArray
from jumpnet.terms import Array

__all__ = ["cut_holds", "none_together", "places_near"]

MOST_STEPS = 200_000
"""Choices that are tried before a check is given up."""


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


def _clash(array: WaferArray, bad: Array, a: _Choice, b: _Choice, whole: bool) -> bool:
    """Whether two choices exclude each other; whole: what neither row nor column covers is left without a path."""
    if a.level == b.level and a.line == b.line:
        return max(a.low, b.low) >= min(a.high, b.high)
    if a.level != b.level:
        row, column = (a, b) if a.level else (b, a)
        x, y = row.line + array.north, column.line + array.west
        by_row, by_column = y <= row.low or y >= row.high, x <= column.low or x >= column.high
        return (by_row and by_column) or bool(whole and bad[x, y] and not by_row and not by_column)
    lines, length = (array.rows, array.shape[0]) if a.level else (array.columns, array.shape[1])
    apart = abs(a.line - b.line)
    if apart != 1 and not (apart == lines - 1 and length == lines):
        return False
    return _crossing(a.places, b.places) > array.tracks


def _crossing(here: Sequence[int], there: Sequence[int]) -> int:
    """Most wires that must cross between the same two neighbouring positions on their way from one line to the next."""
    spans = [(min(p, q), max(p, q)) for p, q in zip(here, there, strict=True)]
    return max((sum(low <= x < high for low, high in spans) for x in {low for low, _ in spans}), default=0)


def _choices_of_lines(array: WaferArray, bad: Array, level: bool, line: int) -> list[_Choice]:
    """All that a line may do: so many of its first faults to the low end, so many of its last to the high end."""
    row = (bad[line + array.north] if level else bad[:, line + array.west]).tolist()
    first, along = (array.west, array.columns) if level else (array.north, array.rows)
    lines, length = (array.rows, array.shape[0]) if level else (array.columns, array.shape[1])
    faults = [p for p in range(first, first + along) if row[p]]
    still = range(first, first + along)
    found = []
    for low in range(len(faults) + 1):
        for high in range(low, len(faults) + 1):
            ends = faults[low - 1] if low else -1, faults[high] if high < len(faults) else len(row)
            made = _choice(array, bad, level, line, *ends)
            beside = lines < length and line in (0, lines - 1)  # a spare line, where nothing shifts, lies beside
            if made is not None and not (beside and _crossing(made.places, still) > array.tracks):
                found.append(made)
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


def none_together(array: WaferArray, bad: Array, certificate: Mapping[str, Any]) -> bool | None:
    """Whether no choice of straight paths serves the faults of a `conflict`, or the `lines`, of a wafer without breaks.

    None when trying all would take more than `MOST_STEPS`. Cost: exponential in what is named.

    >>> import numpy as np
    >>> array, bad = WaferArray.around(4, 4, 1, "E"), np.zeros((4, 5), bool)
    >>> bad[1, 1:3] = True
    >>> none_together(array, bad, {"kind": "lines", "rows": [1], "columns": [1]})
    True
    >>> none_together(array, bad, {"kind": "lines", "rows": [1], "columns": [2]})
    False
    """
    whole = certificate["kind"] == "lines"
    if whole:
        named = [(True, i) for i in certificate["rows"]] + [(False, j) for j in certificate["columns"]]
        options = [_choices_of_lines(array, bad, level, line) for level, line in named]
    else:
        options = [_choices_of_fault(array, bad, x, y) for x, y in certificate["faults"]]
    todo: list[list[_Choice]] = [[]]
    for _ in range(MOST_STEPS):
        if not todo:
            return True
        chosen = todo.pop()
        if len(chosen) == len(options):
            return False
        for one in options[len(chosen)]:
            if not any(_clash(array, bad, one, other, whole) for other in chosen):
                todo.append([*chosen, one])
    return None
