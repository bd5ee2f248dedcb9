"""Locks, barriers and flags of a trace, told apart and numbered for the timed machine. Used by `streams`.

A condition (kind 5) that all processors of the trace pass equally often is a barrier, as the Splash-3 programs make
them; it gives up the lock held. Any other is a flag that one processor opens and others wait for, as BARNES has at
its cells. A trace does not say who waits and who opens: the processor with the most records (of several the last one)
is taken to open, once with each record, and the record of another waits for the next opening in the trace. Of locks,
`locks` tells those that are held at the start, and those that processors hand over, which are flags too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.locks import handed_over, locks_of
from jumpnet.terms import I64

__all__ = ["AWAIT", "BARRIER", "CONDITION", "FLAG", "LOCK", "POST", "READ", "UNLOCK", "WRITE", "Objects", "objects_of"]

READ, WRITE, LOCK, UNLOCK, BARRIER, CONDITION, POST, AWAIT = range(8)
"""What a processor does; the last two open a flag and wait for it."""
FLAG = -1
"""`members` of a flag."""


class Objects(NamedTuple):
    """The records about locks, barriers and flags, and what these are. R records, B barriers, N nodes."""

    thing: I64
    """(R,) object of each record, -1 where it has nothing to do: opens what nobody waits for, or the other way."""
    what: I64
    """(R,) LOCK and so on."""
    address: I64
    """(objects,) address of each."""
    first: I64
    """(objects,) processor of its first record."""
    members: I64
    """(objects,) processors that meet at a barrier or condition, 0 for locks, FLAG for flags."""
    barrier: I64
    """(objects,) number among the barriers, or -1."""
    expected: I64
    """(B, N) processors of each node that meet at each barrier."""
    holder: I64
    """(objects,) processor that holds a lock at the start, or -1; not -1 of a flag that is open then."""


def objects_of(
    name: str, record: I64, proc: I64, address: I64, what: I64, everyone: int, clusters_of: int, nodes: int
) -> Objects:
    """Tell the objects apart. record (the number in the trace), proc, address, what: (R,), in the order of the trace.

    everyone: processors that have records at all. Raises JumpnetError for a barrier (kind 4) that its processors do not
    pass equally often, and for locks that cannot be (`locks`). Cost: some microseconds a record.
    """
    known, thing = np.unique(address, return_inverse=True)
    thing, what = thing.astype(np.int64), what.copy()
    places = list(known.tolist())
    members, rows = [0] * len(known), list[tuple[int, I64]]()
    order = np.argsort(thing, kind="stable")
    meets = order[(what[order] == BARRIER) | (what[order] == CONDITION)]
    for group in np.split(meets, np.flatnonzero(np.diff(thing[meets])) + 1) if len(meets) else []:
        number = int(thing[group[0]])
        who, times = np.unique(proc[group], return_counts=True)
        equal = times.min() == times.max()
        if what[group[0]] == BARRIER and not equal:
            found = f"barrier passed {times.min()} times by processor {who[times.argmin()]}"
            raise JumpnetError(f"{name}: {found} and {times.max()} by {who[times.argmax()]}, as often expected")
        if equal and (what[group[0]] == BARRIER or len(who) == everyone):
            members[number] = len(who)
            rows.append((number, np.bincount(who // clusters_of, minlength=nodes)))
        else:
            _flags(group, proc, thing, what, places, members)
    holder, handed = _locks(name, record, address, proc, thing, what, places, members)
    barrier = np.full(len(places), -1, np.int64)
    barrier[[number for number, _ in rows]] = np.arange(len(rows))
    expected = np.array([row for _, row in rows], np.int64).reshape(len(rows), nodes)
    first = np.zeros(len(places), np.int64)
    used = np.flatnonzero(thing >= 0)[::-1]
    first[thing[used]] = proc[used]
    for number, flags, processor in handed:  # all at the home of the lock
        first[[number, *flags]] = processor
    return Objects(
        thing, what, np.array(places, np.int64), first, np.array(members, np.int64), barrier, expected, holder
    )


def _locks(
    name: str, record: I64, address: I64, proc: I64, thing: I64, what: I64, places: list[int], members: list[int]
) -> tuple[I64, list[tuple[int, range, int]]]:
    """(objects,) who holds each lock at the start; and of those handed over, whose records become flags', the number,
    the flags and the processor of the first record."""
    takes, gives = what == LOCK, what == UNLOCK
    waits = ((what == CONDITION) | (what == AWAIT)) & (thing >= 0)
    found = locks_of(name, record, address, proc, thing, takes, gives, waits)
    holder, handed = dict(found.holder), list[tuple[int, range, int]]()
    for number in sorted(found.handed):
        rows = np.flatnonzero((thing == number) & (takes | gives))
        new = handed_over(rows, gives[rows], thing, len(places))
        handed.append((number, range(len(places), len(places) + new), int(proc[rows[0]])))
        holder[number] = 0 if takes[rows[0]] else -1
        places += [places[number]] * new
        members[number] = FLAG
        members += [FLAG] * new
    started = np.full(len(places), -1, np.int64)
    started[list(holder)] = list(holder.values())
    return started, handed


def _flags(group: I64, proc: I64, thing: I64, what: I64, places: list[int], members: list[int]) -> None:
    """Make the records (of one condition, in order) openings of flags, a new flag each, and waits for them."""
    number, who = int(thing[group[0]]), proc[group]
    names, times = np.unique(who, return_counts=True)
    most = names[times == times.max()]
    owner = who[np.flatnonzero(np.isin(who, most))[-1]]
    opens = who == owner
    opened = np.cumsum(opens) - opens  # openings before each record
    awaited = np.unique(opened[~opens])
    awaited = awaited[awaited < opens.sum()]
    flag = np.full(len(group) + 1, -1, np.int64)
    flag[awaited] = len(places) + np.arange(len(awaited))
    thing[group], what[group] = flag[opened], np.where(opens, POST, AWAIT)
    places += [places[number]] * len(awaited)
    members += [FLAG] * len(awaited)
