"""What people call from Python: whatever they hand over, an error is one line that names it.

`@public` marks functions, and classes for their methods and for how they are made. When something other than a
JumpnetError ends a call, the arguments are held against their annotations: one that does not fit is named, else the
object of the caller's own that raised when it was asked for something. What is left is an error of jumpnet's own,
`UnforeseenError`. The exception itself is the `__cause__` of each. `KeyboardInterrupt`, what a function of the caller's
own raises (`progress`), and a call without its arguments stay what they are; a name that no parameter has is refused,
with the nearest one.

Where an annotation names plain values alone (numbers, texts, a few words), they are Python's own to the function, and
others are refused: most would do something else in silence. A record (a dataclass or named tuple) refuses values of
another kind in its other fields too, when it is made: what reads it later could not say who gave them. Iterators that
go on and on end in a line too, and so do ranges and arrays that hold far more than they take in memory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from inspect import isgeneratorfunction
from types import FunctionType
from typing import Any, TypeVar

from jumpnet.errors import JumpnetError
from jumpnet.memory import available_bytes, readable

__all__ = ["named", "public"]

MOST_VALUES = 10_000_000
"""Of an iterator or a range that is handed over: many have no end."""
WHOLE = frozenset((int, float, bool, str, bytes, type(None), tuple, list, dict, set, frozenset))
"""Types of values that are handed on as they are: most that are, so they are asked nothing else."""

T = TypeVar("T", bound=Callable[..., Any])


def public(thing: T) -> T:
    """Mark a function or class that people call: see the module.

    >>> @public
    ... def half(number: float) -> float:
    ...     return number / 2
    >>> half(3.0)
    1.5
    >>> half(None)
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: half: number None found, a number expected
    """
    if not isinstance(thing, type):
        turned: T = _turned(thing, thing.__name__)
        return turned
    tuples, record = hasattr(thing, "_fields"), hasattr(thing, "__dataclass_fields__")
    if tuples:
        thing.__new__.__module__ = thing.__module__  # where names in annotations are looked up
        thing.__new__ = _turned(thing.__new__, thing.__name__, True)  # type: ignore[method-assign]
    for name, method in vars(thing).copy().items():
        if isinstance(method, FunctionType) and not hasattr(method, "is_public"):
            if name == "__init__":
                setattr(thing, name, _turned(method, thing.__name__, record))
            elif not name.startswith("_"):
                setattr(thing, name, _turned(method, f"{thing.__name__}.{name}"))
    return thing


K = TypeVar("K", bound=type[Any])


def named(kind: K) -> K:
    """Mark a record that people make and that checks its fields itself: a name that none of them has is refused here.

    >>> from dataclasses import dataclass
    >>> @named
    ... @dataclass
    ... class Size:
    ...     routers: int = 4
    >>> Size(router=5)
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: unknown setting of Size 'router'; did you mean 'routers'?
    """
    made = kind.__init__

    @wraps(made)
    def call(*given: Any, **fields: Any) -> None:
        try:
            made(*given, **fields)
        except TypeError:
            from jumpnet.api._unforeseen import refuse_unknown_name

            refuse_unknown_name(made, kind.__name__, fields)
            raise

    call.is_public = True  # type: ignore[attr-defined]
    kind.__init__ = call
    return kind


class _Counted:
    """The values of an iterator of the caller's, up to so many."""

    def __init__(self, values: Iterator[Any]) -> None:
        self._values, self._left = values, MOST_VALUES

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        self._left -= 1
        if self._left < 0:
            raise JumpnetError(f"an iterator that gives more than {MOST_VALUES} values found, an end expected")
        return next(self._values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._values, name)


def _ending(value: Any) -> Any:
    """A value that was handed over, or its like that ends; raises JumpnetError where it holds too much."""
    kind = type(value)
    if kind in WHOLE:
        return value
    if kind is range:
        if value and (value[-1] - value[0]) // value.step >= MOST_VALUES:
            raise JumpnetError(f"{value!r:.60} found, at most {MOST_VALUES} values expected")
    elif issubclass(kind, Iterator):
        left = kind.__module__.startswith("jumpnet.") or hasattr(kind, "read") or hasattr(kind, "__len__")
        return value if left else _Counted(value)
    elif (numpy := sys.modules.get("numpy")) and issubclass(kind, numpy.ndarray):
        repeats = value.nbytes > MOST_VALUES and 0 in value.strides
        if repeats and value.nbytes > available_bytes():
            taken = f"{readable(value.nbytes)} of memory"
            raise JumpnetError(f"an array of shape {value.shape} found, which takes {taken}; one that fits expected")
    return value


def _turned(function: Any, name: str, record: bool = False) -> Any:
    if isgeneratorfunction(function):

        @wraps(function)
        def call(*given: Any, **named: Any) -> Iterator[Any]:
            try:
                given, named = _plainly(name, function, given, named)
                yield from function(*map(_ending, given), **{key: _ending(value) for key, value in named.items()})
            except JumpnetError:
                raise
            except Exception as error:
                _say(error, function, name, given, named)

    else:

        @wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            try:
                given, named = _plainly(name, function, given, named, record)
                return function(*map(_ending, given), **{key: _ending(value) for key, value in named.items()})
            except JumpnetError:
                raise
            except Exception as error:
                _say(error, function, name, given, named)

    call.is_public = True  # type: ignore[attr-defined]
    return call


def _plainly(*about: Any) -> Any:
    from jumpnet.api._fitting import plainly  # loads NumPy, which the list of verbs does without

    return plainly(*about)


def _say(*about: Any) -> None:
    from jumpnet.api._unforeseen import say  # loads what most calls never need

    say(*about)
