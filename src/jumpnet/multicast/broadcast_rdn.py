"""Broadcast on a Recursive Dual-Net: Algorithm 2 of the RDN paper, one-port.

Source: li2009rdn section 4. In a dual-net of level k: broadcast in the source's cluster; every router of it sends over
its cross edge; broadcast in all clusters of the other type at once; send back over the cross edges. Theorem 3:
2^k B0 + 2^(k+1) - 2 steps, B0 being the steps in the base network.

In the last phase the paper lets all clusters of the other type send but the one that holds s', the partner of the
source s. With cross edges (0, c, u)-(1, u, c) that is not what it means: the routers that must keep still are those
that were entered over a cross edge, one in each cluster. With the paper's words (`literal`) n - 1 routers of the
source's own cluster receive twice and n - 1 others never; here each router receives once.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from jumpnet.multicast._broadcast import Broadcast
from jumpnet.multicast.broadcast_bfs import best_schedule
from jumpnet.multicast.schedule import Schedule
from jumpnet.network import Network, from_neighbors
from jumpnet.terms import I64

__all__ = ["base_of", "dual_net_schedule", "rdn"]


def base_of(net: Network) -> Network:
    """The base network of a dual-net, from its params.

    >>> from jumpnet.topology import build
    >>> base_of(build("rdn:3,k=1")).neighbor.tolist()
    [[1, 2], [2, 0], [0, 1]]
    """
    m, ports = int(net.params[1]), int(net.params[2])
    table = np.asarray(net.params[3 : 3 + m * ports]).reshape(m, ports)
    one = np.zeros(ports, np.int32)
    return from_neighbors(
        f"base of {net.spec}", "base", table, link_class=one, class_names=("link",), class_rank=np.zeros(1, np.int32)
    )


def dual_net_schedule(net: Network, source: int, *, literal: bool = False) -> Schedule:
    """Algorithm 2 from a source; `literal` keeps the paper's words for the last phase (see the module).

    Cost: O(routers) transfers, and a schedule for each router of a cluster.

    >>> from jumpnet.topology import build
    >>> dual_net_schedule(build("rdn:3,k=2"), 0).steps
    14
    """
    k = int(net.params[0])
    base = base_of(net)
    sizes = [base.routers]
    for _ in range(k):
        sizes.append(2 * sizes[-1] ** 2)

    @cache
    def within(level: int, s: int) -> tuple[I64, I64, I64]:
        """(step, sender, receiver) of a broadcast from s in a dual-net of this level, routers counted from 0."""
        if level == 0:
            made = best_schedule(base, s, "one-port")
            return made.step, made.sender, made.receiver
        n = sizes[level - 1]
        kind, c, u = s // (n * n), s // n % n, s % n
        own, other = kind * n * n, (1 - kind) * n * n
        every = np.arange(n, dtype=np.int64)
        step, sender, receiver = within(level - 1, u)
        first = int(step.max(initial=-1)) + 1
        parts = [(step, own + c * n + sender, own + c * n + receiver)]
        parts.append((np.full(n, first), own + c * n + every, other + every * n + c))
        step, sender, receiver = within(level - 1, c)
        cluster = np.repeat(every, len(step)) * n
        parts.append(
            (
                first + 1 + np.tile(step, n),
                other + cluster + np.tile(sender, n),
                other + cluster + np.tile(receiver, n),
            )
        )
        last = first + 1 + int(step.max(initial=-1)) + 1
        far, node = np.repeat(every, n), np.tile(every, n)
        sends = far != u if literal else node != c
        far, node = far[sends], node[sends]
        parts.append((np.full(len(far), last), other + far * n + node, own + node * n + far))
        step, sender, receiver = (np.concatenate(column) for column in zip(*parts, strict=True))
        return step, sender, receiver

    return Schedule.of(net.spec, "rdn", source, *within(k, source))


rdn = Broadcast(
    "rdn",
    lambda net, source, model: dual_net_schedule(net, source),
    ("rdn",),
    "li2009rdn Algorithm 2",
    "recursive dual-nets, cluster by cluster",
)
