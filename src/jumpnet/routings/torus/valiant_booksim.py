"""BookSim 2's `valiant` on a torus: through a random router, with the rings of `torus.booksim` in both phases.

Source: BookSim 2, valiant. BookSim 2 itself stops there at an assertion: within a ring it reads a class that it has not
kept from the hop before; here it is kept, as in its other functions. Of V channels each class of the ring has a half,
and each phase that half but for V // 4 channels of the other phase; classes share the middle one of an odd number. At
its destination a packet takes any channel, also one that is still on its way to the random router: it may then hold a
channel of the second phase while it goes on in the first, so that packets can wait for each other in a ring. So can
packets to the router where they enter.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import half_first, half_size, put_channels
from jumpnet.routings.torus._steps import must_be_torus
from jumpnet.routings.torus.booksim import CLASS_BIT, draws, entered_class, port_by_ties, with_links
from jumpnet.routings.view import DESTINATION, IN_PORT, INTERMEDIATE, STATE

__all__ = ["TORUS_VALIANT_BOOKSIM"]

SECOND = CLASS_BIT << 1
"""STATE beside that of `torus.booksim`: this bit says that the packet has been at the random router."""


def relation(net, here, head, out):
    """To the random router, then, as if it entered there, to the destination; a class for each ring class and phase."""
    destination, state, turns = head[DESTINATION], head[STATE], head[IN_PORT] < 0
    if state < SECOND and here == head[INTERMEDIATE]:
        state, turns = state + SECOND, True
    second = state >= SECOND
    target = destination if second else head[INTERMEDIATE]
    dimensions = net.coord.shape[1]
    port = port_by_ties(net, here, target, (state & CLASS_BIT - 1) >> dimensions if second else state)
    if port < 0:
        return 0
    d = port >> 1
    if turns or head[IN_PORT] >> 1 != d:
        state = state - (state & CLASS_BIT) + CLASS_BIT * entered_class(net, here, target, d)
    if here == destination:
        return put_channels(out, port, 0, net.vcs, state)
    others = net.vcs // 4
    first = half_first(1 if state & CLASS_BIT != 0 else 0, net.vcs) + (others if second else 0)
    return put_channels(out, port, first, first + half_size(net.vcs) - others, state)


def start(net, head, draw, queue):
    """The random router, and a bit for the tie of each dimension in each phase."""
    routers = net.neighbor.shape[0]
    head[INTERMEDIATE] = draw % routers
    head[STATE] = draw // routers


TORUS_VALIANT_BOOKSIM = Routing(
    name="torus.valiant_booksim",
    relation=relation,
    prepare=lambda net, options: with_links(net),
    start=start,
    draws=lambda net, options: net.routers * draws(net, options) ** 2,
    vcs=4,
    fits=must_be_torus,
    symmetric=lambda net: True,
    others_home=True,
    source="BookSim 2, valiant",
    summary="through a random router as BookSim has it: any channel at the destination on the way; can deadlock",
)
