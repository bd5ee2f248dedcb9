"""Kernels: all successors of the states found, and checks of all states. Called by `states`."""

import numpy as np

from jumpnet.coherence.search import codes as at
from jumpnet.coherence.search._part import BLOCK, END, FIRST, NEXT_ONE, WRITTEN
from jumpnet.coherence.search._slots import (
    AHEAD,
    ask_for_slot,
    ask_for_state,
    insert,
    is_full,
    marks,
    number_in,
    same,
    slot,
)
from jumpnet.coherence.search._steps import fault_in
from jumpnet.coherence.search._successors import after_step, arrival, successors
from jumpnet.jit.linked import entry, kernel

__all__ = ["FULL", "UNSOUND", "edges", "enter", "expand"]

FULL, UNSOUND = 3, 4
"""Why a search stops, besides the codes of a step: no room, or a state that is a fault itself."""


@kernel
def _ways_on(tables, found, part, first, end):
    """All ways on from a few states: (states done, ways, DONE or why not the next); their slots are prefetched."""
    met = 0
    for number in range(first, end):
        many, code = successors(tables, found, found.states[number], at.EVERY, part, met)
        if fault_in(tables, part.now):
            return number - first, met, UNSOUND
        if code == at.MISSING:
            return number - first, met, code
        part.ways[number - part.counts[FIRST]] = many
        for i in range(met, met + many):
            h, mark = marks(found, part.hashes[i, 0], part.hashes[i, 1])
            part.hashes[i, 0], part.hashes[i, 1] = h, mark
            ask_for_slot(found, h)
            part.source[i] = number
        met += many
        if code != at.DONE:
            return number - first, met, code
    return end - first, met, at.DONE


@kernel
def _met_before(found, part, i, length):
    """Whether part.after[i] is one of the last of `fresh`; else its place there is noted.

    Where hashes stand for states they are enough: what has the same two as another one is found where that one is.
    """
    h, mark = part.hashes[i, 0], part.hashes[i, 1]
    place = np.int64(h >> np.uint64(32)) & (part.recent.size - 1)
    k = part.recent[place]
    if k < length and part.fresh_hashes[k, 0] == h and part.fresh_hashes[k, 1] == mark:
        return found.bits > 0 or same(part.fresh[k], part.after[i])
    part.recent[place] = length
    return False


@entry
def expand(tables, found, part):
    """Go on from a part's states, and write what was not found before: DONE, or why not; found is only read.

    MISSING: part.note says what of the tables; FULL: no room for more; FAULTY: a step from the next state makes no
    sense; UNSOUND: the next state is a fault. Cost: some 40 ns a step, most of it for memory that is not at hand.
    """
    while part.counts[NEXT_ONE] < part.counts[END]:
        first, length = part.counts[NEXT_ONE], part.counts[WRITTEN]
        if length + part.source.size > part.parent.size:
            return FULL
        done, met, code = _ways_on(tables, found, part, first, min(first + BLOCK, part.counts[END]))
        for i in range(met):
            ask_for_state(found, part.hashes[i, 0], part.hashes[i, 1])
        for i in range(met):
            h, mark = part.hashes[i, 0], part.hashes[i, 1]
            if found.bits == 0:
                after_step(tables, found.states[part.source[i]], i, part)
            if found.slots[slot(found, h, mark, part.after[i])] != 0 or _met_before(found, part, i, length):
                continue
            if found.bits > 0:
                after_step(tables, found.states[part.source[i]], i, part)
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


@entry
def edges(tables, found, part, first, target, arrived):
    """Write all ways on between distinguished states, those of state i from first[i] to first[i + 1]: DONE, or why not.

    first (N + 1,) int64, target (E,) int32 and arrived (E,) int32, as `arrival` says, for E steps of N states.
    """
    length = 0
    for number in range(first.size - 1):
        many, code = successors(tables, found, found.states[number], at.EVERY, part, 0)
        if code != at.DONE:
            return code
        for i in range(many):
            h, mark = marks(found, part.hashes[i, 0], part.hashes[i, 1])
            after_step(tables, found.states[number], i, part)
            target[length] = number_in(found.slots[slot(found, h, mark, part.after[i])])
            arrived[length] = arrival(tables, part.made[i])
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
