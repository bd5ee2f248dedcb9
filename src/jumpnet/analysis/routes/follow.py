"""Kernels that follow routes: length of each route, channels used, and the range of lengths of an adaptive routing.

Called by `paths`, `listed` and `loads`; the naive twin is `tests/naive/paths.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry, kernel
from jumpnet.routings.follow import follow, scratch_for
from jumpnet.routings.view import ESCAPE

__all__ = ["channels_of", "distances", "extremes", "lengths", "load_of", "lost_of", "survey"]


@entry(allocates=True)
def lengths(calls, draws, sources, destinations, weights, limit, counts, failed):
    """Add the weight of each (source, destination) pair to counts[hops], over all draws of the start hook.

    Arrays sources, destinations, weights (K,) int64; counts (limit,) int64. At the first route that fails, failed =
    [code, source, destination, draw] and the walk ends.
    """
    relation, start, view = calls
    scratch = scratch_for(view, 0)
    for i in range(sources.size):
        source, destination = np.int64(sources[i]), np.int64(destinations[i])
        for draw in range(draws):
            hops = follow(relation, start, view, source, destination, draw, limit, scratch)
            if hops < 0:
                failed[0], failed[1], failed[2], failed[3] = hops, source, destination, draw
                return
            counts[hops] += weights[i]


@entry(allocates=True)
def load_of(calls, draws, sources, destinations, weights, limit, load, failed):
    """As `lengths`, but add the weight to load[router, port, vc] (float64) of every channel on the route.

    Where no route fails, failed[3] is the length of the longest.
    """
    relation, start, view = calls
    scratch = scratch_for(view, limit + 1)
    for i in range(sources.size):
        source, destination = np.int64(sources[i]), np.int64(destinations[i])
        for draw in range(draws):
            hops = follow(relation, start, view, source, destination, draw, limit, scratch)
            if hops < 0:
                failed[0], failed[1], failed[2], failed[3] = hops, source, destination, draw
                return
            failed[3] = max(failed[3], hops)
            for k in range(hops):
                load[scratch.trace[k, 0], scratch.trace[k, 1], scratch.trace[k, 2]] += weights[i]


@entry(allocates=True)
def lost_of(calls, sources, destinations, limit):
    """How many routes from each of sources (S,) to each other of destinations (K,), by draw 0, do not arrive."""
    relation, start, view = calls
    scratch = scratch_for(view, 0)
    lost = 0
    for i in range(sources.size):
        source = np.int64(sources[i])
        for k in range(destinations.size):
            destination = np.int64(destinations[k])
            if destination != source:
                lost += follow(relation, start, view, source, destination, 0, limit, scratch) < 0
    return lost


@entry(allocates=True)
def channels_of(calls, source, destinations, limit, hops, channels):
    """The routes from `source` to destinations (K,) by draw 0: hops (K,) int64 of each, and how many in all.

    channels (C, 3) int64 receives [router, port, vc] of every hop, one route after the other, as long as there is room.
    At the first route that fails its hops are the code of `follow`, and so is what is returned.
    """
    relation, start, view = calls
    scratch = scratch_for(view, limit + 1)
    total = 0
    for i in range(destinations.size):
        hops[i] = follow(relation, start, view, source, np.int64(destinations[i]), 0, limit, scratch)
        if hops[i] < 0:
            return hops[i]
        for k in range(hops[i]):
            if total + k < channels.shape[0]:
                channels[total + k] = scratch.trace[k]
        total += hops[i]
    return total


@kernel
def distances(neighbor, source, distance, queue):
    """Hops from `source` to every router into distance (R,), -1 where there is no way; queue (R,) is scratch."""
    distance[:] = -1
    distance[source] = 0
    queue[0] = source
    head, tail = 0, 1
    while head < tail:
        here = queue[head]
        head += 1
        for p in range(neighbor.shape[1]):
            there = neighbor[here, p]
            if there >= 0 and distance[there] < 0:
                distance[there] = distance[here] + 1
                queue[tail] = there
                tail += 1


@entry(allocates=True)
def survey(calls, draws, sources, weights, sinks, limit, counts, worst, failed):
    """As `lengths` for each of sources (S,), its weight of weights (S,), and all other routers of sinks (T,).

    Also compares with the shortest paths: worst = [hops, shortest, destination] of the route with the greatest stretch
    hops / shortest so far. Returns the weighted sum of the shortest distances.
    """
    routers = calls.net.neighbor.shape[0]
    relation, start, view = calls
    scratch = scratch_for(view, 0)
    distance, queue, total = np.empty(routers, np.int32), np.empty(routers, np.int32), np.int64(0)
    for i in range(sources.size):
        source, weight = np.int64(sources[i]), np.int64(weights[i])
        distances(calls.net.neighbor, source, distance, queue)
        for k in range(sinks.size):
            destination = np.int64(sinks[k])
            if destination == source:
                continue
            short = np.int64(distance[destination])
            for draw in range(draws):
                hops = follow(relation, start, view, source, destination, draw, limit, scratch)
                if hops < 0:
                    failed[0], failed[1], failed[2], failed[3] = hops, source, destination, draw
                    return total
                counts[hops] += weight
                total += short * weight
                if hops * worst[1] > worst[0] * short:
                    worst[0], worst[1], worst[2] = hops, short, destination
    return total


@entry(allocates=True)
def extremes(nodes, count, order, longest, expected):
    """Longest and expected hops from every node of `walks.packet_walk.walk`; False when choices can go round.

    longest (N,) int64 and expected (N,) float64 are filled; order (N,) int64 is scratch. Expected: each
    different node that the NORMAL candidates enter is equally likely, of the ESCAPE ones where there is no other.
    """
    waiting = np.zeros(count, np.int64)
    parents = np.zeros(count + 1, np.int64)
    edges = nodes.first[count]
    for e in range(edges):
        parents[nodes.edge[e, 3] + 1] += 1
    for n in range(count):
        waiting[n] = nodes.first[n + 1] - nodes.first[n]
        parents[n + 1] += parents[n]
    place, origin = parents[:count].copy(), np.empty(edges, np.int64)
    for n in range(count):
        for e in range(nodes.first[n], nodes.first[n + 1]):
            child = nodes.edge[e, 3]
            origin[place[child]] = n
            place[child] += 1
    done = tail = 0
    for n in range(count):
        if waiting[n] == 0:
            order[tail] = n
            tail += 1
    while done < tail:
        n = order[done]
        done += 1
        longest[n], expected[n] = _one(nodes, n, longest, expected)
        for k in range(parents[n], parents[n + 1]):
            waiting[origin[k]] -= 1
            if waiting[origin[k]] == 0:
                order[tail] = origin[k]
                tail += 1
    return done == count


@kernel
def _one(nodes, n, longest, expected):
    """Longest and expected hops of one node whose children are done."""
    first, stop = nodes.first[n], nodes.first[n + 1]
    most, total, ways, normal = 0, 0.0, 0, False
    for e in range(first, stop):
        normal = normal or nodes.edge[e, 2] & ESCAPE == 0
    for e in range(first, stop):
        child = nodes.edge[e, 3]
        most = max(most, longest[child] + 1)
        if normal and nodes.edge[e, 2] & ESCAPE != 0:
            continue
        again = False
        for k in range(first, e):
            again = again or (nodes.edge[k, 3] == child and (nodes.edge[k, 2] & ESCAPE == 0) == normal)
        if not again:
            total += expected[child] + 1
            ways += 1
    return most, (total / ways if ways else 0.0)
