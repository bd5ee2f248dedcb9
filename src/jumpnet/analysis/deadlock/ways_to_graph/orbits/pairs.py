"""Escapes that packets ask for while they hold others, as pairs of rows that stand for all routers of an orbit.

Called by `escapes`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.rows.compressed_rows import row_starts
from jumpnet.terms import I32, I64, Array

__all__ = ["Pairs", "needed"]


class Pairs(NamedTuple):
    """Escapes that are asked for while others are held, each once; T of them, W hops of all ways."""

    code: I64
    """(T,) in ascending order: what each is about, see `named`."""
    routers: int
    rows: int
    """How many there are of both."""
    last: I64
    """(T,) the last hop of a way from the router of one to that of the other."""
    before: I32
    """(W,) the hop before each, -1 of the first."""
    port: I32
    """(W,) of each hop."""

    @property
    def held(self) -> I64:
        """(T,) the row held."""
        return self.code // self.rows // self.routers

    @property
    def wanted(self) -> I64:
        """(T,) the row asked for."""
        return self.code % self.rows

    def named(self, held: Array, there: Array, wanted: Array) -> I64:
        """What a pair is about: row held, router there, row wanted."""
        return (held.astype(np.int64) * self.routers + there) * self.rows + wanted

    def ports(self, pair: int) -> list[int]:
        """The ports of a pair's way."""
        found, at = [], int(self.last[pair])
        while at >= 0:
            found.append(int(self.port[at]))
            at = int(self.before[at])
        return found[::-1]

    @property
    def there(self) -> I64:
        """(T,) the router of the wanted row, seen from the representative of the held one's orbit."""
        return self.code // self.rows % self.routers


def needed(pairs: Pairs, neighbor: I32) -> Array:
    """Numbers of pairs from which all others follow: numbers that ascend along these ascend along those.

    A pair follows from two whose ways, one after the other, lead from its first router to its last, the row between
    them the same, if both ways are shorter than its own: these may follow from still shorter ones, and so on. Ports
    lead from each router as from the representative, so what holds there holds at all. neighbor (R, P).
    """
    held, there, wanted = pairs.held, pairs.there, pairs.wanted
    ways = [pairs.ports(k) for k in range(len(held))]
    hops = np.array([len(way) for way in ways])
    order = np.argsort(wanted, kind="stable")
    begin = row_starts(wanted[order], pairs.rows)
    follows = np.zeros(len(ways), bool)
    for second, way in enumerate(ways):
        first = order[begin[held[second]] : begin[held[second] + 1]]
        end = there[first]
        for port in way:
            end = neighbor[end, port]
        code = pairs.named(held[first], end, wanted[second])
        at = np.minimum(np.searchsorted(pairs.code, code), len(ways) - 1)
        shorter = (hops[at] > hops[first]) & (hops[at] > hops[second])
        follows[at[(pairs.code[at] == code) & shorter]] = True
    return np.flatnonzero(~follows)
