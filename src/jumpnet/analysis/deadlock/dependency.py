"""The channel dependency graph of a routing on a network: which channel a packet may hold while it asks for which.

Source: Dally and Seitz 1987; Dally and Towles chapter 14. Over (router, port, vc), from reachable states only: every
source, destination, draw of the start hook and candidate is followed. Called by `prove`; user-facing too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal

import numpy as np

from jumpnet._public import public
from jumpnet.analysis.deadlock._dependency import count_edges, unpack
from jumpnet.analysis.deadlock.among import SMALL, hold_all, in_place
from jumpnet.analysis.deadlock.checkpoint import KeptWalks, ProofCheckpoint, union
from jumpnet.analysis.deadlock.digits.graph import Found, dependencies_by_digits
from jumpnet.analysis.deadlock.dimensions.graph import dependencies_by_dimension
from jumpnet.analysis.deadlock.dimensions.translation import dependencies_by_translation, wide
from jumpnet.analysis.deadlock.inequalities.kinds import Kinds, kinds_of_packets
from jumpnet.analysis.deadlock.limits import refuse_if_too_long, require_rows, threads_with_room, triples
from jumpnet.analysis.deadlock.named import graph_of_named
from jumpnet.analysis.deadlock.orbits.graph import dependencies_by_orbit
from jumpnet.analysis.deadlock.orbits.states import StatesByOrbit
from jumpnet.analysis.deadlock.packet_walk import ADAPTIVE, CHOICES, ESCAPES, FULL, STATES, Job, parts
from jumpnet.analysis.deadlock.partial_graph import partial_graph
from jumpnet.analysis.deadlock.relabelling.graph import dependencies_by_relabelling
from jumpnet.analysis.deadlock.search import CHUNK
from jumpnet.analysis.deadlock.shortest import dependencies_by_shortest_ways, dependencies_of_neighbors
from jumpnet.analysis.deadlock.uniform import (
    Graph,
    Progress,
    blank,
    place_everywhere,
    seen_outlooks,
    silent,
    uniform_labels,
)
from jumpnet.analysis.deadlock.uniform import beyond as first_channels
from jumpnet.analysis.deadlock.walks import failed, first_walks, job_of, phase_walks
from jumpnet.process.threads import processors, share
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32, I64, Array

__all__ = ["FOLLOWED", "Dependencies", "How", "dependencies"]

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

LONG_WALKS = 1 << 30
"""From so many triples on packets to some destinations come first, where they may show a shortest cycle (minutes)."""

How = Literal["walks", "dimensions", "translation", "digits", "relabelling", "orbits", "shortest", "kinds"]
"""Packets followed to every destination; all pairs of routers, dimension by dimension; one destination for all; sets of
destinations at every router, digit by digit; all pairs of permutations that differ alike at once; packets that choose
followed from one router of each orbit; shortest ways to sets of destinations; kinds told apart by inequalities."""
FOLLOWED: dict[How, str] = {
    "walks": "followed",
    "dimensions": "looked at, dimension by dimension",
    "translation": "looked at, by those to one router",
    "digits": "looked at, by sets of destinations",
    "relabelling": "looked at, whatever the symbols are called",
    "orbits": "followed, from one router of each orbit",
    "shortest": "looked at, by the shortest ways to sets of destinations",
    "kinds": "looked at, each for all of a kind that inequalities tell apart",
}
"""What was done with the states of packets, in words."""


@dataclass(frozen=True, eq=False)
class Dependencies:
    """A channel dependency graph. Channel number (router * P + port) * V + vc; C = R * P * V of them."""

    bound: BoundRouting
    bits: Array
    """(C, W) uint64: bit port * V + vc of row c is set when a packet on c may wait for that channel of the next
    router. Of large networks that look alike from every router (P * V, W), the rows of router 0 for all (`alike`)."""
    used: Array
    """(C,) uint8: 1 when some packet may take the channel."""
    escape: Array
    """(C,) uint8: 1 when some packet may take it as an ESCAPE candidate."""
    adaptive: bool
    """Whether some packet may choose between ports."""
    choices: bool
    """Whether some packet may choose at all, between ports or virtual channels."""
    has_escape: bool
    """Whether the relation marks candidates ESCAPE."""
    states: int
    """Number of (destination, packet state) pairs followed."""
    phased: bool = False
    """Whether the two phases were followed apart; no packet comes back to a state it was in then."""
    whole: bool = True
    """False when these are at least the routing's: those of all ways in two phases, of which it takes some, or those of
    sets of packets among which are all that there are; and where there is `to`, `among` or `kinds`."""
    by: How = "walks"
    """Whether packets were followed, to every destination, or all pairs of routers gone through dimension by dimension
    (`analysis.deadlock.dimensions`), or one destination stands for all (its `translation`), or sets of destinations
    (`analysis.deadlock.digits`), or all pairs of permutations that differ alike (`analysis.deadlock.relabelling`), or
    packets from one router of each orbit (`analysis.deadlock.orbits`), or all by shortest ways
    (`analysis.deadlock.shortest`), or kinds of packets (`analysis.deadlock.inequalities.kinds`)."""
    ends: Callable[[], bool] | None = None
    """Whether every packet is known to end its way, whatever it chooses; None where packets have to be followed."""
    number: I64 | None = None
    """(C,) by which every dependency ascends, where that was looked for already."""
    moved: StatesByOrbit | None = None
    """States of packets from one router of each orbit, where these were followed."""
    kinds: Kinds | None = None
    """The kinds of packets, where these were looked at."""
    to: I32 | None = None
    """Destinations to which packets were followed, where these are some: there is a cycle as short as any can be."""
    among: str | None = None
    """The routing whose dependencies these are, among which are all of this one's (`Routing.among`), and what that was
    held against; None where they are this one's."""

    @cached_property
    def base(self) -> I64:
        """(C,) the first channel of the router that each channel leads to."""
        return first_channels(self.bound)

    @property
    def alike(self) -> bool:
        """Whether `bits` has the rows of one router, which are those of all."""
        return len(self.bits) < len(self.used)

    @property
    def shared_by(self) -> int:
        """Routers that each row of `bits` is of."""
        return len(self.used) // max(1, len(self.bits))

    @property
    def row_base(self) -> I64:
        """(len(bits),) the first row of `bits` that is of the router which each leads to."""
        return np.zeros(len(self.bits), np.int64) if self.alike else self.base

    @cached_property
    def rows(self) -> tuple[I64, I64]:
        """(indptr, indices): channel c waits for indices[indptr[c]:indptr[c + 1]]; JumpnetError if they do not fit."""
        require_rows(self.bound, self.bits.nbytes * (self.shared_by - 1), self.count)
        bits = np.tile(self.bits, (self.bound.network.routers, 1)) if self.alike else self.bits
        return unpack(bits, self.base)

    @property
    def channels(self) -> int:
        """Number of (channel, vc) that some packet may take."""
        return int(self.used.sum())

    @property
    def count(self) -> int:
        """Number of dependencies."""
        return self._count

    @cached_property
    def _count(self) -> int:
        return int(count_edges(self.bits)) * self.shared_by


def _in_two_phases(bound: BoundRouting, job: Job, beyond: bool) -> bool:
    """Whether the phases of a routing may be followed separately: declared so, and packets enter and leave everywhere.

    Where it takes only some of the ways, they are with `beyond`, on networks with many walks.
    """
    net, said = bound.network, bound.two_phases(triples(bound, job))
    if said == "some":
        said = beyond and triples(bound, job) > MANY_WALKS
    everywhere = bool((net.terminals > 0).all() and (net.sinks > 0).all())
    return bool(said) and everywhere and not (job.by_channel or job.by_source)


@dataclass
class _Walks:
    """The walks of one proof, shared out among threads by their numbers."""

    bound: BoundRouting
    job: Job
    sinks: I32
    workers: int
    progress: Progress
    done: int = 0
    """Walks, or phases, that have ended in any thread."""
    kept: KeptWalks | None = None
    """Where a long proof is kept."""

    def _tell(self, more: int, whole: int) -> None:
        self.done += more
        self.progress(self.done, whole)

    def phases(self, worker: int) -> Graph | None:
        """As `part`, for routings in two phases; None where packets fail, which `part` then explains."""
        bits, used, escape = blank(self.bound)
        routers, follower = self.bound.network.routers, phase_walks(self.bound, self.job, self.sinks)
        for first in range(worker * CHUNK, routers, self.workers * CHUNK):
            at, stop = first, min(first + CHUNK, routers)
            if self.kept is not None and self.kept.is_done(first // CHUNK):
                at = stop
            while at < stop:
                at = follower.explore_phases(at, stop, bits, used, escape)
                if at < stop and not follower.space.counters[FULL]:
                    return None
                if at < stop:
                    follower = follower.roomier()
            self._tell(stop - first, routers)
            if self.kept is not None:
                self.kept.add(worker, first // CHUNK, (bits, used, escape, follower.space.counters))
        return bits, used, escape, follower.space.counters

    def part(self, worker: int) -> Graph:
        """The dependencies of every `workers`-th chunk of walks."""
        bits, used, escape = blank(self.bound)
        walks, follower = parts(self.job, self.sinks), first_walks(self.bound, self.job, self.sinks)
        for first in range(worker * CHUNK, walks, self.workers * CHUNK):
            at, stop = first, min(first + CHUNK, walks)
            if self.kept is not None and self.kept.is_done(first // CHUNK):
                at = stop
            while at < stop:
                at = follower.explore(at, stop, bits, used, escape)
                if at < stop:
                    follower = follower.wider(at)
            self._tell(stop - first, walks)
            if self.kept is not None:
                self.kept.add(worker, first // CHUNK, (bits, used, escape, follower.space.counters))
        return bits, used, escape, follower.space.counters

    def to_some(self, sinks: I32) -> list[Graph]:
        """The dependencies of packets to some destinations."""
        return share(replace(self, sinks=sinks, done=0).part, range(self.workers), self.workers)


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
    alike = _once_for_all(bound, job, phased) if apart and wide(bound) else None
    if alike is not None:
        return alike
    workers = threads_with_room(bound, workers)
    sinks = np.flatnonzero(net.sinks > 0).astype(np.int32)
    walks = _Walks(bound, job, sinks, workers, progress)
    if apart:
        found = _without_walks(walks, phased)
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
    graph = dependencies_by_translation(bound, job, phased)
    return None if graph is None else _made(bound, graph, phased, "translation")


def _without_walks(walks: _Walks, phased: bool) -> Dependencies | None:
    """The routing's own graph, where its network is large and one of the quick ways serves."""
    bound, job, routers = walks.bound, walks.job, walks.bound.network.routers
    if routers >= SHORTEST_ROUTERS:
        graph = dependencies_by_shortest_ways(bound, job, walks.sinks, walks.workers, walks.progress)
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


def _without_all_walks(walks: _Walks, beyond: bool, threads: int | None) -> Dependencies | None:
    """A graph that may be less or more than the routing's and says so: of some packets, sets, or another routing."""
    bound, job = walks.bound, walks.job
    kinds = kinds_of_packets(bound, job) if beyond else None
    if kinds is not None:
        made = _made(bound, kinds.graph, False, "kinds")
        return replace(made, whole=False, kinds=kinds, ends=lambda: kinds.arrive)
    if beyond and triples(bound, job) >= LONG_WALKS:
        named = graph_of_named(bound)
        if named is not None:
            return replace(_made(bound, named[0], False), whole=False, to=named[1], ends=_known_to_end)
        plain = bound.routing.closing is None
        some = partial_graph(bound, walks.sinks, walks.to_some) if plain else None
        if some is not None:
            return replace(_made(bound, some[0], False), whole=False, to=some[1])
    if bound.network.routers >= DIGITS_ROUTERS and uniform_labels(bound) is None:
        found = dependencies_by_digits(bound, job)
        if found is not None and (beyond or found.exact):
            return _of_sets(bound, found)
    return _wider(bound, threads, walks.progress) if beyond else None


def _by_walks(walks: _Walks, phased: bool, apart: bool, checkpoint: ProofCheckpoint | None) -> Dependencies:
    """The graph from following packets, from one source of each orbit or phase by phase where that is possible."""
    bound, job, workers = walks.bound, walks.job, walks.workers
    work: Callable[[int], Graph] = walks.part
    label = uniform_labels(bound) if apart else None
    if label is not None:
        seen, states = seen_outlooks(bound, job, label, walks.sinks, partial(failed, bound), walks.progress, workers)
        work = place_everywhere(bound, label, seen, states, workers)
    if phased and checkpoint is not None:
        walks.kept = checkpoint.phases(bound, -(-bound.network.routers // CHUNK), workers)
    tried = share(walks.phases, range(workers), workers) if phased else []
    made = [graph for graph in tried if graph is not None]
    phased = len(made) == workers
    if not phased:
        refuse_if_too_long(bound, job, label is None)
        walks.done, walks.kept = 0, None
        if checkpoint is not None and label is None:
            walks.kept = checkpoint.walks(bound, -(-parts(job, walks.sinks) // CHUNK), workers)
        made = share(work, range(workers), workers)
    made += [walks.kept.graph] if walks.kept is not None else []
    return _made(bound, union(made), phased)


def _wider(bound: BoundRouting, threads: int | None, progress: Progress) -> Dependencies | None:
    """Those of a routing that this one names, among which are all of its own, where it has many walks."""
    if _many(bound) <= MANY_WALKS:
        return None
    prove = partial(dependencies, threads=threads, progress=progress, beyond=True)
    found = in_place(bound, prove, _followed, _many)
    return found and replace(found[0], bound=bound, whole=False, among=found[1], ends=None, moved=None)


def _followed(bound: BoundRouting) -> Dependencies:
    """Those of all packets, one after the other."""
    return dependencies(bound, 1, apart=False)


def _many(bound: BoundRouting) -> int:
    return triples(bound, job_of(bound))


def _made(bound: BoundRouting, graph: Graph, phased: bool, by: How = "walks") -> Dependencies:
    bits, used, escape, count = graph
    adaptive, choices, escapes = (bool(count[flag]) for flag in (ADAPTIVE, CHOICES, ESCAPES))
    whole = not (phased and bound.routing.two_phases == "some")
    return Dependencies(bound, bits, used, escape, adaptive, choices, escapes, int(count[STATES]), phased, whole, by)


def _known_to_end() -> bool:
    """Whether packets terminate: `relabelling` takes trees of ways to go, `orbits` states that have an order,
    `shortest` ways get shorter, and those that a routing names were followed to the end."""
    return True


def _of_sets(bound: BoundRouting, found: Found) -> Dependencies:
    made = _made(bound, found.graph, False, "digits")
    return replace(made, whole=found.exact, ends=found.ends, number=found.number)
