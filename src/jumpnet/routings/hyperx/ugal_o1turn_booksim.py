"""UGAL in drawn orders of the dimensions on a HyperX or flattened butterfly, as BookSim 2 does it.

Source: BookSim 2, ugal_xyyx on flatfly. Detours as in `hyperx.ugal_booksim`; both ways of a packet have the order that
is drawn, up or down, and an order half of the virtual channels, as in `hyperx.o1turn_booksim`. Of that half each phase
has all but a quarter of all channels, rounded down. Only multiples of four are shared out without a rest. With other
even numbers from six on it is free by Duato's condition, as the outermost channel of each part is never another's. With
two both phases have one channel and packets can deadlock; with odd numbers orders share the middle channel too, and no
channel is one part's alone.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import half_first, half_size, put
from jumpnet.routings.hyperx._steps import must_be_lines, ordered_port
from jumpnet.routings.hyperx.ugal_booksim import faster_detour, least_cycle
from jumpnet.routings.view import DESTINATION, ESCAPE, INTERMEDIATE, NORMAL, STATE

__all__ = ["HYPERX_UGAL_O1TURN_BOOKSIM"]

DOWN = 2
"""Added to the phase in STATE: the dimensions go from the last one down."""


def relation(net, here, head, out):
    """To the drawn router in phase 0, to the destination in phase 1; the order is that of the channel it came on."""
    phase, order, count = head[STATE] & 1, head[STATE] >> 1, 0
    if phase == 0 and here == head[INTERMEDIATE]:
        phase = 1
    port = ordered_port(net, here, head[DESTINATION] if phase == 1 else head[INTERMEDIATE], order)
    if port < 0:
        return 0
    others, down = net.vcs // 4, net.vcs // 2
    first = half_first(order, net.vcs) + phase * others
    stop = first + half_size(net.vcs) - others
    for v in range(first, stop):
        count = put(out, count, port, v, phase + (DOWN if v >= down else 0), NORMAL)
    if net.vcs % 4 == 2:
        count = put(out, count, port, stop - 1 if phase == 1 else first, phase + DOWN * order, ESCAPE)
    return count


def start(net, head, draw, queue):
    """The order, and whether the packet goes the minimal way (phase 1 at once) or by the drawn router."""
    middle = faster_detour(net, head, draw // 2, queue, draw % 2)
    head[STATE] = 1 + DOWN * (draw % 2)
    if middle >= 0:
        head[STATE] = DOWN * (draw % 2)
        head[INTERMEDIATE] = middle


HYPERX_UGAL_O1TURN_BOOKSIM = Routing(
    name="hyperx.ugal_o1turn_booksim",
    relation=relation,
    start=start,
    draws=lambda net, options: 2 * net.routers,
    two_phases="some",
    least_cycle=least_cycle,
    orders=2,
    vcs=4,
    fits=must_be_lines,
    symmetric=lambda net: True,
    source="BookSim 2, ugal_xyyx",
    summary="minimal or a detour, dimensions up or down, as BookSim has it; free of deadlock with 4, 6, 8 ... channels",
)
