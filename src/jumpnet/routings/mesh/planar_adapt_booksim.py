"""BookSim 2's `planar_adapt` on a mesh: dimension order on the last third of the channels.

Source: BookSim 2, planar_adapt. It is written there as planar-adaptive routing (`mesh.planar_adaptive`), but what a
head may ask for is a set ordered by priority alone, which keeps the first output of each priority (see
`mesh.min_adapt_booksim`): of the two of a plane that of the lower dimension is left, on the channels that are for it.
Packets enter and leave on any channel. With less than three channels there are no thirds, and all are used.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_channels
from jumpnet.routings.mesh._steps import mesh_port, must_be_mesh
from jumpnet.routings.view import DESTINATION

__all__ = ["MESH_PLANAR_ADAPT_BOOKSIM"]


def relation(net, here, head, out):
    """The port of the lowest unfinished dimension, on the last third of the channels and what is left over."""
    port = mesh_port(net, here, head[DESTINATION])
    return 0 if port < 0 else put_channels(out, port, 2 * (net.vcs // 3), net.vcs, 0)


MESH_PLANAR_ADAPT_BOOKSIM = Routing(
    name="mesh.planar_adapt_booksim",
    relation=relation,
    fits=must_be_mesh,
    symmetric=lambda net: True,
    source="BookSim 2, planar_adapt",
    summary="dimension order on a third of the channels, as BookSim's planar_adapt has it; free of deadlock",
)
