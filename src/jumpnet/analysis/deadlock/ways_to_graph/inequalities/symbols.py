"""A relation run in plain Python on a router and a target of which only the regions are known.

Called by `flow`, and for hooks by `all_sizes`. A question that a region does not answer raises `Refine`; one that no
region can answer (about two dimensions at once, tables of the network, the number of a router) raises `Unfit`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import add, and_, mod, mul, sub
from typing import Any, NoReturn

import numpy as np

from jumpnet.analysis.deadlock.symbolic.bits import Bits, Word
from jumpnet.analysis.deadlock.symbolic.header import Elements, Header, Opaque, Unfit, View, called
from jumpnet.analysis.deadlock.symbolic.operators import COMPARISONS, that_refuses, with_operators
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.linear import HERE, SIDE, TARGET, Linear, constant
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.regions import Odd, Refine, Region, Regions, Ring
from jumpnet.own.trial import rebuilt
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, MAX_CANDIDATES
from jumpnet.terms import I64

__all__ = ["Run", "ask", "on_all_sizes"]

MOST_ANSWERS = 1 << 10
"""Cases of sides that a function of a network may tell apart."""
MOST_TURNS = 4
"""Sides that are added or taken away until a remainder is found."""

FEW = 8
"""Longest side of which coordinates are told apart one by one, where a relation asks for their bits."""


@dataclass(frozen=True, eq=False)
class Run:
    """A routing whose relation is run."""

    bound: BoundRouting
    own: I64 | None
    """What it has prepared; None where that is not the same on all networks that are looked at."""
    drawn: int = 0
    """Bits of STATE that are not known of packets that start, nor any more after a hop."""

    @cached_property
    def relation(self) -> Callable[..., Any]:
        """In plain Python, with its helpers."""
        made: Callable[..., Any] = rebuilt(self.bound.routing.relation)
        return made


_silent = partial(that_refuses, why=Unfit)


@_silent
@with_operators
class _Value:
    """An integer of one dimension."""

    __slots__ = ("dimension", "form", "region")

    def __init__(self, region: Region, dimension: int, form: Linear) -> None:
        self.region, self.dimension, self.form = region, dimension, form

    def _form(self, other: Any) -> Linear:
        if isinstance(other, int | np.integer) and not isinstance(other, bool):
            return constant(int(other))
        if not isinstance(other, _Value) or other.dimension != self.dimension:
            raise Unfit
        return other.form

    def _of(self, form: Linear) -> _Value:
        return _Value(self.region, self.dimension, form)

    def _with(self, other: Any, operate: Callable[[Any, Any], Any], swap: bool) -> Any:
        if operate in (add, sub, *COMPARISONS):
            left, right = (self._form(other), self.form) if swap else (self.form, self._form(other))
            return self._of(left + right) if operate is add else self._against(left - right, operate)
        if operate is mul and isinstance(other, int | np.integer):
            return self._of(self.form.times(int(other)))
        if operate is mod and not swap:
            return self._modulo(other)
        if operate is and_ and not swap:
            return self._odd() if other == 1 and self._is_long() else self._number() & other
        raise Unfit

    def _against(self, less: Linear, operate: Callable[[Any, Any], Any]) -> Any:
        return self._of(less) if operate is sub else operate(self._of(less).sign(), 0)

    def sign(self) -> int:
        """-1, 0 or 1."""
        signs = self.region.signs(self.form)
        if len(signs) != 1:
            raise Refine(self.dimension, self.form)
        return signs[0]

    def __neg__(self) -> _Value:
        return self._of(self.form.times(-1))

    def _modulo(self, side: Any) -> _Value | int:
        """The remainder by the side, or by two where that is not a short side; raises Unfit of any other number."""
        by = self._form(side)
        if by == constant(2) and self._is_long():
            return self._odd()
        if by != SIDE and (self.region.side is None or by != constant(self.region.side)):
            raise Unfit
        value = self
        for _ in range(MOST_TURNS):
            if value.sign() < 0:
                value = value + side
            elif (value - side).sign() >= 0:
                value = value - side
            else:
                return value
        raise Unfit

    def _is_long(self) -> bool:
        """Whether coordinates are not told apart one by one."""
        return self.region.side is None or self.region.side > FEW

    def _odd(self) -> int:
        """Its remainder by two."""
        here, target, side = self.region.odd
        side = side if self.region.side is None else self.region.side % 2
        known = here, target, side
        for of, factor in enumerate(self.form.slopes):
            if factor % 2 and known[of] is None:
                raise Refine(self.dimension, Odd(of))
        return sum((f * (odd or 0) for f, odd in zip(self.form.slopes, known, strict=True)), self.form.rest) % 2

    def _number(self) -> int:
        """What it is, where it can be few numbers; in a dimension of few routers they are told apart."""
        side = self.region.side or 0
        for number in range(side if side <= FEW else 0):
            signs = self.region.signs(self.form.minus(number))
            if signs == [0]:
                return number
            if 0 in signs:
                raise Refine(self.dimension, self.form.minus(number))
        raise Unfit

    def __abs__(self) -> _Value:
        return -self if self.sign() < 0 else self

    def __bool__(self) -> bool:
        return self.sign() != 0

    __hash__ = None  # type: ignore[assignment]

    def __index__(self) -> NoReturn:
        raise Unfit


@_silent
class _Place(Opaque):
    """A router: the one where the packet is, or the target."""

    def __init__(self, regions: Sequence[Region], form: Linear) -> None:
        self.regions, self.form = regions, form

    def coordinate(self, dimension: int) -> _Value:
        """One of its coordinates."""
        return _Value(self.regions[dimension], dimension, self.form)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Place):
            raise Unfit
        return all(self.coordinate(d) == other.coordinate(d) for d in range(len(self.regions)))


@_silent
class _Unknown(Opaque):
    """A number of which nothing is known."""

    __slots__ = ()


class _View(View):
    """The network as the relation may see it: coordinates, and the sides as its parameters, as numbers if known."""

    def __init__(self, run: Run, regions: Sequence[Region]) -> None:
        self.coord, self.vcs = Elements((_Unknown(), len(regions)), _Place, _Place.coordinate), run.bound.vcs
        self.params = np.array(
            [_Value(region, d, SIDE) if region.side is None else region.side for d, region in enumerate(regions)],
            object,
        )
        if run.own is not None:
            self.own = run.own


def on_all_sizes(bound: BoundRouting, rings: Sequence[Ring], hook: Callable[[Any], Any]) -> list[Any]:
    """All that a function of a network may answer, whatever the sides; raises Unfit where it asks for more than them.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> bound = bind("torus.booksim", build("torus:4"))
    >>> on_all_sizes(bound, [Ring(3, closed=True)], lambda net: bool((net.params % 2 == 0).any()))
    [False, True]
    """
    found, todo = [], [tuple(Regions.of(ring).parts[0] for ring in rings)]
    while todo:
        regions = todo.pop()
        try:
            found.append(called(hook, _View(Run(bound, None), regions)))
        except Refine as wish:
            d = wish.dimension
            todo += [(*regions[:d], part, *regions[d + 1 :]) for part in regions[d].split(wish.asked)]
        if len(found) + len(todo) > MOST_ANSWERS:
            raise Unfit
    return found


def ask(
    run: Run, regions: Sequence[Region], known: Mapping[int, int | Bits]
) -> tuple[int, list[tuple[int, int, int | Bits, int]]]:
    """(found, candidate rows) of packets whose here and target lie in a region of each dimension.

    known: what else stands in the header. Raises Refine or Bit where not all of them are answered alike, Unfit where
    the relation does not fit. Cost: one run in plain Python, some 0.1 to 1 ms.
    """
    here, target = _Place(regions, HERE), _Place(regions, TARGET)
    words = {field: Word(some) if isinstance(some, Bits) else some for field, some in known.items()}
    head = Header({DESTINATION: target, INTERMEDIATE: target, **words})
    out = np.zeros((MAX_CANDIDATES, 4), np.int64 if run.drawn == 0 else object)
    found = called(lambda: int(run.relation(_View(run, regions), here, head, out)))
    if found > MAX_CANDIDATES:
        raise Unfit
    return found, [_row(run.drawn, *row) for row in out[: max(0, found)].tolist()]


def _row(drawn: int, port: Any, vc: Any, state: Any, kind: Any) -> tuple[int, int, int | Bits, int]:
    """A row of candidates, of whose next STATE some bits are forgotten."""
    if not drawn:
        return port, vc, state, kind
    bits = state.bits if isinstance(state, Word) else Bits(int(state), 0)
    if bits.value < 0:
        raise Unfit
    return int(port), int(vc), bits.forgotten(drawn), int(kind)
