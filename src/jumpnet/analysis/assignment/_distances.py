"""Kernels of the assignment search: breadth-first searches on an RDT given by its class ranks, without a table.

A level of a search is a set of routers as rows of bits, a row of the torus each: a hop of a rank moves whole rows, 64
routers at a time. Called by `search` only. Naive twin: `tests/naive/assignment.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry, kernel

__all__ = ["evaluate"]


@kernel
def _bits(word):
    """Number of bits that are set."""
    found = 0
    while word != 0:
        word &= word - np.uint64(1)
        found += 1
    return found


@kernel
def _join(rows, into):
    """Adds the routers of some rows to others; `|=` of whole arrays would make one more, which needs Numba."""
    for y in range(rows.shape[0]):
        for w in range(rows.shape[1]):
            into[y, w] |= rows[y, w]


@kernel
def _turned(row, w, k, side):
    """Word w of a row of `side` bits whose bits have moved k places up, round its end."""
    words = len(row)
    q, s = k >> 6, np.uint64(k & 63)
    word = np.uint64(0)
    if w >= q:
        word |= row[w - q] << s
        if s != 0 and w > q:
            word |= row[w - q - 1] >> (np.uint64(64) - s)
    q, s = (side - k) >> 6, np.uint64((side - k) & 63)
    if w + q < words:
        word |= row[w + q] >> s
        if s != 0 and w + q + 1 < words:
            word |= row[w + q + 1] << (np.uint64(64) - s)
    if w == words - 1 and side & 63:
        word &= (np.uint64(1) << np.uint64(side & 63)) - np.uint64(1)
    return word


@kernel
def _spread(side, steps, has, front, moving, ahead):
    """Adds to `ahead` the routers one hop from those of `front`."""
    words = front.shape[1]
    for r in range(steps.shape[0]):
        for y in range(side):
            some = False
            for w in range(words):
                moving[w] = front[y, w] & has[r, y, w]
                some = some or moving[w] != 0
            if not some:
                continue
            for k in range(4):
                to = y + steps[r, k, 1]
                if to >= side:
                    to -= side
                for w in range(words):
                    ahead[to, w] |= _turned(moving, w, steps[r, k, 0], side)


@kernel
def _search(side, steps, has, source, multiplicity, weights, scratch, counts):
    """One breadth-first search; adds `multiplicity` times its distance counts, returns its weighted distance sum.

    weights is (side, side) by offset, or empty when there is no local objective.
    """
    seen, front, ahead = scratch[0], scratch[1], scratch[2]
    moving = scratch[3, 0]
    sx, sy = source % side, source // side
    seen[:] = 0
    front[:] = 0
    seen[sy, sx >> 6] = front[sy, sx >> 6] = np.uint64(1) << np.uint64(sx & 63)
    counts[0] += multiplicity
    weighted, d, found = np.int64(0), 0, 1
    while found:
        ahead[:] = 0
        _spread(side, steps, has, front, moving, ahead)
        d, found = d + 1, 0
        for y in range(side):
            for w in range(seen.shape[1]):
                new = ahead[y, w] & ~seen[y, w]
                front[y, w] = new
                seen[y, w] |= new
                found += _bits(new)
                while weights.size and new != 0:
                    x = 64 * w + _bits((new & (~new + np.uint64(1))) - np.uint64(1))
                    weighted += weights[(y - sy) % side, (x - sx) % side] * d
                    new &= new - np.uint64(1)
        counts[d] += multiplicity * found
    return weighted


@entry(allocates=True)
def evaluate(side, steps, masks, of_class, sources, multiplicity, weights, counts, weighted):
    """Distance counts and weighted distance sums of a batch of C assignments; for each at most `classes` searches of
    about diameter * ranks * side^2 / 16 steps.

    steps: (ranks, 4, 2) int64 neighbor offsets in 0..side-1. masks: (C, classes) int64 bit r set where a class has
    rank r. of_class: (classes, side, words) uint64 rows of bits, the routers of each class. sources: (C, classes) one
    router per orbit of classes, -1 after the last; multiplicity: (C, classes) classes in that orbit. Adds to counts
    (C, levels) and weighted (C,).
    """
    has = np.zeros((steps.shape[0], side, of_class.shape[2]), np.uint64)
    scratch = np.zeros((4, side, of_class.shape[2]), np.uint64)
    for c in range(masks.shape[0]):
        has[:] = 0
        for kind in range(masks.shape[1]):
            for r in range(steps.shape[0]):
                if (masks[c, kind] >> r) & 1:
                    _join(of_class[kind], has[r])
        for s in range(sources.shape[1]):
            if sources[c, s] < 0:
                break
            total = _search(side, steps, has, sources[c, s], multiplicity[c, s], weights, scratch, counts[c])
            weighted[c] += multiplicity[c, s] * total
