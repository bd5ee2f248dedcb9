"""Valiant's randomised routing on a hypercube: e-cube to a random router, then to the destination; a class a phase.

Source: Valiant and Brebner 1981.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.hypercube._steps import lowest_bit, must_be_hypercube
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, STATE

__all__ = ["HYPERCUBE_VALIANT"]


def relation(net, here, head, out):
    """E-cube to the intermediate router on class 0, then to the destination on class 1; STATE is the phase."""
    phase = head[STATE]
    if phase == 0 and here == head[INTERMEDIATE]:
        phase = 1
    wrong = here ^ (head[DESTINATION] if phase == 1 else head[INTERMEDIATE])
    if wrong == 0:
        return 0
    return put_class(out, 0, lowest_bit(wrong), phase, 2, net.vcs, phase, 0)


def start(net, head, draw, queue):
    """The intermediate router is the draw."""
    head[INTERMEDIATE] = draw


HYPERCUBE_VALIANT = Routing(
    name="hypercube.valiant",
    relation=relation,
    start=start,
    draws=lambda net, options: net.routers,
    two_phases=True,
    vcs=2,
    fits=must_be_hypercube,
    symmetric=lambda net: True,
    source="Valiant and Brebner 1981",
    summary="e-cube through a random router, a class a phase; free of deadlock",
)
