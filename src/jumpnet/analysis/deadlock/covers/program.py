"""A relation as a program of small steps, so that ways through it can be joined where they come to the same place.

Only what kernels are written in is understood: numbers, loops over ranges, choices, and calls of other kernels; all
else raises `Unfit`. Each step is done by `machine`, which has no other state than the names that are still read.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.covers.steps import (
    Apply,
    Branch,
    Call,
    Const,
    Jump,
    Load,
    Loop,
    Operand,
    Part,
    Program,
    Return,
    Step,
    Store,
)
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.own.trial import helper_of
from jumpnet.routings.reads import definition, written

__all__ = ["program_of"]


def same(value: Any) -> Any:
    """The value itself."""
    return value


def goes_on(at: int, stop: int, step: int) -> bool:
    """Whether a range has a number at its place."""
    return at < stop if step > 0 else at > stop


OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.Eq: operator.eq, ast.NotEq: operator.ne,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.USub: operator.neg, ast.Not: operator.not_,
}  # fmt: skip
NUMBERS: dict[Any, Callable[..., Any]] = {
    int: same, bool: operator.truth, abs: abs, min: min, max: max, np.int64: same,
}  # fmt: skip


class _Label:
    """A step that is written later."""

    at = -1


class _Writer:
    """Writes the program of one function."""

    def __init__(self, function: Any, programs: dict[Any, Program]) -> None:
        plain, made = written(function), definition(function)
        if made is None or plain is None or made.args.vararg or made.args.kwarg or made.args.kwonlyargs:
            raise Unfit
        outer = inspect.getclosurevars(plain)
        self.names = [argument.arg for argument in (*made.args.posonlyargs, *made.args.args)]
        self.local = {n.id for n in ast.walk(made) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.local |= set(self.names)
        self.outer = {**vars(builtins), **outer.globals, **outer.nonlocals}
        self.program, self.programs = Program(made.name, self.names), programs
        self.exits: list[tuple[_Label, _Label]] = []
        """Where `continue` and `break` lead to."""
        self._made = 0
        self.block(made.body)
        self.add(Return(Const(None)))
        self._settle()

    def _settle(self) -> None:
        def place(label: Any) -> int:
            return label.at if isinstance(label, _Label) else label

        steps = self.program.steps
        for at, step in enumerate(steps):
            if isinstance(step, Jump):
                steps[at] = Jump(place(step.there))
            elif isinstance(step, Branch):
                steps[at] = step._replace(otherwise=place(step.otherwise))

    def add(self, step: Step) -> None:
        """One step more."""
        self.program.steps.append(step)

    def here(self, label: _Label) -> None:
        """The next step is the one of a label."""
        label.at = len(self.program.steps)

    def new(self) -> str:
        """A register for a value without a name."""
        self._made += 1
        return f".{self._made}"

    def put(self, to: str, value: Operand) -> str:
        """A register gets a value."""
        self.add(Apply(to, same, (value,)))
        return to

    def block(self, body: list[ast.stmt]) -> None:
        """Statements one after the other."""
        for statement in body:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """One of them."""
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value=value):
                self.value(value)
            case ast.Return(value=ast.expr() as value):
                self.add(Return(self.value(value)))
            case ast.Assign(targets=[target], value=value):
                self.assign(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.assign(target, value)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                self.add(Apply(name, self.operator(op), (name, self.value(value))))
            case ast.If(test=test, body=body, orelse=rest):
                otherwise, end = _Label(), _Label()
                self.test(test, otherwise)
                self.block(body)
                self.add(Jump(end))  # type: ignore[arg-type]
                self.here(otherwise)
                self.block(rest)
                self.here(end)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=args), orelse=[]):
                assert isinstance(node, ast.For) and isinstance(node.iter, ast.Call)
                self.counted(name, node.iter, args, node.body)
            case ast.While(test=test, body=body, orelse=[]):
                self.loop(lambda end: self.test(test, end), body, lambda: None)
            case ast.Continue() | ast.Break() if self.exits:
                self.add(Jump(self.exits[-1][isinstance(node, ast.Break)]))  # type: ignore[arg-type]
            case _:
                raise Unfit

    def counted(self, name: str, call: ast.Call, args: list[ast.expr], body: list[ast.stmt]) -> None:
        """A loop over a range."""
        if self.outer.get("range") is not range or "range" in self.local or call.keywords or not 1 <= len(args) <= 3:
            raise Unfit
        values = [self.value(one) for one in args]
        first, stop = (Const(0), values[0]) if len(values) == 1 else (values[0], values[1])
        at, to, by = self.put(self.new(), first), self.put(self.new(), stop), self.put(self.new(), Const(1))
        if len(values) == 3:
            self.put(by, values[2])

        def test(end: _Label) -> None:
            more = self.new()
            self.add(Apply(more, goes_on, (at, to, by), whole=True))
            self.add(Branch(more, end))  # type: ignore[arg-type]
            self.put(name, at)

        self.loop(test, body, lambda: self.add(Apply(at, operator.add, (at, by))))

    def loop(self, test: Callable[[_Label], None], body: list[ast.stmt], then: Callable[[], None]) -> None:
        """Steps while a test says so, and what is done between them."""
        again, end, first = _Label(), _Label(), _Label()
        turns = self.put(self.new(), Const(0))
        self.here(first)
        test(end)
        self.exits.append((again, end))
        self.block(body)
        self.exits.pop()
        self.here(again)
        then()
        self.add(Apply(turns, operator.add, (turns, Const(1))))
        self.add(Jump(first.at))
        self.here(end)
        self.program.loops.append(Loop(first.at, end.at, turns))

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        """A name, an element, or several names get values."""
        match target, value:
            case ast.Name() | ast.Subscript(), _:
                self.set_to(target, self.value(value))
            case ast.Tuple(elts=names), ast.Tuple(elts=values) if len(names) == len(values):
                held = [self.put(self.new(), self.value(one)) for one in values]
                for one, register in zip(names, held, strict=True):
                    self.set_to(one, register)
            case _:
                raise Unfit

    def set_to(self, target: ast.expr, value: Operand) -> None:
        """A name or an element gets a value."""
        match target:
            case ast.Name(id=name):
                self.put(name, value)
            case ast.Subscript(value=array, slice=index):
                self.add(Store(self.value(array), self.index(index), value))
            case _:
                raise Unfit

    def test(self, node: ast.expr, otherwise: _Label) -> None:
        """On where a condition holds, to a label where it does not."""
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            for one in node.values:
                self.test(one, otherwise)
            return
        self.add(Branch(self.value(node), otherwise))  # type: ignore[arg-type]

    def operator(self, op: ast.AST) -> Callable[..., Any]:
        """What an operator does."""
        if type(op) not in OPERATORS:
            raise Unfit
        return OPERATORS[type(op)]

    def applied(self, operate: Callable[..., Any], *of: Operand) -> str:
        """A register with what an operation gives."""
        to = self.new()
        self.add(Apply(to, operate, of))
        return to

    def index(self, node: ast.expr) -> tuple[Operand, ...]:
        """The places of an element."""
        return tuple(self.value(one) for one in (node.elts if isinstance(node, ast.Tuple) else [node]))

    def value(self, node: ast.expr) -> Operand:
        """Where the value of an expression is."""
        match node:
            case ast.Constant(value=int() as value):
                return Const(value)
            case ast.Name(id=name):
                if name not in self.local and name not in self.outer:
                    raise Unfit
                return name if name in self.local else Const(self.outer[name])
            case ast.Attribute(value=of, attr=name):
                return self.part(self.value(of), name)
            case ast.BinOp(left=left, op=op, right=right):
                return self.applied(self.operator(op), self.value(left), self.value(right))
            case ast.UnaryOp(op=op, operand=of):
                return self.applied(self.operator(op), self.value(of))
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self.compared([self.value(left)], ops, others)
            case ast.BoolOp(op=op, values=values):
                return self.joined(isinstance(op, ast.And), values)
            case ast.IfExp(test=test, body=body, orelse=rest):
                return self.chosen(test, body, rest)
            case ast.Subscript(value=array, slice=index):
                to = self.new()
                self.add(Load(to, self.value(array), self.index(index)))
                return to
            case ast.Call(func=function, args=args, keywords=[]):
                return self.called(self.value(function), args)
        raise Unfit

    def part(self, of: Operand, name: str) -> Operand:
        """An attribute."""
        if isinstance(of, Const) and isinstance(of.value, ModuleType):
            return Const(getattr(of.value, name))
        to = self.new()
        self.add(Part(to, of, name))
        return to

    def compared(self, first: list[Operand], ops: list[ast.cmpop], others: list[ast.expr]) -> Operand:
        """Comparisons, each asked only where those before hold."""
        to, end, left = self.new(), _Label(), first[0]
        for k, (op, other) in enumerate(zip(ops, others, strict=True)):
            right = self.value(other)
            self.add(Apply(to, self.operator(op), (left, right)))
            if k < len(ops) - 1:
                self.add(Branch(to, end))  # type: ignore[arg-type]
            left = right
        self.here(end)
        return to

    def joined(self, every: bool, values: list[ast.expr]) -> Operand:
        """The first that decides."""
        to, end = self.new(), _Label()
        for k, one in enumerate(values):
            self.put(to, self.value(one))
            if k < len(values) - 1 and every:
                self.add(Branch(to, end))  # type: ignore[arg-type]
            elif k < len(values) - 1:
                on = _Label()
                self.add(Branch(to, on))  # type: ignore[arg-type]
                self.add(Jump(end))  # type: ignore[arg-type]
                self.here(on)
        self.here(end)
        return to

    def chosen(self, test: ast.expr, body: ast.expr, rest: ast.expr) -> Operand:
        """One of two."""
        to, otherwise, end = self.new(), _Label(), _Label()
        self.test(test, otherwise)
        self.put(to, self.value(body))
        self.add(Jump(end))  # type: ignore[arg-type]
        self.here(otherwise)
        self.put(to, self.value(rest))
        self.here(end)
        return to

    def called(self, function: Operand, args: list[ast.expr]) -> Operand:
        """What a function gives."""
        if not isinstance(function, Const) or any(isinstance(one, ast.Starred) for one in args):
            raise Unfit
        of, to = tuple(self.value(one) for one in args), self.new()
        try:
            known = NUMBERS.get(function.value)
        except TypeError as error:
            raise Unfit from error
        if known is not None:
            self.add(Apply(to, known, of))
        else:
            program = program_of(function.value, self.programs)
            if len(program.arguments) != len(of):
                raise Unfit
            self.add(Call(to, program, of))
        return to


def program_of(function: Any, programs: dict[Any, Program] | None = None) -> Program:
    """The program of a relation, or of a function that it calls; raises Unfit.

    >>> from jumpnet.routings import routings
    >>> program_of(routings()["mesh.duato"].relation).arguments
    ['net', 'here', 'head', 'out']
    """
    programs = {} if programs is None else programs
    source = helper_of(function) or getattr(function, "py_func", function)
    if source in programs:
        if not programs[source].steps:
            raise Unfit  # it calls itself
        return programs[source]
    if not inspect.isfunction(source):
        raise Unfit
    programs[source] = Program(source.__name__, [])
    programs[source] = _Writer(source, programs).program
    return programs[source]
