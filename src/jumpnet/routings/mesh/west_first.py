"""West-first turn model on a 2-D mesh: all hops down in dimension 0 first, then adaptive among the other directions.

Source: Glass and Ni 1992. No packet turns into the west.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.mesh._steps import must_be_plane_mesh, toward
from jumpnet.routings.view import DESTINATION

__all__ = ["MESH_WEST_FIRST"]


def relation(net, here, head, out):
    """West alone while the destination lies west, else every port that leads closer."""
    destination = head[DESTINATION]
    x, y = toward(net, here, destination, 0), toward(net, here, destination, 1)
    count = 0
    if x >= 0:
        count = put_class(out, count, x, 0, 1, net.vcs, 0, 0)
    if y >= 0 and x != 1:
        count = put_class(out, count, y, 0, 1, net.vcs, 0, 0)
    return count


MESH_WEST_FIRST = Routing(
    name="mesh.west_first",
    relation=relation,
    fits=must_be_plane_mesh,
    adaptive=True,
    source="Glass and Ni 1992",
    summary="minimal adaptive by the west-first turn model; free of deadlock",
)
