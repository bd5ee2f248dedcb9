"""k-D mesh with any sides: a torus without the wrap-around links.

Source: Dally and Towles, Principles and Practices of Interconnection Networks, chapter 5 (k-ary n-mesh).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import ClassVar

import numpy as np

from jumpnet.memory import require
from jumpnet.networks import Implicit, Network, Orbits
from jumpnet.spec import Sides
from jumpnet.terms import I32, I64, NO_ROUTER, Array
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import coordinates, grid_network, index, moves, reflections
from jumpnet.topology._widths import array_width, first_half

__all__ = ["Mesh"]


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table; params = sides."""
    rest, weight, count = router, 1, 0
    for d in range(len(params)):
        k = params[d]
        x = rest % k
        if x + 1 < k:
            out[count] = router + weight
            count += 1
        if x > 0:
            out[count] = router - weight
            count += 1
        rest //= k
        weight *= k
    return count


@dataclass(frozen=True)
class Mesh(Family):
    """`mesh:8x8`, `mesh:4x4x2`. Routers at the border lack the ports that would lead outside.

    Port 2d goes up and port 2d+1 down in dimension d. params = sides.
    """

    sides: Sides
    """Routers along each dimension."""

    name: ClassVar[str] = "mesh"
    samples: ClassVar[tuple[str, ...]] = ("mesh:8x8", "mesh:5", "mesh:4x3x2", "mesh:1x7", "mesh:3x3x3")

    def build(self) -> Network:
        def step_in(moved: I32, d: int) -> I64:
            inside = (moved[:, d] >= 0) & (moved[:, d] < self.sides[d])
            return np.where(inside, index(moved, self.sides), NO_ROUTER)

        return grid_network(self, self.sides, moves(self.sides, step_in), self._orbits())

    def _orbits(self) -> Orbits:
        """A reflection in each dimension: one orbit per corner of the low half."""
        halves = tuple((k + 1) // 2 for k in self.sides)
        require(prod(halves) * (16 * len(halves) + 32), f"{self.spec}: a list of {prod(halves):,} orbits")
        low = coordinates(halves).astype(np.int64)
        size = np.ones(len(low), np.int64)
        for d, k in enumerate(self.sides):
            size *= np.where(2 * low[:, d] + 1 == k, 1, 2)
        return Orbits(index(low, self.sides), size)

    def claims(self) -> dict[str, Claim]:
        routers = prod(self.sides)
        mean_with_self = sum(Fraction(k * k - 1, 3 * k) for k in self.sides)
        claims: dict[str, Claim] = {
            "routers": routers,
            "links": sum(routers // k * (k - 1) for k in self.sides),
            "degree": sum(min(k - 1, 2) for k in self.sides),
            "diameter": sum(k - 1 for k in self.sides),
        }
        if routers > 1:
            claims["average_distance"] = mean_with_self * routers / (routers - 1)
        return claims

    def automorphisms(self, net: Network) -> Iterator[I64]:
        return reflections(net.coord, self.sides)

    def halves(self, net: Network) -> Iterator[Array]:
        yield first_half(self.sides, longest_fastest=False)

    def bisection_width(self) -> tuple[int, str]:
        """For any sides. Source: Azizoglu and Egecioglu 2004 (see `array_width`)."""
        return array_width(self.sides), "Azizoglu and Egecioglu 2004"

    def implicit(self) -> Implicit:
        ports = 2 * len(self.sides)
        return Implicit(prod(self.sides), ports, _neighbors, np.array(self.sides, np.int64), self._orbits())
