"""Dimension order on a mesh: free of deadlock with one virtual channel; every channel of the port may be used.

Source: Dally and Towles section 8.4 (e-cube, XY routing).
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.mesh._steps import mesh_port, must_be_mesh
from jumpnet.routings.view import DESTINATION

__all__ = ["MESH_DIMENSION_ORDER"]


def relation(net, here, head, out):
    """The port of the lowest unfinished dimension, every virtual channel."""
    port = mesh_port(net, here, head[DESTINATION])
    if port < 0:
        return 0
    return put_class(out, 0, port, 0, 1, net.vcs, 0, 0)


MESH_DIMENSION_ORDER = Routing(
    name="mesh.dimension_order",
    relation=relation,
    fits=must_be_mesh,
    symmetric=lambda net: True,
    default_for=("mesh",),
    source="Dally and Towles, section 8.4",
    summary="dimension order; free of deadlock",
)
