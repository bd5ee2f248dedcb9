"""Dimension order on a concentrated mesh by its express links, where half a side or more is left.

Source: Balfour and Dally 2006; BookSim 2, dor on cmesh. In a dimension an express link comes first and leaves less than
half a side in the same direction, so one virtual channel is free of deadlock.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_channels
from jumpnet.routings.cmesh._steps import express_port, must_have_express
from jumpnet.routings.view import DESTINATION

__all__ = ["CMESH_EXPRESS"]


def relation(net, here, head, out):
    """The port of the lowest unfinished dimension, every virtual channel."""
    for d in range(2):
        port = express_port(net, here, head[DESTINATION], d, max(net.params[d] // 2, 1))
        if port >= 0:
            return put_channels(out, port, 0, net.vcs, 0)
    return 0


CMESH_EXPRESS = Routing(
    name="cmesh.express",
    relation=relation,
    fits=must_have_express,
    symmetric=lambda net: True,
    source="Balfour and Dally 2006",
    summary="dimension order by express links where half a side is left; free of deadlock",
)
