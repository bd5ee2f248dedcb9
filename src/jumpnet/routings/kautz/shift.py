"""Shift routing on a Kautz network: the letters of the destination are shifted in from the right, one a hop.

Source: Bermond and Peyrat 1989. Shortest by left shifts alone; classes as in `debruijn.shift`.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings._shift import shift_hop, start_shift
from jumpnet.routings.view import DESTINATION, STATE

__all__ = ["KAUTZ_SHIFT"]


def relation(net, here, head, out):
    """The port that brings in the next letter: port a skips a letters after the last one of `here`."""
    left = head[STATE] & 63
    if left == 0:
        return 0
    d, n = net.params[0], net.params[1]
    step = (net.coord[head[DESTINATION], n - left] - net.coord[here, n - 1] - 1) % (d + 1)
    return shift_hop(net, here, head[STATE], step, out)


KAUTZ_SHIFT = Routing(
    name="kautz.shift",
    relation=relation,
    start=start_shift,
    vcs=lambda net, options: int(net.params[1]) // 2 + 1,
    fits=lambda net: None if net.family == "kautz" else "it needs a Kautz network",
    default_for=("kautz",),
    source="Bermond and Peyrat 1989",
    summary="shifts in the destination's letters; n/2 + 1 classes, free of deadlock",
)
