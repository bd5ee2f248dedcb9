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
from jumpnet.analysis.deadlock.rows.compressed_rows import holders, row_starts
from jumpnet.analysis.deadlock.walks.counters import union
from jumpnet.analysis.deadlock.walks.limits import triples
from jumpnet.analysis.deadlock.walks.packet_states import walked
from jumpnet.analysis.deadlock.walks.packet_walk import CHOICES, Job
from jumpnet.analysis.deadlock.walks.waits import is_knot_left, walked_waits
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.graph.distances import distances_from
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32, I64

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


A_FEW_SOURCES = 64
"""Sources whose packets come before all, where any cycle will do: near each other, then far apart."""
NEAR_TRIPLES = 1 << 22
"""Of packets near each other so many draws are looked at that there are at most so many triples of source, destination
and draw, each with every pattern of queues."""
FIRST = 128
"""Sources, and destinations, with the lowest numbers: all routers of some groups."""
A_FEW_DRAWS, DRAWS_AND_ROUTERS = 1 << 8, 1 << 23
"""Draws that are looked at of those far apart: the first, or where routers are few, and ways short, the second divided
by the routers."""


Follow = Callable[[I32, Job], list[Graph]]
"""The dependencies of packets of a job to some destinations, in parts."""


class Sets(Protocol):
    """What `digits.graph.GraphByDigits` has, as far as it is read here."""

    @property
    def graph(self) -> Graph:
        """Dependencies among which are all of the routing's."""

    @property
    def ends(self) -> Callable[[], bool]:
        """Whether every packet is known to end its way."""

    @property
    def bound_for(self) -> Callable[[int, int], I64] | None:
        """Some destinations of sets whose packets hold one channel and ask for another."""


class OfSome(NamedTuple):
    """What packets to some destinations show."""

    graph: Graph
    """Their dependencies, among which is a cycle."""
    to: I32
    """The destinations."""
    at_least: int | None
    """Channels that a cycle of any packets has at least, where theirs are longer; None where it is as short."""
    job: Job
    """Where they begin, and by which draws."""


class _Wanted(NamedTuple):
    """Packets that are followed, and which cycles of theirs will do."""

    job: Job
    order: I32
    """Destinations, those that come first before the others."""
    numbers: Sequence[int]
    """How many of them are tried, one number after the other."""
    least: int
    """Channels that any cycle has at least; one of so many will do."""
    longer_from: int | None = None
    """To how many destinations a cycle with more channels will do too, to none if None."""
    choices: bool = False
    """Whether packets may have some, and so must be able to wait in a knot too."""

    def will_do(self, length: int, many: int) -> bool:
        """Whether a cycle of so many channels will, of packets to so many destinations."""
        return length == self.least or (self.longer_from is not None and many >= self.longer_from)


def partial_graph(
    bound: BoundRouting, sinks: I32, follow: Follow, longer: bool = False, among: Graph | None = None
) -> OfSome | None:
    """Packets to some of `sinks` (S,), among whose dependencies is a cycle as short as any can be.

    None where there is none such after the last of DESTINATIONS, a packet has choices, or the routing says nothing of
    how short one can be. longer: any cycle will do, of packets to the first of A_FEW between routers near each other,
    from a few sources by a few draws, or else of all; with choices, where they can wait in a knot. among: dependencies
    among which are all of the routing's, so that no cycle is shorter than their shortest; it is looked for once there
    is a cycle. Cost: walks to that many destinations, and that of a shortest cycle of `among`.
    """
    job, says = job_of(bound), bound.routing.least_cycle
    least = LEAST if says is None else says(bound.network, bound.vcs)
    if longer:
        some = _of_near(bound, job, sinks), _of_few(bound, job, sinks), _of_first(job, sinks)
        every = job, _spread(sinks), A_FEW
        wanted = (_Wanted(*each, least, longer_from=each[2][0], choices=True) for each in (*some, every))
        short = (each for each in wanted if triples(bound, each.job) * each.numbers[0] <= MOST_TRIPLES * len(sinks))
        found = next(filter(None, (_with_cycle(bound, follow, each) for each in short)), None)
        return found if found is None or among is None else _bounded(bound, found, among)
    return None if says is None else _with_cycle(bound, follow, _Wanted(job, _spread(sinks), DESTINATIONS, least))


def _bounded(bound: BoundRouting, found: OfSome, among: Graph) -> OfSome:
    """The same, with what a larger graph says of how short a cycle can be.

    By shortest ways alone no packet asks for a channel back to the router that it comes from.
    """
    if found.at_least is None:
        return found
    net, vcs = bound.network, bound.vcs
    indptr, wanted = unpack(among[0], first_channels(net, vcs))
    if bound.routing.minimal and not bound.own:
        held = holders(indptr)
        on = net.neighbor.reshape(-1)[wanted // vcs] != held // (net.ports * vcs)
        indptr, wanted = row_starts(held[on], len(indptr) - 1), wanted[on]
    shortest = order_or_cycle(indptr, wanted).cycle
    theirs = order_or_cycle(*unpack(found.graph[0], first_channels(net, vcs))).cycle
    assert shortest is not None and theirs is not None, "theirs are among the others"
    return found._replace(at_least=None if len(shortest) == len(theirs) else len(shortest))


_Packets = tuple[Job, I32, Sequence[int]]
"""Where packets begin, their destinations in order, and how many of these are tried."""


def _of_near(bound: BoundRouting, job: Job, sinks: I32) -> _Packets:
    """Between routers near the first source: they go short ways, so that many draws and destinations take no time."""
    away = distances_from(bound.network, int(job.sources[0]))
    away = np.where(away < 0, bound.network.routers, away)
    sources, order = (each[np.argsort(away[each], kind="stable")] for each in (job.sources, sinks))
    sources = np.sort(sources[:A_FEW_SOURCES])
    draws = max(1, NEAR_TRIPLES // (len(sources) * A_FEW[-1] * job.queues))
    return job._replace(sources=sources, draws=min(job.draws, draws)), order, A_FEW[-1:]


def _of_few(bound: BoundRouting, job: Job, sinks: I32) -> _Packets:
    """Of a few sources, far apart, by the first draws, which often are neighbors."""
    draws = max(A_FEW_DRAWS, DRAWS_AND_ROUTERS // bound.network.routers)
    sources = np.sort(_spread(job.sources)[:A_FEW_SOURCES])
    return job._replace(sources=sources, draws=min(job.draws, draws)), _spread(sinks), A_FEW


def _of_first(job: Job, sinks: I32) -> _Packets:
    """Between the first routers, by the first draws: of networks of groups all of a few groups, and ways by these."""
    draws = max(1, NEAR_TRIPLES // (FIRST**2 * job.queues))
    return job._replace(sources=job.sources[:FIRST], draws=min(job.draws, draws)), sinks, (FIRST,)


def partial_graph_as_short(bound: BoundRouting, sinks: I32, follow: Follow, sets: Sets, minutes: bool) -> OfSome | None:
    """The same, with a cycle as short as a shortest of `sets`, which may be of sets alone.

    Packets to the routers of that cycle come first, then those to destinations of the sets that close it. minutes:
    whether following all packets takes such; then a longer cycle will do. None too where packets have choices and those
    followed cannot wait in a knot, or it is not known of all that they end their ways, as some that are not followed
    may circle. Cost: besides, that of the shortest cycle.
    """
    net = bound.network
    cycle = order_or_cycle(*unpack(sets.graph[0], first_channels(net, bound.vcs))).cycle
    if cycle is None or (sets.graph[3][CHOICES] and not sets.ends()):
        return None
    near = np.intersect1d(cycle // (net.ports * bound.vcs), sinks).astype(np.int32)
    named = np.setdiff1d(_on(cycle, sets), near).astype(np.int32)
    first, others = np.concatenate([near, named]), _spread(sinks)
    order = np.concatenate([first, others[~np.isin(others, first)]])
    numbers = len(near), len(first), *(len(first) + many for many in DESTINATIONS[:FEW])
    longer_from = numbers[2] if minutes else None
    return _with_cycle(bound, follow, _Wanted(job_of(bound), order, numbers, len(cycle), longer_from, choices=True))


def _on(cycle: I64, sets: Sets) -> I64:
    """Destinations of packets that may have the dependencies of a cycle; none where the sets name none."""
    if sets.bound_for is None:
        return np.zeros(0, np.int64)
    hops = zip(cycle.tolist(), np.roll(cycle, -1).tolist(), strict=True)
    return np.concatenate([sets.bound_for(held, wanted) for held, wanted in hops])


def _with_cycle(bound: BoundRouting, follow: Follow, wanted: _Wanted) -> OfSome | None:
    """What packets to the first few destinations show, where a cycle that will do is among their dependencies."""
    if bound.routing.bubble:
        return None
    before, at = list[Graph](), 0
    for many in wanted.numbers:
        graph, to = union([*before, *follow(wanted.order[at:many], wanted.job)]), wanted.order[:many]
        if graph[3][CHOICES] and not wanted.choices:
            return None
        cycle = order_or_cycle(*unpack(graph[0], first_channels(bound.network, bound.vcs))).cycle
        if cycle is not None and wanted.will_do(len(cycle), many) and _can_wait(bound, graph, wanted.job, to):
            return OfSome(graph, np.sort(to), None if len(cycle) == wanted.least else wanted.least, wanted.job)
        before, at = [graph], many
    return None


def _can_wait(bound: BoundRouting, graph: Graph, job: Job, to: I32) -> bool:
    """Whether packets to some destinations can wait for each other, given a cycle of their dependencies."""
    if not graph[3][CHOICES]:
        return True
    waits = walked_waits(bound, walked(bound, job, to))
    return is_knot_left(waits, first_channels(bound.network, bound.vcs), graph[1])


def _spread(sinks: I32) -> I32:
    """All of them: some at equal distances, then in an order whose first few are far apart."""
    every = np.arange(len(sinks))
    even = np.arange(EVEN) * len(sinks) // EVEN
    apart = (every * GOLDEN % 1 * len(sinks)).astype(np.int64)
    place = np.concatenate([even, apart, every])
    return sinks[place[np.sort(np.unique(place, return_index=True)[1])]]
