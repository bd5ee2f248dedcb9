"""Free rows of the packet table for the threads of one run: one list, cut into a list for each of them.

A thread takes rows from the top of its list and puts rows back there, and never takes the last one. So the last row of
each stays where it is, and between two calls the lists are joined, and cut again, at their ends alone: no row between
is looked at. Only where the list has changed meanwhile, or one thread has too few left, is it cut again from scratch.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, PACKET_ROW
from jumpnet.sim.memory.state import State
from jumpnet.terms import I32, I64

__all__ = ["FreeLists"]

FOLLOWING = PACKET_ROW.following


@entry
def _cut(packet, first, share, last, counts):
    """Find the last row of each of some lists of `share` rows, the last one longer, in the list that starts at `first`.

    Writes for each the place of its last row and its number of rows; changes nothing in `packet`. O(rows).
    """
    p, k, n = first, 0, 0
    while p >= 0:
        n += 1
        last[k], counts[k] = p // at.PACKET_FIELDS, n
        p = packet[p // at.PACKET_FIELDS, FOLLOWING]
        if n == share and k + 1 < last.size:
            k, n = k + 1, 0


class FreeLists:
    """A list of free rows for each thread, and how many rows each has.

    `deal` cuts the one list of the memory, `join` makes it one again: O(threads), and O(rows) where it is cut again.
    """

    def __init__(self, threads: int) -> None:
        self.counts: I64 = np.zeros(threads, np.int64)
        self._last: I64 = np.full(threads, -1, np.int64)
        self._packet: I32 | None = None
        self._left = (0, 0)

    def deal(self, state: State, room: int) -> I64:
        """(threads,) the first row of each list, with `room` rows at least, which the whole list has for each."""
        packet, first, packets = state.packet, int(state.counter[COUNTER.free]), int(state.counter[COUNTER.packets])
        share = (len(packet) - packets) // self.counts.size
        as_left = packet is self._packet and (first, packets) == self._left
        if not as_left or self.counts.min() < max(room, share // 2):
            _cut(packet, first, share, self._last, self.counts)
        cuts = self._last[:-1]
        firsts = np.append(first, packet[cuts, FOLLOWING])
        packet[cuts, FOLLOWING] = -1
        return firsts

    def join(self, state: State, firsts: I64, taken: I64) -> None:
        """Make one list of all again, before the memory counts the rows that each thread has taken and not put back."""
        self.counts -= taken
        state.packet[self._last[:-1], FOLLOWING] = firsts[1:]
        state.counter[COUNTER.free] = firsts[0]
        self._packet, self._left = state.packet, (int(firsts[0]), int(state.counter[COUNTER.packets] + taken.sum()))
