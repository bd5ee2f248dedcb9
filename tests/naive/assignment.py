"""Slow, obvious figures of an RDT assignment: a network table, a search from every router, float weights."""

from __future__ import annotations

import math
from collections import deque
from fractions import Fraction

from jumpnet.topology import build


def figures(side: int, assignment: str, sigma: float) -> tuple[int, Fraction, float]:
    """Diameter, average distance over ordered pairs of different routers, mean hops of local traffic."""
    net = build(f"rdt:{side},assignment={assignment}")
    near = [[int(s) for s in row if s >= 0] for row in net.neighbor]
    diameter, total, weighted, weights = 0, 0, 0.0, 0.0
    for source in range(net.routers):
        distance = {source: 0}
        queue = deque([source])
        while queue:
            r = queue.popleft()
            for s in near[r]:
                if s not in distance:
                    distance[s] = distance[r] + 1
                    queue.append(s)
        diameter = max(diameter, max(distance.values()))
        total += sum(distance.values())
        for r, d in distance.items():
            if r == source:
                continue
            dx, dy = abs(r % side - source % side), abs(r // side - source // side)
            dx, dy = min(dx, side - dx), min(dy, side - dy)
            w = math.exp(-(dx * dx + dy * dy) / (2 * sigma * sigma))
            weighted += w * d
            weights += w
    pairs = net.routers * (net.routers - 1)
    return diameter, Fraction(total, pairs), weighted / weights
