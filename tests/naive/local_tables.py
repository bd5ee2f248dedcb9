"""Naive twin of the rank-0 entries of `rdt.fault_tolerant`: every goal searched from in plain Python."""

from __future__ import annotations

from collections import deque

MOVES = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""What a hop in directions 0 to 3 adds to (x, y)."""


def naive_hops(net, radius):
    """{(router, x, y): direction} of the first hop for every rank-0 vector (x, y) of the window that has a way."""
    side = int(net.params[0])
    neighbors = [{int(there) for there in row if there >= 0} for row in net.neighbor]
    found = {}
    for goal in range(net.routers):
        goal_y, goal_x = divmod(goal, side)
        known, waiting = {(0, 0)}, deque([(0, 0)])
        while waiting:
            x, y = waiting.popleft()
            here_y, here_x = (goal_y - y) % side, (goal_x - x) % side
            for direction, (dx, dy) in enumerate(MOVES):
                there = (here_y + dy) % side * side + (here_x + dx) % side
                before = x - dx, y - dy
                if before in known or max(map(abs, before)) > radius:
                    continue
                if there in neighbors[here_y * side + here_x]:
                    known.add(before)
                    waiting.append(before)
                    found[there, *before] = direction ^ 1
    return found
