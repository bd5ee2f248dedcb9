"""Steps shared by the routings of HyperX and flattened butterfly, whose lines are complete graphs.

Port base_d + j - 1 adds j to coordinate d modulo its side; net.params = sides.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.networks import Network

__all__ = ["line_port", "must_be_lines", "ordered_port"]


def must_be_lines(net: Network) -> str | None:
    """Why these routings do not fit a network, or None."""
    return None if net.family in ("hyperx", "flatfly") else "it needs a HyperX or a flattened butterfly"


@kernel
def line_port(net, here, target):
    """(port, dimension) of the hop that corrects the lowest wrong coordinate; port -1 when none is wrong."""
    base = 0
    for d in range(net.coord.shape[1]):
        k = net.params[d]
        ahead = (net.coord[target, d] - net.coord[here, d]) % k
        if ahead != 0:
            return base + ahead - 1, d
        base += k - 1
    return -1, -1


@kernel
def ordered_port(net, here, target, order):
    """Port of the hop that corrects the lowest wrong coordinate, in order 1 the highest; -1 when none is wrong."""
    base, found = 0, -1
    for d in range(net.coord.shape[1]):
        k = net.params[d]
        ahead = (net.coord[target, d] - net.coord[here, d]) % k
        if ahead != 0 and (found < 0 or order == 1):
            found = base + ahead - 1
        base += k - 1
    return found
