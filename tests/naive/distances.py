"""Slow, obvious distances: one breadth-first search in plain Python from every router."""

from __future__ import annotations

from collections import deque
from fractions import Fraction


def all_distances(net) -> list[list[int]]:
    """Row per source: links on the shortest way to each router, -1 where there is none."""
    near = [[s for s in row if s >= 0] for row in net.neighbor.tolist()]
    rows = []
    for source in range(net.routers):
        distance = [-1] * net.routers
        distance[source] = 0
        queue = deque([source])
        while queue:
            r = queue.popleft()
            for s in near[r]:
                if distance[s] < 0:
                    distance[s] = distance[r] + 1
                    queue.append(s)
        rows.append(distance)
    return rows


def figures(net) -> dict[str, int | Fraction]:
    """Every figure that a family may claim, by counting; average distance only when all routers are reached."""
    rows = all_distances(net)
    out = [sum(s >= 0 for s in row) for row in net.neighbor.tolist()]
    found: dict[str, int | Fraction] = {
        "routers": net.routers,
        "links": sum(out) if net.directed else sum(out) // 2,
        "degree": max(out),
        "diameter": max(map(max, rows)),
        "terminals": sum(net.terminals.tolist()),
    }
    if net.routers > 1 and min(map(min, rows)) >= 0:
        found["average_distance"] = Fraction(sum(map(sum, rows)), net.routers * (net.routers - 1))
    return found
