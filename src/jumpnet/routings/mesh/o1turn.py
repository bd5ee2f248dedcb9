"""O1TURN on a mesh: dimension order from the first dimension up or from the last one down, a class of channels each.

Source: Seo et al. 2005 (two dimensions, the order drawn); BookSim 2, xy_yx (any number of them).
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.mesh._steps import must_be_mesh, toward
from jumpnet.routings.view import DESTINATION, STATE

__all__ = ["MESH_O1TURN", "start"]


def relation(net, here, head, out):
    """One port; STATE is the order, 1 from the last dimension down, and the class."""
    order = head[STATE]
    last = net.coord.shape[1] - 1
    for d in range(last + 1):
        port = toward(net, here, head[DESTINATION], last - d if order == 1 else d)
        if port >= 0:
            return put_class(out, 0, port, order, 2, net.vcs, order, 0)
    return 0


def start(net, head, draw, queue):
    """The order is the draw."""
    head[STATE] = draw


MESH_O1TURN = Routing(
    name="mesh.o1turn",
    relation=relation,
    vcs=2,
    start=start,
    draws=lambda net, options: 2,
    fits=must_be_mesh,
    source="Seo et al. 2005",
    summary="dimension order up or down, drawn for each packet, a class each; free of deadlock",
)
