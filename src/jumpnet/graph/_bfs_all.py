"""Breadth-first search from many sources, bit-parallel: every router holds a row of up to 256 sources that reach it.

Batches of sources one after the other; a level lets each router's row take in its in-neighbors' rows (the batches of
Then et al., MS-BFS, VLDB 2014). A level with many changed rows pulls: double buffer, every router that is not yet full
reads its in-neighbors. A level with few pushes: the changed rows go to their out-neighbors only (Beamer et al., SC
2012), which makes the first levels, and all levels of long thin networks, cheap. Naive twin:
`tests/naive/distances.py`. Only `distances.py` calls this.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.linked import entry, kernel
from jumpnet.jit.vectors.numbers import at, count, found, load, store, total, zero
from jumpnet.terms import I32, I64, Array

__all__ = ["PUSH_SHARE", "UNREACHED", "Links", "Work", "search_batch"]

UNREACHED = 2**30
"""Eccentricity of a source that does not reach every router."""
PUSH_SHARE = 8
"""A level pushes when the changed routers have less than one PUSH_SHARE-th of all channels."""


class Links(NamedTuple):
    """Neighbors as lists: the out-neighbors of router r are `target[first[r]:first[r + 1]]`. R routers, E channels."""

    first: I64
    """(R + 1,)"""
    target: I32
    """(E,)"""
    back_first: I64
    """(R + 1,) the same of in-neighbors."""
    back_source: I32
    """(E,)"""


class Work(NamedTuple):
    """Work space of one thread, of any contents."""

    now: Array
    """(R + 2, WORDS) uint64, row-aligned: the sources that reach each router; then all of them; then the new ones."""
    then: Array
    """The other buffer of the same shape."""
    changed: I32
    """(R,) routers whose rows changed in the last level."""
    touched: I32
    """(R,) routers that a push reaches."""
    mark: I32
    """(R,) level of the push that reached each router last."""
    gained: I64
    """(2,) pairs that the last level added: plain, and by weight."""


@kernel
def _pull(links, now, then, weight, changed, gained):
    """One level over all routers: `then` = `now` and the rows of the in-neighbors. Returns the number changed."""
    back_first, back_source = links.back_first, links.back_source
    routers = back_first.size - 1
    full = load(now, routers)
    members, members_weighted, news, n = zero(), zero(), zero(), 0
    for r in range(routers):
        old = load(now, r)
        row = old
        if found(old ^ full):
            for e in range(at(back_first, r), at(back_first, r + 1)):
                row = row | load(now, at(back_source, e))
            changed[n] = r
            n += found(row ^ old) != 0
            fresh = old ^ row
            news = news | fresh
            bits = count(fresh)
            members = members + bits
            if weight.size > 0:
                members_weighted = members_weighted + bits * np.uint64(weight[r])
        store(then, r, row)
    store(then, routers + 1, news)
    gained[0], gained[1] = total(members), total(members_weighted)
    return n


@kernel
def _push(links, stamp, now, then, weight, n, work):
    """One level from the n changed routers to their out-neighbors, in place; then[r] holds when mark[r] == stamp."""
    first, target = links.first, links.target
    changed, touched, mark, gained = work.changed, work.touched, work.mark, work.gained
    routers, reached = first.size - 1, 0
    for i in range(n):
        row = load(now, changed[i])
        for e in range(at(first, changed[i]), at(first, changed[i] + 1)):
            r = at(target, e)
            if mark[r] == stamp:
                store(then, r, row | load(then, r))
            else:
                store(then, r, row)
                mark[r] = stamp
                touched[reached] = r
                reached += 1
    members, members_weighted, news, n = zero(), zero(), zero(), 0
    for i in range(reached):
        r = touched[i]
        old = load(now, r)
        row = old | load(then, r)
        if found(row ^ old):
            store(now, r, row)
            changed[n] = r
            n += 1
            fresh = old ^ row
            news = news | fresh
            bits = count(fresh)
            members = members + bits
            if weight.size > 0:
                members_weighted = members_weighted + bits * np.uint64(weight[r])
    store(now, routers + 1, news)
    gained[0], gained[1] = total(members), total(members_weighted)
    return n


@kernel
def _start(sources, now, then, changed, mark):
    """Rows before the first level: every source knows itself; the row after the last router holds the whole batch."""
    last = mark.size
    for r in range(last + 2):
        store(now, r, zero())
    for r in range(last):
        mark[r] = 0
    for i in range(sources.size):
        bit = np.uint64(1) << np.uint64(i & 63)
        now[sources[i], i >> 6] |= bit
        now[last, i >> 6] |= bit
        changed[i] = sources[i]
    store(then, last, load(now, last))


@kernel
def _note(news, far, value):
    """far = value for every source that the row `news` holds."""
    for i in range(far.size):
        if (news[i >> 6] >> np.uint64(i & 63)) & np.uint64(1):
            far[i] = value


@entry
def search_batch(links, work, sources, weight, times, factor, counts, far):
    """Search from a batch of sources and add the figures up. R routers.

    links, work: a `Links` and a `Work`. sources (S,) int32: different routers, at most BITS. weight (R,) int64: sinks
    of each router, or (0,) when weighted figures are not asked. times, factor: what each pair counts, and what it
    counts by weight, beside. Filled: counts (2, R) int64, to which the pairs (s, r) of different routers are added by
    distance, and the same with weight[r]; far (S,) int32, eccentricity of each source or UNREACHED, zero before.
    """
    now, then, changed, mark, gained = work.now, work.then, work.changed, work.mark, work.gained
    first, target = links.first, links.target
    routers = mark.size
    _start(sources, now, then, changed, mark)
    n, seen, level = sources.size, sources.size, 0
    while n > 0 and seen < sources.size * routers:
        level += 1
        channels = 0
        for i in range(n):
            channels += first[changed[i] + 1] - first[changed[i]]
            if channels * PUSH_SHARE >= target.size:
                break
        if channels * PUSH_SHARE < target.size:
            n = _push(links, level, now, then, weight, n, work)
        else:
            n = _pull(links, now, then, weight, changed, gained)
            now, then = then, now
        _note(now[routers + 1], far, level)
        seen += gained[0]
        counts[0, level] += gained[0] * times
        counts[1, level] += gained[1] * factor
    if seen < sources.size * routers:
        full, missing = load(now, routers), zero()
        for r in range(routers):
            missing = missing | (full ^ load(now, r))
        store(now, routers + 1, missing)
        _note(now[routers + 1], far, UNREACHED)
