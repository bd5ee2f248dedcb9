"""ILLIAC network: k^2 routers in a row, each joined to those 1 and k places ahead and behind, around the ends.

Source: Hwang and Briggs, Computer Architecture and Parallel Processing, 1985, mesh of the Illiac-IV
(inoguchi1996srt [5]). It is the k x k torus whose row ends lead on to the next row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Ge

from jumpnet.terms import I32
from jumpnet.topology._circulant import Circulant
from jumpnet.topology._family import Claim
from jumpnet.topology._grid import coordinates

__all__ = ["Illiac"]


@dataclass(frozen=True)
class Illiac(Circulant):
    """`illiac:8` has the 64 routers of the Illiac-IV.

    Ports: 1 ahead, 1 behind, k ahead, k behind. Coordinates are column and row. params = [k^2, 1, k].
    """

    side: Annotated[int, Ge(3)]
    """Routers of a row, and rows; fewer than three would give a router one neighbor twice."""

    name: ClassVar[str] = "illiac"
    samples: ClassVar[tuple[str, ...]] = ("illiac:3", "illiac:4", "illiac:7", "illiac:8")

    @property
    def _count(self) -> int:
        return self.side**2

    @property
    def _steps(self) -> tuple[int, int]:
        return 1, self.side

    @property
    def _coord(self) -> I32:
        return coordinates((self.side, self.side))

    def claims(self) -> dict[str, Claim]:
        return {"routers": self.side**2, "links": 2 * self.side**2, "degree": 4, "diameter": self.side - 1}
