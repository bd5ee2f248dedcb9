"""A transversal: for each router an automorphism that maps it to its orbit's representative, a word in generators."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jumpnet.terms import I32, I64

__all__ = ["Transversal"]


class Transversal:
    """Automorphisms that map every router to the representative of its orbit.

    >>> turn = np.array([1, 2, 3, 0])
    >>> Transversal(np.zeros(4, np.int64), [turn]).of(np.array([3])).tolist()
    [[1, 2, 3, 0]]
    """

    def __init__(self, label: I64, ways: Sequence[I64]) -> None:
        """label (R,): the representative of each router's orbit; ways: permutations (R,) that generate the orbits."""
        self._ways = [*ways, *(np.argsort(way) for way in ways)]
        self._commute = all(np.array_equal(one[two], two[one]) for one in ways for two in ways)
        self._powers = [[way] for way in self._ways]
        self._back = np.full(len(label), -1, np.int64)
        """Which generator leads from a router to the one that it was found from."""
        seen = label == np.arange(len(label))
        front = np.flatnonzero(seen)
        while len(front):
            found = []
            for i, way in enumerate(self._ways):
                to = np.unique(way[front])
                to = to[~seen[to]]
                seen[to], self._back[to] = True, (i + len(ways)) % len(self._ways)
                found.append(to)
            front = np.concatenate(found) if found else front[:0]

    def of(self, routers: I32) -> I32:
        """(M, R) the automorphism for each of some routers (M,)."""
        made = np.empty((len(routers), len(self._back)), np.int32)
        for row, router in zip(made, routers, strict=True):
            word = self.word(int(router))
            moved = np.arange(len(row))
            if self._commute:
                for i, many in enumerate(np.bincount(word, minlength=len(self._ways))):
                    moved = self._power(i, int(many))[moved] if many else moved
            else:
                for i in word:
                    moved = self._ways[i][moved]
            row[:] = moved
        return made

    def word(self, router: int) -> list[int]:
        """Indices of the generators (and, after them, their inverses) that map a router there, in order of application.

        >>> Transversal(np.zeros(4, np.int64), [np.array([1, 2, 3, 0])]).word(2)
        [1, 1]
        """
        word, at = [], router
        while self._back[at] >= 0:
            word.append(int(self._back[at]))
            at = int(self._ways[word[-1]][at])
        return sorted(word) if self._commute else word

    def _power(self, i: int, many: int) -> I64:
        """A generator to this power."""
        powers, moved = self._powers[i], np.arange(len(self._back))
        for bit in range(many.bit_length()):
            if bit == len(powers):
                powers.append(powers[-1][powers[-1]])
            if many >> bit & 1:
                moved = powers[bit][moved]
        return moved
