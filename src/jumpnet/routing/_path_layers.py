"""Kernel of layers for the routes of any routing without choices: each route into the first layer it leaves acyclic.

As `_layers.py` does for tables of shortest paths (Skeie, Lysne and Theiss 2002), but following a relation, whose next
hop may depend on the packet's state. Called by `rdt_fault_tolerant`; that no layer has a cycle is proved by `prove`.
"""

from __future__ import annotations

import numpy as np

from jumpnet._jit import borrow, jit
from jumpnet.routing._layers import _reorder
from jumpnet.routing._view import (
    DESTINATION,
    HEADER_FIELDS,
    IN_PORT,
    IN_VC,
    INTERMEDIATE,
    MAX_CANDIDATES,
    NEXT_STATE,
    PORT,
    SOURCE,
    STATE,
    call,
    call_start,
)

__all__ = ["layer_routes"]


@jit
def _ports_of(relation, start, view, source, destination, head, out, queue, path):
    """Channels of the first candidates from source to destination into `path`: their number, -1 without a route."""
    head[:] = 0
    head[SOURCE], head[DESTINATION] = source, destination
    head[IN_PORT], head[IN_VC], head[INTERMEDIATE] = -1, -1, -1
    call_start(start, view, head, 0, queue)
    here, hops = source, 0
    while True:
        found = call(relation, view, here, head, out)
        if found == 0:
            return hops
        if found < 0 or hops == path.size:
            return -1
        port = out[0, PORT]
        path[hops] = here * view.neighbor.shape[1] + port
        head[STATE], head[IN_PORT], head[IN_VC] = out[0, NEXT_STATE], view.far_port[here, port], 0
        here = np.int64(view.neighbor[here, port])
        hops += 1


@jit
def layer_routes(relation, start, view, ends, limit, layer):
    """layer[s, d] (R, R) int16 for the route between routers of `ends`; returns the number of layers.

    0 when they would be more than `limit`, -1 when one route alone makes a cycle (it passes a channel twice). An entry
    of -1 is a pair without a route. Memory 25 bytes a channel and layer.
    """
    neighbor, layer = borrow(view.neighbor), borrow(layer)
    routers, ports = neighbor.shape
    channels = routers * ports
    bits = np.zeros((limit, channels, ports), np.bool_)
    place, at = np.zeros((limit, channels), np.int32), np.zeros((limit, channels), np.int32)
    for k in range(limit):
        for c in range(channels):
            place[k, c] = at[k, c] = c
    seen, stack = np.full(channels, -1, np.int64), np.zeros(channels, np.int32)
    head, out = np.zeros(HEADER_FIELDS, np.int64), np.zeros((8 * MAX_CANDIDATES, 4), np.int64)
    queue, path = np.zeros(ports, np.int64), np.zeros(4 * routers + 64, np.int64)
    fresh = np.zeros(path.size, np.int64)
    mark = np.int64(0)
    used = 1
    for i in range(ends.size):
        for j in range(ends.size):
            s, d = ends[i], ends[j]
            hops = _ports_of(relation, start, view, s, d, head, out, queue, path)
            layer[s, d] = -1 if hops < 0 else 0
            for k in range(limit + 1):
                if hops < 2:
                    break
                if k == limit:
                    return 0
                added, fits = 0, True
                for h in range(1, hops):
                    held, port = path[h - 1], path[h] % ports
                    if bits[k, held, port]:
                        continue
                    if place[k, held] > place[k, path[h]]:
                        mark += 1
                        fits = _reorder(neighbor, bits[k], place[k], at[k], held, path[h], seen, stack, mark)
                    if not fits:
                        break
                    bits[k, held, port] = True
                    fresh[added] = h
                    added += 1
                if fits:
                    layer[s, d] = k
                    used = max(used, k + 1)
                    break
                if k == used:
                    return -1
                for a in range(added):
                    h = fresh[a]
                    bits[k, path[h - 1], path[h] % ports] = False
    return used
