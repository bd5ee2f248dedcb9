"""Kernel on the states of packets: can one come back to a state it was in.

Called by `prove` when the dependency graph has a cycle; naive twin: `tests/naive/dependency.py`.
"""

from __future__ import annotations

from jumpnet._linked import entry, kernel
from jumpnet.analysis._walk import FULL, NODES, walk_part

__all__ = ["find_loop", "scan"]


@kernel
def scan(nodes, total, stack, place):
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


@entry
def find_loop(relation, start, view, job, nodes, space, sinks, at, stop, loop, scratch):
    """Walk sinks[at:stop] until packets to one can come back to a state they were in; scratch (2, N) is room.

    Writes the routers from a source on and once round into `loop` (N,); returns (position reached, length or 0, place
    in `loop` at which the loop begins).
    """
    stack, place = scratch[0], scratch[1]
    for i in range(at, stop):
        if not walk_part(relation, start, view, job, nodes, space, sinks, i):
            continue
        if space.counters[FULL] != 0:
            return i, 0, 0
        top, begin = scan(nodes, space.counters[NODES], stack, place)
        if top > 0:
            for k in range(top):
                loop[k] = nodes.key[stack[k], 3]
            return i, top, begin
    return stop, 0, 0
