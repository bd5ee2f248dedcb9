"""Minimal routing on a dragonfly as BookSim 2 does it: class 0 up to the global hop, class 1 from that hop on.

Source: BookSim 2, min on dragonflynew. Packets that stay in their group use class 0 as well. A local channel of class 0
is followed by a global one or the end, a global one by a local one of class 1 or the end: no circle. A class is one
virtual channel, however many there are; the others are used by sources only, which draw one of all in each cycle in
which a packet may enter. A packet leaves on that of its class.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put
from jumpnet.routings.dragonfly._steps import dragonfly_port, must_be_dragonfly
from jumpnet.routings.view import DESTINATION, SOURCE, VC

__all__ = ["DRAGONFLY_BOOKSIM"]


def relation(net, here, head, out):
    """At most one local, one global and one local hop."""
    destination = head[DESTINATION]
    port = dragonfly_port(net, here, net.coord[destination, 0], destination)
    is_global = port >= net.params[1] - 1
    has_crossed = net.coord[here, 0] != net.coord[head[SOURCE], 0]
    if port < 0:
        out[0, VC] = int(has_crossed) % net.vcs
        return 0
    return put(out, 0, port, (1 if is_global or has_crossed else 0) % net.vcs, 0, 0)


DRAGONFLY_BOOKSIM = Routing(
    name="dragonfly.booksim",
    relation=relation,
    vcs=2,
    fits=must_be_dragonfly,
    one_vc_at_ends=True,
    source="BookSim 2, min",
    summary="local, global, local; the second class from the global hop on, as BookSim has it; free of deadlock",
)
