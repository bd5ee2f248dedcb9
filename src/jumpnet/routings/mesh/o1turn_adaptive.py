"""O1TURN on a mesh whose order is chosen at the first router, by the shorter of the two queues that it leads to.

Source: BookSim 2, adaptive_xy_yx; the relation is that of `mesh.o1turn`.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.mesh._steps import must_be_mesh, toward
from jumpnet.routings.mesh.o1turn import relation
from jumpnet.routings.view import DESTINATION, SOURCE, STATE

__all__ = ["MESH_O1TURN_ADAPTIVE", "start"]


def start(net, head, draw, queue):
    """The order with the shorter queue before it; the draw where they are alike."""
    first, last = -1, -1
    for d in range(net.coord.shape[1]):
        port = toward(net, head[SOURCE], head[DESTINATION], d)
        if port >= 0:
            first = port if first < 0 else first
            last = port
    head[STATE] = draw
    if first >= 0 and queue[first] != queue[last]:
        head[STATE] = 1 if queue[last] < queue[first] else 0


MESH_O1TURN_ADAPTIVE = Routing(
    name="mesh.o1turn_adaptive",
    relation=relation,
    vcs=2,
    start=start,
    draws=lambda net, options: 2,
    fits=must_be_mesh,
    source="BookSim 2, adaptive_xy_yx",
    summary="dimension order up or down, by the shorter queue at the first router, a class each; free of deadlock",
)
