"""Kernels on the states of packets: can one come back to a state it was in, and can a set of them wait in a knot.

Called by `prove` when the dependency graph has a cycle; naive twin: `tests/naive/dependency.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet._jit import borrow, jit
from jumpnet.analysis._walk import FULL, NODES, lend, walk

__all__ = ["find_loop", "keep_waiting"]


@jit
def _scan(nodes, total, stack, place):
    """Depth-first over all nodes; returns the depth of the stack when an edge leads back into it (and where), or 0."""
    place[:total] = -1
    for root in range(total):
        if place[root] != -1:
            continue
        stack[0] = root
        place[root] = nodes.first[root]
        top = 1
        while top > 0:
            n = stack[top - 1]
            if place[n] == nodes.first[n + 1]:
                place[n] = -2
                top -= 1
                continue
            child = nodes.edge[place[n], 3]
            place[n] += 1
            if place[child] == -1:
                place[child] = nodes.first[child]
                stack[top] = child
                top += 1
            elif place[child] >= 0:
                begin = 0
                while stack[begin] != child:
                    begin += 1
                return top, begin
    return 0, 0


@jit
def find_loop(relation, start, view, job, nodes, space, sinks, at, stop, loop, scratch):
    """Walk sinks[at:stop] until packets to one can come back to a state they were in; scratch (2, N) is room.

    Writes the routers from a source on and once round into `loop` (N,); returns (position reached, length or 0, place
    in `loop` at which the loop begins).
    """
    view, job, nodes, space = lend(view, job, nodes, space)
    stack, place = borrow(scratch[0]), borrow(scratch[1])
    for i in range(at, stop):
        destination = np.int64(sinks[i])
        for j in range(job.sources.size if job.by_source else 1):
            source = np.int64(job.sources[j]) if job.by_source else np.int64(-1)
            if source == destination:
                continue
            walk(relation, start, view, job, nodes, space, source, destination)
            if space.counters[FULL] != 0:
                return i, 0, 0
            top, begin = _scan(nodes, space.counters[NODES], stack, place)
            if top > 0:
                for k in range(top):
                    loop[k] = nodes.key[stack[k], 3]
                return i, top, begin
    return stop, 0, 0


@jit
def keep_waiting(relation, start, view, job, nodes, space, sinks, at, stop, held, kept):
    """Set kept (C,) for channels on which some packet may find all its candidates among the channels `held` (C,).

    Returns the position reached.
    """
    view, job, nodes, space = lend(view, job, nodes, space)
    held, kept = borrow(held), borrow(kept)
    for i in range(at, stop):
        destination = np.int64(sinks[i])
        for j in range(job.sources.size if job.by_source else 1):
            source = np.int64(job.sources[j]) if job.by_source else np.int64(-1)
            if source == destination:
                continue
            walk(relation, start, view, job, nodes, space, source, destination)
            if space.counters[FULL] != 0:
                return i
            for n in range(space.counters[NODES]):
                for e in range(nodes.first[n], nodes.first[n + 1]):
                    channel, child = nodes.edge[e, 0], nodes.edge[e, 3]
                    waits = held[channel] != 0 and nodes.first[child] < nodes.first[child + 1]
                    for f in range(nodes.first[child], nodes.first[child + 1]):
                        waits = waits and held[nodes.edge[f, 0]] != 0
                    if waits:
                        kept[channel] = 1
    return stop
