"""Orbits of a network's routers under the automorphisms that its family declares and that keep port numbers."""

from __future__ import annotations

import numpy as np

from jumpnet._public import public
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.terms import I64
from jumpnet.topology import family
from jumpnet.topology.orbits import joined

__all__ = ["keeps_ports", "orbit_labels"]


@public
def orbit_labels(net: Network) -> I64 | None:
    """(R,) the least router that the family's port-keeping automorphisms carry each router to; None when unknown.

    None too when the family is not known, or one of its automorphisms does not keep port numbers.

    >>> from jumpnet.topology import build
    >>> orbit_labels(build("torus:2x2"))
    array([0, 0, 0, 0])
    """
    try:
        known = family(net.spec)
    except JumpnetError:
        return None
    generators = [np.asarray(g, np.int64) for g in known.automorphisms(net)]
    return joined(net.routers, generators) if all(keeps_ports(net, g) for g in generators) else None


def keeps_ports(net: Network, moved: I64) -> bool:
    """Whether links go with the routers when each moves to moved (R,), every link by the same port."""
    if (np.where(net.neighbor < 0, -1, moved[net.neighbor]) != net.neighbor[moved]).any():
        return False
    return not ((net.far_port != net.far_port[moved]).any() or (net.link_class != net.link_class[moved]).any())
