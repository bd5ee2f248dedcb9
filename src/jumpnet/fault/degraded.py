"""A network with some routers and links out of service: the same arrays with their channels taken out.

What routings that live with faults are given (yang2001rdt section IV.C.h); port numbers stay as they were.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.notices import counted
from jumpnet.terms import NO_PORT, NO_ROUTER

__all__ = ["degraded"]


def degraded(net: Network, routers: Iterable[int] = (), links: Iterable[tuple[int, int]] = ()) -> Network:
    """A copy without some routers and links; a link is named by (router, port) at either end, both ways go.

    A router that is out has no links, injects nothing and takes nothing. Raises JumpnetError for names out of range.

    >>> from jumpnet.topology import build
    >>> degraded(build("torus:4x4"), routers=[5], links=[(0, 0)]).links
    27
    """
    neighbor, far, kind = net.neighbor.copy(), net.far_port.copy(), net.link_class.copy()
    terminals, sinks = net.terminals.copy(), net.sinks.copy()
    out = sorted({int(r) for r in routers})
    cut = sorted({(int(r), int(p)) for r, p in links})
    for r in out + [r for r, _ in cut]:
        if not 0 <= r < net.routers:
            raise JumpnetError(f"faulty router {r} found, 0 to {net.routers - 1} expected in {net.spec}")
    gone = np.isin(neighbor, out)
    gone[out] = True
    for r, p in cut:
        if not 0 <= p < net.ports or net.neighbor[r, p] == NO_ROUTER:
            raise JumpnetError(
                f"faulty link at port {p} of router {r} found, a port with a link expected in {net.spec}"
            )
        gone[r, p] = True
        if not net.directed:
            gone[net.neighbor[r, p], net.far_port[r, p]] = True
    neighbor[gone], far[gone], kind[gone] = NO_ROUTER, NO_PORT, -1
    terminals[out], sinks[out] = 0, 0
    return replace(
        net,
        spec=_name(net, out, cut),
        neighbor=neighbor,
        far_port=far,
        link_class=kind,
        terminals=terminals,
        sinks=sinks,
        orbits=None,
    )


def _name(net: Network, out: list[int], cut: list[tuple[int, int]]) -> str:
    """What the network that is left is called; a link that was named by both of its ends is one."""
    links = {
        (r, p) if net.directed else min((r, p), (int(net.neighbor[r, p]), int(net.far_port[r, p]))) for r, p in cut
    }
    many = {"router": len(out), "link": len(links)}
    lost = " and ".join(counted(number, thing) for thing, number in many.items() if number)
    return f"{net.spec} without {lost}" if lost else net.spec
