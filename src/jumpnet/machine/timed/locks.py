"""Locks of a trace that are held before it begins, and locks that one processor takes and another gives back.

A lock whose first record is an unlock is held at the start by the processor of that record. One that another processor
than its taker gives back is handed over, as the pauses of RADIX are: a taking waits for the giving back that stands
before it in the trace, where the lock was free when it was taken. Used by `objects`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.terms import I64

__all__ = ["Wrong", "handed_over", "locks_of"]


class Wrong(NamedTuple):
    """A record that cannot be."""

    row: int
    thing: int
    found: str


class Locks(NamedTuple):
    """What the locks of a trace are."""

    holder: dict[int, int]
    """Who holds a lock at the start."""
    handed: set[int]
    """Locks that another than their taker gives back."""
    wrong: list[Wrong]
    """In the order of the trace; those of locks that nobody ever takes left out, as nobody waits for these."""


def _walk(proc: I64, thing: I64, takes: I64, gives: I64, waits: I64, handed: set[int]) -> Locks:
    """Follow all records; a condition gives up the lock taken last, unless that is one of `handed`."""
    last, gave = dict[int, int](), set[tuple[int, int]]()
    holders = dict[int, list[int]]()
    found, taken = Locks({}, set(), []), set(thing[takes].tolist())
    columns = (column.tolist() for column in (proc, thing, takes, gives, waits))
    for row, (p, lock, take, give, wait) in enumerate(zip(*columns, strict=True)):
        if take:
            if lock in handed and holders.get(lock):
                found.wrong.append(Wrong(row, lock, f"processor {p} takes a lock that {holders[lock][0]} holds"))
            elif lock not in handed:
                last[p] = lock
            gave.discard((p, lock))
            holders.setdefault(lock, []).append(p)
            continue
        if wait and p in last:
            lock = last.pop(p)
            gave.add((p, lock))
        elif wait or not give:
            continue
        elif (p, lock) in gave:
            gave.discard((p, lock))  # a condition has given it up
            continue
        elif last.get(p) == lock:
            del last[p]
        if lock not in holders:
            found.holder[lock], holders[lock] = p, []
        elif p in holders[lock]:
            holders[lock].remove(p)
        elif holders[lock]:
            found.handed.add(lock)
            holders[lock].pop(0)
        elif lock in taken:
            found.handed.add(lock)  # looked at once more: perhaps it was no condition that gave it up
            found.wrong.append(Wrong(row, lock, f"processor {p} gives back a lock that is free"))
    return found


def locks_of(name: str, record: I64, address: I64, proc: I64, thing: I64, takes: I64, gives: I64, waits: I64) -> Locks:
    """Tell the locks apart, from all records but those of data; all (R,), the last three bool.

    record, address: the number of each in the trace, and its object's address, for messages; waits: at a condition.
    Raises JumpnetError for a lock that is given back when it is free (not at its first record, and not where it is
    never taken), and for one that is handed over and taken when it is held. Cost: some 0.5 microseconds a record.
    """
    handed = set[int]()
    while True:  # what is handed over is not what a condition gives up
        found = _walk(proc, thing, takes, gives, waits, handed)
        if found.handed <= handed:
            break
        handed |= found.handed
    for row, lock, words in found.wrong[:1]:
        before = np.flatnonzero((thing[:row] == lock) & (takes | gives)[:row])
        since = f", last used at record {record[before[-1]]}" if len(before) else ""
        raise JumpnetError(f"{name}: record {record[row]}: {words}, at address {address[row]:#x}{since}")
    return found._replace(handed=handed)


def handed_over(rows: I64, gives: I64, thing: I64, first_new: int) -> int:
    """Make the records of a lock, in order, those of flags: one that is open where the lock starts free, and a new one
    for each giving back. rows: (K,) of `thing`; gives: (K,). Returns how many are new."""
    opened = np.cumsum(gives)
    number = opened - 1 + first_new
    thing[rows] = np.where(opened > 0, number, thing[rows])
    return int(opened[-1])
