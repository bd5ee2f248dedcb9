"""Folded Clos network (leaf and spine): every leaf switch joined to every spine switch.

Source: Clos, A study of non-blocking switching networks, BSTJ 1953; Dally and Towles section 6.3, folded at its middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge

from jumpnet.networks import Network, Orbits, from_neighbors
from jumpnet.terms import I64, NO_ROUTER
from jumpnet.topology._family import Claim, Family

__all__ = ["Clos"]


@dataclass(frozen=True)
class Clos(Family):
    """`clos:4,4,8` is the folded Clos(m=4, n=4, r=8): m spines, r leaves with n terminals each.

    Rearrangeably non-blocking when m >= n, strictly when m >= 2n-1. Routers 0..m-1 are the spines (level 0), then the
    leaves (level 1). Port i of a leaf goes up to spine i, port j of a spine down to leaf j. Link class 0 is down, 1 up.
    coord: level, index within the level. params = m, n, r.
    """

    m: Annotated[int, Ge(1)]
    """Spines."""
    n: Annotated[int, Ge(1)]
    """Terminals of a leaf."""
    r: Annotated[int, Ge(1)]
    """Leaves."""

    name: ClassVar[str] = "clos"
    samples: ClassVar[tuple[str, ...]] = ("clos:4,4,8", "clos:m=3,n=2,r=3")

    def build(self) -> Network:
        m, n, r = self.m, self.n, self.r
        ports = max(m, r)
        neighbor = np.full((m + r, ports), NO_ROUTER, np.int32)
        neighbor[:m, :r] = m + np.arange(r)
        neighbor[m:, :m] = np.arange(m)
        level = np.repeat(np.array([0, 1], np.int32), [m, r])
        place = np.concatenate([np.arange(m), np.arange(r)])
        far = np.broadcast_to(place[:, None], neighbor.shape)
        width = max(m, r)
        return from_neighbors(
            self.spec,
            self.name,
            neighbor,
            link_class=np.broadcast_to(level[:, None], neighbor.shape),
            class_names=("down", "up"),
            class_rank=np.array([0, 0]),
            mirror=far,
            coord=np.stack([level, place], axis=1),
            terminals=np.where(level == 1, n, 0),
            orbits=Orbits(np.array([0, m]), np.array([m, r])),
            position=np.stack([(place + 0.5) * width / np.where(level == 0, m, r), (1.0 - level) * width / 3], axis=1),
            params=np.array([m, n, r], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        m, n, r = self.m, self.n, self.r
        return {
            "routers": m + r,
            "terminals": n * r,
            "links": m * r,
            "degree": max(m, r),
            "diameter": 1 if m == r == 1 else 2,
        }

    def automorphisms(self, net: Network) -> Iterator[I64]:
        m, r = self.m, self.r
        yield np.concatenate([np.roll(np.arange(m), 1), m + np.arange(r)])
        yield np.concatenate([np.arange(m), m + np.roll(np.arange(r), 1)])
