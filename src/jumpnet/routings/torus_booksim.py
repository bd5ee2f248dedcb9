"""Dimension order on a torus as BookSim 2 does it: ties at random, the class fixed on entering a ring.

Source: BookSim 2, dim_order on tori. Going up, packets that will wrap use class 1 and others class 0; going down, the
other way round. Each class leaves out one channel of the ring, so both are acyclic. With V channels the classes are
halves.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings._torus import must_be_torus
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, IN_PORT, STATE

__all__ = ["TORUS_BOOKSIM"]

CLASS_BIT = 1 << 32
"""STATE: bit d below tells which way a tie goes in dimension d (1 = up), this bit the class of the current ring."""


def relation(net, here, head, out):
    """One port; its class was fixed when the packet entered the ring."""
    destination = head[DESTINATION]
    state = head[STATE]
    for d in range(net.coord.shape[1]):
        k = net.params[d]
        at, to = net.coord[here, d], net.coord[destination, d]
        ahead = to - at if to >= at else to - at + k
        if ahead == 0:
            continue
        if 2 * ahead == k:
            up = (state >> d) & 1 == 1 or k == 2
        else:
            up = 2 * ahead < k
        if head[IN_PORT] < 0 or head[IN_PORT] >> 1 != d:
            wraps = to < at if up else to > at
            state &= CLASS_BIT - 1
            if wraps == up:
                state += CLASS_BIT
        return put_class(out, 0, 2 * d if up else 2 * d + 1, 1 if state >= CLASS_BIT else 0, 2, net.vcs, state, 0)
    return 0


def start(net, head, draw, queue):
    """One bit of the draw breaks the tie of each dimension."""
    head[STATE] = draw


TORUS_BOOKSIM = Routing(
    name="torus.booksim",
    relation=relation,
    start=start,
    draws=lambda net, options: 2 ** net.coord.shape[1] if (net.params % 2 == 0).any() else 1,
    vcs=2,
    fits=must_be_torus,
    symmetric=lambda net: True,
    source="BookSim 2, dim_order",
    summary="dimension order with BookSim's rules: random ties, class fixed on entering a ring; free of deadlock",
)
