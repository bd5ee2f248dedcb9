"""Dimension order on a torus with bubble flow control: minimal, one virtual channel a ring, free of deadlock.

Source: Carrion, Beivide, Gregorio and Vallejo 1997; Puente, Izu, Beivide, Gregorio, Vallejo and Prellezo 2001. A packet
that enters a ring, from a terminal or from another dimension, leaves room for one more packet in the buffer it goes to;
one that goes on in its ring needs no more than its own. More virtual channels are as many rings apart: a packet may
enter any, and keeps to it. STATE is 0 at the source, then 1 + the channel (port * vcs + vc) that the packet came by.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put
from jumpnet.routings.torus._steps import must_be_torus, torus_port
from jumpnet.routings.view import DESTINATION, ENTERS, NORMAL, STATE

__all__ = ["TORUS_BUBBLE"]


def relation(net, here, head, out):
    """The port of the lowest unfinished dimension: the channel that the packet is in, or all that it may enter."""
    port = torus_port(net, here, head[DESTINATION])
    if port < 0:
        return 0
    came = head[STATE] - 1
    if came >= 0 and came // net.vcs == port:
        return put(out, 0, port, came % net.vcs, head[STATE], NORMAL)
    for v in range(net.vcs):
        put(out, v, port, v, 1 + port * net.vcs + v, ENTERS)
    return net.vcs


TORUS_BUBBLE = Routing(
    name="torus.bubble",
    relation=relation,
    fits=must_be_torus,
    symmetric=lambda net: True,
    bubble=True,
    source="Carrion et al. 1997; Puente et al. 2001",
    summary="dimension order, shortest way round, one channel; free of deadlock by bubble flow control (cut-through)",
)
