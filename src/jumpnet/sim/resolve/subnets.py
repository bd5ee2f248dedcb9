"""Subnetworks: several copies of a network between the same terminals, over which packets are sent.

Routers of copy k are those of the network after those of the copies before; so are the places at which terminals
enter and leave it. A routing uses the router numbers within a copy. Used by `engine` and the plain-Python twin.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from jumpnet.networks import Network
from jumpnet.terms import NO_ROUTER


def side_by_side(net: Network, copies: int) -> Network:
    """So many copies of a network without a link between them, as one; the network itself where it is one copy.

    >>> from jumpnet.topology import build
    >>> side_by_side(build("torus:4"), 2).neighbor[4].tolist()
    [5, 7]
    """
    if copies == 1:
        return net
    first = net.routers * np.arange(copies).repeat(net.routers)[:, None]
    neighbor = np.tile(net.neighbor, (copies, 1))
    rows: dict[str, Any] = {}
    for name in ("far_port", "link_class", "coord", "terminals", "sinks", "position", "latency"):
        if getattr(net, name) is not None:
            rows[name] = np.concatenate([getattr(net, name)] * copies)
    joined = np.where(neighbor == NO_ROUTER, NO_ROUTER, neighbor + first).astype(np.int32)
    return replace(net, neighbor=joined, orbits=None, labels=None, **rows)
