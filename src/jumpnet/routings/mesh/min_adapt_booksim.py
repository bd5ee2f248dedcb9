"""BookSim 2's `min_adapt` on a mesh: dimension order on any channel, of which channel 0 is not left again.

Source: BookSim 2, min_adapt. It is written there as minimal adaptive routing with an escape channel, but what a head
may ask for is a set ordered by priority alone, which keeps the first output of each priority only: of all minimal
outputs that of the lowest dimension is left, which is that of the escape. So the ways are those of
`mesh.dimension_order`, on whatever channels, and are free of deadlock with one.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import kernel
from jumpnet.routings._routing import Prepared, Routing
from jumpnet.routings.classes import put
from jumpnet.routings.mesh._steps import mesh_port, must_be_mesh
from jumpnet.routings.view import DESTINATION, ESCAPE, NORMAL, STATE

__all__ = ["ASKS", "MESH_MIN_ADAPT_BOOKSIM", "how_it_asks", "put_escape"]

ASKS = ("after", "beside")
"""Whether a head asks for its escape where nothing else is free (separable allocators, input first), or all at once."""


def how_it_asks(net, options):
    """Whether the escape is asked for beside the others, for the relation."""
    return Prepared(own=np.array([int(options["asks"] == "beside")]))


@kernel
def put_escape(net, out, count, port, v, state):
    """Append the escape; one that is asked for beside the others is of both kinds. Returns the new count."""
    if net.own[0] == 1:
        count = put(out, count, port, v, state, NORMAL)
    return put(out, count, port, v, state, ESCAPE)


def relation(net, here, head, out):
    """Channels from 1 on, last channel 0; STATE is whether the packet has taken that, which it then keeps to."""
    port = mesh_port(net, here, head[DESTINATION])
    if port < 0:
        return 0
    count = 0
    if head[STATE] == 0:
        for v in range(1, net.vcs):
            count = put(out, count, port, v, 0, NORMAL)
    return put_escape(net, out, count, port, 0, 1)


MESH_MIN_ADAPT_BOOKSIM = Routing(
    name="mesh.min_adapt_booksim",
    relation=relation,
    prepare=how_it_asks,
    options={"asks": ASKS},
    meanings={"asks": "When a head asks for channel 0: where no other is free, or beside the others."},
    vcs=2,
    fits=must_be_mesh,
    symmetric=lambda net: True,
    escapes_last=True,
    source="BookSim 2, min_adapt",
    summary="dimension order as BookSim's min_adapt has it: channel 0 last, and never left; free of deadlock",
)
