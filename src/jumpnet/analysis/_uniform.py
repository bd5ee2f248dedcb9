"""Kernels of the dependency graph of a uniform routing: follow one source per orbit, place what was seen everywhere.

Called by `dependency`; see `Routing.outlook`. Twin: the walk over all sources, compared in `tests/twin`.
"""

from __future__ import annotations

import numpy as np

from jumpnet._jit import borrow, jit
from jumpnet.analysis._walk import ADAPTIVE, CHOICES, ESCAPES, FAILURE, FULL, NODES, STATES, STUCK, lend, walk
from jumpnet.routing._view import KIND, NEXT_STATE, PORT, STATE, VC, call

__all__ = ["collect", "place"]


@jit
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


@jit
def collect(relation, start, outlook, view, job, nodes, space, sinks, at, label, table, seen):
    """Walk from job.sources to sinks[at:]; adds every (orbit, outlook) met to `seen` (M + 1, 3), with a state.

    Returns the position reached: short of the end when a packet failed or an array was too small.
    """
    view, job, nodes, space = lend(view, job, nodes, space)
    label, table, seen = borrow(label), borrow(table), borrow(seen)
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


@jit
def place(relation, view, job, nodes, space, label, seen, count, begin, end, bits, used, escape):
    """For routers begin..end-1 and every outlook of their orbit: OR dependencies into bits, used and escape."""
    view, job, nodes, space = lend(view, job, nodes, space)
    label, seen, bits = borrow(label), borrow(seen), borrow(bits)
    used, escape = borrow(used), borrow(escape)
    ports, vcs = view.neighbor.shape[1], view.vcs
    head, out, counters = space.head, space.out, space.counters
    mask = np.zeros(bits.shape[1], np.uint64)
    own = np.zeros((128, 4), np.int64)
    for here in range(begin, end):
        for i in range(count):
            if seen[i, 0] != label[here]:
                continue
            head[STATE] = seen[i, 2]
            found = call(relation, view, here, head, out)
            if found < 0:
                counters[FAILURE] = STUCK
                return
            own[:found] = out[:found]
            for j in range(found):
                port = own[j, PORT]
                channel = (here * ports + port) * vcs + own[j, VC]
                used[channel] = 1
                if own[j, KIND] != 0:
                    escape[channel] = 1
                    counters[ESCAPES] = 1
                if j > 0:
                    counters[CHOICES] = 1
                if port != own[0, PORT]:
                    counters[ADAPTIVE] = 1
                if j == 0 or port != own[j - 1, PORT] or own[j, NEXT_STATE] != own[j - 1, NEXT_STATE]:
                    mask[:] = 0
                    head[STATE] = own[j, NEXT_STATE]
                    for k in range(call(relation, view, int(view.neighbor[here, port]), head, out)):
                        bit = out[k, PORT] * vcs + out[k, VC]
                        mask[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
                for w in range(mask.size):
                    bits[channel, w] |= mask[w]
