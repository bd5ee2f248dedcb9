"""Kernels: the set of states that were found, in a table of slots with open addressing.

States stand in the order in which they were found, so each has a number. A slot holds the number of a state, and the
state is compared whole; or, compact, a hash of some bits in its place, and nothing else is looked at (hash compaction,
stern1995compaction). That hash is another one than tells the slot, so that two states that meet in a slot are
taken for one once in 2^bits times. Called by `_states`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.hints import prefetch
from jumpnet.jit.linked import entry, kernel
from jumpnet.terms import I32, I64, Array

__all__ = [
    "AHEAD",
    "Found",
    "ask_for_slot",
    "ask_for_state",
    "insert",
    "insert_all",
    "is_full",
    "marks",
    "number_in",
    "slot",
]

AHEAD = 16
"""The slot of a state is prefetched so many states before it is entered."""
TAG = np.uint64(0xFFFFFFFF00000000)
NUMBER = np.uint64(0xFFFFFFFF)
TAKEN = np.uint64(1 << 63)
PLACE_FACTOR, HASH_FACTOR = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93


class Found(NamedTuple):
    """States by number, with room for N, and slots to find them by."""

    states: Array
    """(N, W) uint64."""
    parent: I32
    """(N,) the state from which each was found first."""
    slots: Array
    """(2^k,) uint64, 0 where there is none: upper half of a hash and number + 1, or TAKEN and a hash."""
    total: I64
    """(1,) how many there are."""
    met: I64
    """(1,) other states that new ones met in slots on their way to a free one; counted where hashes are kept."""
    bits: int
    """Of the hash that stands for a state, 8 to 62; 0 where states are compared whole."""
    salt: int
    """Which hash."""


@kernel
def _mixed(state, h, factor):
    """64 bits that differ in about half their places where states differ (the last steps of MurmurHash3)."""
    for w in range(state.size):
        h = ((h ^ state[w]) * factor) ^ (h >> np.uint64(29))
    h = (h ^ (h >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    h = (h ^ (h >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return h ^ (h >> np.uint64(33))


@kernel
def marks(found, state):
    """(hash of a state that gives the first slot, hash that distinguishes it from others in a slot)."""
    h = _mixed(state, np.uint64(0), np.uint64(PLACE_FACTOR))
    if found.bits == 0:
        return h, h & TAG
    other = _mixed(state, np.uint64(found.salt) + np.uint64(HASH_FACTOR), np.uint64(HASH_FACTOR))
    return h, TAKEN | other >> np.uint64(64 - found.bits)


@kernel
def _same(one, other):
    same = True
    for w in range(one.size):
        same &= one[w] == other[w]
    return same


@kernel
def _is(found, held, mark, state):
    """Whether a slot that holds something holds this state."""
    if found.bits > 0:
        return held == mark
    return (held ^ mark) & TAG == 0 and _same(found.states[number_in(held)], state)


@kernel
def number_in(held):
    """The number in a slot."""
    return np.int64(held & NUMBER) - 1


@kernel
def slot(found, h, mark, state):
    """The slot in which a state stands, or the free one that it would take."""
    last = np.uint64(found.slots.size - 1)
    here = h & last
    while found.slots[here] != 0 and not _is(found, found.slots[here], mark, state):
        here = (here + np.uint64(1)) & last
    return np.int64(here)


@kernel
def ask_for_slot(found, h):
    """Prefetch the first slot: a caller that prefetches many first waits for memory once, not for each."""
    prefetch(found.slots, int(h & np.uint64(found.slots.size - 1)))


@kernel
def ask_for_state(found, h, mark):
    """The same of the state with which the one in that slot would be compared."""
    held = found.slots[h & np.uint64(found.slots.size - 1)]
    if found.bits == 0 and held != 0 and (held ^ mark) & TAG == 0:
        prefetch(found.states, int(number_in(held)) * found.states.shape[1])


@kernel
def is_full(found):
    """Whether there must be more slots before another state gets one."""
    if found.bits > 0:
        return 4 * found.total[0] >= 3 * found.slots.size
    return 2 * found.total[0] >= found.slots.size


@kernel
def insert(found, h, mark, place, state, parent):
    """Give a state the next number, and the slot that `slot` found."""
    number = found.total[0]
    for w in range(state.size):
        found.states[number, w] = state[w]
    found.parent[number] = parent
    found.slots[place] = mark if found.bits > 0 else mark | np.uint64(number + 1)
    if found.bits > 0:
        found.met[0] += (place - np.int64(h & np.uint64(found.slots.size - 1))) & (found.slots.size - 1)
    found.total[0] = number + 1


@entry
def insert_all(found):
    """Fill empty slots with all states, each in the first that is free: they are known to differ."""
    last = np.uint64(found.slots.size - 1)
    total = found.total[0]
    for number in range(total):
        if number + AHEAD < total:
            ask_for_slot(found, marks(found, found.states[number + AHEAD])[0])
        h, mark = marks(found, found.states[number])
        here = h & last
        while found.slots[here] != 0:
            here = (here + np.uint64(1)) & last
        found.slots[here] = mark if found.bits > 0 else mark | np.uint64(number + 1)
