"""UGAL on a dragonfly: minimal when its queue is short, else by a random group; the choice is made at the source.

Source: Kim et al. 2008 (UGAL-L). Compares queue length times hops of the first ports of both ways. As they find, a
queue says nothing when both ways begin with the same port; so detours begin with another one. Minimal and detouring
packets have channels of their own in the first group: a crowd before the minimal global link leaves the detours free.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings._ugal import detour_is_faster
from jumpnet.routings.classes import put_class
from jumpnet.routings.dragonfly._steps import dragonfly_hops, dragonfly_port, must_be_dragonfly
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, SOURCE, STATE

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


def start(net, head, draw, queue):
    """INTERMEDIATE is set only when the detour by the drawn group promises to be faster.

    A group that is reached by the port which the minimal way begins with would be no detour; then another one is taken.
    The h groups that a router leads to mostly follow one another: each place of a group steps over them in its own way,
    or one group would get what falls to all.
    """
    source, destination = head[SOURCE], head[DESTINATION]
    own, group, groups = net.coord[source, 0], net.coord[destination, 0], net.params[3]
    step = net.params[2] * (1 + net.coord[source, 1])
    head[STATE] = MINIMAL
    if own == group:
        return
    direct, detour = dragonfly_port(net, source, group, destination), -1
    for k in range(groups):
        middle = (draw + k * step) % groups
        detour = -1 if middle in (group, own) else dragonfly_port(net, source, middle, destination)
        if detour >= 0 and detour != direct:
            short = dragonfly_hops(net, source, group, destination)
            long = dragonfly_hops(net, source, middle, destination)
            if detour_is_faster(queue, direct, short, detour, long):
                head[STATE] = DETOUR
                head[INTERMEDIATE] = middle * net.params[1]
            return


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
