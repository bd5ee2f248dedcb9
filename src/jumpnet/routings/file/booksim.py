"""Paths of least latency on a network from a file, with BookSim 2's choice among equals: one port to each destination.

Source: BookSim 2, anynet.cpp, a search by Dijkstra from each router. Of routers equally far the one with the lowest
number is settled first, and a router keeps the first way that is as short as any. The port toward each destination
comes from the search of the router where the packet is; the latency left falls with every hop, so it arrives.
net.table[router, destination] = port, -1 where there is no way. Not free of deadlock in general.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.jit.linked import entry
from jumpnet.networks import Network
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings._tables import refuse_table
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION

__all__ = ["FILE_BOOKSIM"]


@entry
def _search(neighbor, latency, table, cycles, settled):
    """table[s, d] = first port of the way of least latency from s to d, -1 at s and where there is none.

    neighbor, latency (R, P) in cycles, 1 at least; cycles (R,) and settled (R,) are work space. Cost R^2 (R + P).
    """
    routers, ports = neighbor.shape
    for s in range(routers):
        table[s, :] = -1
        cycles[:] = -1
        settled[:] = 0
        cycles[s] = 0
        for _ in range(routers):
            here = -1
            for r in range(routers):
                if cycles[r] >= 0 and settled[r] == 0 and (here < 0 or cycles[r] < cycles[here]):
                    here = r
            if here < 0:
                break
            settled[here] = 1
            for p in range(ports):
                there = neighbor[here, p]
                if there < 0:
                    continue
                new = cycles[here] + latency[here, p]
                if cycles[there] < 0 or new < cycles[there]:
                    cycles[there] = new
                    table[s, there] = p if here == s else table[s, here]


def prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    """own is empty; table = ports."""
    refuse_table(net, "file.booksim", 1)
    latency = np.ones(net.neighbor.shape, np.int32) if net.latency is None else np.maximum(net.latency, 1)
    table = np.empty((net.routers, net.routers), np.int16)
    _search(net.neighbor, latency, table, np.zeros(net.routers, np.int64), np.zeros(net.routers, np.int64))
    return Prepared(table=table)


def relation(net, here, head, out):
    """The port of the table, every virtual channel."""
    destination = head[DESTINATION]
    if here == destination:
        return 0
    port = net.table[here, destination]
    if port < 0:
        return -1
    return put_class(out, 0, port, 0, 1, net.vcs, 0, 0)


FILE_BOOKSIM = Routing(
    name="file.booksim",
    relation=relation,
    prepare=prepare,
    fits=lambda net: None if net.family == "file" else "it needs a network of family file",
    source="BookSim 2, min on anynet",
    summary="paths of least latency, one for each pair, as BookSim finds them; no care about deadlock",
)
