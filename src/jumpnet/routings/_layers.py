"""Kernel of layered routing: put each path into the first layer whose dependency graph it leaves acyclic.

Source: Skeie, Lysne and Theiss 2002 (LASH). Each layer keeps an order of its channels in which every dependency
ascends; a new dependency against the order searches what lies between and moves it, or finds a cycle
(Marchetti-Spaccamela et al. 1996). Called by `lash`, `dfsssp`, `_path_layers`, `rdn.recursive` and `nue`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.linked import entry, kernel
from jumpnet.terms import I16, I32, I64, Array

__all__ = [
    "MOST_FIRST_FIT_LAYERS",
    "MOST_LAYERS",
    "NO_LAYER_ALONE",
    "Graph",
    "Layers",
    "add_dependency",
    "assign_layers",
    "extend_layers",
    "first_fit",
    "new_layers",
    "take_back",
]

MOST_LAYERS = 16
"""Layers that are tried at most."""
MOST_FIRST_FIT_LAYERS = 32
"""Likewise by `lash`, which finds out in a second at 1024 routers; random 3-regular ones need 24."""
NO_LAYER_ALONE = -1
"""In place of a layer: the path makes a cycle by itself."""


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
    """(K,) c * P + p of the dependencies that came with the path or destination in hand."""
    added: I64
    """(1,) their number."""


class Layers(NamedTuple):
    """The graphs of L layers."""

    bits: Array
    """(L, C, P) as in `Graph`, and so on."""
    bad: Array
    """(L, C, P) bool: dependencies that would close a cycle of the layer whatever comes with them."""
    place: I32
    at: I32
    seen: I64
    """(C,) of all layers together, as are the rest."""
    stack: I32
    mark: I64
    fresh: I64
    added: I64


def new_layers(routers: int, ports: int, limit: int, hops: int) -> Layers:
    """No dependencies yet in any of `limit` layers, for paths of so many hops at most."""
    channels = routers * ports
    bits, bad = (np.zeros((limit, channels, ports), np.bool_) for _ in range(2))
    place, at = (np.tile(np.arange(channels, dtype=np.int32), (limit, 1)) for _ in range(2))
    seen, stack, fresh = np.zeros(channels, np.int64), np.zeros(channels, np.int32), np.zeros(hops, np.int64)
    return Layers(bits, bad, place, at, seen, stack, np.zeros(1, np.int64), fresh, np.zeros(1, np.int64))


@kernel
def _reorder(neighbor, graph, x, y):
    """Make place[x] < place[y] for a new dependency x -> y; False when y already leads to x."""
    ports = neighbor.shape[1]
    place, at, seen, stack = graph.place, graph.at, graph.seen, graph.stack
    low, high = place[y], place[x]
    graph.mark[0] += 1
    mark = graph.mark[0]
    stack[0] = y
    seen[y] = mark
    top = 1
    while top > 0:
        top -= 1
        c = stack[top]
        r = neighbor[c // ports, c % ports]
        for p in range(ports):
            if graph.bits[c, p]:
                m = r * ports + p
                if m == x:
                    return False
                if place[m] < high and seen[m] != mark:
                    seen[m] = mark
                    stack[top] = m
                    top += 1
    moved = 0
    to = low
    for i in range(low, high + 1):
        c = at[i]
        if seen[c] == mark:
            stack[moved] = c
            moved += 1
        else:
            at[to] = c
            place[c] = to
            to += 1
    for i in range(moved):
        at[to] = stack[i]
        place[stack[i]] = to
        to += 1
    return True


@kernel
def add_dependency(neighbor, graph, held, port):
    """Whether channel `held` may wait for a port of the router it leads to; the dependency is there from now on."""
    if graph.bits[held, port]:
        return True
    ports = neighbor.shape[1]
    wanted = neighbor[held // ports, held % ports] * ports + port
    if graph.place[held] > graph.place[wanted] and not _reorder(neighbor, graph, held, wanted):
        return False
    graph.bits[held, port] = True
    graph.fresh[graph.added[0]] = held * ports + port
    graph.added[0] += 1
    return True


@kernel
def take_back(graph, keep):
    """Take the fresh dependencies out again, all but the first `keep`."""
    ports = graph.bits.shape[1]
    while graph.added[0] > keep:
        graph.added[0] -= 1
        dependency = graph.fresh[graph.added[0]]
        graph.bits[dependency // ports, dependency % ports] = False


@kernel
def _graph_of(layers, k):
    """The graph of layer k."""
    bits, place, at = layers.bits[k], layers.place[k], layers.at[k]
    return Graph(bits, place, at, layers.seen, layers.stack, layers.mark, layers.fresh, layers.added)


@kernel
def _fits(neighbor, graph, bad, path, hops):
    """Whether a path leaves a layer acyclic, whose graph then has its dependencies; if not, it has none of them."""
    ports = neighbor.shape[1]
    graph.added[0] = 0
    for h in range(1, hops):
        held, port = path[h - 1], path[h] % ports
        if graph.bits[held, port]:
            continue
        if bad[held, port] or not add_dependency(neighbor, graph, held, port):
            if graph.added[0] == 0:
                bad[held, port] = True
            take_back(graph, 0)
            return False
    return True


@kernel
def first_fit(neighbor, layers, used, path, hops):
    """The first layer that a path leaves acyclic, and the path is in it from then on.

    path: its channels, `hops` of them. used: layers that have paths. L when none of the L layers serves,
    NO_LAYER_ALONE when not even an empty one does.
    """
    limit = layers.bits.shape[0]
    for k in range(limit):
        if _fits(neighbor, _graph_of(layers, k), layers.bad[k], path, hops):
            return k
        if k == used:
            return NO_LAYER_ALONE
    return limit


def assign_layers(neighbor: I32, next_port: I16, ends: Array, layer: I16, limit: int) -> int:
    """layer[d, s] for the path from s to d by next_port[d, router]; returns the number of layers, 0 if above `limit`.

    layer[d, d] = 0; a pair without a path (next_port -1), or to a router not in ends (R,) bool, gets -1. Paths from
    routers not in ends, where a packet may stand that is routed anew, come after all others. Memory 25 bytes a channel
    and layer.
    """
    routers, ports = neighbor.shape
    layers, path = new_layers(routers, ports, limit, routers), np.zeros(routers, np.int64)
    return int(_assign(neighbor, next_port, ends, layer, layers, path))


@kernel
def _channels_on_the_way(neighbor, next_port, s, d, path):
    """Channels from s to d by next_port (R,) into path; their number."""
    hops, r = 0, s
    while r != d:
        p = next_port[r]
        path[hops] = r * neighbor.shape[1] + p
        r = int(neighbor[r, p])
        hops += 1
    return hops


@entry
def _assign(neighbor, next_port, ends, layer, layers, path):
    """`assign_layers` with room: layers without dependencies, and path (R,).

    A path by a table takes no channel twice, so that an empty layer always serves.
    """
    routers, used = neighbor.shape[0], 1
    for d in range(routers):
        for s in range(routers):
            layer[d, s] = 0
            if s == d:
                continue
            if next_port[d, s] < 0 or not (ends[s] and ends[d]):
                layer[d, s] = -1
                continue
            hops = _channels_on_the_way(neighbor, next_port[d], s, d, path)
            k = first_fit(neighbor, layers, used, path, hops)
            if k == layers.bits.shape[0]:
                return 0
            layer[d, s] = k
            used = max(used, k + 1)
    return _extend(neighbor, next_port, ends, layer, used, layers, path)


@kernel
def _extend(neighbor, next_port, ends, layer, used, layers, path):
    """Give the paths from routers that are no ends their layers, when all others have theirs; returns as `_assign`."""
    for d in range(neighbor.shape[0]):
        for s in range(neighbor.shape[0]):
            if ends[s] or not ends[d] or next_port[d, s] < 0:
                continue
            hops = _channels_on_the_way(neighbor, next_port[d], s, d, path)
            k = first_fit(neighbor, layers, used, path, hops)
            if k == layers.bits.shape[0]:
                return 0
            layer[d, s] = k
            used = max(used, k + 1)
    return used


def extend_layers(neighbor: I32, next_port: I16, ends: Array, layer: I16, used: int, limit: int) -> int:
    """The same for the paths from routers that are no ends alone, where layer[d, s] of the others is known.

    used: the layers that those have, none of which has a cycle; 0, for too many, is returned as it is.
    """
    if not (~ends & (neighbor >= 0).any(axis=1)).any():
        return used  # before room is made for layers
    routers, ports = neighbor.shape
    layers, path = new_layers(routers, ports, limit, routers), np.zeros(routers, np.int64)
    return int(_join(neighbor, next_port, ends, layer, used, layers, path))


@kernel
def _has_others(neighbor, ends):
    """Whether some router with a link is no end."""
    for r in range(neighbor.shape[0]):
        for p in range(neighbor.shape[1]):
            if not ends[r] and neighbor[r, p] >= 0:
                return True
    return False


@entry
def _join(neighbor, next_port, ends, layer, used, layers, path):
    """`extend_layers` with room as `_assign` has it: the paths that are known are put in first."""
    if used == 0 or not _has_others(neighbor, ends):
        return used
    for d in range(neighbor.shape[0]):
        for s in range(neighbor.shape[0]):
            if s != d and layer[d, s] >= 0:
                k = layer[d, s]
                hops = _channels_on_the_way(neighbor, next_port[d], s, d, path)
                _fits(neighbor, _graph_of(layers, k), layers.bad[k], path, hops)
    return _extend(neighbor, next_port, ends, layer, used, layers, path)
