"""O1TURN on a HyperX or flattened butterfly as BookSim 2 does it: dimension order up or down, drawn for each packet.

Source: BookSim 2, xyyx on flatfly; Seo et al. 2005 on meshes. An order has half of the virtual channels. Of an odd
number both have the middle one, on which a packet changes from the order up to the one down, as in
`mesh.o1turn_booksim`: it is free by Duato's condition then, as the outermost channel of each half is never another's.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_order
from jumpnet.routings.hyperx._steps import must_be_lines, ordered_port
from jumpnet.routings.mesh.o1turn import start
from jumpnet.routings.view import DESTINATION, STATE

__all__ = ["HYPERX_O1TURN_BOOKSIM", "relation"]


def relation(net, here, head, out):
    """One port; STATE is the order, 1 from the last dimension down, by the channel that the packet came on."""
    order = head[STATE]
    port = ordered_port(net, here, head[DESTINATION], order)
    return 0 if port < 0 else put_order(out, port, order, net.vcs)


HYPERX_O1TURN_BOOKSIM = Routing(
    name="hyperx.o1turn_booksim",
    relation=relation,
    vcs=2,
    start=start,
    draws=lambda net, options: 2,
    fits=must_be_lines,
    symmetric=lambda net: True,
    source="BookSim 2, xyyx",
    summary="dimension order up or down, drawn, then by the channel, as BookSim has it; free of deadlock",
)
