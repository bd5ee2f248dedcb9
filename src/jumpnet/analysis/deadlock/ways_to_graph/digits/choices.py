"""One run of a relation among several: which packets it is still about, and which way it goes where they are parted.

Called by `values`, which ask, and by `runs`, which begins one run after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.terms import Array

__all__ = ["Begun", "Beyond", "Fewer", "Run", "Split", "Steps"]

OPERATION = 1 << 12
"""Entries that take as long as beginning an operation on a table."""
FEW = 64
"""Routers that are not worth parting."""


class Split(Exception):
    """A digit has to be taken apart: (digit, its low part's size); (-1, 0): the router number is asked for."""


class Steps:
    """What runs may still do, in entries of tables."""

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self, entries: int) -> None:
        """Count an operation on a table; Unfit when there were too many."""
        self.left -= entries + OPERATION
        if self.left < 0:
            raise Unfit


class Beyond(Exception):
    """What the run is still about leads beyond an array; no packet that there is does."""


class Fewer(Exception):
    """The run is about few of the routers now, and is begun again for these alone."""


class Begun(NamedTuple):
    """The beginning of a run that is still to be made."""

    script: list[int]
    """Answers to its first questions."""
    which: Array
    """(B,) places of its routers among those of the first run."""
    results: list[Any]
    """What its first operations give: those of the run that it goes the same way as up to its last answer."""


class Run:
    """One run at some routers: which packets it is still about, and which way it goes where it is parted."""

    def __init__(self, rows: Array, masks: Sequence[Array], begun: Begun, todo: list[Begun], steps: Steps) -> None:
        script, which, self._results = begun
        self.steps = steps
        self.rows = rows
        """(B, 1) bool: routers."""
        self.masks = list(masks)
        """(B, k) bool of each digit."""
        self.which = which
        """(B,) places of the routers among those of the first run."""
        self.sure = True
        """Whether every question was answered."""
        self._script, self._todo, self._at, self._made = script, todo, 0, 0
        self._without: list[Sequence[tuple[int | None, Array]]] = []

    def _next(self) -> int | None:
        """The answer that the script has; None after its end."""
        self.steps.take(len(self.rows))
        self._at += 1
        return self._script[self._at - 1] if self._at <= len(self._script) else None

    def _take(self, ways: list[int]) -> int:
        """The first way that is open, the others are left for later."""
        if not ways:
            raise Unfit  # nobody is left to ask
        done = self._results[: self._made]
        self._todo.extend(Begun([*self._script, other], self.which, done.copy()) for other in ways[1:])
        self._script.append(ways[0])
        return ways[0]

    def noted(self, fact: bool | np.bool_) -> bool:
        """What holds for all the run is about: as it was before, where it is begun again for fewer.

        Else it might hold now, and the answers that follow in the script would be given to other questions.
        """
        taken = self._next()
        if taken is None:
            taken = int(fact)
            self._script.append(taken)
        return taken == 1

    def once(self, entries: int, make: Callable[[], Any]) -> Any:
        """The result of an operation that counts so many entries; of one made before on the same way it is there."""
        if self._made == len(self._results):
            self.steps.take(entries)
            self._results.append(make())
        self._made += 1
        return self._results[self._made - 1]

    def either(self) -> bool:
        """Both answers, one after the other."""
        self.sure = False
        taken = self._next()
        return (self._take([0, 1]) if taken is None else taken) == 1

    def all_of(self, terms: Sequence[tuple[int | None, Array]]) -> bool:
        """Whether several things hold: if so for the packets of whom they do, if not for all."""
        rows, masks = self.rows, list(self.masks)
        for digit, yes in terms:
            if digit is None:
                rows = rows & yes
            else:
                masks[digit] = masks[digit] & yes
                rows = rows & masks[digit].any(axis=1, keepdims=True)
        taken = self._next()
        if taken is None:
            taken = self._take([0, 1] if rows.any() else [0])
        self.sure = False
        if taken == 0:
            self._without.append(terms)
            return False
        self.rows, self.masks = rows, masks
        return True

    def settle(self) -> None:
        """At the end: leave out packets for whom things held that were said not to, where products stay products."""
        for terms in self._without:
            held = [np.ones_like(mask) for mask in self.masks]
            rows = self.rows.copy()
            for digit, yes in terms:
                if digit is None:
                    rows &= yes
                else:
                    held[digit] &= yes
            open_ones = [(mask & ~yes).any(axis=1, keepdims=True) for mask, yes in zip(self.masks, held, strict=True)]
            many = np.sum(open_ones, axis=0)
            self.rows = self.rows & ~(rows & (many == 0))
            for digit, (yes, some) in enumerate(zip(held, open_ones, strict=True)):
                self.masks[digit] = self.masks[digit] & ~(yes & rows & some & (many == 1))

    def part(self, digit: int | None, data: Array) -> int:
        """Which value of a table this run goes on with."""
        taken = self._next()
        if taken is None:
            live = self.live(digit)
            if data.dtype == bool:
                many, yes = np.count_nonzero(live), np.count_nonzero(live & data)
                ways = [1] * bool(yes > 0) + [0] * bool(yes < many)
            else:
                ways = np.unique(np.broadcast_to(data, live.shape)[live]).tolist()
            if digit is None and len(ways) > 1:
                self._part_routers(ways, data)
            taken = self._take(ways)
        self.rows, left = self.once(0, lambda: self._left(digit, data, taken))
        if digit is not None:
            self.masks[digit] = left
        return taken

    def _left(self, digit: int | None, data: Array, taken: int) -> tuple[Array, Array | None]:
        """The routers, and the mask of a digit, of the packets of one value."""
        held = self.rows if digit is None else self.masks[digit]
        if data.dtype == bool:
            left = held & data if taken else held > data
        else:
            left = held & (data == taken)
        if digit is None:
            return left, None
        return self.rows & left.any(axis=1, keepdims=True), left

    def _part_routers(self, ways: list[int], data: Array) -> None:
        """Begin again for the routers of each value alone, where that is fewer."""
        if len(self.rows) > FEW:
            for value in ways:
                these = np.flatnonzero(np.broadcast_to(data == value, self.rows.shape) & self.rows)
                self._todo.append(Begun([*self._script, value], self.which[these], []))
            raise Fewer

    def live(self, digit: int | None) -> Array:
        """(B, 1) or (B, k) bool: what the run is about."""
        return self.rows if digit is None else self.masks[digit] & self.rows
