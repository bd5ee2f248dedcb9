"""Kernel of layers for the routes of any routing without choices: each route into the first layer it leaves acyclic.

As `_layers.py` does for tables of shortest paths (Skeie, Lysne and Theiss 2002), but following a relation, whose next
hop may depend on the packet's state. Called by `rdt.fault_tolerant`, `rdt.partitioned` and the SRT's routings, whose
option `layers` it is; that no layer has a cycle is proved by `prove`.
"""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.linked import entry, kernel
from jumpnet.networks import Network
from jumpnet.routings._layers import MOST_LAYERS, NO_LAYER_ALONE, first_fit, new_layers
from jumpnet.routings._routing import Prepared
from jumpnet.routings.view import (
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
    compile_relation,
    compile_start,
    make_view,
)
from jumpnet.terms import I16

__all__ = ["LAYERS", "layer_routes", "pair_layers", "start_in_layer"]

LAYERS = ("none", "least")
"""Values of the option `layers`: all pairs on every virtual channel, or each pair in one of few acyclic layers."""
LIMIT_BYTES = 2 << 30
_known: WeakKeyDictionary[Network, dict[str, tuple[int, I16]]] = WeakKeyDictionary()


@kernel
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


@entry(allocates=True)
def layer_routes(relation, start, view, ends, layers, layer):
    """layer[s, d] (R, R) int16 for the route between routers of `ends`; returns the number of layers.

    0 when they would be more than there are in `layers`, which are without dependencies, -1 when one route alone makes
    a cycle (it passes a channel twice). An entry of -1 is a pair without a route.
    """
    head, out = np.zeros(HEADER_FIELDS, np.int64), np.zeros((8 * MAX_CANDIDATES, 4), np.int64)
    queue, path = np.zeros(view.queues, np.int64), np.zeros(layers.fresh.size, np.int64)
    used = 1
    for s in ends:
        for d in ends:
            hops = _ports_of(relation, start, view, s, d, head, out, queue, path)
            layer[s, d] = -1 if hops < 0 else 0
            if hops < 2:
                continue
            k = first_fit(view.neighbor, layers, used, path, hops)
            if k == NO_LAYER_ALONE:
                return -1
            if k == layers.bits.shape[0]:
                return 0
            layer[s, d] = k
            used = max(used, k + 1)
    return used


def start_in_layer(net, head, draw, queue):
    """Start hook for routings without a state of their own: the pair's layer, from the last R rows of the table."""
    head[STATE] = 0
    if net.own[0] > 0:
        row = net.table.shape[0] - net.neighbor.shape[0] + head[SOURCE]
        head[STATE] = max(np.int64(net.table[row, head[DESTINATION]]), np.int64(0))


def pair_layers(
    name: str, net: Network, plain: Prepared, relation: Callable[..., int], start: Callable[..., None]
) -> tuple[int, I16]:
    """Number of layers and the layer of each pair (R, R), -1 without a route, for a routing prepared without layers.

    Made once for a network and name (with options). Memory 25 bytes a channel and layer beside the table. Raises
    JumpnetError where no layers serve, or the table is too big.
    """
    known = _known.setdefault(net, {})
    if name not in known:
        if 2 * net.routers**2 > LIMIT_BYTES:
            raise JumpnetError(
                f"{net.spec}: layers of all pairs need {2 * net.routers**2 / 2**30:.1f} GiB, "
                f"at most {LIMIT_BYTES >> 30} expected"
            )
        arrays = net.neighbor, net.far_port, net.link_class, net.coord, net.params
        view, _alive = make_view(*arrays, plain.own, plain.table, 1)
        ends = np.flatnonzero((net.terminals > 0) | (net.sinks > 0)).astype(np.int64)
        layer = np.full((net.routers, net.routers), -1, np.int16)
        room = new_layers(net.routers, net.ports, MOST_LAYERS, 4 * net.routers + 64)
        layers = layer_routes(compile_relation(relation), compile_start(start), view, ends, room, layer)
        if layers < 1:
            why = f"needs more than {MOST_LAYERS} layers" if layers == 0 else "has a route that passes a channel twice"
            raise JumpnetError(f"routing {name} on {net.spec} {why}: no layers make it free of deadlock")
        known[name] = layers, layer
    return known[name]
