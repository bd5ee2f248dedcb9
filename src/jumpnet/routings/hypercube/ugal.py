"""UGAL on a hypercube: e-cube when its queue is short, else Valiant's detour; the choice is made at the source.

Source: Singh 2005 (UGAL-L). Classes as in `hypercube.valiant`.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.routings._routing import Routing
from jumpnet.routings._ugal import detour_is_faster
from jumpnet.routings.hypercube._steps import lowest_bit, must_be_hypercube
from jumpnet.routings.hypercube.valiant import relation
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, SOURCE, STATE

__all__ = ["HYPERCUBE_UGAL"]


@kernel
def _ones(word):
    """Number of bits set: the distance of two routers whose numbers differ by it."""
    count = 0
    while word != 0:
        word &= word - 1
        count += 1
    return count


def start(net, head, draw, queue):
    """Minimal (phase 1 at once) unless the detour through router `draw` promises to be faster."""
    source, destination = head[SOURCE], head[DESTINATION]
    head[STATE] = 1
    if draw != source and destination != source:
        long = _ones(source ^ draw) + _ones(draw ^ destination)
        direct, detour = lowest_bit(source ^ destination), lowest_bit(source ^ draw)
        if detour_is_faster(queue, direct, _ones(source ^ destination), detour, long):
            head[STATE] = 0
            head[INTERMEDIATE] = draw


HYPERCUBE_UGAL = Routing(
    name="hypercube.ugal",
    relation=relation,
    start=start,
    draws=lambda net, options: net.routers,
    two_phases="some",
    vcs=2,
    fits=must_be_hypercube,
    symmetric=lambda net: True,
    source="Singh 2005",
    summary="e-cube or Valiant by the queues at the source, a class a phase; free of deadlock",
)
