"""A relation run for all pairs of routers at once, its ways joined again where they go on alike.

`dimensions.cases` runs a relation once for each way through it, and a loop over many dimensions has a power of them.
Here all ways are at the same statement, and after it two with the same values of all names that are still read and as
many candidates become one; where their packets are more than a few products, the least one around them stands for these
(Cousot and Cousot 1977). So there are few ways; each packet is among those of one, perhaps with others that do not come
so. What expressions are is said in `expressions`. Called by `cover`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.ways_to_graph.covers.expressions import HEADER, NET, OUT, Expressions, Frame, Way
from jumpnet.analysis.deadlock.ways_to_graph.covers.function import Function, function_of, source_of
from jumpnet.analysis.deadlock.ways_to_graph.covers.values import Table
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.grid import Grid
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.products import Product, add_product
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import IN_PORT, IN_VC, KIND, MAX_CANDIDATES, NEXT_STATE, PORT, VC
from jumpnet.terms import I64

__all__ = ["Answers", "End", "Machine", "Offer", "Offers"]

MOST_STEPS = 1 << 18
"""Statements that one run does, each once for each way (some seconds)."""
MOST_JOINED = 4
"""Products of packets of ways that are joined, beyond which the least one around them stands for all."""
MOST_CALLS = 32
"""Functions one within the other."""


class Offer(NamedTuple):
    """A candidate."""

    port: int
    vc: int
    kind: int
    after: Any
    """NEXT_STATE: a number, or a table of it for each STATE."""


Offers = dict[Offer, list[Product]]


class End(NamedTuple):
    """How a way ends."""

    found: int
    kinds: frozenset[int]
    """Of the candidates."""
    several: bool
    """Whether these have several ports."""


class Answers(NamedTuple):
    """What a relation says to packets of one arrival."""

    offers: Offers
    """For each candidate products that hold all packets that it is offered to."""
    ends: dict[End, list[Product]]
    """Likewise for each end: every packet that comes to it."""


class Machine(Expressions):
    """Runs one relation on one grid, for a set of values of STATE."""

    def __init__(self, bound: BoundRouting, grid: Grid, states: I64) -> None:
        super().__init__(bound, grid, states)
        self.everything: Product = (*(np.ones(k * k, bool) for k in grid.sides), np.ones(len(states), bool))
        self._functions: dict[Any, Function] = {}
        self._depth = 0

    def run(self, port: int, vc: int) -> Answers:
        """What packets are told that came by a port and virtual channel, -1 where they start. Raises Unfit."""
        self.arrival, self.answers, self.steps = {IN_PORT: port, IN_VC: vc}, Answers({}, {}), 0
        given = (NET, self.places[0], HEADER, OUT)
        for way, value in self.called(Way({}, self.everything), self.bound.routing.relation, given):
            for end, found in self.whole(way, value):
                self._ended(end, found)
        return self.answers

    def called(self, way: Way, function: Any, given: Sequence[Any]) -> Iterator[tuple[Way, Any]]:
        """What a kernel returns to the packets of a way, which then go on where it was called."""
        source = source_of(function)
        if source not in self._functions:
            self._functions[source] = function_of(source)
        inner = self._functions[source]
        if len(inner.arguments) != len(given) or self._depth == MOST_CALLS:
            raise Unfit
        self._depth += 1
        frame, names = Frame(inner), dict(zip(inner.arguments, given, strict=True))
        left = self._block(frame, inner.body, [way._replace(names=names)])
        frame.returned += [(one, None) for one in left]
        self._depth -= 1
        results = {self.pool.key(value): value for _, value in frame.returned}
        for key, value in results.items():
            same = [one._replace(names=way.names) for one, other in frame.returned if self.pool.key(other) == key]
            yield from ((one, value) for one in self._joined(same, frozenset()))

    def _joined(self, ways: Iterable[Way], live: Iterable[str]) -> list[Way]:
        """Ways at one place of a function, of which those that go on alike are one; live: names that are still read."""
        groups: dict[Any, tuple[Way, list[Product]]] = {}
        for way in ways:
            names = tuple((name, self.pool.key(way.names[name])) for name in live if name in way.names)
            row = tuple(None if one is None else self.pool.key(one) for one in way.row)
            key = names, way.found, row, way.kinds, way.port, way.several
            add_product(groups.setdefault(key, (way, []))[1], way.masks)
        made = []
        for way, known in groups.values():
            if len(known) > MOST_JOINED:
                known[:] = [tuple(np.any(masks, axis=0) for masks in zip(*known, strict=True))]
            made += [way._replace(masks=masks) for masks in known]
        return made

    def _block(self, frame: Frame, body: Sequence[ast.stmt], ways: list[Way]) -> list[Way]:
        """Statements one after the other."""
        for node in body:
            if not ways:
                break
            self.steps += len(ways)
            if self.steps > MOST_STEPS:
                raise Unfit
            ways = self._joined(self._statement(frame, node, ways), frame.function.live[node])
        return ways

    def _statement(self, frame: Frame, node: ast.stmt, ways: list[Way]) -> Iterable[Way]:
        """The ways after one of them."""
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return ways
            case ast.If(test=test, body=body, orelse=rest):
                yes, no = self._parted(frame, test, ways)
                return [*self._block(frame, rest, no), *self._block(frame, body, yes)]
            case ast.For(target=ast.Name(id=name), iter=ast.Call(), orelse=[]):
                return self._counted(frame, node, name, ways)
            case ast.While(test=test, body=body, orelse=[]):
                return self._while(frame, test, body, ways)
            case ast.Continue() | ast.Break() if frame.exits:
                frame.exits[-1][isinstance(node, ast.Break)].extend(ways)
                return []
            case ast.Return(value=ast.expr() as value):
                frame.returned += [found for way in ways for found in self.value(frame, value, way)]
                return []
        return [after for way in ways for after in self._simple(frame, node, way)]

    def _simple(self, frame: Frame, node: ast.stmt, way: Way) -> Iterator[Way]:
        """One way after a statement that leads on to the next."""
        match node:
            case ast.Expr(value=value):
                yield from (after for after, _ in self.value(frame, value, way))
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
                for after, several in self.values(frame, values, way):
                    yield from self._all_set(frame, names, several, after)
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                for after, one in self.value(frame, value, way):
                    yield from self._all_set(frame, [target], [one], after)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                read = ast.BinOp(ast.Name(name, ast.Load()), op, value)
                yield from (after.put(name, one) for after, one in self.value(frame, read, way))
            case _:
                raise Unfit

    def _all_set(self, frame: Frame, targets: Sequence[ast.expr], values: Sequence[Any], way: Way) -> Iterator[Way]:
        """Names and elements get values, one after the other."""
        if not targets:
            yield way
            return
        match targets[0]:
            case ast.Name(id=name):
                after: Iterable[Way] = [way.put(name, values[0])]
            case ast.Subscript(value=array, slice=index):
                after = self._stored(frame, array, index, values[0], way)
            case _:
                raise Unfit
        for one in after:
            yield from self._all_set(frame, targets[1:], values[1:], one)

    def _parted(self, frame: Frame, test: ast.expr, ways: Iterable[Way]) -> tuple[list[Way], list[Way]]:
        """Those for which a condition holds, and the others."""
        yes, no = list[Way](), list[Way]()
        for way in ways:
            for after, holds in self.test(frame, test, way):
                (yes if holds else no).append(after)
        return yes, no

    def _counted(self, frame: Frame, node: ast.For, name: str, ways: Iterable[Way]) -> list[Way]:
        """After a loop over a range; ways that go over the same one do so together."""
        assert isinstance(node.iter, ast.Call)
        spans: dict[range, list[Way]] = {}
        for way in ways:
            for after, function in self.value(frame, node.iter.func, way):
                if function is not range or node.iter.keywords or not 1 <= len(node.iter.args) <= 3:
                    raise Unfit
                for begun, ends in self.wholes(frame, node.iter.args, after):
                    if ends[2:] == [0]:
                        raise Unfit
                    spans.setdefault(range(*ends), []).append(begun)
        done = list[Way]()
        for span, some in spans.items():
            for at in span:
                some, left = self._turn(frame, node.body, [way.put(name, at) for way in some])
                done += left
                if not some:
                    break
            done += some
        return done

    def _while(self, frame: Frame, test: ast.expr, body: Sequence[ast.stmt], ways: list[Way]) -> list[Way]:
        """After a loop with a condition."""
        done = list[Way]()
        while ways:
            self.steps += len(ways)
            if self.steps > MOST_STEPS:
                raise Unfit
            some, no = self._parted(frame, test, ways)
            ways, left = self._turn(frame, body, some)
            done += no + left
        return done

    def _turn(self, frame: Frame, body: Sequence[ast.stmt], ways: list[Way]) -> tuple[list[Way], list[Way]]:
        """What goes on after the body of a loop, and what has left it."""
        again, left = list[Way](), list[Way]()
        frame.exits.append((again, left))
        again += self._block(frame, body, ways)
        frame.exits.pop()
        return again, left

    def _stored(self, frame: Frame, array: ast.expr, index: ast.expr, value: Any, way: Way) -> Iterator[Way]:
        """One field more of the candidate that is being written."""
        for after, into in self.value(frame, array, way):
            places = index.elts if isinstance(index, ast.Tuple) else [index]
            if into is not OUT or len(places) != 2:
                raise Unfit
            for there, (at, field) in self.wholes(frame, places, after):
                is_state = isinstance(value, Table) and value.axis == len(self.grid.sides) and field == NEXT_STATE
                for one, given in [(there, value)] if is_state else self.whole(there, value):
                    yield self._offered(one, at, field, given)

    def _offered(self, way: Way, at: int, field: int, value: Any) -> Way:
        """The same with a field of a candidate, which is the next one; the whole of it is offered."""
        if at != way.found or not 0 <= field < 4 or at >= MAX_CANDIDATES or way.row[field] is not None:
            raise Unfit
        row = (*way.row[:field], value, *way.row[field + 1 :])
        if None in row:
            return way._replace(row=row)
        offer = Offer(row[PORT], row[VC], row[KIND], row[NEXT_STATE])
        if not (0 <= offer.port < self.bound.network.ports and 0 <= offer.vc < self.bound.vcs):
            raise Unfit
        add_product(self.answers.offers.setdefault(offer, []), way.masks)
        return way._replace(
            found=at + 1,
            row=(None,) * 4,
            kinds=way.kinds | {offer.kind},
            port=offer.port if at == 0 else way.port,
            several=way.several or (at > 0 and offer.port != way.port),
        )

    def _ended(self, way: Way, found: int) -> None:
        """A way at its end, where the relation has returned a number."""
        if found != way.found or way.row != (None,) * 4 or (found == 0 and not self._is_there(way.masks)):
            raise Unfit
        add_product(self.answers.ends.setdefault(End(found, way.kinds, way.several), []), way.masks)

    def _is_there(self, masks: Product) -> bool:
        """Whether all packets are where they go to."""
        for k, mask in zip(self.grid.sides, masks, strict=False):
            here, there = np.divmod(np.flatnonzero(mask), k)
            if (here != there).any():
                return False
        return True
