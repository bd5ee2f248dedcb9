"""Functions of a user's own that call themselves, directly or by way of others, are refused before one runs.

Compiled code has no bound on the depth of its calls: where a recursion has no end for a packet that no sample meets,
the stack overflows and ends the process. So whether there is one is read from what the functions name, and a loop,
which the watch can end, is asked for instead. A function that gets itself as an argument is refused by the compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.jit.sources import names_of
from jumpnet.own.unchecked import globals_of

__all__ = ["must_not_recur", "named_by"]


def named_by(function: FunctionType) -> Iterator[Any]:
    """What a function reaches by name: globals, what it closes over, defaults, and attributes of modules among them.

    >>> def asks(k, least=min):
    ...     return least(k, 3)
    >>> list(named_by(asks))
    [<built-in function min>]
    """
    code, held = function.__code__, list(function.__defaults__ or ())
    held += (function.__kwdefaults__ or {}).values()
    held += (function.__globals__[name] for name in sorted(globals_of(code) & function.__globals__.keys()))
    for cell in function.__closure__ or ():
        try:
            held.append(cell.cell_contents)
        except ValueError:  # a name of the outer function that has no value yet
            continue
    seen: set[int] = set()
    while held:
        thing = held.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, tuple):
            held += thing
        elif isinstance(thing, ModuleType):
            held += (vars(thing)[name] for name in sorted(names_of(code) & vars(thing).keys()))
        else:
            yield thing


def must_not_recur(function: Any, helper: Callable[[Any], FunctionType | None]) -> None:
    """Raise JumpnetError where a function can come to itself through the functions that it names.

    helper: the plain function behind what a function names, None for what it is not compiled with. Cost: one look at
    each function.
    """
    done: set[int] = set()
    way: list[FunctionType] = []

    def visit(source: FunctionType) -> None:
        if source in way:
            raise JumpnetError(_words(way[way.index(source) :]))
        if id(source) in done:
            return
        done.add(id(source))
        way.append(source)
        for thing in named_by(source):
            if (inner := helper(thing)) is not None:
                visit(inner)
        way.pop()

    if isinstance(first := getattr(function, "py_func", function), FunctionType):
        visit(first)


def _words(ring: list[FunctionType]) -> str:
    first, others = ring[0], [function.__name__ for function in ring[1:]]
    by = f" by way of {', '.join(others)}" if others else ""
    place = f"{first.__code__.co_filename}:{first.__code__.co_firstlineno}"
    return f"{place}: {first.__name__} calls itself{by}, which own functions may not: a loop expected"
