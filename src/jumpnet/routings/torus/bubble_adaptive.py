"""Minimal adaptive routing on a torus whose escapes are the rings of `torus.bubble`: two channels a port.

Source: Puente, Izu, Beivide, Gregorio, Vallejo and Prellezo 2001 (the adaptive bubble router). Channel 0 is the escape:
dimension order, entered from a terminal, another dimension or an adaptive channel with room for one more packet. The
others are adaptive. STATE is 0, or 1 + the port of the escape channel that the packet is in.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put
from jumpnet.routings.torus._steps import must_be_torus, torus_port
from jumpnet.routings.view import DESTINATION, ENTERS, ESCAPE, NORMAL, STATE

__all__ = ["TORUS_BUBBLE_ADAPTIVE"]


def relation(net, here, head, out):
    """Every port on a shortest path, adaptive channels; last the dimension-order port, channel 0."""
    destination = head[DESTINATION]
    port = torus_port(net, here, destination)
    if port < 0:
        return 0
    count = 0
    for d in range(net.coord.shape[1]):
        k = net.params[d]
        ahead = (net.coord[destination, d] - net.coord[here, d]) % k
        for v in range(1, net.vcs):
            if ahead != 0 and 2 * ahead <= k:
                count = put(out, count, 2 * d, v, 0, NORMAL)
            if ahead != 0 and 2 * ahead >= k and k > 2:
                count = put(out, count, 2 * d + 1, v, 0, NORMAL)
    goes_on = head[STATE] == 1 + port
    return put(out, count, port, 0, 1 + port, ESCAPE if goes_on else ESCAPE | ENTERS)


TORUS_BUBBLE_ADAPTIVE = Routing(
    name="torus.bubble_adaptive",
    relation=relation,
    vcs=2,
    fits=must_be_torus,
    symmetric=lambda net: True,
    adaptive=True,
    bubble=True,
    source="Puente et al. 2001",
    summary="minimal adaptive, rings with bubbles as escape; free of deadlock by bubble flow control (cut-through)",
)
