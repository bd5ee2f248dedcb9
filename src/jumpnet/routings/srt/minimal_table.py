"""Shortest paths on a Shifted Recursive Torus by one table for all routers: translations that keep addresses are alike.

Source: inoguchi1996srt Definitions 7 to 9: (x, y) -> (x - s, y + 1) keeps every address x + s y, so a route depends on
the destination's address and the place of the router relative to it. net.table[address of the destination, router as
seen from (address, 0)] = port; N rows instead of one for each destination. Alone not free of deadlock in general:
`layers=least` puts each pair into one of several acyclic layers of virtual channels (`_path_layers.py`); below the N
rows the table then has the layers, net.table[N + source, destination].
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.linked import entry
from jumpnet.networks import Network
from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._path_layers import LAYERS, pair_layers, start_in_layer
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings._shortest import Shortest
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, STATE
from jumpnet.terms import I16, NO_ROUTER

__all__ = ["SRT_MINIMAL_TABLE"]

LIMIT_BYTES = 2 << 30


@entry(allocates=True)
def _fill(neighbor, table, rows):
    """Row a: breadth-first search from router a (links go both ways); the port of each router that leads back to it."""
    routers, ports = neighbor.shape
    distance, queue = np.empty(routers, np.int32), np.empty(routers, np.int32)
    for a in range(rows):
        distance[:] = -1
        distance[a], queue[0], head, tail = 0, a, 0, 1
        while head < tail:
            here = queue[head]
            head += 1
            for p in range(ports):
                there = neighbor[here, p]
                if there >= 0 and distance[there] < 0:
                    distance[there] = distance[here] + 1
                    queue[tail] = there
                    tail += 1
        for here in range(routers):
            table[a, here] = -1
            for p in range(ports):
                there = neighbor[here, p]
                if table[a, here] < 0 and there >= 0 and distance[there] == distance[here] - 1:
                    table[a, here] = p


def relation(net, here, head, out):
    """The port of the table; every virtual channel of the pair's layer."""
    destination = head[DESTINATION]
    if here == destination:
        return 0
    N, s = net.params[0], net.params[2]
    if net.coord.shape[1] == 1:
        port = net.table[destination, here]
    else:
        down = np.int64(net.coord[destination, 1])
        row = (net.coord[destination, 0] + s * down) % N
        x, y = (net.coord[here, 0] + s * down) % N, (net.coord[here, 1] - down) % N
        port = net.table[row, y * N + x]
    if port < 0:
        return -1
    return put_class(out, 0, port, head[STATE], max(net.own[0], 1), net.vcs, head[STATE], 0)


def _plain(net: Network) -> Prepared:
    N = int(net.params[0])
    if 2 * N * net.routers > LIMIT_BYTES:
        raise JumpnetError(
            f"{net.spec}: a table of {2 * N * net.routers / 2**30:.1f} GiB needed, at most {LIMIT_BYTES >> 30} expected"
        )
    assert (net.neighbor != NO_ROUTER).any()
    table = np.empty((N, net.routers), np.int16)
    _fill(net.neighbor, table, N)
    return Prepared(np.zeros(1, np.int64), table)


def _layers(net: Network, plain: Prepared) -> tuple[int, I16]:
    return pair_layers("srt.minimal_table", net, plain, relation, start_in_layer)


def _prepare(net: Network, options: Mapping[str, Any]) -> Prepared:
    plain = _plain(net)
    if options["layers"] == "none":
        return plain
    layers, layer = _layers(net, plain)
    return Prepared(np.array([layers]), np.concatenate([plain.table, layer]))


def _fits(net: Network) -> str | None:
    return None if net.family in ("srt1d", "srt2d") else "it needs a network of family srt1d or srt2d"


def shortest(net: Network, options: Mapping[str, Any]) -> Shortest | None:
    """Every hop there is, without layers: of two dimensions too, as translations that keep addresses keep ports."""
    if options["layers"] != "none":
        return None
    return Shortest(np.where(net.neighbor >= 0, 0, -1)[:, :, None], False)


SRT_MINIMAL_TABLE = Routing(
    name="srt.minimal_table",
    relation=relation,
    shortest=shortest,
    vcs=lambda net, options: 1 if options["layers"] == "none" else _layers(net, _plain(net))[0],
    fits=_fits,
    options={"layers": LAYERS},
    meanings=MEANINGS,
    prepare=_prepare,
    start=start_in_layer,
    source="inoguchi1996srt, Definitions 7 to 9",
    summary="shortest paths by one table of N rows for all routers; free of deadlock with layers=least only",
)
