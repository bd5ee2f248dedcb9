"""What the records of a trace that are about locks, barriers and flags say, and conditions that are flags.

A flag is opened by one processor and awaited by others, as BARNES has at its cells. A trace does not say who waits and
who opens: the processor with the most records (of several the last one) is taken to open, once with each record, and
the record of another waits for the next opening in the trace. Used by `objects` and `locks`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from jumpnet.machine.timed.references import AWAIT, POST
from jumpnet.terms import I64, Array

__all__ = ["Condition", "Flags", "Records"]


class Records(NamedTuple):
    """Records in the order of the trace; all (K,)."""

    record: I64
    """Number in the trace, from 0."""
    proc: Array
    address: I64
    thing: I64
    """Object, -1 where it has nothing to do: opens what nobody waits for, or the other way."""
    what: Array
    """LOCK and so on."""


class Condition(NamedTuple):
    """A condition whose records are about flags."""

    owner: int
    """The processor that opens."""
    openings: int


class Flags:
    """The flags of all conditions, a new number for each opening that anybody waits for.

    >>> flags = Flags({7: Condition(0, 2)}, {7: 100})
    >>> flags.of(7, 0), flags.of(7, 1), flags.of(7, 0), flags.of(7, 1)
    ((-1, 6), (100, 7), (100, 6), (-1, 7))
    """

    def __init__(self, conditions: Mapping[int, Condition], first: Mapping[int, int]) -> None:
        """first: number of the first flag of each condition."""
        self._conditions, self._opened = conditions, dict.fromkeys(conditions, 0)
        self._awaited = set[int]()
        self.next = dict(first)
        """Number of the next flag of each condition."""

    def of(self, condition: int, p: int) -> tuple[int, int]:
        """Flag of the next record of a condition, by processor p, or -1, and what it does."""
        number = self.next[condition]
        if p == self._conditions[condition].owner:
            self._opened[condition] += 1
            if condition not in self._awaited:
                return -1, POST
            self._awaited.remove(condition)
            self.next[condition] += 1
            return number, POST
        if self._opened[condition] == self._conditions[condition].openings:
            return -1, AWAIT
        self._awaited.add(condition)
        return number, AWAIT
