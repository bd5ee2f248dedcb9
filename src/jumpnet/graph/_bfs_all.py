"""All-sources breadth-first search, bit-parallel: every router holds a row of 256 goals it is known to reach.

Goals in the outer loop; a level lets each router's row take in its neighbors' rows (the batches of Then et al.,
MS-BFS, VLDB 2014). A level with many changed rows pulls: double buffer, every router that is not yet full reads its
neighbors. A level with few pushes: the changed rows go to their in-neighbors only (Beamer et al., SC 2012), which
makes the first levels, and all levels of long thin networks, cheap. Naive twin: `tests/naive/distances.py`.
Only `distances.py` calls this.
"""

from __future__ import annotations

import numpy as np

from jumpnet._jit import jit
from jumpnet.graph._vector import add, at, gain, load, same, scale, store, total, union, zero

__all__ = ["PUSH_SHARE", "UNREACHED", "search_all"]

UNREACHED = 2**30
"""Eccentricity of a router that does not reach every other."""
PUSH_SHARE = 8
"""A level pushes when the changed routers have less than one PUSH_SHARE-th of all channels."""


@jit
def _pull(first, target, level, now, then, weight, far, changed, gained):
    """One level over all routers: `then` = `now` and the rows of the out-neighbors. Returns the number changed."""
    routers = first.size - 1
    full = load(now, routers)
    members, members_weighted, count = zero(), zero(), 0
    for r in range(routers):
        old = load(now, r)
        row = old
        if not same(old, full):
            for e in range(at(first, r), at(first, r + 1)):
                row = union(row, load(now, at(target, e)))
            changed[count] = r
            count += not same(row, old)
            bits = gain(old, row)
            members = add(members, bits)
            if weight.size > 0:
                members_weighted = add(members_weighted, scale(bits, weight[r]))
            if same(row, full):
                far[r] = max(far[r], level)
        store(then, r, row)
    gained[0], gained[1] = total(members), total(members_weighted)
    return count


@jit
def _push(first, source, level, stamp, now, then, weight, far, changed, count, touched, mark, gained):
    """One level from the changed routers to their in-neighbors, in place; then[r] holds when mark[r] == stamp."""
    full = load(now, first.size - 1)
    reached = 0
    for i in range(count):
        row = load(now, changed[i])
        for e in range(at(first, changed[i]), at(first, changed[i] + 1)):
            r = at(source, e)
            if mark[r] == stamp:
                store(then, r, union(row, load(then, r)))
            else:
                store(then, r, row)
                mark[r] = stamp
                touched[reached] = r
                reached += 1
    members, members_weighted, count = zero(), zero(), 0
    for i in range(reached):
        r = touched[i]
        old = load(now, r)
        row = union(old, load(then, r))
        if not same(row, old):
            store(now, r, row)
            changed[count] = r
            count += 1
            bits = gain(old, row)
            members = add(members, bits)
            if weight.size > 0:
                members_weighted = add(members_weighted, scale(bits, weight[r]))
            if same(row, full):
                far[r] = max(far[r], level)
    gained[0], gained[1] = total(members), total(members_weighted)
    return count


@jit
def _start(goals, begin, size, now, then, changed):
    """Rows before the first level: every goal knows itself; the row after the last router holds all of the batch."""
    last = len(now) - 1
    for r in range(last + 1):
        store(now, r, zero())
    for i in range(size):
        bit = np.uint64(1) << np.uint64(i & 63)
        goal = goals[begin + i]
        now[goal, i >> 6] |= bit
        now[last, i >> 6] |= bit
        changed[i] = goal
    store(then, last, load(now, last))


@jit
def search_all(
    first, target, back_first, back_source, goals, bounds, begin, step, now, then, changed, touched, mark, weight,
    factor, gained, counts, far,
):  # fmt: skip
    """Search from batches begin, begin + step, ... and add the figures up. R routers, E channels.

    first (R+1,) int64, target (E,) int32: out-neighbors of router r are target[first[r]:first[r+1]]; back_first and
    back_source the in-neighbors likewise. goals (R,) int32: every router once, batch b is goals[bounds[b]:bounds[b+1]],
    at most BITS of them. Work space: now, then (R+1, WORDS) uint64, row-aligned; changed, touched, mark (R+1,) int32,
    mark zero; gained (2,) int64. weight (R,) int64: terminals of each router, or (0,) when weighted figures are not
    asked; factor (batches,) int64: sinks of each goal of a batch. Filled: counts (2, R) int64, the ordered pairs by
    distance, and the same with each pair (r, g) counted weight[r] * factor[batch] times; far (R,) int32, eccentricity
    or UNREACHED.
    """
    routers = first.size - 1
    stamp = 0
    for batch in range(begin, bounds.size - 1, step):
        size = bounds[batch + 1] - bounds[batch]
        _start(goals, bounds[batch], size, now, then, changed)
        count, seen, level = size, size, 0
        while count > 0 and seen < size * routers:
            level += 1
            channels = 0
            for i in range(count):
                channels += back_first[changed[i] + 1] - back_first[changed[i]]
                if channels * PUSH_SHARE >= target.size:
                    break
            if channels * PUSH_SHARE < target.size:
                stamp += 1
                count = _push(
                    back_first, back_source, level, stamp, now, then, weight, far, changed, count, touched, mark, gained
                )
            else:
                count = _pull(first, target, level, now, then, weight, far, changed, gained)
                now, then = then, now
            seen += gained[0]
            counts[0, level] += gained[0]
            counts[1, level] += gained[1] * factor[batch]
        if seen < size * routers:
            full = load(now, routers)
            for r in range(routers):
                if not same(load(now, r), full):
                    far[r] = UNREACHED
