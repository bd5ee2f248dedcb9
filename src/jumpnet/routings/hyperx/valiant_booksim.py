"""Valiant's routing on a HyperX as BookSim 2 does it: through a random router, unless the destination comes first.

Source: BookSim 2, valiant on flatfly. Classes as in `hyperx.valiant`, of whose ways these are some and
beginnings of some, but for odd numbers of channels, whose middle one both phases have: these are free by Duato's
condition, as the outermost channel of each half is never another's.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_shared_half
from jumpnet.routings.hyperx._steps import line_port, must_be_lines
from jumpnet.routings.mesh.valiant import start
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, STATE

__all__ = ["HYPERX_VALIANT_BOOKSIM"]


def relation(net, here, head, out):
    """Dimension order to the random router on half 0, then to the destination on half 1; STATE is the phase."""
    phase, destination = head[STATE], head[DESTINATION]
    if here == head[INTERMEDIATE] or here == destination:
        phase = 1
    port = line_port(net, here, destination if phase == 1 else head[INTERMEDIATE])[0]
    if port < 0:
        return 0
    return put_shared_half(out, port, phase, net.vcs, phase)


HYPERX_VALIANT_BOOKSIM = Routing(
    name="hyperx.valiant_booksim",
    relation=relation,
    start=start,
    draws=lambda net, options: net.routers,
    two_phases="some",
    vcs=2,
    fits=must_be_lines,
    symmetric=lambda net: True,
    source="BookSim 2, valiant",
    summary="through a random router, but ends where it meets its destination, as BookSim has it; free of deadlock",
)
