"""A shortest cycle of dependencies from packets that a routing names, where it says which close one.

They are followed one by one, so it is a cycle of packets that there are, whatever the routing says; that none is
shorter is what `Routing.least_cycle` says. Called by `dependency`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.rows.bit_rows import unpack
from jumpnet.analysis.deadlock.rows.blank import Graph, blank, first_channels
from jumpnet.analysis.deadlock.walks.counters import counters_of
from jumpnet.analysis.deadlock.walks.one_by_one import follow_all, started
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32

__all__ = ["Named", "graph_of_named"]

MOST_HOPS = 64


class Named(NamedTuple):
    """What the packets that a routing names show."""

    graph: Graph
    """Their dependencies, among which is a cycle."""
    to: I32
    """Their destinations."""
    sources: I32
    """Where they begin."""


def graph_of_named(bound: BoundRouting) -> Named | None:
    """What the packets show that a routing names, among which is a cycle as short as any can be.

    None where it names none, or they close no such cycle. Cost: their ways, and room for the dependencies.
    """
    routing, net = bound.routing, bound.network
    if routing.closing is None or routing.least_cycle is None or bound.own or bound.vcs < bound.needed:
        return None
    packets = routing.closing(net)
    if packets is None:
        return None
    found = follow_all(bound, started(bound, packets))
    if found is None or found.choices or found.states != len(found.hops) + len(packets):  # some do not arrive
        return None
    held, wanted, packet = found.hops.T
    if np.bincount(packet, minlength=1).max() > MOST_HOPS:
        return None
    bits, used, escape = blank(bound)
    used[wanted] = 1
    held, bit = held[held >= 0], wanted[held >= 0] % (net.ports * bound.vcs)
    np.bitwise_or.at(bits, (held, bit >> 6), np.uint64(1) << (bit & 63).astype(np.uint64))
    cycle = order_or_cycle(*unpack(bits, first_channels(net, bound.vcs))).cycle
    if cycle is None or len(cycle) != routing.least_cycle(net, bound.vcs):
        return None
    sources, to = (np.unique(packets[:, side]).astype(np.int32) for side in (0, 1))
    return Named((bits, used, escape, counters_of(found.states)), to, sources)
