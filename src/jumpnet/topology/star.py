"""Star graph: permutations of n symbols, joined when one is the other with its first symbol and one more exchanged.

Source: Akers, Harel and Krishnamurthy, The star graph: an attractive alternative to the n-cube, ICPP 1987
(yang2001rdt [8]).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from jumpnet.networks import Network, Orbits, from_neighbors
from jumpnet.terms import I8, I64
from jumpnet.topology._family import Claim, Family
from jumpnet.topology._grid import circle

__all__ = ["Star"]


def _permutations(n: int) -> I8:
    """(n!, n) all permutations of 0..n-1 in alphabetical order."""
    table = np.zeros((1, 1), np.int8)
    for m in range(2, n + 1):
        rest = np.tile(table, (m, 1))
        first = np.repeat(np.arange(m, dtype=np.int8), len(table))[:, None]
        table = np.concatenate([first, rest + (rest >= first)], axis=1).astype(np.int8)
    return table


def _rank(table: I8) -> I64:
    """(R,) place of each permutation in alphabetical order (the inverse of `_permutations`)."""
    n = table.shape[1]
    rank = np.zeros(len(table), np.int64)
    for i in range(n):
        smaller = (table[:, i + 1 :] < table[:, i : i + 1]).sum(axis=1)
        rank += smaller * factorial(n - 1 - i)
    return rank


@dataclass(frozen=True)
class Star(Family):
    """`star:7` has 7! = 5040 routers of degree 6, permutations in alphabetical order.

    Port p exchanges the symbols at places 0 and p+1. Coordinates are the symbols in order. params = [n].
    """

    n: Annotated[int, Ge(2), Le(12)]
    """Symbols; routers are their permutations."""

    name: ClassVar[str] = "star"
    samples: ClassVar[tuple[str, ...]] = ("star:2", "star:3", "star:4", "star:5")

    def build(self) -> Network:
        n = self.n
        table = _permutations(n)
        columns = []
        for p in range(1, n):
            order = np.arange(n)
            order[[0, p]] = p, 0
            columns.append(_rank(table[:, order]))
        return from_neighbors(
            self.spec,
            self.name,
            np.stack(columns, axis=1),
            link_class=np.arange(n - 1),
            class_names=tuple(f"exchange 0 and {p}" for p in range(1, n)),
            class_rank=np.arange(n - 1),
            mirror=np.arange(n - 1),
            coord=table,
            orbits=Orbits.transitive(len(table)),
            position=circle(len(table)),
            params=np.array([n], np.int64),
            attributes=self.attributes,
        )

    def claims(self) -> dict[str, Claim]:
        n = self.n
        routers = factorial(n)
        mean_with_self = n - 4 + Fraction(2, n) + sum(Fraction(1, i) for i in range(1, n + 1))
        return {
            "routers": routers,
            "links": routers * (n - 1) // 2,
            "degree": n - 1,
            "diameter": 3 * (n - 1) // 2,
            "average_distance": mean_with_self * routers / (routers - 1),
        }

    def automorphisms(self, net: Network) -> Iterator[I64]:
        for a in range(self.n - 1):
            swap = np.arange(self.n)
            swap[[a, a + 1]] = a + 1, a
            yield _rank(swap[net.coord])
