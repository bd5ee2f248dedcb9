"""Complete graph: every router joined to every other one.

Source: Dally and Towles, chapter 3; the building block of li2009rdn, WK-recursive networks and hypernets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge

from jumpnet.networks import Implicit, Network, Orbits, from_neighbors
from jumpnet.terms import I64
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import circle

__all__ = ["Complete"]


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table; params = [routers]."""
    for p in range(params[0] - 1):
        out[p] = (router + 1 + p) % params[0]
    return params[0] - 1


@dataclass(frozen=True)
class Complete(Family):
    """`complete:8`: router r reaches r+1+p (mod routers) through port p. params = [routers]."""

    routers: Annotated[int, Ge(2)]
    """Routers, each joined to all others."""

    name: ClassVar[str] = "complete"
    samples: ClassVar[tuple[str, ...]] = ("complete:2", "complete:7", "complete:8")

    def build(self) -> Network:
        m = self.routers
        step = np.arange(1, m, dtype=np.int64)
        return from_neighbors(
            self.spec,
            self.name,
            (np.arange(m)[:, None] + step) % m,
            link_class=np.zeros(m - 1, np.int32),
            class_names=("link",),
            class_rank=np.zeros(1),
            mirror=m - 1 - step,
            orbits=Orbits.transitive(m),
            position=circle(m),
            params=np.array([m], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        m = self.routers
        return {"routers": m, "links": m * (m - 1) // 2, "degree": m - 1, "diameter": 1, "average_distance": 1}

    def automorphisms(self, net: Network) -> Iterator[I64]:
        yield (np.arange(net.routers, dtype=np.int64) + 1) % net.routers

    def implicit(self) -> Implicit:
        m = self.routers
        return Implicit(m, m - 1, _neighbors, np.array([m], np.int64), Orbits.transitive(m))
