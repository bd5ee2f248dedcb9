"""What relations have in common that run for many packets at once, on tables (`dimensions`, `digits`) or inequalities.

See decisions 0075 to 0077 for the three ways.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NoReturn

__all__ = ["Elements", "Header", "Opaque", "Unanswered", "Unfit", "View", "Word", "called"]


class _First(threading.local):
    """The first question without an answer that the function asked which runs on this thread: its kind, its words."""

    question: tuple[type[Unanswered], tuple[Any, ...]] | None = None


_first = _First()


class Unanswered(Exception):
    """A function has asked what this way of running it does not say.

    That it was asked is remembered: a function that catches this, and goes on as it likes, has not answered (`called`).
    """

    def __init__(self, *why: Any) -> None:
        super().__init__(*why)
        _first.question = _first.question or (type(self), why)


class Unfit(Unanswered):
    """The relation does something that this way of running it does not say; another way is taken."""


class Header(dict[int, Any]):
    """A header of which only the fields that stand in it may be read."""

    def __missing__(self, field: int) -> NoReturn:
        raise Unfit


class View:
    """A network of which only what is set may be read."""

    def __getattr__(self, name: str) -> NoReturn:
        raise Unfit


class Opaque:
    """What may not be compared, nor asked whether it is true or which number it is: Python would answer by itself."""

    def __eq__(self, other: object) -> bool:
        raise Unfit

    def __bool__(self) -> bool:
        raise Unfit

    def __index__(self) -> int:
        raise Unfit


class Elements:
    """An array of the network of which only elements [place, number] may be read, each made by a function."""

    def __init__(self, shape: tuple[Any, int], kind: type, element: Callable[[Any, int], Any]) -> None:
        """kind: of the places."""
        self.shape, self._kind, self._element = shape, kind, element

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, tuple) or not isinstance(index[0], self._kind):
            raise Unfit
        at = int(index[1])
        if not 0 <= at < self.shape[1]:
            raise Unfit
        return self._element(index[0], at)


class Word:
    """A number of which the bits are known, each as a value that may be asked whether it is 0."""

    def __init__(self, bits: list[Any]) -> None:
        self.bits = bits

    def __bool__(self) -> bool:
        return any(bit != 0 for bit in self.bits)

    def __eq__(self, other: object) -> bool:
        if other != 0:
            raise Unfit
        return not bool(self)

    def __rshift__(self, by: Any) -> Word:
        return Word(self.bits[int(by) :])

    def __and__(self, other: Any) -> Any:
        if other != 1:
            raise Unfit
        return self.bits[0] if self.bits else 0


def called(function: Callable[..., Any], *given: Any) -> Any:
    """What a function in plain Python returns; raises Unfit for any error, and the first question without an answer.

    That is so of a function too that has caught what its question raised: what it does then is not what it does where
    the question has an answer.

    >>> def asks(view):
    ...     try:
    ...         return view.routers
    ...     except Exception:
    ...         return 0
    >>> called(asks, View())
    Traceback (most recent call last):
        ...
    jumpnet.analysis.deadlock.symbolic.header.Unfit
    """
    _first.question = None
    try:
        found = function(*given)
    except Exception as error:
        kind, why = _first.question or (Unfit, ())
        raise kind(*why) from error
    if _first.question is not None:
        kind, why = _first.question
        raise kind(*why)
    return found
