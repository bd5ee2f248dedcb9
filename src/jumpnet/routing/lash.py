"""Layered shortest paths (LASH) on any network: every pair keeps to one virtual channel, none of which has a cycle.

Source: Skeie, Lysne and Theiss 2002. One shortest path per pair (the first port, destination by destination). The
number of layers is found by assigning the paths in turn: an upper bound on the least for these paths. With more virtual
channels each layer gets several. net.table rows: port at each router, then layer of each source, by destination.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.network import Network
from jumpnet.routing._classes import put_class
from jumpnet.routing._layers import assign_layers
from jumpnet.routing._routing import Prepared, Routing
from jumpnet.routing._tables import FAR, distances, refuse_table
from jumpnet.routing._view import DESTINATION, SOURCE, STATE
from jumpnet.terms import I16

__all__ = ["LASH"]

MOST_LAYERS = 16
_made: WeakKeyDictionary[Network, tuple[I16, int]] = WeakKeyDictionary()


def _ports(net: Network) -> I16:
    """(R, R) first port on a shortest path to each destination (row), -1 at the destination or without a way."""
    hops = distances(net)
    ports = np.full(hops.shape, -1, np.int16)
    for p in reversed(range(net.ports)):
        there = net.neighbor[:, p]
        closer = (hops[:, np.maximum(there, 0)] == hops - 1) & (there >= 0) & (hops < FAR)
        ports[closer] = p
    return ports


def _tables(net: Network) -> tuple[I16, int]:
    if net not in _made:
        refuse_table(net, "lash", 2)
        ports = _ports(net)
        layer = np.zeros_like(ports)
        layers = assign_layers(net.neighbor, ports, layer, MOST_LAYERS)
        if layers == 0:
            raise JumpnetError(f"routing lash on {net.spec} needs more than {MOST_LAYERS} layers")
        _made[net] = np.concatenate([ports, layer]), int(layers)
    return _made[net]


def prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    """own = [layers]; table = ports and layers."""
    table, layers = _tables(net)
    return Prepared(np.array([layers], np.int64), table)


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
    vcs=lambda net, options: _tables(net)[1],
    default_for=("srt1d", "srt2d", "rdn", "dualcube"),
    source="Skeie, Lysne and Theiss 2002",
    summary="shortest paths in acyclic layers, any network; as many virtual channels as it finds necessary",
)
