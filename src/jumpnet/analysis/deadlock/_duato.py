"""Kernels of Duato's condition: which escape channels a packet may ask for after it left one, through adaptive ones.

Source: Duato 1993 and 1995; Dally and Towles section 14.3. Called by `duato`; naive twin: `tests/naive/dependency.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.packet_walk import FULL, NODES, walk_part
from jumpnet.jit.linked import entry, kernel
from jumpnet.routings.view import ESCAPE

__all__ = ["extend"]


@kernel(allocates=True)
def _ahead(nodes, count, escape, ahead, stack, place):
    """For every node, the escape channels it or a node it leads to over NORMAL edges may ask for, as bits of `ahead`.

    Visits nodes in postorder over NORMAL edges, then sweeps until nothing changes (one sweep does it unless packets may
    circle). Returns a node without any ESCAPE candidate that is not an arrival, or -1.
    """
    words = ahead.shape[1]
    total = count[NODES]
    order = np.zeros(total, np.int32)
    done = 0
    without = -1
    place[:total] = -1
    for n in range(total):
        ahead[n] = 0
        escapes = 0
        for e in range(nodes.first[n], nodes.first[n + 1]):
            if nodes.edge[e, 2] & ESCAPE != 0:
                escapes += 1
                c = escape[nodes.edge[e, 0]]
                ahead[n, c >> 6] |= np.uint64(1) << np.uint64(c & 63)
        if escapes == 0 and nodes.first[n] < nodes.first[n + 1]:
            without = n
    for root in range(total):
        if place[root] >= 0:
            continue
        stack[0] = root
        place[root] = nodes.first[root]
        top = 1
        while top > 0:
            n = stack[top - 1]
            if place[n] == nodes.first[n + 1]:
                order[done] = n
                done += 1
                top -= 1
                continue
            e = place[n]
            place[n] += 1
            child = nodes.edge[e, 3]
            if nodes.edge[e, 2] & ESCAPE == 0 and place[child] < 0:
                place[child] = nodes.first[child]
                stack[top] = child
                top += 1
    changed = True
    while changed:
        changed = False
        for i in range(total):
            n = order[i]
            for e in range(nodes.first[n], nodes.first[n + 1]):
                if nodes.edge[e, 2] & ESCAPE == 0:
                    child = nodes.edge[e, 3]
                    for w in range(words):
                        if ahead[child, w] & ~ahead[n, w] != 0:
                            ahead[n, w] |= ahead[child, w]
                            changed = True
    return without


@entry(allocates=True)
def extend(relation, start, view, job, nodes, space, sinks, at, stop, escape, extended, ahead, scratch):
    """Walk sinks[at:stop]; ORs into extended (X, W) the escape channels each escape channel may lead to.

    `escape` (C,) numbers the escape channels 0..X-1, -1 elsewhere; ahead (N, W) and scratch (2, N) are room.
    Returns (position reached, node without escape or -1).
    """
    stack, place = scratch[0], scratch[1]
    for i in range(at, stop):
        if not walk_part(relation, start, view, job, nodes, space, sinks, i):
            continue
        if space.counters[FULL] != 0:
            return i, -1
        without = _ahead(nodes, space.counters, escape, ahead, stack, place)
        if without >= 0:
            return i, without
        for n in range(space.counters[NODES]):
            for e in range(nodes.first[n], nodes.first[n + 1]):
                c = escape[nodes.edge[e, 0]]
                if c >= 0:
                    child = nodes.edge[e, 3]
                    for w in range(extended.shape[1]):
                        extended[c, w] |= ahead[child, w]
    return stop, -1
