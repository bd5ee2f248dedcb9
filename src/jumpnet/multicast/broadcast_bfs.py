"""Broadcast on any network, with no knowledge of its family.

All-port: down a breadth-first tree, in as many steps as the source's eccentricity, which no broadcast beats. One-port:
the better of that tree and of a tree grown step by step, in each step a largest matching of the routers that have the
message to neighbors that lack it; in both each router serves its slowest subtree first. The best one-port broadcast of
a general graph is NP-hard to find (Slater, Cockayne and Hedetniemi, SIAM J. Computing 10(4), 1981).
"""

from __future__ import annotations

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.multicast._broadcast import Broadcast
from jumpnet.multicast.schedule import Schedule, tree_schedule
from jumpnet.networks import Network
from jumpnet.terms import I64, NO_ROUTER

__all__ = ["best_schedule", "bfs", "bfs_parents", "matching_parents"]


def bfs_parents(net: Network, source: int) -> I64:
    """(R,) parent of each router in a breadth-first tree, -1 at the source, -2 where it does not lead.

    Of several possible parents a router takes the one with the fewest children so far. Cost: O(routers x ports).

    >>> from jumpnet.topology import build
    >>> bfs_parents(build("torus:4"), 0).tolist()
    [-1, 0, 1, 0]
    """
    parent = np.full(net.routers, -2, np.int64)
    parent[source] = -1
    children = np.zeros(net.routers, np.int64)
    front = [source]
    while front:
        offers: dict[int, list[int]] = {}
        for r in front:
            for s in net.neighbor[r].tolist():
                if s != NO_ROUTER and parent[s] == -2:
                    offers.setdefault(s, []).append(r)
        # Routers with one possible parent first; the others then balance the load.
        for s, able in sorted(offers.items(), key=lambda item: (len(set(item[1])), item[0])):
            best = min(able, key=lambda r: (children[r], r))
            parent[s] = best
            children[best] += 1
        front = sorted(offers)
    return parent


def matching_parents(net: Network, source: int) -> I64:
    """(R,) parents as `bfs_parents`, of a tree grown by a largest matching in each step.

    Cost: a matching of the channels out of the informed routers in each step.

    >>> from jumpnet.topology import build
    >>> matching_parents(build("mesh:4"), 1).tolist()
    [1, -1, 1, 2]
    """
    from scipy.sparse import csr_array  # a while to load, and `jumpnet list` loads every broadcast
    from scipy.sparse.csgraph import maximum_bipartite_matching

    parent = np.full(net.routers, -2, np.int64)
    parent[source] = -1
    while True:
        senders = np.flatnonzero(parent > -2)
        near = net.neighbor[senders]
        row, port = np.nonzero((near != NO_ROUTER) & (parent[near] == -2))
        if not row.size:
            return parent
        lacking, column = np.unique(near[row, port], return_inverse=True)
        able = csr_array((np.ones(len(row), bool), (row, column)), shape=(len(senders), len(lacking)))
        match = maximum_bipartite_matching(able, perm_type="row")
        parent[lacking[match >= 0]] = senders[match[match >= 0]]


def best_schedule(net: Network, source: int, model: str = "one-port") -> Schedule:
    """The fewer steps of both trees. Raises JumpnetError when a router cannot be reached.

    >>> from jumpnet.topology import build
    >>> best_schedule(build("hypercube:4"), 0).steps
    4
    """
    parent = bfs_parents(net, source)
    if (parent == -2).any():
        lost = int(np.argmax(parent == -2))
        raise JumpnetError(f"{net.spec}: router {lost} cannot be reached from {source}, a connected network expected")
    found = [tree_schedule(net.spec, "bfs", parent, model)]
    if model == "one-port":
        found.append(tree_schedule(net.spec, "bfs", matching_parents(net, source), model))
    return min(found, key=lambda schedule: schedule.steps)


bfs = Broadcast("bfs", best_schedule, summary="any network: breadth-first, or a matching a step")
