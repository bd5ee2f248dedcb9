"""Which whole numbers a start hook can write to a header field, found from its source. Called by the proofs.

Conservative, as `reads` is: who writes anything but names of constants, or passes the header on, is not understood.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from jumpnet.routings.reads import argument_names, definition, written

__all__ = ["constants_written"]


def constants_written(
    function: Callable[..., Any] | None, position: int, field: int, draws: int = 0, before: int = 0
) -> frozenset[int] | None:
    """The numbers that a hook may write to a field of its array argument, and the one that is there before.

    None where they are not known. draws: how many draws of a start hook there are, if that is its third argument.
    before: what is there before (0 in STATE, -1 in INTERMEDIATE).

    >>> from jumpnet.routings import routings
    >>> from jumpnet.routings.view import STATE
    >>> sorted(constants_written(routings()["dragonfly.ugal"].start, 1, STATE))
    [0, 1]
    """
    if function is None:
        return frozenset({before})
    function = written(function)
    made = None if function is None else definition(function)
    names = [] if made is None else argument_names(made)
    if function is None or made is None or position >= len(names) or made.args.vararg:
        return None
    array, outer = names[position], inspect.getclosurevars(function)
    local = {n.id for n in ast.walk(made) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    local |= {n.arg for n in ast.walk(made) if isinstance(n, ast.arg)}
    known = {k: v for k, v in {**outer.globals, **outer.nonlocals}.items() if k not in local}
    drawn = names[2] if draws and len(names) > 2 else ""
    several = {drawn: set(range(draws))} if not any(_stored(n, drawn) for n in ast.walk(made)) else {}
    found, understood = {before}, 0
    for node in ast.walk(made):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == array:
            understood += isinstance(node.ctx, ast.Load)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            pairs = _assigned(node, array)
            for index, value in pairs or ():
                at, number = _constants(index, known), None if value is None else _constants(value, known, several)
                if at is None or (field in at and number is None):
                    return None
                understood += 1
                found |= number if field in at and number is not None else set()
    uses = sum(isinstance(n, ast.Name) and n.id == array for n in ast.walk(made))
    return frozenset(found) if uses == understood else None


def _assigned(node: ast.Assign | ast.AugAssign | ast.AnnAssign, array: str) -> list[tuple[ast.expr, ast.expr | None]]:
    """(index, value) of each element of the array that is assigned; the value is None where it is not plain."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    value = node.value if isinstance(node, ast.Assign) and len(targets) == 1 else None
    found: list[tuple[ast.expr, ast.expr | None]] = []
    for target in targets:
        pairs: list[tuple[ast.expr, ast.expr | None]] = [(target, value)]
        if isinstance(target, ast.Tuple | ast.List):
            values: list[ast.expr | None] = [None] * len(target.elts)
            if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
                values = list(value.elts)
            pairs = list(zip(target.elts, values, strict=True))
        for element, new in pairs:
            if isinstance(element, ast.Subscript) and isinstance(element.value, ast.Name) and element.value.id == array:
                found.append((element.slice, new))
    return found


def _stored(node: ast.AST, name: str) -> bool:
    """Whether it gives a name another value."""
    return isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)


def _constants(
    node: ast.expr, known: dict[str, Any], several: Mapping[str, set[int]] = MappingProxyType({})
) -> set[int] | None:
    """The numbers that an expression may be; None where it is no constant, or a choice of two."""
    if isinstance(node, ast.Name) and node.id in several:
        return several[node.id]
    if isinstance(node, ast.IfExp):
        one, two = _constants(node.body, known, several), _constants(node.orelse, known, several)
        return None if one is None or two is None else one | two
    value = node.value if isinstance(node, ast.Constant) else known.get(node.id) if isinstance(node, ast.Name) else None
    return {value} if isinstance(value, int) and not isinstance(value, bool) else None
