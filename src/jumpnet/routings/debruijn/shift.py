"""Shift routing on a de Bruijn network: the letters of the destination are shifted in from the right, one a hop.

Source: Samatham and Pradhan 1989. Shortest by left shifts alone. n/2 + 1 classes keep it free of deadlock: a new one
when a hop to a lower router number is followed by one to a higher.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings._shift import shift_hop, start_shift
from jumpnet.routings.view import DESTINATION, STATE

__all__ = ["DEBRUIJN_SHIFT"]


def relation(net, here, head, out):
    """The port that brings in the next letter."""
    left = head[STATE] & 63
    if left == 0:
        return 0
    letter = net.coord[head[DESTINATION], net.params[1] - left]
    return shift_hop(net, here, head[STATE], letter, out)


DEBRUIJN_SHIFT = Routing(
    name="debruijn.shift",
    relation=relation,
    start=start_shift,
    vcs=lambda net, options: int(net.params[1]) // 2 + 1,
    fits=lambda net: None if net.family == "debruijn" else "it needs a de Bruijn network",
    default_for=("debruijn",),
    source="Samatham and Pradhan 1989",
    summary="shifts in the destination's letters; n/2 + 1 classes, free of deadlock",
)
