"""Kernels of deadlock with choices: what packets that hold a channel may wait for, and whether some wait in a knot.

A packet that holds a channel waits for a set of channels of the next router, any of which will do. Packets can deadlock
when a set of channels can be held by packets each of which waits within the set (Duato 1993). Of the sets that packets
on a channel may wait for only the least count: a wait within a set is one within every set that holds it. Called by
`waiting` and `orbits.outlooks`; naive twin: `tests/naive/dependency.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.walks.packet_states import Walk
from jumpnet.jit.linked import entry, kernel
from jumpnet.process.threads import interruptible
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32, I64, Array

__all__ = [
    "Waits",
    "add_everywhere",
    "add_wait",
    "find_knot",
    "grown",
    "is_knot_left",
    "merge_alike",
    "new_waits",
    "walked_waits",
]


class Waits(NamedTuple):
    """Lists of awaited sets, one list for each channel. C channels, W words a set; empty arrays to keep none."""

    first: I32
    """(C,) first set of each channel, -1 where there is none."""
    after: I32
    """(K,) the next set of the same channel, -1 at the end."""
    mask: Array
    """(K, W) uint64: bit port * vcs + vc of the next router."""
    used: I64
    """(1,) number of sets."""


def new_waits(channels: int, words: int, room: int) -> Waits:
    """Empty lists with room for that many sets."""
    return Waits(
        np.full(channels, -1, np.int32),
        np.zeros(room, np.int32),
        np.zeros((room, words), np.uint64),
        np.zeros(1, np.int64),
    )


def grown(waits: Waits, more: int = 0) -> Waits:
    """The same lists with twice the room, or with room for so many sets more if that is not enough."""
    times = max(2, -(-(int(waits.used[0]) + more) // len(waits.after)))
    return waits._replace(after=np.tile(waits.after, times), mask=np.tile(waits.mask, (times, 1)))


@kernel
def add_wait(waits, channel, mask):
    """Add a set to a channel's list, unless it is empty (arrived) or holds one that is there; room must be left."""
    words, some = mask.size, False
    for w in range(words):
        some = some or mask[w] != 0
    if not some:
        return
    k = waits.first[channel]
    while k >= 0:
        within = True
        for w in range(words):
            within = within and waits.mask[k, w] & ~mask[w] == 0
        if within:
            return
        k = waits.after[k]
    new = waits.used[0]
    for w in range(words):
        waits.mask[new, w] = mask[w]
    waits.after[new], waits.first[channel] = waits.first[channel], new
    waits.used[0] = new + 1


@entry
def collect_waits(nodes, filled, waits):
    """Add what packets in the first so many nodes of a walk wait for; there must be room for a set for each edge."""
    for n in range(filled):
        for e in range(nodes.first[n], nodes.first[n + 1]):
            add_wait(waits, nodes.edge[e, 0], nodes.mask[nodes.edge[e, 3]])


def walked_waits(bound: BoundRouting, walks: Iterable[Walk]) -> Waits:
    """What packets that hold each channel may wait for, as some walks show it."""
    slots = bound.network.ports * bound.vcs
    channels = bound.network.routers * slots
    waits = new_waits(channels, (slots + 63) // 64, 4 * channels)
    for walk in walks:
        if int(waits.used[0]) + len(walk.edge) > len(waits.after):
            waits = grown(waits, len(walk.edge))
        collect_waits(walk.nodes, walk.filled, waits)
    return waits


@kernel
def _within(waits, c, base, held):
    """Whether some set of channel c is wholly held."""
    k = waits.first[c]
    while k >= 0:
        stays = True
        for w in range(waits.mask.shape[1]):
            word, b = waits.mask[k, w], base[c] + 64 * w
            while word != 0 and stays:
                if word & np.uint64(1):
                    stays = held[b] != 0
                word >>= np.uint64(1)
                b += 1
        if stays:
            return True
        k = waits.after[k]
    return False


@entry
def find_knot(waits, base, held):
    """Take channels off `held` (C,) until each that is left has a set wholly held; bit b of c's sets is base[c] + b."""
    changed = True
    while changed:
        changed = False
        for c in range(held.size):
            if held[c] != 0 and not _within(waits, c, base, held):
                held[c] = 0
                changed = True


def is_knot_left(waits: Waits, base: I64, used: Array) -> bool:
    """Whether any of the channels used can be held by packets that wait within."""
    held = used.copy()
    interruptible(partial(find_knot, waits, base, held))
    return bool(held.any())


@entry
def add_everywhere(channels, mask, waits):
    """Add one set (W,) to the lists of some channels (N,); there must be room for N more."""
    for i in range(channels.size):
        add_wait(waits, channels[i], mask)


@entry
def merge_alike(waits, into, at):
    """Add the sets of channels at, at + 1, ... to the list of the same port and virtual channel: the channel reached,
    short of the last without room in `into`, which has a list for each of these."""
    slots = into.first.size
    while at < waits.first.size:
        k = waits.first[at]
        while k >= 0:
            if into.used[0] == into.after.size:
                return at
            add_wait(into, at % slots, waits.mask[k])
            k = waits.after[k]
        at += 1
    return at
