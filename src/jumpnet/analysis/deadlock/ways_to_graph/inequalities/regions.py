"""What may be told apart of a router and a target in one dimension, whatever its side, and where hops lead.

A *region* is a set of triples (coordinate of here, of the target, side), given by the signs of some expressions. The
regions of a dimension are apart from each other and together all there is (an arrangement). Called by `flow`, `kinds`
and `symbols`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import NamedTuple

from jumpnet.analysis.deadlock.symbolic.header import Unanswered
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.linear import HERE, SIDE, TARGET, Linear, constant, possible
from jumpnet.terms import Array

__all__ = ["ANYWHERE", "ARRIVED", "Hop", "Odd", "Refine", "Region", "Regions", "Ring", "Told"]

ANYWHERE, ARRIVED = -1, -2
"""In place of the number of a region: here and target may be anything; or they are the same, and no more is known."""


class Ring(NamedTuple):
    """One dimension of a family: a line of routers, or a ring."""

    least: int
    """Sides are at least so long."""
    closed: bool
    """Whether the last is linked with the first."""
    side: int | None = None
    """The side, where it is known."""
    single: bool = False
    """Whether it is two routers with one link, by the port that leads on at both."""


Remainders = tuple[int | None, int | None, int | None]
"""Of here, target and side by two, where they are known."""
UPPER_HALF = Linear(4, 0, -2, 1)
"""Above 0 where twice the coordinate is the side at least, else below."""


class Odd(NamedTuple):
    """The question whether a number is odd."""

    of: int
    """Of here 0, of the target 1, of the side 2."""


class Told(NamedTuple):
    """What is known of a coordinate of a router."""

    dimension: int
    odd: bool
    """Whether the question is if it is odd; else, of a ring, if twice it is the side at least."""
    yes: bool

    def holds(self, at: Array, side: int) -> Array:
        """Of which coordinates it is so."""
        return (at % 2 == 1 if self.odd else 2 * at >= side) == self.yes

    def __str__(self) -> str:
        what = ("even", "odd") if self.odd else ("in the lower half", "in the upper half")
        return f"where coordinate {self.dimension} is {what[self.yes]}"


class Refine(Unanswered):
    """The sign of an expression, or whether a number is odd, is not the same everywhere in a region."""

    def __init__(self, dimension: int, asked: Linear | Odd) -> None:
        super().__init__(dimension, asked)
        self.dimension, self.asked = dimension, asked


@dataclass(frozen=True)
class Region:
    """Where some expressions are at least 0."""

    facts: tuple[Linear, ...]
    side: int | None = None
    """The side, where it is known."""
    odd: Remainders = (None, None, None)

    def holds(self, facts: Iterable[Linear]) -> bool:
        """Whether here, target and side with these remainders may fulfil some facts."""
        return possible([fact.halved(self.odd) for fact in facts])

    def signs(self, asked: Linear) -> list[int]:
        """The signs that an expression may have here.

        >>> Region((HERE - TARGET,)).signs(TARGET - HERE)
        [-1, 0]
        """
        if asked not in self._signs:
            self._signs[asked] = [sign for sign in (-1, 0, 1) if self.holds((*self.facts, *_fact(asked, sign)))]
        return self._signs[asked]

    @cached_property
    def _signs(self) -> dict[Linear, list[int]]:
        """What was asked before, and the answers."""
        return {}

    def split(self, asked: Linear | Odd) -> list[Region]:
        """The parts in which an expression has one sign, or a number one remainder by two."""
        if isinstance(asked, Odd):
            here, target, side = ([k if asked.of == of else self.odd[of] for k in (0, 1)] for of in range(3))
            some = [replace(self, odd=odd) for odd in zip(here, target, side, strict=True)]
            return [part for part in some if part.holds(part.facts)]
        signs = self.signs(asked)
        if len(signs) == 1:
            return [self]
        return [replace(self, facts=(*self.facts, *_fact(asked, sign))) for sign in signs]


def _fact(asked: Linear, sign: int) -> tuple[Linear, ...]:
    if sign == 0:
        return asked, asked.times(-1)
    return (asked.times(sign).minus(1),)


class Hop(NamedTuple):
    """Where a hop may lead."""

    region: int
    rises: bool
    """Whether the coordinate grows; it falls where a hop down does, or one up round the end of a ring."""


@dataclass(frozen=True)
class Regions:
    """All of one dimension."""

    ring: Ring
    parts: tuple[Region, ...]

    @staticmethod
    def of(ring: Ring) -> Regions:
        """One region: all coordinates below the side."""
        bounds = [x for end in (HERE, TARGET) for x in (end, (SIDE - end).minus(1))]
        most = [] if ring.side is None else [constant(ring.side) - SIDE]
        return Regions(ring, (Region((*bounds, SIDE.minus(ring.least), *most), ring.side),))

    def refined(self, asked: Linear | Odd) -> Regions:
        """The same, apart where an expression has another sign, or a number another remainder by two."""
        return Regions(self.ring, tuple(part for region in self.parts for part in region.split(asked)))

    def part(self, at: int) -> Region:
        """A region by its number; or all there is, or all where here is the target."""
        return self.parts[at] if at >= 0 else _coarse(self.ring, at)

    def finer(self, at: int) -> list[int]:
        """All there is in parts: where the packet has arrived, and the other regions; and where it has by regions.

        >>> Regions.of(Ring(3, closed=True)).refined(HERE - TARGET).finer(ANYWHERE)
        [-2, 0, 2]
        """
        if at == ARRIVED:
            return [k for k, signs in enumerate(self._ahead) if 0 in signs]
        return [ARRIVED, *(k for k, signs in enumerate(self._ahead) if signs != [0])]

    def coarser(self, at: int) -> int:
        """ARRIVED in place of a region where the packet has arrived; not where the side is unknown and its remainder
        by two is known, on which the order of channels rests."""
        placed = self.ring.side is None and self.parts[at].odd[0] is not None
        return ARRIVED if self._ahead[at] == [0] and not placed else at

    @cached_property
    def _ahead(self) -> list[list[int]]:
        return [part.signs(HERE - TARGET) for part in self.parts]

    def hops(self, at: int, up: bool) -> list[Hop] | None:
        """Where a hop up or down from a region may lead; None where it may be taken at the end of a line."""
        return self._hops[at, up]

    @cached_property
    def _hops(self) -> dict[tuple[int, bool], list[Hop] | None]:
        return {(at, up): self._from(at, up) for at in range(len(self.parts)) for up in (False, True)}

    def told(self, d: int, at: int, along: bool) -> tuple[Told, ...]:
        """What a region of dimension d says of here: whether it is odd; in which half of a ring `along` it is."""
        part = self.part(at)
        if part.odd[0] is not None:
            return (Told(d, True, part.odd[0] == 1),)
        signs = part.signs(UPPER_HALF) if along and self.ring.closed else []
        return (Told(d, False, signs == [1]),) if len(signs) == 1 else ()

    def at_ends(self) -> list[Linear]:
        """What is known of targets of packets that come round an end of a ring, one of each slope; all of it where the
        side is not known, and in which half of the ring they are."""
        unknown = self.ring.side is None
        found: dict[tuple[int, ...], Linear] = {}
        for part in self.parts if self.ring.closed else ():
            for end in (SIDE.minus(1), constant(0)):
                if part.holds([*part.facts, *_fact(HERE - end, 0)]):
                    for fact in (fact.put(end) for fact in part.facts if fact.here and fact.target):
                        sign = 1 if fact.target > 0 else -1
                        slope = sign * fact.target, sign * fact.side
                        found.setdefault((*slope, sign * fact.rest) if unknown else slope, fact)
        return [*found.values(), *[UPPER_HALF] * (self.ring.closed and unknown)]

    def _from(self, at: int, up: bool) -> list[Hop] | None:
        """The hops from one part, up or down; None where one leaves the mesh."""
        part, one = self.parts[at], constant(1 if up else -1)
        facts, (here, target, side) = part.facts, part.odd
        first, last = constant(0), SIDE.minus(1)
        end, other = (last, first) if up else (first, last)
        inside = (last - HERE) if up else HERE
        odd = None if here is None else 1 - here, target, side
        hops = self._landing([*(fact.put(HERE - one) for fact in facts), inside], odd, rises=up)
        if not part.holds([*facts, *_fact(HERE - end, 0)]):
            return hops
        if not self.ring.closed:
            return None
        round_it = [*(fact.put(end) for fact in facts), *_fact(HERE - other, 0)]
        return hops + self._landing(round_it, (None, target, side), rises=not up)

    def _landing(self, facts: list[Linear], odd: Remainders, rises: bool) -> list[Hop]:
        """Regions where packets may land of which some facts are known, and remainders by two."""
        found = []
        for k, part in enumerate(self.parts):
            known = [pair for pair in zip(odd, part.odd, strict=True) if None not in pair]
            if all(one == other for one, other in known):
                here, target, side = (a if b is None else b for a, b in zip(odd, part.odd, strict=True))
                if Region((), odd=(here, target, side)).holds([*facts, *part.facts]):
                    found.append(Hop(k, rises))
        return found


@cache
def _coarse(ring: Ring, at: int) -> Region:
    (whole,) = Regions.of(ring).parts
    return whole if at == ANYWHERE else replace(whole, facts=(*whole.facts, *_fact(HERE - TARGET, 0)))
