"""Numbers that depend on one coordinate of a packet's router and target, or on its STATE, as tables.

An *axis* is a dimension of the grid, whose points are pairs of coordinates (here, target), or all values of STATE.
Called by `expressions` and `cover`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.terms import I64

__all__ = ["Mixed", "Place", "Pool", "Table"]

MOST_SHIFT = 62
MOST_NUMBER = 1 << 63
ON_TABLES: dict[Any, Callable[..., Any]] = {
    min: np.minimum, max: np.maximum, operator.truth: lambda data: data != 0, operator.not_: lambda data: data == 0,
}  # fmt: skip


class Table:
    """A number for each point of an axis; made by `Pool` alone, the same one for the same way of making it."""

    __slots__ = ("axis", "data")

    def __init__(self, axis: int, data: I64) -> None:
        self.axis, self.data = axis, data


class Place:
    """A router: the one where a packet is, or its target."""

    __slots__ = ("far",)

    def __init__(self, far: bool) -> None:
        self.far = far


class Mixed(Exception):
    """An operation on tables of several axes, one of which has to be parted by its values."""


class Pool:
    """All values of a run, each kept once, so that they are compared by what they are."""

    def __init__(self) -> None:
        self._made: dict[Any, Any] = {}

    def key(self, value: Any) -> Any:
        """What tells a value from others; numbers are equal where they are, all else is one thing."""
        if isinstance(value, int | np.integer | np.bool_):
            return int(value)
        self._made[id(value)] = value  # so that no other takes its place
        return "at", id(value)

    def kept(self, key: Any, make: Callable[[], Any]) -> Any:
        """The value made for a key."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def applied(self, operate: Callable[..., Any], values: Sequence[Any]) -> Any:
        """What an operation gives. Raises Mixed, Unfit."""
        axes = {value.axis for value in values if isinstance(value, Table)}
        if len(axes) > 1:
            raise Mixed
        if not axes:
            if len(values) == 1 and not _is_number(values[0]) and operate.__name__ == "same":
                return values[0]
            if not all(map(_is_number, values)):
                raise Unfit
            _refuse_undefined(operate, values)
            return _number(operate(*values))
        if operate.__name__ == "same":
            return values[0]
        if any(not isinstance(value, Table) and not _is_number(value) for value in values):
            raise Unfit
        key = (operate, *map(self.key, values))
        return self.kept(key, lambda: Table(axes.pop(), _on_tables(operate, values)))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | np.integer | np.bool_)


def _number(value: Any) -> int:
    """A plain number, as compiled code has it; Unfit beyond 64 bits, where it goes round and Python's does not."""
    _refuse(not -MOST_NUMBER <= value < MOST_NUMBER)
    return int(value)


def _refuse(flaw: Any) -> None:
    if np.any(flaw):
        raise Unfit


def _refuse_undefined(operate: Callable[..., Any], values: Sequence[Any]) -> None:
    """Raise Unfit for divisions by nothing and for shifts by more than numbers have bits."""
    if operate in (operator.floordiv, operator.mod):
        _refuse(values[1] == 0)
    if operate in (operator.lshift, operator.rshift):
        _refuse((values[1] < 0) | (values[1] > MOST_SHIFT))


def _on_tables(operate: Callable[..., Any], values: Sequence[Any]) -> I64:
    data = [value.data if isinstance(value, Table) else np.int64(int(value)) for value in values]
    _refuse_undefined(operate, data)
    made = ON_TABLES.get(operate, operate)
    found = made(data[0]) if len(data) == 1 else reduce(made, data)
    # Truth values are numbers, as in Python: NumPy's sum of two that are true is no 2.
    return np.asarray(found).astype(np.int64)
