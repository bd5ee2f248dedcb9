"""Kernels of Duato's condition: which escape channels a packet may ask for after it left one, through adaptive ones.

Source: Duato 1993 and 1995; Dally and Towles section 14.3. Called by `duato`; naive twins:
`tests/naive/dependency.py`, `tests/naive/certificate.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.walks.packet_walk import FAILURE, FULL, NODES, walk_part
from jumpnet.jit.linked import entry, kernel
from jumpnet.routings.view import ESCAPE

__all__ = ["extend", "extend_walks"]


@kernel
def _asked_at_once(first, edge, escape, ahead):
    """For every node the escape channels that it asks for itself, as bits of `ahead`.

    Returns a node without any ESCAPE candidate that is not an arrival, or -1.
    """
    without = -1
    for n in range(ahead.shape[0]):
        ahead[n] = 0
        escapes = 0
        for e in range(first[n], first[n + 1]):
            if edge[e, 2] & ESCAPE != 0:
                escapes += 1
                c = escape[edge[e, 0]]
                ahead[n, c >> 6] |= np.uint64(1) << np.uint64(c & 63)
        if escapes == 0 and first[n] < first[n + 1]:
            without = n
    return without


@kernel(allocates=True)
def _postorder(first, edge, total):
    """(total,) the nodes, each after those that it leads to over NORMAL edges, unless packets may circle."""
    order, stack, place = np.zeros(total, np.int32), np.zeros(total, np.int64), np.full(total, -1, np.int64)
    done = 0
    for root in range(total):
        if place[root] >= 0:
            continue
        stack[0] = root
        place[root] = first[root]
        top = 1
        while top > 0:
            n = stack[top - 1]
            if place[n] == first[n + 1]:
                order[done] = n
                done += 1
                top -= 1
                continue
            e = place[n]
            place[n] += 1
            child = edge[e, 3]
            if edge[e, 2] & ESCAPE == 0 and place[child] < 0:
                place[child] = first[child]
                stack[top] = child
                top += 1
    return order


@kernel
def _take_over(n, child, ahead):
    """Whether what a child may ask for is new to node n, which then has it too."""
    grown = False
    for w in range(ahead.shape[1]):
        if ahead[child, w] & ~ahead[n, w] != 0:
            ahead[n, w] |= ahead[child, w]
            grown = True
    return grown


@kernel(allocates=True)
def _ahead(first, edge, escape, ahead):
    """For every node, the escape channels it or a node it leads to over NORMAL edges may ask for, as bits of `ahead`.

    edge[first[n] : first[n + 1]] are those of node n, as in `packet_walk.Nodes`. Sweeps over the nodes in postorder
    until nothing changes (one sweep does it unless packets may circle). Returns as `_asked_at_once`.
    """
    without = _asked_at_once(first, edge, escape, ahead)
    order = _postorder(first, edge, ahead.shape[0])
    changed = True
    while changed:
        changed = False
        for n in order:
            for e in range(first[n], first[n + 1]):
                if edge[e, 2] & ESCAPE == 0:
                    changed |= _take_over(n, edge[e, 3], ahead)
    return without


@kernel
def _add(first, edge, escape, ahead, extended):
    """OR into extended (X, W) what may be asked for behind each escape channel that some node leaves by."""
    for n in range(ahead.shape[0]):
        for e in range(first[n], first[n + 1]):
            c = escape[edge[e, 0]]
            if c >= 0:
                child = edge[e, 3]
                for w in range(extended.shape[1]):
                    extended[c, w] |= ahead[child, w]


@kernel(allocates=True)
def _extend(first, edge, total, escape, extended):
    """`extend` of the first `total` states."""
    ahead = np.zeros((total, extended.shape[1]), np.uint64)
    without = _ahead(first, edge, escape, ahead)
    if without < 0:
        _add(first, edge, escape, ahead, extended)
    return without


@entry(allocates=True)
def extend(first, edge, escape, extended):
    """ORs into extended (X, W) the escape channels each escape channel may lead to in the states of some packets.

    first (N + 1,) and edge (E, 4): their edges in compressed rows, as in `packet_walk.Nodes`. escape (C,) numbers the
    escape channels 0..X-1, -1 elsewhere. Returns a state without escape, or -1.
    """
    return _extend(first, edge, first.size - 1, escape, extended)


@entry(allocates=True)
def extend_walks(relation, start, view, job, nodes, space, stretch, escape, extended):
    """`extend` of the walks of a stretch, each of which leaves its states in `nodes`.

    Returns the walk reached, short of its end where it has a state without escape, that state or -1, and where `nodes`
    were too small (FULL) or a packet failed (FAILURE).
    """
    for i in range(stretch.at, stretch.stop):
        if not walk_part(relation, start, view, job, nodes, space, stretch.sinks, i):
            continue
        if space.counters[FULL] != 0 or space.counters[FAILURE] != 0:
            return i, -1
        without = _extend(nodes.first, nodes.edge, space.counters[NODES], escape, extended)
        if without >= 0:
            return i, without
    return stretch.stop, -1
