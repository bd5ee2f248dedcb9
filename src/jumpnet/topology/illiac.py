"""ILLIAC network: k^2 routers in a row, each joined to those 1 and k places ahead and behind, around the ends.

Source: Hwang and Briggs, Computer Architecture and Parallel Processing, 1985, mesh of the Illiac-IV
(inoguchi1996srt [5]). It is the k x k torus whose row ends lead on to the next row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge

from jumpnet.networks import Implicit, Network
from jumpnet.terms import I64
from jumpnet.topology._circulant import circulant, implicit_circulant, turn
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import coordinates

__all__ = ["Illiac"]


@dataclass(frozen=True)
class Illiac(Family):
    """`illiac:8` has the 64 routers of the Illiac-IV.

    Ports: 1 ahead, 1 behind, k ahead, k behind. Coordinates are column and row. params = [k^2, 1, k].
    """

    side: Annotated[int, Ge(3)]
    """Routers of a row, and rows; fewer than three would give a router one neighbor twice."""

    name: ClassVar[str] = "illiac"
    samples: ClassVar[tuple[str, ...]] = ("illiac:3", "illiac:4", "illiac:7", "illiac:8")

    def build(self) -> Network:
        coord = coordinates((self.side, self.side))
        return circulant(
            self.spec,
            self.name,
            self.side**2,
            [1, self.side],
            coord=coord,
            position=coord.astype(np.float64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        return {"routers": self.side**2, "links": 2 * self.side**2, "degree": 4, "diameter": self.side - 1}

    def automorphisms(self, net: Network) -> Iterator[I64]:
        return turn(net.routers)

    def implicit(self) -> Implicit:
        return implicit_circulant(self.side**2, [1, self.side])
