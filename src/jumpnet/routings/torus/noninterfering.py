"""Dimension order on a torus with virtual channels of their own for each destination, so that no others wait for it.

Source: Dally and Towles 2004 (non-interfering networks); BookSim 2, dim_order_ni. Ways to one router close no ring, so
no classes of a ring are needed. Ties go at random, as in `torus.booksim`. Packets enter and leave on any channel.
"""

from __future__ import annotations

from jumpnet.networks import Network
from jumpnet.routings._routing import MOST_VCS, Routing
from jumpnet.routings.classes import put_part
from jumpnet.routings.torus._steps import must_be_torus
from jumpnet.routings.torus.booksim import draws, port_by_ties, start, with_links
from jumpnet.routings.view import DESTINATION, STATE

__all__ = ["TORUS_NONINTERFERING"]


def must_be_small(net: Network) -> str | None:
    """Why it does not fit a network, or None."""
    if net.family == "torus" and net.routers > MOST_VCS:
        return f"it needs a virtual channel for each router, {net.routers} found, at most {MOST_VCS} expected"
    return must_be_torus(net)


def relation(net, here, head, out):
    """One port, on the channels of the destination; STATE breaks ties."""
    destination, state = head[DESTINATION], head[STATE]
    port = port_by_ties(net, here, destination, state)
    return 0 if port < 0 else put_part(out, port, destination, net.neighbor.shape[0], net.vcs, state)


TORUS_NONINTERFERING = Routing(
    name="torus.noninterfering",
    relation=relation,
    prepare=lambda net, options: with_links(net),
    start=start,
    draws=draws,
    vcs=lambda net, options: net.routers,
    fits=must_be_small,
    symmetric=lambda net: True,
    source="Dally and Towles 2004",
    summary="dimension order, channels of their own for each destination; free of deadlock",
)
