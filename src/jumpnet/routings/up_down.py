"""Up*/down* routing on any two-way network: no hop away from a root may be followed by one toward it; one channel.

Source: Schroeder et al. 1991 (Autonet). Up means to an earlier router in a breadth-first visit from the root:
`root=center` is a router of least eccentricity, `first` the first that works. Shortest among the legal paths;
`ports=all` offers every such port.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.graph.distances import eccentricities
from jumpnet.networks import Network
from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings._shortest import Shortest
from jumpnet.routings._tables import (
    FAR,
    distances,
    first_linked,
    must_be_connected,
    refuse_table,
    up_down_distances,
    visit_order,
)
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, MAX_CANDIDATES, STATE
from jumpnet.terms import I64

__all__ = ["UP_DOWN"]


def _order(net: Network, options: Mapping[str, Any]) -> I64:
    """(R,) place of each router in the visit."""
    root = first_linked(net)
    if options["root"] == "center":
        far = eccentricities(net)
        if far.min() < 0:  # routers out of service have no say
            refuse_table(net, "up_down", 1)
            hops = distances(net)
            far = hops[hops[:, root] < FAR].max(axis=0)
        root = int(far.argmin())
    return visit_order(net, root)


def prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    """own = [whether every port is offered, place of each router in the visit]; table = legal distances."""
    refuse_table(net, "up_down", 2)
    order = _order(net, options)
    return Prepared(
        np.concatenate([[options["ports"] == "all"], order]).astype(np.int64), up_down_distances(net, order)
    )


def shortest(net: Network, options: Mapping[str, Any]) -> Shortest:
    """Every hop with STATE 0, which is 1 after one down; with 1 such hops alone."""
    order, there = _order(net, options), net.neighbor >= 0
    down = there & (order[net.neighbor] > order[:, None])
    then = np.where(there, down, -1), np.where(down, 1, -1)
    return Shortest(np.stack(then, axis=2), options["ports"] == "all")


def relation(net, here, head, out):
    """Ports on a shortest legal way; STATE is 1 once the packet has gone down."""
    destination = head[DESTINATION]
    if here == destination:
        return 0
    routers = net.neighbor.shape[0]
    left = net.table[routers * head[STATE] + destination, here]
    count = 0
    for port in range(net.neighbor.shape[1]):
        there = net.neighbor[here, port]
        if there < 0 or count + net.vcs > MAX_CANDIDATES:
            continue
        down = 1 if net.own[1 + there] > net.own[1 + here] else 0
        if down < head[STATE]:
            continue
        if net.table[routers * down + destination, there] == left - 1:
            count = put_class(out, count, port, 0, 1, net.vcs, down, 0)
            if net.own[0] == 0:
                return count
    return count if count > 0 else -1


UP_DOWN = Routing(
    name="up_down",
    relation=relation,
    prepare=prepare,
    options={"ports": ("one", "all"), "root": ("center", "first")},
    meanings=MEANINGS,
    shortest=shortest,
    fits=must_be_connected,
    adaptive=True,
    source="Schroeder et al. 1991",
    summary="up toward a root, then down, by a table, any two-way network; free of deadlock with one channel",
)
