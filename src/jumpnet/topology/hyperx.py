"""HyperX and flattened butterfly: a grid in which the routers of every line are completely joined.

Source: Ahn et al., HyperX: topology, routing, and packaging of efficient large-scale networks, SC 2009 (regular form);
Kim, Dally and Abts, Flattened butterfly, ISCA 2007. With one terminal a router it is the generalized hypercube.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.networks import Network, Orbits, from_neighbors
from jumpnet.spec import Sides
from jumpnet.terms import I64, Array
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import coordinates, index, spread
from jumpnet.topology._widths import first_half, hamming_width

__all__ = ["FlattenedButterfly", "HyperX"]


class _CompleteLines(Family):
    """What HyperX and flattened butterfly share, given the sides and the terminals of a router.

    Port order: dimension 0 first; within dimension d, port base_d + j - 1 adds j to coordinate d (modulo its side),
    j = 1..side-1, where base_d is the sum of (side - 1) of the dimensions before d.
    """

    @property
    def _shape(self) -> tuple[int, ...]:
        raise AssertionError

    @property
    def _terminals(self) -> int:
        raise AssertionError

    def build(self) -> Network:
        sides = self._shape
        coord = coordinates(sides)
        columns: list[I64] = []
        names: list[str] = []
        rank: list[int] = []
        mirror: list[int] = []
        for d, k in enumerate(sides):
            base = len(columns)
            for j in range(1, k):
                moved = coord.copy()
                moved[:, d] = (moved[:, d] + j) % k
                columns.append(index(moved, sides))
                names.append(f"dimension {d} +{j}")
                rank.append(d)
                mirror.append(base + k - j - 1)
        routers = prod(sides)
        return from_neighbors(
            self.spec,
            self.name,
            np.stack(columns, axis=1) if columns else np.zeros((routers, 0), np.int32),
            link_class=np.arange(len(columns)),
            class_names=tuple(names),
            class_rank=np.array(rank, np.int32),
            mirror=np.array(mirror, np.int32),
            coord=coord,
            terminals=np.full(routers, self._terminals),
            orbits=Orbits.transitive(routers),
            position=spread(coord),
            params=np.array(sides, np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        sides = self._shape
        routers, degree = prod(sides), sum(k - 1 for k in sides)
        claims: dict[str, Claim] = {
            "routers": routers,
            "terminals": routers * self._terminals,
            "links": routers * degree // 2,
            "degree": degree,
            "diameter": sum(k > 1 for k in sides),
        }
        if routers > 1:
            claims["average_distance"] = sum(Fraction(k - 1, k) for k in sides) * routers / (routers - 1)
        return claims

    def automorphisms(self, net: Network) -> Iterator[I64]:
        for d, k in enumerate(self._shape):
            moved = net.coord.copy()
            moved[:, d] = (moved[:, d] + 1) % k
            yield index(moved, self._shape)

    def halves(self, net: Network) -> Iterator[Array]:
        yield first_half(self._shape, longest_fastest=True)

    def bisection_width(self) -> tuple[int, str]:
        """For any sides. Source: Lindsey 1964 (see `hamming_width`)."""
        return hamming_width(self._shape), "Lindsey 1964"


@dataclass(frozen=True)
class HyperX(_CompleteLines):
    """`hyperx:4x4x4,t=4`: routers on a grid, every line of it a complete graph, t terminals a router (default 1).

    Router (x_0, x_1, ...), dimension 0 fastest. Port base_d + j - 1 adds j to coordinate d modulo its side.
    params = sides.
    """

    sides: Sides
    """Routers along each dimension."""
    t: Annotated[int, Ge(1)] = 1
    """Terminals of a router."""

    name: ClassVar[str] = "hyperx"
    samples: ClassVar[tuple[str, ...]] = ("hyperx:4x4x4", "hyperx:3x5,t=3", "hyperx:6", "hyperx:2x1x3")

    @property
    def _shape(self) -> tuple[int, ...]:
        return self.sides

    @property
    def _terminals(self) -> int:
        return self.t


@dataclass(frozen=True)
class FlattenedButterfly(_CompleteLines):
    """`flatfly:4,n=2,c=4`: flattened butterfly, k^n routers with c terminals each (c=0, the default, means k).

    The HyperX of n equal sides k; as BookSim's `flatfly`. Ports and params (n times k) as in HyperX.
    """

    k: Annotated[int, Ge(2)]
    """Routers along each dimension."""
    n: Annotated[int, Ge(1), Le(62)] = 2
    """Dimensions."""
    c: Annotated[int, Ge(0)] = 0
    """Terminals of a router; 0 means k."""

    name: ClassVar[str] = "flatfly"
    samples: ClassVar[tuple[str, ...]] = ("flatfly:4", "flatfly:3,n=3,c=2", "flatfly:8,n=1,c=8")

    @property
    def _shape(self) -> tuple[int, ...]:
        return (self.k,) * self.n

    @property
    def _terminals(self) -> int:
        return self.c or self.k
