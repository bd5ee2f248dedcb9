"""Kernels: whether arrivals alone bring all states to rest, and a table of them. Called by `states`.

A state is calm when it is known that arrivals alone bring it to rest; a bit of its slot says so.
"""

import numpy as np

from jumpnet.coherence.search import codes as at
from jumpnet.coherence.search._part import BLOCK, END, NEXT_ONE, WRITTEN
from jumpnet.coherence.search._slots import ask_for_slot, ask_for_state, calm_bit, marks, own_slot, slot, told
from jumpnet.coherence.search._steps import ascending, rests, unpack
from jumpnet.coherence.search._successors import after_step, successors
from jumpnet.jit.linked import entry, kernel

__all__ = ["MARKED", "calm_down", "first_restless", "forget", "mark_rest", "tally"]

MARKED = WRITTEN
"""Place in `Part.counts` of how many states were marked."""
NOWHERE = -2
SPREAD = np.uint64(0x9E3779B97F4A7C15)


@kernel
def _is_calm(found, place):
    """Whether the state at a place is marked: arrivals alone lead from it to rest."""
    return found.slots[place] & calm_bit(found) != 0


@kernel
def _own(found, number):
    """The slot of a state that was found."""
    h, mark = told(found, found.states[number])
    return own_slot(found, number, h, mark)


@entry
def mark_rest(tables, found, part, begin, end):
    """Mark those states from `begin` to `end` in which nothing is under way."""
    for number in range(begin, end):
        unpack(found.states[number], part.home, part.now)
        if rests(tables, part.home, part.now):
            found.slots[_own(found, number)] |= calm_bit(found)


@kernel
def _calm_after(tables, found, part, length):
    """Where arrivals lead from the last state of part.path: -1 to a calm one, else the slot of one that is not on the
    path, which is written behind it, NOWHERE if there is none."""
    state = part.path[length - 1]
    many, _ = successors(tables, found, state, at.ARRIVALS, part, 0)
    onward = NOWHERE
    for i in range(many):
        h, mark = marks(found, part.hashes[i, 0], part.hashes[i, 1])
        after_step(tables, state, i, part)
        place = slot(found, h, mark, part.after[i])
        if _is_calm(found, place):
            return -1
        if onward == NOWHERE:
            onward = place
            for k in range(length):
                if part.places[k] == place:
                    onward = NOWHERE
                    break
            if onward >= 0 and length < part.places.size:
                for w in range(part.path.shape[1]):
                    part.path[length, w] = part.after[i, w]
    return onward


@kernel
def _follow(tables, found, part, number, own):
    """Follow arrivals from a state to a calm one, and mark what is on the way: how many."""
    for w in range(part.path.shape[1]):
        part.path[0, w] = found.states[number, w]
    part.places[0], length = own, 1
    while True:
        onward = _calm_after(tables, found, part, length)
        if onward == -1:
            for k in range(length):
                if found.slots[part.places[k]] != 0:  # a state that was missed has none since there are more slots
                    found.slots[part.places[k]] |= calm_bit(found)
            return length
        if onward < 0 or length == part.places.size:
            return 0
        part.places[length] = onward
        length += 1


@kernel
def _last_arrivals(tables, found, part, begin, end):
    """The hashes of a few states, and the last arrival from each, whose slots are prefetched.

    Of all arrivals it leads to a later state most often. Written are part.fresh_hashes, and in part.source the number
    of each state's way on by it, NOWHERE where no message may arrive.
    """
    first = 0
    for i in range(end - begin):
        state = found.states[begin + i]
        h, mark = told(found, state)
        part.fresh_hashes[i, 0], part.fresh_hashes[i, 1] = h, mark
        ask_for_slot(found, h)
        many, _ = successors(tables, found, state, at.LAST_ARRIVALS, part, first)
        first += many
        part.source[i] = first - 1 if many > 0 else NOWHERE
        if many > 0:
            h, mark = marks(found, part.hashes[first - 1, 0], part.hashes[first - 1, 1])
            part.hashes[first - 1, 0], part.hashes[first - 1, 1] = h, mark
            ask_for_slot(found, h)
    for i in range(end - begin):
        way = part.source[i]
        if way >= 0:
            ask_for_state(found, part.hashes[way, 0], part.hashes[way, 1])


@kernel
def _leads_to_calm(tables, found, part, number, i):
    """Whether the arrival from a state, number i of those that were asked for, leads to a calm one."""
    way = part.source[i]
    if way < 0:
        return False
    if found.bits == 0:
        after_step(tables, found.states[number], way, part)
    return _is_calm(found, slot(found, part.hashes[way, 0], part.hashes[way, 1], part.after[way]))


@entry
def calm_down(tables, found, part, begin, end):
    """Mark states from `begin` to `end` from which arrivals lead to a calm one, and those on the way: how many stay.

    How many were marked is in part.counts[MARKED]. Last states first, as arrivals mostly lead to later ones. Where the
    first arrivals lead no further than LONGEST_PATH steps, not back, and not to a calm state, a state may stay
    unmarked until called again.
    """
    left, part.counts[MARKED] = 0, 0
    for last in range(end, begin, -BLOCK):
        first = max(begin, last - BLOCK)
        _last_arrivals(tables, found, part, first, last)
        left_here = 0
        for i in range(last - first - 1, -1, -1):
            own = own_slot(found, first + i, part.fresh_hashes[i, 0], part.fresh_hashes[i, 1])
            if _is_calm(found, own):
                continue
            if _leads_to_calm(tables, found, part, first + i, i):
                found.slots[own] |= calm_bit(found)
                part.counts[MARKED] += 1
            else:
                left_here += 1
        for number in range(last - 1, first - 1, -1):
            if left_here == 0:
                break
            own = _own(found, number)
            if not _is_calm(found, own):
                marked = _follow(tables, found, part, number, own)
                part.counts[MARKED] += marked
                left += marked == 0
    return left


@entry
def first_restless(found):
    """The first state that is not calm, of which there must be one."""
    number = 0
    while _is_calm(found, _own(found, number)):
        number += 1
    return number


@entry
def forget(found):
    """Let no slot say any more that its state is calm."""
    for place in range(found.slots.size):
        found.slots[place] &= ~calm_bit(found)


@entry
def tally(tables, found, part, state_of, states, keys, many):
    """Count states by what home and caches are in; returns how many they are with caches distinguished.

    state_of (R,): number of the state of each record, of so many states; keys (2^k,) int64 and many (2^k,) int64: what
    they are in, -1 where there is none, and how often: ((home * states + cache) * states + ...) * 2 + (at rest), caches
    ascending. They are gone through from part.counts[NEXT_ONE] to part.counts[END], or until keys are half full.
    """
    told_apart, taken, factorial = 0, 0, 1
    for k in range(part.now.size):
        factorial *= k + 1
    while part.counts[NEXT_ONE] < part.counts[END] and 2 * taken < keys.size:
        unpack(found.states[part.counts[NEXT_ONE]], part.home, part.now)
        part.counts[NEXT_ONE] += 1
        calm = rests(tables, part.home, part.now)
        alike, run = 1, 0
        for k in range(part.now.size):
            run = run + 1 if k > 0 and part.now[k] == part.now[k - 1] else 1
            alike *= run
            part.caches[k] = state_of[part.now[k]]
        told_apart += 1 if tables.apart else factorial // alike
        ascending(part.caches)
        key = part.home[at.STATE]
        for k in range(part.now.size):
            key = key * states + part.caches[k]
        key = key * 2 + calm
        place = np.int64(np.uint64(key) * SPREAD >> np.uint64(32)) & (keys.size - 1)
        while keys[place] != key and keys[place] >= 0:
            place = (place + 1) & (keys.size - 1)
        taken += keys[place] < 0
        keys[place] = key
        many[place] += 1
    return told_apart
