"""`hyperx.o1turn_booksim` whose order is chosen at the first router, by the shorter of the two queues that it leads to.

Source: BookSim 2, adaptive_xyyx on flatfly.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.hyperx._steps import must_be_lines, ordered_port
from jumpnet.routings.hyperx.o1turn_booksim import relation
from jumpnet.routings.view import DESTINATION, SOURCE, STATE

__all__ = ["HYPERX_O1TURN_ADAPTIVE_BOOKSIM"]


def start(net, head, draw, queue):
    """The order with the shorter queue before it; the draw where they are alike."""
    up = ordered_port(net, head[SOURCE], head[DESTINATION], 0)
    down = ordered_port(net, head[SOURCE], head[DESTINATION], 1)
    head[STATE] = draw
    if up >= 0 and queue[up] != queue[down]:
        head[STATE] = 1 if queue[down] < queue[up] else 0


HYPERX_O1TURN_ADAPTIVE_BOOKSIM = Routing(
    name="hyperx.o1turn_adaptive_booksim",
    relation=relation,
    vcs=2,
    start=start,
    draws=lambda net, options: 2,
    fits=must_be_lines,
    symmetric=lambda net: True,
    source="BookSim 2, adaptive_xyyx",
    summary="dimension order up or down, by the shorter queue at first, then by the channel; free of deadlock",
)
