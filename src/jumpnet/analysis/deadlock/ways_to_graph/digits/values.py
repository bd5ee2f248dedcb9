"""What a relation computes with when it runs at many routers at once, for packets of which only digits are known.

A value is a table over the routers at hand and one digit of the packet's target, or over the routers alone. A question
that is not answered alike for all parts the packets, and the relation runs again for the rest. Of a question about two
digits both answers are followed, with all packets: what comes out is at least what the routing does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import add, and_, eq, floordiv, gt, le, lshift, mod, mul, ne, or_, rshift, sub, xor
from typing import Any, NoReturn

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Unfit, Word
from jumpnet.analysis.deadlock.symbolic.operators import with_operators
from jumpnet.analysis.deadlock.ways_to_graph.digits.choices import Beyond, Run, Split
from jumpnet.analysis.deadlock.ways_to_graph.digits.system import Part, System
from jumpnet.terms import Array

__all__ = ["Label", "Table", "Unknown", "Value"]

MOST_XOR = 16
"""Values of a digit beyond which it is better taken for several bits, where a relation asks for bits."""


@with_operators
class Unknown:
    """A number of which nothing is known; as a truth value it is both."""

    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, run: Run) -> None:
        self.run = run

    def __bool__(self) -> bool:
        return self.run.either()

    def __index__(self) -> int:
        raise Unfit

    __int__ = __index__

    def __neg__(self) -> Unknown:
        return self

    def _with(self, other: Any, operate: Callable[[Any, Any], Any], swap: bool) -> Unknown:
        return self


class _All:
    """Several truth values at once, of several digits; where it is not true nothing is concluded."""

    __array_ufunc__ = None

    def __init__(self, run: Run, terms: list[Value]) -> None:
        self.run, self.terms = run, terms

    def __and__(self, other: Any) -> _All:
        more = other.terms if isinstance(other, _All) else [other]
        if not all(isinstance(term, Value) and term.data.dtype == bool for term in more):
            raise Unfit
        return _All(self.run, [*self.terms, *more])

    __rand__ = __and__

    def __bool__(self) -> bool:
        return self.run.all_of([(term.digit, term.data) for term in self.terms])

    def _no(self, other: object) -> NoReturn:
        raise Unfit

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _no  # else Python compares what they are, not what they say


@with_operators
class Value:
    """A number that depends on the router, and on one digit or none."""

    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("data", "digit", "run")

    def __init__(self, run: Run, digit: int | None, data: Array) -> None:
        self.run, self.digit, self.data = run, digit, data

    def alone(self) -> Value | None:
        """As a number of the router alone, where one value of the digit is left or all say the same; else None."""
        if self.digit is None:
            return self
        digit, rows = self.digit, self.run.rows

        def only() -> tuple[Array, bool]:
            """(B, 1) the least value of each row, and whether each row has no other."""
            live = self.run.live(digit)
            low = np.where(live, self.data, np.iinfo(np.int64).max).min(axis=1, keepdims=True)
            high = np.where(live, self.data, np.iinfo(np.int64).min).max(axis=1, keepdims=True)
            return low, bool((low == high)[rows].all())

        value, same = self.run.once(0, only)
        return Value(self.run, None, value) if self.run.noted(same) else None

    def settled(self) -> Value:
        """`alone`, or as it is."""
        found = self.alone()
        return self if found is None else found

    def _with(self, other: Any, operate: Callable[[Any, Any], Any], swap: bool) -> Any:
        if isinstance(other, Label):
            if operate in (eq, ne, xor):
                return other ^ self if operate is xor else (other == self) == (operate is eq)
            other = other.value()
        if isinstance(other, Unknown | _All):
            return (
                other if isinstance(other, Unknown) else operate(other, self) if operate is and_ else Unknown(self.run)
            )
        mine: Value = self
        if isinstance(other, Value):
            if None not in (mine.digit, other.digit) and mine.digit != other.digit:
                if operate is and_ and mine.data.dtype == other.data.dtype == bool:
                    return _All(self.run, [mine, other])
                mine, other = mine.settled(), other.settled()
                if None not in (mine.digit, other.digit):
                    return Unknown(self.run)
            digit, data = mine.digit if other.digit is None else other.digit, other.data
        elif isinstance(other, int | np.integer | np.bool_):
            digit, data = mine.digit, np.bool_(other) if isinstance(other, bool | np.bool_) else np.int64(other)
        else:
            raise Unfit
        if operate is xor and digit is not None and self.run.masks[digit].shape[1] > MOST_XOR:
            raise Split(digit, 1 << ((self.run.masks[digit].shape[1] - 1).bit_length() - 1))
        first, second = (data, mine.data) if swap else (mine.data, data)
        if operate not in (and_, or_, xor):  # NumPy's truths do not add up
            first, second = _number(first), _number(second)
        if operate in (floordiv, mod) and (second == 0).any():
            raise Unfit
        return Value(self.run, digit, self.run.once(self.data.size, lambda: operate(first, second)))

    def __bool__(self) -> bool:
        return self.run.part(self.digit, self.data if self.data.dtype == bool else self.data != 0) == 1

    def __index__(self) -> int:
        return self.run.part(self.digit, self.data)

    __int__ = __index__

    def __neg__(self) -> Value:
        return Value(self.run, self.digit, -_number(self.data))

    def __abs__(self) -> Value:
        return Value(self.run, self.digit, abs(self.data))


def _number(data: Any) -> Any:
    return data.astype(np.int64) if data.dtype == bool else data


class Label:
    """A number that is a sum of digits with weights: a router's, or a coordinate's."""

    __array_ufunc__ = None

    def __init__(self, run: Run, system: System, parts: Sequence[Part] | None, shift: int, router: bool) -> None:
        self.run, self.system, self._parts, self.shift, self.router = run, system, parts, shift, router
        """shift: number of the first digit of its router among those of the run. router: whether it is a router's."""

    @property
    def parts(self) -> Sequence[Part]:
        """The digits; where there are none, the router number has to be taken apart first."""
        if self._parts is None:
            raise Split(-1, 0)
        return self._parts

    def of(self, digit: int) -> Value:
        """One digit."""
        return Value(self.run, self.shift + digit, np.arange(self.system.radix[digit], dtype=np.int64)[None, :])

    def coordinate(self, column: int) -> Any:
        """A coordinate of a router."""
        if not self.system.columns:
            raise Unfit
        return self._narrow(list(self.system.columns[column]))

    def value(self) -> Any:
        """As one table; unknown where it has several digits, of which more than one is not settled."""
        total: Any = 0
        for weight, digit in self.parts:
            total = mul(self.of(digit), weight) + total
        return total

    def _cut(self, at: int) -> tuple[list[Part], list[Part]]:
        """The parts that are multiples of `at`, and those below it, together smaller than it."""
        high = [part for part in self.parts if part.weight % at == 0]
        low = [part for part in self.parts if part.weight % at != 0]
        if sum(weight * (self.system.radix[digit] - 1) for weight, digit in low) < at:
            return high, low
        for weight, digit in low:
            if at % weight == 0 and 1 < at // weight < self.system.radix[digit]:
                raise Split(digit, at // weight)
        raise Unfit

    def _narrow(self, parts: list[Part]) -> Any:
        made = Label(self.run, self.system, tuple(parts), self.shift, False)
        return 0 if not parts else made.value() if len(parts) == 1 else made

    def __mod__(self, by: Any) -> Any:
        by = int(by)
        if by == 1:
            return 0
        if self.router and by in self.system.rests:
            return int(self.of(self.system.rests[by]))
        if self.router:
            self.system.divisors.add(by)
        return self._narrow(self._cut(by)[1])

    def __floordiv__(self, by: Any) -> Any:
        by = int(by)
        return self._narrow([Part(weight // by, digit) for weight, digit in self._cut(by)[0]])

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, Label | Unknown):
            return self.run.either()
        if isinstance(other, Value) and other.digit is not None:
            return self.run.either()
        if self.router and isinstance(other, Value):
            table = self.system.digit
            if ((other.data < 0) | (other.data >= len(table))).any():
                raise Unfit
            return all(self.of(d) == Value(self.run, None, table[other.data, d]) for d in range(table.shape[1]))
        return self._equal(other)

    def _equal(self, other: Any) -> bool:
        """Whether a number is this, which is read as digits: sums of several must tell all numbers apart."""
        below = 1
        for weight, digit in sorted(self.parts):
            if weight != below:
                raise Unfit
            below *= self.system.radix[digit]
        if not bool((other >= 0) & (other < below)):
            return False
        return all(self.of(digit) == (other // weight) % self.system.radix[digit] for weight, digit in self.parts)

    def __xor__(self, other: Any) -> Word:
        if not isinstance(other, Value) or other.digit is not None:
            raise Unfit
        parts = [part for part in self.parts if self.system.radix[part.digit] > 1]
        for _, digit in parts:
            if self.system.radix[digit] > 2:
                raise Split(digit, 1 << ((self.system.radix[digit] - 1).bit_length() - 1))
        mine = [(weight, Value(self.run, None, other.data // weight & 1)) for weight, _ in parts]
        bits = {weight: xor(self.of(digit), bit) for (weight, bit), (_, digit) in zip(mine, parts, strict=True)}
        too_long = (other.data < 0) | (other.data >> len(bits) > 0)
        if sorted(bits) != [1 << k for k in range(len(bits))] or too_long.any():
            raise Unfit
        return Word([bits[weight] for weight in sorted(bits)])

    __rxor__ = __xor__

    def _no(self, *others: Any) -> NoReturn:
        raise Unfit

    __index__ = __int__ = __bool__ = _no

    def __lt__(self, other: Any) -> Any:
        return False if isinstance(other, int) and other <= 0 else self.value() < other

    def __ge__(self, other: Any) -> Any:
        return True if isinstance(other, int) and other <= 0 else self.value() >= other


def _by_value() -> None:
    """Whatever else is done with a label is done with its value."""

    def forward(operate: Callable[[Any, Any], Any]) -> Callable[[Label, Any], Any]:
        """The operator with the label on the left."""
        return lambda self, other: operate(self.value(), other)

    def backward(operate: Callable[[Any, Any], Any]) -> Callable[[Label, Any], Any]:
        """The operator with the label on the right."""
        return lambda self, other: operate(other, self.value())

    for operate in (add, sub, mul, and_, or_, lshift, rshift):
        name = operate.__name__.rstrip("_")
        setattr(Label, f"__{name}__", forward(operate))
        setattr(Label, f"__r{name}__", backward(operate))
    for operate in (gt, le):
        setattr(Label, f"__{operate.__name__}__", forward(operate))


_by_value()


class Table:
    """An array of the network, whose indices may be values; that of coordinates knows those of labels."""

    def __init__(self, run: Run, array: Array, coordinates: bool = False) -> None:
        self.run, self.array, self.shape, self.size, self._coordinates = (
            run,
            array,
            array.shape,
            array.size,
            coordinates,
        )

    def __getitem__(self, index: Any) -> Any:
        index = index if isinstance(index, tuple) else (index,)
        if self._coordinates and isinstance(index[0], Label) and index[0].router:
            return index[0].coordinate(int(index[1]))
        index = tuple(k.value() if isinstance(k, Label) else k for k in index)
        if any(isinstance(k, Unknown) for k in index):
            return Unknown(self.run)
        if len({k.digit for k in index if isinstance(k, Value) and k.digit is not None}) > 1:
            index = tuple(k.settled() if isinstance(k, Value) else k for k in index)
        digits = {k.digit for k in index if isinstance(k, Value) and k.digit is not None}
        if len(digits) > 1:
            return Unknown(self.run)
        if not any(isinstance(k, Value) for k in index):
            return int(self.array[tuple(int(k) for k in index)])
        digit = digits.pop() if digits else None
        where = [k.data if isinstance(k, Value) else np.array(k, np.int64) for k in index]
        for k, size in enumerate(self.shape):
            inside, whole = self.run.once(0, partial(_inside, where[k], size))
            if not self.run.noted(whole):
                if not self.run.part(digit, inside):
                    raise Beyond
                where[k] = np.clip(where[k], 0, size - 1)
        return Value(self.run, digit, self.run.once(0, lambda: self.array[tuple(where)].astype(np.int64)))


def _inside(index: Array, size: int) -> tuple[Array, bool]:
    """Which indices an array has, and whether it has all."""
    inside = (index >= 0) & (index < size)
    return inside, bool(inside.all())
