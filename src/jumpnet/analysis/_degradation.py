"""Kernel that follows every route of a degraded network, those that fail too. Used by `degradation.py`.

The naive twin is in `tests/twin/test_degradation.py`: one route at a time, searches by NetworkX.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.routes.follow import distances
from jumpnet.jit.linked import entry
from jumpnet.routings.follow import follow
from jumpnet.routings.view import HEADER_FIELDS, MAX_CANDIDATES

__all__ = ["tally"]


@entry(allocates=True)
def tally(relation, start, view, draws, ends, weight, limit, totals, load):
    """Follow the first candidates between all routers of `ends` (E,), `weight` (E,) terminals each.

    totals (6,) int64, pairs and hops weighted by the terminals at both ends and by the draws: [delivered, hops,
    longest, hops of shortest paths, source and destination of a route that fails (-1)]. load (R, P) float64 gains
    weight over draws for each delivered route. Pairs at one router are of no length and are left out.
    """
    routers = view.neighbor.shape[0]
    head, out = np.zeros(HEADER_FIELDS, np.int64), np.zeros((8 * MAX_CANDIDATES, 4), np.int64)
    queue, trace = np.zeros(view.queues, np.int64), np.zeros((limit + 1, 3), np.int64)
    distance, scratch = np.empty(routers, np.int32), np.empty(routers, np.int32)
    for i in range(ends.size):
        distances(view.neighbor, ends[i], distance, scratch)
        for j in range(ends.size):
            if i == j:
                continue
            pairs = weight[i] * weight[j]
            for draw in range(draws):
                hops = follow(relation, start, view, ends[i], ends[j], draw, limit, head, out, queue, trace)
                if hops < 0:
                    totals[4], totals[5] = ends[i], ends[j]
                    continue
                totals[0] += pairs
                totals[1] += pairs * hops
                totals[2] = max(totals[2], hops)
                totals[3] += pairs * distance[ends[j]]
                for k in range(hops):
                    load[trace[k, 0], trace[k, 1]] += pairs / draws
