"""A shortest cycle of the dependencies of packets with two hops to go, without a list of them. Called by `dependency`.

A packet never comes back to where it was two hops before, so a cycle has three channels at least. Three routers in a
circle are neighbors where links lead both ways, so it has four. Whether there is one of four is looked at, where
packets take the first port: of a circle r, m, x, y the first port to x must lead r to m, and not to y, and so on.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from jumpnet.analysis.deadlock.cycles.short import ROOTS, short_cycle
from jumpnet.analysis.deadlock.ways_to_graph.shortest._circles import circle_of_four
from jumpnet.networks import Network
from jumpnet.process.threads import interruptible
from jumpnet.terms import I64, Array

__all__ = ["shortest_of_two_hops"]

PIECE = 1 << 26
"""Steps that are done at once."""
FEW = 4
"""Channels from which one of four is looked for first, where all circles of four routers are looked at next."""


def shortest_of_two_hops(net: Network, vcs: int, every: bool, bits: Array, base: I64) -> I64 | None:
    """Channels of a shortest cycle, in order, where it has three to five and is found in short time; else None.

    bits (C, W), base (C,): see `Dependencies`; every: whether all ports on a shortest way are taken, or the first one.
    Cost: see `short_cycle`; a step for each two hops where there is none of four, in the main.
    """
    slots, both = net.ports * vcs, _leads_both_ways(net)
    if not both:
        return short_cycle(bits, base, slots, 3)
    all_seen = not every and _plain(net)
    found = short_cycle(bits, base, slots, 4, FEW if all_seen else ROOTS)
    if found is not None or not all_seen:
        return found
    found = _of_four(net, vcs, bits)
    return short_cycle(bits, base, slots, 5) if found is None else found


def _leads_both_ways(net: Network) -> bool:
    """Whether from every router that a hop leads to one leads back."""
    if not net.directed:
        return True
    here, port = np.nonzero(net.neighbor >= 0)
    there = net.neighbor[here, port].astype(np.int64)
    one, two = (np.sort(a * net.routers + b) for a, b in ((here, there), (there, here)))
    return np.array_equal(_once(one), _once(two))


def _once(ascending: I64) -> I64:
    """Each number once (`numpy.unique` takes minutes for some million of these)."""
    return ascending[np.flatnonzero(np.diff(ascending, prepend=-1))]


def _plain(net: Network) -> bool:
    """Whether ports of a router lead to different ones, not to itself, and each link leads both ways."""
    here = np.arange(net.routers)[:, None]
    linked = net.neighbor >= 0
    order = np.sort(net.neighbor, axis=1)
    twice = (order[:, 1:] == order[:, :-1]) & (order[:, 1:] >= 0)
    if twice.any() or (net.neighbor == here).any():
        return False
    back = net.neighbor[np.where(linked, net.neighbor, 0), np.where(linked, net.far_port, 0)]
    return bool((back == here)[linked].all())


def _of_four(net: Network, vcs: int, bits: Array) -> I64 | None:
    """A cycle of four channels; None where there is none."""
    room, cycle = np.full((7, net.routers), -1, np.int64), np.zeros((4, 2), np.int64)
    step = max(1, PIECE // (net.ports * net.ports))
    for start in range(0, net.routers, step):
        stop = min(start + step, net.routers)
        some = partial(circle_of_four, net.neighbor, net.far_port, bits, vcs, start, stop, room, cycle)
        if interruptible(some):
            return (cycle[:, 0] * net.ports + cycle[:, 1]) * vcs
    return None
