"""Valiant's randomised routing on a mesh: dimension order to a random router, then to the destination; a class a phase.

Source: Valiant and Brebner 1981; Dally and Towles section 9.1.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.mesh._steps import mesh_port, must_be_mesh
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, STATE

__all__ = ["MESH_VALIANT"]


def relation(net, here, head, out):
    """Dimension order to the intermediate router on class 0, then to the destination on class 1; STATE is the phase."""
    destination = head[DESTINATION]
    phase = head[STATE]
    if phase == 0 and here == head[INTERMEDIATE]:
        phase = 1
    port = mesh_port(net, here, destination if phase == 1 else head[INTERMEDIATE])
    if port < 0:
        return 0
    return put_class(out, 0, port, phase, 2, net.vcs, phase, 0)


def start(net, head, draw, queue):
    """The intermediate router is the draw."""
    head[INTERMEDIATE] = draw


MESH_VALIANT = Routing(
    name="mesh.valiant",
    relation=relation,
    vcs=2,
    start=start,
    draws=lambda net, options: net.routers,
    two_phases=True,
    fits=must_be_mesh,
    symmetric=lambda net: True,
    source="Dally and Towles, section 9.1",
    summary="dimension order through a random router, a class a phase; free of deadlock",
)
