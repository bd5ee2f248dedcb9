"""Routings that are tables of rows, and the relations that pick a row: by router, by STATE, by the port of arrival.

Used by `instances` and `bubbles`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, Prepared, Routing
from jumpnet.routings.view import DESTINATION, IN_PORT, SOURCE, STATE

Row = list[tuple[int, int, int, int]]


def by_router(net, here, head, out):
    """The row of a destination at a router."""
    row = net.table[head[DESTINATION] * net.neighbor.shape[0] + here]
    for i in range(row[0]):
        for field in range(4):
            out[i, field] = row[1 + 4 * i + field]
    return row[0]


def by_state(net, here, head, out):
    """The row that STATE names."""
    row = net.table[head[STATE]]
    for i in range(row[0]):
        for field in range(4):
            out[i, field] = row[1 + 4 * i + field]
    return row[0]


def by_arrival(net, here, head, out):
    """The row of a destination for the port of arrival."""
    place = here * net.own[0] + head[IN_PORT] + 1
    row = net.table[place * net.neighbor.shape[0] + head[DESTINATION]]
    for i in range(row[0]):
        for field in range(4):
            out[i, field] = row[1 + 4 * i + field]
    return row[0]


def first_state(net, head, draw, queue):
    """The row with which a packet of a pair begins, by the draw."""
    routers = net.neighbor.shape[0]
    head[STATE] = net.own[(draw * routers + head[SOURCE]) * routers + head[DESTINATION]]


def tabled(net: Network, relation: Callable[..., int], rows: list[Row], vcs: int, **more) -> BoundRouting:
    """The routing of a table of rows."""
    table = np.zeros((len(rows), 1 + 4 * max(1, *map(len, rows))), np.int16)
    for k, row in enumerate(rows):
        table[k, 0] = len(row)
        table[k, 1 : 1 + 4 * len(row)] = np.reshape(row, -1)
    own = np.array(more.pop("starts", [0]), np.int64)
    made = Prepared(own, table)
    name = f"drawn.{relation.__name__}"
    return Routing(name, relation, vcs, prepare=lambda net, options: made, adaptive=True, **more).bind(net)
