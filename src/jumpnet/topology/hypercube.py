"""Binary hypercube: routers whose numbers differ in one bit are joined.

Source: Saad and Schultz, Topological properties of hypercubes, IEEE Trans. Computers 37(7), 1988.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.networks import Implicit, Network, Orbits, from_neighbors
from jumpnet.terms import I64
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import coordinates, spread

__all__ = ["Hypercube"]


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table; params = [dimension]."""
    for d in range(params[0]):
        out[d] = router ^ (1 << d)
    return params[0]


@dataclass(frozen=True)
class Hypercube(Family):
    """`hypercube:12` has 2^12 routers of degree 12. Port d flips bit d, coordinates are the bits.

    params = [dimension].
    """

    dimension: Annotated[int, Ge(1), Le(40)]
    """Dimensions; there are two to this power of routers."""

    name: ClassVar[str] = "hypercube"
    samples: ClassVar[tuple[str, ...]] = ("hypercube:1", "hypercube:4", "hypercube:6")

    def build(self) -> Network:
        n = self.dimension
        bits = np.arange(n, dtype=np.int64)
        routers = np.arange(2**n, dtype=np.int64)
        coord = coordinates((2,) * n)
        return from_neighbors(
            self.spec,
            self.name,
            routers[:, None] ^ (1 << bits),
            link_class=bits,
            class_names=tuple(f"dimension {d}" for d in range(n)),
            class_rank=bits,
            mirror=bits,
            coord=coord,
            orbits=Orbits.transitive(2**n),
            position=spread(coord),
            params=np.array([n], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        n = self.dimension
        return {
            "routers": 2**n,
            "links": n * 2 ** (n - 1),
            "degree": n,
            "diameter": n,
            "average_distance": Fraction(n * 2 ** (n - 1), 2**n - 1),
        }

    def automorphisms(self, net: Network) -> Iterator[I64]:
        for d in range(self.dimension):
            yield np.arange(net.routers, dtype=np.int64) ^ (1 << d)

    def bisection_width(self) -> tuple[int, str]:
        """2^(n-1), one dimension's links. Source: Leighton, Parallel Algorithms and Architectures (1992), 1.9."""
        return 2 ** (self.dimension - 1), "Leighton 1992, section 1.9"

    def implicit(self) -> Implicit:
        n = self.dimension
        return Implicit(2**n, n, _neighbors, np.array([n], np.int64), Orbits.transitive(2**n))
