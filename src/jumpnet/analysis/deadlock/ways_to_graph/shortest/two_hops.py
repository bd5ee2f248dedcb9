"""Dependencies of a routing by shortest ways from its packets to routers two hops away: those of all packets.

Say that packets go by shortest ways in the network, any one of whose routers is source and destination, by all ports
that lead to one or by the first. A packet to d takes port p of r to m, and then port q of m to x. Then x is two hops
from r, as ways to d have no shorter piece, and a port that leads nearer to x leads nearer to d. So a packet of r to x
may take p and then q as well: of the first ports, an earlier one to x would have been taken to d, too. So the
dependencies are those of packets that have two hops to go, and no search goes farther, however many routers there are.
Called by `dependency`; twins: the walk over the table, and the sets of destinations of `graph`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from jumpnet.analysis.deadlock.rows.blank import Graph
from jumpnet.analysis.deadlock.rows.compressed_rows import in_order
from jumpnet.analysis.deadlock.rows.pieces import too_large
from jumpnet.analysis.deadlock.walks.packet_walk import ADAPTIVE, CHOICES, COUNTERS, STATES
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.translation import looks_alike, wide
from jumpnet.analysis.deadlock.ways_to_graph.shortest._two_hops import farthest, wait_two_hops
from jumpnet.analysis.deadlock.ways_to_graph.shortest.graph import Legal, every_channel
from jumpnet.networks import Network
from jumpnet.process.threads import interruptible, share
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import MAX_CANDIDATES
from jumpnet.terms import I32, I64, Array

__all__ = ["dependencies_of_two_hops"]

FAR = 1 << 16
"""Hops of which the tables of routings by shortest ways have no number."""
SEEN = 64
"""Routers at most to which a choice between ports is looked for."""
STEPS = 1 << 26
"""Links that are gone over for that, a hop farther each time; and steps that are done at once."""


def dependencies_of_two_hops(bound: BoundRouting, legal: Legal, workers: int) -> Graph | None:
    """(bits, used, escape, counters) as walks make them; None where the routing or the network does not fit.

    legal: see `legal_ways`. bits (P * V, W) are those of one router, as of all, where ports add numbers to coordinates
    and those of all would be `wide`. Cost: a step for each two hops, R * P * P of them.
    """
    net, vcs = bound.network, bound.vcs
    if not _all_hops(net, legal):
        return None
    everywhere = bool((net.terminals > 0).all() and (net.sinks > 0).all())
    alike = everywhere and wide(bound) and looks_alike(bound) is not None
    if not everywhere or net.routers < 2 or (too_large(bound) and not alike) or not _joined(net):
        return None
    most, sure = _most_ports(net, alike) if legal.every else (1, True)
    if (most == 1 and not sure) or vcs * (most if sure else net.ports) > MAX_CANDIDATES:
        return None  # it may choose, or leave out some that it may not write
    adaptive = most > 1
    first = _first_ports(net.neighbor)
    waits = _waits(net, first, legal.every, 1 if alike else net.routers, workers)
    bits = every_channel(waits, net.ports, vcs)
    taken = first if not legal.every else (net.neighbor >= 0) & (net.neighbor != np.arange(net.routers)[:, None])
    used = np.repeat(taken.reshape(-1).astype(np.uint8), vcs)
    counters = np.zeros(COUNTERS, np.int64)
    counters[STATES], counters[ADAPTIVE], counters[CHOICES] = net.routers**2, adaptive, adaptive or vcs > 1
    return bits, used, np.zeros_like(used), counters


def _all_hops(net: Network, legal: Legal) -> bool:
    """Whether every hop may be taken, and packets have one STATE."""
    return legal.then.shape[2] == 1 and np.array_equal(legal.there, np.where(net.neighbor >= 0, net.neighbor, -1))


def _joined(net: Network) -> bool:
    """Whether all routers have ways to all, none of which has FAR hops."""
    here, port = np.nonzero(net.neighbor >= 0)
    there, both = net.neighbor[here, port].astype(np.int64), 0
    for one, two in ((here, there), (there, here)):
        order = in_order(one, net.routers)
        start = np.concatenate([[0], np.cumsum(np.bincount(one, minlength=net.routers))])
        room = np.full(net.routers, -1, np.int64), np.zeros(net.routers, np.int64)
        far = farthest(start, np.ascontiguousarray(two[order]), *room)
        if far < 0:
            return False
        both += far
    return both < FAR


def _is_tree(net: Network, here: I64, there: I64) -> bool:
    """Whether all routers, which are joined, have one way to each other: hops both ways along one link fewer."""
    if len(here) != 2 * (net.routers - 1):
        return False
    hops = set(zip(here.tolist(), there.tolist(), strict=True))
    return len(hops) == len(here) and all((b, a) in hops for a, b in hops)


def _most_ports(net: Network, alike: bool) -> tuple[int, bool]:
    """Ports on shortest ways of which a packet to some of the routers has most, and whether none to others has more."""
    here, port = np.nonzero((net.neighbor >= 0) & (net.neighbor != np.arange(net.routers)[:, None]))
    there, most = net.neighbor[here, port].astype(np.int64), 1
    if _is_tree(net, here, there):
        return 1, True
    some = min(net.routers, max(4, min(SEEN, STEPS // len(here))))
    tried = np.arange(1) if alike else np.arange(some) * net.routers // some
    for k in tried.tolist():
        left, now = np.full(net.routers, -1, np.int64), 0
        left[k] = 0
        while (left < 0).any():
            left[here[(left[there] == now) & (left[here] < 0)]] = now + 1
            now += 1
        most = max(most, int(np.bincount(here[left[here] == left[there] + 1]).max()))
        if most > 1 and len(tried) < net.routers and not alike:
            break
    return most, len(tried) == net.routers or alike


def _first_ports(neighbor: I32) -> Array:
    """(R, P) uint8: 1 where a port leads to another router and no earlier one leads to the same."""
    order = np.argsort(neighbor, axis=1, kind="stable")
    there = np.take_along_axis(neighbor, order, axis=1)
    new = np.ones(neighbor.shape, bool)
    new[:, 1:] = there[:, 1:] != there[:, :-1]
    first = np.zeros(neighbor.shape, bool)
    np.put_along_axis(first, order, new & (there >= 0) & (there != np.arange(len(neighbor))[:, None]), axis=1)
    return first.astype(np.uint8)


def _waits(net: Network, first: Array, every: bool, routers: int, workers: int) -> Array:
    """(routers * P, ceil(P / 64)) uint64: bit q of a channel's row, whatever the virtual channels."""
    rows = np.zeros((routers * net.ports, (net.ports + 63) // 64), np.uint64)
    step = max(1, STEPS // (net.ports * net.ports))

    def work(worker: int) -> None:
        """Fills the rows of one thread's share of the routers."""
        mark = np.full(net.routers, -1, np.int32)
        for start in range(worker * step, routers, workers * step):
            stop = min(start + step, routers)
            some = rows[start * net.ports : stop * net.ports]
            interruptible(partial(wait_two_hops, net.neighbor, first, every, start, stop, mark, some))

    share(work, range(workers), workers)
    return rows
