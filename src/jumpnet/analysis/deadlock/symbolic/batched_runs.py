"""Batched runs of a relation: one value a packet, for many packets at once; a run splits where a condition differs.

Called by `dimensions.translation` and `relabelling`, which define the operations that routers allow.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import floordiv, mod
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.symbolic.operators import with_operators
from jumpnet.terms import I64, Array

__all__ = ["KNOWN", "Again", "Number", "Run"]


class Again(Exception):
    """The run was split, and starts again as several. In an index NumPy makes another error of it."""


class Run:
    """One run, for all of some packets at once: which of them, and what they are known to answer."""

    def __init__(self, which: I64, script: list[int], todo: list[tuple[I64, list[int]]], few: int = 0) -> None:
        self.which, self._script, self._todo, self._few, self._at = which, script, todo, few, 0
        """few: so many that are parted from others go on each alone."""
        self.parted = False
        """Whether others run in its place, so that what becomes of it says nothing."""

    def both(self) -> bool:
        """Yes now, and no in another run."""
        if self.parted:
            raise Again
        self._at += 1
        if self._at > len(self._script):
            self._todo.append((self.which, [*self._script, 0]))
            self._script.append(1)
        return self._script[self._at - 1] == 1

    def part(self, data: Array) -> int:
        """What all packets answer; where they differ, those that answer alike run again."""
        if self.parted:
            raise Again
        self._at += 1
        if self._at <= len(self._script):
            return self._script[self._at - 1]
        ways = np.unique(data)
        if len(ways) > 1:
            for way in ways.tolist():
                some = self.which[data == way]
                parts = some if len(some) > self._few else np.split(some, len(some))
                self._todo.extend((part, [*self._script, way]) for part in np.atleast_2d(parts))
            self.parted = True
            raise Again
        self._script.append(int(ways[0]))
        return int(ways[0])


@with_operators
class Number:
    """A number that is known of each packet."""

    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, run: Run, data: Array) -> None:
        self.run, self.data = run, np.asarray(data, np.int64)

    def _with(self, other: Any, operate: Callable[[Any, Any], Any], swap: bool) -> Number:
        if not isinstance(other, KNOWN):
            raise Unfit
        second = other.data if isinstance(other, Number) else np.int64(other)
        if operate in (floordiv, mod) and ((self.data if swap else second) == 0).any():
            raise Unfit
        return Number(self.run, operate(second, self.data) if swap else operate(self.data, second))

    def __bool__(self) -> bool:
        return self.run.part(self.data != 0) == 1

    def __index__(self) -> int:
        return self.run.part(self.data)

    __int__ = __index__

    def __neg__(self) -> Number:
        return Number(self.run, -self.data)


KNOWN = (Number, int, np.integer, np.bool_)
"""What a run knows the value of."""
