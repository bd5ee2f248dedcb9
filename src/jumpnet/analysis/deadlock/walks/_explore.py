"""Kernels that walk to one destination after another and collect the dependencies of the packets on their way.

Called by `walkers`. Naive twin: `tests/naive/dependency.py`.
"""

from __future__ import annotations

from jumpnet.analysis.deadlock.walks.packet_walk import FAILURE, FULL, NODES, STATES, walk_part
from jumpnet.jit.linked import entry, kernel
from jumpnet.routings.view import ESCAPE

__all__ = ["collect_edges", "explore"]


@kernel
def collect_edges(nodes, space, rows):
    """OR the candidates of the node each edge enters into the row of its channel."""
    words = rows.bits.shape[1]
    for n in range(space.counters[NODES]):
        for e in range(nodes.first[n], nodes.first[n + 1]):
            channel, child = nodes.edge[e, 0], nodes.edge[e, 3]
            rows.used[channel] = 1
            if nodes.edge[e, 2] & ESCAPE != 0:
                rows.escape[channel] = 1
            for w in range(words):
                rows.bits[channel, w] |= nodes.mask[child, w]


@entry
def explore(relation, start, view, job, nodes, space, stretch, rows):
    """Make the walks of a stretch; ORs into the rows of the channels.

    Returns its end, or the position of the destination at which a packet failed or the arrays were too small.
    """
    count = space.counters
    for i in range(stretch.at, stretch.stop):
        if not walk_part(relation, start, view, job, nodes, space, stretch.sinks, i):
            continue
        if count[FULL] != 0 or count[FAILURE] != 0:
            return i
        count[STATES] += count[NODES]
        collect_edges(nodes, space, rows)
    return stretch.stop
