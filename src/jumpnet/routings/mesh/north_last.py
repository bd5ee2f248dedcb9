"""North-last turn model on a 2-D mesh: hops up in dimension 1 come last, the other directions are adaptive.

Source: Glass and Ni 1992. No packet turns out of the north.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.mesh._steps import must_be_plane_mesh, toward
from jumpnet.routings.view import DESTINATION

__all__ = ["MESH_NORTH_LAST"]


def relation(net, here, head, out):
    """Every port that leads closer, but north only when nothing else is left."""
    destination = head[DESTINATION]
    x, y = toward(net, here, destination, 0), toward(net, here, destination, 1)
    count = 0
    if x >= 0:
        count = put_class(out, count, x, 0, 1, net.vcs, 0, 0)
    if y == 3 or (y == 2 and x < 0):
        count = put_class(out, count, y, 0, 1, net.vcs, 0, 0)
    return count


MESH_NORTH_LAST = Routing(
    name="mesh.north_last",
    relation=relation,
    fits=must_be_plane_mesh,
    adaptive=True,
    source="Glass and Ni 1992",
    summary="minimal adaptive by the north-last turn model; free of deadlock",
)
