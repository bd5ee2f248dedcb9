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
from jumpnet.routings._layers import reorder
from jumpnet.routings._offers import Offers, put_offer, take_offer
from jumpnet.terms import I32, I64, Array

__all__ = ["Graph", "new_graph", "route_layer"]

HOP = 1 << 45
"""Cost of a hop beside the routes that a channel has: fewer hops come first."""


class Graph(NamedTuple):
    """The dependencies between C channels of one layer, and an order of the channels by which all of them ascend."""

    bits: Array
    """(C, P) bool: bit p of row c is set when channel c may wait for port p of the router it leads to."""
    place: I32
    """(C,) place of each channel in the order."""
    at: I32
    """(C,) channel at each place."""
    seen: I64
    """(C,) marks of earlier searches."""
    stack: I32
    """(C,) room."""
    mark: I64
    """(1,) the last mark."""
    fresh: I64
    """(K,) c * P + p of the dependencies that came with the destination in hand."""
    added: I64
    """(1,) their number."""


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
def _add(neighbor, graph, held, port):
    """Whether channel `held` may wait for a port of the router it leads to; the dependency is there from now on."""
    if graph.bits[held, port]:
        return True
    ports = neighbor.shape[1]
    wanted = neighbor[held // ports, held % ports] * ports + port
    if graph.place[held] > graph.place[wanted]:
        graph.mark[0] += 1
        lists = graph.place, graph.at, held, wanted, graph.seen, graph.stack
        if not reorder(neighbor, graph.bits, *lists, graph.mark[0]):
            return False
    graph.bits[held, port] = True
    graph.fresh[graph.added[0]] = held * ports + port
    graph.added[0] += 1
    return True


@kernel
def _undo(graph, keep):
    """Take the fresh dependencies out again, all but the first `keep`."""
    ports = graph.bits.shape[1]
    while graph.added[0] > keep:
        graph.added[0] -= 1
        dependency = graph.fresh[graph.added[0]]
        graph.bits[dependency // ports, dependency % ports] = False


@kernel
def _offer(neighbor, far_port, load, r, cost, way, offers):
    """Offer every neighbor of r that has no way yet the channel to r."""
    for p in range(neighbor.shape[1]):
        x = np.int64(neighbor[r, p])
        if x >= 0 and way[x] < 0:
            q = np.int64(far_port[r, p])
            put_offer(offers, cost[r] + HOP + load[x, q], x, q)


@kernel
def _spread(neighbor, far_port, graph, load, d, cost, way, offers):
    """Take the cheapest offers that close no cycle until none is left (Dijkstra)."""
    ports = neighbor.shape[1]
    while offers.held[0] > 0:
        total, x, p = take_offer(offers)
        r = neighbor[x, p]
        if x != d and way[x] < 0 and (r == d or _add(neighbor, graph, x * ports + p, way[r])):
            way[x], cost[x] = p, total
            _offer(neighbor, far_port, load, x, cost, way, offers)


@kernel
def _may_turn(neighbor, far_port, graph, d, way, r, p, entry):
    """Whether router r may go on by port p instead, for all that come through it, now by its port `entry` too.

    A way that comes back to r never may: its last channel would wait for port p, its first.
    """
    ports, s = neighbor.shape[1], neighbor[r, p]
    if s != d and not _add(neighbor, graph, r * ports + p, way[s]):
        return False
    for i in range(ports):
        other = neighbor[r, i]
        comes = other >= 0 and (i == entry or (other != d and way[other] == far_port[r, i]))
        if comes and not _add(neighbor, graph, other * ports + far_port[r, i], p):
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
            _undo(graph, before)
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
                    _add(neighbor, graph, x * ports + s, q)
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
def _grow(neighbor, far_port, ends, graph, load, d, cost, way, offers):
    """Ways to d from every end, by the cheapest channels that close no cycle; False when some end found none."""
    way[:], cost[d], graph.added[0] = -1, 0, 0
    offers.held[0] = 0
    _offer(neighbor, far_port, load, d, cost, way, offers)
    _spread(neighbor, far_port, graph, load, d, cost, way, offers)
    for x in range(way.size):
        if ends[x] and way[x] < 0 and x != d:
            port = _turn(neighbor, far_port, graph, d, way, x)
            if port < 0:
                return False
            way[x], cost[x] = port, cost[neighbor[x, port]] + HOP + load[x, port]
            _offer(neighbor, far_port, load, x, cost, way, offers)
            _spread(neighbor, far_port, graph, load, d, cost, way, offers)
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
    return int(_route(neighbor, far_port, ends, members, up, graph, load, next_port, way, cost, offers))


@entry
def _route(neighbor, far_port, ends, members, up, graph, load, next_port, way, cost, offers):
    """`route_layer` with work space: way and cost (R,), and no offers."""
    routers, by_tree = neighbor.shape[0], 0
    _add_tree(neighbor, far_port, up, graph)
    for d in members:
        if not _grow(neighbor, far_port, ends, graph, load, d, cost, way, offers):
            _undo(graph, 0)
            _by_tree(neighbor, far_port, up, d, way)
            by_tree += 1
        for s in range(routers):
            next_port[d, s] = way[s]
            r = np.int64(s)
            while ends[s] and r != d:
                load[r, way[r]] += 1
                r = np.int64(neighbor[r, way[r]])
    return by_tree
