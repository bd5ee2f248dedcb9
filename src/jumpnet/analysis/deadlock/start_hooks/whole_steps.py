"""What the text of a user's function may have, so that plain Python can reckon as its compiled version does.

Compiled code gives each name one type: one float, also where the function never comes, makes floats of a name's whole
numbers, NumPy's functions have types of their own, and `a += b` changes an array that has another name too. So steps
with single whole numbers are expected: what is not listed here is refused. Called by `reckoned`.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.routings.view import View

__all__ = ["CALLED", "Use", "must_be_whole", "uses_of"]

Use = tuple[str, ...]
"""A name in a text, and the attributes that are asked of it."""
STEPS = (
    ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.While,
    ast.If, ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare,
    ast.Call, ast.keyword, ast.Attribute, ast.Subscript, ast.Name, ast.Tuple, ast.List, ast.ListComp, ast.comprehension,
    ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip
NOT = (ast.Div, ast.MatMult, ast.Is, ast.IsNot)
"""Operators that give floats or arrays, or ask for objects."""
CALLED = (abs, bool, enumerate, int, len, max, min, np.int64, range, sum, zip)
ASKED = (*(name for name in View._fields if name != "address"), "ndim", "shape", "size")
"""Attributes of what is no module."""
MOST = 1 << 63


def uses_of(made: ast.FunctionDef) -> list[Use]:
    """The names that a text reads; annotations are taken out of it, which are not looked at. Raises Unfit."""
    for node in ast.walk(made):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.copy_location(ast.Constant(None), node)
    _look_at(made)
    return list(_uses(made))


def _look_at(made: ast.FunctionDef) -> None:
    """Raise Unfit where a text has steps that are not listed, or numbers that are no small whole ones."""
    texts = {id(node.value) for node in ast.walk(made) if isinstance(node, ast.Expr)}
    for node in ast.walk(made):
        if isinstance(node, ast.Constant):
            value = node.value
            good = value is None or isinstance(value, bool) or (isinstance(value, int) and value < MOST)
            if not good and id(node) not in texts:
                raise Unfit
        elif not isinstance(node, STEPS) or isinstance(node, NOT):
            raise Unfit


def _uses(node: ast.AST, attributes: Use = ()) -> Iterator[Use]:
    """The names that are read below a node, each with its attributes."""
    if isinstance(node, ast.Attribute):
        yield from _uses(node.value, (node.attr, *attributes))
    elif isinstance(node, ast.Name):
        yield node.id, *attributes
    else:
        if any(name not in ASKED for name in attributes):
            raise Unfit
        for part in ast.iter_child_nodes(node):
            yield from _uses(part)


def must_be_whole(function: FunctionType, own: set[str], uses: list[Use], made: list[FunctionType]) -> None:
    """Raise Unfit where a name from outside is anything but whole numbers, or a function that reckons as compiled.

    own: names that the function and those within it have themselves; made: the functions that reckon so.
    """
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    known = {**vars(builtins), **function.__globals__}
    for name, cell in cells:
        try:
            known[name] = cell.cell_contents
        except ValueError:  # of an outer function, which it has no value of yet
            raise Unfit from None
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    found = [_found(known[name], asked) for name, *asked in uses if name not in own and name in known]
    if any(name in own and not set(asked) <= set(ASKED) for name, *asked in uses):
        raise Unfit
    if not all(_is_whole(value, made) for value in (*found, *defaults)):
        raise Unfit


def _found(value: Any, asked: list[str]) -> Any:
    """What stands for a name and attributes of it: they are looked up in modules."""
    for at, name in enumerate(asked):
        if not isinstance(value, ModuleType):
            if not set(asked[at:]) <= set(ASKED):
                raise Unfit
            return value
        value = getattr(value, name, None)
    return value


def _is_whole(value: Any, made: list[FunctionType]) -> bool:
    if isinstance(value, tuple):
        return all(_is_whole(part, made) for part in value)
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "ib"
    if isinstance(value, int | np.bool_ | np.signedinteger):
        return -MOST <= int(value) < MOST
    return value is None or any(value is known for known in (*CALLED, *made))
