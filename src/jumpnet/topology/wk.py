"""WK-recursive network WK(d, t): d copies of the network one level lower, each pair joined by one link.

Source: Della Vecchia and Sanges, A recursively scalable network VLSI implementation, 1988; li2009rdn, section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network, from_neighbors
from jumpnet.terms import F64, I64, NO_ROUTER
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import circle
from jumpnet.topology._words import digits, number, pattern_orbits

__all__ = ["Wk"]


@dataclass(frozen=True)
class Wk(Family):
    """`wk:8,t=7`: words of t digits 0..d-1; the last digit names the node in its complete graph.

    Port j != last digit: the substituting link to the node that ends in j. Port equal to the last digit x: the
    flipping link of the word w y x..x, to w x y..y; the d corner nodes x..x have none there (their link is open).
    Link class j joins two networks of level j, class 0 nodes of a complete graph. Coordinates are the digits, the
    most significant first. params = [d, t].
    """

    d: Annotated[int, Ge(2)]
    """Routers of a complete graph."""
    t: Annotated[int, Ge(1), Le(62)] = field(kw_only=True)
    """Levels, or digits of an address."""

    name: ClassVar[str] = "wk"
    samples: ClassVar[tuple[str, ...]] = ("wk:4,t=1", "wk:3,t=4", "wk:4,t=3", "wk:5,t=2", "wk:2,t=4")

    def __post_init__(self) -> None:
        if self.d**self.t >= 2**62:
            raise JumpnetError(f"wk: d={self.d} and t={self.t} found, d^t < 2^62 expected")

    def build(self) -> Network:
        d, t = self.d, self.t
        routers = np.arange(d**t, dtype=np.int64)
        words = digits(routers, d, t)
        last = words[:, -1]
        neighbor = (routers - last)[:, None] + np.arange(d)
        classes = np.zeros((len(routers), d), np.int32)
        neighbor[routers, last] = NO_ROUTER
        for j in range(1, t):  # words whose last j digits are x, and the one before them is y != x
            here = (words[:, t - j :] == last[:, None]).all(axis=1) & (words[:, t - j - 1] != last)
            flipped = words[here].copy()
            flipped[:, t - j - 1] = last[here]
            flipped[:, t - j :] = words[here, t - j - 1][:, None]
            neighbor[here, last[here]] = number(flipped, d)
            classes[here, last[here]] = j
        return from_neighbors(
            self.spec,
            self.name,
            neighbor,
            link_class=classes,
            class_names=("complete graph", *(f"flip level {j}" for j in range(1, t))),
            class_rank=np.arange(t),
            coord=words,
            orbits=pattern_orbits(words, d, False),
            position=self._positions(words),
            params=np.array([d, t], np.int64),
            attributes=self.attributes,
        )

    def _positions(self, words: I64) -> F64:
        """Circles of circles."""
        corner = circle(self.d)
        scale = 2.5 ** np.arange(self.t - 1, -1, -1)
        place: F64 = (corner[words] * scale[:, None]).sum(axis=1)
        return place

    def claims(self) -> dict[str, Claim]:
        d, t = self.d, self.t
        return {
            "routers": d**t,
            "links": (d ** (t + 1) - d) // 2,
            "degree": d if t > 1 else d - 1,
            "diameter": 2**t - 1,
        }

    def automorphisms(self, net: Network) -> Iterator[I64]:
        for a, b in pairwise(range(self.d)):
            swap = np.arange(self.d)
            swap[[a, b]] = b, a
            yield number(swap[net.coord], self.d)

    def size(self) -> tuple[int, int]:
        return self.d**self.t, self.d
