"""Kernels: the shortest ways to many routers at once, and the dependencies of the packets on them.

A node is router * S + STATE. Of each hop between nodes K words of bits say for which of 64 K destinations a packet goes
by it. Called by `graph`; the twin is the walk over the routing's table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.linked import entry, inlined, kernel
from jumpnet.jit.vectors.numbers import at, count, found, load, store, total, zero
from jumpnet.terms import I32, I64, Array

__all__ = ["Arcs", "Met", "Sets", "follow"]

ONE = np.uint64(1)


class Arcs(NamedTuple):
    """The graph whose shortest ways are gone: N nodes, E hops in order of the nodes and ports that they leave by."""

    leave: I64
    """(N + 1,) the first hop from each node."""
    to: I32
    """(E,) the node that a hop leads to."""
    port: I32
    """(E,) the port that it leaves by."""
    first: I64
    """(N + 1,) the first of `comes` and `before` of each node."""
    comes: I32
    """(E,) hops that lead to it."""
    before: I32
    """(E,) nodes from which these lead to it."""
    states: int
    every: bool
    """Whether all ports on a shortest way are taken, or the first alone."""


class Sets(NamedTuple):
    """Room for up to 64 K destinations, (N, K) uint64 each but for the last ones."""

    seen: Array
    """Those to which the node has a way that was found."""
    now: Array
    """Those to which it has so many hops as is looked at."""
    ahead: Array
    """Those to which it has one more."""
    here: Array
    """Those to which packets are at the node."""
    want: Array
    """(E, K): those to which packets go by the hop."""
    lists: I32
    """(2, N) nodes with something in `now`, and those that a hop leads from to these."""
    mark: I32
    """(N,) the level at which a node was last listed; then whether something was added to its row of `here` since."""
    some: I32
    """(P,) hops from a node that packets at it take."""


class Met(NamedTuple):
    """What was found for all destinations so far."""

    waits: Array
    """(E, W) uint64: bit q is set when a packet on the hop may wait for port q of the next router."""
    asked: Array
    """(E,) uint8: 1 when a packet may go by the hop."""
    counted: I64
    """(2,) pairs of a node and a destination that packets come to; whether some packet may choose between ports."""


@inlined
def _put(row, i):
    """Bit i of a row of uint64 words is set."""
    row[i >> 6] |= ONE << np.uint64(i & 63)


@kernel
def _before(arcs, sets, found, level):
    """List the nodes from which a hop leads to the `found` ones of the first list; their number."""
    more = 0
    for i in range(found):
        n = sets.lists[0, i]
        for e in range(at(arcs.first, n), at(arcs.first, n + 1)):
            m = at(arcs.before, e)
            if at(sets.mark, m) != level:
                sets.mark[m] = level
                sets.lists[1, more] = m
                more += 1
    return more


@inlined
def _leave(arcs, sets, now, m):
    """By which ports packets leave node m for destinations that its neighbors have in `now`, and it not before."""
    seen, new = load(sets.seen, m), zero()
    for e in range(at(arcs.leave, m), at(arcs.leave, m + 1)):
        row = load(now, at(arcs.to, e))
        row = row ^ (row & seen)
        if not arcs.every:
            row = row ^ (row & new)
        new = new | row
        if found(row):
            store(sets.want, e, row | load(sets.want, e))
    store(sets.seen, m, seen | new)
    return new


@kernel
def _find_ways(arcs, sets, sinks):
    """Breadth-first backwards from all destinations, hop by hop."""
    sets.seen[:], sets.now[:], sets.ahead[:], sets.want[:] = ONE - ONE, ONE - ONE, ONE - ONE, ONE - ONE
    sets.mark[:] = 0
    now, ahead, live, level = sets.now, sets.ahead, 0, 0
    for i in range(sinks.size):
        for s in range(arcs.states):
            n = sinks[i] * arcs.states + s
            _put(sets.seen[n], i)
            _put(now[n], i)
            sets.lists[0, live] = n
            live += 1
    while live > 0:
        level += 1
        more = _before(arcs, sets, live, level)
        for i in range(more):
            m = sets.lists[1, i]
            store(ahead, m, _leave(arcs, sets, now, m))
        now, ahead, live = ahead, now, 0  # nodes that still read older rows of `now` have them in `seen`
        for i in range(more):
            m = sets.lists[1, i]
            if found(load(now, m)):
                sets.lists[0, live] = m
                live += 1


@kernel
def _enter(arcs, sets, sources, sinks, every):
    """Packets from every source to every destination but itself; False when one has no way. every (1, K): room."""
    sets.here[:], sets.mark[:], every[:] = ONE - ONE, 0, ONE - ONE
    for i in range(sinks.size):
        _put(every[0], i)
    for s in sources:
        n = s * arcs.states
        sets.mark[n] = 1
        if found(load(sets.seen, n) ^ load(every, 0)):
            return False
        store(sets.here, n, load(every, 0))
    for i in range(sinks.size):
        sets.here[sinks[i] * arcs.states, i >> 6] &= ~(ONE << np.uint64(i & 63))
    return True


@kernel
def _go(arcs, sets):
    """Packets go on until none reaches a new node."""
    more = True
    while more:
        more = False
        for n in range(arcs.leave.size - 1):
            if sets.mark[n] == 0:
                continue
            sets.mark[n] = 0
            for e in range(at(arcs.leave, n), at(arcs.leave, n + 1)):
                m = at(arcs.to, e)
                before = load(sets.here, m)
                after = before | load(sets.here, n) & load(sets.want, e)
                if found(before ^ after):
                    store(sets.here, m, after)
                    sets.mark[m], more = 1, True


@kernel
def _taken(arcs, sets, met, n):
    """List the hops that packets at node n take, in `some`; their number."""
    here, by_others, many = load(sets.here, n), zero(), 0
    for e in range(at(arcs.leave, n), at(arcs.leave, n + 1)):
        held = here & load(sets.want, e)
        if not found(held):
            continue
        met.asked[e] = 1
        sets.some[many] = e
        many += 1
        if arcs.every:
            if found(held & by_others):
                met.counted[1] = 1
            by_others = by_others | held
    return many


@kernel
def _depend(arcs, sets, met):
    """What the packets of these destinations wait for: at each node those that come by a hop wait for the hops that
    they take from there.
    """
    for n in range(arcs.leave.size - 1):
        met.counted[0] += total(count(load(sets.here, n)))
        many = _taken(arcs, sets, met, n)
        if many == 0:
            continue
        for i in range(at(arcs.first, n), at(arcs.first, n + 1)):
            c = at(arcs.comes, i)
            held = load(sets.here, at(arcs.before, i)) & load(sets.want, c)
            if not found(held):
                continue
            for k in range(many):
                e = sets.some[k]
                q = at(arcs.port, e)
                if not (met.waits[c, q >> 6] >> np.uint64(q & 63)) & ONE and found(held & load(sets.want, e)):
                    met.waits[c, q >> 6] |= ONE << np.uint64(q & 63)


@entry
def follow(arcs, sets, sources, sinks, met, room):
    """Add the packets from all sources to `sinks` (at most 64 K) to what was met; False when one has no way.

    room (1, K) uint64 is work space.
    """
    _find_ways(arcs, sets, sinks)
    if not _enter(arcs, sets, sources, sinks, room):
        return False
    _go(arcs, sets)
    _depend(arcs, sets, met)
    return True
