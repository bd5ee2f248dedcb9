"""Crossed cube: a hypercube with twisted links and about half its diameter.

Source: Efe, The crossed cube architecture for parallel computation, IEEE Trans. Parallel and Distributed Systems 3(5),
1992 (yang2001rdt [18], inoguchi1996srt [1]).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.networks import Implicit, Network, Orbits, from_neighbors
from jumpnet.terms import I64
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import coordinates, spread

__all__ = ["Crossedcube"]


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table; params = [dimension, mask of the even bits]."""
    n, even = params[0], params[1]
    for d in range(n):
        pairs = even & ((1 << (d // 2 * 2)) - 1)
        out[d] = router ^ (1 << d) ^ ((router & pairs) << 1)
    return n


@dataclass(frozen=True)
class Crossedcube(Family):
    """`crossedcube:12` has 2^12 routers of degree 12.

    Port d flips bit d and, of every whole pair of bits (2i+1, 2i) below it, bit 2i+1 where bit 2i is set: this is
    Efe's relation {(00,00), (10,10), (01,11), (11,01)}. Coordinates are the bits. params = [dimension, mask of the
    even bits].
    """

    dimension: Annotated[int, Ge(1), Le(40)]
    """Dimensions; there are two to this power of routers."""

    name: ClassVar[str] = "crossedcube"
    samples: ClassVar[tuple[str, ...]] = (
        "crossedcube:1",
        "crossedcube:2",
        "crossedcube:3",
        "crossedcube:4",
        "crossedcube:5",
        "crossedcube:7",
        "crossedcube:8",
    )

    @property
    def _even(self) -> int:
        return sum(1 << i for i in range(0, self.dimension, 2))

    @property
    def _fixed(self) -> list[int]:
        """Even bits below the top pair: flipping any other bit of all addresses commutes with every twist."""
        return list(range(0, self.dimension - 2, 2))

    def _orbits(self) -> Orbits:
        first = np.zeros(1, np.int64)
        for bit in self._fixed:
            first = np.concatenate([first, first | 1 << bit])
        return Orbits(first, np.full(len(first), 2**self.dimension // len(first), np.int64))

    def build(self) -> Network:
        n = self.dimension
        routers = np.arange(2**n, dtype=np.int64)
        columns = [routers ^ (1 << d) ^ (routers & self._even & (1 << d // 2 * 2) - 1) << 1 for d in range(n)]
        coord = coordinates((2,) * n)
        return from_neighbors(
            self.spec,
            self.name,
            np.stack(columns, axis=1),
            link_class=np.arange(n),
            class_names=tuple(f"dimension {d}" for d in range(n)),
            class_rank=np.arange(n),
            mirror=np.arange(n),
            coord=coord,
            orbits=self._orbits(),
            position=spread(coord),
            params=np.array([n, self._even], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        n = self.dimension
        return {"routers": 2**n, "links": n * 2 ** (n - 1), "degree": n, "diameter": (n + 2) // 2}

    def automorphisms(self, net: Network) -> Iterator[I64]:
        routers = np.arange(net.routers, dtype=np.int64)
        for bit in set(range(self.dimension)) - set(self._fixed):
            yield routers ^ (1 << bit)

    def implicit(self) -> Implicit:
        n = self.dimension
        return Implicit(2**n, n, _neighbors, np.array([n, self._even], np.int64), self._orbits())
