"""Kautz network: words of n letters out of d+1, no two neighboring ones equal, joined when one is the other shifted.

Source: Bermond and Peyrat, De Bruijn and Kautz networks: a competitor for the hypercube, 1989 (yang2001rdt [13]).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.terms import I64
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._words import shift_network

__all__ = ["Kautz"]


@dataclass(frozen=True)
class Kautz(Family):
    """`kautz:2,n=11`: (d+1) d^(n-1) = 3072 routers; `directed=true` keeps only the left shifts.

    A word is written as its first letter and n-1 steps 0..d-1, each the number of letters (after the one before it,
    cyclically) that are passed over; the router number reads these as digits. Port a shifts left and brings in step
    a; in the two-way network port d+a shifts right and brings in the letter a+1 places before the first one, without
    second links. Coordinates are the letters. params = [d, n].
    """

    d: Annotated[int, Ge(2)]
    """Letters that may follow a letter; the alphabet has one more."""
    n: Annotated[int, Ge(1), Le(62)] = field(kw_only=True)
    """Letters of a word."""
    directed: bool = False
    """Whether only the left shifts are links."""

    name: ClassVar[str] = "kautz"
    samples: ClassVar[tuple[str, ...]] = (
        "kautz:2,n=1",
        "kautz:2,n=2",
        "kautz:2,n=5",
        "kautz:3,n=3",
        "kautz:2,n=4,directed=true",
        "kautz:3,n=2,directed=true",
    )

    def __post_init__(self) -> None:
        if (self.d + 1) * self.d ** (self.n - 1) >= 2**62:
            raise JumpnetError(f"kautz: d={self.d} and n={self.n} found, below 2^62 words expected")

    def _words(self) -> I64:
        """(R, n) letters of every router."""
        d, n = self.d, self.n
        routers = np.arange((d + 1) * d ** (n - 1), dtype=np.int64)
        letters = [routers // d ** (n - 1)]
        for i in range(1, n):
            step = routers // d ** (n - 1 - i) % d
            letters.append((letters[-1] + 1 + step) % (d + 1))
        return np.stack(letters, axis=1)

    def _number(self, words: I64) -> I64:
        """Router numbers of words (the inverse of `_words`)."""
        result = words[:, 0].astype(np.int64)
        for i in range(1, self.n):
            result = result * self.d + (words[:, i] - words[:, i - 1] - 1) % (self.d + 1)
        return result

    def build(self) -> Network:
        d = self.d
        words = self._words()
        left, right = [], []
        for a in range(d):
            new = (words[:, -1:] + 1 + a) % (d + 1)
            left.append(self._number(np.concatenate([words[:, 1:], new], axis=1)))
            new = (words[:, :1] - 1 - a) % (d + 1)
            right.append(self._number(np.concatenate([new, words[:, :-1]], axis=1)))
        return shift_network(self, words, d + 1, left, [] if self.directed else right, [d, self.n])

    def claims(self) -> dict[str, Claim]:
        d, n = self.d, self.n
        routers = (d + 1) * d ** (n - 1)
        doubles = d * (d + 1) // 2
        claims: dict[str, Claim] = {"routers": routers, "diameter": n}
        if self.directed:
            claims.update(links=d * routers, degree=d)
        else:
            claims["links"] = d * routers - doubles
            claims["degree"] = d if n == 1 else 2 * d - 1 if n == 2 else 2 * d
        return claims

    def automorphisms(self, net: Network) -> Iterator[I64]:
        words = net.coord.astype(np.int64)
        for a, b in pairwise(range(self.d + 1)):
            swap = np.arange(self.d + 1)
            swap[[a, b]] = b, a
            yield self._number(swap[words])
        if not self.directed:
            yield self._number(words[:, ::-1])
