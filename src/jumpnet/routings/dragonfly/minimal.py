"""Minimal routing on a dragonfly: to the group's gateway, across, to the router; two classes on local links.

Source: Kim et al. 2008. Class 0 before and on the global hop, class 1 after it.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.dragonfly._steps import dragonfly_port, must_be_dragonfly
from jumpnet.routings.view import DESTINATION

__all__ = ["DRAGONFLY_MINIMAL"]


def relation(net, here, head, out):
    """At most one local, one global and one local hop."""
    destination = head[DESTINATION]
    group = net.coord[destination, 0]
    port = dragonfly_port(net, here, group, destination)
    if port < 0:
        return 0
    return put_class(out, 0, port, 1 if net.coord[here, 0] == group else 0, 2, net.vcs, 0, 0)


DRAGONFLY_MINIMAL = Routing(
    name="dragonfly.minimal",
    relation=relation,
    vcs=2,
    fits=must_be_dragonfly,
    default_for=("dragonfly",),
    source="Kim et al. 2008",
    summary="local, global, local; two classes, free of deadlock",
)
