"""UGAL on a dragonfly: minimal when its queue is short, else by a random group; the choice is made at the source.

Source: Kim et al. 2008 (UGAL-L, in its hybrid form). Compares queue length times hops of the first ports of both ways;
when both begin with the same port, of the virtual channels that they would use there. So minimal and detouring packets
have channels of their own in the first group: a crowd before the minimal global link leaves the detours free.
"""

from __future__ import annotations

from jumpnet._jit import jit
from jumpnet.routing._classes import class_first, class_stop, put_class
from jumpnet.routing._dragonfly import dragonfly_hops, dragonfly_port, must_be_dragonfly
from jumpnet.routing._routing import Routing
from jumpnet.routing._ugal import detour_is_faster
from jumpnet.routing._view import DESTINATION, INTERMEDIATE, SOURCE, STATE

__all__ = ["DRAGONFLY_UGAL"]

DETOUR = 0
MINIMAL = 1
CROSSED = 2
"""STATE: on the way to the intermediate group, then to the last global hop, then past it."""


def relation(net, here, head, out):
    """By the group of the intermediate router, if there is one, to the destination.

    Classes: 0 on a detour, 1 on local hops before the last global one, 2 from that hop on and inside a group. In the
    order local 0, global 0, local 1, global 2, local 2 every hop goes up.
    """
    destination = head[DESTINATION]
    own, final = net.coord[here, 0], net.coord[destination, 0]
    phase = head[STATE]
    if phase == DETOUR and own == net.coord[head[INTERMEDIATE], 0]:
        phase = MINIMAL
    if own == final:
        phase = CROSSED
    target = net.coord[head[INTERMEDIATE], 0] if phase == DETOUR else final
    port = dragonfly_port(net, here, target, destination)
    if port < 0:
        return 0
    if phase == MINIMAL and port >= net.params[1] - 1:
        phase = CROSSED
    return put_class(out, 0, port, phase, 3, net.vcs, phase, 0)


@jit
def _in_channels(net, queue, port, c):
    """Flits of the virtual channels of class c at a port."""
    ports, total = net.neighbor.shape[1], 0
    for v in range(class_first(c, 3, net.vcs), class_stop(c, 3, net.vcs)):
        total += queue[ports + port * net.vcs + v]
    return total


def start(net, head, draw, queue):
    """INTERMEDIATE is set only when the detour by the drawn group promises to be faster."""
    source, destination = head[SOURCE], head[DESTINATION]
    group = net.coord[destination, 0]
    head[STATE] = MINIMAL
    if net.coord[source, 0] == group or draw == group or draw == net.coord[source, 0]:
        return
    direct = dragonfly_port(net, source, group, destination)
    detour = dragonfly_port(net, source, draw, destination)
    short = dragonfly_hops(net, source, group, destination)
    long = dragonfly_hops(net, source, draw, destination)
    if direct == detour:
        first = MINIMAL if direct < net.params[1] - 1 else CROSSED
        faster = _in_channels(net, queue, direct, first) * short > _in_channels(net, queue, detour, DETOUR) * long
    else:
        faster = detour_is_faster(queue, direct, short, detour, long)
    if faster:
        head[STATE] = DETOUR
        head[INTERMEDIATE] = draw * net.params[1]


DRAGONFLY_UGAL = Routing(
    name="dragonfly.ugal",
    relation=relation,
    start=start,
    draws=lambda net, options: int(net.params[3]),
    vcs=3,
    fits=must_be_dragonfly,
    source="Kim et al. 2008",
    summary="minimal or by a random group, by the queues at the source; three classes, free of deadlock",
)
