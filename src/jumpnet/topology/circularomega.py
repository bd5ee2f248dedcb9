"""Circular omega network: the n stages of an omega network, each switch with a processor, the last joined to the first.

Source: Sakai et al., An architecture of a dataflow single chip processor, ISCA 1989 (yang2001rdt [15]), the network of
the EM-4: 80 processors are n = 5; yang2001rdt's Table II takes n = 10 (5120) and n = 13 (53,248; printed 53246) and
counts two channels in and two out as degree 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.networks import Implicit, Network, Orbits, from_neighbors, simple_links
from jumpnet.terms import I64
from jumpnet.topology._family import Claim, Family

__all__ = ["Circularomega"]


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table, two-way; params = [n]."""
    n = params[0]
    rows = 1 << (n - 1)
    stage, row = router // rows, router % rows
    for b in range(2):
        out[b] = (stage + 1) % n * rows + (2 * row + b) % rows
        out[2 + b] = (stage - 1) % n * rows + b * rows // 2 + row // 2
    return 4


@dataclass(frozen=True)
class Circularomega(Family):
    """`circularomega:10` has 10 stages of 512 routers; channels lead one way, as in the EM-4.

    Router (stage, row) is stage x 2^(n-1) + row; port b leads to (stage+1, 2 row + b). With `directed=false` links are
    two-way, and port 2+b leads back to the router of the stage before whose row has top bit b.
    Coordinates: row, stage. params = [n].
    """

    n: Annotated[int, Ge(2), Le(50)]
    """Stages; each has 2^(n-1) routers."""
    directed: bool = True
    """Whether links lead one way."""

    name: ClassVar[str] = "circularomega"
    samples: ClassVar[tuple[str, ...]] = (
        "circularomega:2",
        "circularomega:3",
        "circularomega:5",
        "circularomega:2,directed=false",
        "circularomega:4,directed=false",
        "circularomega:5,directed=false",
    )

    def build(self) -> Network:
        n = self.n
        rows = 2 ** (n - 1)
        routers = np.arange(n * rows, dtype=np.int64)
        stage, row = routers // rows, routers % rows
        ahead = [(stage + 1) % n * rows + (2 * row + b) % rows for b in range(2)]
        behind = [(stage - 1) % n * rows + b * rows // 2 + row // 2 for b in range(2)]
        both = ahead if self.directed else ahead + behind
        coord = np.stack([row, stage], axis=1)
        return from_neighbors(
            self.spec,
            self.name,
            simple_links(np.stack(both, axis=1)),
            link_class=np.repeat([0, 1], 2)[: len(both)],
            class_names=("ahead",) if self.directed else ("ahead", "behind"),
            class_rank=np.zeros(1 if self.directed else 2),
            coord=coord,
            orbits=Orbits.transitive(len(routers)),
            position=np.stack([stage * max(1.0, rows / n), row], axis=1).astype(np.float64),
            directed=self.directed,
            params=np.array([n], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        n = self.n
        routers = n * 2 ** (n - 1)
        if self.directed:
            # n-1 steps choose the row; a stage n-2 steps ahead is then reached only after one more turn.
            return {"routers": routers, "links": 2 * routers, "degree": 2, "diameter": 2 * n - 2}
        return {"routers": routers, "links": 2 * routers if n > 2 else 4, "degree": 4 if n > 2 else 2}

    def size(self) -> tuple[int, int]:
        return self.n * 2 ** (self.n - 1), 2 if self.directed else 4

    def automorphisms(self, net: Network) -> Iterator[I64]:
        n = self.n
        rows = 2 ** (n - 1)
        row, stage = net.coord[:, 0].astype(np.int64), net.coord[:, 1].astype(np.int64)
        yield (stage + 1) % n * rows + row
        # Exchanging the two ways out of every router of stage n-1 flips bit s of the rows of stage s below n-1.
        yield stage * rows + np.where(stage < n - 1, row ^ (1 << stage), row)

    def implicit(self) -> Implicit | None:
        if self.directed:
            return None
        size = self.n * 2 ** (self.n - 1)
        return Implicit(size, 4, _neighbors, np.array([self.n], np.int64), Orbits.transitive(size))
