"""UGAL on a torus: minimal when its queue is short, else Valiant's detour; the choice is made at the source.

Source: Singh 2005 (UGAL-L); Dally and Towles chapter 9 names the two routes. Compares queue length times hops of both
first ports. Classes as in `torus.valiant`.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings._ugal import detour_is_faster
from jumpnet.routings.torus._steps import must_be_torus, torus_distance, torus_port, torus_two_phase
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, SOURCE, STATE

__all__ = ["TORUS_UGAL"]


def start(net, head, draw, queue):
    """Minimal (phase 1 at once) unless its queue times its hops exceeds that of the detour through router `draw`."""
    source, destination = head[SOURCE], head[DESTINATION]
    head[STATE] = 1
    direct, detour = torus_port(net, source, destination), torus_port(net, source, draw)
    short = torus_distance(net, source, destination)
    long = torus_distance(net, source, draw) + torus_distance(net, draw, destination)
    if detour_is_faster(queue, direct, short, detour, long):
        head[STATE] = 0
        head[INTERMEDIATE] = draw


TORUS_UGAL = Routing(
    name="torus.ugal",
    relation=torus_two_phase,
    start=start,
    draws=lambda net, options: net.routers,
    two_phases="some",
    vcs=4,
    fits=must_be_torus,
    symmetric=lambda net: True,
    source="Singh 2005",
    summary="minimal or Valiant by the queues at the source, two dateline classes a phase; free of deadlock",
)
