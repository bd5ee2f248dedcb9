"""Three tiers of switches: access switches in pods, aggregation switches above each pod, and a core above all pods.

Source: Al-Fares, Loukissas and Vahdat 2008 describe such data centres. BookSim 2's tree4 is `threetier:4`, and
its qtree, a plain tree, `threetier:4,aggregation=1,core=1`.
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

__all__ = ["ThreeTier"]

TIERS = ("core", "aggregation", "access")


@dataclass(frozen=True)
class ThreeTier(Family):
    """`threetier:4`: 4 pods of 4 access switches with 4 terminals each, 2 aggregation switches a pod, 4 core switches.

    Every aggregation switch is joined to all access switches of its pod and to all core switches. Router number: core,
    then aggregation pod by pod, then access pod by pod. coord: tier (0 core, 1 aggregation, 2 access), pod, index
    within. Core port i leads to the i-th aggregation switch of all; aggregation ports 0..k-1 lead down, k + i to core
    switch i; access port j up to aggregation switch j of the pod. params = k, aggregation, core.
    """

    k: Annotated[int, Ge(1)]
    """Pods, access switches of a pod, and terminals of an access switch."""
    aggregation: Annotated[int, Ge(1)] = 2
    """Aggregation switches of a pod."""
    core: Annotated[int, Ge(1)] = 4
    """Core switches."""

    name: ClassVar[str] = "threetier"
    samples: ClassVar[tuple[str, ...]] = ("threetier:4", "threetier:4,aggregation=1,core=1", "threetier:3,core=2")

    @property
    def _counts(self) -> tuple[int, int, int]:
        """Switches of each tier."""
        return self.core, self.k * self.aggregation, self.k * self.k

    def size(self) -> tuple[int, int]:
        return sum(self._counts), max(self.k * self.aggregation, self.k + self.core)

    def build(self) -> Network:
        k, above, counts = self.k, self.aggregation, self._counts
        routers, ports = self.size()
        first = np.cumsum([0, *counts])
        tier = np.repeat(np.arange(3), counts)
        place = np.arange(routers) - first[tier]
        pod = np.select([tier == 1, tier == 2], [place // above, place // k], 0)
        within = np.select([tier == 1, tier == 2], [place % above, place % k], place)
        neighbor = np.full((routers, ports), NO_ROUTER, np.int32)
        far = np.full((routers, ports), -1, np.int32)
        link_class = np.full((routers, ports), -1, np.int32)
        for rows, begin, there, back, kind in (
            (tier == 0, 0, first[1] + np.arange(counts[1]), k + within, 0),
            (tier == 1, k, np.arange(self.core), place, 1),
            (tier == 1, 0, first[2] + pod[:, None] * k + np.arange(k), within, 2),
            (tier == 2, 0, first[1] + pod[:, None] * above + np.arange(above), within, 3),
        ):
            lead = np.broadcast_to(there, (routers, there.shape[-1]))[rows]
            columns = slice(begin, begin + lead.shape[1])
            neighbor[rows, columns], far[rows, columns], link_class[rows, columns] = lead, back[rows, None], kind
        across = (place + 0.5) * max(counts) / np.array(counts)[tier]
        return from_neighbors(
            self.spec,
            self.name,
            neighbor,
            link_class=link_class,
            class_names=("core down", "core up", "pod down", "pod up"),
            class_rank=np.array([0, 0, 1, 1]),
            mirror=far,
            coord=np.stack([tier, pod, within], axis=1),
            terminals=np.where(tier == 2, k, 0),
            orbits=Orbits(first[:-1].astype(np.int64), np.array(counts, np.int64)),
            position=np.stack([across, (2.0 - tier) * max(counts) / 6], axis=1),
            params=np.array([k, above, self.core], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        k, above = self.k, self.aggregation
        return {
            "routers": sum(self._counts),
            "terminals": k**3,
            "links": self.core * k * above + k * k * above,
            "degree": max(k * above, k + self.core),
            "diameter": 4 if k > 1 else 2,
        }

    def automorphisms(self, net: Network) -> Iterator[I64]:
        """Turn the core, the pods, and the switches of each tier within all pods."""
        first = np.cumsum([0, *self._counts])
        tier, pod, within = net.coord.astype(np.int64).T
        wide = np.array([self.core, self.aggregation, self.k])[tier]
        for turned in range(3):
            yield first[tier] + pod * wide + np.where(tier == turned, (within + 1) % wide, within)
        yield first[tier] + np.where(tier > 0, (pod + 1) % self.k, 0) * wide + within
