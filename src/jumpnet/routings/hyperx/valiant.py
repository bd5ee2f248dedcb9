"""Valiant's randomised routing on a HyperX: dimension order to a random router, then on; a class a phase.

Source: Valiant and Brebner 1981; Ahn et al. 2009 compares it on these networks.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.hyperx._steps import line_port, must_be_lines
from jumpnet.routings.mesh.valiant import start
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, STATE

__all__ = ["HYPERX_VALIANT", "relation"]


def relation(net, here, head, out):
    """Dimension order to the intermediate router on class 0, then to the destination on class 1; STATE is the phase."""
    phase = head[STATE]
    if phase == 0 and here == head[INTERMEDIATE]:
        phase = 1
    port = line_port(net, here, head[DESTINATION] if phase == 1 else head[INTERMEDIATE])[0]
    if port < 0:
        return 0
    return put_class(out, 0, port, phase, 2, net.vcs, phase, 0)


HYPERX_VALIANT = Routing(
    name="hyperx.valiant",
    relation=relation,
    start=start,
    draws=lambda net, options: net.routers,
    two_phases=True,
    vcs=2,
    fits=must_be_lines,
    symmetric=lambda net: True,
    source="Valiant and Brebner 1981",
    summary="dimension order through a random router, a class a phase; free of deadlock",
)
