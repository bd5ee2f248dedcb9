"""Which header fields a relation can read, found from its source: what a proof may leave out of a packet's state.

Conservative: a header that is passed on, sliced or indexed by anything but a constant counts as read in full, and so
does that of a function whose file says something else by now. Called by `analysis/`.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from jumpnet.own.strict import reads
from jumpnet.routings.view import HEADER_FIELDS

__all__ = ["argument_names", "definition", "fields_read", "written"]

ALL = frozenset(range(HEADER_FIELDS))


def written(function: Callable[..., Any]) -> Callable[..., Any] | None:
    """The plain function behind a compiled one; None of one that wraps another, whose source `inspect` would show."""
    function = getattr(function, "py_func", function)
    if isinstance(function, FunctionType) and hasattr(function, "__wrapped__"):
        return None
    return inspect.unwrap(function)


def definition(function: Callable[..., Any]) -> ast.FunctionDef | None:
    """The source of a function as a tree; None where there is none, or what runs is another, from before an edit."""
    plain = written(function)
    if not isinstance(plain, FunctionType):
        return None
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    first = tree.body[0] if tree.body else None
    return first if isinstance(first, ast.FunctionDef) and _is_as_in_its_file(plain) else None


def _is_as_in_its_file(function: FunctionType) -> bool:
    """Whether the lines where its source is looked for made a function; raises OSError where there are none."""
    text, code = "".join(inspect.findsource(function)[0]), function.__code__
    return code in _codes_of(text, code.co_flags & annotations.compiler_flag)


@functools.lru_cache(maxsize=64)
def _codes_of(text: str, flags: int) -> frozenset[CodeType]:
    """The code of every function of a file; flags: whether annotations stay text, as who loads it says."""
    found = [compile(text, "<source>", "exec", flags, dont_inherit=True)]
    for code in found:
        found += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    return frozenset(found)


def argument_names(made: ast.FunctionDef) -> list[str]:
    """The names of a function's arguments that may be given by position, in order."""
    return [argument.arg for argument in (*made.args.posonlyargs, *made.args.args)]


def _locals(code: CodeType) -> set[str]:
    """What a function and those within it name for themselves, by whatever statement."""
    inner = (other for other in code.co_consts if isinstance(other, CodeType))
    return {*code.co_varnames, *code.co_cellvars}.union(*map(_locals, inner))


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    return names.get(node.id) if isinstance(node, ast.Name) else None


def fields_read(function: Callable[..., Any], position: int, depth: int = 4) -> frozenset[int]:
    """Indices of the array argument number `position` that a Python function may read; all of them when unsure.

    >>> from jumpnet.routings import routings
    >>> sorted(fields_read(routings()["torus.dimension_order"].relation, 2))
    [1]
    """
    plain = written(function)
    return _fields_read(plain, position, depth, reads(plain)) if isinstance(plain, FunctionType) else ALL


@functools.lru_cache(maxsize=256)  # a third of what it takes to start a run of 64 routers
def _fields_read(function: Callable[..., Any], position: int, depth: int, names: str) -> frozenset[int]:
    """The same of a function as it was written; by `names`, what it reads besides, as a cell may give it another."""
    made = definition(function)
    names_of = [] if made is None else argument_names(made)
    if made is None or depth == 0 or position >= len(names_of) or made.args.vararg:
        return ALL
    array, local = names_of[position], _locals(function.__code__)
    outer = inspect.getclosurevars(function)
    known = {**outer.builtins, **outer.globals, **outer.nonlocals}
    constants = {k: v for k, v in known.items() if k not in local}
    found: set[int] = set()
    understood = 0
    for node in ast.walk(made):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == array:
            index = _value(node.slice, constants)
            if not isinstance(index, int) or not 0 <= index < HEADER_FIELDS:
                return ALL
            understood += 1
            if isinstance(node.ctx, ast.Load):
                found.add(index)
        elif isinstance(node, ast.Call):
            for place, argument in enumerate(node.args):
                if isinstance(argument, ast.Name) and argument.id == array:
                    callee = _value(node.func, constants)
                    if not callable(callee) or any(isinstance(other, ast.Starred) for other in node.args):
                        return ALL
                    found |= fields_read(callee, place, depth - 1)
                    understood += 1
    uses = sum(isinstance(n, ast.Name) and n.id == array for n in ast.walk(made))
    return frozenset(found) if uses == understood else ALL


def bad_index(function: Callable[..., Any], array: str, size: int) -> str | None:
    """Where a function indexes its argument `array` beyond 0..size-1, as `file:line: ...`, or None.

    Compiled code does not check its indices, so this looks for constant ones in the source.
    """
    made = definition(function)
    if made is None or array not in argument_names(made):
        return None
    outer = inspect.getclosurevars(inspect.unwrap(getattr(function, "py_func", function)))
    names = {**outer.globals, **outer.nonlocals}
    first = inspect.getsourcelines(function)[1]
    for node in ast.walk(made):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == array:
            index = node.slice
            minus = isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub)
            value = _value(index.operand, names) if isinstance(index, ast.UnaryOp) else _value(index, names)
            if isinstance(value, int) and (value >= size or (minus and value > 0) or value < 0):
                place = f"{inspect.getsourcefile(function)}:{first + node.lineno - 1}"
                return f"{place}: header field {-value if minus else value} found, 0 to {size - 1} expected"
    return None
