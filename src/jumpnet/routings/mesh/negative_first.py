"""Negative-first turn model on a mesh of any dimensions: all downward hops before any upward one, adaptive within each.

Source: Glass and Ni 1992. No packet turns from an upward into a downward direction.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.mesh._steps import must_be_mesh, toward
from jumpnet.routings.view import DESTINATION

__all__ = ["MESH_NEGATIVE_FIRST"]


def relation(net, here, head, out):
    """Every downward port that leads closer; when there is none, every upward one."""
    destination = head[DESTINATION]
    count = 0
    for d in range(net.coord.shape[1]):
        port = toward(net, here, destination, d)
        if port & 1 and port > 0:
            count = put_class(out, count, port, 0, 1, net.vcs, 0, 0)
    if count > 0:
        return count
    for d in range(net.coord.shape[1]):
        port = toward(net, here, destination, d)
        if port >= 0:
            count = put_class(out, count, port, 0, 1, net.vcs, 0, 0)
    return count


MESH_NEGATIVE_FIRST = Routing(
    name="mesh.negative_first",
    relation=relation,
    fits=must_be_mesh,
    adaptive=True,
    source="Glass and Ni 1992",
    summary="minimal adaptive by the negative-first turn model; free of deadlock",
)
