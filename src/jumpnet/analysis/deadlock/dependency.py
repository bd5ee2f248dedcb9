"""The channel dependency graph of a routing on a network: which channel a packet may hold while it asks for which.

Source: Dally and Seitz 1987; Dally and Towles chapter 14. Over (router, port, vc), from reachable states only: every
source, destination, draw of the start hook and candidate is followed. Called by `prove`; user-facing too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from jumpnet._public import public
from jumpnet.analysis.deadlock.blank import Graph
from jumpnet.analysis.deadlock.bounds.among import SMALL, hold_all, in_place
from jumpnet.analysis.deadlock.bounds.named import graph_of_named
from jumpnet.analysis.deadlock.bounds.partial_graph import partial_graph
from jumpnet.analysis.deadlock.covers.graph import covered
from jumpnet.analysis.deadlock.digits.graph import Found, dependencies_by_digits
from jumpnet.analysis.deadlock.dimensions.graph import dependencies_by_dimension
from jumpnet.analysis.deadlock.dimensions.translation import dependencies_by_translation, wide
from jumpnet.analysis.deadlock.graph import Dependencies, How
from jumpnet.analysis.deadlock.inequalities.kinds import kinds_of_packets
from jumpnet.analysis.deadlock.orbits.equivariant import equivariant_labels, place_everywhere, seen_outlooks
from jumpnet.analysis.deadlock.orbits.graph import dependencies_by_orbit
from jumpnet.analysis.deadlock.pieces import WHOLE_BYTES, bits_bytes, no_rows, too_large
from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.relabelling.graph import dependencies_by_relabelling
from jumpnet.analysis.deadlock.shortest.all_ways import dependencies_of_all_ways
from jumpnet.analysis.deadlock.shortest.circles import shortest_of_two_hops
from jumpnet.analysis.deadlock.shortest.graph import (
    Legal,
    dependencies_by_shortest_ways,
    dependencies_of_neighbors,
    legal_ways,
)
from jumpnet.analysis.deadlock.shortest.two_hops import dependencies_of_two_hops
from jumpnet.analysis.deadlock.walks.checkpoint import ProofCheckpoint, union
from jumpnet.analysis.deadlock.walks.limits import no_room, refuse_if_too_long, threads_with_room, triples
from jumpnet.analysis.deadlock.walks.packet_walk import ADAPTIVE, CHOICES, ESCAPES, STATES, Job
from jumpnet.analysis.deadlock.walks.shared import SharedWalks
from jumpnet.analysis.deadlock.walks.walkers import failed, job_of, job_read_of
from jumpnet.process.threads import processors, share
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32

__all__ = ["dependencies"]

DIGITS_ROUTERS = 2048
"""Routers from which on sets of destinations take less time than walks, or not much more."""
GRID_ROUTERS = 1024
"""Routers from which on grids are not walked; below, a walk is no slower."""
ORBITS_ROUTERS = 1024
"""Routers from which on packets of routings that choose are followed from one router of each orbit, where they may."""
SHORTEST_ROUTERS = 1024
"""Routers from which on routings by shortest ways are proved without their table, where they say which these are."""
MANY_WALKS = 1 << 24
"""So many triples are followed before a routing by some ways in two phases is proved by all of them (seconds)."""

MOST_WAYS_BYTES = 1 << 28
"""Bytes of rows up to which those of all ways are held, for words and certificates."""

LONG_WALKS = 1 << 30
"""From so many triples on packets to some destinations come first, where they may show a shortest cycle (minutes)."""


def _in_two_phases(bound: BoundRouting, job: Job, beyond: bool) -> bool:
    """Whether the phases of a routing may be followed separately: declared so, and packets enter and leave everywhere.

    Where it takes only some of the ways, they are with `beyond`, on networks with many walks.
    """
    net, said = bound.network, bound.two_phases(triples(bound, job))
    if said == "some":
        said = beyond and triples(bound, job) > MANY_WALKS
    everywhere = bool((net.terminals > 0).all() and (net.sinks > 0).all())
    return bool(said) and everywhere and not (job.by_channel or job.by_source)


@public
def dependencies(
    bound: BoundRouting,
    threads: int | None = None,
    apart: bool = True,
    progress: Progress = silent,
    beyond: bool = False,
    checkpoint: ProofCheckpoint | None = None,
) -> Dependencies:
    """The channel dependency graph, over all packets that the routing can produce.

    Raises JumpnetError when a packet is not delivered (the pair and its path are named) or the job is too big.
    Cost: one relation call per reachable (destination, place, state), 0.03 microseconds each (0.3 where STATE takes
    many values), over `threads` threads (default: all processors); the result does not depend on their number. A
    routing with an `outlook` is followed from one source per orbit instead, one in two phases phase by phase, and on
    large grids no walk is needed (see `Dependencies.by`), unless `apart` is False.
    `progress(done, total)` is called now and then, from any thread. `beyond`: on large networks a routing that takes
    some of the ways in two phases (UGAL, ROMM) may be given the dependencies of all of them, one that names another
    (`Routing.among`) those of that one, and one that can deadlock those of packets to some destinations; `whole` says
    so.
    `checkpoint`: where walks are kept, and gone on with after a kill; the result is the same.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> dependencies(bind("torus.dateline", build("torus:4x4"))).channels
    72
    """
    net, job = bound.network, job_of(bound)
    workers = processors(net.routers // 64, threads)
    phased = apart and _in_two_phases(bound, job, beyond)
    apart = apart and (phased or not job.home)  # the other ways leave out packets to their own routers
    alike = _once_for_all(bound, job, phased) if apart and wide(bound) else None
    if alike is not None:
        return alike
    sinks = np.flatnonzero(net.sinks > 0).astype(np.int32)
    legal = legal_ways(bound, job) if apart and net.routers >= SHORTEST_ROUTERS else None
    local = _of_two_hops(bound, legal, workers)
    if local is not None:
        return local
    ordered = _ordered(bound, job, legal, sinks, workers) if apart and beyond else None
    if ordered is not None:
        return ordered
    workers = threads_with_room(bound, workers)
    walks = SharedWalks(bound, job, sinks, workers, progress)
    if apart:
        found = _without_walks(walks, phased, legal)
        if found is None:
            found = _without_all_walks(walks, beyond, threads)
        if found is not None:
            return found
    whole = _by_walks(walks, phased, apart, checkpoint)
    if bound.own and apart and _many(bound) <= SMALL:
        hold_all(bound, whole, _followed)
    return whole


def _once_for_all(bound: BoundRouting, job: Job, phased: bool) -> Dependencies | None:
    """The routing's own graph where it is large and the same at every router, so that it is kept once."""
    graph = dependencies_of_neighbors(bound, job)  # first, as it needs no table of the routing's
    if graph is not None:
        return replace(_made(bound, graph, False, "shortest"), ends=_known_to_end)
    if bound.routing.shortest is not None and not bound.own:  # it reads a table, which may be too big
        return None
    graph = dependencies_by_translation(bound, job, phased)
    return None if graph is None else _made(bound, graph, phased, "translation")


def _of_two_hops(bound: BoundRouting, legal: Legal | None, workers: int) -> Dependencies | None:
    """The routing's own graph, from packets with two hops to go; None where it takes more than these."""
    graph = None if legal is None else dependencies_of_two_hops(bound, legal, workers)
    if graph is None or legal is None:
        return None
    made = _made(bound, graph, False, "hops")
    short = partial(shortest_of_two_hops, bound.network, bound.vcs, legal.every, graph[0], made.base)
    return replace(made, ends=_known_to_end, short=short)


def _ordered(bound: BoundRouting, job: Job, legal: Legal | None, sinks: I32, workers: int) -> Dependencies | None:
    """A graph with numbers, of all ways, or made piece by piece; None where the routing's own is held and looked at."""
    ways = dependencies_of_all_ways(bound, job, legal, sinks, workers)
    if ways is not None:
        pieces = ways.pieces if bits_bytes(bound) > MOST_WAYS_BYTES else None
        bits = no_rows(bound) if pieces is not None else np.concatenate(list(ways.pieces.each()))
        made = _made(bound, (bits, ways.used, np.zeros_like(ways.used), ways.counters), False, "ways")
        return replace(made, whole=False, ends=_known_to_end, number=ways.number, pieces=pieces)
    if not too_large(bound) or bound.network.routers < DIGITS_ROUTERS:
        return None
    found = dependencies_by_digits(bound, job, apart=True)
    return None if found is None else replace(_of_sets(bound, found), pieces=found.pieces)


def _without_walks(walks: SharedWalks, phased: bool, legal: Legal | None) -> Dependencies | None:
    """The routing's own graph, where its network is large and one of the quick ways serves."""
    bound, job, routers = walks.bound, walks.job, walks.bound.network.routers
    graph = dependencies_by_shortest_ways(bound, job, legal, walks.sinks, walks.workers, walks.progress)
    if graph is not None:
        return replace(_made(bound, graph, False, "shortest"), ends=_known_to_end)
    if routers >= GRID_ROUTERS:
        graph = dependencies_by_dimension(bound, job, phased)
        if graph is not None:
            return _made(bound, graph, phased, "dimensions")
        graph = dependencies_by_translation(bound, job)
        if graph is not None:
            return _made(bound, graph, False, "translation")
    if routers >= DIGITS_ROUTERS:
        graph = dependencies_by_relabelling(bound, job)
        if graph is not None:
            return replace(_made(bound, graph, False, "relabelling"), ends=_known_to_end)
    if routers >= ORBITS_ROUTERS:
        there = dependencies_by_orbit(bound, job, walks.workers)
        if there is not None:
            return replace(_made(bound, there.graph, False, "orbits"), ends=_known_to_end, moved=there.moved)
    return None


def _without_all_walks(walks: SharedWalks, beyond: bool, threads: int | None) -> Dependencies | None:
    """A graph that may be less or more than the routing's and says so: of some packets, sets, or another routing."""
    bound, job = walks.bound, walks.job
    kinds = kinds_of_packets(bound, job) if beyond else None
    if kinds is not None:
        made = _made(bound, kinds.graph, False, "kinds")
        return replace(made, whole=False, kinds=kinds, ends=lambda: kinds.arrive)
    cover = covered(bound, job) if beyond and bound.network.routers >= GRID_ROUTERS else None
    if cover is not None:
        made = _made(bound, cover.graph, False, "covers")
        return replace(made, whole=False, cover=cover, ends=lambda: cover.arrive)
    if beyond and triples(bound, job) >= LONG_WALKS:
        named = graph_of_named(bound)
        if named is not None:
            return replace(_made(bound, named[0], False), whole=False, to=named[1], ends=_known_to_end)
        plain = bound.routing.closing is None
        some = partial_graph(bound, walks.sinks, walks.to_some) if plain else None
        if some is not None:
            return replace(_made(bound, some[0], False), whole=False, to=some[1])
    if bound.network.routers >= DIGITS_ROUTERS and equivariant_labels(bound) is None:
        found = dependencies_by_digits(bound, job)
        if found is not None and (beyond or found.exact):
            return _of_sets(bound, found)
    return _wider(bound, threads, walks.progress) if beyond else None


def _by_walks(walks: SharedWalks, phased: bool, apart: bool, checkpoint: ProofCheckpoint | None) -> Dependencies:
    """The graph from following packets, from one source of each orbit or phase by phase where that is possible."""
    bound, job, workers = walks.bound, walks.job, walks.workers
    work: Callable[[int], Graph] = walks.part
    label = equivariant_labels(bound) if apart else None
    if label is not None:
        seen, states = seen_outlooks(bound, job, label, walks.sinks, partial(failed, bound), walks.progress, workers)
        work = place_everywhere(bound, label, seen, states, workers)
    if phased and checkpoint is not None:
        walks.keep_phases(checkpoint)
    tried = share(walks.phases, range(workers), workers) if phased else []
    made = [graph for graph in tried if graph is not None]
    phased = len(made) == workers
    if not phased:
        refuse_if_too_long(bound, job, label is None)
        walks.done, walks.kept = 0, None
        if checkpoint is not None and label is None:
            walks.keep_walks(checkpoint)
        made = share(work, range(workers), workers)
    made += [walks.kept.graph] if walks.kept is not None else []
    return _made(bound, union(made), phased)


def _wider(bound: BoundRouting, threads: int | None, progress: Progress) -> Dependencies | None:
    """Those of a routing that this one names, among which are all of its own, where it has many walks."""
    if _many(bound) <= MANY_WALKS:
        return None

    def prove(other: BoundRouting) -> Dependencies:
        made = dependencies(other, threads, progress=progress, beyond=True)
        if made.pieces is not None:  # packets are held against rows
            raise no_room(other, WHOLE_BYTES)
        return made

    found = in_place(bound, prove, _followed, _many)
    return found and replace(found[0], bound=bound, whole=False, among=found[1], ends=None, moved=None)


def _followed(bound: BoundRouting) -> Dependencies:
    """Those of all packets, one after the other."""
    return dependencies(bound, 1, apart=False)


def _many(bound: BoundRouting) -> int:
    return triples(bound, job_read_of(bound))


def _made(bound: BoundRouting, graph: Graph, phased: bool, by: How = "walks") -> Dependencies:
    bits, used, escape, count = graph
    adaptive, choices, escapes = (bool(count[flag]) for flag in (ADAPTIVE, CHOICES, ESCAPES))
    whole = not (phased and bound.routing.two_phases == "some")
    return Dependencies(bound, bits, used, escape, adaptive, choices, escapes, int(count[STATES]), phased, whole, by)


def _known_to_end() -> bool:
    """Whether packets terminate: `relabelling` takes trees of ways to go, `orbits` and `ways` states that have an
    order, `shortest` ways get shorter, of two `hops` too, and those that a routing names were followed to the end."""
    return True


def _of_sets(bound: BoundRouting, found: Found) -> Dependencies:
    made = _made(bound, found.graph, False, "digits")
    return replace(made, whole=found.exact, ends=found.ends, number=found.number)
