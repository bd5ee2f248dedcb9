"""A relation's text, or that of a kernel which it calls, as far as it can be done on tables: see `machine`.

Only what kernels are written in is understood: numbers, loops over ranges, choices, and calls of other kernels; all
else raises `Unfit` where a way comes to it.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Sequence
from typing import Any, NamedTuple

from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.own.whose import helper_of
from jumpnet.routings.reads import argument_names, definition, written

__all__ = ["Function", "function_of", "source_of"]

Names = frozenset[str]
NONE: Names = frozenset()


class Function(NamedTuple):
    """One function."""

    arguments: list[str]
    body: list[ast.stmt]
    local: Names
    """Names that it gives values to."""
    outer: dict[str, Any]
    """What other names stand for."""
    live: dict[ast.stmt, Names]
    """Names that may be read after each statement, before they are given another value."""


def source_of(function: Any) -> Any:
    """The plain function behind a kernel; raises Unfit of anything else."""
    source = helper_of(function) or getattr(function, "py_func", function)
    if not inspect.isfunction(source):
        raise Unfit
    return source


def function_of(source: Any) -> Function:
    """A function as it is written; raises Unfit where its text is not known.

    >>> from jumpnet.routings import routings
    >>> function_of(routings()["mesh.duato"].relation).arguments
    ['net', 'here', 'head', 'out']
    """
    plain, made = written(source), definition(source)
    if made is None or plain is None or made.args.vararg or made.args.kwarg or made.args.kwonlyargs:
        raise Unfit
    outer = inspect.getclosurevars(plain)
    given = {n.id for n in ast.walk(made) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    arguments, live = argument_names(made), dict[ast.stmt, Names]()
    local = frozenset(given.union(arguments))
    _before(made.body, NONE, local, live)
    return Function(arguments, made.body, local, {**vars(builtins), **outer.globals, **outer.nonlocals}, live)


def _read(node: ast.AST | None, local: Names) -> Names:
    """Local names that an expression reads."""
    names = (n for n in ast.walk(node) if isinstance(n, ast.Name)) if node is not None else ()
    return frozenset(n.id for n in names if isinstance(n.ctx, ast.Load) and n.id in local)


def _before(
    body: Sequence[ast.stmt], after: Names, local: Names, live: dict[ast.stmt, Names], exits: Names = NONE
) -> Names:
    """Names that are read from the begin of some statements on; fills `live`. exits: from where a loop is left on."""
    for node in reversed(body):
        live[node] = after
        match node:
            case ast.If(test=test, body=some, orelse=rest):
                branches = (_before(part, after, local, live, exits) for part in (some, rest))
                after = _read(test, local).union(*branches)
            case ast.For() | ast.While():
                after = _around(node, after, local, live)
            case ast.Return(value=value):
                after = _read(value, local)
            case ast.Continue() | ast.Break():
                after = exits
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                after = (after - {name}) | _read(value, local)
            case ast.AugAssign(target=ast.Name(id=name)):
                after = after | {name} | _read(node.value, local)
            case _:
                after = after | _read(node, local)
    return after


def _around(node: ast.For | ast.While, after: Names, local: Names, live: dict[ast.stmt, Names]) -> Names:
    """The same of a loop, whose body is done again and again."""
    given = _read(node.iter if isinstance(node, ast.For) else node.test, local)
    target = {node.target.id} if isinstance(node, ast.For) and isinstance(node.target, ast.Name) else set[str]()
    known: Names = after | given
    while True:
        again = known | (_before(node.body, known, local, live, known) - target)
        if again == known:
            return known
        known = again
