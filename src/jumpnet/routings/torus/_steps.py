"""Steps shared by the torus routings: the next port of dimension order, and whether the wrap still lies ahead.

Source: Dally and Towles chapters 8 and 14. Port 2d goes up and 2d+1 down in dimension d; net.params = sides.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.networks import Network
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, INTERMEDIATE, STATE

__all__ = ["must_be_torus", "ring_class", "torus_distance", "torus_port", "torus_two_phase"]


def must_be_torus(net: Network) -> str | None:
    """Why these routings do not fit a network, or None."""
    return None if net.family == "torus" else "it needs a torus"


@kernel
def torus_port(net, here, target):
    """Port of the lowest dimension in which `here` and `target` differ, the shorter way (a tie goes up); -1 if none."""
    for d in range(net.coord.shape[1]):
        k = net.params[d]
        ahead = (net.coord[target, d] - net.coord[here, d]) % k
        if ahead != 0:
            return 2 * d if 2 * ahead <= k else 2 * d + 1
    return -1


@kernel
def ring_class(net, here, target, port):
    """Dateline class of a ring: 0 while the wrap-around channel lies ahead or is next, 1 when it does not."""
    d = port >> 1
    at, to = net.coord[here, d], net.coord[target, d]
    return 0 if (to < at if port & 1 == 0 else to > at) else 1


@kernel
def torus_distance(net, here, target):
    """Hops of a shortest path."""
    total = 0
    for d in range(net.coord.shape[1]):
        k = net.params[d]
        ahead = (net.coord[target, d] - net.coord[here, d]) % k
        total += min(ahead, k - ahead)
    return total


def torus_two_phase(net, here, head, out):
    """Dimension order to the intermediate router, then to the destination; dateline classes 0, 1 and then 2, 3.

    STATE is the phase. The relation of Valiant's, ROMM's and UGAL's routing on a torus.
    """
    destination = head[DESTINATION]
    phase = head[STATE]
    if phase == 0 and here == head[INTERMEDIATE]:
        phase = 1
    target = destination if phase == 1 else head[INTERMEDIATE]
    port = torus_port(net, here, target)
    if port < 0:
        return 0
    return put_class(out, 0, port, 2 * phase + ring_class(net, here, target, port), 4, net.vcs, phase, 0)
