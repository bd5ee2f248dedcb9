"""Types of operations on numbers and rows, asked of Numba once a process instead of at every place where they stand.

Numba tries all that it knows of an operator, some forty functions for a sum, for every sum of every kernel: twice while
it types and once more while it lowers. For plain types the answer rests on the types alone. Loaded with Numba.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jumpnet.jit.compiler import types

__all__ = ["PlainType", "operations_remembered", "taken_as"]


class PlainType(types.Type):
    """A type of our own whose operations are compiled in one way, whatever the options of the kernel."""

    def taken_as(self, functions: tuple[Any, ...]) -> types.Type:
        """The type by which these functions, a kernel and those that it is given, take a value of this type."""
        return self


PLAIN = (types.Integer, types.Float, types.Boolean, types.CPointer, PlainType)


def taken_as(args: tuple[Any, ...], function: Any) -> tuple[Any, ...]:
    """The types by which a kernel takes arguments: one for all that mean the same to it, so that it is typed once."""
    given = tuple(kind.dispatcher.py_func for kind in args if isinstance(kind, types.Dispatcher))

    def one(kind: Any) -> Any:
        if isinstance(kind, types.IntegerLiteral) or (isinstance(kind, types.Integer) and kind.signed):
            return types.int64
        return kind.taken_as((function, *given)) if isinstance(kind, PlainType) else kind

    return tuple([one(kind) for kind in args])


def _is_operation(function: Any) -> bool:
    """Whether it is an operator, or the question of a branch."""
    return function is bool or getattr(function, "__module__", "") == "_operator"


KNOWN = "_known_types"


def _answered(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """`get_call_type` of a function of Numba's, which keeps what it has answered for plain types."""
    if kws or not _is_operation(self.typing_key) or not all(isinstance(kind, PLAIN) for kind in args):
        return ASKED(self, context, args, kws)
    known = self.__dict__.setdefault(KNOWN, {})
    if (context, args) not in known:
        known[context, args] = ASKED(self, context, args, kws)
    return known[context, args]


ASKED = types.Function.get_call_type


@contextmanager
def operations_remembered() -> Iterator[None]:
    """Let Numba keep what it answers for plain types while our kernels compile, and not for kernels of the user's."""
    before = types.Function.get_call_type
    types.Function.get_call_type = _answered
    try:
        yield
    finally:
        types.Function.get_call_type = before
