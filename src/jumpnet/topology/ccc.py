"""Cube-connected cycles: an n-cube whose corners are rings of n routers, one for each dimension.

Source: Preparata and Vuillemin, The cube-connected cycles, Comm. ACM 24(5), 1981 (yang2001rdt [16]).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.networks import Implicit, Network, Orbits, from_neighbors
from jumpnet.terms import F64, I64
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import circle, coordinates, spread

__all__ = ["Ccc"]


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table; params = [n]."""
    n = params[0]
    corner, i = router // n, router % n
    out[0] = corner * n + (i + 1) % n
    out[1] = corner * n + (i - 1) % n
    out[2] = (corner ^ (1 << i)) * n + i
    return 3


@dataclass(frozen=True)
class Ccc(Family):
    """`ccc:9` has 9 x 2^9 routers of degree 3. Router (corner, i) is corner x n + i.

    Ports: ahead in the ring (i+1), behind, across dimension i. Coordinates: i, corner. params = [n].
    """

    n: Annotated[int, Ge(3), Le(50)]
    """Routers of a ring, and dimensions of the cube whose corners are the rings."""

    name: ClassVar[str] = "ccc"
    samples: ClassVar[tuple[str, ...]] = ("ccc:3", "ccc:4", "ccc:5")

    def build(self) -> Network:
        n = self.n
        routers = np.arange(n * 2**n, dtype=np.int64)
        corner, i = routers // n, routers % n
        columns = [corner * n + (i + 1) % n, corner * n + (i - 1) % n, (corner ^ (1 << i)) * n + i]
        place: F64 = spread(coordinates((2,) * n))[corner] * n + circle(n)[i]
        return from_neighbors(
            self.spec,
            self.name,
            np.stack(columns, axis=1),
            link_class=np.arange(3),
            class_names=("ring +", "ring -", "cube"),
            class_rank=np.array([0, 0, 1]),
            mirror=np.array([1, 0, 2]),
            coord=np.stack([i, corner], axis=1),
            orbits=Orbits.transitive(len(routers)),
            position=place,
            params=np.array([n], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        n = self.n
        return {
            "routers": n * 2**n,
            "links": 3 * n * 2 ** (n - 1),
            "degree": 3,
            "diameter": 6 if n == 3 else 2 * n + n // 2 - 2,
        }

    def automorphisms(self, net: Network) -> Iterator[I64]:
        n = self.n
        i, corner = net.coord[:, 0].astype(np.int64), net.coord[:, 1].astype(np.int64)
        yield (corner ^ 1) * n + i
        rotated = (corner << 1 | corner >> (n - 1)) & (2**n - 1)
        yield rotated * n + (i + 1) % n

    def implicit(self) -> Implicit:
        size = self.n * 2**self.n
        return Implicit(size, 3, _neighbors, np.array([self.n], np.int64), Orbits.transitive(size))
