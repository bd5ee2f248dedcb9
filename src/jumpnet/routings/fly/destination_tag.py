"""Destination-tag routing on a butterfly: at stage s the digit s of the destination chooses the output. The only way.

Source: Dally and Towles section 4.1. Free of deadlock with one channel: stages only go on.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION

__all__ = ["FLY_DESTINATION_TAG"]


def relation(net, here, head, out):
    """The output that sets this stage's digit."""
    destination = head[DESTINATION]
    if here == destination:
        return 0
    stage = net.coord[here, 0]
    if stage == net.params[1] - 1:
        return -1
    return put_class(out, 0, net.coord[destination, stage + 1], 0, 1, net.vcs, 0, 0)


FLY_DESTINATION_TAG = Routing(
    name="fly.destination_tag",
    relation=relation,
    fits=lambda net: None if net.family == "fly" else "it needs a butterfly (fly)",
    default_for=("fly",),
    source="Dally and Towles, section 4.1",
    summary="the destination's digits choose the outputs; free of deadlock",
)
