"""De Bruijn network: words of n digits, joined when one is the other shifted by one place with any digit shifted in.

Source: Samatham and Pradhan, The De Bruijn multiprocessor network, IEEE Trans. Computers 38(4), 1989 (yang2001rdt [6]).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.errors import JumpnetError
from jumpnet.networks import Implicit, Network
from jumpnet.terms import I64
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._words import digits, number, shift_network

__all__ = ["Debruijn"]


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table; params = [d, n]."""
    d, high = params[0], params[0] ** (params[1] - 1)
    for a in range(d):
        out[a] = router % high * d + a
        out[d + a] = a * high + router // d
    return 2 * d


@dataclass(frozen=True)
class Debruijn(Family):
    """`debruijn:2,n=12`: 2^12 routers, words of n digits 0..d-1; `directed=true` keeps only the left shifts.

    Port a shifts left and brings in digit a on the right; in the two-way network port d+a shifts right and brings in
    a on the left, without loops and second links. Coordinates are the digits, the most significant first.
    params = [d, n].
    """

    d: Annotated[int, Ge(2)]
    """Letters of the alphabet."""
    n: Annotated[int, Ge(1), Le(62)] = field(kw_only=True)
    """Letters of a word."""
    directed: bool = False
    """Whether only the left shifts are links."""

    name: ClassVar[str] = "debruijn"
    samples: ClassVar[tuple[str, ...]] = (
        "debruijn:2,n=1",
        "debruijn:2,n=2",
        "debruijn:2,n=6",
        "debruijn:3,n=3",
        "debruijn:4,n=3",
        "debruijn:2,n=5,directed=true",
        "debruijn:3,n=3,directed=true",
    )

    def __post_init__(self) -> None:
        if self.d**self.n >= 2**62:
            raise JumpnetError(f"debruijn: d={self.d} and n={self.n} found, d^n < 2^62 expected")

    def build(self) -> Network:
        d, n = self.d, self.n
        routers = np.arange(d**n, dtype=np.int64)
        high = d ** (n - 1)
        left = [routers % high * d + a for a in range(d)]
        right = [] if self.directed else [a * high + routers // d for a in range(d)]
        return shift_network(self, digits(routers, d, n), d, left, right, [d, n])

    def claims(self) -> dict[str, Claim]:
        d, n = self.d, self.n
        loops, doubles = d, d * (d - 1) // 2
        claims: dict[str, Claim] = {"routers": d**n, "diameter": n}
        if self.directed:
            claims.update(links=d ** (n + 1) - loops, degree=d if n > 1 else d - 1)
        else:
            claims["links"] = d ** (n + 1) - loops - doubles
            claims["degree"] = d - 1 if n == 1 else 2 * d - 1 if n == 2 else 2 * d
        return claims

    def automorphisms(self, net: Network) -> Iterator[I64]:
        words = net.coord.astype(np.int64)
        for a, b in pairwise(range(self.d)):
            swap = np.arange(self.d)
            swap[[a, b]] = b, a
            yield number(swap[words], self.d)
        if not self.directed:
            yield number(words[:, ::-1], self.d)

    def size(self) -> tuple[int, int]:
        return self.d**self.n, self.d if self.directed else 2 * self.d

    def implicit(self) -> Implicit | None:
        # Orbits would need every word, so an implicit network has none; directed searches need the table.
        if self.directed:
            return None
        return Implicit(self.d**self.n, 2 * self.d, _neighbors, np.array([self.d, self.n], np.int64), None)
