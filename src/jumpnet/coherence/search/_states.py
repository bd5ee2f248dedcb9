"""Kernels: the set of states that were found, and what is asked of all of them.

States stand in the order in which they were found, so each has a number; a table of slots (open addressing) finds the
number of a state. Called by `states`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.coherence.search import codes as at
from jumpnet.coherence.search._steps import ascending, fault_in, rests, successors, unpack
from jumpnet.jit.linked import entry, kernel
from jumpnet.terms import I32, I64, Array

__all__ = [
    "FULL",
    "STEPS",
    "UNSOUND",
    "Found",
    "Part",
    "calm_down",
    "edges",
    "enter",
    "expand",
    "insert_all",
    "mark_rest",
    "name",
    "new_part",
]

FULL, UNSOUND = 3, 4
"""Why a search stops, besides the codes of a step: no room, or a state that is a fault itself."""
NEXT_ONE, END, WRITTEN, STEPS = 0, 1, 2, 3
TAG = np.uint64(0xFFFFFFFF00000000)
NUMBER = np.uint64(0xFFFFFFFF)


class Found(NamedTuple):
    """States by number, with room for N, and slots to find them by."""

    states: Array
    """(N, W) uint64."""
    parent: I32
    """(N,) the state from which each was found first."""
    slots: Array
    """(2^k,) uint64: upper half of the hash, and number + 1; 0 where there is none."""
    total: I64
    """(1,) how many there are."""


class Part(NamedTuple):
    """What one thread works with: some states in a row to go on from, and what it met after them."""

    fresh: Array
    """(F, W) uint64 states that were not found before, in order; some stand twice."""
    parent: I32
    """(F,) what each comes from."""
    counts: I64
    """The next state to go on from, the end, how many of `fresh` are written, steps."""
    now: I64
    """(n,) part, as what follows; see `successors`."""
    caches: I64
    home: I64
    after: Array
    delivers: Array
    note: I64


def new_part(caches: int, most: int, fresh: int) -> Part:
    """Room for states of that many caches, with at most so many ways on, and for what is met."""
    words = caches // 4 + 1
    return Part(
        np.zeros((fresh + most, words), np.uint64), np.zeros(fresh + most, np.int32), np.zeros(4, np.int64),
        np.zeros(caches, np.int64), np.zeros(caches, np.int64), np.zeros(4, np.int64),
        np.zeros((most, words), np.uint64), np.zeros(most, np.int64), np.zeros(2, np.int64),
    )  # fmt: skip


@kernel
def _hash(state):
    """64 bits that differ in about half their places where states differ (the last steps of MurmurHash3)."""
    h = np.uint64(0)
    for w in range(state.size):
        h = ((h ^ state[w]) * np.uint64(0x9E3779B97F4A7C15)) ^ (h >> np.uint64(29))
    h = (h ^ (h >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    h = (h ^ (h >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return h ^ (h >> np.uint64(33))


@kernel
def _same(one, other):
    same = True
    for w in range(one.size):
        same &= one[w] == other[w]
    return same


@kernel
def _slot(found, state):
    """The slot in which a state stands, or the free one that it would take."""
    h = _hash(state)
    last, tag = np.uint64(found.slots.size - 1), h & TAG
    at_slot = h & last
    while True:
        entry = found.slots[at_slot]
        if entry == 0:
            return at_slot
        if entry & TAG == tag:
            number = (entry & NUMBER) - np.uint64(1)
            if _same(found.states[number], state):
                return at_slot
        at_slot = (at_slot + np.uint64(1)) & last


@kernel
def _look(found, after, many, seen):
    """Whether each of some states stands in the slot that is looked at first; seen (K,) bool is written.

    One after the other would wait for memory twice each; here nothing waits for what was loaded before.
    """
    last = np.uint64(found.slots.size - 1)
    for i in range(many):
        h = _hash(after[i])
        entry = found.slots[h & last]
        number = (entry & NUMBER) - np.uint64(entry != 0)
        seen[i] = entry != 0 and (entry ^ h) & TAG == 0 and _same(found.states[number], after[i])


@entry
def expand(tables, found, part, apart):
    """Go on from a part's states, and write what was not found before: DONE, or why not; found is only read.

    MISSING: part.note says what of the tables; FULL: no room for more; FAULTY: a step from the next state makes no
    sense; UNSOUND: the next state is a fault. Cost: some 100 ns a step, most of it for memory that is not at hand.
    """
    while part.counts[NEXT_ONE] < part.counts[END]:
        number, length = part.counts[NEXT_ONE], part.counts[WRITTEN]
        if length + part.delivers.size > part.parent.size:
            return FULL
        state = found.states[number]
        unpack(state, part.home, part.now)
        if fault_in(tables, part.now):
            return UNSOUND
        many, code = successors(
            tables, state, False, apart, part.now, part.caches, part.home, part.after, part.delivers, part.note
        )
        if code == at.MISSING:
            return code
        _look(found, part.after, many, part.delivers)
        for i in range(many):
            if not part.delivers[i] and found.slots[_slot(found, part.after[i])] == 0:
                for w in range(state.size):
                    part.fresh[length, w] = part.after[i, w]
                part.parent[length] = number
                length += 1
        part.counts[WRITTEN] = length
        part.counts[STEPS] += many
        if code != at.DONE:
            return code
        part.counts[NEXT_ONE] += 1
    return at.DONE


@entry
def edges(tables, found, part, first, target, arrived):
    """Write all ways on between states told apart, those of state i from first[i] to first[i + 1]: DONE, or why not.

    first (N + 1,) int64, target (E,) int32 and arrived (E,) int32, as `successors` says, for E steps of N states.
    """
    length = 0
    for number in range(first.size - 1):
        many, code = successors(
            tables, found.states[number], False, True, part.now, part.caches, part.home, part.after, part.delivers,
            part.note,
        )  # fmt: skip
        if code != at.DONE:
            return code
        for i in range(many):
            target[length] = int(found.slots[_slot(found, part.after[i])] & NUMBER) - 1
            arrived[length] = part.delivers[i]
            length += 1
        first[number + 1] = length
    return at.DONE


@entry
def enter(found, part):
    """Give what a part met the next numbers, and empty it; there must be room."""
    for i in range(part.counts[WRITTEN]):
        state = part.fresh[i]
        place = _slot(found, state)
        if found.slots[place] == 0:
            number = found.total[0]
            for w in range(state.size):
                found.states[number, w] = state[w]
            found.parent[number] = part.parent[i]
            found.slots[place] = (_hash(state) & TAG) | np.uint64(number + 1)
            found.total[0] = number + 1
    part.counts[WRITTEN] = 0


@entry
def insert_all(found):
    """Fill empty slots with all states."""
    for number in range(found.total[0]):
        state = found.states[number]
        found.slots[_slot(found, state)] = (_hash(state) & TAG) | np.uint64(number + 1)


@entry
def mark_rest(tables, found, part, calm):
    """Mark the states in which nothing is under way; calm (N,) bool."""
    for number in range(calm.size):
        unpack(found.states[number], part.home, part.now)
        calm[number] = rests(tables, part.home, part.now)


@kernel
def _calm_after(tables, found, part, calm, path, length):
    """Where arrivals lead from the last state of a path: -1 to a marked one, else a state off the path, -2 if none."""
    many, _ = successors(
        tables, found.states[path[length - 1]], True, False, part.now, part.caches, part.home, part.after,
        part.delivers, part.note,
    )  # fmt: skip
    onward = -2
    for i in range(many):
        if not part.delivers[i]:
            continue
        number = int(found.slots[_slot(found, part.after[i])] & NUMBER) - 1
        if calm[number]:
            return -1
        if onward == -2:
            onward = number
            for k in range(length):
                if path[k] == number:
                    onward = -2
                    break
    return onward


@entry
def calm_down(tables, found, part, calm, path, begin, end):
    """Mark states from `begin` to `end` from which arrivals lead to a marked one, and those on the way: how many.

    calm (N,) bool is changed; path (L,) int64 is scratch: where the first arrivals lead no further than L steps, not
    back, and not to a marked state, a state may stay unmarked until called again.
    """
    marked = 0
    for number in range(begin, end):
        if calm[number]:
            continue
        path[0], length = number, 1
        while True:
            onward = _calm_after(tables, found, part, calm, path, length)
            if onward == -1:
                for k in range(length):
                    calm[path[k]] = True
                marked += length
            if onward < 0 or length == path.size:
                break
            path[length] = onward
            length += 1
    return marked


@entry
def name(tables, found, part, state_of, states, begin, names):
    """Write what home and caches are in, as one number each, and how many states stand for the same caches told apart.

    state_of (R,): number of the state of each record, of so many states; names (k,) int64 of states from `begin` on:
    ((home * states + cache) * states + ...) * 2 + (at rest), caches ascending.
    """
    told_apart = 0
    for i in range(names.size):
        unpack(found.states[begin + i], part.home, part.now)
        calm = rests(tables, part.home, part.now)
        orders, same = 1, 0
        for k in range(part.now.size):
            same = same + 1 if k > 0 and part.now[k] == part.now[k - 1] else 1
            orders = orders * (k + 1) // same
        told_apart += orders
        for k in range(part.now.size):
            part.caches[k] = state_of[part.now[k]]
        ascending(part.caches)
        number = part.home[at.STATE]
        for k in range(part.now.size):
            number = number * states + part.caches[k]
        names[i] = number * 2 + calm
    return told_apart
