"""The Moore bound: how many routers a degree and diameter allow, and how far a network is from it.

Definitions: Hoffman and Singleton 1960 (undirected); Bridges and Toueg 1980 (directed); the average-distance bound is
Cerf, Cowan, Mullin and Stanton 1974. Called by metrics and reports.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError

__all__ = ["MooreGap", "least_average_distance", "least_diameter", "moore_bound", "moore_gap"]


def _check(**numbers: int) -> None:
    for name, value in numbers.items():
        if value < (1 if name == "routers" else 0):
            raise JumpnetError(f"{name} {value} found, a number from {1 if name == 'routers' else 0} expected")


def moore_bound(degree: int, diameter: int, *, directed: bool = False) -> int:
    """The most routers of a network of this degree (out-degree when directed) and diameter; exact integer.

    >>> moore_bound(3, 2), moore_bound(7, 2), moore_bound(2, 5), moore_bound(2, 2, directed=True)
    (10, 50, 11, 7)
    """
    _check(degree=degree, diameter=diameter)
    total, level = 1, degree
    for _ in range(diameter):
        total += level
        level *= degree if directed else max(degree - 1, 0)
    return total


def _need_reach(routers: int, degree: int, directed: bool) -> None:
    _check(routers=routers, degree=degree)
    most = 1 if degree == 0 else 2 if degree == 1 and not directed else None
    if most is not None and routers > most:
        raise JumpnetError(f"{routers} routers of degree {degree} found, at most {most} can be connected")


@public
def least_diameter(routers: int, degree: int, *, directed: bool = False) -> int:
    """The smallest diameter whose Moore bound holds this many routers.

    >>> least_diameter(65536, 8)
    6
    """
    _need_reach(routers, degree, directed)
    if degree == 1 or (degree == 2 and not directed):  # Rings grow by a constant: no loop over the diameter.
        return max(routers - 1, 0) if degree == 1 else routers // 2
    diameter = 0
    while moore_bound(degree, diameter, directed=directed) < routers:
        diameter += 1
    return diameter


def least_average_distance(routers: int, degree: int, *, directed: bool = False) -> Fraction:
    """Lower bound of the average distance over ordered pairs of different routers: every level as full as it can be.

    >>> least_average_distance(10, 3), least_average_distance(1, 3)
    (Fraction(5, 3), Fraction(0, 1))
    """
    _need_reach(routers, degree, directed)
    if routers == 1:
        return Fraction(0)
    left, level, distance, hops = routers - 1, degree, 1, 0
    while left:
        here = min(level, left)
        hops += here * distance
        left -= here
        level *= degree if directed else degree - 1
        distance += 1
    return Fraction(hops, routers - 1)


@dataclass(frozen=True)
class MooreGap:
    """How far a network of known routers, degree and diameter is from the Moore bound."""

    bound: int
    """Most routers of that degree and diameter."""
    fraction: Fraction
    """Routers divided by `bound`; 1 for a Moore graph."""
    least_diameter: int
    """Smallest diameter the bound allows for that many routers."""
    excess: int
    """Diameter minus `least_diameter`."""
    least_average_distance: Fraction
    """Lower bound of the average distance for that many routers and degree."""


def moore_gap(routers: int, degree: int, diameter: int, *, directed: bool = False) -> MooreGap:
    """The gap to the Moore bound. Raises JumpnetError when no such network can exist.

    >>> moore_gap(10, 3, 2).fraction, moore_gap(65536, 8, 12).excess
    (Fraction(1, 1), 6)
    """
    bound = moore_bound(degree, diameter, directed=directed)
    if routers > bound:
        raise JumpnetError(
            f"{routers} routers of degree {degree} and diameter {diameter} found, at most {bound} possible"
        )
    least = least_diameter(routers, degree, directed=directed)
    average = least_average_distance(routers, degree, directed=directed)
    return MooreGap(bound, Fraction(routers, bound), least, diameter - least, average)
