"""A user's own function compiled so that it keeps to its arrays: with checked indices, and arrays it cannot write.

An error that is raised, an index out of range and a division by zero end the function. Who makes a pointer of it
catches that, and answers RAISED; a C function that raised would answer anything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from jumpnet._jit import DISABLED, cgutils, intrinsic, ir, jit, types
from jumpnet._sources import content_key
from jumpnet._trial import is_own, read_only, rebuilt

__all__ = ["RAISED", "frozen", "reads", "remembered", "strict"]

P = ParamSpec("P")
T = TypeVar("T")

WORD = ir.IntType(64)

RAISED = -(1 << 62)
"""Answer of a function that has ended in an error."""


def strict(function: Any) -> Any:
    """The function compiled with checks, and with it the helpers that it names, plain Python or compiled."""

    def checked(plain: Any) -> Any:
        return jit(plain, boundscheck=True, error_model="python", cache=False)

    return function if DISABLED else rebuilt(function, checked, _not_too_deep)


MOST_DEEP = 1000
"""Calls of itself that a function may be in, as in plain Python: a stack that overflows ends the process."""
STACK_BITS = 23
_deep = np.zeros(256, np.int64)
"""Such calls under way, by where their stacks are: threads have stacks of their own, 8 MiB apart or more."""


def _not_too_deep(compiled: Any) -> Any:
    """A compiled function that ends in an error where it calls itself too often, through others too."""

    def deeper(*given):
        place = _deep_place()
        fine = _add_deep(place, 1) < MOST_DEEP
        if fine:
            try:
                found = compiled(*given)
            except Exception:
                fine = False
        _add_deep(place, -1)
        if not fine:
            raise RecursionError("calls itself without end")
        return found

    return jit(deeper, error_model="python", cache=False)


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

else:

    @intrinsic
    def _deep_place(typingctx: Any) -> Any:
        """The place in `_deep` of the stack that this call is on."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            here = builder.ptrtoint(cgutils.alloca_once(builder, WORD), WORD)
            return builder.and_(builder.lshr(here, WORD(STACK_BITS)), WORD(len(_deep) - 1))

        return types.int64(), codegen

    @intrinsic
    def _add_deep(typingctx: Any, place: Any, by: Any) -> Any:
        """Add to `_deep` at a place, at once for all threads; what was there."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            first = builder.inttoptr(WORD(_deep.ctypes.data), WORD.as_pointer())
            return builder.atomic_rmw("add", builder.gep(first, [args[0]]), args[1], "monotonic")

        return types.int64(types.int64, types.int64), codegen

    @intrinsic
    def frozen(typingctx: Any, array: Any) -> Any:
        """The array, borrowed, of a type that the compiler lets nobody write; jitted code only."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return args[0]

        return array.copy(readonly=True)(array), codegen
