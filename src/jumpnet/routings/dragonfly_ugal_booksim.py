"""UGAL on a dragonfly as BookSim 2 does it: minimal, or through a random router, by the queues of the source.

Source: BookSim 2, ugal on dragonflynew. A detour goes all the way to the random router, on class 0; from there class 1
up to the last global hop and class 2 from it on. Class 0 holds a local, a global and a local hop of one way, so that
detours may wait for one another in a circle. The hops of both ways are not counted: 1 and 2 stand for them. A class is
one virtual channel, and a packet leaves on it.
"""

from __future__ import annotations

from jumpnet.routings._dragonfly import dragonfly_port, must_be_dragonfly
from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, SOURCE, STATE

__all__ = ["DRAGONFLY_UGAL_BOOKSIM"]

DETOUR = 0
MINIMAL = 1
CROSSED = 2
"""STATE: on the way to the random router, then to the last global hop, then past it."""
BIAS_FLITS = 30
"""The queue of the minimal way may be this much longer than twice the other."""


def relation(net, here, head, out):
    """Toward the random router, even past the destination; then toward the destination."""
    phase = head[STATE]
    if phase == DETOUR and here == head[INTERMEDIATE]:
        phase = MINIMAL
    aim = head[INTERMEDIATE] if phase == DETOUR else head[DESTINATION]
    port = dragonfly_port(net, here, net.coord[aim, 0], aim)
    if port < 0:
        return 0
    if phase == MINIMAL and port >= net.params[1] - 1:
        phase = CROSSED
    return put(out, 0, port, phase % net.vcs, phase, 0)


def start(net, head, draw, queue):
    """Through router `draw` when the queue of the minimal way is too long; a router of the own group is no detour."""
    source, destination = head[SOURCE], head[DESTINATION]
    own = net.coord[source, 0]
    if net.coord[destination, 0] == own:
        head[STATE] = CROSSED
        return
    head[STATE] = MINIMAL
    if net.coord[draw, 0] == own:
        return
    direct = dragonfly_port(net, source, net.coord[destination, 0], destination)
    detour = dragonfly_port(net, source, net.coord[draw, 0], draw)
    if queue[direct] > 2 * queue[detour] + BIAS_FLITS:
        head[STATE] = DETOUR
        head[INTERMEDIATE] = draw


DRAGONFLY_UGAL_BOOKSIM = Routing(
    name="dragonfly.ugal_booksim",
    relation=relation,
    start=start,
    draws=lambda net, options: net.routers,
    vcs=3,
    fits=must_be_dragonfly,
    keeps_vc=True,
    source="BookSim 2, ugal",
    summary="minimal or through a random router, as BookSim has it; three classes, detours may deadlock",
)
