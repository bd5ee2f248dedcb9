"""Hypernet (d, h): cubelets of 2^d routers joined, level by level, as complete graphs of ever larger subnets.

Source: Hwang and Ghosh, Hypernet: a communication-efficient architecture for constructing massively parallel
computers, IEEE Trans. Computers 36(12), 1987 (yang2001rdt [17], its 4D3 and 5D3 hierarchies).

Every router of a d-cubelet has one outward link. At each level half of the outward links that a subnet has left join
it to as many subnets (the one that would lead to itself stays open, for input and output), and half are kept for the
levels above. Which links serve which level is a choice of numbering: here the routers whose low bits are 0 serve level
2, 01 level 3, 011 level 4, and so on, so the outward link of router r of a subnet has number r >> (level - 1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network, Orbits, from_neighbors
from jumpnet.terms import I64, NO_ROUTER
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import coordinates, spread

__all__ = ["Hypernet"]


@dataclass(frozen=True)
class Hypernet(Family):
    """`hypernet:4,h=3`: 32 subnets of 8 cubelets of 16 routers, 4096 in all, of degree 5.

    Ports 0..d-1 flip bits of the place in the cubelet, port d leads out. Router number, from the highest bits: subnet
    of each level h..2, then the place in the cubelet; coordinates are the same from the lowest. params = [d, h].
    """

    d: int
    """Dimensions of a cubelet."""
    h: int = field(kw_only=True)
    """Levels."""

    name: ClassVar[str] = "hypernet"
    samples: ClassVar[tuple[str, ...]] = ("hypernet:3,h=1", "hypernet:3,h=2", "hypernet:4,h=2", "hypernet:3,h=3")

    def __post_init__(self) -> None:
        if not (2 <= self.d <= 40 and 1 <= self.h <= min(self.d, 6) + 1):
            raise JumpnetError(f"hypernet: d={self.d} and h={self.h} found, d from 2 and h from 1 to d+1 expected")
        if sum(self._bits()) > 62:
            raise JumpnetError(f"hypernet: 2^{sum(self._bits())} routers found, at most 2^62 expected")

    def _bits(self) -> list[int]:
        """Bits of the router number: the place in the cubelet, then the subnet number of levels 2..h."""
        return [self.d, *(2 ** (level - 2) * (self.d - 2) + 1 for level in range(2, self.h + 1))]

    def build(self) -> Network:
        bits = self._bits()
        routers = np.arange(2 ** sum(bits), dtype=np.int64)
        cube = [routers ^ (1 << b) for b in range(self.d)]
        out = np.full(len(routers), NO_ROUTER, np.int64)
        classes = np.tile(np.arange(self.d + 1, dtype=np.int32), (len(routers), 1))
        for level in range(2, self.h + 1):
            inner = sum(bits[: level - 1])  # bits of the number within one subnet
            local, subnet = routers & (1 << inner) - 1, routers >> inner & (1 << bits[level - 1]) - 1
            serves = routers & (1 << level - 1) - 1 == (1 << level - 2) - 1
            other = local >> level - 1
            tail = subnet << level - 1 | local & (1 << level - 1) - 1
            there = routers >> inner + bits[level - 1] << inner + bits[level - 1] | other << inner | tail
            use = serves & (other != subnet)
            out[use] = there[use]
            classes[use, self.d] = self.d + level - 2
        coord, shift = [], 0
        for width in bits:
            coord.append(routers >> shift & (1 << width) - 1)
            shift += width
        names = [f"cubelet dimension {b}" for b in range(self.d)] + [f"level {v}" for v in range(2, self.h + 1)]
        return from_neighbors(
            self.spec,
            self.name,
            np.stack([*cube, out], axis=1),
            link_class=classes,
            class_names=tuple(names),
            class_rank=np.array([1] * self.d + list(range(2, self.h + 1))),
            mirror=np.arange(self.d + 1),
            coord=np.stack(coord, axis=1),
            orbits=self._orbits(routers),
            position=spread(coordinates((2,) * sum(bits))),
            params=np.array([self.d, self.h], np.int64),
            attributes=self.attributes,
        )

    def _orbits(self, routers: I64) -> Orbits:
        """Bits h-1..d-1 of the place tell no level: flipping one, and the subnet bits it names, changes nothing."""
        free = (1 << self.d) - (1 << self.h - 1)
        first = routers[routers & free == 0] if free > 0 else routers
        return Orbits(first, np.full(len(first), len(routers) // len(first), np.int64))

    def claims(self) -> dict[str, Claim]:
        bits = self._bits()
        routers = 2 ** sum(bits)
        outer = sum(
            2 ** (width - 1) * (2**width - 1) * routers // 2 ** sum(bits[: i + 2]) for i, width in enumerate(bits[1:])
        )
        claims: dict[str, Claim] = {
            "routers": routers,
            "links": self.d * routers // 2 + outer,
            "degree": self.d + (self.h > 1),
        }
        if self.h <= 2:
            claims["diameter"] = 2 ** (self.h - 1) * (self.d + 1) - 1
        return claims

    def automorphisms(self, net: Network) -> Iterator[I64]:
        bits = self._bits()
        routers = np.arange(net.routers, dtype=np.int64)
        for b in range(self.h - 1, self.d):
            mask, inner = 1 << b, self.d
            for level in range(2, self.h + 1):
                mask |= mask >> level - 1 << inner
                inner += bits[level - 1]
            yield routers ^ mask
