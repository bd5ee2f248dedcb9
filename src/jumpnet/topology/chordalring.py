"""Chordal ring of degree 3: a ring of an even number of routers; chords of odd length w join odd routers to even ones.

Source: Arden and Lee, Analysis of chordal ring network, IEEE Trans. Computers C-30(4), 1981 (inoguchi1996srt [6]).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Implicit, Network, Orbits, from_neighbors, simple_links
from jumpnet.terms import I64
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import circle

__all__ = ["Chordalring"]


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table; params = [routers, w]."""
    N, w = params[0], params[1]
    out[0] = (router + 1) % N
    out[1] = (router - 1) % N
    out[2] = (router + w) % N if router % 2 else (router - w) % N
    return 3


@dataclass(frozen=True)
class Chordalring(Family):
    """`chordalring:64,w=9`: odd router i is joined to i+w, even router i to i-w.

    Ports: ahead, behind, chord. params = [routers, w].
    """

    routers: int
    """Routers, an even number."""
    w: int = field(kw_only=True)
    """Routers that a chord passes, an odd number."""

    name: ClassVar[str] = "chordalring"
    samples: ClassVar[tuple[str, ...]] = ("chordalring:14,w=5", "chordalring:64,w=9", "chordalring:6,w=3")

    def __post_init__(self) -> None:
        if self.routers < 4 or self.routers % 2:
            raise JumpnetError(f"chordalring: {self.routers} routers found, an even number from 4 expected")
        if self.w % 2 == 0 or not 3 <= self.w <= self.routers - 1:
            raise JumpnetError(f"chordalring: w={self.w} found, an odd number from 3 to {self.routers - 1} expected")

    def build(self) -> Network:
        N = self.routers
        here = np.arange(N, dtype=np.int64)
        chord = np.where(here % 2 == 1, here + self.w, here - self.w) % N
        return from_neighbors(
            self.spec,
            self.name,
            simple_links(np.stack([(here + 1) % N, (here - 1) % N, chord], axis=1)),
            link_class=np.arange(3),
            class_names=("ring +", "ring -", "chord"),
            class_rank=np.array([0, 0, 1]),
            mirror=np.array([1, 0, 2]),
            orbits=Orbits.transitive(N),
            position=circle(N),
            params=np.array([N, self.w], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        chords = 0 if self.w == self.routers - 1 else self.routers // 2
        return {"routers": self.routers, "links": self.routers + chords, "degree": 3 if chords else 2}

    def automorphisms(self, net: Network) -> Iterator[I64]:
        here = np.arange(net.routers, dtype=np.int64)
        yield (here + 2) % net.routers
        yield (1 - here) % net.routers

    def implicit(self) -> Implicit:
        params = np.array([self.routers, self.w], np.int64)
        return Implicit(self.routers, 3, _neighbors, params, Orbits.transitive(self.routers))
