"""Kernels of the graph by outlooks: follow one source an orbit, place what was seen everywhere.

Called by `outlooks`; see `Routing.outlook`. Twin: the walk over all sources, compared in `tests/twin`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.walks.packet_walk import (
    ADAPTIVE,
    CHOICES,
    ESCAPES,
    FAILURE,
    FULL,
    NODES,
    STATES,
    STUCK,
    walk,
)
from jumpnet.analysis.deadlock.walks.waits import add_wait
from jumpnet.jit.linked import entry, kernel
from jumpnet.routings.view import ESCAPE, KIND, MAX_CANDIDATES, NEXT_STATE, PORT, STATE, VC, call

__all__ = ["collect", "place"]


@kernel
def _add(table, seen, orbit, look, state):
    """Add (orbit, look) with a state that has it; False when there is no room left. seen[-1, 0] counts them."""
    size = table.size
    slot = ((look ^ (look >> 29) ^ (orbit << 7)) & 0x7FFFFFFF) * 0x45D9F3B >> 8 & (size - 1)
    while table[slot] != 0:
        i = table[slot] - 1
        if seen[i, 0] == orbit and seen[i, 1] == look:
            return True
        slot = (slot + 1) & (size - 1)
    last = seen.shape[0] - 1
    n = seen[last, 0]
    if n == last:
        return False
    seen[n, 0], seen[n, 1], seen[n, 2] = orbit, look, state
    seen[last, 0] = n + 1
    table[slot] = n + 1
    return True


@entry
def collect(relation, start, outlook, view, job, nodes, space, sinks, at, label, table, seen):
    """Walk from job.sources to sinks[at:]; adds every (orbit, outlook) met to `seen` (M + 1, 3), with a state.

    Returns the position reached: short of the end when a packet failed or an array was too small.
    """
    counters, head = space.counters, space.head
    for i in range(at, sinks.size):
        walk(relation, start, view, job, nodes, space, np.int64(-1), np.int64(sinks[i]))
        if counters[FULL] != 0 or counters[FAILURE] != 0:
            return i
        for n in range(counters[NODES]):
            if nodes.first[n] == nodes.first[n + 1]:
                continue
            here, head[STATE] = nodes.key[n, 3], nodes.key[n, 1]
            look = call(outlook, view, here, head, space.out)
            if not _add(table, seen, np.int64(label[here]), look, nodes.key[n, 1]):
                return i
        counters[STATES] += counters[NODES]
    return sinks.size


@kernel(allocates=True)
def _asked(relation, view, space, here, state, offset, port, mask):
    """Candidates of a packet at `here`, counted: offset (K,), port (K,), mask (K, W) of what follows each.

    Offset and bits are port * vcs + vc; -1 - offset for ESCAPE.
    """
    vcs, head, out, counters = view.vcs, space.head, space.out, space.counters
    after = np.zeros(MAX_CANDIDATES, np.int64)
    head[STATE] = state
    found = call(relation, view, here, head, out)
    for j in range(found):
        port[j], after[j] = out[j, PORT], out[j, NEXT_STATE]
        offset[j] = port[j] * vcs + out[j, VC]
        if out[j, KIND] & ESCAPE != 0:
            counters[ESCAPES], offset[j] = 1, -1 - offset[j]
        if j > 0:
            counters[CHOICES] = 1
        if port[j] != port[0]:
            counters[ADAPTIVE] = 1
    for j in range(found):
        if j > 0 and port[j] == port[j - 1] and after[j] == after[j - 1]:
            for w in range(mask.shape[1]):
                mask[j, w] = mask[j - 1, w]
            continue
        mask[j] = 0
        head[STATE] = after[j]
        for k in range(call(relation, view, int(view.neighbor[here, port[j]]), head, out)):
            bit = out[k, PORT] * vcs + out[k, VC]
            mask[j, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
    return found


@entry(allocates=True)
def place(relation, outlook, view, space, label, members, seen, begin, end, bits, used, escape, waits):
    """For outlooks begin..end-1 of `seen` at all routers of their orbit: OR dependencies into bits, used and escape.

    Adds what packets wait for to `waits`, if it has lists; returns the outlook reached, short of `end` without room.

    `members` (R,) lists the routers orbit by orbit, each orbit from its representative on (see `label`). The
    relation is asked at one router of each set that the outlook says is alike.
    """
    routers, dimensions, words = members.size, view.coord.shape[1], bits.shape[1]
    channels = view.neighbor.shape[1] * view.vcs
    head, out = space.head, space.out
    offset, port = np.zeros(MAX_CANDIDATES, np.int64), np.zeros(MAX_CANDIDATES, np.int64)
    mask, box = np.zeros((MAX_CANDIDATES, words), np.uint64), np.zeros((dimensions, 2), np.int64)
    done = np.full(routers, -1, np.int64)
    for i in range(begin, end):
        orbit, state = seen[i, 0], seen[i, 2]
        first = 0
        while members[first] != orbit:
            first += 1
        for m in range(first, routers):
            here = int(members[m])
            if label[here] != orbit:
                break
            if done[m] == i:
                continue
            head[STATE] = state
            call(outlook, view, here, head, out)
            for d in range(dimensions):
                box[d, 0], box[d, 1] = out[d, 0], out[d, 1]
            found = _asked(relation, view, space, here, state, offset, port, mask)
            if found < 0:
                space.counters[FAILURE] = STUCK
                return i
            for k in range(m, routers):
                r = np.int64(members[k])
                if label[r] != orbit:
                    break
                inside = done[k] != i
                for d in range(dimensions):
                    inside = inside and box[d, 0] <= view.coord[r, d] <= box[d, 1]
                if not inside:
                    continue
                if waits.first.size > 0 and waits.used[0] + found > waits.after.size:
                    return i
                done[k] = i
                for j in range(found):
                    channel = r * channels + (offset[j] if offset[j] >= 0 else -1 - offset[j])
                    used[channel] = 1
                    if offset[j] < 0:
                        escape[channel] = 1
                    for w in range(words):
                        bits[channel, w] |= mask[j, w]
                    if waits.first.size > 0:
                        add_wait(waits, channel, mask[j])
    return end
