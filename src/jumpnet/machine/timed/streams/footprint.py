"""The lines and pages that a trace touches, and the processor that touches each page first. Used by `streams`.

Memory goes with what is touched, not with how often.
"""

from __future__ import annotations

import numpy as np

from jumpnet.memory import require
from jumpnet.terms import I64

__all__ = ["Distinct", "Footprint", "Places"]

FEW = 1 << 10
"""So many numbers at least wait before they are sorted in among the others."""
TABLE = 8
"""Numbers are looked up in a table where their span is at most so many times their count."""


class Distinct:
    """Different whole numbers, put together from many arrays.

    >>> found = Distinct()
    >>> found.add(np.array([3, 1, 3])).tolist(), found.all().tolist(), found.add(np.array([3, 2])).tolist()
    ([1, 3], [1, 3], [2])
    """

    def __init__(self) -> None:
        self._known, self._later, self._waiting = np.zeros(0, np.int64), list[I64](), 0

    def add(self, numbers: I64) -> I64:
        """Enter numbers; returns, in order, those that may be new: all that are, and perhaps some of late."""
        found = np.unique(numbers)
        place = np.searchsorted(self._known, found)
        near = np.minimum(place, max(0, len(self._known) - 1))
        new = found[self._known[near] != found] if len(self._known) else found
        if len(new):
            self._later.append(new)
        self._waiting += len(new)
        if self._waiting > max(FEW, len(self._known)):
            self.all()
        return new

    def all(self) -> I64:
        """All of them, ascending."""
        if self._waiting:
            require(24 * (len(self._known) + self._waiting), f"{len(self._known)} lines and more of a trace")
            self._known = np.unique(np.concatenate([self._known, *self._later]))
        self._later, self._waiting = [], 0
        return self._known


class Places:
    """Where numbers lie in an ascending list that has them all: by a table where that is short, else by halving."""

    def __init__(self, known: I64) -> None:
        self._known, self._least = known, int(known[0]) if len(known) else 0
        span = int(known[-1]) - self._least + 1 if len(known) else 0
        self._table: I64 | None = None
        if span <= TABLE * len(known):
            self._table = np.zeros(span, np.int64)
            self._table[known - self._least] = np.arange(len(known))

    def of(self, numbers: I64) -> I64:
        """(K,) place of each number (K,)."""
        if self._table is not None:
            return self._table[numbers - self._least]
        return np.searchsorted(self._known, numbers).astype(np.int64)


class Footprint:
    """Lines, pages and first touches of the accesses so far."""

    def __init__(self, line_bytes: int, page_bytes: int) -> None:
        self._bytes = line_bytes, page_bytes
        self._lines = Distinct()
        self._first: dict[int, int] = {}

    def add(self, proc: I64, line: I64) -> None:
        """The next accesses (K,): processor and line of each."""
        line_bytes, page_bytes = self._bytes
        new = np.unique(self._lines.add(line) * line_bytes // page_bytes)
        unseen = np.array([page for page in new.tolist() if page not in self._first], np.int64)
        if not len(unseen):
            return
        page = line * line_bytes // page_bytes
        at = np.flatnonzero(np.isin(page, unseen))
        _, first = np.unique(page[at], return_index=True)
        for k in at[np.sort(first)].tolist():
            self._first[int(page[k])] = int(proc[k])

    def lines(self) -> I64:
        """(lines,) numbers of all lines, ascending."""
        return self._lines.all()

    def touches(self) -> tuple[I64, I64]:
        """(pages,) page numbers in the order of their first touch, and the processor of that."""
        return np.array([*self._first], np.int64), np.array([*self._first.values()], np.int64)
