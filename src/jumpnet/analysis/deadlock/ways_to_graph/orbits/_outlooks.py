"""Kernels of the graph by outlooks: follow one source an orbit, place what was seen everywhere.

Called by `outlooks`; see `Routing.outlook`. Twin: the walk over all sources, compared in `tests/twin`.
"""

from __future__ import annotations

from typing import NamedTuple

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
from jumpnet.terms import I32, I64, Array

__all__ = ["Looks", "collect", "place"]


class Looks(NamedTuple):
    """The outlooks of packets that were met, by orbit."""

    label: I64
    """(R,) the orbit of each router, which is its representative."""
    table: I32
    """(power of two,) hash table of row + 1, 0 where free."""
    seen: I64
    """(M + 1, 3) orbit, outlook, and a state that has it; seen[-1, 0] is the number of rows."""


class Asked(NamedTuple):
    """What a packet asks for at a router: up to K candidates."""

    offset: I64
    """(K,) port * vcs + vc; -1 - that for ESCAPE."""
    port: I64
    """(K,)."""
    mask: Array
    """(K, W) uint64: what it asks for after each, as bits port * vcs + vc."""


@kernel
def _add(looks, orbit, look, state):
    """Add (orbit, look) with a state that has it; False when there is no room left."""
    table, seen = looks.table, looks.seen
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
def collect(relation, start, outlook, view, job, nodes, space, stretch, looks):
    """Make the walks of a stretch from job.sources; adds every outlook met to `looks`.

    Returns the walk reached: short of the end when a packet failed or an array was too small.
    """
    counters, head = space.counters, space.head
    for i in range(stretch.at, stretch.stop):
        walk(relation, start, view, job, nodes, space, np.int64(-1), np.int64(stretch.sinks[i]))
        if counters[FULL] != 0 or counters[FAILURE] != 0:
            return i
        for n in range(counters[NODES]):
            if nodes.first[n] == nodes.first[n + 1]:
                continue
            here, head[STATE] = nodes.key[n, 3], nodes.key[n, 1]
            look = call(outlook, view, here, head, space.out)
            if not _add(looks, np.int64(looks.label[here]), look, nodes.key[n, 1]):
                return i
        counters[STATES] += counters[NODES]
    return stretch.stop


@kernel(allocates=True)
def _asked(relation, view, space, here, state, asked):
    """The candidates of a packet at `here` into `asked`; returns how many."""
    vcs, head, out, counters = view.vcs, space.head, space.out, space.counters
    offset, port, mask = asked.offset, asked.port, asked.mask
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


@kernel
def _alike_within(outlook, view, space, here, state, box):
    """Into box (D, 2): between which coordinates a packet of that state is as it is at `here`."""
    space.head[STATE] = state
    call(outlook, view, here, space.head, space.out)
    for d in range(box.shape[0]):
        box[d, 0], box[d, 1] = space.out[d, 0], space.out[d, 1]


@kernel
def _inside(coord, r, box):
    """Whether a router lies within."""
    inside = True
    for d in range(box.shape[0]):
        inside = inside and box[d, 0] <= coord[r, d] <= box[d, 1]
    return inside


@kernel
def _mark(view, r, found, asked, rows, waits):
    """What a packet asks for at router r: False, and nothing done, without room in the lists of `waits`."""
    waits_too = waits.first.size > 0
    if waits_too and waits.used[0] + found > waits.after.size:
        return False
    first = r * view.neighbor.shape[1] * view.vcs
    for j in range(found):
        escapes = asked.offset[j] < 0
        channel = first + (-1 - asked.offset[j] if escapes else asked.offset[j])
        rows.used[channel] = 1
        if escapes:
            rows.escape[channel] = 1
        for w in range(rows.bits.shape[1]):
            rows.bits[channel, w] |= asked.mask[j, w]
        if waits_too:
            add_wait(waits, channel, asked.mask[j])
    return True


@entry(allocates=True)
def place(relation, outlook, view, space, orbits, seen, rows, waits):
    """For each outlook of seen (N, 3) at all routers of its orbit: OR dependencies into the rows of the channels.

    Adds what packets wait for to `waits`, if it has lists; returns the outlook reached, short of N without room. The
    relation is asked at one router of each set that the outlook says is alike.
    """
    members = orbits.routers
    asked = Asked(
        np.zeros(MAX_CANDIDATES, np.int64),
        np.zeros(MAX_CANDIDATES, np.int64),
        np.zeros((MAX_CANDIDATES, rows.bits.shape[1]), np.uint64),
    )
    box, done = np.zeros((view.coord.shape[1], 2), np.int64), np.full(members.size, -1, np.int64)
    for i in range(seen.shape[0]):
        orbit, state = seen[i, 0], seen[i, 2]
        first, last = orbits.begin[orbit], orbits.begin[orbit + 1]
        for m in range(first, last):
            if done[m] == i:
                continue
            here = int(members[m])
            _alike_within(outlook, view, space, here, state, box)
            found = _asked(relation, view, space, here, state, asked)
            if found < 0:
                space.counters[FAILURE] = STUCK
                return i
            for k in range(m, last):
                r = np.int64(members[k])
                if done[k] == i or not _inside(view.coord, r, box):
                    continue
                if not _mark(view, r, found, asked, rows, waits):
                    return i
                done[k] = i
    return seen.shape[0]
