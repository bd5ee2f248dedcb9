"""`mesh.o1turn_booksim` whose order is chosen at the first router, by the shorter of the two queues that it leads to.

Source: BookSim 2, adaptive_xy_yx.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.mesh._steps import must_be_mesh
from jumpnet.routings.mesh.o1turn_adaptive import start
from jumpnet.routings.mesh.o1turn_booksim import relation

__all__ = ["MESH_O1TURN_ADAPTIVE_BOOKSIM"]


MESH_O1TURN_ADAPTIVE_BOOKSIM = Routing(
    name="mesh.o1turn_adaptive_booksim",
    relation=relation,
    vcs=2,
    start=start,
    draws=lambda net, options: 2,
    fits=must_be_mesh,
    source="BookSim 2, adaptive_xy_yx",
    summary="dimension order up or down, by the shorter queue at first, then by the channel; free of deadlock",
)
