"""A network with its endpoints as routers: what waits at an endpoint then waits for channels as a packet does.

Each terminal becomes a router of its own beside the one that it stood at. The channel to it is the room that the
endpoint has for what arrives, the channel from it the way into the network. Called by `transactions`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network, from_neighbors

__all__ = ["FAMILY", "with_endpoints"]

FAMILY = "endpoints"
"""Family of these networks; no spec names one."""

NAMES = ("to the endpoint", "from the endpoint")
"""Classes of the links that are added."""


def with_endpoints(net: Network) -> Network:
    """A network with a router more for each terminal, which alone has one; terminal i at router R + i.

    Router r keeps its ports; port P + k leads to its terminal k, whose port 0 leads back. Endpoints are called E and
    the name of their router. Raises JumpnetError for one-way links, and where some terminal only sends or receives.

    >>> from jumpnet.topology import build
    >>> net = with_endpoints(build("mesh:2x2"))
    >>> net.routers, net.labels[5], net.neighbor[1].tolist(), net.neighbor[5].tolist()
    (8, 'E1', [-1, 0, 3, -1, 5], [1, -1, -1, -1, -1])
    """
    if net.directed or (net.terminals != net.sinks).any():
        raise JumpnetError(f"{net.spec}: one-way links found, endpoints that send and receive expected")
    where, ends = net.terminal_router, net.endpoints
    order = np.arange(ends) - np.searchsorted(where, where)
    ports = net.ports + int(order.max(initial=-1)) + 1
    neighbor = np.full((net.routers + ends, ports), -1, np.int32)
    mirror, classes = neighbor.copy(), neighbor.copy()
    neighbor[: net.routers, : net.ports] = net.neighbor
    mirror[: net.routers, : net.ports] = net.far_port
    classes[: net.routers, : net.ports] = net.link_class
    out, into = (where, net.ports + order), (net.routers + np.arange(ends), 0)
    neighbor[out], mirror[out], classes[out] = net.routers + np.arange(ends), 0, len(net.class_names)
    neighbor[into], mirror[into], classes[into] = where, net.ports + order, len(net.class_names) + 1
    one = np.zeros(net.routers + ends, np.int32)
    one[net.routers :] = 1
    above = int(net.class_rank.max(initial=-1)) + 1
    return from_neighbors(
        f"{net.spec} with endpoints",
        FAMILY,
        neighbor,
        link_class=classes,
        class_names=(*net.class_names, *NAMES),
        class_rank=np.append(net.class_rank, [above, above]).astype(np.int32),
        mirror=mirror,
        terminals=one,
        labels=_labels(net, where, order),
    )


def _labels(net: Network, where: np.ndarray, order: np.ndarray) -> tuple[str, ...]:
    names = net.labels or tuple(map(str, range(net.routers)))
    several = order.any()
    ends = (f"E{names[r]}.{k}" if several else f"E{names[r]}" for r, k in zip(where.tolist(), order, strict=True))
    return (*names, *ends)
