"""UGAL on a HyperX or flattened butterfly: dimension order when its queue is short, else Valiant's detour.

Source: Singh 2005 (UGAL-L); Kim, Dally and Abts 2007 use it on flattened butterflies. Classes as in `hyperx.valiant`.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.routings._routing import Routing
from jumpnet.routings._ugal import detour_is_faster
from jumpnet.routings.hyperx._steps import line_port, must_be_lines
from jumpnet.routings.hyperx.valiant import relation
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, SOURCE, STATE

__all__ = ["HYPERX_UGAL"]


@kernel
def _hops(net, here, there):
    """Hops of a shortest path: the dimensions that are wrong."""
    total = 0
    for d in range(net.coord.shape[1]):
        total += net.coord[there, d] != net.coord[here, d]
    return total


def start(net, head, draw, queue):
    """Minimal (phase 1 at once) unless the detour through router `draw` promises to be faster."""
    source, destination = head[SOURCE], head[DESTINATION]
    long = _hops(net, source, draw) + _hops(net, draw, destination)
    direct, detour = line_port(net, source, destination)[0], line_port(net, source, draw)[0]
    head[STATE] = 1
    if detour_is_faster(queue, direct, _hops(net, source, destination), detour, long):
        head[STATE] = 0
        head[INTERMEDIATE] = draw


HYPERX_UGAL = Routing(
    name="hyperx.ugal",
    relation=relation,
    start=start,
    draws=lambda net, options: net.routers,
    two_phases="some",
    vcs=2,
    fits=must_be_lines,
    symmetric=lambda net: True,
    source="Singh 2005",
    summary="dimension order or Valiant by the queues at the source, a class a phase; free of deadlock",
)
