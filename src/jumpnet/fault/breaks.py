"""Broken links, switches and tracks of an array: which terminals of which switches no wire may use.

Used by `defects.py`, `configuration.py`, `lines.py` and the methods. The reading is ours (docs/decisions/0020): a
broken switch passes nothing, a broken link carries nothing between its two elements, a broken track nothing between two
neighbouring switches. Whatever a defect does to a switch, a wafer that never uses it works.

What follows from the wires of `configuration.py`: an element sends its wires over the links on both its sides, and a
ring passes every element of its own line that it is not shifted off. Hence an element whose link ends at a break must
be left idle (`needed`) and, in a line of the core, be compensated across the line: `barred` tells a method so. Where
such a link ends at a spare of its own line, nothing can be done: `severed`. With one track every break on a link is of
this kind. A switch broken on one of several tracks leaves a wire a way by another track, so that the elements beside it
may be used or left idle, whichever serves: `beside` has all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.fault.array import EAST, NORTH, SOUTH, WEST, WaferArray
from jumpnet.terms import I8, I64, Array

__all__ = ["KINDS", "LINK", "Break", "Breaks", "breaks_from"]

LINK, TRACK_ON, SWITCH = 0b0011, 0b1000, 0b1111
"""Bits of the terminals 0 west, 1 east, 2 north, 3 south of `_trace.leaves`: those along the link, the one to the next
line, all."""
KINDS = {"link": LINK, "switch": SWITCH, "track": TRACK_ON}

Break = tuple[str, int, int, str, int]
"""Kind (link, switch or track), physical row and column of an element, the side E or S of the gap, and the track.

The link goes from the element over the gap on that side to the next element, round the torus; a switch is that of the
link and the track; a piece of track goes from that switch to the one of the next row (side E) or column (side S). The
track of a link is not read."""


@dataclass(frozen=True, eq=False)
class Breaks:
    """Terminals that no wire may use, as bits, shaped like the switches of `Reconfiguration`.

    >>> array = WaferArray(4, 4)
    >>> broken = breaks_from(array, [("link", 2, 3, "E", 0)])
    >>> np.argwhere(broken.needed(np.zeros(array.shape, bool))).tolist()
    [[2, 3], [2, 4]]
    """

    rows: I8
    """(width, height, tracks) for the switches of horizontal links: gap after the column, row, track."""
    columns: I8
    """(height, width, tracks) for the switches of vertical links: gap after the row, column, track."""

    @property
    def any(self) -> bool:
        """Whether anything is broken."""
        return bool(self.rows.any() or self.columns.any())

    @property
    def count(self) -> int:
        """Number of switches that have a terminal no wire may use."""
        return int((self.rows > 0).sum() + (self.columns > 0).sum())

    def _ends(self, useless: bool) -> tuple[Array, Array]:
        """(height, width) bool twice: elements at a broken end of a horizontal link, of a vertical one.

        useless: only where no wire can leave or enter the element; else wherever something is broken along the link.
        """
        found = []
        for dead in (self.rows, self.columns):
            along = (dead & LINK > 0).any(axis=2)
            near, far = (dead[:, :, 0] & 0b01 > 0, dead[:, :, -1] & 0b10 > 0) if useless else (along, along)
            found.append(near | np.roll(far, 1, 0))
        return found[0].T, found[1]

    def needed(self, bad: Array) -> Array:
        """(height, width) bool: the defective elements and those at an end of a link that no wire can pass there."""
        horizontal, vertical = self._ends(True)
        return np.ascontiguousarray(bad | horizontal | vertical)

    def beside(self, bad: Array) -> Array:
        """(height, width) bool: the defective elements and those with anything broken on a link of theirs."""
        horizontal, vertical = self._ends(False)
        return np.ascontiguousarray(bad | horizontal | vertical)

    def barred(self, faults: I64, useless: bool) -> I8:
        """(faults,) bits of the sides that each fault may not shift to: along a link broken as in `_ends`."""
        sides = ((1 << EAST) + (1 << WEST), (1 << NORTH) + (1 << SOUTH))
        found = np.zeros(len(faults), np.int8)
        for ends, bits in zip(self._ends(useless), sides, strict=True):
            found |= np.where(ends[faults[:, 0], faults[:, 1]], bits, 0).astype(np.int8)
        return found

    def severed(self, array: WaferArray) -> tuple[list[int], list[int]]:
        """Logical rows and columns with a useless link beside a spare of their own line, where no ring can be shifted.

        >>> breaks_from(WaferArray(4, 4), [("link", 2, 0, "E", 0)]).severed(WaferArray(4, 4))
        ([1], [])
        """
        found = []
        for dead, first, along, across, lines in (
            (self.rows, array.west, array.columns, array.north, array.rows),
            (self.columns, array.north, array.rows, array.west, array.columns),
        ):
            core = (np.arange(len(dead)) >= first) & (np.arange(len(dead)) < first + along)
            before, after = ~core[:, None], ~np.roll(core, -1)[:, None]  # spares at either end of the links of a gap
            own = dead[:, across : across + lines]
            useless = before & (own[:, :, 0] & 0b01 > 0) | after & (own[:, :, -1] & 0b10 > 0)
            found.append(np.flatnonzero(useless.any(axis=0)).tolist())
        return found[0], found[1]


@public
def breaks_from(array: WaferArray, places: Iterable[Break] = (), where: str = "defects") -> Breaks:
    """What the given links, switches and tracks forbid; raises JumpnetError for one that the array does not have.

    >>> breaks_from(WaferArray(4, 4)).any
    False
    """
    height, width = array.shape
    rows = np.zeros((width, height, array.tracks), np.int8)
    columns = np.zeros((height, width, array.tracks), np.int8)
    for kind, x, y, side, track in places:
        if side not in ("E", "S"):
            raise JumpnetError(f"{where}: side {side[:20]!r} of a {kind} found, E or S expected")
        beyond = kind == "track" and (x + 1 >= height if side == "E" else y + 1 >= width)
        if not (0 <= x < height and 0 <= y < width) or beyond:
            raise JumpnetError(
                f"{where}: {kind} ({x}, {y}, {side}) found, rows 0 to {height - 1} and columns 0 to {width - 1}"
                f" expected (spares included); tracks do not go round"
            )
        if kind != "link" and not 0 <= track < array.tracks:
            raise JumpnetError(f"{where}: track {track} of a {kind} found, 0 to {array.tracks - 1} expected")
        switches = rows[y, x] if side == "E" else columns[x, y]
        switches[slice(None) if kind == "link" else track] |= KINDS[kind]
    return Breaks(rows, columns)
