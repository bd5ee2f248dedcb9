"""A configured array: where every logical element is, how each switch is set, and the check of every wire.

Source: inoguchi1996srt, section 5.1. `configure` makes it from one direction for each fault, as the methods find
them; `verify` traces it independently. Used by `method/`, `analysis/reconfigure.py` and `plot/wafer.py`.

How the wires run: ring i of the torus (a logical row) passes every physical column once, on its own physical row,
except where its element was shifted across it; there it follows the element by one of the tracks in the gaps beside.
Elements that are not used conduct straight through. The same holds for logical columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jumpnet.fault._place import displacements, place_all, route
from jumpnet.fault._trace import trace
from jumpnet.fault.array import WaferArray
from jumpnet.fault.breaks import Breaks, breaks_from
from jumpnet.fault.tracks import set_gap
from jumpnet.terms import I8, I32, I64, Array

__all__ = ["Reconfiguration", "Wires", "configure", "core_faults", "transposed", "verify"]


@dataclass(frozen=True, eq=False)
class Wires:
    """What tracing found, for each logical element its wire to the east neighbour and to the south neighbour."""

    east: I64
    """(rows, columns) logical index that the wire from the east side enters, -1 for none."""
    south: I64
    """(rows, columns) logical index that the wire from the south side enters, -1 for none."""
    east_length: I64
    """(rows, columns) segments of the wire; a wire between neighbours has one, and the wrap-around counts as one."""
    south_length: I64
    """(rows, columns) segments of the wire to the south."""
    east_turns: I64
    """(rows, columns) switches at which the wire turns."""
    south_turns: I64
    """(rows, columns) switches at which the wire to the south turns."""

    @property
    def longest(self) -> int:
        """Segments of the longest wire."""
        return int(max(self.east_length.max(), self.south_length.max()))


@dataclass(frozen=True, eq=False)
class Reconfiguration:
    """The answer of a method for one wafer."""

    array: WaferArray
    method: str
    bad: Array
    """(height, width) bool, the defective elements and those left idle beside broken links and switches."""
    faults: I64
    """(faults, 2) physical places of the defective core elements, in row order."""
    direction: I64
    """(faults,) side each fault's compensation path runs to: 0 north, 1 east, 2 south, 3 west, -1 none."""
    place: I32
    """(rows, columns, 2) physical place of each logical element, -1 without one."""
    owner: I64
    """(height, width) logical index on each physical element, -1 where unused."""
    row_switches: I8
    """(width, height, tracks) states of the switches of horizontal links: gap after the column, row, track."""
    column_switches: I8
    """(height, width, tracks) states of the switches of vertical links: gap after the row, column, track."""
    wires: Wires
    verified: bool
    """Whether every wire was traced to the right element, no element is defective, absent or used twice, and no two
    compensation paths claim one element."""
    certificate: Mapping[str, Any] | None = field(default=None)
    """Why there is no repair, when the method can say."""
    breaks: Breaks | None = field(default=None)
    """The broken links, switches and tracks, None for none."""

    @property
    def repaired(self) -> bool:
        """Whether every logical element has a good place and every wire was followed to it."""
        return self.verified

    @property
    def unrepaired(self) -> I64:
        """(n, 2) faults without a compensation path, when that is why; empty when repaired."""
        return self.faults[self.direction < 0]

    def paths(self) -> list[list[tuple[int, int]]]:
        """Each compensation path: the places from the fault on to the spare, each taken by the element before it.

        >>> from jumpnet.fault.defects import from_places
        >>> from jumpnet.fault.method import method
        >>> array = WaferArray(3, 3)
        >>> method("local")(array, from_places(array, [(2, 2)])).paths()
        [[(2, 2), (1, 2), (0, 2)]]
        """
        steps = ((-1, 0), (0, 1), (1, 0), (0, -1))
        height, width = self.array.shape
        spare_of = self._ends()
        found = []
        for k, ((x, y), d) in enumerate(zip(self.faults.tolist(), self.direction.tolist(), strict=True)):
            if d < 0:
                continue
            path, (dx, dy) = [(x, y)], steps[d]
            while 0 <= x + dx < height and 0 <= y + dy < width and path[-1] != spare_of[k]:
                x, y = x + dx, y + dy
                if not self.bad[x, y]:
                    path.append((x, y))
            found.append(path)
        return found

    def _ends(self) -> dict[int, tuple[int, int]]:
        """The spare that each path ends on: on one line, the path that starts nearest to the edge takes the first."""
        steps = ((-1, 0), (0, 1), (1, 0), (0, -1))
        lines: dict[tuple[int, int], list[int]] = {}
        for k, d in enumerate(self.direction.tolist()):
            if d >= 0:
                lines.setdefault((d, int(self.faults[k, 1 if d in (0, 2) else 0])), []).append(k)
        ends: dict[int, tuple[int, int]] = {}
        for (d, _), members in lines.items():
            dx, dy = steps[d]
            members.sort(key=lambda k: dx * self.faults[k, 0] + dy * self.faults[k, 1], reverse=True)
            x, y = (int(v) for v in self.faults[members[0]])
            for k in members:
                while True:
                    x, y = x + dx, y + dy
                    if not self.array.is_core(x, y) and not self.bad[x, y]:
                        break
                ends[k] = (x, y)
        return ends


def core_faults(array: WaferArray, bad: Array) -> I64:
    """(faults, 2) physical places of the defective elements of the core, in row order.

    >>> array = WaferArray(2, 2)
    >>> core_faults(array, np.eye(4, dtype=bool)).tolist()
    [[1, 1], [2, 2]]
    """
    core = np.zeros(array.shape, bool)
    core[array.north : array.north + array.rows, array.west : array.west + array.columns] = True
    return np.argwhere(np.asarray(bad, bool) & core).astype(np.int64)


def transposed(place: I32) -> I32:
    """(columns, rows, 2) column and row of each place, from (rows, columns, 2) row and column: as the kernels take them
    for the vertical links."""
    return np.ascontiguousarray(place.transpose(1, 0, 2)[:, :, ::-1])


def configure(
    array: WaferArray, bad: Array, direction: I64, method: str, certificate: Any = None, breaks: Breaks | None = None
) -> Reconfiguration:
    """Place every element, set every switch and trace every wire. Cost: about the number of switches.

    direction (faults,): the side for each of `core_faults(array, bad)`, -1 for none. bad: elements not to be used, with
    breaks     also those at least that `breaks.needed` gives.
    """
    height, width = array.shape
    faults = core_faults(array, bad)
    direction = np.asarray(direction, np.int64)
    place = np.empty((array.rows, array.columns, 2), np.int32)
    owner = np.empty((height, width), np.int64)
    rows, columns = np.ascontiguousarray(faults[:, 0]), np.ascontiguousarray(faults[:, 1])
    conflicts = place_all(bad, rows, columns, direction, array.north, array.west, place, owner)
    states = []
    for where, offset, other, shape in (
        (place, array.north, array.west, (height, width)),
        (transposed(place), array.west, array.north, (width, height)),
    ):
        shift = np.empty((where.shape[0], shape[1]), np.int64)
        displacements(where, offset, other, shift)
        switches = np.empty((shape[1], shape[0], array.tracks), np.int8)
        route(shift, offset, switches)
        if breaks is not None:
            _route_round(shift, offset, breaks.rows if where is place else breaks.columns, switches)
        states.append(switches)
    wires, sound = verify(array, bad, place, states[0], states[1], breaks)
    # Paths that claim one element may still be wired by luck; then they are not the paths that `direction` tells.
    verified = sound and conflicts == 0
    if not verified and breaks is not None and any(lost := breaks.severed(array)):
        certificate = {"kind": "severed", "rows": lost[0], "columns": lost[1]}
    return Reconfiguration(
        array, method, bad, faults, direction, place, owner, states[0], states[1], wires, verified, certificate, breaks
    )


def _route_round(shift: I64, offset: int, broken: I8, states: I8) -> None:
    """Set the gaps with breaks again so that no wire meets one, where some choice of tracks allows it."""
    rings = np.arange(len(shift)) + offset
    for g in np.flatnonzero(broken.any(axis=(1, 2))).tolist():
        found = set_gap(rings + shift[:, g], rings + shift[:, (g + 1) % len(broken)], broken[g])
        if found is not None:
            states[g] = found


def verify(
    array: WaferArray, bad: Array, place: I32, row_switches: I8, column_switches: I8, breaks: Breaks | None = None
) -> tuple[Wires, bool]:
    """Trace every wire of a configuration, reading nothing but the places, the switch states and what is broken.

    Returns the wires and whether all of them lead from each logical element (i, j) to (i, j + 1) and (i + 1, j),
    round the torus, with every element on a good physical one of its own. A wire that meets a broken link, switch or
    track ends there. Cost: the total length of the wires.

    >>> from jumpnet.fault.defects import from_places
    >>> array, bad = WaferArray(4, 4), from_places(WaferArray(4, 4), [(2, 3)])
    >>> made = configure(array, bad, np.array([1]), "by hand")
    >>> wrong = made.row_switches * 0
    >>> made.verified, verify(array, bad, made.place, wrong, made.column_switches)[1]
    (True, False)
    """
    rows, columns = array.rows, array.columns
    broken = breaks or breaks_from(array)
    index = np.arange(rows * columns, dtype=np.int64).reshape(rows, columns)
    owner = np.full(array.shape, -1, np.int64)
    x, y = place[:, :, 0], place[:, :, 1]
    have = x >= 0
    owner[x[have], y[have]] = index[have]
    sound = bool(have.all()) and not bad[x[have], y[have]].any() and int((owner >= 0).sum()) == rows * columns
    found = []
    for own, where, states in (
        (owner, place, row_switches + 4 * broken.rows),
        (np.ascontiguousarray(owner.T), transposed(place), column_switches + 4 * broken.columns),
    ):
        reached, length, turns = (np.empty(where.shape[:2], np.int64) for _ in range(3))
        trace(own, where, states, reached, length, turns)
        found.append((reached, length, turns))
    (east, east_length, east_turns), (south, south_length, south_turns) = found
    wires = Wires(east, south.T, east_length, south_length.T, east_turns, south_turns.T)
    right = (wires.east == np.roll(index, -1, 1)).all() and (wires.south == np.roll(index, -1, 0)).all()
    return wires, sound and bool(right)
