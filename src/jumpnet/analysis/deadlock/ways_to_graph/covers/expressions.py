"""What expressions of a relation are for the packets of a way through it: numbers, or tables of them.

Where the packets of a way have to be told apart, there are several ways after an expression, each with its value.
Called by `machine`, which does the statements.
"""

from __future__ import annotations

import ast
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.ways_to_graph.covers.function import Function
from jumpnet.analysis.deadlock.ways_to_graph.covers.values import Mixed, Place, Pool, Table
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.grid import Grid
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.products import Product
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import DESTINATION, STATE
from jumpnet.terms import I64

__all__ = ["HEADER", "NET", "OUT", "Expressions", "Frame", "Way"]

MOST_VALUES = 1 << 10
"""Values by which a number may be parted."""
NET, COORDINATES, HEADER, OUT = (object() for _ in range(4))


def same(value: Any) -> Any:
    """The value itself."""
    return value


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


class Way(NamedTuple):
    """Packets at one place of a function."""

    names: Mapping[str, Any]
    """The values of its names."""
    masks: Product
    found: int = 0
    row: tuple[Any, ...] = (None,) * 4
    """The candidate that is being written."""
    kinds: frozenset[int] = frozenset()
    port: int = -1
    """Of the first candidate."""
    several: bool = False

    def put(self, name: str, value: Any) -> Way:
        """The same, with a value for a name."""
        return self._replace(names={**self.names, name: value})


class Frame:
    """A function that is run for some ways together."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.returned: list[tuple[Way, Any]] = []
        self.exits: list[tuple[list[Way], list[Way]]] = []
        """Of each loop, the innermost last: the ways that begin its next turn, and those that have left it."""


class Expressions(ABC):
    """The values of expressions, on one grid and for a set of values of STATE. All raise Unfit."""

    def __init__(self, bound: BoundRouting, grid: Grid, states: I64) -> None:
        self.bound, self.grid, self.states = bound, grid, states
        self.pool, self.view, self.arrival = Pool(), bound.view, dict[int, int]()
        self.shapes = {name: self.pool.kept(("shape", name), object) for name in ("neighbor", "far_port", "link_class")}
        self.places = Place(False), Place(True)

    @abstractmethod
    def called(self, way: Way, function: Any, given: Sequence[Any]) -> Iterator[tuple[Way, Any]]:
        """What a kernel returns."""

    def value(self, frame: Frame, node: ast.expr, way: Way) -> Iterator[tuple[Way, Any]]:
        """What an expression is."""
        match node:
            case ast.Constant(value=int() as value):
                yield way, value
            case ast.Name(id=name):
                yield way, self._named(frame.function, name, way)
            case ast.Attribute(value=of, attr=name):
                yield from ((after, self._part(one, name)) for after, one in self.value(frame, of, way))
            case ast.BinOp(left=left, op=op, right=right):
                yield from self._operated(frame, op, [left, right], way)
            case ast.UnaryOp(op=op, operand=of):
                yield from self._operated(frame, op, [of], way)
            case ast.Compare():
                yield from self._comparison(frame, node, way)
            case ast.BoolOp(op=op, values=values):
                yield from self._first_that_decides(frame, isinstance(op, ast.Or), values, way)
            case ast.IfExp():
                yield from self._conditional(frame, node, way)
            case ast.Subscript():
                yield from self._subscript(frame, node, way)
            case ast.Call(keywords=[]):
                yield from self._call(frame, node, way)
            case _:
                raise Unfit

    def _comparison(self, frame: Frame, node: ast.Compare, way: Way) -> Iterator[tuple[Way, Any]]:
        for after, first in self.value(frame, node.left, way):
            yield from self._compared(frame, first, node.ops, node.comparators, after)

    def _conditional(self, frame: Frame, node: ast.IfExp, way: Way) -> Iterator[tuple[Way, Any]]:
        for after, holds in self.test(frame, node.test, way):
            yield from self.value(frame, node.body if holds else node.orelse, after)

    def _subscript(self, frame: Frame, node: ast.Subscript, way: Way) -> Iterator[tuple[Way, Any]]:
        places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for after, of in self.value(frame, node.value, way):
            yield from self._loaded(frame, of, places, after)

    def _call(self, frame: Frame, node: ast.Call, way: Way) -> Iterator[tuple[Way, Any]]:
        for after, of in self.value(frame, node.func, way):
            yield from self._answered(frame, of, node.args, after)

    def values(self, frame: Frame, nodes: Sequence[ast.expr], way: Way) -> Iterator[tuple[Way, list[Any]]]:
        """What several are, one after the other."""
        if not nodes:
            yield way, []
            return
        for after, first in self.value(frame, nodes[0], way):
            yield from ((end, [first, *rest]) for end, rest in self.values(frame, nodes[1:], after))

    def whole(self, way: Way, value: Any) -> Iterator[tuple[Way, int]]:
        """A plain number, for the packets of each."""
        if isinstance(value, Table):
            numbers = np.unique(value.data[way.masks[value.axis]])
            if len(numbers) > MOST_VALUES:
                raise Unfit
            yield from ((_among(way, value.axis, value.data == one), int(one)) for one in numbers)
        elif isinstance(value, int | np.integer | np.bool_):
            yield way, int(value)
        else:
            raise Unfit

    def wholes(self, frame: Frame, nodes: Sequence[ast.expr], way: Way) -> Iterator[tuple[Way, list[int]]]:
        """The plain numbers that some expressions are."""
        if not nodes:
            yield way, []
            return
        for after, value in self.value(frame, nodes[0], way):
            for one, number in self.whole(after, value):
                yield from ((end, [number, *rest]) for end, rest in self.wholes(frame, nodes[1:], one))

    def test(self, frame: Frame, node: ast.expr, way: Way) -> Iterator[tuple[Way, bool]]:
        """Whether a condition holds, for the packets for whom it does and for the others."""
        for after, value in self.value(frame, node, way):
            yield from self._holds(after, value)

    def _holds(self, way: Way, value: Any) -> Iterator[tuple[Way, bool]]:
        if not isinstance(value, Table):
            yield from ((one, number != 0) for one, number in self.whole(way, value))
            return
        for holds in (False, True):
            some = _among(way, value.axis, (value.data != 0) == holds)
            if some.masks[value.axis].any():
                yield some, holds

    def _named(self, function: Function, name: str, way: Way) -> Any:
        known = way.names if name in function.local else function.outer
        if name not in known:
            raise Unfit
        return known[name]

    def _operated(self, frame: Frame, op: ast.AST, of: Sequence[ast.expr], way: Way) -> Iterator[tuple[Way, Any]]:
        for after, values in self.values(frame, of, way):
            yield from self._applied(OPERATORS.get(type(op)), values, after)

    def _applied(
        self, operate: Callable[..., Any] | None, values: Sequence[Any], way: Way
    ) -> Iterator[tuple[Way, Any]]:
        """What an operation gives; of tables of several axes one is parted by its values, that with the fewest."""
        if operate is None:
            raise Unfit
        try:
            made = self.pool.applied(operate, values)
        except Mixed:
            many = {k: len(np.unique(v.data[way.masks[v.axis]])) for k, v in enumerate(values) if isinstance(v, Table)}
            fewest = min(many, key=lambda k: many[k])
            for one, number in self.whole(way, values[fewest]):
                yield from self._applied(operate, [*values[:fewest], number, *values[fewest + 1 :]], one)
        except (ArithmeticError, ValueError) as error:
            raise Unfit from error
        else:
            yield way, made

    def _compared(
        self, frame: Frame, left: Any, ops: Sequence[ast.cmpop], others: Sequence[ast.expr], way: Way
    ) -> Iterator[tuple[Way, Any]]:
        """Comparisons, each asked only where those before hold."""
        for after, right in self.value(frame, others[0], way):
            for one, made in self._applied(OPERATORS.get(type(ops[0])), [left, right], after):
                if len(ops) == 1:
                    yield one, made
                    continue
                for end, holds in self._holds(one, made):
                    yield from self._compared(frame, right, ops[1:], others[1:], end) if holds else [(end, made)]

    def _first_that_decides(
        self, frame: Frame, when: bool, nodes: Sequence[ast.expr], way: Way
    ) -> Iterator[tuple[Way, Any]]:
        """The first of some conditions that is so, or else the last."""
        for after, value in self.value(frame, nodes[0], way):
            if len(nodes) == 1:
                yield after, value
                continue
            for one, holds in self._holds(after, value):
                decided = holds == when
                yield from [(one, value)] if decided else self._first_that_decides(frame, when, nodes[1:], one)

    def _answered(self, frame: Frame, of: Any, args: Sequence[ast.expr], way: Way) -> Iterator[tuple[Way, Any]]:
        """What a function gives."""
        try:
            known = NUMBERS.get(of)
        except TypeError as error:
            raise Unfit from error
        for after, given in self.values(frame, args, way):
            yield from self.called(after, of, given) if known is None else self._applied(known, given, after)

    def _part(self, of: Any, name: str) -> Any:
        """An attribute of a module or of the network as the relation may see it, or the shape of an array."""
        if isinstance(of, ModuleType):
            return getattr(of, name)
        if of is NET:
            if name == "coord":
                return COORDINATES
            if name in self.shapes:
                return self.shapes[name]
            if name in ("params", "own", "table", "vcs"):
                return getattr(self.view, name)
            raise Unfit
        if name not in ("shape", "size"):
            raise Unfit
        if of is COORDINATES:
            return getattr(self.view.coord, name)
        for array, shape in self.shapes.items():
            if of is shape:
                return getattr(getattr(self.view, array), name)
        if isinstance(of, np.ndarray):
            return getattr(of, name)
        raise Unfit

    def _loaded(self, frame: Frame, of: Any, places: Sequence[ast.expr], way: Way) -> Iterator[tuple[Way, Any]]:
        """An element of the header, of the coordinates, or of an array or a tuple."""
        if of is HEADER and len(places) == 1:
            yield from ((after, self._header(at)) for after, (at,) in self.wholes(frame, places, way))
        elif of is COORDINATES and len(places) == 2:
            for after, place in self.value(frame, places[0], way):
                if not isinstance(place, Place):
                    raise Unfit
                yield from ((one, self._coordinate(place, d)) for one, (d,) in self.wholes(frame, places[1:], after))
        elif isinstance(of, np.ndarray | tuple):
            yield from ((after, self._element(of, tuple(at))) for after, at in self.wholes(frame, places, way))
        else:
            raise Unfit

    def _element(self, of: Any, index: tuple[int, ...]) -> Any:
        """An element or a row of an array or tuple; raises Unfit of an index that is not there."""
        shape = of.shape if isinstance(of, np.ndarray) else (len(of),)
        if len(index) > len(shape) or any(not 0 <= at < most for at, most in zip(index, shape, strict=False)):
            raise Unfit
        found = of[index] if isinstance(of, np.ndarray) else of[index[0]]
        if isinstance(found, np.ndarray):
            return self.pool.kept(("row", self.pool.key(of), index), lambda: found)
        if not isinstance(found, int | np.integer | np.bool_):
            raise Unfit
        return int(found)

    def _header(self, at: int) -> Any:
        if at == DESTINATION:
            return self.places[1]
        if at == STATE:
            return self.pool.kept("STATE", lambda: Table(len(self.grid.sides), self.states))
        if at in self.arrival:
            return self.arrival[at]
        raise Unfit

    def _coordinate(self, place: Place, d: int) -> Table:
        if not 0 <= d < len(self.grid.sides):
            raise Unfit
        k = self.grid.sides[d]
        here, there = np.divmod(np.arange(k * k, dtype=np.int64), k)
        return self.pool.kept((place.far, d), lambda: Table(d, there if place.far else here))


def _among(way: Way, axis: int, some: Any) -> Way:
    """Those packets of a way for which something holds."""
    masks = way.masks
    return way._replace(masks=(*masks[:axis], np.asarray(masks[axis] & some), *masks[axis + 1 :]))
