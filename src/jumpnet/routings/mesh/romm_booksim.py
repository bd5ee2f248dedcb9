"""ROMM on a mesh as BookSim 2 does it: both phases have the middle one of an odd number of channels.

Source: BookSim 2, romm. Ways as in `mesh.romm`, and with an even number of channels all is as there. With an odd number
it is free by Duato's condition, as the outermost channel of each half is never another's.
"""

from __future__ import annotations

from math import prod

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_shared_half
from jumpnet.routings.mesh._steps import mesh_port, must_be_mesh
from jumpnet.routings.mesh.romm import bases, prepare, start
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, STATE

__all__ = ["MESH_ROMM_BOOKSIM"]


def relation(net, here, head, out):
    """Dimension order to the random router on half 0, then to the destination on half 1; STATE is the phase."""
    phase = head[STATE]
    if phase == 0 and here == head[INTERMEDIATE]:
        phase = 1
    port = mesh_port(net, here, head[DESTINATION] if phase == 1 else head[INTERMEDIATE])
    if port < 0:
        return 0
    return put_shared_half(out, port, phase, net.vcs, phase)


MESH_ROMM_BOOKSIM = Routing(
    name="mesh.romm_booksim",
    relation=relation,
    start=start,
    prepare=prepare,
    draws=lambda net, options: prod(bases(net)),
    two_phases="some",
    vcs=2,
    fits=must_be_mesh,
    symmetric=lambda net: True,
    source="BookSim 2, romm",
    summary="minimal through a random router, both phases with the middle channel, as BookSim has it; free of deadlock",
)
