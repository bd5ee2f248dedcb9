"""UGAL-G on a dragonfly: as UGAL, but every router knows the queues of all global links of its group.

Source: Kim et al. 2008 (UGAL-G, their bound on what UGAL can do). Compares queue length times hops of the two global
links that the minimal way and the detour take out of the group. The knowledge is that of the cycle's begin. Ways and
classes are those of `dragonfly.ugal`.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings._ugal import detour_is_faster
from jumpnet.routings.dragonfly._steps import dragonfly_gateway, dragonfly_hops, must_be_dragonfly
from jumpnet.routings.dragonfly.ugal import DETOUR, MINIMAL, relation
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, SOURCE, STATE

__all__ = ["DRAGONFLY_UGAL_G"]


def start(net, head, draw, queue):
    """INTERMEDIATE is set only when the detour by the drawn group promises to be faster; queues of the whole group."""
    source, destination = head[SOURCE], head[DESTINATION]
    own, group = net.coord[source, 0], net.coord[destination, 0]
    head[STATE] = MINIMAL
    if own == group or draw in (own, group):
        return
    ports, copy = net.neighbor.shape[1], destination % net.params[4]
    place, port = dragonfly_gateway(net, own, group, copy)
    detour_place, detour_port = dragonfly_gateway(net, own, draw, copy)
    direct, detour = place * ports + port, detour_place * ports + detour_port
    short, long = dragonfly_hops(net, source, group, destination), dragonfly_hops(net, source, draw, destination)
    if detour_is_faster(queue, direct, short, detour, long):
        head[STATE] = DETOUR
        head[INTERMEDIATE] = draw * net.params[1]


DRAGONFLY_UGAL_G = Routing(
    name="dragonfly.ugal_g",
    relation=relation,
    start=start,
    sees=lambda net: int(net.params[1]),
    draws=lambda net, options: int(net.params[3]),
    vcs=3,
    fits=must_be_dragonfly,
    source="Kim et al. 2008",
    summary="minimal or by a random group, by the queues of the group's global links; three classes, free of deadlock",
)
