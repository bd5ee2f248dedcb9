"""Planar-adaptive routing on a mesh: two dimensions at a time, adaptively, on three classes of virtual channels.

Source: Chien and Kim 1992. In plane i a packet goes closer in dimension i, on class 2, or in dimension i + 1, on class
0 where it goes up in dimension i and on class 1 where down, until dimension i is right; then comes plane i + 1. So in
each half of a plane dimension i goes one way only, and no ring of channels closes.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.mesh._steps import must_be_mesh, toward
from jumpnet.routings.view import DESTINATION, NORMAL

__all__ = ["MESH_PLANAR_ADAPTIVE"]


def relation(net, here, head, out):
    """The ports of the plane of the lowest unfinished dimension, that dimension first."""
    destination = head[DESTINATION]
    for d in range(net.coord.shape[1]):
        port = toward(net, here, destination, d)
        if port < 0:
            continue
        count = put_class(out, 0, port, 2, 3, net.vcs, 0, NORMAL)
        other = toward(net, here, destination, d + 1) if d + 1 < net.coord.shape[1] else -1
        if other >= 0:
            count = put_class(out, count, other, port & 1, 3, net.vcs, 0, NORMAL)
        return count
    return 0


MESH_PLANAR_ADAPTIVE = Routing(
    name="mesh.planar_adaptive",
    relation=relation,
    vcs=3,
    fits=must_be_mesh,
    symmetric=lambda net: True,
    adaptive=True,
    source="Chien and Kim 1992",
    summary="adaptive in one plane of two dimensions after the other, a class a way; free of deadlock",
)
