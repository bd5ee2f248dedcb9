"""Dimension order on a torus, shortest way round, no virtual-channel classes: minimal, but not free of deadlock.

Source: Dally and Towles chapter 8; the negative control of the dateline scheme. A tie goes up.
"""

from __future__ import annotations

from jumpnet.networks import Network
from jumpnet.routings._routing import Routing
from jumpnet.routings.view import DESTINATION

__all__ = ["TORUS_DIMENSION_ORDER"]


def relation(net, here, head, out):
    """One port, every virtual channel."""
    destination = head[DESTINATION]
    if here == destination:
        return 0
    for d in range(net.coord.shape[1]):
        k = net.params[d]
        ahead = (net.coord[destination, d] - net.coord[here, d]) % k
        if ahead != 0:
            up = 2 * ahead <= k
            for v in range(net.vcs):
                out[v, 0] = 2 * d if up else 2 * d + 1
                out[v, 1] = v
                out[v, 2] = 0
                out[v, 3] = 0
            return net.vcs
    return 0


def _fits(net: Network) -> str | None:
    return None if net.family == "torus" else "it needs a torus"


TORUS_DIMENSION_ORDER = Routing(
    name="torus.dimension_order",
    relation=relation,
    fits=_fits,
    symmetric=lambda net: True,
    source="Dally and Towles, chapter 8",
    summary="dimension order, shortest way round; deadlocks (one channel class)",
)
