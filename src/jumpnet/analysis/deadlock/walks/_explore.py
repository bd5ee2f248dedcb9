"""Kernels that walk to one destination after another and collect the dependencies of the packets on their way.

Called by `walkers`. Naive twin: `tests/naive/dependency.py`.
"""

from __future__ import annotations

from jumpnet.analysis.deadlock.walks.packet_walk import FAILURE, FULL, NODES, STATES, walk_part
from jumpnet.jit.linked import entry, kernel
from jumpnet.routings.view import ESCAPE

__all__ = ["collect_edges", "explore"]


@kernel
def collect_edges(nodes, space, bits, used, escape):
    """OR the candidates of the node each edge enters into the row of its channel."""
    words = bits.shape[1]
    for n in range(space.counters[NODES]):
        for e in range(nodes.first[n], nodes.first[n + 1]):
            channel, child = nodes.edge[e, 0], nodes.edge[e, 3]
            used[channel] = 1
            if nodes.edge[e, 2] & ESCAPE != 0:
                escape[channel] = 1
            for w in range(words):
                bits[channel, w] |= nodes.mask[child, w]


@entry
def explore(relation, start, view, job, nodes, space, sinks, at, stop, bits, used, escape):
    """Walk destinations sinks[at:stop]; ORs into bits (C, W), used (C,), escape (C,).

    Returns `stop`, or the position of the destination at which a packet failed or the arrays were too small.
    """
    count = space.counters
    for i in range(at, stop):
        if not walk_part(relation, start, view, job, nodes, space, sinks, i):
            continue
        if count[FULL] != 0 or count[FAILURE] != 0:
            return i
        count[STATES] += count[NODES]
        collect_edges(nodes, space, bits, used, escape)
    return stop
