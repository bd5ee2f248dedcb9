"""O1TURN on a concentrated mesh by its express links as BookSim 2 does it, on sides of up to four routers.

Source: BookSim 2, xy_yx on cmesh. An express link is taken where two hops or more are left, and leads half a side on.
With six routers and more in a line packets would go to and fro between two express links for ever; so such sides do
not fit. Orders and channels as in `mesh.o1turn_booksim`.
"""

from __future__ import annotations

from jumpnet.networks import Network
from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_order
from jumpnet.routings.cmesh._steps import express_port, must_have_express
from jumpnet.routings.mesh.o1turn import start
from jumpnet.routings.view import DESTINATION, STATE

__all__ = ["CMESH_EXPRESS_O1TURN_BOOKSIM"]

LONGEST = 4
"""Routers of a line in which an express link leads no farther than the two hops for which it is taken."""
LEAST = 2
"""Hops that are left where one is taken."""


def must_be_short(net: Network) -> str | None:
    """Why it does not fit a network, or None."""
    if net.family == "cmesh" and net.params[:2].max() > LONGEST:
        return f"it needs sides of at most {LONGEST} routers, as packets would go to and fro by longer express links"
    return must_have_express(net)


def relation(net, here, head, out):
    """One port; STATE is the order, 1 from the last dimension down, by the channel that the packet came on."""
    order = head[STATE]
    for k in range(2):
        port = express_port(net, here, head[DESTINATION], 1 - k if order == 1 else k, LEAST)
        if port >= 0:
            return put_order(out, port, order, net.vcs)
    return 0


CMESH_EXPRESS_O1TURN_BOOKSIM = Routing(
    name="cmesh.express_o1turn_booksim",
    relation=relation,
    vcs=2,
    start=start,
    draws=lambda net, options: 2,
    fits=must_be_short,
    source="BookSim 2, xy_yx",
    summary="dimension order up or down, by express links, as BookSim has it; free of deadlock",
)
