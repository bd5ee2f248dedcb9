"""Progressive adaptive routing on a dragonfly: a minimal choice at the source may become a detour at the gateway.

Source: Jiang, Kim and Dally 2009 (PAR). The source chooses as UGAL does. A packet that leaves it for the gateway of its
minimal way is asked for once more there, where the queue of the global link is seen itself. The group of the detour is
drawn at the source. The classes below rise along every way: local 0, local 1, global 1, local 2, global 3, local 3.
"""

from __future__ import annotations

from jumpnet.routings._routing import Routing
from jumpnet.routings._ugal import detour_is_faster
from jumpnet.routings.classes import put_class
from jumpnet.routings.dragonfly._steps import dragonfly_hops, dragonfly_port, must_be_dragonfly
from jumpnet.routings.view import DESTINATION, IN_PORT, INTERMEDIATE, SOURCE, STATE

__all__ = ["DRAGONFLY_PAR"]

OPEN = 0
"""STATE of a packet that may still turn away at the gateway of its minimal way."""
DETOUR = 1
MINIMAL = 2
CROSSED = 3
"""STATE: on the way to the intermediate group, then to the last global hop, then past it."""


def relation(net, here, head, out):
    """Minimal or by the group of the intermediate router; both for an open packet at its gateway, minimal first."""
    destination = head[DESTINATION]
    own, final = net.coord[here, 0], net.coord[destination, 0]
    phase = head[STATE]
    middle = net.coord[head[INTERMEDIATE], 0] if head[INTERMEDIATE] >= 0 else own
    if phase == DETOUR and own == middle:
        phase = MINIMAL
    if own == final:
        phase = CROSSED
    port = dragonfly_port(net, here, middle if phase == DETOUR else final, destination)
    if port < 0:
        return 0
    is_global = port >= net.params[1] - 1
    if phase == OPEN and is_global:
        count = put_class(out, 0, port, CROSSED, 4, net.vcs, CROSSED, 0)
        if middle == own:
            return count
        port = dragonfly_port(net, here, middle, destination)
        return put_class(out, count, port, DETOUR, 4, net.vcs, DETOUR, 0)
    if phase == MINIMAL and is_global:
        phase = CROSSED
    return put_class(out, 0, port, phase, 4, net.vcs, phase, 0)


def start(net, head, draw, queue):
    """At the source open, or a detour by the drawn group; at the gateway minimal, or the detour.

    As in `dragonfly.ugal` a detour begins with another port than the minimal way; at the gateway it does in any case.
    """
    destination = head[DESTINATION]
    at_source = head[IN_PORT] < 0
    here = head[SOURCE] if at_source else draw
    own, group, groups = net.coord[here, 0], net.coord[destination, 0], net.params[3]
    if not at_source and (head[STATE] != OPEN or own == group):
        return
    direct, detour = dragonfly_port(net, here, group, destination), -1
    is_gateway = direct >= net.params[1] - 1
    if at_source:
        head[STATE] = MINIMAL if is_gateway or own == group else OPEN
        if own == group:
            return
        step = net.params[2] * (1 + net.coord[here, 1])
        for k in range(groups):
            middle = (draw + k * step) % groups
            detour = -1 if middle in (group, own) else dragonfly_port(net, here, middle, destination)
            if detour >= 0 and detour != direct:
                head[INTERMEDIATE] = middle * net.params[1]
                break
    elif is_gateway:
        head[STATE] = MINIMAL
    if head[INTERMEDIATE] < 0 or (not at_source and not is_gateway):
        return
    middle = net.coord[head[INTERMEDIATE], 0]
    detour = dragonfly_port(net, here, middle, destination)
    short, long = dragonfly_hops(net, here, group, destination), dragonfly_hops(net, here, middle, destination)
    if detour_is_faster(queue, direct, short, detour, long):
        head[STATE] = DETOUR


DRAGONFLY_PAR = Routing(
    name="dragonfly.par",
    relation=relation,
    start=start,
    revises=True,
    draws=lambda net, options: int(net.params[3]),
    vcs=4,
    fits=must_be_dragonfly,
    adaptive=True,
    source="Jiang, Kim and Dally 2009",
    summary="as UGAL, the choice once more at the gateway of the minimal way; four classes, free of deadlock",
)
