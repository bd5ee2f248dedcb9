"""Linear expressions over the coordinate of a router, the target's and the side, and whether inequalities can hold.

Sources: Fourier and Motzkin's elimination (Schrijver 1986, section 12.2), with constants rounded to what whole numbers
allow. Called by the other files here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

__all__ = ["HERE", "SIDE", "TARGET", "Linear", "constant", "place_bounds", "possible"]


@dataclass(frozen=True)
class Linear:
    """here * x + target * t + side * k + rest, for coordinates x and t in a dimension of k routers."""

    here: int
    target: int
    side: int
    rest: int

    def __add__(self, other: Linear) -> Linear:
        return Linear(
            self.here + other.here, self.target + other.target, self.side + other.side, self.rest + other.rest
        )

    def __sub__(self, other: Linear) -> Linear:
        return self + other.times(-1)

    def times(self, factor: int) -> Linear:
        """This, so many times."""
        return Linear(self.here * factor, self.target * factor, self.side * factor, self.rest * factor)

    def minus(self, number: int) -> Linear:
        """This less a number."""
        return Linear(self.here, self.target, self.side, self.rest - number)

    def halved(self, odd: tuple[int | None, int | None, int | None]) -> Linear:
        """This with x as 2 x + odd[0], likewise t and k; where it is None as it is.

        >>> (HERE - TARGET).halved((1, None, None))
        Linear(here=2, target=-1, side=0, rest=1)
        """
        here, target, side = (slope if one is None else 2 * slope for slope, one in zip(self.slopes, odd, strict=True))
        rest = self.rest + sum(slope * (one or 0) for slope, one in zip(self.slopes, odd, strict=True))
        return Linear(here, target, side, rest)

    def put(self, here: Linear) -> Linear:
        """This with another expression in the place of x."""
        return Linear(0, self.target, self.side, self.rest) + here.times(self.here)

    @property
    def slopes(self) -> tuple[int, int, int]:
        """The factors of x, t and k."""
        return self.here, self.target, self.side


HERE, TARGET, SIDE = Linear(1, 0, 0, 0), Linear(0, 1, 0, 0), Linear(0, 0, 1, 0)


def constant(number: int) -> Linear:
    """A number."""
    return Linear(0, 0, 0, number)


_Row = tuple[tuple[int, ...], int]
"""(factors, rest) of an inequality: their sum is at least 0."""


def _tightened(slopes: tuple[int, ...], rest: int) -> _Row:
    """The same for whole numbers, in lowest terms."""
    by = gcd(*slopes)
    return (tuple(slope // by for slope in slopes), rest // by) if by else (slopes, rest)


def _without(rows: set[_Row], place: int) -> set[_Row]:
    """What rows say of the other unknowns."""
    lower = [row for row in rows if row[0][place] > 0]
    upper = [row for row in rows if row[0][place] < 0]
    left = {row for row in rows if row[0][place] == 0}
    for slopes, rest in lower:
        for others, other in upper:
            a, b = -others[place], slopes[place]
            sums = tuple(a * one + b * two for one, two in zip(slopes, others, strict=True))
            left.add(_tightened(sums, a * rest + b * other))
    return left


def possible(inequalities: Iterable[Linear]) -> bool:
    """Whether all may be at least 0 at once; True also of some that hold for no whole numbers, never False of others.

    >>> possible([HERE - TARGET, TARGET - HERE]), possible([HERE - TARGET, (TARGET - HERE).minus(1)])
    (True, False)
    """
    return _possible(frozenset(_tightened(one.slopes, one.rest) for one in inequalities))


@lru_cache(maxsize=1 << 16)  # regions are parted one after the other, and what is asked of the others stays the same
def _possible(known: frozenset[_Row]) -> bool:
    rows = set(known)
    for place in range(3):
        rows = _without(rows, place)
    return all(rest >= 0 for _, rest in rows)


def place_bounds(inequalities: Iterable[Linear]) -> tuple[int, int] | None:
    """The least and greatest x for which all may be at least 0, whatever t and k; None where there is no such x.

    There may be more whole numbers between than there are such x, never fewer. The inequalities bound x on both sides.

    >>> place_bounds([HERE - TARGET, TARGET.minus(2), constant(9) - HERE]), place_bounds([HERE, constant(-1) - HERE])
    ((2, 9), None)
    """
    rows = {_tightened(one.slopes, one.rest) for one in inequalities}
    for place in (1, 2):
        rows = _without(rows, place)
    if any(rest < 0 for slopes, rest in rows if slopes[0] == 0):
        return None
    least = max(-(rest // slopes[0]) for slopes, rest in rows if slopes[0] > 0)
    most = min(rest // -slopes[0] for slopes, rest in rows if slopes[0] < 0)
    return (least, most) if least <= most else None
