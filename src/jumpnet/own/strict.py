"""A user's own function compiled so that it keeps to its arrays: with checked indices, and arrays it cannot write.

An error that is raised, an index out of range and a division by zero end the function. Who makes a pointer of it
catches that, and answers RAISED; a C function that raised would answer anything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from jumpnet.jit.decorator import DISABLED, intrinsic, types
from jumpnet.jit.later import Deferred
from jumpnet.jit.linked import checked
from jumpnet.jit.sources import content_key
from jumpnet.own.trial import read_only, rebuilt
from jumpnet.own.whose import is_own

__all__ = ["RAISED", "frozen", "reads", "remembered", "strict", "whole_number"]

P = ParamSpec("P")
T = TypeVar("T")

_errors = Deferred("numba.core.errors")

RAISED = -(1 << 62)
"""Answer of a function that has ended in an error."""


def strict(function: Any) -> Any:
    """The function compiled with checks, and with it the helpers that it names, plain Python or compiled."""
    return function if DISABLED else rebuilt(function, checked)


def reads(function: Any) -> str:
    """Hash of a user's function and of all that it reads as it is now; empty for others, and where there is none.

    In a notebook a helper or a constant may be another one in the next cell, and the function itself the same.
    """
    if not is_own(function):
        return ""
    try:
        return content_key(function)
    except (TypeError, ValueError):  # no stable bytes; a name of an outer function without a value
        return ""


def remembered(make: Callable[P, T]) -> Callable[P, T]:
    """`make`, that answers from memory for the same arguments, as long as functions among them read the same."""
    kept: dict[Any, T] = {}

    @wraps(make)
    def ask(*given: P.args, **named: P.kwargs) -> T:
        key = given, *named.items(), *map(reads, given)
        if key not in kept:
            kept[key] = make(*given, **named)
        return kept[key]

    return ask


if DISABLED:

    def frozen(array: Any) -> Any:
        """A view of the array that cannot be written."""
        return read_only(array)

    def whole_number(value: Any) -> Any:
        """The value; the checked pass has looked at it."""
        return int(value)

else:

    @intrinsic
    def frozen(typingctx: Any, array: Any) -> Any:
        """The array, borrowed, of a type that the compiler lets nobody write; jitted code only."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return args[0]

        return array.copy(readonly=True)(array), codegen

    @intrinsic
    def whole_number(typingctx: Any, value: Any) -> Any:
        """What a user's function gives, as int64; whoever gives anything else is not compiled. Jitted code only."""
        if not isinstance(value, types.Integer | types.Boolean):
            found = "None for some calls" if isinstance(value, types.Optional | types.NoneType) else str(value)
            raise _errors.TypingError(f"a result of type {found} found, a whole number expected")

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return context.cast(builder, args[0], signature.args[0], signature.return_type)

        return types.int64(value), codegen
