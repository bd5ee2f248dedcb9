"""`torus.booksim` with two datelines, as BookSim 2's dim_order_bal has them: more packets may use either class.

Source: BookSim 2, dim_order_bal, where it is called Cray's. Besides the link between the ends of a ring, which only
class 1 passes, that in its middle is passed by class 0 alone. So each class leaves out one channel of the ring in each
direction; a packet that passes neither draws its class. Channels as in `torus.booksim`.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.routings._routing import Routing
from jumpnet.routings.torus._steps import must_be_torus
from jumpnet.routings.torus.booksim import (
    CLASS_BIT,
    MIDDLES,
    SAID_OF_MIDDLES,
    draws,
    port_by_ties,
    put_half,
    start,
    whose_is_the_middle,
)
from jumpnet.routings.view import DESTINATION, IN_PORT, STATE

__all__ = ["TORUS_BALANCED_BOOKSIM"]


@kernel
def balanced_class(net, here, target, port, drawn):
    """Class of the ring that a packet enters by a port: 1 past its ends, 0 past its middle, and `drawn` else."""
    d = port >> 1
    first, stop = net.coord[here, d], net.coord[target, d]
    if port & 1 == 1:
        first, stop = stop, first
    if first > stop:
        return 1
    return 0 if 2 * first < net.params[d] <= 2 * stop else drawn


def relation(net, here, head, out):
    """One port; its class was fixed when the packet entered the ring. STATE: a bit a dimension for it, then ties."""
    destination, state, dimensions = head[DESTINATION], head[STATE], net.coord.shape[1]
    port = port_by_ties(net, here, destination, (state & CLASS_BIT - 1) >> dimensions)
    if port < 0:
        return 0
    d = port >> 1
    if head[IN_PORT] < 0 or head[IN_PORT] >> 1 != d:
        c = balanced_class(net, here, destination, port, (state >> d) & 1)
        state = (state & CLASS_BIT - 1) + CLASS_BIT * c
    return put_half(net, out, port, 1 if state >= CLASS_BIT else 0, state)


TORUS_BALANCED_BOOKSIM = Routing(
    name="torus.balanced_booksim",
    relation=relation,
    prepare=whose_is_the_middle,
    options={"middle": MIDDLES},
    meanings={"middle": SAID_OF_MIDDLES},
    start=start,
    draws=lambda net, options: draws(net, options) * 2 ** net.coord.shape[1],
    vcs=2,
    fits=must_be_torus,
    symmetric=lambda net: True,
    source="BookSim 2, dim_order_bal",
    summary="dimension order with two datelines a ring, as BookSim has it; free of deadlock",
)
