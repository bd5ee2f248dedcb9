"""Operators of integers for what stands for many numbers at once while a relation is run with it.

Called by `batched_runs`, `digits.values`, `dimensions.cases`, `inequalities.symbols` and `start_hooks.unknown_queues`.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add, and_, eq, floordiv, ge, gt, le, lshift, lt, mod, mul, ne, or_, rshift, sub, xor
from typing import Any, TypeVar

__all__ = ["COMPARISONS", "that_refuses", "with_operators"]

Kind = TypeVar("Kind", bound=type)
BOTH_WAYS = (add, sub, mul, floordiv, mod, and_, or_, xor, lshift, rshift)
COMPARISONS = (eq, ne, lt, le, gt, ge)


def with_operators(kind: Kind) -> Kind:
    """A class with the operators of integers, both ways round: each asks `_with(other, operate, swap)`.

    >>> @with_operators
    ... class Told:
    ...     def _with(self, other, operate, swap):
    ...         return operate(other, 7) if swap else operate(7, other)
    >>> Told() - 2, 2 - Told(), Told() < 8
    (5, -5, True)
    """

    def method(operate: Callable[[Any, Any], Any], swap: bool) -> Callable[[Any, Any], Any]:
        """The method of one operator; swap: the other operand stands on the left."""
        return lambda self, other: self._with(other, operate, swap)

    for operate in (*BOTH_WAYS, *COMPARISONS):
        name = operate.__name__.rstrip("_")
        setattr(kind, f"__{name}__", method(operate, False))
        if operate in BOTH_WAYS:
            setattr(kind, f"__r{name}__", method(operate, True))
    return kind


OTHERS = (
    *(f"__{operate.__name__.rstrip('_')}__" for operate in (*BOTH_WAYS, eq, lt, le, gt, ge)),
    *(f"__r{operate.__name__.rstrip('_')}__" for operate in BOTH_WAYS),
    *(f"__{side}{name}__" for side in ("", "r") for name in ("truediv", "divmod", "pow", "matmul")),
    *(f"__{name}__" for name in ("neg", "pos", "abs", "invert", "round", "trunc", "floor", "ceil")),
    *(f"__{name}__" for name in ("int", "float", "complex", "iter", "contains", "call", "hash", "str", "format")),
)
"""What a function may ask of a number, or takes for one: Python would answer some by itself, or raise what is its own.

Without length and items, which NumPy asks for where it puts objects into an array."""


def that_refuses(kind: Kind, why: type[Exception]) -> Kind:
    """A class whose objects raise `why` at all of OTHERS that it does not define itself.

    So that a function that catches TypeError has been seen to ask.

    >>> class Kept:
    ...     def __abs__(self):
    ...         return 3
    >>> kept = that_refuses(Kept, KeyError)()
    >>> abs(kept)
    3
    >>> kept / 2
    Traceback (most recent call last):
        ...
    KeyError
    """

    def refused(self: Any, *_: Any) -> Any:
        raise why

    for name in OTHERS:
        if vars(kind).get(name) is None:
            setattr(kind, name, refused)
    return kind
