"""Dual-cube: 2^n clusters, each an (n-1)-cube, in two classes; every cluster is joined to each of the other class.

Source: Li and Peng, Dual-cubes: a new interconnection network, 2000 (li2009rdn [7]); li2009rdn, section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.networks import Implicit, Network, Orbits, from_neighbors
from jumpnet.terms import I32, I64, Array
from jumpnet.topology._dual import dual_claims, dual_halves, dual_neighbors, dual_params, dual_positions, lifted
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import circle
from jumpnet.topology.hypercube import Hypercube

__all__ = ["Dualcube"]


@dataclass(frozen=True)
class Dualcube(Family):
    """`dualcube:6` has 2^11 routers of degree 6: 64 clusters, each a 5-cube, in two classes (li2009rdn, section 3).

    Router (class t, cluster c, node u) is t 4^(n-1) + c 2^(n-1) + u; it equals rdn over the (n-1)-cube with k = 1,
    router for router. Li and Peng's address of a class 1 router has c and u the other way round.

    Ports: d < n-1 flips bit d of u, n-1 is the cross edge. Coordinates and params as `Rdn`.
    """

    n: Annotated[int, Ge(2), Le(20)]
    """Degree; the clusters are cubes of one dimension less."""

    name: ClassVar[str] = "dualcube"
    samples: ClassVar[tuple[str, ...]] = ("dualcube:2", "dualcube:3", "dualcube:4")

    def build(self) -> Network:
        bits = self.n - 1
        mask = (1 << bits) - 1
        routers = np.arange(2 ** (2 * bits + 1), dtype=np.int64)
        kind, c, u = routers >> 2 * bits, routers >> bits & mask, routers & mask
        cross = (1 - kind) << 2 * bits | u << bits | c
        neighbor = np.column_stack([*(routers ^ (1 << d) for d in range(bits)), cross])
        cube = self._cube
        return from_neighbors(
            self.spec,
            self.name,
            neighbor,
            link_class=np.arange(self.n),
            class_names=(*(f"base dimension {d}" for d in range(bits)), "level 1"),
            class_rank=np.array([0] * bits + [1]),
            mirror=np.arange(self.n),
            coord=np.column_stack([u, c, kind]),
            orbits=Orbits.transitive(len(routers)),
            position=dual_positions(
                circle(2**bits) if cube.position is None else cube.position, [2**bits, len(routers)]
            ),
            params=dual_params(cube, 1),
            attributes=self.attributes,
        )

    @property
    def _cube(self) -> Network:
        return Hypercube(self.n - 1).build()

    def claims(self) -> dict[str, Claim]:
        # Theorem 1 over the cube gives 2^(2n-1) routers of degree n and diameter 2n.
        return dual_claims(Hypercube(self.n - 1).claims(), 1)

    def automorphisms(self, net: Network) -> Iterator[I64]:
        nodes: I32 = np.arange(2 ** (self.n - 1), dtype=np.int32)
        flips = [nodes ^ (1 << d) for d in range(self.n - 1)]
        yield from lifted(flips, [len(nodes), net.routers])

    def halves(self, net: Network) -> Iterator[Array]:
        """Whole clusters, and the half of the cube with bit n - 2, lifted."""
        return dual_halves([np.arange(2 ** (self.n - 1)) < 2 ** (self.n - 2)], self._cube, 1)

    def implicit(self) -> Implicit:
        size = 2 ** (2 * self.n - 1)
        return Implicit(size, self.n, dual_neighbors, dual_params(self._cube, 1), Orbits.transitive(size))
