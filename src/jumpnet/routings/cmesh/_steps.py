"""Steps shared by the routings by express links, which join routers along the edges of a concentrated mesh.

Along the lower and the upper edge they go half a side on in x, by ports that look out of the mesh in y, and along the
left and the right edge likewise half a side on in y.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.networks import Network

__all__ = ["express_port", "must_have_express"]


def must_have_express(net: Network) -> str | None:
    """Why these routings do not fit a network, or None."""
    return None if net.family == "cmesh" and net.params[3] == 1 else "it needs a concentrated mesh with express links"


@kernel
def express_port(net, here, target, d, least):
    """Port of dimension d that leads closer to the target, -1 when the coordinate is right.

    least: hops that must be left in the dimension for an express link to be taken, where there is one.
    """
    other = 1 - d
    ahead, edge = net.coord[target, d] - net.coord[here, d], net.coord[here, other]
    if abs(ahead) >= least:
        if edge == 0:
            return 2 * other + 1
        if edge == net.params[other] - 1:
            return 2 * other
    return -1 if ahead == 0 else 2 * d if ahead > 0 else 2 * d + 1
