"""A shortest cycle of dependencies from packets to a few destinations, where a routing has a lower bound on lengths.

Without choices a cycle of some packets is a deadlock, whatever the others do; with choices, where some of them can wait
in a knot. It is a shortest one of all packets where no cycle can be shorter: two channels always, the routing's
`least_cycle`, or the shortest among sets that hold all packets. Where only a longer one is found, and all packets would
be followed for minutes, that one is taken and said to be such. Called by `dependency`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.rows.bit_rows import unpack
from jumpnet.analysis.deadlock.rows.blank import Graph, first_channels
from jumpnet.analysis.deadlock.walks.counters import union
from jumpnet.analysis.deadlock.walks.limits import triples
from jumpnet.analysis.deadlock.walks.packet_states import walked
from jumpnet.analysis.deadlock.walks.packet_walk import CHOICES
from jumpnet.analysis.deadlock.walks.waits import is_knot_left, walked_waits
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32

__all__ = ["OfSome", "partial_graph", "partial_graph_as_short"]

EVEN = 16
"""Destinations at equal distances that come first."""
DESTINATIONS = (EVEN, 64 + EVEN, 256 + EVEN, 1024 + EVEN)
"""So many are tried, one number after the other."""
FEW = 2
"""Numbers of destinations that are tried where sets say how short a cycle can be: it may be of sets alone."""
A_FEW = (4, EVEN)
"""Numbers that are tried where any cycle will do."""
MOST_TRIPLES = 1 << 30
"""Triples of source, destination and draw up to which any cycle of packets to the first few is looked for (minutes)."""
LEAST = 2
"""Channels of the shortest cycle that there can be at all."""
GOLDEN = 0.6180339887498949
"""Multiples of this part of all destinations are well spread, however many there are (golden ratio)."""


Follow = Callable[[I32], list[Graph]]
"""The dependencies of packets to some destinations, in parts."""


class Sets(Protocol):
    """What `digits.graph.GraphByDigits` has, as far as it is read here."""

    @property
    def graph(self) -> Graph:
        """Dependencies among which are all of the routing's."""

    @property
    def ends(self) -> Callable[[], bool]:
        """Whether every packet is known to end its way."""


class OfSome(NamedTuple):
    """What packets to some destinations show."""

    graph: Graph
    """Their dependencies, among which is a cycle."""
    to: I32
    """The destinations."""
    at_least: int | None = None
    """Channels that a cycle of any packets has at least, where theirs are longer; None where it is as short."""


def partial_graph(bound: BoundRouting, sinks: I32, follow: Follow, longer: bool = False) -> OfSome | None:
    """Packets to some of `sinks` (S,), among whose dependencies is a cycle as short as any can be.

    None where there is none such after the last of DESTINATIONS, a packet has choices, or the routing says nothing of
    how short one can be. longer: any cycle will do, of packets to the first of A_FEW. Cost: walks to that many
    destinations.
    """
    if longer:
        if triples(bound, job_of(bound)) * A_FEW[0] > MOST_TRIPLES * len(sinks):
            return None
        return _with_cycle(bound, _spread(sinks), A_FEW, follow, LEAST, longer_from=A_FEW[0])
    least = bound.routing.least_cycle
    return None if least is None else _with_cycle(bound, _spread(sinks), DESTINATIONS, follow, least(bound.network))


def partial_graph_as_short(bound: BoundRouting, sinks: I32, follow: Follow, sets: Sets, minutes: bool) -> OfSome | None:
    """The same, with a cycle as short as a shortest of `sets`, which may be of sets alone.

    Packets to the routers of that cycle come first. minutes: whether following all packets takes such; then a longer
    cycle will do. None too where packets have choices and those followed cannot wait in a knot, or it is not known of
    all that they end their ways, as some that are not followed may circle. Cost: besides, that of the shortest cycle.
    """
    net = bound.network
    cycle = order_or_cycle(*unpack(sets.graph[0], first_channels(net, bound.vcs))).cycle
    if cycle is None or (sets.graph[3][CHOICES] and not sets.ends()):
        return None
    near = np.intersect1d(cycle // (net.ports * bound.vcs), sinks).astype(np.int32)
    others = _spread(sinks)
    order = np.concatenate([near, others[~np.isin(others, near)]])
    numbers = len(near), *(len(near) + many for many in DESTINATIONS[:FEW])
    return _with_cycle(bound, order, numbers, follow, len(cycle), True, numbers[1] if minutes else None)


def _with_cycle(
    bound: BoundRouting,
    order: I32,
    numbers: Sequence[int],
    follow: Follow,
    least: int,
    choices: bool = False,
    longer_from: int | None = None,
) -> OfSome | None:
    """What packets to the first of `order` show, where a cycle of `least` channels is among their dependencies.

    choices: whether they may have some, and so must be able to wait in a knot too. longer_from: of packets to how many
    destinations a cycle with more channels will do, of none where it is None.
    """
    if bound.routing.bubble:
        return None
    total, at = None, 0
    for many in numbers:
        total = union([*([] if total is None else [total]), *follow(order[at:many])])
        if total[3][CHOICES] and not choices:
            return None
        cycle = order_or_cycle(*unpack(total[0], first_channels(bound.network, bound.vcs))).cycle
        at, short = many, cycle is not None and len(cycle) == least
        enough = short or (cycle is not None and longer_from is not None and many >= longer_from)
        if enough and _can_wait(bound, total, order[:many]):
            return OfSome(total, np.sort(order[:many]), None if short else least)
    return None


def _can_wait(bound: BoundRouting, graph: Graph, to: I32) -> bool:
    """Whether packets to some destinations can wait for each other, given a cycle of their dependencies."""
    if not graph[3][CHOICES]:
        return True
    waits = walked_waits(bound, walked(bound, job_of(bound), to))
    return is_knot_left(waits, first_channels(bound.network, bound.vcs), graph[1])


def _spread(sinks: I32) -> I32:
    """All of them: some at equal distances, then in an order whose first few are far apart."""
    every = np.arange(len(sinks))
    even = np.arange(EVEN) * len(sinks) // EVEN
    apart = (every * GOLDEN % 1 * len(sinks)).astype(np.int64)
    place = np.concatenate([even, apart, every])
    return sinks[place[np.sort(np.unique(place, return_index=True)[1])]]
