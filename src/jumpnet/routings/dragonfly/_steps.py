"""Steps shared by the dragonfly routings. net.params = p, a, h, g, w, arrangement; coordinates group, place.

Source: Kim et al. 2008. Of the w links between two groups a packet takes the one numbered destination mod w.
"""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import kernel
from jumpnet.networks import Network
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, STATE

__all__ = ["dragonfly_gateway", "dragonfly_hops", "dragonfly_port", "dragonfly_relation", "must_be_dragonfly"]


def must_be_dragonfly(net: Network) -> str | None:
    """Why these routings do not fit a network, or None."""
    return None if net.family == "dragonfly" else "it needs a dragonfly"


@kernel
def dragonfly_gateway(net, group, target, copy):
    """(place, port) of the global link number `copy` from one group to another."""
    a, h, g = net.params[1], net.params[2], net.params[3]
    q = (target - group - 1) % g if net.params[5] == 1 else target if target < group else target - 1
    k = copy * (g - 1) + q
    return k // h, a - 1 + k % h


@kernel
def _local(place, to):
    """Port from one place of a group to another."""
    return to if to < place else to - 1


@kernel
def dragonfly_port(net, here, group, destination):
    """Next port toward `group`, or toward the destination router when that is its group; -1 when there."""
    own, place = net.coord[here, 0], net.coord[here, 1]
    if own != group:
        gate, port = dragonfly_gateway(net, own, group, destination % net.params[4])
        return port if gate == place else _local(place, gate)
    to = net.coord[destination, 1]
    return -1 if to == place or net.coord[destination, 0] != own else _local(place, to)


@kernel
def dragonfly_hops(net, here, group, destination):
    """Hops of the minimal way by `group` to the destination, or to where a link of it has failed."""
    hops = 0
    target = group
    while True:
        if net.coord[here, 0] == target:
            target = net.coord[destination, 0]
        port = dragonfly_port(net, here, target, destination)
        if port < 0:
            return hops
        here = np.int64(net.neighbor[here, port])
        if here < 0:
            return hops
        hops += 1


def dragonfly_relation(net, here, head, out):
    """By the group of the intermediate router, if there is one, to the destination. STATE counts global hops.

    Classes: a local or global hop after s global ones is class s; the local hop in the destination's group is class 2.
    """
    destination = head[DESTINATION]
    taken = head[STATE]
    final = net.coord[destination, 0]
    own = net.coord[here, 0]
    target = final
    if taken == 0 and head[INTERMEDIATE] >= 0 and own != net.coord[head[INTERMEDIATE], 0]:
        target = net.coord[head[INTERMEDIATE], 0]
    port = dragonfly_port(net, here, target, destination)
    if port < 0:
        return 0
    if port < net.params[1] - 1:
        return put_class(out, 0, port, 2 if own == final and target == final else taken, 3, net.vcs, taken, 0)
    return put_class(out, 0, port, taken, 3, net.vcs, taken + 1, 0)
