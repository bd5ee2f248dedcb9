"""Linear expressions over the coordinate of a router, the target's and the side, and whether inequalities can hold.

Sources: Fourier and Motzkin's elimination (Schrijver 1986, section 12.2), with constants rounded to what whole numbers
allow. Called by the other files here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import gcd
from typing import NamedTuple

__all__ = ["HERE", "SIDE", "TARGET", "Linear", "constant", "place_bounds", "possible"]


class Linear(NamedTuple):
    """here * x + target * t + side * k + rest, for coordinates x and t in a dimension of k routers."""

    here: int
    target: int
    side: int
    rest: int

    def __add__(self, other: Linear) -> Linear:  # type: ignore[override]  # numbers are added, not put side by side
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
        here, target, side, rest = self
        x, t, k = odd
        if x is not None:
            here, rest = 2 * here, rest + x * here
        if t is not None:
            target, rest = 2 * target, rest + t * target
        if k is not None:
            side, rest = 2 * side, rest + k * side
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


@lru_cache(maxsize=1 << 16)  # few expressions are asked about, each very often
def _tightened(one: Linear) -> _Row:
    """The same for whole numbers, in lowest terms."""
    by = gcd(*one.slopes)
    return (tuple(slope // by for slope in one.slopes), one.rest // by) if by else (one.slopes, one.rest)


def _strictest(rows: Iterable[_Row]) -> dict[tuple[int, ...], int]:
    """For each factors the least rest, from which the others follow; none without factors that holds anyway."""
    found: dict[tuple[int, ...], int] = {}
    for slopes, rest in rows:
        if rest < found.get(slopes, rest + 1) and (rest < 0 or any(slopes)):
            found[slopes] = rest
    return found


def _without(rows: dict[tuple[int, ...], int], place: int) -> dict[tuple[int, ...], int]:
    """What rows, the rest by the factors, say of the other unknowns."""
    lower = [(slopes, rest) for slopes, rest in rows.items() if slopes[place] > 0]
    upper = [(slopes, rest) for slopes, rest in rows.items() if slopes[place] < 0]
    left = [(slopes, rest) for slopes, rest in rows.items() if slopes[place] == 0]
    for slopes, rest in lower:
        x, t, k = slopes
        b = slopes[place]
        for others, other in upper:
            a = -others[place]
            sums, sum_of_rests = (
                (a * x + b * others[0], a * t + b * others[1], a * k + b * others[2]),
                a * rest + b * other,
            )
            by = gcd(*sums)
            if by > 1:
                sums, sum_of_rests = (sums[0] // by, sums[1] // by, sums[2] // by), sum_of_rests // by
            left.append((sums, sum_of_rests))
    return _strictest(left)


def possible(inequalities: Iterable[Linear]) -> bool:
    """Whether all may be at least 0 at once; True also of some that hold for no whole numbers, never False of others.

    >>> possible([HERE - TARGET, TARGET - HERE]), possible([HERE - TARGET, (TARGET - HERE).minus(1)])
    (True, False)
    """
    return _possible(frozenset(_tightened(one) for one in inequalities))


@lru_cache(maxsize=1 << 16)  # regions are parted one after the other, and what is asked of the others stays the same
def _possible(known: frozenset[_Row]) -> bool:
    rows = _strictest(known)
    for place in range(3):
        rows = _without(rows, place)
    return not rows  # each that is left has no factors, and is below 0


def place_bounds(inequalities: Iterable[Linear]) -> tuple[int, int] | None:
    """The least and greatest x for which all may be at least 0, whatever t and k; None where there is no such x.

    There may be more whole numbers between than there are such x, never fewer. The inequalities bound x on both sides.

    >>> place_bounds([HERE - TARGET, TARGET.minus(2), constant(9) - HERE]), place_bounds([HERE, constant(-1) - HERE])
    ((2, 9), None)
    """
    rows = _strictest(_tightened(one) for one in inequalities)
    for place in (1, 2):
        rows = _without(rows, place)
    if any(slopes[0] == 0 for slopes in rows):
        return None
    least = max(-(rest // slopes[0]) for slopes, rest in rows.items() if slopes[0] > 0)
    most = min(rest // -slopes[0] for slopes, rest in rows.items() if slopes[0] < 0)
    return (least, most) if least <= most else None
