"""Kernels: the ways on from a state, and the states that they lead to.

Most steps change one cache's record and nothing else, so a way on is told by the hash of the state after it, which
follows from the hash before; the state itself is made only where it is wanted. Called by `_states` and `_rest`.
"""

import numpy as np

from jumpnet.coherence.search import codes as at
from jumpnet.coherence.search._hashes import lane_sums
from jumpnet.coherence.search._steps import (
    MASK,
    ascending,
    chooses,
    home_lane,
    one_way,
    pack,
    serve,
    set_home,
    unpack,
    victim_after,
)
from jumpnet.coherence.search.records import FRESH
from jumpnet.jit.linked import inlined, kernel

__all__ = ["after_step", "arrival", "successors"]


@kernel
def arrival(tables, made):
    """Which kind of message a way on lets arrive: 0 none, 1 the combined acknowledge, then by cache and message."""
    if made[at.BY] < 0:
        return 1 if made[at.ROW] < 0 else 0
    way = tables.ways[made[at.ROW]]
    if way[at.KIND] == at.ITSELF:
        return 0
    return 2 + (2 * made[at.BY] + (1 if way[at.KIND] == at.ARRIVES else 0)) * tables.counted.size + way[at.MESSAGE]


@kernel
def _step(tables, lane, k, row, victim, part):
    """Take a way on from part.now and the home of that lane; part.caches and part.home are after it."""
    home, caches = part.home, part.caches
    for i in range(caches.size):
        caches[i] = part.now[i]
    set_home(home, lane)
    home[at.VICTIM] = victim
    if k >= 0:
        return one_way(tables, tables.ways[row], k, home, caches, part.note)
    if row < 0:
        home[at.JOINED] = 0
    by_itself = tables.last[home[at.STATE]] if row < 0 else tables.alone[home[at.STATE], row]
    return serve(tables, by_itself, -1, FRESH, home, caches, part.note)


@kernel
def _lane(state, place):
    """What a lane of a state holds."""
    return state[place >> 2] >> np.uint64(16 * (place & 3)) & MASK


@kernel
def _put(state, place, number):
    """Let a lane of a state hold a number."""
    shift = np.uint64(16 * (place & 3))
    state[place >> 2] = state[place >> 2] & ~(MASK << shift) | number << shift


@kernel
def _put_record(tables, state, place, caches, number):
    """Let a cache's lane hold another record; the others stay in order, of which it was one, unless told apart."""
    if not tables.apart:
        while place > 1 and _lane(state, place - 1) > number:
            _put(state, place, _lane(state, place - 1))
            place -= 1
        while place < caches and _lane(state, place + 1) < number:
            _put(state, place, _lane(state, place + 1))
            place += 1
    _put(state, place, number)


@kernel
def _is_plain(tables, row, due):
    """Whether a way on changes a record alone, or that and the number of acknowledges to come without the last one.

    Most do: the states after them are the same either way, and this way is quicker.
    """
    changes = tables.ways[row, at.CHANGES]
    return changes == at.ITS_RECORD or (changes == at.AND_DUE and due > 1)


@inlined
def after_step(tables, state, i, part):
    """Make part.after[i], the state after way on number i from this one, where `successors` has not."""
    k, row, after = part.made[i, at.BY], part.made[i, at.ROW], part.after[i]
    if k >= 0 and _is_plain(tables, row, np.int64(state[0] & MASK) >> 3 & 15):
        for w in range(after.size):
            after[w] = state[w]
        after[0] -= np.uint64(at.ONE_DUE * (tables.ways[row, at.CHANGES] == at.AND_DUE))
        _put_record(tables, after, k + 1, part.now.size, np.uint64(tables.ways[row, at.AFTER]))


@kernel
def _note(part, i, k, row, victim, first, second):
    """Write way on number i and the sums of the state after it."""
    part.made[i, at.BY], part.made[i, at.ROW], part.made[i, at.TOLD] = k, row, victim
    part.hashes[i, 0], part.hashes[i, 1] = first, second


@kernel
def _lane_change(found, place, before, after):
    """By how much the two sums change where one lane of a state does."""
    factor = found.factors[place]
    first = factor * (found.weights[after, 0] - found.weights[before, 0])
    return first, factor * (found.weights[after, 1] - found.weights[before, 1])


@kernel
def _note_any(tables, found, lane, i, k, row, victim, part, sums):
    """The same of one that leads to part.caches and part.home, from part.now and the home of that lane; its state."""
    first, second = _lane_change(found, 0, lane, home_lane(part.home))
    for cache in range(part.now.size):
        if part.now[cache] != part.caches[cache]:
            one, two = _lane_change(found, cache + 1, part.now[cache], part.caches[cache])
            first, second = first + one, second + two
    _note(part, i, k, row, victim, sums[0] + first, sums[1] + second)
    if not tables.apart:
        ascending(part.caches)
    pack(home_lane(part.home), part.caches, part.after[i])


@kernel
def _ways_through(tables, found, lane, k, row, part, i, sums):
    """Write a way on of cache k, one for each node that may be told in it, from number i on: (how many, code)."""
    way, begin, victim = tables.ways[row], i, -1
    if chooses(tables, way, lane >> 7, part.now, k):
        victim = victim_after(tables, part.now, k, -1)
        if (way[at.PASSES] == at.GOES_ON and victim < 0) or (way[at.PASSES] == at.ENDS and victim >= 0):
            return 0, at.DONE
    while True:
        code = _step(tables, lane, k, row, victim, part)
        if code != at.DONE:
            return i - begin, code
        _note_any(tables, found, lane, i, k, row, victim, part, sums)
        i += 1
        if victim >= 0:
            victim = victim_after(tables, part.now, k, victim)
        if victim < 0:
            return i - begin, at.DONE


@inlined
def successors(tables, found, state, which, part, begin):
    """The ways on from a state, in the order of `Model.steps`: (how many, DONE, MISSING or FAULTY).

    state (W,) uint64; which: EVERY, ARRIVALS or LAST_ARRIVALS. Written from `begin` on are part.made, by whom, by which
    row and who is told, part.hashes, the sums of the state after it, and part.after, that state itself where more than
    a record changes (else `after_step` makes it); in part.now is the state. With MISSING part.note says (record,
    column) of what is to be filled, and the state is to be begun again; with FAULTY the next step after those found
    makes no sense.
    """
    now, i = part.now, begin
    unpack(state, part.home, now)
    lane, sums = np.int64(state[0] & MASK), lane_sums(found, state)
    home_state, due, joined = part.home[at.STATE], part.home[at.DUE], part.home[at.JOINED]
    busy, fewer = tables.busy[home_state], _lane_change(found, 0, lane, lane - at.ONE_DUE if due > 0 else lane)
    for place in range(now.size):
        k = now.size - 1 - place if which == at.LAST_ARRIVALS else place
        if k > 0 and now[k] == now[k - 1] and not tables.apart:
            continue  # the same cache again, exchanged
        first, many = tables.ways_at[now[k], 0], tables.ways_at[now[k], 1]
        if first < 0:
            part.note[0], part.note[1] = now[k], at.UNKNOWN
            return i - begin, at.MISSING
        for row in range(first, first + many):
            kind = tables.ways[row, at.KIND]
            if not _is_plain(tables, row, due):
                if (kind == at.ASKED and busy) or (kind == at.ITSELF and which != at.EVERY):
                    continue
                more, code = _ways_through(tables, found, lane, k, row, part, i, sums)
                i += more
                if code != at.DONE:
                    return i - begin, code
            elif kind != at.ITSELF or which == at.EVERY:
                one, two = _lane_change(found, k + 1, now[k], tables.ways[row, at.AFTER])
                counts = np.uint64(tables.ways[row, at.CHANGES] == at.AND_DUE)
                _note(part, i, k, row, -1, sums[0] + one + counts * fewer[0], sums[1] + two + counts * fewer[1])
                i += 1
        if which == at.LAST_ARRIVALS and i > begin:
            return i - begin, at.DONE
    for a in range(-1, tables.alone.shape[1]):
        row = tables.last[home_state] if a < 0 else tables.alone[home_state, a]
        if (a < 0 and not joined) or (a >= 0 and (row < 0 or which != at.EVERY)):
            continue
        code = _step(tables, lane, -1, a, -1, part)
        if code != at.DONE:
            return i - begin, code
        _note_any(tables, found, lane, i, -1, a, -1, part, sums)
        i += 1
    return i - begin, at.DONE
