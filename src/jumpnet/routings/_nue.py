"""Kernel of Nue: the routes to each destination grow in the complete channel dependency graph, never closing a cycle.

Source: Domke, Hoefler and Matsuoka 2016. From the destination outward, the cheapest router joins whose channel may be
followed by the channel its neighbor goes on by; a dependency that would close a cycle is passed over for the next best.
The dependencies of a spanning tree are there before all others, so that there always is a way. Called by `nue`; naive
twin: `tests/naive/nue.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.linked import entry, kernel
from jumpnet.routings._layers import Graph, add_dependency, take_back
from jumpnet.routings._offers import Offers, put_offer, take_offer
from jumpnet.terms import I32, I64, Array

__all__ = ["Ways", "new_graph", "route_layer"]

HOP = 1 << 45
"""Cost of a hop beside the routes that a channel has: fewer hops come first."""


class Ways(NamedTuple):
    """The ways to one destination while they grow."""

    port: I64
    """(R,) the port of each router toward the destination, -1 while it has no way."""
    cost: I64
    """(R,) of its way."""
    offers: Offers
    """Channels by which routers without a way could go on."""


def new_graph(routers: int, ports: int) -> Graph:
    """No dependencies yet."""
    channels = routers * ports
    return Graph(
        np.zeros((channels, ports), np.bool_),
        np.arange(channels, dtype=np.int32),
        np.arange(channels, dtype=np.int32),
        np.zeros(channels, np.int64),
        np.zeros(channels, np.int32),
        np.zeros(1, np.int64),
        np.zeros(4 * routers + 2 * ports + 2, np.int64),
        np.zeros(1, np.int64),
    )


@kernel
def _offer(neighbor, far_port, load, r, ways):
    """Offer every neighbor of r that has no way yet the channel to r."""
    for p in range(neighbor.shape[1]):
        x = np.int64(neighbor[r, p])
        if x >= 0 and ways.port[x] < 0:
            q = np.int64(far_port[r, p])
            put_offer(ways.offers, ways.cost[r] + HOP + load[x, q], x, q)


@kernel
def _spread(neighbor, far_port, graph, load, d, ways):
    """Take the cheapest offers that close no cycle until none is left (Dijkstra)."""
    ports, way = neighbor.shape[1], ways.port
    while ways.offers.held[0] > 0:
        total, x, p = take_offer(ways.offers)
        r = neighbor[x, p]
        if x != d and way[x] < 0 and (r == d or add_dependency(neighbor, graph, x * ports + p, way[r])):
            way[x], ways.cost[x] = p, total
            _offer(neighbor, far_port, load, x, ways)


@kernel
def _may_turn(neighbor, far_port, graph, d, way, r, p, entry):
    """Whether router r may go on by port p instead, for all that come through it, now by its port `entry` too.

    A way that comes back to r never may: its last channel would wait for port p, its first.
    """
    ports, s = neighbor.shape[1], neighbor[r, p]
    if s != d and not add_dependency(neighbor, graph, r * ports + p, way[s]):
        return False
    for i in range(ports):
        other = neighbor[r, i]
        comes = other >= 0 and (i == entry or (other != d and way[other] == far_port[r, i]))
        if comes and not add_dependency(neighbor, graph, other * ports + far_port[r, i], p):
            return False
    return True


@kernel
def _turn(neighbor, far_port, graph, d, way, x):
    """Find a way for x, all of whose offers close cycles, by turning a neighbor another way; its port, or -1."""
    for j in range(neighbor.shape[1]):
        r = np.int64(neighbor[x, j])
        if r < 0 or way[r] < 0:
            continue
        for p in range(neighbor.shape[1]):
            s = np.int64(neighbor[r, p])
            if s < 0 or p == way[r] or (s != d and way[s] < 0):
                continue
            before = graph.added[0]
            if before + neighbor.shape[1] + 1 > graph.fresh.size:
                return -1
            if _may_turn(neighbor, far_port, graph, d, way, r, p, far_port[x, j]):
                way[r] = p
                return j
            take_back(graph, before)
    return -1


@kernel
def _add_tree(neighbor, far_port, up, graph):
    """Every dependency of a spanning tree: from each of its channels to each other one, but back where it came from."""
    ports = neighbor.shape[1]
    for r in range(neighbor.shape[0]):
        for p in range(ports):
            x, s = neighbor[r, p], far_port[r, p]
            if x < 0 or (up[r] != p and up[x] != s):
                continue
            for q in range(ports):
                y = neighbor[r, q]
                if y >= 0 and q != p and (up[r] == q or up[y] == far_port[r, q]):
                    add_dependency(neighbor, graph, x * ports + s, q)
                    graph.added[0] = 0


@kernel
def _by_tree(neighbor, far_port, up, d, way):
    """The ways to d over a tree; up[r] is the port to the parent, -1 at the root and outside the tree."""
    for x in range(way.size):
        way[x] = up[x]
    r = d
    while up[r] >= 0:
        parent = np.int64(neighbor[r, up[r]])
        way[parent] = far_port[r, up[r]]
        r = parent
    way[d] = -1


@kernel
def _grow(neighbor, far_port, ends, up, graph, load, d, ways):
    """Ways to d from all routers, by the cheapest channels that close no cycle; False when some router found none.

    First from every end, then from the others that the tree has: a packet that is routed anew may stand there.
    """
    way, cost = ways.port, ways.cost
    way[:], cost[d], graph.added[0] = -1, 0, 0
    ways.offers.held[0] = 0
    _offer(neighbor, far_port, load, d, ways)
    _spread(neighbor, far_port, graph, load, d, ways)
    for i in range(2 * way.size):
        x = i % way.size
        asked = ends[x] if i < way.size else up[x] >= 0
        if asked and way[x] < 0 and x != d:
            port = _turn(neighbor, far_port, graph, d, way, x)
            if port < 0:
                return False
            way[x], cost[x] = port, cost[neighbor[x, port]] + HOP + load[x, port]
            _offer(neighbor, far_port, load, x, ways)
            _spread(neighbor, far_port, graph, load, d, ways)
    return True


def route_layer(
    neighbor: I32, far_port: I32, ends: Array, members: I64, up: I64, graph: Graph, load: I64, next_port: Array
) -> int:
    """next_port[d, r] for the destinations `members` (M,) of one layer; how many of them are reached over the tree.

    ends (R,) bool: routers that send. up (R,): the port to the parent in the layer's spanning tree, -1 at its root.
    graph: no dependencies yet. load (R, P), routes over each channel so far, grows. Cost O(M E log E) for E channels,
    and for each new dependency against the order what lies between.
    """
    offers = Offers(np.zeros((neighbor.size, 3), np.int64), np.zeros(1, np.int64))
    way, cost = np.zeros((2, len(neighbor)), np.int64)
    return int(_route(neighbor, far_port, ends, members, up, graph, load, next_port, Ways(way, cost, offers)))


@entry
def _route(neighbor, far_port, ends, members, up, graph, load, next_port, ways):
    """`route_layer` with room for the ways to one destination."""
    routers, by_tree, way = neighbor.shape[0], 0, ways.port
    _add_tree(neighbor, far_port, up, graph)
    for d in members:
        if not _grow(neighbor, far_port, ends, up, graph, load, d, ways):
            take_back(graph, 0)
            _by_tree(neighbor, far_port, up, d, way)
            by_tree += 1
        for s in range(routers):
            next_port[d, s] = way[s]
            r = np.int64(s)
            while ends[s] and r != d:
                load[r, way[r]] += 1
                r = np.int64(neighbor[r, way[r]])
    return by_tree
