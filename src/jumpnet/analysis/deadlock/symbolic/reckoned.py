"""A user's function in plain Python that reckons as its compiled version does: whole numbers have 64 bits, as there.

Plain Python has numbers of any size, and NumPy's truth values are no numbers: two of them that are true add up to True.
So each operator, index and call in a function's text becomes one that gives what compiled code has, or ends the run
where that is not known (`Unfit`). Called by `starts`, as compiled functions cannot be asked about queues of any length.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.own.trial import rebuilt
from jumpnet.routings.reads import definition

__all__ = ["reckoned"]

OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.Pow: operator.pow, ast.Div: operator.truediv,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip
COMPARISONS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip
NAMED = {kind.__name__: operate for kind, operate in (OPERATORS | COMPARISONS).items()}
SHIFTS = (operator.lshift, operator.rshift)
BITS, EXACT = 64, 1 << 53
"""Bits of whole numbers; how large one may be that stands beside a float."""
OTHERWISE = (np.unsignedinteger, np.float16, np.float32)
"""Numbers that compiled code brings together with others by rules of its own."""
WHOLE, OPERATED, CHANGED = "_jumpnet_whole", "_jumpnet_operated", "_jumpnet_changed"
"""Names of what stands in a function's text in place of its own steps."""
GIVEN = "_jumpnet_given"
"""Of a function that gives a rewritten one its free variables."""


def _in_64_bits(number: int) -> int:
    return (number + (1 << BITS - 1)) % (1 << BITS) - (1 << BITS - 1)


def _whole(value: Any) -> Any:
    """A value as compiled code has it; raises Unfit of a number that is another kind there."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, OTHERWISE) or getattr(value, "dtype", None) in (np.float16, np.float32):
        raise Unfit
    if isinstance(value, np.ndarray) and value.dtype.kind == "u":
        raise Unfit
    return _in_64_bits(int(value)) if isinstance(value, int | np.integer) else value


def _changed(value: Any) -> Any:
    """What a name held that is changed in place; raises Unfit of an array, which changes under its other names too."""
    if isinstance(value, np.ndarray):
        raise Unfit
    return value


def _literal(value: Any) -> Any:
    if isinstance(value, int) and _in_64_bits(value) != value:
        raise Unfit  # without a sign there
    return _whole(value)


def _beside(value: Any, other: Any) -> Any:
    """An array as wide as the number that it stands beside."""
    narrow = isinstance(value, np.ndarray) and value.dtype.kind == "i" and isinstance(other, int)
    return value.astype(np.int64) if narrow else value


def _operated(name: str, *given: Any) -> Any:
    """What an operator gives in compiled code."""
    operate = NAMED[name]
    of = [_literal(value) for value in given]
    whole = [isinstance(value, int) for value in of]
    in_floats = operate is operator.truediv or any(isinstance(value, float) for value in of)
    if in_floats and any(is_int and abs(value) > EXACT for is_int, value in zip(whole, of, strict=True)):
        raise Unfit
    if not all(whole):
        of = [_beside(value, other) for value, other in zip(of, reversed(of), strict=True)]
        return _whole(operate(*of))
    if (operate in SHIFTS and not 0 <= of[1] < BITS) or (operate is operator.pow and of[1] < 0):
        raise Unfit
    if operate is operator.invert and isinstance(of[0], bool):
        raise Unfit  # a name that is a whole number elsewhere is one here, too, in compiled code
    if operate is operator.pow:
        return _in_64_bits(pow(int(of[0]), int(of[1]), 1 << BITS))
    return _whole(operate(*map(int, of)))


class _Rewritten(ast.NodeTransformer):
    """Puts the steps above into a function's text."""

    def _call(self, name: str, *of: ast.expr, at: ast.AST) -> ast.expr:
        return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), list(of), []), at)

    def _operator(self, op: ast.AST, *of: ast.expr, at: ast.AST) -> ast.expr:
        if type(op) not in OPERATORS:
            raise Unfit
        return self._call(OPERATED, ast.Constant(type(op).__name__), *of, at=at)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Of two numbers."""
        self.generic_visit(node)
        return self._operator(node.op, node.left, node.right, at=node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """Of one; `not` gives a truth value in any case."""
        self.generic_visit(node)
        return node if isinstance(node.op, ast.Not) else self._operator(node.op, node.operand, at=node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """A name or an element that changes."""
        self.generic_visit(node)
        target = node.target
        if isinstance(target, ast.Name):
            held = self._call(CHANGED, ast.copy_location(ast.Name(target.id, ast.Load()), target), at=target)
        elif isinstance(target, ast.Subscript):
            element = ast.Subscript(target.value, target.slice, ast.Load())
            held = self._call(WHOLE, ast.copy_location(element, target), at=target)
        else:
            raise Unfit
        return ast.copy_location(ast.Assign([target], self._operator(node.op, held, node.value, at=node)), node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Of two numbers, or of several one after the other."""
        self.generic_visit(node)
        lefts, pairs = [node.left, *node.comparators], list[ast.expr]()
        for op, left, right in zip(node.ops, lefts, node.comparators, strict=False):
            if type(op) in COMPARISONS:
                pairs.append(self._call(OPERATED, ast.Constant(type(op).__name__), left, right, at=node))
            else:
                pairs.append(self._call(WHOLE, ast.copy_location(ast.Compare(left, [op], [right]), node), at=node))
        return pairs[0] if len(pairs) == 1 else ast.copy_location(ast.BoolOp(ast.And(), pairs), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """What a function answers."""
        self.generic_visit(node)
        return self._call(WHOLE, node, at=node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """An element that is read."""
        self.generic_visit(node)
        return self._call(WHOLE, node, at=node) if isinstance(node.ctx, ast.Load) else node


def _codes(code: CodeType) -> list[CodeType]:
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return inner + [deeper for one in inner for deeper in _codes(one)]


def _rewritten(function: FunctionType) -> FunctionType:
    """The function with the steps above in place of its own; raises Unfit where its text is not known."""
    made, old = definition(function), function.__code__
    if made is None:
        raise Unfit
    made.decorator_list, made.args.defaults, made.args.kw_defaults = [], [], [None] * len(made.args.kwonlyargs)
    ast.increment_lineno(made, old.co_firstlineno - made.lineno)
    text: ast.stmt = _Rewritten().visit(made)
    given = ast.arguments([], [ast.arg(name) for name in old.co_freevars], None, [], [], None, [])
    around = ast.FunctionDef(GIVEN, given, [text], [])
    code = compile(ast.fix_missing_locations(ast.Module([around], [])), old.co_filename, "exec", dont_inherit=True)
    new = next(one for one in _codes(code) if one.co_name == old.co_name)
    if new.co_freevars != old.co_freevars:
        raise Unfit
    function.__globals__.update({WHOLE: _whole, OPERATED: _operated, CHANGED: _changed})
    closure = function.__closure__
    again = FunctionType(new, function.__globals__, function.__name__, function.__defaults__, closure)
    again.__kwdefaults__, again.__module__ = function.__kwdefaults__, function.__module__
    return again


def reckoned(function: Any) -> Any:
    """The function, and with it the helpers that it names, so that they reckon as compiled code does.

    Raises Unfit where the text of one is not known; a run raises it where compiled code may answer otherwise.

    >>> reckoned(is_beyond)(2), is_beyond(2)
    (True, False)
    """
    return rebuilt(function, _rewritten)


def is_beyond(number: int) -> bool:
    """An example: whether so many times 2^62 are below 0."""
    return number << 62 < 0
