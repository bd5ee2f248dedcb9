"""Functions of a routing compiled to pointers, once a process; what keeps one from compiling, in one line."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.jit.refusal import why_not_compiled
from jumpnet.own.strict import remembered
from jumpnet.routings.reads import bad_index
from jumpnet.routings.view import ROUTING_FIELDS

__all__ = ["compiled", "no_start", "readable"]

ARGUMENTS = "(net, here, head, out) expected, of a start hook (net, head, draw, queue)"
"""Arguments of a relation, an outlook and a start hook."""


def no_start(net, head, draw, queue):
    """The start hook of a routing that has none."""


@remembered
def compiled(compile_it: Callable[..., Any], function: Callable[..., Any], name: str) -> Any:
    """A function pointer, made once a process; a wrong header field or a compiler's refusal become one line."""
    readable(function, name)
    try:
        return compile_it(function)
    except JumpnetError:
        raise
    except Exception as error:
        raise JumpnetError(f"routing {name} does not compile: {why_not_compiled(error, function)}") from None


def readable(function: Any, name: str) -> None:
    """Refuse what can be seen without running it."""
    if not isinstance(getattr(function, "py_func", function), FunctionType):
        raise JumpnetError(f"routing {name}: {type(function).__name__} found, a function expected")
    code = getattr(function, "__code__", None)
    if code is not None and code.co_argcount != 4:
        found = f"{code.co_name}({', '.join(code.co_varnames[: code.co_argcount])}) found"
        raise JumpnetError(f"routing {name}: {found}, {ARGUMENTS}")
    wrong = bad_index(function, "head", ROUTING_FIELDS)
    if wrong is not None:
        raise JumpnetError(f"routing {name}: {wrong}")
