"""A shortest cycle of dependencies from packets to a few destinations, where a routing has a lower bound on lengths.

Without choices a cycle of some packets is a deadlock, whatever the others do. It is a shortest one of all packets where
no cycle can be shorter: two channels always, or the routing's `least_cycle`. Called by `dependency`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.rows.bit_rows import unpack
from jumpnet.analysis.deadlock.rows.blank import Graph, first_channels
from jumpnet.analysis.deadlock.walks.counters import union
from jumpnet.analysis.deadlock.walks.packet_walk import CHOICES
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32

__all__ = ["partial_graph"]

EVEN = 16
"""Destinations at equal distances that come first."""
DESTINATIONS = (EVEN, 64 + EVEN, 256 + EVEN, 1024 + EVEN)
"""So many are tried, one number after the other."""
GOLDEN = 0.6180339887498949
"""Multiples of this part of all destinations are well spread, however many there are (golden ratio)."""


def partial_graph(bound: BoundRouting, sinks: I32, follow: Callable[[I32], list[Graph]]) -> tuple[Graph, I32] | None:
    """(dependencies, destinations) of packets to some of `sinks` (S,), among which is a cycle as short as any can be.

    None where there is none such after the last of DESTINATIONS, or a packet has choices. `follow`: the dependencies of
    packets to some, in parts. Cost: walks to that many destinations.
    """
    least = bound.routing.least_cycle
    if least is None or bound.routing.bubble:
        return None
    order = _spread(sinks)
    total, at = None, 0
    for many in DESTINATIONS:
        total = union([*([] if total is None else [total]), *follow(order[at:many])])
        if total[3][CHOICES]:
            return None
        cycle = order_or_cycle(*unpack(total[0], first_channels(bound.network, bound.vcs))).cycle
        if cycle is not None and len(cycle) == least(bound.network):
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
