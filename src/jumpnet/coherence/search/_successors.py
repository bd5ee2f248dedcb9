"""Kernels: the ways on from a state, and the states that they lead to.

Most steps change one cache's record and nothing else, so a way on is told by the hash of the state after it, which
follows from the hash before; the state itself is made only where it is wanted. Called by `_states` and `_rest`.
"""

from __future__ import annotations

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
    home[at.JOINED] = 0
    by_itself = tables.last[home[at.STATE]] if row < 0 else tables.alone[home[at.STATE], row]
    return serve(tables, by_itself, -1, FRESH, home, caches, part.note)


@kernel
def _put_in_order(numbers, k):
    """Put numbers in order of which all but the one in place k are."""
    moving = numbers[k]
    while k > 0 and numbers[k - 1] > moving:
        numbers[k] = numbers[k - 1]
        k -= 1
    while k + 1 < numbers.size and numbers[k + 1] < moving:
        numbers[k] = numbers[k + 1]
        k += 1
    numbers[k] = moving


@kernel
def _is_plain(tables, row, due):
    """Whether a way on changes a record alone, or that and the number of acknowledges to come without the last one."""
    changes = tables.ways[row, at.CHANGES]
    return changes == at.ITS_RECORD or (changes == at.AND_DUE and due > 1)


@kernel
def _after_any_step(tables, state, made, part):
    """The same as `after_step`, whatever the step changes."""
    unpack(state, part.home, part.now)
    _step(tables, np.int64(state[0] & MASK), made[at.BY], made[at.ROW], made[at.TOLD], part)
    if not tables.apart:
        ascending(part.caches)
    pack(home_lane(part.home), part.caches, part.after)


@inlined
def after_step(tables, state, made, part):
    """Write the state that a way on from this one leads to into part.after."""
    k, row, lane = made[at.BY], made[at.ROW], np.int64(state[0] & MASK)
    if k >= 0 and _is_plain(tables, row, lane >> 3 & 15):
        caches = part.caches
        unpack(state, part.home, caches)
        caches[k] = tables.ways[row, at.AFTER]
        if not tables.apart:
            _put_in_order(caches, k)
        pack(lane - at.ONE_DUE * (tables.ways[row, at.CHANGES] == at.AND_DUE), caches, part.after)
    else:
        _after_any_step(tables, state, made, part)


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
def _changed(found, lane, part, sums):
    """The sums of the state in part.caches and part.home, by those of part.now and the home of that lane."""
    first, second = _lane_change(found, 0, lane, home_lane(part.home))
    for i in range(part.now.size):
        if part.now[i] != part.caches[i]:
            one, two = _lane_change(found, i + 1, part.now[i], part.caches[i])
            first, second = first + one, second + two
    return sums[0] + first, sums[1] + second


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
        first, second = _changed(found, lane, part, sums)
        _note(part, i, k, row, victim, first, second)
        i += 1
        if victim >= 0:
            victim = victim_after(tables, part.now, k, victim)
        if victim < 0:
            return i - begin, at.DONE


@inlined
def successors(tables, found, state, which, part, begin):
    """The ways on from a state, in the order of `Model.steps`: (how many, DONE, MISSING or FAULTY).

    state (W,) uint64; which: EVERY, ARRIVALS or LAST_ARRIVALS. Written from `begin` on are part.made, by whom, by which
    row and who is told, and part.hashes, the sums of the state after it; in part.now is the state. With MISSING
    part.note says (record, column) of what is to be filled, and the state is to be begun again; with FAULTY the next
    step after those found makes no sense.
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
        one, two = _changed(found, lane, part, sums)
        _note(part, i, -1, a, -1, one, two)
        i += 1
    return i - begin, at.DONE
