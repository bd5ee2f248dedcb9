"""Kernel of the bubble condition: which channels packets ask for as entering a ring, and which as going on.

Called by `bubble`, which has the condition and its sources.
"""

from __future__ import annotations

from jumpnet.analysis.deadlock.walks.packet_walk import FULL, NODES, walk_part
from jumpnet.jit.linked import entry
from jumpnet.routings.view import ENTERS, ESCAPE

__all__ = ["OFFERED", "OTHERWISE", "WITHOUT", "part_by_escape", "part_by_kind"]

OFFERED, OTHERWISE, WITHOUT = 1, 2, 4
"""How a channel is asked for: marked ESCAPE, not marked; and whether a packet in it, or there at its source, has no
escape."""


@entry
def part_by_kind(relation, start, view, job, nodes, space, sinks, at, stop, entering, continuing, unmarked):
    """Walk sinks[at:stop]; ORs into entering and continuing (C, 64 W bits) what packets on each channel ask for.

    unmarked (C,) gets 1 where a packet asks for a channel at its source without ENTERS. Returns the position reached,
    short of `stop` when the arrays were too small.
    """
    channels = view.neighbor.shape[1] * view.vcs
    for i in range(at, stop):
        if not walk_part(relation, start, view, job, nodes, space, sinks, i):
            continue
        if space.counters[FULL] != 0:
            return i
        for n in range(space.counters[NODES]):
            for e in range(nodes.first[n], nodes.first[n + 1]):
                channel, child = nodes.edge[e, 0], nodes.edge[e, 3]
                if nodes.parent[n] < 0 and nodes.edge[e, 2] & ENTERS == 0:
                    unmarked[channel] = 1
                for k in range(nodes.first[child], nodes.first[child + 1]):
                    bit = nodes.edge[k, 0] % channels
                    if nodes.edge[k, 2] & ENTERS != 0:
                        entering[channel, bit] = 1
                    else:
                        continuing[channel, bit] = 1
    return stop


@entry
def part_by_escape(relation, start, view, job, nodes, space, sinks, at, stop, entering, continuing, unmarked, how):
    """As `part_by_kind`, of what packets on each channel ask for marked ESCAPE, and at their source so without ENTERS.

    how (C,) gets OFFERED, OTHERWISE and WITHOUT.
    """
    channels = view.neighbor.shape[1] * view.vcs
    for i in range(at, stop):
        if not walk_part(relation, start, view, job, nodes, space, sinks, i):
            continue
        if space.counters[FULL] != 0:
            return i
        for n in range(space.counters[NODES]):
            escapes = 0
            for e in range(nodes.first[n], nodes.first[n + 1]):
                channel, kind, child = nodes.edge[e, 0], nodes.edge[e, 2], nodes.edge[e, 3]
                how[channel] |= OFFERED if kind & ESCAPE != 0 else OTHERWISE
                if kind & ESCAPE != 0:
                    escapes += 1
                    if nodes.parent[n] < 0 and kind & ENTERS == 0:
                        unmarked[channel] = 1
                found = 0
                for k in range(nodes.first[child], nodes.first[child + 1]):
                    if nodes.edge[k, 2] & ESCAPE != 0:
                        found += 1
                        bit = nodes.edge[k, 0] % channels
                        if nodes.edge[k, 2] & ENTERS != 0:
                            entering[channel, bit] = 1
                        else:
                            continuing[channel, bit] = 1
                if found == 0 and nodes.first[child + 1] > nodes.first[child]:
                    how[channel] |= WITHOUT
            if escapes == 0 and nodes.first[n + 1] > nodes.first[n]:
                how[nodes.edge[nodes.first[n], 0]] |= WITHOUT
    return stop
