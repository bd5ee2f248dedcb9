"""Dimension order on a torus with a dateline in every ring: two virtual-channel classes, free of deadlock.

Source: Dally and Seitz 1987; Dally and Towles chapter 14. The class follows from the place alone: 0 while the
wrap-around channel lies ahead, 1 when it does not, so class 0 stops at the wrap and class 1 never takes it.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.torus._steps import must_be_torus, ring_class, torus_port
from jumpnet.routings.view import DESTINATION

__all__ = ["TORUS_DATELINE"]


def relation(net, here, head, out):
    """The port of the lowest unfinished dimension, on the channels of its dateline class."""
    destination = head[DESTINATION]
    port = torus_port(net, here, destination)
    if port < 0:
        return 0
    return put_class(out, 0, port, ring_class(net, here, destination, port), 2, net.vcs, 0, 0)


TORUS_DATELINE = Routing(
    name="torus.dateline",
    relation=relation,
    vcs=2,
    fits=must_be_torus,
    symmetric=lambda net: True,
    default_for=("torus",),
    source="Dally and Towles, chapter 14",
    summary="dimension order, shortest way round, two dateline classes; free of deadlock",
)
