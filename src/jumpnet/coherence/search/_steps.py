"""Kernels: what a step does to a state, by the tables of the protocol.

A state is W words of 64 bits: the home in the lowest sixteen, then the numbers of the caches' records, ascending. In
a kernel's hands it is home (5,) int64, as `codes` says, and caches (n,) int64. Called by `_successors`; the same rules
in words are `model`, from which the tables are filled.
"""

import numpy as np

from jumpnet.coherence.search import codes as at
from jumpnet.coherence.search.records import FRESH, NEXT, STALE
from jumpnet.jit.linked import kernel

__all__ = [
    "MASK", "ascending", "chooses", "fault_in", "home_lane", "one_way", "pack", "rests", "serve", "set_home", "unpack",
    "victim_after",
]  # fmt: skip

MASK = np.uint64(0xFFFF)


@kernel
def set_home(home, number):
    """Write the home's lane of a state into home."""
    home[at.STATE], home[at.DUE] = number >> 7, number >> 3 & 15
    home[at.MEMORY], home[at.JOINED] = number >> 1 & 3, number & 1


@kernel
def home_lane(home):
    """The lane of a home."""
    return home[at.STATE] << 7 | home[at.DUE] << 3 | home[at.MEMORY] << 1 | home[at.JOINED]


@kernel
def unpack(state, home, caches):
    """Write a state (W,) uint64 into home and caches."""
    word = state[0]
    set_home(home, np.int64(word & MASK))
    for k in range(caches.size):
        place = k + 1
        word = state[place >> 2] if place & 3 == 0 else word >> np.uint64(16)
        caches[k] = np.int64(word & MASK)


@kernel
def ascending(numbers):
    """Put a few numbers in order."""
    for k in range(1, numbers.size):
        moving, i = numbers[k], k
        while i > 0 and numbers[i - 1] > moving:
            numbers[i] = numbers[i - 1]
            i -= 1
        numbers[i] = moving


@kernel
def pack(lane, caches, state):
    """Write the home's lane and caches into a state (W,) uint64."""
    word = np.uint64(lane)
    for k in range(caches.size):
        place = k + 1
        if place & 3 == 0:
            state[(place >> 2) - 1] = word
            word = np.uint64(0)
        word |= np.uint64(caches[k]) << np.uint64(16 * (place & 3))
    state[state.size - 1] = word


@kernel
def fault_in(tables, caches):
    """Whether the caches of a state are a fault: a stale value that can be read, a writer beside another copy, or more
    nodes listed than there are pointers."""
    readers, writers, named = 0, 0, 0
    for k in range(caches.size):
        flags = tables.flags[caches[k]]
        named += flags & at.LISTED != 0
        if flags & at.WRONG_ALONE:
            return True
        readers += flags & at.READABLE != 0
        writers += flags & at.READABLE != 0 and flags & at.WRITABLE != 0
    return (readers > 1 and writers > 0) or (tables.pointers > 0 and named > tables.pointers)


@kernel
def rests(tables, home, caches):
    """Whether nothing is under way and no cache waits."""
    if tables.busy[home[at.STATE]] or home[at.JOINED]:
        return False
    quiet = True
    for k in range(caches.size):
        quiet &= tables.flags[caches[k]] & at.AT_REST != 0
    return quiet


@kernel
def _change(tables, caches, k, column, note):
    """Let what the column says happen to cache k; note (2,) says what is missing."""
    after = tables.step[caches[k], column]
    if after >= 0:
        caches[k] = after
        return at.DONE
    if after == at.WRONG:
        return at.FAULTY
    note[0], note[1] = caches[k], column
    return at.MISSING


@kernel
def _first(tables, caches, flag):
    """The first of the caches (caches,), by number of record, whose record has a flag; -1 where none has."""
    for k in range(caches.size):
        if tables.flags[caches[k]] & flag:
            return k
    return -1


@kernel
def _told_by(tables, action, message, k, value, home, caches):
    """(cache, column) of an action that one cache hears of; -1 where there is no such cache."""
    asker = _first(tables, caches, at.WAITS)
    if action == at.ASKS:
        return k if asker in (-1, k) else -1, at.ASK
    if action == at.ACKNOWLEDGE:
        return k, at.DOWN + 3 * message + FRESH
    if action == at.FETCH:
        return _first(tables, caches, at.OWNER), at.DOWN + 3 * message + FRESH
    line = home[at.MEMORY] if action == at.REPLY else value
    return asker, at.DOWN + 3 * message + line


@kernel
def _tell_victim(tables, message, home, caches, note):
    """The cache whose pointer is taken hears of it, if there is one, and is listed no longer."""
    victim = home[at.VICTIM]
    home[at.DUE] = victim >= 0
    if victim < 0:
        return at.DONE
    code = _change(tables, caches, victim, at.DOWN + 3 * message + FRESH, note)
    return code if code != at.DONE else _change(tables, caches, victim, at.UNLIST, note)


@kernel
def _multicast(tables, message, home, caches, note):
    """All caches that are listed hear of it, but the one that asked."""
    asker = _first(tables, caches, at.WAITS)
    home[at.DUE] = 0
    for i in range(caches.size):
        if i != asker and tables.flags[caches[i]] & at.LISTED:
            home[at.DUE] += 1
            code = _change(tables, caches, i, at.DOWN + 3 * message + FRESH, note)
            if code != at.DONE:
                return code
    return at.DONE


@kernel
def _all_know(tables, action, k, caches, note):
    """What the home notes of each cache."""
    asker = _first(tables, caches, at.WAITS)
    for i in range(caches.size):
        column = at.KNOWN + 4 * (action - at.KNOWS) + 2 * (i == asker) + (i == k)
        code = _change(tables, caches, i, column, note)
        if code != at.DONE:
            return code
    return at.DONE


@kernel
def _act(tables, action, message, k, value, home, caches, note):
    """One action of the home's table; k sent the message, -1 where there is no sender."""
    if action == at.STORE:
        home[at.MEMORY] = value
        return at.DONE
    if action == at.MERGE:
        if home[at.MEMORY] == FRESH:
            home[at.MEMORY] = NEXT
        return at.DONE
    if action == at.TELL:
        return _tell_victim(tables, message, home, caches, note)
    if action == at.MULTICAST:
        return _multicast(tables, message, home, caches, note)
    if action in (at.ASKS, at.ACKNOWLEDGE, at.FETCH, at.REPLY, at.FORWARD):
        told, column = _told_by(tables, action, message, k, value, home, caches)
        return _change(tables, caches, told, column, note) if told >= 0 else at.FAULTY
    return _all_know(tables, action, k, caches, note)


@kernel
def serve(tables, row, k, value, home, caches, note):
    """What a row of the home's table does, and the row after the last acknowledge where none is to come."""
    for _ in range(tables.following.size + 1):
        if row < 0:
            return at.FAULTY
        tables.used[row] = 1
        for a in range(tables.actions.shape[1]):
            action = tables.actions[row, a, 0]
            if action < 0:
                break
            code = _act(tables, action, tables.actions[row, a, 1], k, value, home, caches, note)
            if code != at.DONE:
                return code
        home[at.STATE] = tables.following[row]
        if not tables.busy[home[at.STATE]]:
            for i in range(caches.size):
                if tables.flags[caches[i]] & at.WAITS:
                    code = _change(tables, caches, i, at.SERVED, note)
                    if code != at.DONE:
                        return code
        row, k, value = tables.last[home[at.STATE]], -1, FRESH
        if home[at.DUE] > 0 or home[at.JOINED] or row < 0:
            return at.DONE
    return at.FAULTY


@kernel
def _row_for(tables, home_state, caches, k, message):
    """The home's row for a message of cache k."""
    alone, taken = 1, 0
    for i in range(caches.size):
        flags = tables.flags[caches[i]]
        taken += flags & at.LISTED != 0
        if i != k and flags & (at.LISTED | at.OWNER):
            alone = 0
    own = tables.flags[caches[k]]
    full = 1 if tables.pointers > 0 and taken >= tables.pointers and not own & at.LISTED else 0
    return tables.row[home_state, message, 1 if own & at.OWNER else 0, alone, full]


@kernel
def chooses(tables, way, home_state, caches, k):
    """Whether one of those listed is chosen in a step: by a cache that passes a message on, or by a row of the home."""
    if way[at.KIND] < at.ASKED:
        return way[at.PASSES] != 0
    if not tables.chooses or tables.counted[way[at.MESSAGE]]:
        return False
    row = _row_for(tables, home_state, caches, k, way[at.MESSAGE])
    return row >= 0 and tables.tells[row]


@kernel
def victim_after(tables, caches, k, v):
    """The next cache after v that may be chosen, -1 for none. Of equal ones the first, unless they are told apart."""
    for i in range(v + 1, caches.size):
        equal = not tables.apart and i > 0 and i - 1 != k and caches[i] == caches[i - 1]
        if i != k and not equal and tables.flags[caches[i]] & (at.LISTED | at.WAITS) == at.LISTED:
            return i
    return -1


@kernel
def _pass_on(tables, way, k, to, caches, note):
    """Cache k hands a message on to another one."""
    if way[at.AFTER] < 0:
        return at.FAULTY
    caches[k] = way[at.AFTER]
    return _change(tables, caches, to, tables.side + way[at.MESSAGE], note)


@kernel
def one_way(tables, way, k, home, caches, note):
    """A way on, with the victim that `home` names."""
    if way[at.PASSES] == at.GOES_ON:
        return _pass_on(tables, way, k, home[at.VICTIM], caches, note)
    if way[at.KIND] >= at.ASKED:
        return _at_home(tables, way, k, home, caches, note)
    return _at_cache(tables, way, k, home, caches, note)


@kernel
def _at_home(tables, way, k, home, caches, note):
    """A message of cache k arrives at the home."""
    message = way[at.MESSAGE]
    caches[k] = way[at.AFTER]
    if tables.counted[message]:
        if home[at.DUE] == 0:
            return at.FAULTY
        home[at.DUE] -= 1
        if home[at.DUE] > 0:
            return at.DONE
        return serve(tables, tables.last[home[at.STATE]], -1, FRESH, home, caches, note)
    return serve(tables, _row_for(tables, home[at.STATE], caches, k, message), k, way[at.VALUE], home, caches, note)


@kernel
def _at_cache(tables, way, k, home, caches, note):
    """Something happens at cache k: of itself, or by a message that arrives."""
    if way[at.AFTER] < 0:
        return at.FAULTY
    caches[k] = way[at.AFTER]
    if way[at.TELLS] > 0:
        commit = way[at.TELLS] - 1
        for i in range(caches.size):
            code = _change(tables, caches, i, at.OLDER + (1 if i == k else commit), note)
            if code != at.DONE:
                return code
        home[at.MEMORY] = FRESH if commit and home[at.MEMORY] == NEXT else STALE
    joins = way[at.JOINS]
    if joins > home[at.DUE]:
        return at.FAULTY
    if joins > 0:
        home[at.DUE] -= joins
        home[at.JOINED] = home[at.DUE] == 0
    return at.DONE
