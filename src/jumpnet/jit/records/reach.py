"""Which names the code of a kernel comes to, with all kernels that it calls or is given: what it may ask a record for.

A kernel that asks for nothing in which two types of a record differ is typed once for both (`records.record_types`).
What is looked at is the source as compiled by Python, so that the answer errs on the side of names that are never used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

__all__ = ["names_reached"]


@cache
def _names(code: CodeType) -> frozenset[str]:
    """All names in the code of a function and of those inside it."""
    inner = [_names(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return frozenset(code.co_names + code.co_freevars).union(*inner)


def _functions_in(value: Any) -> Iterator[FunctionType]:
    """The plain functions behind a value that code names."""
    value = getattr(value, "py_func", value)
    if isinstance(value, FunctionType):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _functions_in(part)


def _named_by(function: FunctionType) -> Iterator[FunctionType]:
    names = _names(function.__code__)
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    known = function.__globals__ | {name: cell.cell_contents for name, cell in cells}
    for name in names:
        value = known.get(name)
        if isinstance(value, ModuleType):
            for inside in names:
                yield from _functions_in(getattr(value, inside, None))
        else:
            yield from _functions_in(value)


@cache
def _named(function: FunctionType) -> tuple[FunctionType, ...]:
    return tuple(_named_by(function))


def names_reached(functions: Iterable[Any]) -> frozenset[str]:
    """The names that some functions come to."""
    todo, seen = list(functions), set()
    found: set[str] = set()
    while todo:
        function = todo.pop()
        if function not in seen:
            seen.add(function)
            found |= _names(function.__code__)
            todo += _named(function)
    return frozenset(found)
