"""Concentrated mesh: several terminals a router, and express links along the edges of the mesh.

Source: Balfour and Dally, Design tradeoffs for tiled CMP on-chip networks, ICS 2006; links as BookSim's `cmesh`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import ClassVar

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network, Orbits, from_neighbors
from jumpnet.spec import Sides
from jumpnet.terms import I64, NO_ROUTER
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import coordinates, index, reflections

__all__ = ["ConcentratedMesh"]


@dataclass(frozen=True)
class ConcentratedMesh(Family):
    """`cmesh:4x4,c=4,express=true`: 2-D mesh with c terminals a router; all keys at their defaults.

    Ports: 0 x+, 1 x-, 2 y+, 3 y-. With express links the ports that look out of the mesh are used too: along the left
    and the right edge they join routers half a side apart in y, along the lower and upper edge half a side apart in x
    (so sides must be even). Link class 4 is express (rank 2), 0..3 the direction. params = sides, c, express.
    """

    sides: Sides
    """Sides of the mesh, in routers."""
    c: int = 4
    """Terminals of a router."""
    express: bool = True
    """Whether ports that look out of the mesh have express links."""

    name: ClassVar[str] = "cmesh"
    samples: ClassVar[tuple[str, ...]] = ("cmesh:4x4", "cmesh:6x4,c=2", "cmesh:5x3,express=false", "cmesh:2x2")

    def __post_init__(self) -> None:
        if len(self.sides) != 2 or self.c < 1:
            raise JumpnetError(f"cmesh: {len(self.sides)} sides and c={self.c} found, two sides and c from 1 expected")
        if self.express and any(k % 2 for k in self.sides):
            text = "x".join(map(str, self.sides))
            raise JumpnetError(f"cmesh: sides {text} found, even sides expected for the express links (express=false)")

    def build(self) -> Network:
        coord = coordinates(self.sides)
        neighbor = np.full((len(coord), 4), NO_ROUTER, np.int32)
        link_class = np.tile(np.arange(4), (len(coord), 1))
        mirror = np.tile(np.array([1, 0, 3, 2]), (len(coord), 1))
        for port in range(4):
            d, step = port // 2, 1 - 2 * (port % 2)
            edge = coord[:, d] == (self.sides[d] - 1 if step == 1 else 0)
            moved = coord.copy()
            moved[:, d] += step
            neighbor[~edge, port] = index(moved[~edge], self.sides)
            if self.express:
                across = coord.copy()
                other, half = 1 - d, self.sides[1 - d] // 2
                across[:, other] = (across[:, other] + half) % self.sides[other]
                neighbor[edge, port] = index(across[edge], self.sides)
                link_class[edge, port] = 4
                mirror[edge, port] = port
        names = ("x+", "x-", "y+", "y-", "express")[: 5 if self.express else 4]
        return from_neighbors(
            self.spec,
            self.name,
            neighbor,
            link_class=link_class,
            class_names=names,
            class_rank=np.array([0, 0, 1, 1, 2])[: len(names)],
            mirror=mirror,
            coord=coord,
            terminals=np.full(len(coord), self.c),
            orbits=self._orbits(),
            position=coord.astype(np.float64),
            params=np.array([*self.sides, self.c, self.express], np.int64),
            attributes=self.attributes,
        )

    def _orbits(self) -> Orbits:
        """One orbit for each router of a quarter: both reflections keep the mesh and its express links."""
        kx, ky = self.sides
        quarter = coordinates(((kx + 1) // 2, (ky + 1) // 2))
        size = np.where(2 * quarter == np.array(self.sides) - 1, 1, 2).prod(axis=1)
        return Orbits(index(quarter, self.sides), size.astype(np.int64))

    def claims(self) -> dict[str, Claim]:
        kx, ky = self.sides
        express = kx + ky if self.express else 0
        return {
            "routers": kx * ky,
            "terminals": kx * ky * self.c,
            "links": (kx - 1) * ky + kx * (ky - 1) + express,
            "degree": 4 if self.express else min(kx - 1, 2) + min(ky - 1, 2),
        }

    def size(self) -> tuple[int, int]:
        return prod(self.sides), 4

    def automorphisms(self, net: Network) -> Iterator[I64]:
        return reflections(net.coord, self.sides)
