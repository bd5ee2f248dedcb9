"""Numbers of which some bits are not known, for the STATE of packets that start by many draws.

A relation that asks for a bit which is not known is run again with either (`Bit`); what it does not ask for stays open,
so that the kinds of packets do not double with each draw of a bit. Called by `inequalities`, and for hooks by
`all_sizes`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import add, and_, eq, ge, gt, le, lt, ne, rshift
from typing import Any, NamedTuple, NoReturn

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Unanswered, Unfit
from jumpnet.analysis.deadlock.symbolic.operators import that_refuses, with_operators

__all__ = ["Bit", "Bits", "Word"]


class Bit(Unanswered):
    """A bit has to be known."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Bits(NamedTuple):
    """Numbers of at least 0 that have some bits in common."""

    value: int
    """The bits that are set in all of them."""
    unknown: int
    """The bits that any of them may have or not."""

    def told(self, number: int) -> list[Bits]:
        """The same in two parts: without a bit that is not known, and with it.

        >>> Bits(4, 3).told(0)
        [Bits(value=4, unknown=2), Bits(value=5, unknown=2)]
        """
        bit = 1 << number
        return [Bits(self.value, self.unknown & ~bit), Bits(self.value | bit, self.unknown & ~bit)]

    def forgotten(self, bits: int) -> Bits:
        """At least the same, without knowing some bits.

        >>> Bits(5, 2).forgotten(3)
        Bits(value=4, unknown=3)
        """
        return Bits(self.value & ~bits, self.unknown | bits)


@partial(that_refuses, why=Unfit)
@with_operators
class Word:
    """One of some numbers, while a function runs with it; what would differ among them asks for a bit.

    >>> word = Word(Bits(8, 3))
    >>> word >= 8, word == 4, (word & 8) >> 3, (word + 4).bits
    (True, False, 1, Bits(value=12, unknown=3))
    >>> word & 1 == 1
    Traceback (most recent call last):
        ...
    jumpnet.analysis.deadlock.symbolic.bits.Bit: 0
    """

    __slots__ = ("at", "bits")

    def __init__(self, bits: Bits, at: int = 0) -> None:
        """at: the number of the last bit in the number that was taken apart."""
        self.bits, self.at = bits, at

    def _with(self, other: Any, operate: Callable[[Any, Any], Any], swap: bool) -> Any:
        if isinstance(other, int | np.integer) and (operate in (add, and_) or not swap):
            found = self._by(int(other), operate)
            if found is not None:
                return found
        raise self._asked()

    def _by(self, other: int, operate: Callable[[Any, Any], Any]) -> Any:
        """What an operation gives for all the numbers; None where that is not known, or asked of no other number."""
        value, unknown = self.bits
        if operate is add and value + other >= 0 and not (value + other) & unknown:  # so no bit is carried
            return self._made(value + other, unknown, self.at)
        if operate is and_ and other >= 0:
            return self._made(value & other, unknown & other, self.at)
        if operate is rshift and other >= 0:
            return self._made(value >> other, unknown >> other, self.at + other)
        if operate in (eq, ne) and (other < 0 or other & ~unknown != value):
            return operate is ne
        if operate in (lt, le, gt, ge) and operate(value, other) == operate(value | unknown, other):
            return operate(value, other)
        return None

    def _made(self, value: int, unknown: int, at: int) -> Word | int:
        return Word(Bits(value, unknown), at) if unknown else value

    def _asked(self) -> Bit:
        unknown = self.bits.unknown
        return Bit(self.at + (unknown & -unknown).bit_length() - 1)

    def __bool__(self) -> bool:
        if self.bits.value == 0:
            raise self._asked()
        return True

    def __index__(self) -> NoReturn:
        raise self._asked()

    __int__ = __index__
