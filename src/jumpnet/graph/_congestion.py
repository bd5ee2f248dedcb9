"""Kernel of the routed bound: what each channel carries when all pairs use their shortest paths evenly.

The naive twin is in `tests/twin/graph/test_bisection.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry, kernel
from jumpnet.terms import NO_ROUTER

__all__ = ["add_loads"]


@kernel(allocates=True)
def _add_load(neighbor, weight, source, evenly, load):
    """`add_loads` of one source; returns the number of routers reached."""
    routers, ports = neighbor.shape
    distance, paths = np.full(routers, -1, np.int64), np.zeros(routers)
    queue, reached, first = np.empty(routers, np.int64), 1, 0
    before, by = np.full(routers, -1, np.int64), np.full(routers, -1, np.int64)
    queue[0], distance[source], paths[source] = source, 0, 1.0
    while first < reached:
        r = queue[first]
        first += 1
        for p in range(ports):
            s = neighbor[r, p]
            if s == NO_ROUTER:
                continue
            if distance[s] < 0:
                distance[s] = distance[r] + 1
                queue[reached] = s
                reached += 1
            if distance[s] == distance[r] + 1:
                paths[s] += paths[r]
                if p >= by[s]:
                    before[s], by[s] = r, p
    through = weight.copy()
    for place in range(reached - 1, -1, -1):
        r = queue[place]
        for p in range(ports):
            s = neighbor[r, p]
            if s != NO_ROUTER and distance[s] == distance[r] + 1:
                share = paths[r] / paths[s] if evenly else 1.0 if before[s] == r and by[s] == p else 0.0
                load[r, p] += weight[source] * through[s] * share
                through[r] += through[s] * share
    return reached


@entry(allocates=True)
def add_loads(neighbor, weight, sources, evenly, load):
    """Add to load (R, P) what each of sources (S,) sends: weight[source] * weight[r] to every r, over shortest paths.

    neighbor: (R, P) as in Network; weight: (R,) float64. With `evenly` all shortest paths share; else one takes all,
    the one whose last ports are the highest (dimension order, on a mesh). Returns whether each reaches all routers, and
    ends at the first that does not. Cost: O(S R P). Source: Brandes, A faster algorithm for betweenness centrality, J.
    Math. Sociology 25 (2001).
    """
    for i in range(sources.size):
        if _add_load(neighbor, weight, np.int64(sources[i]), evenly, load) < neighbor.shape[0]:
            return False
    return True
