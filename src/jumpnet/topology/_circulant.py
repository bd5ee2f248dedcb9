"""Circulant networks: routers on a circle, each joined to those a few fixed steps ahead and behind.

The families of midimew, barrel shifter and ILLIAC are `Circulant`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

import numpy as np

from jumpnet.networks import Implicit, Network, Orbits, from_neighbors, simple_links
from jumpnet.terms import I32, I64
from jumpnet.topology._family import Family
from jumpnet.topology._grid import circle

__all__ = ["Circulant"]


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table; params = [routers, steps...]."""
    N = params[0]
    count = 0
    for i in range(1, len(params)):
        out[count] = (router + params[i]) % N
        out[count + 1] = (router - params[i]) % N
        count += 2
    return count


class Circulant(Family, ABC):
    """A family of circulants: port 2i leads step i ahead, port 2i+1 behind; class rank = i. params = [routers, steps].

    A step of half the routers is one link, on port 2i. A translation is an automorphism: all routers are alike.
    """

    @property
    @abstractmethod
    def _count(self) -> int:
        """Number of routers."""

    @property
    @abstractmethod
    def _steps(self) -> Sequence[int]:
        """Steps, ascending."""

    @property
    def _coord(self) -> I32 | None:
        """(R, D) coordinates; None for places on the circle."""
        return None

    def build(self) -> Network:
        routers, steps, coord = self._count, self._steps, self._coord
        here = np.arange(routers, dtype=np.int64)
        columns = [(here + sign * step) % routers for step in steps for sign in (1, -1)]
        return from_neighbors(
            self.spec,
            self.name,
            simple_links(np.stack(columns, axis=1)),
            link_class=np.arange(2 * len(steps)),
            class_names=tuple(f"step {step} {sign}" for step in steps for sign in "+-"),
            class_rank=np.repeat(np.arange(len(steps)), 2),
            mirror=np.arange(2 * len(steps)) ^ 1,
            coord=coord,
            orbits=Orbits.transitive(routers),
            position=circle(routers) if coord is None else coord.astype(np.float64),
            params=np.array([routers, *steps], np.int64),
            attributes=self.attributes,
        )

    def automorphisms(self, net: Network) -> Iterator[I64]:
        """Every router moved one place ahead."""
        yield (np.arange(net.routers, dtype=np.int64) + 1) % net.routers

    def implicit(self) -> Implicit:
        params = np.array([self._count, *self._steps], np.int64)
        return Implicit(self._count, 2 * len(self._steps), _neighbors, params, Orbits.transitive(self._count))
