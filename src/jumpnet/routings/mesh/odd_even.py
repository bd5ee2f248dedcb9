"""Odd-even turn model on a 2-D mesh: which turns are allowed depends on the parity of the column; minimal adaptive.

Source: Chiu 2000 (function ROUTE). No turn from east to north or south in an even column, none from north or south to
west in an odd one. "In the source column" is read off the input port: a packet that goes east and did not arrive from
the west has not moved east in an even column.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.mesh._steps import must_be_plane_mesh, toward
from jumpnet.routings.view import DESTINATION, IN_PORT

__all__ = ["MESH_ODD_EVEN"]


def relation(net, here, head, out):
    """The ports that lead closer and from which the destination can still be reached by allowed turns."""
    destination = head[DESTINATION]
    x, y = toward(net, here, destination, 0), toward(net, here, destination, 1)
    odd = net.coord[here, 0] & 1 == 1
    count = 0
    if x < 0:
        if y >= 0:
            count = put_class(out, count, y, 0, 1, net.vcs, 0, 0)
    elif x == 0:
        if y >= 0 and (odd or head[IN_PORT] != 1):
            count = put_class(out, count, y, 0, 1, net.vcs, 0, 0)
        last = net.coord[destination, 0] - net.coord[here, 0] == 1
        if y < 0 or net.coord[destination, 0] & 1 == 1 or not last:
            count = put_class(out, count, x, 0, 1, net.vcs, 0, 0)
    else:
        count = put_class(out, count, x, 0, 1, net.vcs, 0, 0)
        if y >= 0 and not odd:
            count = put_class(out, count, y, 0, 1, net.vcs, 0, 0)
    return count


MESH_ODD_EVEN = Routing(
    name="mesh.odd_even",
    relation=relation,
    fits=must_be_plane_mesh,
    adaptive=True,
    source="Chiu 2000",
    summary="minimal adaptive by the odd-even turn model; free of deadlock",
)
