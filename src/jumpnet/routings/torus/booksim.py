"""Dimension order on a torus as BookSim 2 does it: ties at random, the class fixed on entering a ring.

Source: BookSim 2, dim_order on tori. Going up, packets that will wrap use class 1 and others class 0; going down, the
other way round. Each class leaves out one channel of the ring, so both are acyclic. With V channels the classes are
halves.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.torus._steps import must_be_torus
from jumpnet.routings.view import DESTINATION, IN_PORT, STATE

__all__ = ["CLASS_BIT", "TORUS_BOOKSIM", "draws", "entered_class", "port_by_ties", "start"]

CLASS_BIT = 1 << 32
"""STATE: bit d below tells which way a tie goes in dimension d (1 = up), this bit the class of the current ring."""


@kernel
def port_by_ties(net, here, target, ties):
    """Port of the lowest dimension d in which `here` and `target` differ, the shorter way; -1 if none.

    Where both ways are as long it goes up if bit d of `ties` is set.
    """
    for d in range(net.coord.shape[1]):
        k = net.params[d]
        at, to = net.coord[here, d], net.coord[target, d]
        ahead = to - at if to >= at else to - at + k
        if ahead == 0:
            continue
        if 2 * ahead == k:
            up = (ties >> d) & 1 == 1 or k == 2
        else:
            up = 2 * ahead < k
        return 2 * d if up else 2 * d + 1
    return -1


@kernel
def entered_class(net, here, target, d):
    """Class of the ring of dimension d that a packet enters: 1 for those that will wrap going up, or will not going
    down, which are those whose target has the lower coordinate.
    """
    return 1 if net.coord[target, d] < net.coord[here, d] else 0


def relation(net, here, head, out):
    """One port; its class was fixed when the packet entered the ring."""
    destination, state = head[DESTINATION], head[STATE]
    port = port_by_ties(net, here, destination, state)
    if port < 0:
        return 0
    if head[IN_PORT] < 0 or head[IN_PORT] >> 1 != port >> 1:
        state = (state & CLASS_BIT - 1) + CLASS_BIT * entered_class(net, here, destination, port >> 1)
    return put_class(out, 0, port, 1 if state >= CLASS_BIT else 0, 2, net.vcs, state, 0)


def start(net, head, draw, queue):
    """One bit of the draw breaks the tie of each dimension."""
    head[STATE] = draw


def draws(net, options):
    """Ways to break the ties of all dimensions: one where there is none."""
    return 2 ** net.coord.shape[1] if (net.params % 2 == 0).any() else 1


TORUS_BOOKSIM = Routing(
    name="torus.booksim",
    relation=relation,
    start=start,
    draws=draws,
    vcs=2,
    fits=must_be_torus,
    symmetric=lambda net: True,
    source="BookSim 2, dim_order",
    summary="dimension order with BookSim's rules: random ties, class fixed on entering a ring; free of deadlock",
)
