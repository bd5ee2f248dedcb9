"""A user's function in plain Python that reckons as its compiled version does: whole numbers have 64 bits, as there.

Plain Python has numbers of any size, where compiled code takes it that sums and products never pass 64 bits, and
NumPy's truth values, whose sum is no 2. So each operator, index and call in a function's text becomes one that gives
what compiled code has, or ends the run where that is not known (`Unfit`). Texts have steps with single whole numbers
alone (`whole_steps`). Called by `followed`; compiled functions cannot be asked about numbers of which nothing is known.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable
from functools import partial
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.start_hooks.unknown_queues import Unknown
from jumpnet.analysis.deadlock.start_hooks.whole_steps import CALLED, Use, must_be_whole, uses_of
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.own.trial import rebuilt
from jumpnet.routings.reads import definition

__all__ = ["reckoned"]

OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.Pow: operator.pow,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip
COMPARISONS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip
NAMED = {kind.__name__: operate for kind, operate in (OPERATORS | COMPARISONS).items()}
SHIFTS = (operator.lshift, operator.rshift)
BITS = 64
"""Bits of whole numbers."""
LEAST, MOST = -1 << BITS - 1, (1 << BITS - 1) - 1
STEPS = ("whole", "operated", "called", "elements", "stored")
WHOLE, OPERATED, CALL, ELEMENTS, STORED = (f"_jumpnet_{name}" for name in STEPS)
"""Names of what stands in a function's text in place of its own steps."""
HELD = "_jumpnet_held_{}"
"""Of what a step needs twice, and asks for once."""
GIVEN = "_jumpnet_given"
"""Of a function that gives a rewritten one its free variables."""


def _in_64_bits(number: int) -> int:
    return (number + (1 << BITS - 1)) % (1 << BITS) - (1 << BITS - 1)


def _whole(value: Any) -> Any:
    """A value as compiled code has it; raises Unfit of a number that is another kind there."""
    if type(value) is int and LEAST <= value <= MOST:  # nearly all are
        return value
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "ib":
            raise Unfit
        return value
    if isinstance(value, float | complex | np.inexact | np.unsignedinteger):
        raise Unfit
    if isinstance(value, np.signedinteger) and value.itemsize < BITS // 8 and value == np.iinfo(value.dtype).min:
        raise Unfit  # whose negative has the same few bits there
    if not isinstance(value, int | np.integer):
        return value
    if int(value) != _in_64_bits(int(value)):
        raise Unfit  # anything, there: compiled code takes it that sums and products never pass 64 bits
    return int(value)


def _operated(name: str, *given: Any) -> Any:
    """What an operator gives in compiled code."""
    operate, of = NAMED[name], [_whole(value) for value in given]
    if not all(isinstance(value, int | Unknown) for value in of):
        raise Unfit
    if not all(isinstance(value, int) for value in of):
        return operate(*of)
    if operate in SHIFTS and not 0 <= of[1] < BITS:
        raise Unfit
    if operate is operator.invert and isinstance(of[0], bool):
        raise Unfit
    if operate is operator.pow and (of[1] < 0 or (of[1] >= BITS and abs(of[0]) > 1)):
        raise Unfit
    made = operate(*map(int, of))
    return _in_64_bits(made) if operate is operator.lshift else _whole(made)


def _called(function: Any, *given: Any, **named: Any) -> Any:
    """What a function answers; Python's own get single numbers, or lists and tuples of them."""
    if any(function is one for one in CALLED):
        if function is not len and any(isinstance(one, np.ndarray) for one in given):
            raise Unfit
        given = tuple(type(one)(map(_whole, one)) if type(one) in (list, tuple) else _whole(one) for one in given)
    return _whole(function(*given, **named))


def _elements(several: Any) -> Iterable[Any]:
    """What a loop goes over."""
    return map(_whole, several) if isinstance(several, np.ndarray) else several


def _stored(into: Any, value: Any) -> Any:
    """What is written: a header alone takes any number, a list those of its few bits."""
    if not isinstance(into, np.ndarray) or into.dtype != np.int64:
        raise Unfit
    return value


def _parts(target: ast.expr) -> list[ast.expr]:
    return [deep for part in target.elts for deep in _parts(part)] if isinstance(target, ast.Tuple) else [target]


def _read(name: ast.expr) -> ast.expr:
    """A name that is read once more; raises Unfit of anything that would be done twice."""
    if not isinstance(name, ast.Name):
        raise Unfit
    return ast.copy_location(ast.Name(name.id, ast.Load()), name)


class _Rewritten(ast.NodeTransformer):
    """Puts the steps above into a function's text."""

    _names = 0

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

    def _held(self, node: ast.expr) -> tuple[ast.expr, ast.expr]:
        """A part that is asked for once, and its name from then on."""
        self._names += 1
        name = HELD.format(self._names)
        first = ast.NamedExpr(ast.Name(name, ast.Store()), node)
        return ast.copy_location(first, node), ast.copy_location(ast.Name(name, ast.Load()), node)

    def _write(self, target: ast.expr, value: ast.expr, at: ast.AST) -> ast.stmt:
        """An element that gets a number."""
        if isinstance(target, ast.Subscript):
            value = self._call(STORED, _read(target.value), value, at=at)
        elif not isinstance(target, ast.Name):
            raise Unfit
        return ast.copy_location(ast.Assign([target], value), at)

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """Names, or one element, that get a value."""
        several = any(isinstance(part, ast.Subscript | ast.Starred) for t in node.targets for part in _parts(t))
        self.generic_visit(node)
        if not several:
            return node
        if len(node.targets) > 1:
            raise Unfit
        return self._write(node.targets[0], node.value, node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """A name or an element that changes."""
        self.generic_visit(node)
        target: ast.expr = node.target
        if isinstance(target, ast.Name):
            held: ast.expr = ast.copy_location(ast.Name(target.id, ast.Load()), target)
        elif isinstance(target, ast.Subscript):
            place, again = self._held(target.slice)
            element = ast.copy_location(ast.Subscript(_read(target.value), place, ast.Load()), target)
            held = self._call(WHOLE, element, at=target)
            target = ast.copy_location(ast.Subscript(target.value, again, ast.Store()), target)
        else:
            raise Unfit
        return self._write(target, self._operator(node.op, held, node.value, at=node), node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Of two numbers, or of several one after the other."""
        self.generic_visit(node)
        left, pairs = node.left, list[ast.expr]()
        for at, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right, again = self._held(right) if at + 1 < len(node.ops) else (right, right)
            if type(op) in COMPARISONS:
                pairs.append(self._call(OPERATED, ast.Constant(type(op).__name__), left, right, at=node))
            else:
                pairs.append(self._call(WHOLE, ast.copy_location(ast.Compare(left, [op], [right]), node), at=node))
            left = again
        return pairs[0] if len(pairs) == 1 else ast.copy_location(ast.BoolOp(ast.And(), pairs), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """What a function answers."""
        self.generic_visit(node)
        return ast.copy_location(ast.Call(ast.Name(CALL, ast.Load()), [node.func, *node.args], node.keywords), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """An element that is read."""
        self.generic_visit(node)
        return self._call(WHOLE, node, at=node) if isinstance(node.ctx, ast.Load) else node

    def visit_For(self, node: ast.For) -> ast.stmt:
        """A loop."""
        self.generic_visit(node)
        if any(not isinstance(part, ast.Name) for part in _parts(node.target)):
            raise Unfit
        node.iter = self._call(ELEMENTS, node.iter, at=node.iter)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        """A loop in a list."""
        self.generic_visit(node)
        node.iter = self._call(ELEMENTS, node.iter, at=node.iter)
        return node


def _codes(code: CodeType) -> list[CodeType]:
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return inner + [deeper for one in inner for deeper in _codes(one)]


def _names(code: CodeType) -> set[str]:
    """Those that a function and those within it have for themselves."""
    return {name for one in (code, *_codes(code)) for name in (*one.co_varnames, *one.co_cellvars)}


class _Made(NamedTuple):
    """Functions that are rewritten, and what each of them names."""

    functions: list[FunctionType]
    uses: list[list[Use]]


def _rewritten(done: _Made, function: FunctionType) -> FunctionType:
    """The function with the steps above in place of its own; raises Unfit where its text is not known."""
    made, old = definition(function), function.__code__
    if made is None:
        raise Unfit
    made.decorator_list, made.args.defaults, made.args.kw_defaults = [], [], [None] * len(made.args.kwonlyargs)
    done.uses.append(uses_of(made))
    ast.increment_lineno(made, old.co_firstlineno - made.lineno)
    text: ast.stmt = _Rewritten().visit(made)
    given = ast.arguments([], [ast.arg(name) for name in old.co_freevars], None, [], [], None, [])
    around = ast.fix_missing_locations(ast.Module([ast.FunctionDef(GIVEN, given, [text], [])], []))
    try:
        code = compile(around, old.co_filename, "exec", dont_inherit=True)
    except SyntaxError as error:  # a chain of comparisons within the loop of a list
        raise Unfit from error
    new = next(one for one in _codes(code) if one.co_name == old.co_name)
    if new.co_freevars != old.co_freevars:
        raise Unfit
    function.__globals__.update(
        {WHOLE: _whole, OPERATED: _operated, CALL: _called, ELEMENTS: _elements, STORED: _stored}
    )
    closure = function.__closure__
    again = FunctionType(new, function.__globals__, function.__name__, function.__defaults__, closure)
    again.__kwdefaults__, again.__module__ = function.__kwdefaults__, function.__module__
    done.functions.append(again)
    return again


def reckoned(function: Any) -> Any:
    """The function, and with it the helpers that it names, so that they reckon as compiled code does.

    Raises Unfit where the text of one is not known; a run raises it where compiled code may answer otherwise.

    >>> reckoned(is_beyond)(2), is_beyond(2)
    (True, False)
    """
    done = _Made([], [])
    result = rebuilt(function, partial(_rewritten, done))
    for one, uses in zip(*done, strict=True):
        must_be_whole(one, _names(one.__code__), uses, done.functions)
    return result


def is_beyond(number: int) -> bool:
    """An example: whether so many times 2^62 are below 0."""
    return number << 62 < 0
