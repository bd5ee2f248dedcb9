"""Minimal adaptive routing on a mesh with dimension order as escape: free of deadlock by Duato's condition.

Source: Duato 1993; Dally and Towles section 14.3. Class 0 is the escape channel, class 1 is adaptive.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.mesh._steps import mesh_port, must_be_mesh, toward
from jumpnet.routings.view import DESTINATION, ESCAPE, NORMAL

__all__ = ["MESH_DUATO"]


def relation(net, here, head, out):
    """Every port that leads closer, adaptive class; last the dimension-order port, escape class."""
    destination = head[DESTINATION]
    escape = mesh_port(net, here, destination)
    if escape < 0:
        return 0
    count = 0
    for d in range(net.coord.shape[1]):
        port = toward(net, here, destination, d)
        if port >= 0:
            count = put_class(out, count, port, 1, 2, net.vcs, 0, NORMAL)
    return put_class(out, count, escape, 0, 2, net.vcs, 0, ESCAPE)


MESH_DUATO = Routing(
    name="mesh.duato",
    relation=relation,
    vcs=2,
    fits=must_be_mesh,
    symmetric=lambda net: True,
    adaptive=True,
    source="Duato 1993",
    summary="minimal adaptive with a dimension-order escape channel; free of deadlock (Duato)",
)
