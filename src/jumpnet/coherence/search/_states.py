"""Kernels: all successors of the states found, and checks of all states. Called by `states`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.coherence.search import codes as at
from jumpnet.coherence.search._slots import AHEAD, ask_for_slot, ask_for_state, insert, is_full, marks, number_in, slot
from jumpnet.coherence.search._steps import ascending, fault_in, rests, successors, unpack
from jumpnet.jit.linked import entry, kernel
from jumpnet.terms import I32, I64, Array

__all__ = [
    "FIRST",
    "FULL",
    "LONGEST_PATH",
    "NEXT_ONE",
    "UNSOUND",
    "WRITTEN",
    "Part",
    "calm_down",
    "edges",
    "enter",
    "expand",
    "first_restless",
    "mark_rest",
    "name",
    "new_part",
]

FULL, UNSOUND = 3, 4
"""Why a search stops, besides the codes of a step: no room, or a state that is a fault itself."""
NEXT_ONE, END, WRITTEN, FIRST = 0, 1, 2, 3
LONGEST_PATH = 256
ALL = -1
"""Of the ways on."""
BLOCK = 8
"""States whose ways on are made before one of them is looked for."""


class Part(NamedTuple):
    """What one thread works with: some states in a row to go on from, and what it met after them."""

    fresh: Array
    """(F, W) uint64 states that were not found before, in order; some stand twice."""
    parent: I32
    """(F,) what each comes from."""
    counts: I64
    """The next state to go on from, the end, how many of `fresh` are written, the first."""
    ways: I64
    """(C,) ways on from each state, the first one's first."""
    now: I64
    """(n,) part, as what follows; see `successors`."""
    caches: I64
    home: I64
    after: Array
    delivers: Array
    note: I64
    hashes: Array
    """(K, 2) uint64 of the states of `after`, as `marks` has them."""
    source: I64
    """(K,) the states before them."""
    fresh_hashes: Array
    """(F, 2) uint64 of the states of `fresh`."""
    path: Array
    """(LONGEST_PATH, W) uint64, states one after the other."""


def new_part(caches: int, most: int, states: int, fresh: int) -> Part:
    """Room for so many states of that many caches, with at most `most` ways on, and for what is met."""
    words, block = caches // 4 + 1, BLOCK * most
    room = fresh + block
    return Part(
        np.zeros((room, words), np.uint64), np.zeros(room, np.int32), np.zeros(4, np.int64), np.zeros(states, np.int64),
        np.zeros(caches, np.int64), np.zeros(caches, np.int64), np.zeros(at.HOME, np.int64),
        np.zeros((block, words), np.uint64), np.zeros(block, np.int64), np.zeros(2, np.int64),
        np.zeros((block, 2), np.uint64), np.zeros(block, np.int64), np.zeros((room, 2), np.uint64),
        np.zeros((LONGEST_PATH, words), np.uint64),
    )  # fmt: skip


@kernel
def _ways_on(tables, found, part, apart, first, end):
    """All ways on from a few states: (states done, ways, DONE or why not the next); their slots are prefetched."""
    met = 0
    for number in range(first, end):
        state = found.states[number]
        unpack(state, part.home, part.now)
        if fault_in(tables, part.now):
            return number - first, met, UNSOUND
        many, code = successors(
            tables, state, False, ALL, apart, part.now, part.caches, part.home, part.after[met:], part.delivers[met:],
            part.note,
        )  # fmt: skip
        if code == at.MISSING:
            return number - first, met, code
        part.ways[number - part.counts[FIRST]] = many
        for i in range(met, met + many):
            part.hashes[i, 0], part.hashes[i, 1] = marks(found, part.after[i])
            ask_for_slot(found, part.hashes[i, 0])
            part.source[i] = number
        met += many
        if code != at.DONE:
            return number - first, met, code
    return end - first, met, at.DONE


@entry
def expand(tables, found, part, apart):
    """Go on from a part's states, and write what was not found before: DONE, or why not; found is only read.

    MISSING: part.note says what of the tables; FULL: no room for more; FAULTY: a step from the next state makes no
    sense; UNSOUND: the next state is a fault. Cost: some 100 ns a step, most of it for memory that is not at hand.
    """
    while part.counts[NEXT_ONE] < part.counts[END]:
        first, length = part.counts[NEXT_ONE], part.counts[WRITTEN]
        if length + part.source.size > part.parent.size:
            return FULL
        done, met, code = _ways_on(tables, found, part, apart, first, min(first + BLOCK, part.counts[END]))
        for i in range(met):
            ask_for_state(found, part.hashes[i, 0], part.hashes[i, 1])
        for i in range(met):
            h, mark = part.hashes[i, 0], part.hashes[i, 1]
            if found.slots[slot(found, h, mark, part.after[i])] == 0:
                for w in range(part.fresh.shape[1]):
                    part.fresh[length, w] = part.after[i, w]
                part.parent[length] = part.source[i]
                part.fresh_hashes[length, 0], part.fresh_hashes[length, 1] = h, mark
                length += 1
        part.counts[WRITTEN] = length
        part.counts[NEXT_ONE] += done
        if code != at.DONE:
            return code
    return at.DONE


@kernel
def _number(found, state):
    """The number of a state that was found, where states are compared whole."""
    h, mark = marks(found, state)
    return number_in(found.slots[slot(found, h, mark, state)])


@entry
def edges(tables, found, part, first, target, arrived):
    """Write all ways on between distinguished states, those of state i from first[i] to first[i + 1]: DONE, or why not.

    first (N + 1,) int64, target (E,) int32 and arrived (E,) int32, as `successors` says, for E steps of N states.
    """
    length = 0
    for number in range(first.size - 1):
        many, code = successors(
            tables, found.states[number], False, ALL, True, part.now, part.caches, part.home, part.after,
            part.delivers, part.note,
        )  # fmt: skip
        if code != at.DONE:
            return code
        for i in range(many):
            target[length] = _number(found, part.after[i])
            arrived[length] = part.delivers[i]
            length += 1
        first[number + 1] = length
    return at.DONE


@entry
def enter(found, part):
    """Give what a part met the next numbers: 0, or 1 where there must be more slots before the part goes on.

    There must be room for all of them but in the slots. More slots come after a state that fills them and before the
    next is gone on from, whatever the threads: what meets an equal hash depends on the slots, and what came of the
    states after that one was looked for in the old slots. So the part has to go on from there again.
    """
    end = part.counts[WRITTEN]
    part.counts[WRITTEN] = 0
    for i in range(end):
        if i > 0 and part.parent[i] != part.parent[i - 1] and is_full(found):
            part.counts[NEXT_ONE] = part.parent[i - 1] + 1
            return 1
        if i + AHEAD < end:
            ask_for_slot(found, part.fresh_hashes[i + AHEAD, 0])
        state, h, mark = part.fresh[i], part.fresh_hashes[i, 0], part.fresh_hashes[i, 1]
        place = slot(found, h, mark, state)
        if found.slots[place] == 0:
            insert(found, h, mark, place, state, part.parent[i])
    if end > 0 and is_full(found):
        part.counts[NEXT_ONE] = part.parent[end - 1] + 1
        return 1
    return 0


@kernel
def _place(found, state):
    """Where it stands whether arrivals lead from a state to rest: at its number, or at its slot where that has none."""
    h, mark = marks(found, state)
    place = slot(found, h, mark, state)
    return place if found.bits > 0 else number_in(found.slots[place])


@entry
def mark_rest(tables, found, part, calm):
    """Mark the states in which nothing is under way; calm (N,) bool, or as many as there are slots (`_place`)."""
    for number in range(found.total[0]):
        unpack(found.states[number], part.home, part.now)
        if rests(tables, part.home, part.now):
            calm[_place(found, found.states[number]) if found.bits > 0 else number] = True


@kernel
def _calm_after(tables, found, part, calm, places, length):
    """Where arrivals lead from the last of some states: -1 to a marked one, else the place of one that is not among
    them, which is written behind them, -2 if there is none."""
    many, _ = successors(
        tables, part.path[length - 1], True, ALL, False, part.now, part.caches, part.home, part.after, part.delivers,
        part.note,
    )  # fmt: skip
    onward = -2
    for i in range(many):
        if not part.delivers[i]:
            continue
        place = _place(found, part.after[i])
        if calm[place]:
            return -1
        if onward == -2:
            onward = place
            for k in range(length):
                if places[k] == place:
                    onward = -2
                    break
            if onward >= 0 and length < places.size:
                for w in range(part.path.shape[1]):
                    part.path[length, w] = part.after[i, w]
    return onward


@kernel
def _own_places(found, part, begin, end):
    """Where it stands whether a few states come to rest (`_place`), in `part.source`."""
    for i in range(end - begin):
        part.source[i] = begin + i
        if found.bits > 0:
            part.hashes[i, 0], part.hashes[i, 1] = marks(found, found.states[begin + i])
            ask_for_slot(found, part.hashes[i, 0])
    for i in range(end - begin):
        if found.bits > 0:
            part.source[i] = slot(found, part.hashes[i, 0], part.hashes[i, 1], found.states[begin + i])


@kernel
def _calm_by_first(tables, found, part, calm, begin, end):
    """Mark those of a few states whose first arrival leads to a marked one: how many.

    Most that come to rest are among them, and what is looked up is prefetched for all first.
    """
    _own_places(found, part, begin, end)
    many = 0
    for i in range(end - begin):
        if calm[part.source[i]]:
            continue
        met, _ = successors(
            tables, found.states[begin + i], True, 1, False, part.now, part.caches, part.home, part.after[many:],
            part.delivers[many:], part.note,
        )  # fmt: skip
        if met > 0:
            part.source[many] = part.source[i]
            part.hashes[many, 0], part.hashes[many, 1] = marks(found, part.after[many])
            ask_for_slot(found, part.hashes[many, 0])
            many += 1
    for i in range(many):
        ask_for_state(found, part.hashes[i, 0], part.hashes[i, 1])
    marked = 0
    for i in range(many):
        place = slot(found, part.hashes[i, 0], part.hashes[i, 1], part.after[i])
        if calm[place if found.bits > 0 else number_in(found.slots[place])] and not calm[part.source[i]]:
            calm[part.source[i]] = True
            marked += 1
    return marked


@entry
def calm_down(tables, found, part, calm, places, begin, end):
    """Mark states from `begin` to `end` from which arrivals lead to a marked one, and those on the way: how many.

    calm as for `mark_rest` is changed; places (L,) int64 is scratch: where the first arrivals lead no further than L
    steps, not back, and not to a marked state, a state may stay unmarked until called again.
    """
    marked = 0
    for number in range(end - 1, begin - 1, -1):
        if (end - 1 - number) % BLOCK == 0:
            marked += _calm_by_first(tables, found, part, calm, max(begin, number + 1 - BLOCK), number + 1)
        place = _place(found, found.states[number]) if found.bits > 0 else number
        if calm[place]:
            continue
        places[0], length = place, 1
        for w in range(part.path.shape[1]):
            part.path[0, w] = found.states[number, w]
        while True:
            onward = _calm_after(tables, found, part, calm, places, length)
            if onward == -1:
                for k in range(length):
                    calm[places[k]] = True
                marked += length
            if onward < 0 or length == places.size:
                break
            places[length] = onward
            length += 1
    return marked


@entry
def first_restless(found, calm):
    """The first state that is not marked, -1 where there is none; calm as for `mark_rest`."""
    for number in range(found.total[0]):
        if not calm[_place(found, found.states[number]) if found.bits > 0 else number]:
            return number
    return -1


@entry
def name(tables, found, part, state_of, states, begin, names):
    """Write what home and caches are in, as one number each, and how many states it is with caches distinguished.

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
