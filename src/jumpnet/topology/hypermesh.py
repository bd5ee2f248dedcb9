"""Hypermesh, also base-m n-cube: an n-dimensional grid in which every line of m nodes shares one net.

Source: Szymanski, hypermeshes, ICPP 1991; Tanabe et al., base-m n-cube (PRODIGY), ICPP 1991: the indirect comparison
networks that yang2001rdt section III.C names. A net is an m x m crossbar, modelled as a router without terminals.
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
from jumpnet.topology._grid import coordinates, index, spread

__all__ = ["Hypermesh"]


@dataclass(frozen=True)
class Hypermesh(Family):
    """`hypermesh:8,n=2`: base-m n-cube of m^n nodes (one terminal each) and n m^(n-1) crossbars, one for every line.

    Routers 0..m^n-1 are the nodes; node port d goes to the crossbar of its line in dimension d. The crossbar of
    dimension d and line i (the node digits other than d, lowest first) is router m^n + d m^(n-1) + i; its port j goes
    to the node of the line with digit j. A hop between nodes of one line is two links here; where one crossing should
    count once (the papers count nets), the network is `hyperx` with equal sides. coord: the n node digits, then -1; for
    a crossbar the line's digits with 0 in place d, then d. Link class d: node to crossbar; n + d: back. params = m, n.
    """

    m: Annotated[int, Ge(2)]
    """Nodes of a line."""
    n: Annotated[int, Ge(1), Le(62)] = 2
    """Dimensions."""

    name: ClassVar[str] = "hypermesh"
    samples: ClassVar[tuple[str, ...]] = ("hypermesh:4", "hypermesh:3,n=3", "hypermesh:5,n=1")

    def _crossbar(self, digits: I64, d: int) -> I64:
        """Router numbers of the crossbars of dimension d through nodes (K, n) of these digits."""
        rest = np.delete(digits, d, axis=1)
        return self.m**self.n + d * self.m ** (self.n - 1) + index(rest, (self.m,) * (self.n - 1))

    def build(self) -> Network:
        m, n = self.m, self.n
        nodes, lines = m**n, m ** (n - 1)
        digits = coordinates((m,) * n)
        routers = nodes + n * lines
        neighbor = np.full((routers, max(m, n)), NO_ROUTER, np.int32)
        far = np.full(neighbor.shape, -1, np.int32)
        link_class = np.full(neighbor.shape, -1, np.int32)
        coord = np.full((routers, n + 1), -1, np.int32)
        coord[:nodes, :n] = digits
        place = np.zeros((routers, 2))
        place[:nodes] = spread(digits)
        for d in range(n):
            crossbar = self._crossbar(digits, d)
            neighbor[:nodes, d] = crossbar
            far[:nodes, d] = digits[:, d]
            link_class[:nodes, d] = d
            neighbor[crossbar, digits[:, d]] = np.arange(nodes)
            far[crossbar, digits[:, d]] = d
            link_class[crossbar, digits[:, d]] = n + d
            first = digits[:, d] == 0
            coord[crossbar[first], :n] = digits[first]
            coord[crossbar[first], n] = d
            # A crossbar stands half a step before the first node of its line.
            place[crossbar[first]] = place[:nodes][first]
            place[crossbar[first], d % 2] -= 0.6 / (1 + d // 2)
        return from_neighbors(
            self.spec,
            self.name,
            neighbor,
            link_class=link_class,
            class_names=tuple(f"dimension {d} {way}" for way in ("out", "back") for d in range(n)),
            class_rank=np.tile(np.arange(n), 2),
            mirror=far,
            coord=coord,
            terminals=np.repeat([1, 0], [nodes, routers - nodes]),
            orbits=Orbits(np.array([0, nodes]), np.array([nodes, n * lines])),
            position=place,
            params=np.array([m, n], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        m, n = self.m, self.n
        return {
            "routers": m**n + n * m ** (n - 1),
            "terminals": m**n,
            "links": n * m**n,
            "degree": max(m, n),
            "diameter": 2 * n,
        }

    def automorphisms(self, net: Network) -> Iterator[I64]:
        n, nodes = self.n, self.m**self.n
        # Translation in each dimension, then exchange of neighbouring dimensions, given by what they do to the nodes.
        for d in range(2 * n - 1):
            digits = net.coord[:nodes, :n].copy()
            axes = np.arange(n)
            if d < n:
                digits[:, d] = (digits[:, d] + 1) % self.m
            else:
                axes[[d - n, d - n + 1]] = axes[[d - n + 1, d - n]]
                digits = digits[:, axes]
            image = np.zeros(net.routers, np.int64)
            image[:nodes] = index(digits, (self.m,) * n)
            for axis in range(n):
                image[net.neighbor[:nodes, axis]] = self._crossbar(digits, int(np.flatnonzero(axes == axis)[0]))
            yield image
