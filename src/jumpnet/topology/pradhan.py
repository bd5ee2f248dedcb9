"""Pradhan's fault-tolerant link network in a binary reading: a De Bruijn network with the exchange links added.

Source: Pradhan, Fault-tolerant multiprocessor link and bus network architectures, IEEE Trans. Computers 34(1), 1985
(yang2001rdt [14]). The paper itself was not at hand: this is a reading. It holds shift and exchange links together, and
has the degree 5 and the diameters 12 and 16 that yang2001rdt's Table II gives for 4096 and 65,536 nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.networks import Implicit, Network, from_neighbors, simple_links
from jumpnet.terms import I64
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import circle
from jumpnet.topology._words import digits, pattern_orbits

__all__ = ["Pradhan"]


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table; params = [n]."""
    half = 1 << (params[0] - 1)
    for a in range(2):
        out[a] = router % half * 2 + a
        out[2 + a] = a * half + router // 2
    out[4] = router ^ 1
    return 5


@dataclass(frozen=True)
class Pradhan(Family):
    """`pradhan:12` has 2^12 routers of degree 5.

    Ports 0, 1 shift left and bring in that bit on the right, 2, 3 shift right and bring in bit 0, 1 on the left, port
    4 exchanges the last bit; loops and second links are left out. Coordinates: the bits, highest first. params = [n].
    """

    n: Annotated[int, Ge(3), Le(60)]
    """Bits of an address; there are two to this power of routers."""

    name: ClassVar[str] = "pradhan"
    samples: ClassVar[tuple[str, ...]] = ("pradhan:3", "pradhan:4", "pradhan:7")

    def build(self) -> Network:
        n = self.n
        routers = np.arange(2**n, dtype=np.int64)
        half = 2 ** (n - 1)
        left = [routers % half * 2 + a for a in range(2)]
        right = [a * half + routers // 2 for a in range(2)]
        words = digits(routers, 2, n)
        return from_neighbors(
            self.spec,
            self.name,
            simple_links(np.stack([*left, *right, routers ^ 1], axis=1)),
            link_class=np.array([0, 0, 1, 1, 2]),
            class_names=("left", "right", "exchange"),
            class_rank=np.array([0, 0, 1]),
            coord=words,
            orbits=pattern_orbits(words, 2, False),
            position=circle(len(routers)),
            params=np.array([n], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        n = self.n
        links = 2 ** (n + 1) - 3 + 2 ** (n - 1) - 2  # De Bruijn, then the exchanges but those at 0..0 and 1..1
        return {"routers": 2**n, "links": links, "degree": 5, "diameter": n}

    def automorphisms(self, net: Network) -> Iterator[I64]:
        yield np.arange(net.routers, dtype=np.int64) ^ (net.routers - 1)

    def implicit(self) -> Implicit:
        return Implicit(2**self.n, 5, _neighbors, np.array([self.n], np.int64), None)
