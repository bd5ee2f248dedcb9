"""A shortest cycle of dependencies from packets that a routing names, where it says which close one.

They are followed one by one, so it is a cycle of packets that there are, whatever the routing says; that none is
shorter is what `Routing.least_cycle` says. Called by `dependency`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.bit_rows import unpack
from jumpnet.analysis.deadlock.blank import Graph, beyond, blank
from jumpnet.analysis.deadlock.bounds._named import follow_named
from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.walks.packet_walk import COUNTERS, STATES
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import new_head, new_out
from jumpnet.terms import I32

__all__ = ["graph_of_named"]

MOST_HOPS = 64


def graph_of_named(bound: BoundRouting) -> tuple[Graph, I32] | None:
    """(dependencies, destinations) of the packets that a routing names, among which is a cycle as short as any can be.

    None where it names none, or they close no such cycle. Cost: their ways, and room for the dependencies.
    """
    routing, net = bound.routing, bound.network
    if routing.closing is None or routing.least_cycle is None or bound.own or bound.vcs < bound.needed:
        return None
    packets = routing.closing(net)
    if packets is None:
        return None
    channels, lengths = np.zeros((len(packets), MOST_HOPS), np.int64), np.zeros(len(packets), np.int64)
    room = new_head(0, 0), new_out(), np.zeros(bound.view.queues, np.int64)
    pointers = bound.pointer, bound.start_pointer, bound.view
    if not follow_named(*pointers, packets, *room, channels, lengths):
        return None
    bits, used, escape = blank(bound)
    counters, slots = np.zeros(COUNTERS, np.int64), net.ports * bound.vcs
    counters[STATES] = int(lengths.sum()) + len(packets)
    for row, many in zip(channels, lengths.tolist(), strict=True):
        way = row[:many]
        used[way] = 1
        for held, bit in zip(way[:-1].tolist(), (way[1:] % slots).tolist(), strict=True):
            bits[held, bit >> 6] |= np.uint64(1 << (bit & 63))
    cycle = order_or_cycle(*unpack(bits, beyond(bound))).cycle
    if cycle is None or len(cycle) != routing.least_cycle(net):
        return None
    return (bits, used, escape, counters), np.unique(packets[:, 1]).astype(np.int32)
