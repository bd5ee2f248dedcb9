"""Kernels of DFSSSP: balanced shortest paths, and the layers that break the cycles of their dependencies.

Source: Domke, Hoefler and Nagel 2011. Paths as Hoefler, Schneider and Lumsdaine 2009: destination by destination, of
all shortest paths the one over channels with the fewest routes so far. Called by `dfsssp`; that no layer has a cycle is
proved by `prove`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.linked import entry, kernel
from jumpnet.terms import I16, I32, I64, Array

__all__ = ["Search", "balanced_ports", "break_cycles"]


class Search(NamedTuple):
    """A search of C channels depth first."""

    colour: Array
    """(C,) 0 not met, 1 on the stack, 2 done."""
    place: I64
    """(C,) the port of each that is looked at next."""
    stack: I64
    """(C,) channels from the root of the search on."""


@kernel
def _nearest_first(hops, first, order):
    """order (R,): the routers by their hops (R,), those without a way last; first (R,) is work space.

    Counted: sorting by NumPy's name would make lists, for which the code would need Numba at every start.
    """
    routers = hops.size
    first[:] = 0
    for r in range(routers):
        if hops[r] < routers - 1:
            first[hops[r] + 1] += 1
    for k in range(routers - 1):
        first[k + 1] += first[k]
    for r in range(routers):
        k = min(np.int64(hops[r]), routers - 1)
        order[first[k]] = r
        first[k] += 1


def balanced_ports(neighbor: I32, hops: I16, ends: Array, next_port: I16) -> None:
    """next_port[d, r] of the least loaded shortest path from r to d, -1 at d and where there is none.

    hops[d, r] are the distances; a route from each router of ends (R,) bool to each other loads its channels by one.
    Destinations in order; ties go to the first port.
    """
    cost, flow, order, first = np.zeros((4, len(neighbor)), np.int64)
    _balance(neighbor, hops, ends, next_port, np.zeros(neighbor.shape, np.int64), cost, flow, order, first)


@entry
def _balance(neighbor, hops, ends, next_port, load, cost, flow, order, first):
    """`balanced_ports` with work space: load (R, P), the others (R,)."""
    routers, ports = neighbor.shape
    for d in range(routers):
        _nearest_first(hops[d], first, order)
        for i in range(routers):
            r = order[i]
            best = -1
            for p in range(ports):
                s = neighbor[r, p]
                closer = s >= 0 and hops[d, s] == hops[d, r] - 1
                if closer and (best < 0 or load[r, p] + cost[s] < load[r, best] + cost[neighbor[r, best]]):
                    best = p
            next_port[d, r] = best
            cost[r] = load[r, best] + cost[neighbor[r, best]] if best >= 0 else 0
            flow[r] = ends[r]
        for i in range(routers - 1, -1, -1):
            r = order[i]
            p = next_port[d, r]
            if p >= 0 and ends[d]:
                load[r, p] += flow[r]
                flow[neighbor[r, p]] += flow[r]


@kernel
def _count(neighbor, next_port, d, s, count, by):
    """Add `by` to the paths of every dependency on the path from s to d; count (R * P, P)."""
    ports, held, r = neighbor.shape[1], -1, s
    while r != d:
        p = next_port[d, r]
        if held >= 0:
            count[held, p] += by
        held, r = r * ports + p, np.int64(neighbor[r, p])


@kernel
def _passes(neighbor, next_port, d, s, channel):
    """Whether the path from s to d takes a channel, which lies on the way to d from its own router."""
    ports, r = neighbor.shape[1], s
    while r != d:
        if r == channel // ports:
            return True
        r = np.int64(neighbor[r, next_port[d, r]])
    return False


@kernel
def _move(neighbor, next_port, layer, k, held, port, count, more):
    """Move all paths of layer k over the dependency (held, port) to layer k + 1, from `count` to `more`."""
    routers, ports = neighbor.shape
    at, there = held // ports, neighbor[held // ports, held % ports]
    for d in range(routers):
        if d == there or next_port[d, at] != held % ports or next_port[d, there] != port:
            continue
        for s in range(routers):
            if layer[d, s] == k and s != d and _passes(neighbor, next_port, d, s, held):
                layer[d, s] = k + 1
                _count(neighbor, next_port, d, s, count, -1)
                _count(neighbor, next_port, d, s, more, 1)


@kernel
def _break_layer(neighbor, next_port, layer, k, count, more, search):
    """Search layer k depth first; of each cycle met, move the dependency with the fewest paths out. Whether any was."""
    channels, ports = count.shape
    colour, place, stack = search.colour, search.place, search.stack
    colour[:], moved = 0, False
    for root in range(channels):
        if colour[root] != 0:
            continue
        stack[0], colour[root], place[root], top = root, 1, 0, 1
        while top > 0:
            c = stack[top - 1]
            if place[c] == ports:
                colour[c] = 2
                top -= 1
                continue
            p = place[c]
            place[c] += 1
            if count[c, p] == 0:
                continue
            m = neighbor[c // ports, c % ports] * ports + p
            if colour[m] == 0:
                stack[top], colour[m], place[m] = m, 1, 0
                top += 1
            elif colour[m] == 1:
                begin = top - 1
                weakest, by = c, p
                while stack[begin] != m:
                    begin -= 1
                    q = place[stack[begin]] - 1
                    if count[stack[begin], q] < count[weakest, by]:
                        weakest, by = stack[begin], q
                _move(neighbor, next_port, layer, k, weakest, by, count, more)
                moved = True
                keep = 1
                while keep < top and count[stack[keep - 1], place[stack[keep - 1]] - 1] > 0:
                    keep += 1
                for i in range(keep, top):
                    colour[stack[i]] = 0
                top = keep
    return moved


def break_cycles(neighbor: I32, next_port: I16, ends: Array, layer: I16, limit: int) -> int:
    """layer[d, s] of each path, such that no layer's dependencies have a cycle; their number, 0 if above `limit`.

    A pair without a path, or of routers not in ends (R,) bool, gets -1; layer[d, d] = 0. Memory 8 bytes a dependency.
    """
    count, more = np.zeros((2, neighbor.size, neighbor.shape[1]), np.int32)
    colour, (place, stack) = np.zeros(neighbor.size, np.int8), np.zeros((2, neighbor.size), np.int64)
    return int(_break_all(neighbor, next_port, ends, layer, limit, count, more, Search(colour, place, stack)))


@entry
def _break_all(neighbor, next_port, ends, layer, limit, count, more, search):
    """`break_cycles` with work space: paths of each dependency of two layers, count and more (C, P)."""
    routers = neighbor.shape[0]
    for d in range(routers):
        for s in range(routers):
            here = s == d or (next_port[d, s] >= 0 and ends[s] and ends[d])
            layer[d, s] = 0 if here else -1
            if here:
                _count(neighbor, next_port, d, s, count, 1)
    for k in range(limit):
        if not _break_layer(neighbor, next_port, layer, k, count, more, search):
            return k + 1
        count, more = more, count
        more[:] = 0
    return 0
