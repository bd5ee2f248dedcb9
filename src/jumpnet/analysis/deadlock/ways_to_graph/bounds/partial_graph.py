"""A shortest cycle of dependencies from packets to a few destinations, where a routing has a lower bound on lengths.

Without choices a cycle of some packets is a deadlock, whatever the others do. It is a shortest one of all packets where
no cycle can be shorter: two channels always, the routing's `least_cycle`, or the shortest among sets that hold all
packets. Called by `dependency`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.rows.bit_rows import unpack
from jumpnet.analysis.deadlock.rows.blank import Graph, first_channels
from jumpnet.analysis.deadlock.walks.counters import union
from jumpnet.analysis.deadlock.walks.packet_walk import CHOICES
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32

__all__ = ["partial_graph", "partial_graph_as_short"]

EVEN = 16
"""Destinations at equal distances that come first."""
DESTINATIONS = (EVEN, 64 + EVEN, 256 + EVEN, 1024 + EVEN)
"""So many are tried, one number after the other."""
FEW = 2
"""Numbers of destinations that are tried where sets say how short a cycle can be: it may be of sets alone."""
GOLDEN = 0.6180339887498949
"""Multiples of this part of all destinations are well spread, however many there are (golden ratio)."""


Follow = Callable[[I32], list[Graph]]
"""The dependencies of packets to some destinations, in parts."""


def partial_graph(bound: BoundRouting, sinks: I32, follow: Follow) -> tuple[Graph, I32] | None:
    """(dependencies, destinations) of packets to some of `sinks` (S,), among which is a cycle as short as any can be.

    None where there is none such after the last of DESTINATIONS, a packet has choices, or the routing says nothing of
    how short one can be. Cost: walks to that many destinations.
    """
    least = bound.routing.least_cycle
    return None if least is None else _with_cycle(bound, _spread(sinks), DESTINATIONS, follow, least(bound.network))


def partial_graph_as_short(bound: BoundRouting, sinks: I32, follow: Follow, sets: Graph) -> tuple[Graph, I32] | None:
    """The same, with a cycle as short as a shortest of `sets`, dependencies among which are all of the routing's.

    Packets to the routers of that cycle come first. None too where a packet may have choices, or the cycle may be of
    sets alone. Cost: besides, that of the shortest cycle.
    """
    net = bound.network
    cycle = order_or_cycle(*unpack(sets[0], first_channels(net, bound.vcs))).cycle
    if cycle is None or sets[3][CHOICES]:
        return None
    near = np.intersect1d(cycle // (net.ports * bound.vcs), sinks).astype(np.int32)
    others = _spread(sinks)
    order = np.concatenate([near, others[~np.isin(others, near)]])
    return _with_cycle(
        bound, order, (len(near), *(len(near) + many for many in DESTINATIONS[:FEW])), follow, len(cycle)
    )


def _with_cycle(
    bound: BoundRouting, order: I32, numbers: Sequence[int], follow: Follow, least: int
) -> tuple[Graph, I32] | None:
    """What packets to the first of `order` show, where a cycle of `least` channels is among their dependencies."""
    if bound.routing.bubble:
        return None
    total, at = None, 0
    for many in numbers:
        total = union([*([] if total is None else [total]), *follow(order[at:many])])
        if total[3][CHOICES]:
            return None
        cycle = order_or_cycle(*unpack(total[0], first_channels(bound.network, bound.vcs))).cycle
        if cycle is not None and len(cycle) == least:
            return total, np.sort(order[:many])
        at = many
    return None


def _spread(sinks: I32) -> I32:
    """All of them: some at equal distances, then in an order whose first few are far apart."""
    every = np.arange(len(sinks))
    even = np.arange(EVEN) * len(sinks) // EVEN
    apart = (every * GOLDEN % 1 * len(sinks)).astype(np.int64)
    place = np.concatenate([even, apart, every])
    return sinks[place[np.sort(np.unique(place, return_index=True)[1])]]
