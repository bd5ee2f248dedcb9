"""A start hook run on queues of which nothing is known: both answers to each question about them are followed.

A number reckoned from queues is a sum of multiples of them, or else opaque. Queues are never below 0, so some
questions have one answer; the same question has the same answer throughout a run. Called by `followed`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import add, and_, eq, floordiv, ge, gt, le, lshift, lt, mod, mul, ne, or_, rshift, sub, xor
from typing import Any, NoReturn

from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.symbolic.operators import with_operators

__all__ = ["Queues", "Unknown", "with_any_queues"]

MOST_ANSWERS = 1 << 10
"""Ways to answer the questions of one call."""
MOST = 1 << 32
"""Numbers that a sum may have."""
LONGEST, BEYOND = 1 << 30, 1 << 63
"""Queues are shorter than the first; numbers of the second and more are others in compiled code."""


class _Run:
    """One run of the hook: what it has asked, and the answers."""

    def __init__(self, script: list[bool], todo: list[list[bool]]) -> None:
        self._script, self._todo, self._at = script, todo, 0
        self._said: dict[Any, bool] = {}

    def answer(self, question: Any) -> bool:
        """The same to the same question; raises Unfit where there are too many."""
        if question not in self._said:
            if self._at == len(self._script):
                if len(self._todo) >= MOST_ANSWERS:
                    raise Unfit
                self._todo.append([*self._script, False])
                self._script.append(True)
            self._said[question] = self._script[self._at]
            self._at += 1
        return self._said[question]


def _whole(number: Any) -> int:
    """A number as a whole one; raises Unfit for one that is none, as sums are of whole numbers."""
    if int(number) != number:
        raise Unfit
    return int(number)


def _size(key: Any) -> int:
    """How large a queue, or a formula, may be: it has that as its last part."""
    return LONGEST if isinstance(key, int) else int(key[-1])


def _formula_size(operate: Callable[[Any, Any], Any], left: Unknown, right: Unknown) -> int:
    """How large what an operator gives may be; raises Unfit where compiled code may not have it in 64 bits."""
    if operate is rshift:
        if right.of or not 0 <= right.rest < 64:
            raise Unfit
        return left.size
    if operate in (and_, or_, xor):
        return 1 << max(left.size, right.size).bit_length()
    sizes = {mul: left.size * right.size, floordiv: left.size + 1, mod: right.size}
    if operate not in sizes:
        raise Unfit
    return sizes[operate]


@with_operators
class Unknown:
    """A sum: `rest`, and multiples `of` queues, or of formulas that are no such sums."""

    def __init__(self, run: _Run, of: dict[Any, int], rest: int = 0) -> None:
        self.run, self.of, self.rest = run, {key: many for key, many in of.items() if many}, rest
        self.size = abs(rest) + sum(abs(many) * _size(key) for key, many in of.items())
        """How large it may be."""
        if max(map(abs, (rest, *of.values()))) > MOST or self.size >= BEYOND:
            raise Unfit

    @property
    def formula(self) -> Any:
        """What is the same for the same sum."""
        return tuple(sorted(self.of.items(), key=str)), self.rest

    def _with(self, other: Any, operate: Callable[[Any, Any], Any], swap: bool) -> Any:
        two = other if isinstance(other, Unknown) else Unknown(self.run, {}, _whole(other))
        if operate in (eq, ne, lt, le, gt, ge):
            return self._compared(two, operate)
        left, right = (two, self) if swap else (self, two)
        if operate in (add, sub):
            return left._less(right, 1 if operate is sub else -1)
        if operate is lshift and not right.of and 0 <= right.rest < 64:
            operate, right = mul, Unknown(self.run, {}, 1 << right.rest)
        if operate is mul and not (left.of and right.of):
            some, by = (left, right.rest) if left.of else (right, left.rest)
            return Unknown(self.run, {key: many * by for key, many in some.of.items()}, some.rest * by)
        size = _formula_size(operate, left, right)
        return Unknown(self.run, {(operate.__name__, left.formula, right.formula, size): 1})

    def _less(self, two: Unknown, times: int = 1) -> Unknown:
        of = {key: self.of.get(key, 0) - times * two.of.get(key, 0) for key in {**self.of, **two.of}}
        return Unknown(self.run, of, self.rest - times * two.rest)

    def _compared(self, two: Unknown, operate: Callable[[Any, Any], Any]) -> bool:
        over = self._less(two)
        if operate in (eq, ne):
            known = over._sign()
            alike = self.run.answer(("eq", over.formula)) if known is None else known == 0
            return alike is (operate is eq)
        if operate in (gt, ge):
            return two._less(self)._below(strictly=operate is gt)
        return over._below(strictly=operate is lt)

    def _below(self, strictly: bool) -> bool:
        """Whether it is below 0, or 0 unless strictly."""
        whole = all(isinstance(key, int) for key in self.of)
        many = self.of.values()
        if whole and all(by >= 0 for by in many) and (self.rest > 0 or (self.rest == 0 and strictly)):
            return False
        if whole and all(by <= 0 for by in many) and (self.rest < 0 or (self.rest == 0 and not strictly)):
            return True
        # Below 0 is at most -1: sums are whole numbers.
        edge = Unknown(self.run, self.of, self.rest + strictly)
        return edge.rest <= 0 if not edge.of else self.run.answer(("at most 0", edge.formula))

    def _sign(self) -> int | None:
        """-1, 0 or 1 where it is known."""
        if not self.of:
            return (self.rest > 0) - (self.rest < 0)
        if all(isinstance(key, int) and by > 0 for key, by in self.of.items()) and self.rest > 0:
            return 1
        if all(isinstance(key, int) and by < 0 for key, by in self.of.items()) and self.rest < 0:
            return -1
        return None

    __hash__ = None  # type: ignore[assignment]

    def __neg__(self) -> Any:
        return Unknown(self.run, {})._less(self)

    def __abs__(self) -> Unknown:
        return Unknown(self.run, {("abs", self.formula, self.size): 1})

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __index__(self) -> NoReturn:
        raise Unfit

    __int__ = __float__ = __index__


class Queues:
    """The queues that a hook is told."""

    def __init__(self, run: _Run, size: int) -> None:
        self.run, self.size, self.shape = run, size, (size,)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, place: Any) -> Unknown:
        if not 0 <= int(place) < self.size:
            raise IndexError
        return Unknown(self.run, {int(place): 1})


def with_any_queues(call: Callable[[Queues], Any], queues: int) -> Iterator[Any]:
    """What `call` returns for so many queues, however long they are; raises Unfit where that cannot be told.

    There may be more than there are, as questions are not compared with each other; never fewer.

    >>> sorted(set(with_any_queues(lambda queue: 2 * queue[0] > queue[1] + 3, 2)))
    [False, True]
    >>> list(with_any_queues(lambda queue: queue[0] <= 2 * queue[0], 1))
    [True]
    """
    todo: list[list[bool]] = [[]]
    for _ in range(MOST_ANSWERS):
        if not todo:
            return
        run = _Run(todo.pop(), todo)
        try:
            found = call(Queues(run, queues))
        except Exception as error:
            raise Unfit from error
        yield found
    if todo:
        raise Unfit
