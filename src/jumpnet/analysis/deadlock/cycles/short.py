"""A cycle of as few dependencies as any can have, where that number is known and small, without a list of them.

From one channel after another, forward and backward over rows of bits, for half the length each. Called by
`shortest.circles`; twin: `order.order_or_cycle`, which needs the list.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.rows.compressed_rows import in_order
from jumpnet.terms import I64, Array

__all__ = ["ROOTS", "short_cycle"]

ROOTS = 64
"""Channels from which it is looked for."""
PIECE = 1 << 11
"""Rows that are unpacked at once."""


def short_cycle(bits: Array, base: I64, slots: int, length: int, roots: int = ROOTS) -> I64 | None:
    """Channels of a cycle of `length`, in order, where none is shorter; None where none is found from `roots` of them.

    bits (C, W): bit b of row c says that channel c waits for channel base[c] + b; base (C,): the first of the
    `slots` channels of a router. length: 3 and more. Cost: for each root the rows of a ball of half that length, and
    the channels put in order once.

    >>> short_cycle(np.array([[2], [4], [1]], np.uint64), np.zeros(3, np.int64), 3, 3).tolist()
    [0, 1, 2]
    """
    search, some = _Search(bits, base, slots), np.flatnonzero(bits.any(axis=1))
    for root in some[np.unique(np.arange(roots) * len(some) // roots)] if len(some) else some:
        cycle = search.through(int(root), length)
        if cycle is not None:
            return cycle
    return None


class _Search:
    """The graph, both ways."""

    def __init__(self, bits: Array, base: I64, slots: int) -> None:
        self.bits, self.base, self.slots = bits, base, slots
        some = np.flatnonzero(base >= 0)
        self.order = some[in_order(base[some] // slots, int(base.max(initial=0)) // slots + 1)]
        """The channels with a link, by where they lead to."""
        self.sorted = base[self.order]

    def through(self, root: int, length: int) -> I64 | None:
        """A cycle of so many channels through one."""
        ahead = [np.array([root])]
        before: list[I64] = []
        for _ in range(length // 2):
            rows, after = self._after(ahead[-1])
            found, place = np.unique(after, return_index=True)
            ahead.append(found)
            before.append(rows[place])
        behind = [np.array([root])]
        next_one: list[I64] = []
        for _ in range(length - 1 - length // 2):
            holder, rows = self._before(behind[-1])
            found, place = np.unique(holder, return_index=True)
            behind.append(found)
            next_one.append(rows[place])
        return self._joined(ahead, before, behind, next_one)

    def _joined(self, ahead: list[I64], before: list[I64], behind: list[I64], after: list[I64]) -> I64 | None:
        """The cycle, if a channel of the last level ahead waits for one of the last level behind."""
        marked = np.zeros(len(self.base), bool)
        marked[behind[-1]] = True
        for first in range(0, len(ahead[-1]), PIECE):
            rows, wanted = self._after(ahead[-1][first : first + PIECE])
            hits = np.flatnonzero(marked[wanted])
            if len(hits):
                place = first + int(rows[hits[0]])
                way = [int(ahead[-1][place])]
                for level in range(len(before) - 1, -1, -1):
                    place = int(before[level][place])
                    way.append(int(ahead[level][place]))
                way.reverse()
                at = int(np.searchsorted(behind[-1], wanted[hits[0]]))
                for level in range(len(after), 0, -1):
                    way.append(int(behind[level][at]))
                    at = int(after[level - 1][at])
                return np.array(way, np.int64)
        return None

    def _after(self, channels: I64) -> tuple[I64, I64]:
        """(place in channels, channel that it waits for), for each dependency of these."""
        rows = np.unpackbits(np.ascontiguousarray(self.bits[channels]).view(np.uint8), axis=1, bitorder="little")
        place, bit = np.nonzero(rows)
        return place, self.base[channels[place]] + bit

    def _before(self, channels: I64) -> tuple[I64, I64]:
        """(channel that waits, place in channels of what it waits for)."""
        holders, places = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for place, channel in enumerate(channels.tolist()):
            start = channel // self.slots * self.slots
            low, high = np.searchsorted(self.sorted, [start, start + 1])
            some, bit = self.order[low:high], channel - start
            waits = (self.bits[some, bit >> 6] >> np.uint64(bit & 63) & np.uint64(1)).astype(bool)
            holders.append(some[waits])
            places.append(np.full(int(waits.sum()), place))
        return np.concatenate(holders), np.concatenate(places)
