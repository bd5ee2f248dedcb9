"""A user's own function compiled so that it keeps to its arrays: with checked indices, and arrays it cannot write.

An error that is raised, an index out of range and a division by zero end the function. Who makes a pointer of it
catches that, and answers RAISED; a C function that raised would answer anything.
"""

from __future__ import annotations

from typing import Any

from jumpnet._jit import DISABLED, intrinsic, jit
from jumpnet._trial import read_only, rebuilt

__all__ = ["RAISED", "frozen", "strict"]

RAISED = -(1 << 62)
"""Answer of a function that has ended in an error."""


def strict(function: Any) -> Any:
    """The function compiled with checks, in what it calls too."""

    def checked(plain: Any) -> Any:
        return jit(plain, boundscheck=True, error_model="python", cache=False)

    return function if DISABLED else checked(rebuilt(function, checked))


if DISABLED:

    def frozen(array: Any) -> Any:
        """A view of the array that cannot be written."""
        return read_only(array)

else:

    @intrinsic
    def frozen(typingctx: Any, array: Any) -> Any:
        """The array, borrowed, of a type that the compiler lets nobody write; jitted code only."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return args[0]

        return array.copy(readonly=True)(array), codegen
