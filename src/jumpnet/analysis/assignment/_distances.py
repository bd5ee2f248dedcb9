"""Kernels of the assignment search: breadth-first searches on an RDT given by its class ranks, without a table.

Called by `search` only. Naive twin: `tests/naive/assignment.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry, kernel

__all__ = ["evaluate"]


@kernel
def _search(side, steps, masks, kind, source, multiplicity, weights, dist, queue, counts):
    """One breadth-first search; adds `multiplicity` times its distance counts, returns its weighted distance sum.

    Queue entries are y * 65536 + x. weights is (side, side) by offset, or empty when there is no local objective.
    """
    dist[:] = -1
    sx, sy = source % side, source // side
    dist[source] = 0
    queue[0] = (sy << 16) | sx
    head, tail = 0, 1
    ranks = steps.shape[0]
    weighted = np.int64(0)
    while head < tail:
        x, y = queue[head] & 0xFFFF, queue[head] >> 16
        head += 1
        here = y * side + x
        d = dist[here] + 1
        counts[d - 1] += multiplicity
        if weights.size:
            weighted += weights[(y - sy) % side, (x - sx) % side] * (d - 1)
        mask = masks[kind[here]]
        for r in range(ranks):
            if not (mask >> r) & 1:
                continue
            for k in range(4):
                nx, ny = x + steps[r, k, 0], y + steps[r, k, 1]
                if nx >= side:
                    nx -= side
                if ny >= side:
                    ny -= side
                there = ny * side + nx
                if dist[there] < 0:
                    dist[there] = d
                    queue[tail] = (ny << 16) | nx
                    tail += 1
    return weighted


@entry(allocates=True)
def evaluate(side, steps, masks, kind, sources, multiplicity, weights, counts, weighted):
    """Distance counts and weighted distance sums of a batch of C assignments; O(C classes side^2 (4 + 4m)).

    steps: (ranks, 4, 2) int64 neighbor offsets in 0..side-1. masks: (C, classes) int64 bit r set where a class has
    rank r. kind: (side^2,) int16 class of each router. sources: (C, classes) one router per orbit of classes, -1
    after the last; multiplicity: (C, classes) classes in that orbit. Adds to counts (C, levels) and weighted (C,).
    """
    dist = np.empty(side * side, np.int16)
    queue = np.empty(side * side, np.int64)
    for c in range(masks.shape[0]):
        for s in range(sources.shape[1]):
            if sources[c, s] < 0:
                break
            total = _search(
                side, steps, masks[c], kind, sources[c, s], multiplicity[c, s], weights, dist, queue, counts[c]
            )
            weighted[c] += multiplicity[c, s] * total
