"""Locks, barriers and flags of a trace, told apart and numbered for the timed machine. Used by `streams`.

A condition (kind 5) that all processors of the trace pass equally often is a barrier, as the Splash-3 programs make
them; it gives up the lock held. Any other is a `flags.Condition`. Of locks, `locks` tells those that are held at the
start, and those that processors hand over, which are flags too. Flags have numbers beyond those of the addresses, each
its own; an object is an address, or all flags of one. Records are read several times, some at a time: memory goes with
the objects, not with the records.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.references import BARRIER, CONDITION, FLAG, LOCK, UNLOCK
from jumpnet.machine.timed.streams.flags import Condition, Flags, Records
from jumpnet.machine.timed.streams.footprint import Distinct, Places
from jumpnet.machine.timed.streams.locks import HandedOver, locks_of
from jumpnet.machine.timed.streams.spool import Spool
from jumpnet.terms import I64, Array

__all__ = ["RECORD", "Objects", "objects_of"]

RECORD = np.dtype([("record", np.int64), ("proc", np.uint16), ("address", np.int64), ("what", np.uint8)])
"""A record as it is kept."""


class _Meetings(NamedTuple):
    """Who passes each barrier or condition how often."""

    times: dict[int, dict[int, int]]
    """By object and processor."""
    last: dict[int, dict[int, int]]
    """Number of the last record, likewise."""
    what: dict[int, int]
    """BARRIER or CONDITION, as the first record of each says."""


@dataclass
class Objects:
    """What the locks, barriers and flags of a trace are. B barriers, N nodes, P processors."""

    places: Places
    flags: Flags
    handed: dict[int, HandedOver]
    """Locks that are handed over, by number."""
    numbers: int
    """How many numbers there are, those of flags included."""
    first_flag: I64
    """(F,) number of the first flag of each of the last F objects, ascending."""
    address: I64
    """(objects,) address of each."""
    members: I64
    """(objects,) processors that meet at a barrier or condition, 0 for locks, FLAG for flags and locks that are
    handed over."""
    barrier: I64
    """(objects,) number among the barriers, or -1."""
    expected: I64
    """(B, N) processors of each node that meet at each barrier."""
    holder: I64
    """(objects,) processor that holds a lock at the start, or -1; of flags the first that is not open then."""
    dropped: I64
    """(P,) records of each processor that have nothing to do."""

    def __post_init__(self) -> None:
        self._first = np.full(len(self.address), -1, np.int64)
        self._is_handed = np.isin(np.arange(len(self.address)), list(self.handed))

    def numbered(self, proc: Array, address: I64, what: Array) -> tuple[I64, Array]:
        """The next records (K,) of the trace: object of each, or -1, and what it does. Called for all, in order."""
        thing, what = _told(self.places, self.flags, proc, address, what)
        of_locks = np.flatnonzero((what == LOCK) | (what == UNLOCK))
        for k in of_locks[self._is_handed[thing[of_locks]]].tolist():
            thing[k] = self.handed[int(thing[k])].flag(int(proc[k]), bool(what[k] == UNLOCK))
        new = np.flatnonzero(thing >= 0)[::-1]
        row, below = thing[new], len(self.address) - len(self.first_flag)
        row = np.where(row < below, row, below - 1 + np.searchsorted(self.first_flag, row, side="right"))
        unseen = self._first[row] < 0
        self._first[row[unseen]] = proc[new][unseen]  # of several the last one written stays: the first in the trace
        return thing, what

    def first(self) -> I64:
        """(objects,) processor of the first record of each; of what is handed over, of the lock's. Called last."""
        for lock, handed in self.handed.items():
            self._first[[lock, handed.row]] = -1 if handed.first is None else handed.first
        return np.maximum(self._first, 0)


def _told(places: Places, flags: Flags, proc: Array, address: I64, what: Array) -> tuple[I64, Array]:
    """Object and what of records, flags told apart."""
    thing, what = places.of(address), what.copy()
    if flags.next:
        meets = (what == BARRIER) | (what == CONDITION)
        for k in np.flatnonzero(meets & np.isin(thing, list(flags.next))).tolist():
            thing[k], what[k] = flags.of(int(thing[k]), int(proc[k]))
    return thing, what


def _records(spool: Spool, places: Places, flags: Flags) -> Iterator[Records]:
    """All records; flags: before the first one."""
    for piece in spool.pieces():
        proc, address = piece["proc"], piece["address"]
        yield Records(piece["record"], proc, address, *_told(places, flags, proc, address, piece["what"]))


def _meetings(spool: Spool, places: Places) -> _Meetings:
    found = _Meetings({}, {}, {})
    for piece in spool.pieces():
        rows = np.flatnonzero((piece["what"] == BARRIER) | (piece["what"] == CONDITION))
        thing, proc = places.of(piece["address"][rows]), piece["proc"][rows].astype(np.int64)
        objects, first = np.unique(thing, return_index=True)
        for number, k in zip(objects.tolist(), first.tolist(), strict=True):
            found.what.setdefault(number, int(piece["what"][rows[k]]))
        keys, at, count = np.unique(thing[::-1] << 16 | proc[::-1], return_index=True, return_counts=True)
        last = piece["record"][rows[::-1][at]] if len(rows) else at
        for key, times, record in zip(keys.tolist(), count.tolist(), last.tolist(), strict=True):
            number, p = key >> 16, key & 0xFFFF
            of = found.times.setdefault(number, {})
            of[p] = of.get(p, 0) + times
            found.last.setdefault(number, {})[p] = record
    return found


def _barriers_and_conditions(
    name: str, meetings: _Meetings, everyone: int
) -> tuple[dict[int, list[int]], dict[int, Condition]]:
    """Processors of each barrier, and conditions that are flags, by number of the object."""
    barriers, conditions = dict[int, list[int]](), dict[int, Condition]()
    for number, times in sorted(meetings.times.items()):
        who = sorted(times)
        least, most = (extreme(who, key=times.__getitem__) for extreme in (min, max))
        equal, barrier = times[least] == times[most], meetings.what[number] == BARRIER
        if barrier and not equal:
            found = f"barrier passed {times[least]} times by processor {least}"
            raise JumpnetError(f"{name}: {found} and {times[most]} by {most}, as often expected")
        if equal and (barrier or len(who) == everyone):
            barriers[number] = who
        else:
            often = [p for p in who if times[p] == times[most]]
            owner = max(often, key=meetings.last[number].__getitem__)
            conditions[number] = Condition(owner, times[owner])
    return barriers, conditions


def objects_of(name: str, spool: Spool, everyone: int, *, clusters_of: int, nodes: int, processors: int) -> Objects:
    """Tell the objects apart. spool: of RECORD, in the order of the trace. everyone: processors with any records.

    Raises JumpnetError for a barrier (kind 4) that its processors do not pass equally often, and for locks that cannot
    be (`locks`). Cost: some microseconds a record.
    """
    addresses = Distinct()
    for piece in spool.pieces():
        addresses.add(piece["address"])
    known = addresses.all()
    places, below = Places(known), len(known)
    barriers, conditions = _barriers_and_conditions(name, _meetings(spool, places), everyone)
    locks = locks_of(name, lambda: _records(spool, places, Flags(conditions, dict.fromkeys(conditions, 0))))
    flags = Flags(conditions, dict.fromkeys(conditions, 0))
    counts = _count(_records(spool, places, flags), locks.handed, processors)
    awaited = [condition for condition, openings in flags.next.items() if openings]
    of, flagged = [*awaited, *sorted(locks.handed)], len(awaited)
    count = [*map(flags.next.__getitem__, awaited), *map(counts.given.__getitem__, of[flagged:])]
    ends = below + np.cumsum([0, *count])
    first_flag, starts = ends[:-1], dict(zip(awaited, ends.tolist(), strict=False))
    handed = {of[k]: HandedOver(of[k], below + k, int(ends[k])) for k in range(flagged, len(of))}
    address, members = known[[*range(below), *of]], np.full(below + len(of), FLAG, np.int64)
    members[:below] = [FLAG if k in handed else len(barriers.get(k, ())) for k in range(below)]
    holder, barrier = np.full((2, len(address)), -1, np.int64)
    holder[list(locks.holder)], barrier[list(barriers)] = list(locks.holder.values()), np.arange(len(barriers))
    holder[of[flagged:]], holder[below:] = first_flag[flagged:], first_flag
    rows = [np.bincount(np.array(who) // clusters_of, minlength=nodes) for who in barriers.values()]
    return Objects(
        places,
        Flags(conditions, dict.fromkeys(conditions, 0) | starts),
        handed,
        int(ends[-1]),
        first_flag=first_flag,
        address=address,
        members=members,
        barrier=barrier,
        expected=np.array(rows, np.int64).reshape(len(rows), nodes),
        holder=holder,
        dropped=counts.dropped,
    )


class _Counts(NamedTuple):
    """What must be known before objects are numbered."""

    given: dict[int, int]
    """How often each lock that is handed over is given back."""
    dropped: I64
    """(P,) as in `Objects`."""


def _count(pieces: Iterator[Records], handed: set[int], processors: int) -> _Counts:
    found = _Counts(dict.fromkeys(handed, 0), np.zeros(processors, np.int64))
    for piece in pieces:
        np.add(found.dropped, np.bincount(piece.proc[piece.thing < 0], minlength=processors), out=found.dropped)
        given = piece.thing[(piece.what == UNLOCK) & np.isin(piece.thing, list(handed))]
        for lock, times in zip(*(column.tolist() for column in np.unique(given, return_counts=True)), strict=True):
            found.given[lock] += times
    return found
