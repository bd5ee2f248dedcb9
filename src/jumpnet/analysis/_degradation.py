"""Kernel that follows every route of a degraded network, those that fail too. Used by `degradation.py`.

The naive twin is in `tests/twin/analysis/test_degradation.py`: one route at a time, searches by NetworkX.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.routes.follow import distances
from jumpnet.jit.linked import entry
from jumpnet.routings.follow import follow, scratch_for

__all__ = ["tally"]


@entry(allocates=True)
def tally(calls, draws, ends, weight, limit, totals, load):
    """Follow the first candidates between all routers of `ends` (E,), `weight` (E,) terminals each.

    totals (6,) int64, pairs and hops weighted by the terminals at both ends and by the draws: [delivered, hops,
    longest, hops of shortest paths, source and destination of a route that fails (-1)]. load (R, P) float64 gains
    weight over draws for each delivered route. Pairs at one router are of no length and are left out.
    """
    routers = calls.net.neighbor.shape[0]
    relation, start, view = calls
    scratch = scratch_for(view, limit + 1)
    distance, queue = np.empty(routers, np.int32), np.empty(routers, np.int32)
    for i in range(ends.size):
        distances(calls.net.neighbor, ends[i], distance, queue)
        for j in range(ends.size):
            if i == j:
                continue
            pairs = weight[i] * weight[j]
            for draw in range(draws):
                hops = follow(relation, start, view, ends[i], ends[j], draw, limit, scratch)
                if hops < 0:
                    totals[4], totals[5] = ends[i], ends[j]
                    continue
                totals[0] += pairs
                totals[1] += pairs * hops
                totals[2] = max(totals[2], hops)
                totals[3] += pairs * distance[ends[j]]
                for k in range(hops):
                    load[scratch.trace[k, 0], scratch.trace[k, 1]] += pairs / draws
