"""Complete k-ary tree: every router above the leaves has k children.

Source: Leighton, Introduction to Parallel Algorithms and Architectures, 1992 (li2009rdn [6]). Each router has a
terminal, as in the other direct networks here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network, Orbits, from_neighbors
from jumpnet.terms import I64, NO_ROUTER
from jumpnet.topology._family import Claim, Family

__all__ = ["Tree"]


@dataclass(frozen=True)
class Tree(Family):
    """`tree:2,height=4`: arity 2, leaves 4 links below the root; 31 routers, the root first, then level by level.

    Ports 0..k-1 lead to the children, port k to the parent. Coordinates: level (0 = root), place in the level.
    params = [k, height].
    """

    k: Annotated[int, Ge(1)]
    """Children of a router."""
    height: Annotated[int, Ge(1), Le(62)] = field(kw_only=True)
    """Links from the root to a leaf."""

    name: ClassVar[str] = "tree"
    samples: ClassVar[tuple[str, ...]] = ("tree:2,height=4", "tree:3,height=3", "tree:4,height=1", "tree:1,height=5")

    def __post_init__(self) -> None:
        if self.k**self.height >= 2**62:
            raise JumpnetError(f"tree: k={self.k} and height={self.height} found, k^height < 2^62 expected")

    def build(self) -> Network:
        k, height = self.k, self.height
        start = np.cumsum([0] + [k**level for level in range(height + 1)])
        routers = np.arange(start[-1], dtype=np.int64)
        level = np.searchsorted(start, routers, side="right") - 1
        place = routers - start[level]
        neighbor = np.full((len(routers), k + 1), NO_ROUTER, np.int64)
        inner = level < height
        children = start[np.minimum(level + 1, height)] + place * k
        neighbor[inner, :k] = children[inner, None] + np.arange(k)
        neighbor[1:, k] = start[level[1:] - 1] + place[1:] // k
        down = level[:, None] + np.zeros(k, np.int64)
        classes = np.concatenate([2 * down, 2 * (level[:, None] - 1) + 1], axis=1)
        across = (place + 0.5) * float(k) ** (height - level)
        return from_neighbors(
            self.spec,
            self.name,
            neighbor,
            link_class=classes,
            class_names=tuple(f"level {v} {way}" for v in range(height) for way in ("down", "up")),
            class_rank=np.repeat(np.arange(height), 2),
            coord=np.stack([level, place], axis=1),
            orbits=Orbits(start[:-1].astype(np.int64), np.diff(start).astype(np.int64)),
            position=np.stack([across, (height - level) * max(1.0, k**height / (2.0 * height))], axis=1),
            params=np.array([k, height], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        k, height = self.k, self.height
        routers = sum(k**level for level in range(height + 1))
        return {
            "routers": routers,
            "links": routers - 1,
            "degree": k if height == 1 else k + 1,
            "diameter": 2 * height if k > 1 else height,
        }

    def automorphisms(self, net: Network) -> Iterator[I64]:
        """Turn the children of all routers of one level, each with what hangs below it."""
        routers = np.arange(net.routers, dtype=np.int64)
        level, place = net.coord[:, 0].astype(np.int64), net.coord[:, 1].astype(np.int64)
        for turned in range(1, self.height + 1):
            weight = self.k ** np.maximum(level - turned, 0)
            digit = place // weight % self.k
            moved = routers + ((digit + 1) % self.k - digit) * weight
            yield np.where(level >= turned, moved, routers)
