"""Minimal adaptive routing on a torus with the dateline order as escape: free of deadlock by Duato's condition.

Source: Duato 1993; Dally and Towles section 14.3. Classes 0 and 1 are the escape channels, class 2 is adaptive.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.torus._steps import must_be_torus, ring_class, torus_port
from jumpnet.routings.view import DESTINATION, ESCAPE, NORMAL

__all__ = ["TORUS_DUATO"]


def relation(net, here, head, out):
    """Every port on a shortest path, adaptive class; last the dimension-order port, escape class."""
    destination = head[DESTINATION]
    port = torus_port(net, here, destination)
    if port < 0:
        return 0
    count = 0
    for d in range(net.coord.shape[1]):
        k = net.params[d]
        ahead = (net.coord[destination, d] - net.coord[here, d]) % k
        if ahead != 0 and 2 * ahead <= k:
            count = put_class(out, count, 2 * d, 2, 3, net.vcs, 0, NORMAL)
        if ahead != 0 and 2 * ahead >= k and k > 2:
            count = put_class(out, count, 2 * d + 1, 2, 3, net.vcs, 0, NORMAL)
    return put_class(out, count, port, ring_class(net, here, destination, port), 3, net.vcs, 0, ESCAPE)


TORUS_DUATO = Routing(
    name="torus.duato",
    relation=relation,
    vcs=3,
    fits=must_be_torus,
    symmetric=lambda net: True,
    adaptive=True,
    source="Duato 1993; Dally and Towles, section 14.3",
    summary="minimal adaptive with dateline escape channels; free of deadlock (Duato)",
)
