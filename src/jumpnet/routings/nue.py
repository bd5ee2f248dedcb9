"""Nue: routes to each destination, free of deadlock on any two-way network with any number of virtual channels.

Source: Domke, Hoefler and Matsuoka 2016. Destinations are dealt out to as many layers as there are virtual channels;
within a layer the routes to one destination after another take the cheapest channels whose dependencies close no cycle
with those that are there. Where none is left, a neighbor is turned another way; where that fails, the destination is
reached over the layer's spanning tree. Differences from the paper: destinations are dealt out in the order of a
breadth-first visit (METIS there), the root of a layer's tree is the router with the fewest hops to its destinations
(betweenness there), and fewer hops come before fewer routes. net.table[d, r] is the port, own[d] the layer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.memory import require
from jumpnet.networks import Network
from jumpnet.routings._nue import new_graph, route_layer
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings._tables import distances, first_linked, must_be_connected, refuse_table, tree_ports, visit_order
from jumpnet.routings.view import DESTINATION
from jumpnet.terms import I16, I64

__all__ = ["NUE", "nue_tables"]

LONG = "; its routes took 17 CPU s on 2048 routers of degree 4, and 6 to 8 times as much for twice as many"


def nue_tables(net: Network, layers: int) -> tuple[I16, I64, list[int]]:
    """(R, R) port to each destination (row), (R,) layer of each, and how many of each layer are reached by its tree.

    >>> from jumpnet.topology import build
    >>> nue_tables(build("mesh:3"), 1)[0].tolist()
    [[-1, 1, 1], [0, -1, 1], [0, 0, -1]]
    """
    refuse_table(net, "nue", 2, LONG)
    channels = net.routers * net.ports
    require(channels * (net.ports + 32), f"the dependency graph of {channels:,} channels of {net.spec}")
    hops, visit = distances(net), np.argsort(visit_order(net, first_linked(net)))
    ends = net.terminals + net.sinks > 0
    members = visit[ends[visit]]
    ports = np.full(hops.shape, -1, np.int16)
    layer, load, by_tree = np.zeros(net.routers, np.int64), np.zeros((net.routers, net.ports), np.int64), []
    for k, part in enumerate(np.array_split(members, layers)):
        layer[part] = k
        if part.size:
            root = int(members[hops[part][:, members].sum(axis=0, dtype=np.int64).argmin()])
            graph, up = new_graph(net.routers, net.ports), tree_ports(net, root)
            by_tree.append(int(route_layer(net.neighbor, net.far_port, ends, part, up, graph, load, ports)))
    return ports, layer, by_tree


def prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    """own = layer of each destination; table = ports."""
    ports, layer, _ = nue_tables(net, options["vcs"])
    return Prepared(layer, ports)


def relation(net, here, head, out):
    """The port of the table, on the channel of the destination's layer."""
    destination = head[DESTINATION]
    if here == destination:
        return 0
    port = net.table[destination, here]
    if port < 0:
        return -1
    out[0, 0] = port
    out[0, 1] = net.own[destination]
    out[0, 2] = 0
    out[0, 3] = 0
    return 1


NUE = Routing(
    name="nue",
    relation=relation,
    prepare=prepare,
    fits=must_be_connected,
    source="Domke, Hoefler and Matsuoka 2016",
    summary="routes that grow without cycles of dependencies, any two-way network; free of deadlock with any channels",
)
