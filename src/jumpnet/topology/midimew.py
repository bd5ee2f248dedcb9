"""Midimew: the circulant of degree 4 with the smallest diameter and average distance that any such circulant can have.

Source: Beivide, Herrada, Balcazar and Arruabarrena, Optimal distance networks of low degree for parallel computers,
IEEE Trans. Computers 40(10), 1991 (yang2001rdt [19]).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Annotated, ClassVar

from annotated_types import Ge

from jumpnet.topology._circulant import Circulant
from jumpnet.topology._family import Claim

__all__ = ["Midimew"]


@dataclass(frozen=True)
class Midimew(Circulant):
    """`midimew:4096`: steps b-1 and b with b = ceil(sqrt(N/2)).

    Ports: b-1 ahead and behind, b ahead and behind. params = [N, b-1, b].
    """

    routers: Annotated[int, Ge(9)]
    """Routers; fewer than nine would give a router one neighbor twice."""

    name: ClassVar[str] = "midimew"
    samples: ClassVar[tuple[str, ...]] = ("midimew:9", "midimew:13", "midimew:16", "midimew:50", "midimew:64")

    @property
    def _steps(self) -> tuple[int, int]:
        half = -(-self.routers // 2)
        b = isqrt(half - 1) + 1
        return b - 1, b

    @property
    def _count(self) -> int:
        return self.routers

    def claims(self) -> dict[str, Claim]:
        # 4j routers at every distance j below the diameter k, the rest at k: the densest packing there is.
        N = self.routers
        k = 0
        while 2 * k * k + 2 * k + 1 < N:
            k += 1
        near = 2 * k * (k - 1)
        total = 4 * sum(j * j for j in range(1, k)) + k * (N - 1 - near)
        return {
            "routers": N,
            "links": 2 * N,
            "degree": 4,
            "diameter": k,
            "average_distance": Fraction(total, N - 1),
        }

    def size(self) -> tuple[int, int]:
        return self.routers, 4
