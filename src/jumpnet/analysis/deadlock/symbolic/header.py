"""What relations have in common that run for many packets at once, on tables (`dimensions`, `digits`) or inequalities.

See decisions 0075 to 0077 for the three ways.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

__all__ = ["Elements", "Header", "Opaque", "Unfit", "View", "Word", "called"]


class Unfit(Exception):
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
    """What a function in plain Python returns; raises Unfit for any error."""
    try:
        return function(*given)
    except Unfit:
        raise
    except Exception as error:
        raise Unfit from error
