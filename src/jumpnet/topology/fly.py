"""k-ary n-fly butterfly: n stages of k x k switches with one-way links; terminals enter at stage 0, leave at the last.

Source: Dally and Towles chapter 4; numbered as BookSim's `fly`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.networks import Network, Orbits, from_neighbors
from jumpnet.terms import I64, NO_ROUTER
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import coordinates, digit_turns, index

__all__ = ["Fly"]


@dataclass(frozen=True)
class Fly(Family):
    """`fly:2,n=3`: 2-ary 3-fly, k^n terminals, n stages of k^(n-1) switches; directed.

    Router number: stage * k^(n-1) + address. coord: stage, then the n-1 digits (base k) of the address, most
    significant first. Output port j of stage s leads to stage s+1 with digit s (column s+1 of coord) set to j, where it
    arrives at the input port numbered as the digit was. So the one way to terminal t (base-k digits t_0..t_{n-1}) takes
    output t_s at stage s, and the last digit chooses the sink at its router. Terminal t enters at address t // k.
    Link class s joins stages s and s+1. params = k, n.
    """

    k: Annotated[int, Ge(2)]
    """Ports of a switch on either side."""
    n: Annotated[int, Ge(1), Le(62)] = 2
    """Stages."""

    name: ClassVar[str] = "fly"
    samples: ClassVar[tuple[str, ...]] = ("fly:2,n=3", "fly:4", "fly:3,n=3", "fly:10,n=1")

    @property
    def _sides(self) -> tuple[int, ...]:
        return (*(self.k,) * (self.n - 1), self.n)

    def build(self) -> Network:
        k, n = self.k, self.n
        coord = np.ascontiguousarray(coordinates(self._sides)[:, ::-1])
        stage = coord[:, 0]
        neighbor = np.full((len(coord), k), NO_ROUTER, np.int32)
        for s in range(n - 1):
            here = np.flatnonzero(stage == s)
            for j in range(k):
                moved = coord[here].copy()
                moved[:, 0] += 1
                moved[:, s + 1] = j
                neighbor[here, j] = index(moved[:, ::-1], self._sides)
        per_stage = k ** (n - 1)
        place = np.arange(len(coord)) % per_stage
        return from_neighbors(
            self.spec,
            self.name,
            neighbor,
            link_class=np.broadcast_to(stage[:, None], neighbor.shape),
            class_names=tuple(f"stages {s}-{s + 1}" for s in range(n - 1)),
            class_rank=np.arange(n - 1),
            coord=coord,
            terminals=np.where(stage == 0, k, 0),
            sinks=np.where(stage == n - 1, k, 0),
            orbits=Orbits(np.arange(n) * per_stage, np.full(n, per_stage, np.int64)),
            position=np.stack([stage * max(1.0, per_stage / n), per_stage - 1.0 - place], axis=1),
            directed=True,
            params=np.array([k, n], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        k, n = self.k, self.n
        return {
            "routers": n * k ** (n - 1),
            "terminals": k**n,
            "links": (n - 1) * k**n,
            "degree": k if n > 1 else 0,
        }

    def size(self) -> tuple[int, int]:
        return self.n * self.k ** (self.n - 1), self.k

    def automorphisms(self, net: Network) -> Iterator[I64]:
        return digit_turns(net.coord, self.k, self._sides)
