"""Random faults of a network: nested sets drawn from a seed, and the part that still hangs together.

Fault sets are nested: the first k of one random order, so that a curve over the number of faults follows one network
as it decays. The idea is ours; draws are counter-based. Used by `analysis/degradation.py` and `sim/faults`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.fault.components import components
from jumpnet.fault.defects import seed_number
from jumpnet.fault.degraded import degraded
from jumpnet.jit.random import draw63, stream_key
from jumpnet.networks import Network
from jumpnet.terms import I64, NO_ROUTER

__all__ = ["KINDS", "fault_order", "links_of", "with_faults", "working_part"]

KINDS = ("nodes", "links")


def links_of(net: Network) -> I64:
    """(L, 2) one (router, port) for each link: the end with the smaller router, then port; directed: every channel.

    >>> from jumpnet.topology import build
    >>> links_of(build("torus:3")).tolist()
    [[0, 0], [0, 1], [1, 0]]
    """
    return np.stack(net.link_ends[:2], axis=1)


def fault_order(net: Network, kind: str, seed: int) -> I64:
    """(N, 2) the order in which nodes (router, -1) or links (router, port) fail; a random order of all of them.

    Raises JumpnetError for another kind. Cost: O(N log N).

    >>> from jumpnet.topology import build
    >>> fault_order(build("torus:4"), "nodes", 1)[:, 0].tolist()
    [0, 2, 3, 1]
    """
    if kind not in KINDS:
        raise unknown_name("kind of fault", kind, KINDS)
    if kind == "nodes":
        things = np.stack([np.arange(net.routers), np.full(net.routers, -1)], axis=1).astype(np.int64)
    else:
        things = links_of(net)
    key = stream_key(seed_number(seed), KINDS.index(kind))
    draws = [int(draw63(key, k)) for k in range(len(things))]
    return things[np.argsort(np.array(draws, np.int64), kind="stable")]


def with_faults(net: Network, kind: str, count: int, seed: int) -> tuple[Network, I64]:
    """The network with the first `count` faults of a seed, and those faults (count, 2) as `fault_order` names them.

    >>> from jumpnet.topology import build
    >>> with_faults(build("torus:4x4"), "links", 3, 1)[0].links
    29
    """
    order = fault_order(net, kind, seed)
    if not 0 <= count <= len(order):
        raise JumpnetError(f"{count} faulty {kind} found, 0 to {len(order)} expected in {net.spec}")
    faults = order[:count]
    if count == 0:
        return net, faults
    if kind == "nodes":
        return degraded(net, routers=faults[:, 0].tolist()), faults
    return degraded(net, links=[(int(r), int(p)) for r, p in faults]), faults


def working_part(net: Network) -> Network:
    """The part of a network whose terminals reach each other: its largest component, the rest out of service.

    Largest by terminals, then by routers; one-way networks by strong components. The network itself when it is whole.

    >>> from jumpnet.topology import build
    >>> from jumpnet.fault.degraded import degraded
    >>> cut = degraded(build("mesh:1x5"), routers=[3])
    >>> working_part(cut).endpoints
    3
    """
    label = components(net)
    ends, size = np.bincount(label, net.terminals + net.sinks), np.bincount(label)
    best = int(np.lexsort((-size, -ends))[0])
    linked = (net.neighbor != NO_ROUTER).any(axis=1)
    outside = np.flatnonzero((label != best) & (linked | (net.terminals > 0) | (net.sinks > 0)))
    return degraded(net, routers=outside.tolist()) if outside.size else net
