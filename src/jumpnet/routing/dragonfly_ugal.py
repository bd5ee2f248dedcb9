"""UGAL on a dragonfly: minimal when its queue is short, else by a random group; the choice is made at the source.

Source: Kim et al. 2008 (UGAL-L). Compares queue length times hops of the first ports of both ways.
"""

from __future__ import annotations

from jumpnet.routing._dragonfly import dragonfly_hops, dragonfly_port, dragonfly_relation, must_be_dragonfly
from jumpnet.routing._routing import Routing
from jumpnet.routing._ugal import detour_is_faster
from jumpnet.routing.view import DESTINATION, INTERMEDIATE, SOURCE

__all__ = ["DRAGONFLY_UGAL"]


def start(net, head, draw, queue):
    """INTERMEDIATE is set only when the detour by the drawn group promises to be faster."""
    source, destination = head[SOURCE], head[DESTINATION]
    group = net.coord[destination, 0]
    if draw == group or draw == net.coord[source, 0]:
        return
    direct = dragonfly_port(net, source, group, destination)
    detour = dragonfly_port(net, source, draw, destination)
    short = dragonfly_hops(net, source, group, destination)
    if detour_is_faster(queue, direct, short, detour, dragonfly_hops(net, source, draw, destination)):
        head[INTERMEDIATE] = draw * net.params[1]


DRAGONFLY_UGAL = Routing(
    name="dragonfly.ugal",
    relation=dragonfly_relation,
    start=start,
    draws=lambda net, options: int(net.params[3]),
    vcs=3,
    fits=must_be_dragonfly,
    source="Kim et al. 2008",
    summary="minimal or by a random group, by the queues at the source; three classes, free of deadlock",
)
