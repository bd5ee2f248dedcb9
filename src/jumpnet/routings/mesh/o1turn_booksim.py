"""O1TURN on a mesh as BookSim 2 does it: on the middle one of an odd number of channels a packet changes its order.

Source: BookSim 2, xy_yx. Orders as in `mesh.o1turn`, and with an even number of channels all is as there. BookSim tells
the order of a packet by the channel that it came on, and both orders may have the middle one: what takes it in the
order up from the first dimension goes on down from the last one. With an odd number it is free by Duato's condition, as
the outermost channel of each half is never another's.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_order
from jumpnet.routings.mesh._steps import must_be_mesh, toward
from jumpnet.routings.mesh.o1turn import start
from jumpnet.routings.view import DESTINATION, STATE

__all__ = ["MESH_O1TURN_BOOKSIM", "relation"]


def relation(net, here, head, out):
    """One port; STATE is the order, 1 from the last dimension down, by the channel that the packet came on."""
    order, last = head[STATE], net.coord.shape[1] - 1
    for d in range(last + 1):
        port = toward(net, here, head[DESTINATION], last - d if order == 1 else d)
        if port >= 0:
            return put_order(out, port, order, net.vcs)
    return 0


MESH_O1TURN_BOOKSIM = Routing(
    name="mesh.o1turn_booksim",
    relation=relation,
    vcs=2,
    start=start,
    draws=lambda net, options: 2,
    fits=must_be_mesh,
    source="BookSim 2, xy_yx",
    summary="dimension order up or down, by the channel after the first hop, as BookSim has it; free of deadlock",
)
