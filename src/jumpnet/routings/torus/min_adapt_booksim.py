"""BookSim 2's `min_adapt` on a torus: dimension order on channel 3, with the channels of two classes to escape by.

Source: BookSim 2, min_adapt. As on a mesh (`mesh.min_adapt_booksim`) one of the minimal outputs is left, that of the
lowest dimension. Channel 3 is taken the shorter way, down where both are as long; an escape goes either way then, and
keeps to its class in a ring as in `torus.booksim`. Channel 2 and those above 3 are for entering and leaving only, and
with less than four there are the escapes alone, as BookSim has it with two.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put
from jumpnet.routings.mesh.min_adapt_booksim import ASKS, put_escape
from jumpnet.routings.torus._steps import must_be_torus
from jumpnet.routings.torus.booksim import CLASS_BIT, draws, entered_class, port_by_ties, start, with_links
from jumpnet.routings.view import DESTINATION, IN_PORT, NORMAL, STATE

__all__ = ["TORUS_MIN_ADAPT_BOOKSIM"]

ESCAPED = CLASS_BIT << 1
"""STATE beside that of `torus.booksim`: this bit says that the packet has taken an escape, and keeps to them."""
ADAPTIVE = 3
"""The virtual channel beside the escapes."""


def relation(net, here, head, out):
    """The shorter way on channel 3 unless the packet has escaped; last the escape, on channel 0 or 1."""
    destination, state = head[DESTINATION], head[STATE]
    port = port_by_ties(net, here, destination, state)
    if port < 0:
        return 0
    d, count, escaped = port >> 1, 0, state >= ESCAPED
    if not escaped and net.vcs > ADAPTIVE:
        shorter = port_by_ties(net, here, destination, 0)
        count = put(out, count, shorter, ADAPTIVE, state, NORMAL)
    if not escaped or head[IN_PORT] >> 1 != d:
        state = (state & CLASS_BIT - 1) + ESCAPED + CLASS_BIT * entered_class(net, here, destination, d)
    v = 1 if state & CLASS_BIT != 0 else 0
    return put_escape(net, out, count, port, v % net.vcs, state)


TORUS_MIN_ADAPT_BOOKSIM = Routing(
    name="torus.min_adapt_booksim",
    relation=relation,
    prepare=lambda net, options: with_links(net, int(options["asks"] == "beside")),
    options={"asks": ASKS},
    meanings={"asks": "When a head asks for its escape: where channel 3 is not free, or beside it."},
    start=start,
    draws=draws,
    vcs=ADAPTIVE + 1,
    fits=must_be_torus,
    symmetric=lambda net: True,
    escapes_last=True,
    adaptive=True,
    source="BookSim 2, min_adapt",
    summary="dimension order as BookSim's min_adapt has it: channel 3, escapes that are never left; free of deadlock",
)
