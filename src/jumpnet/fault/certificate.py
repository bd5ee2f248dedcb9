"""Checks a cut that says why a wafer cannot be mended, by counting, with nothing of the search that found it.

The claim of a cut (`flow.py`): the logical elements of its region have fewer good physical elements near them than
they are. Called by `cli/reconfigure.py` and tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jumpnet.fault.array import WaferArray
from jumpnet.terms import Array

__all__ = ["cut_holds", "places_near"]


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
