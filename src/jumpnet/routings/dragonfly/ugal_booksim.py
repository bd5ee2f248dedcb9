"""UGAL on a dragonfly as BookSim 2 does it: minimal, or through a random router, by the queues of the source.

Source: BookSim 2, ugal on dragonflynew. A detour goes all the way to the random router, on class 0; from there class 1
up to the last global hop and class 2 from it on. Class 0 holds a local, a global and a local hop of one way, so that
detours may wait for one another in a circle. The hops of both ways are not counted: 1 and 2 stand for them. A class is
one virtual channel, and a packet leaves on it: of class 2 also where it does not leave its router or its group. Sources
use all, one drawn in each cycle in which a packet may enter.
"""

from __future__ import annotations

import numpy as np

from jumpnet.networks import Network
from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put
from jumpnet.routings.dragonfly._steps import dragonfly_port, must_be_dragonfly
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, SOURCE, STATE, VC
from jumpnet.terms import I64

__all__ = ["DRAGONFLY_UGAL_BOOKSIM"]

DETOUR = 0
MINIMAL = 1
CROSSED = 2
"""STATE: on the way to the random router, then to the last global hop, then past it."""
CLASSES = 3
"""Virtual channels that keep these apart."""
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
        out[0, VC] = phase % net.vcs
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


def _gates(net: Network) -> tuple[I64, I64]:
    """(g, g) place in a group of the router with the link to another one, and its port; -1 where there is none."""
    place, port = np.full((2, net.params[3], net.params[3]), -1)
    r, p = np.nonzero(net.link_class == 1)
    group, other = net.coord[r, 0], net.coord[net.neighbor[r, p], 0]
    place[group, other], port[group, other] = net.coord[r, 1], p
    return place, port


def least_cycle(net: Network, vcs: int) -> int:
    """Six channels where groups have one link between them, else four; two where classes share virtual channels.

    Classes never fall along a way. Class 2 is a global hop and a local one, class 1 one local hop; so a cycle is of
    class 0, where a detour's local hop is followed by its global one, and that by the local one to the random router.
    It goes in turns: local, global, local, global. Over one link and back by the same there is no local hop between, as
    who arrives stands where it leaves.
    """
    if vcs < CLASSES:
        return 2
    return 6 if net.params[4] == 1 else 4


def closing(net: Network) -> I64 | None:
    """(3, 4) source, destination, router on the way and its port to there of detours between three groups, each from
    where the one before arrives to where the next leaves; None without such.

    The minimal way of each leads straight from its source to the third group, so that its queue alone may be long.
    """
    if net.params[4] != 1:
        return None
    (place, port), a = _gates(net), net.params[1]
    fits = (place[0][:, None] != place[0]) & (place[:, :1] != place) & (place[:, :1] != place).T
    fits[0], fits[:, 0] = False, False
    np.fill_diagonal(fits, False)
    found = np.argwhere(fits)
    if len(found) == 0:
        return None
    groups = [0, *found[0].tolist()]
    packets = []
    for i in range(3):
        own, then, last = groups[i], groups[(i + 1) % 3], groups[(i + 2) % 3]
        source, middle = own * a + place[own, last], then * a + place[then, last]
        packets.append((source, last * a, middle, port[own, last]))
    return np.array(packets, np.int64)


DRAGONFLY_UGAL_BOOKSIM = Routing(
    name="dragonfly.ugal_booksim",
    relation=relation,
    start=start,
    draws=lambda net, options: net.routers,
    vcs=CLASSES,
    least_cycle=least_cycle,
    closing=closing,
    fits=must_be_dragonfly,
    one_vc_at_ends=True,
    source="BookSim 2, ugal",
    summary="minimal or through a random router, as BookSim has it; three classes, detours may deadlock",
)
