"""Shortest paths by a table, on any network: the reference for path lengths. Not free of deadlock in general.

Source: Dally and Towles section 11.1 (table routing). `ports=one` takes the first port on a shortest path, `all`
offers every one. net.table[destination, router] = hops, 16 bits without sign.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.networks import Network
from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings._shortest import Shortest
from jumpnet.routings._tables import LONG_FAR, long_distances, refuse_table
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, MAX_CANDIDATES

__all__ = ["MINIMAL"]


def prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    """own = [whether every port is offered]; table = distances."""
    refuse_table(net, "minimal", 1)
    return Prepared(np.array([options["ports"] == "all"], np.int64), long_distances(net))


def relation(net, here, head, out):
    """Ports whose router is one hop closer, every virtual channel; of the first ports only, where they are too many."""
    destination = head[DESTINATION]
    left = np.int64(net.table[destination, here]) & LONG_FAR
    if left == 0:
        return 0
    if left == LONG_FAR:
        return -1
    count = 0
    for port in range(net.neighbor.shape[1]):
        there = net.neighbor[here, port]
        if there < 0 or count + net.vcs > MAX_CANDIDATES:
            continue
        if np.int64(net.table[destination, there]) & LONG_FAR == left - 1:
            count = put_class(out, count, port, 0, 1, net.vcs, 0, 0)
            if net.own[0] == 0:
                return count
    return count


def shortest(net: Network, options: Mapping[str, Any]) -> Shortest:
    """Every hop there is; STATE stays 0."""
    return Shortest(np.where(net.neighbor >= 0, 0, -1)[:, :, None], options["ports"] == "all")


MINIMAL = Routing(
    name="minimal",
    relation=relation,
    prepare=prepare,
    options={"ports": ("one", "all")},
    meanings=MEANINGS,
    shortest=shortest,
    adaptive=True,
    source="Dally and Towles, section 11.1",
    summary="shortest paths by a table, any network; no care about deadlock",
)
