"""Broadcast on a Recursive Dual-Net: Algorithm 2 of the RDN paper, one-port.

Source: li2009rdn section 4. In a dual-net of level k: broadcast in the source's cluster; every router of it sends over
its cross edge; broadcast in all clusters of the other type at once; send back over the cross edges. Theorem 3:
2^k B0 + 2^(k+1) - 2 steps, B0 being the steps in the base network.

In the last phase the paper lets all clusters of the other type send but "C_s'", the one that contains s', the partner
of the source s. Two readings (`Last`): `cluster`, that cluster, and `entered`, the routers that were entered over a
cross edge, one in each cluster: with cross edges (0, c, u)-(1, u, c) those with the node id of s' (with ids of type 1
in the order (type, node, cluster), those with its first field). With the second each router receives once; with the
first n - 1 routers of the source's own cluster receive twice and n - 1 others never.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, get_args

import numpy as np

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.multicast._broadcast import Broadcast
from jumpnet.multicast.broadcast_bfs import best_schedule
from jumpnet.multicast.schedule import Schedule
from jumpnet.networks import Network, from_neighbors
from jumpnet.terms import I64
from jumpnet.topology.rdn import exchanged_numbers, level_sizes

__all__ = ["Last", "base_of", "dual_net_schedule", "rdn"]

Last = Literal["entered", "cluster"]
"""Who keeps still in the last phase: the routers entered over a cross edge, or the cluster of the source's partner."""


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


def dual_net_schedule(net: Network, source: int, *, last: Last = "entered") -> Schedule:
    """Algorithm 2 from a source; `last`: who keeps still in the last phase (see the module).

    Cost: O(routers) transfers, and a schedule for each router of a cluster. Raises JumpnetError for another `last` and
    for a network in parts (cross=same).

    >>> from jumpnet.topology import build
    >>> dual_net_schedule(build("rdn:3,k=2"), 0).steps
    14
    """
    if last not in get_args(Last):
        raise unknown_name("last phase of the broadcast", last, get_args(Last))
    cross = net.attributes.get("cross", "swap")
    if cross == "same":
        raise JumpnetError(f"{net.spec}: a network in parts found, cross=swap or cross=exchanged expected")
    k, base = int(net.params[0]), base_of(net)
    sizes = level_sizes(base.routers, k)

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
        final = first + 1 + int(step.max(initial=-1)) + 1
        far, node = np.repeat(every, n), np.tile(every, n)
        sends = far != u if last == "cluster" else node != c
        far, node = far[sends], node[sends]
        parts.append((np.full(len(far), final), other + far * n + node, own + node * n + far))
        step, sender, receiver = (np.concatenate(column) for column in zip(*parts, strict=True))
        return step, sender, receiver

    if cross == "swap":
        return Schedule.of(net.spec, "rdn", source, *within(k, source))
    name = exchanged_numbers(sizes)
    step, sender, receiver = within(k, int(np.flatnonzero(name == source)[0]))
    return Schedule.of(net.spec, "rdn", source, step, name[sender], name[receiver])


rdn = Broadcast(
    "rdn",
    lambda net, source, model: dual_net_schedule(net, source),
    ("rdn",),
    "li2009rdn Algorithm 2",
    "recursive dual-nets, cluster by cluster",
)
