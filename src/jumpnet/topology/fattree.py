"""k-ary n-tree, the fat tree of constant-radix switches: n levels of k^(n-1) switches, k^n terminals below.

Source: Petrini and Vanneschi, k-ary n-trees, IPPS 1997; numbered as BookSim's `fattree`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.networks import Network, Orbits, from_neighbors
from jumpnet.terms import I64, NO_ROUTER, Array
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import coordinates, digit_turns, index

__all__ = ["FatTree"]


@dataclass(frozen=True)
class FatTree(Family):
    """`fattree:4,n=3`: k-ary n-tree with k^n terminals; level 0 is the top, level n-1 holds the terminals.

    Router number: level * k^(n-1) + position.
    coord: level, then the n-1 digits (base k) of the position, most significant first. The links between levels l
    and l+1 change digit l only (column l+1 of coord). Ports: 0..k-1 go down and k..2k-1 go up; down port j of level l
    sets digit l to j, up port k+j of level l+1 sets digit l to j. The lowest level has terminals in place of down
    ports, the top has no up ports. A router of level l is an ancestor of a lowest-level router when their digits
    0..l-1 agree. Link class 2l is down and 2l+1 up between levels l and l+1. params = k, n.
    """

    k: Annotated[int, Ge(2)]
    """Switches below a switch, and above it."""
    n: Annotated[int, Ge(1), Le(62)] = 2
    """Levels."""

    name: ClassVar[str] = "fattree"
    samples: ClassVar[tuple[str, ...]] = ("fattree:4,n=3", "fattree:2,n=4", "fattree:3", "fattree:5,n=1")

    @property
    def _sides(self) -> tuple[int, ...]:
        """Of digits and level; `coordinates` counts its first dimension fastest, so that columns are reversed."""
        return (*(self.k,) * (self.n - 1), self.n)

    def build(self) -> Network:
        k, n = self.k, self.n
        coord = np.ascontiguousarray(coordinates(self._sides)[:, ::-1])
        level = coord[:, 0]
        neighbor = np.full((len(coord), 2 * k), NO_ROUTER, np.int32)
        link_class = np.full((len(coord), 2 * k), -1, np.int32)
        far = np.full(neighbor.shape, -1, np.int32)
        for digit in range(n - 1):
            for step, first, back in ((1, 0, k), (-1, k, 0)):
                here = np.flatnonzero(level == (digit if step == 1 else digit + 1))
                for j in range(k):
                    moved = coord[here].copy()
                    far[here, first + j] = back + moved[:, digit + 1]
                    moved[:, 0] += step
                    moved[:, digit + 1] = j
                    neighbor[here, first + j] = index(moved[:, ::-1], self._sides)
                    link_class[here, first + j] = 2 * digit + (step < 0)
        per_level = k ** (n - 1)
        place = np.arange(len(coord)) % per_level
        return from_neighbors(
            self.spec,
            self.name,
            neighbor,
            link_class=link_class,
            class_names=tuple(f"levels {d}-{d + 1} {way}" for d in range(n - 1) for way in ("down", "up")),
            class_rank=np.repeat(np.arange(n - 1), 2),
            mirror=far,
            coord=coord,
            terminals=np.where(level == n - 1, k, 0),
            orbits=Orbits(np.arange(n) * per_level, np.full(n, per_level, np.int64)),
            position=np.stack([place, (n - 1.0 - level) * max(1.0, per_level / (2 * n))], axis=1),
            params=np.array([k, n], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        k, n = self.k, self.n
        return {
            "routers": n * k ** (n - 1),
            "terminals": k**n,
            "links": (n - 1) * k**n,
            "degree": 0 if n == 1 else k if n == 2 else 2 * k,
            "diameter": 2 * (n - 1),
        }

    def size(self) -> tuple[int, int]:
        return self.n * self.k ** (self.n - 1), 2 * self.k

    def automorphisms(self, net: Network) -> Iterator[I64]:
        return digit_turns(net.coord, self.k, self._sides)

    def halves(self, net: Network) -> Iterator[Array]:
        """Half of the lowest routers in their order, and above them each router all of whose leaves are in it."""
        leaves = self.k ** (self.n - 1)
        level, place = np.divmod(np.arange(net.routers), leaves)
        below = self.k ** (self.n - 1 - level)  # an ancestor's leaves follow one another
        yield (place // below + 1) * below <= leaves // 2

    def bisection_width(self) -> tuple[int, str] | None:
        """Half of the terminals, whole routers of them: k (k^(n-1) // 2); None for the single router of n = 1.

        Up and down the tree is a Benes network, which joins any pairing of terminals by paths without a common channel,
        so each terminal of the smaller half has a path of its own to the other. As many links part the k subtrees (an
        odd k: the middle one is parted likewise). Source: Benes, Mathematical Theory of Connecting Networks (1965).
        """
        return None if self.n == 1 else (self.k * (self.k ** (self.n - 1) // 2), "Benes 1965")
