"""UGAL on a mesh: dimension order when its queue is short, else Valiant's detour; the choice is made at the source.

Source: Singh 2005 (UGAL-L). Classes as in `mesh.valiant`.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.routings._routing import Routing
from jumpnet.routings._ugal import detour_is_faster
from jumpnet.routings.mesh._steps import mesh_port, must_be_mesh
from jumpnet.routings.mesh.valiant import relation
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, SOURCE, STATE

__all__ = ["MESH_UGAL"]


@kernel
def _hops(net, here, there):
    """Hops of a shortest path."""
    total = 0
    for d in range(net.coord.shape[1]):
        total += abs(net.coord[there, d] - net.coord[here, d])
    return total


def start(net, head, draw, queue):
    """Minimal (phase 1 at once) unless the detour through router `draw` promises to be faster."""
    source, destination = head[SOURCE], head[DESTINATION]
    long = _hops(net, source, draw) + _hops(net, draw, destination)
    direct, detour = mesh_port(net, source, destination), mesh_port(net, source, draw)
    head[STATE] = 1
    if detour_is_faster(queue, direct, _hops(net, source, destination), detour, long):
        head[STATE] = 0
        head[INTERMEDIATE] = draw


MESH_UGAL = Routing(
    name="mesh.ugal",
    relation=relation,
    start=start,
    draws=lambda net, options: net.routers,
    two_phases="some",
    vcs=2,
    fits=must_be_mesh,
    symmetric=lambda net: True,
    source="Singh 2005",
    summary="dimension order or Valiant by the queues at the source, a class a phase; free of deadlock",
)
