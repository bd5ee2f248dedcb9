"""Kernels: the set of states that were found, in a table of slots with open addressing.

States stand in the order in which they were found, so each has a number. A slot holds the number of a state, and the
state is compared whole; or, compact, a hash of some bits in its place, and nothing else is looked at (hash compaction,
stern1995compaction). That hash is another one than tells the slot, so that two states that meet in a slot are
taken for one once in 2^bits times. One bit of a slot says whether its state is calm: arrivals alone are known to bring
it to rest. Called by `_states`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.coherence.search._hashes import crossed, lane_sums, stirred
from jumpnet.jit.hints import prefetch
from jumpnet.jit.linked import entry, kernel
from jumpnet.terms import I32, I64, Array

__all__ = [
    "AHEAD",
    "Found",
    "ask_for_slot",
    "ask_for_state",
    "calm_bit",
    "insert",
    "insert_all",
    "is_full",
    "marks",
    "number_in",
    "own_slot",
    "same",
    "slot",
    "told",
]

AHEAD = 16
"""The slot of a state is prefetched so many states before it is entered."""
TAG = np.uint64(0xFFFFFFFF00000000)
NUMBER = np.uint64(0x7FFFFFFF)
TAKEN = np.uint64(1 << 63)
CALM, CALM_COMPACT = np.uint64(1 << 31), np.uint64(1 << 62)


class Found(NamedTuple):
    """States by number, with room for N, and slots to find them by."""

    states: Array
    """(N, W) uint64."""
    parent: I32
    """(N,) the state from which each was found first."""
    slots: Array
    """(2^k,) uint64, 0 where there is none: half a hash and number + 1, or TAKEN and a hash; and `calm_bit`."""
    total: I64
    """(1,) how many there are."""
    met: I64
    """(1,) other states that new ones met in slots on their way to a free one; counted where hashes are kept."""
    weights: Array
    """(LANES, 2) uint64, `_hashes.lane_weights`."""
    factors: Array
    """(4 W,) uint64, `_hashes.place_factors`."""
    bits: int
    """Of the hash that stands for a state, 8 to 62; 0 where states are compared whole."""


@kernel
def marks(found, first, second):
    """By a state's sums: (hash that gives the first slot, hash that distinguishes it from others in a slot)."""
    h = stirred(first)
    if found.bits == 0:
        return h, h & TAG
    return h, TAKEN | stirred(crossed(first, second)) >> np.uint64(64 - found.bits)


@kernel
def told(found, state):
    """The same of a state."""
    first, second = lane_sums(found, state)
    return marks(found, first, second)


@kernel
def same(one, other):
    """Whether two states are equal."""
    equal = True
    for w in range(one.size):
        equal &= one[w] == other[w]
    return equal


@kernel
def calm_bit(found):
    """The bit of a slot that says that its state is calm."""
    return CALM_COMPACT if found.bits > 0 else CALM


@kernel
def number_in(held):
    """The number in a slot."""
    return np.int64(held & NUMBER) - 1


@kernel
def _is(found, held, mark, state):
    """Whether a slot that holds something holds this state."""
    if found.bits > 0:
        return held & ~CALM_COMPACT == mark
    return (held ^ mark) & TAG == 0 and same(found.states[number_in(held)], state)


@kernel
def slot(found, h, mark, state):
    """The slot in which a state stands, or the free one that it would take; state is read only if it is kept whole."""
    last = np.uint64(found.slots.size - 1)
    here = h & last
    while found.slots[here] != 0 and not _is(found, found.slots[here], mark, state):
        here = (here + np.uint64(1)) & last
    return np.int64(here)


@kernel
def own_slot(found, number, h, mark):
    """The slot of a state with this number: the same, without comparing states."""
    last = np.uint64(found.slots.size - 1)
    here = h & last
    while True:
        held = found.slots[here]
        if (held & ~CALM_COMPACT == mark) if found.bits > 0 else number_in(held) == number:
            return np.int64(here)
        here = (here + np.uint64(1)) & last


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


@entry(allocates=True)
def insert_all(found):
    """Fill empty slots with all states, each in the first that is free: they are known to differ."""
    last = np.uint64(found.slots.size - 1)
    total = found.total[0]
    ahead = np.zeros((AHEAD, 2), np.uint64)
    for number in range(total + AHEAD):
        k = number % AHEAD
        if number >= AHEAD:
            here, mark = ahead[k, 0] & last, ahead[k, 1]
            while found.slots[here] != 0:
                here = (here + np.uint64(1)) & last
            found.slots[here] = mark if found.bits > 0 else mark | np.uint64(number - AHEAD + 1)
        if number < total:
            ahead[k, 0], ahead[k, 1] = told(found, found.states[number])
            ask_for_slot(found, ahead[k, 0])
