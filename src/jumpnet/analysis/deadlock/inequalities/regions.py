"""What may be told apart of a router and a target in one dimension, whatever its side, and where hops lead.

A *region* is a set of triples (coordinate of here, of the target, side), given by the signs of some expressions. The
regions of a dimension are apart from each other and together all there is (an arrangement). Called by `flow`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from jumpnet.analysis.deadlock.inequalities.linear import HERE, SIDE, TARGET, Linear, constant, possible

__all__ = ["Hop", "Refine", "Region", "Regions", "Ring"]


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


class Refine(Exception):
    """The sign of an expression is not the same everywhere in a region."""

    def __init__(self, dimension: int, asked: Linear) -> None:
        self.dimension, self.asked = dimension, asked


@dataclass(frozen=True)
class Region:
    """Where some expressions are at least 0."""

    facts: tuple[Linear, ...]
    side: int | None = None
    """The side, where it is known."""

    def signs(self, asked: Linear) -> list[int]:
        """The signs that an expression may have here.

        >>> Region((HERE - TARGET,)).signs(TARGET - HERE)
        [-1, 0]
        """
        return [sign for sign in (-1, 0, 1) if possible((*self.facts, *_fact(asked, sign)))]

    def split(self, asked: Linear) -> list[Region]:
        """The parts in which an expression has one sign."""
        return [Region((*self.facts, *_fact(asked, sign)), self.side) for sign in self.signs(asked)]


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

    def refined(self, asked: Linear) -> Regions:
        """The same, apart where an expression has another sign."""
        return Regions(self.ring, tuple(part for region in self.parts for part in region.split(asked)))

    def hops(self, at: int, up: bool) -> list[Hop] | None:
        """Where a hop up or down from a region may lead; None where it may be taken at the end of a line."""
        return self._hops[at, up]

    @cached_property
    def _hops(self) -> dict[tuple[int, bool], list[Hop] | None]:
        return {(at, up): self._from(at, up) for at in range(len(self.parts)) for up in (False, True)}

    def _from(self, at: int, up: bool) -> list[Hop] | None:
        facts, one = self.parts[at].facts, constant(1 if up else -1)
        first, last = constant(0), SIDE.minus(1)
        end, other = (last, first) if up else (first, last)
        inside = (last - HERE) if up else HERE
        hops = self._landing([*(fact.put(HERE - one) for fact in facts), inside], rises=up)
        if not possible([*facts, *_fact(HERE - end, 0)]):
            return hops
        if not self.ring.closed:
            return None
        return hops + self._landing([*(fact.put(end) for fact in facts), *_fact(HERE - other, 0)], rises=not up)

    def _landing(self, facts: list[Linear], rises: bool) -> list[Hop]:
        return [Hop(k, rises) for k, part in enumerate(self.parts) if possible([*facts, *part.facts])]
