"""Locks of a trace that are held before it begins, and locks that one processor takes and another gives back.

A lock whose first record is an unlock is held at the start by the processor of that record. One that another processor
than its taker gives back is handed over, as the pauses of RADIX are: a taking waits for the giving back that stands
before it in the trace, where the lock was free when it was taken. Used by `objects`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.references import AWAIT, CONDITION, LOCK, UNLOCK
from jumpnet.machine.timed.streams.flags import Records

__all__ = ["HandedOver", "Locks", "Reader", "locks_of"]

Reader = Callable[[], Iterator[Records]]
"""Begins reading all records but those of data, in pieces, flags told apart from barriers."""
Wrong = tuple[int, str]
"""A lock, and what cannot be."""


class Locks(NamedTuple):
    """What the locks of a trace are."""

    holder: dict[int, int]
    """Who holds a lock at the start."""
    handed: set[int]
    """Locks that another than their taker gives back."""


class _Walk:
    """All records followed; a condition gives up the lock taken last, unless that is one of `handed`."""

    def __init__(self, handed: set[int], taken: set[int]) -> None:
        """taken: the locks that are taken at all."""
        self.found = Locks({}, set())
        self._handed, self._taken = handed, taken
        self._last, self._gave = dict[int, int](), set[tuple[int, int]]()
        self._holders = dict[int, list[int]]()

    def take(self, p: int, lock: int) -> Wrong | None:
        """Processor p takes a lock."""
        held, wrong = self._holders.setdefault(lock, []), None
        if held and lock in self._handed:
            wrong = lock, f"processor {p} takes a lock that {held[0]} holds"
        if lock not in self._handed:
            self._last[p] = lock
        self._gave.discard((p, lock))
        held.append(p)
        return wrong

    def wait(self, p: int) -> Wrong | None:
        """Processor p is at a condition."""
        lock = self._last.pop(p, -1)
        if lock < 0:
            return None
        self._gave.add((p, lock))
        return self._give_back(p, lock)

    def give(self, p: int, lock: int) -> Wrong | None:
        """Processor p gives a lock back."""
        if (p, lock) in self._gave:
            self._gave.discard((p, lock))  # a condition has given it up
            return None
        if self._last.get(p) == lock:
            del self._last[p]
        return self._give_back(p, lock)

    def _give_back(self, p: int, lock: int) -> Wrong | None:
        held = self._holders.get(lock)
        if held is None:
            self.found.holder[lock], self._holders[lock] = p, []
        elif p in held:
            held.remove(p)
        elif held:
            self.found.handed.add(lock)
            held.pop(0)
        elif lock in self._taken:
            self.found.handed.add(lock)  # looked at once more: perhaps it was no condition that gave it up
            return lock, f"processor {p} gives back a lock that is free"
        return None


def _walked(read: Reader, handed: set[int], taken: set[int]) -> tuple[Locks, tuple[int, int, Wrong] | None]:
    """The locks; and number and address of the first record that cannot be, and why.

    Of a lock that nobody takes any record can be: nobody waits for these.
    """
    walk, wrong = _Walk(handed, taken), None
    for piece in read():
        takes = piece.what == LOCK
        waits = ((piece.what == CONDITION) | (piece.what == AWAIT)) & (piece.thing >= 0)
        rows = np.flatnonzero(takes | waits | (piece.what == UNLOCK))
        columns = (column[rows].tolist() for column in (piece.proc, piece.thing, takes, waits))
        for row, p, lock, take, wait in zip(rows.tolist(), *columns, strict=True):
            found = walk.take(p, lock) if take else walk.wait(p) if wait else walk.give(p, lock)
            if found is not None and wrong is None:
                wrong = int(piece.record[row]), int(piece.address[row]), found
    return walk.found, wrong


def locks_of(name: str, read: Reader) -> Locks:
    """Tell the locks apart, from all records but those of data.

    Raises JumpnetError for a lock that is given back when it is free (not at its first record, and not where it is
    never taken), and for one that is handed over and taken when it is held. Cost: some 0.5 microseconds a record.
    """
    taken = set[int]().union(*(np.unique(piece.thing[piece.what == LOCK]).tolist() for piece in read()))
    handed = set[int]()
    while True:  # what is handed over is not what a condition gives up
        found, wrong = _walked(read, handed, taken)
        if found.handed <= handed:
            break
        handed |= found.handed
    if wrong is not None:
        record, address, (lock, words) = wrong
        before = -1
        for piece in read():
            used = (piece.thing == lock) & ((piece.what == LOCK) | (piece.what == UNLOCK)) & (piece.record < record)
            before = max(before, int(piece.record[used].max(initial=-1)))
        since = f", last used at record {before}" if before >= 0 else ""
        raise JumpnetError(f"{name}: record {record}: {words}, at address {address:#x}{since}")
    return found._replace(handed=handed)


class HandedOver:
    """A lock that is handed over: its own number, which is open, until it is given back, and a flag each time it is."""

    def __init__(self, lock: int, row: int, first_new: int) -> None:
        """row: of its flags; first_new: number of the flag of the first giving back."""
        self.row = row
        self.first: int | None = None
        """Processor of the first record."""
        self._now, self._next = lock, first_new

    def flag(self, p: int, gives: bool) -> int:
        """The flag of the lock's next record, by processor p, which opens it or waits for it."""
        self.first = p if self.first is None else self.first
        if gives:
            self._now, self._next = self._next, self._next + 1
        return self._now
