"""BookSim 2's `valiant` on a mesh: through a random router; at its destination on the way a packet takes any channel.

Source: BookSim 2, valiant. As `mesh.valiant`, but for a packet that passes its destination, or enters there, while it
is still on its way to the random router: it may then hold a channel of the second phase and go on in the first, so that
packets can wait for each other in a ring. Both phases have the middle one of an odd number of channels.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import half_first, half_size, put_channels
from jumpnet.routings.mesh._steps import mesh_port, must_be_mesh
from jumpnet.routings.mesh.valiant import start
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, STATE

__all__ = ["MESH_VALIANT_BOOKSIM"]


def relation(net, here, head, out):
    """To the random router on the lower half, then to the destination on the upper; where that is passed on any."""
    destination, phase = head[DESTINATION], head[STATE]
    if phase == 0 and here == head[INTERMEDIATE]:
        phase = 1
    port = mesh_port(net, here, destination if phase == 1 else head[INTERMEDIATE])
    if port < 0:
        return 0
    if here == destination:
        return put_channels(out, port, 0, net.vcs, phase)
    first = half_first(phase, net.vcs)
    return put_channels(out, port, first, first + half_size(net.vcs), phase)


MESH_VALIANT_BOOKSIM = Routing(
    name="mesh.valiant_booksim",
    relation=relation,
    vcs=2,
    start=start,
    draws=lambda net, options: net.routers,
    fits=must_be_mesh,
    symmetric=lambda net: True,
    others_home=True,
    source="BookSim 2, valiant",
    summary="through a random router as BookSim has it: any channel at the destination on the way; can deadlock",
)
