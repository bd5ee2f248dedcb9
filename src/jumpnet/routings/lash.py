"""Layered shortest paths (LASH) on any network: every pair keeps to one virtual channel, none of which has a cycle.

Source: Skeie, Lysne and Theiss 2002. One shortest path per pair: `paths=first` takes the first port, destination by
destination, `balanced` the paths of `dfsssp`, which spread the load. The number of layers is found by assigning the
paths in turn: an upper bound on the least for these paths. Those from routers without terminals, where packets may be
routed anew after a fault, come last. With more virtual channels each layer gets several.
net.table rows: port at each router, then layer of each source, by destination.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings._layers import MOST_FIRST_FIT_LAYERS, MOST_LAYERS, assign_layers
from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings._shortest import Shortest
from jumpnet.routings._sssp import balanced_ports
from jumpnet.routings._tables import FAR, distances, needs_too_much, refuse_table
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, SOURCE, STATE
from jumpnet.terms import I16

__all__ = ["LASH", "LayeredTables", "layers_of", "relation", "start"]

MANY_LAYERS = (
    "; random networks of degree 4 need more layers than there may be, lash from 4096 routers on, dfsssp from 512; on "
    "one channel lash is proved without tables: where that is free, packets that enter need no more"
)


class LayeredTables:
    """Tables of a layered routing, made once a network by `assign(net, layer, limit) -> (ports, layers)`.

    `assign` fills layer (R, R) int16 (layer of each source, by destination) and returns the ports alike and the number
    of layers, 0 when they would be more than the limit.
    """

    def __init__(
        self, name: str, assign: Callable[[Network, I16, int], tuple[I16, int]], most_layers: int = MOST_LAYERS
    ) -> None:
        self._name, self._assign, self._most = name, assign, most_layers
        self._made: WeakKeyDictionary[Network, tuple[I16, int]] = WeakKeyDictionary()

    def _tables(self, net: Network) -> tuple[I16, int]:
        if net not in self._made:
            refuse_table(net, self._name, 2, MANY_LAYERS)
            layer = np.zeros((net.routers, net.routers), np.int16)
            ports, layers = self._assign(net, layer, self._most)
            if layers == 0:
                raise JumpnetError(f"routing {self._name} on {net.spec} needs more than {self._most} layers")
            self._made[net] = np.concatenate([ports, layer]), layers
        return self._made[net]

    def prepare(self, net: Network, options: Mapping[str, Any]) -> Prepared:
        """own = [layers]; table = ports and layers."""
        table, layers = self._tables(net)
        return Prepared(np.array([layers], np.int64), table)

    def layers(self, net: Network, options: Mapping[str, Any]) -> int:
        """The number of layers: the virtual channels that are needed."""
        return self._tables(net)[1]


def _ports(net: Network) -> I16:
    """(R, R) first port on a shortest path to each destination (row), -1 at the destination or without a way."""
    hops = distances(net)
    ports = np.full(hops.shape, -1, np.int16)
    for p in reversed(range(net.ports)):
        there = net.neighbor[:, p]
        closer = (hops[:, np.maximum(there, 0)] == hops - 1) & (there >= 0) & (hops < FAR)
        ports[closer] = p
    return ports


def _first(net: Network, layer: I16, limit: int) -> tuple[I16, int]:
    ports = _ports(net)
    ends = net.terminals + net.sinks > 0
    return ports, int(assign_layers(net.neighbor, ports, ends, layer, limit))


def _balanced(net: Network, layer: I16, limit: int) -> tuple[I16, int]:
    ports = np.empty_like(layer)
    ends = net.terminals + net.sinks > 0
    balanced_ports(net.neighbor, distances(net), ends, ports)
    return ports, int(assign_layers(net.neighbor, ports, ends, layer, limit))


_tables = {
    "first": LayeredTables("lash", _first, MOST_FIRST_FIT_LAYERS),
    "balanced": LayeredTables("lash:paths=balanced", _balanced, MOST_FIRST_FIT_LAYERS),
}


def prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    """own = [layers]; table = ports and layers."""
    return _tables[options["paths"]].prepare(net, options)


def layers_of(net: Network, options: Mapping[str, Any]) -> int:
    """The number of layers: the virtual channels that are needed. Raises JumpnetError where they would be too many."""
    return _tables[options["paths"]].layers(net, options)


def shortest(net: Network, options: Mapping[str, Any]) -> Shortest | None:
    """On one channel every hop there is, by the first ports, where tables are too large to say; else None.

    All layers share the one channel, so layers do not matter. Where its dependencies have no cycle, every path of
    packets that enter fits into the first layer: these need no more, but those that are routed anew at routers without
    terminals may (on hypermeshes).
    """
    if options["paths"] != "first" or options["vcs"] != 1 or not needs_too_much(net, 2):
        return None
    return Shortest(np.where(net.neighbor >= 0, 0, -1)[:, :, None], False)


def start(net, head, draw, queue):
    """STATE = the layer of the pair."""
    head[STATE] = net.table[net.neighbor.shape[0] + head[DESTINATION], head[SOURCE]]


def relation(net, here, head, out):
    """The port of the table, on the channels of the packet's layer."""
    destination = head[DESTINATION]
    if here == destination:
        return 0
    port = net.table[destination, here]
    if port < 0:
        return -1
    return put_class(out, 0, port, head[STATE], net.own[0], net.vcs, head[STATE], 0)


LASH = Routing(
    name="lash",
    relation=relation,
    start=start,
    prepare=prepare,
    vcs=layers_of,
    shortest=shortest,
    options={"paths": ("first", "balanced")},
    meanings=MEANINGS,
    default_for=("srt1d", "srt2d"),
    source="Skeie, Lysne and Theiss 2002",
    summary="shortest paths in acyclic layers, any network; as many virtual channels as it finds necessary",
)
