"""k-D torus with any sides: each router joined to the next and previous one in every dimension, with wrap-around.

Source: Dally and Towles, Principles and Practices of Interconnection Networks, chapter 5 (k-ary n-cube).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import ClassVar

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Implicit, Network, Orbits, simple_links
from jumpnet.spec import Sides
from jumpnet.terms import I32, I64, NO_ROUTER, Array
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import grid_network, index, moves
from jumpnet.topology._widths import first_half, half_in_turn, torus_width

__all__ = ["Torus"]


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table; params = sides."""
    rest, weight, count = router, 1, 0
    for d in range(len(params)):
        k = params[d]
        x = rest % k
        out[count] = router + ((x + 1) % k - x) * weight
        out[count + 1] = router + ((x + k - 1) % k - x) * weight
        rest //= k
        weight *= k
        count += 2
    return count


@dataclass(frozen=True)
class Torus(Family):
    """`torus:8x8`, `torus:32x32x64`, `torus:2x2x2,double=true`. A side of 2 has one link or two, a side of 1 none.

    Port 2d goes up and port 2d+1 down in dimension d. params = sides. On sides of 2 with two links `torus.booksim` and
    `torus.valiant_booksim` send over both ways, `torus.min_adapt_booksim` goes down but for its escapes; the other
    routings of tori go up wherever both ways are as long, so that the channels down stay idle there.
    """

    sides: Sides
    """Routers along each dimension."""
    double: bool = field(default=False, kw_only=True)
    """Whether a side of 2 has two links, one up and one down, as in BookSim 2, whose routings alone use both well."""

    name: ClassVar[str] = "torus"
    samples: ClassVar[tuple[str, ...]] = ("torus:8x8", "torus:5", "torus:4x3x2", "torus:7x5", "torus:3x3x3x3",
                                         "torus:2x2x2,double=true", "torus:4x2,double=true")  # fmt: skip

    def __post_init__(self) -> None:
        if self.double and 2 not in self.sides:
            text = "x".join(map(str, self.sides))
            raise JumpnetError(f"torus: double=true with sides {text} found, a side of 2 expected")

    def build(self) -> Network:
        def step_in(moved: I32, d: int) -> I64:
            moved[:, d] %= self.sides[d]
            return index(moved, self.sides)

        neighbor = moves(self.sides, step_in)
        here = np.arange(len(neighbor))[:, None]
        neighbor = np.where(neighbor == here, NO_ROUTER, neighbor) if self.double else simple_links(neighbor)
        return grid_network(self, self.sides, neighbor, Orbits.transitive(prod(self.sides)))

    def claims(self) -> dict[str, Claim]:
        routers = prod(self.sides)
        links = sum(0 if k == 1 else routers // 2 if k == 2 and not self.double else routers for k in self.sides)
        mean_with_self = sum(Fraction(k * k // 4, k) for k in self.sides)
        claims: dict[str, Claim] = {
            "routers": routers,
            "links": links,
            "degree": sum(2 if k == 2 and self.double else min(k - 1, 2) for k in self.sides),
            "diameter": sum(k // 2 for k in self.sides),
        }
        if routers > 1:
            claims["average_distance"] = mean_with_self * routers / (routers - 1)
        return claims

    def automorphisms(self, net: Network) -> Iterator[I64]:
        for d, k in enumerate(self.sides):
            moved = net.coord.copy()
            moved[:, d] = (moved[:, d] + 1) % k
            yield index(moved, self.sides)

    def halves(self, net: Network) -> Iterator[Array]:
        longest = max(self.sides)
        if 2 in self.sides and not self.double and longest > 3 and longest % 2:
            yield half_in_turn(self.sides)
        else:
            yield first_half(self.sides, longest_fastest=longest <= 3)

    def bisection_width(self) -> tuple[int, str] | None:
        """For all sides, with an odd longest one beside a side of 2 up to some thousand routers: see `torus_width`.

        With two links on sides of 2 where the longest side is even: every side is a ring then.
        """
        if self.double:
            longest = max(self.sides)
            return None if longest % 2 else (2 * prod(self.sides) // longest, "Leighton 1992, section 1.9")
        return torus_width(self.sides)

    def implicit(self) -> Implicit | None:
        if self.double:
            return None  # a function of neighbors names no second link
        size = prod(self.sides)
        return Implicit(size, 2 * len(self.sides), _neighbors, np.array(self.sides, np.int64), Orbits.transitive(size))
