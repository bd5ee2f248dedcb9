"""The channel dependency graph of a routing on a network: which channel a packet may hold while it asks for which.

Source: Dally and Seitz 1987; Dally and Towles chapter 14. Over (router, port, vc), from reachable states only: every
source, destination, draw of the start hook and candidate is followed. Called by `prove`; user-facing too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.every_packet import by_walks
from jumpnet.analysis.deadlock.graph import Dependencies, dependencies_from
from jumpnet.analysis.deadlock.how import Basis, How
from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.rows.blank import Graph, ends_everywhere
from jumpnet.analysis.deadlock.rows.pieces import WHOLE_BYTES, bits_bytes, no_rows, too_large
from jumpnet.analysis.deadlock.walks.checkpoint import ProofCheckpoint
from jumpnet.analysis.deadlock.walks.limits import no_room, threads_with_room, triples
from jumpnet.analysis.deadlock.walks.packet_walk import Job
from jumpnet.analysis.deadlock.walks.shared import SharedWalks
from jumpnet.analysis.deadlock.walks.walkers import job_of, job_read_of
from jumpnet.analysis.deadlock.ways_to_graph.bounds.among import SMALL, hold_all, in_place
from jumpnet.analysis.deadlock.ways_to_graph.bounds.named import graph_of_named
from jumpnet.analysis.deadlock.ways_to_graph.bounds.partial_graph import partial_graph, partial_graph_as_short
from jumpnet.analysis.deadlock.ways_to_graph.covers.graph import covered
from jumpnet.analysis.deadlock.ways_to_graph.digits.graph import dependencies_by_digits
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.graph import dependencies_by_dimension
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.translation import dependencies_by_translation, wide
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.kinds import kinds_of_packets
from jumpnet.analysis.deadlock.ways_to_graph.orbits.graph import dependencies_by_orbit
from jumpnet.analysis.deadlock.ways_to_graph.orbits.outlooks import equivariant_labels
from jumpnet.analysis.deadlock.ways_to_graph.relabelling.graph import dependencies_by_relabelling
from jumpnet.analysis.deadlock.ways_to_graph.shortest.all_ways import dependencies_of_all_ways
from jumpnet.analysis.deadlock.ways_to_graph.shortest.circles import shortest_of_two_hops
from jumpnet.analysis.deadlock.ways_to_graph.shortest.graph import (
    Legal,
    dependencies_by_shortest_ways,
    dependencies_of_neighbors,
    legal_ways,
)
from jumpnet.analysis.deadlock.ways_to_graph.shortest.two_hops import dependencies_of_two_hops
from jumpnet.api.public import public
from jumpnet.process.threads import processors
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32, I64

__all__ = ["dependencies", "dependencies_again"]

GRID_ROUTERS = ORBITS_ROUTERS = SHORTEST_ROUTERS = 1024
"""Routers from which on following all packets takes longer than what is done on grids, from one router of each orbit,
and without tables of shortest paths."""
GRID_TURNS = 1 << 17
"""Pairs of ports, of all routers together, from which on it does where packets choose among many."""
DIGITS_ROUTERS = 2048
"""Those from which on it takes as long as sets of destinations, or as relabelling."""
MANY_WALKS = LONG_WALKS = 1 << 24
"""Triples of source, destination and draw from which on it takes seconds, and more or fewer packets may do."""
MINUTES_OF_WALKS = 1 << 27
"""Triples from which on it takes minutes (sets of `dragonfly.ugal` on dragonfly:7: half a second)."""
MOST_WAYS_BYTES = 1 << 28
"""Bytes of rows up to which those of all ways are held, for words and certificates."""


def _in_two_phases(bound: BoundRouting, job: Job, beyond: bool) -> bool:
    """Whether the phases of a routing may be followed separately: declared so, and packets enter and leave everywhere.

    Where it takes only some of the ways, they are with `beyond`, on networks with many walks.
    """
    net, said = bound.network, bound.two_phases(triples(bound, job))
    if said == "some":
        said = beyond and triples(bound, job) > MANY_WALKS
    return bool(said) and ends_everywhere(net) and not (job.by_channel or job.by_source)


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
    (`Routing.among`) those of that one, and one that can deadlock those of packets to some destinations (see `whole`).
    `checkpoint`: where walks are kept, and gone on with after a kill; the result is the same.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> dependencies(bind("torus.dateline", build("torus:4x4"))).channels
    72
    """
    net, job = bound.network, job_of(bound)
    sinks = np.flatnonzero(net.sinks > 0).astype(np.int32)
    asked = Asked(bound, job, sinks, processors(net.routers // 64, threads), progress, beyond, threads)
    asked.phased = apart and _in_two_phases(bound, job, beyond)
    apart = apart and not job.home  # the ways leave out packets to their own routers; phases of walks do not
    found = _first(WITHOUT_ROOM, asked) if apart else None
    if found is None:
        asked.workers = threads_with_room(bound, asked.workers)
        found = _first(WAYS, asked) if apart else None
    if found is None:
        found = by_walks(asked.walks, asked.phased, asked.label if apart else None, checkpoint)
        if bound.own and apart and _many(bound) <= SMALL:
            hold_all(bound, found, _followed)
    return replace(found, beyond=beyond, workers=asked.workers)


def dependencies_again(bound: BoundRouting, basis: Basis) -> Dependencies:
    """The dependencies that a proof rests on; where these are some sets' and packets soon followed, the routing's own,
    which are among them."""
    of_sets = basis.by == "digits" and not basis.whole and basis.among is None
    soon = triples(bound, job_read_of(bound)) < MINUTES_OF_WALKS and not too_large(bound)
    return dependencies(bound, beyond=basis.beyond and not (of_sets and soon))


@dataclass
class Asked:
    """What a way is asked for."""

    bound: BoundRouting
    job: Job
    sinks: I32
    workers: int
    progress: Progress
    beyond: bool
    """Whether more than the routing's dependencies will do, or some of them."""
    threads: int | None
    phased: bool = False
    """Whether its two phases may be followed apart."""

    @property
    def routers(self) -> int:
        """How many there are."""
        return self.bound.network.routers

    @property
    def many_turns(self) -> bool:
        """Whether a grid is large, or its routers have many ports."""
        return self.routers >= GRID_ROUTERS or self.routers * self.bound.network.ports**2 >= GRID_TURNS

    @cached_property
    def follows(self) -> int:
        """Triples of source, destination and draw that following all packets takes."""
        return triples(self.bound, self.job)

    @property
    def long(self) -> bool:
        """Whether following all packets takes minutes; or seconds, on so few channels that there is a cycle."""
        few = self.bound.vcs < self.bound.needed
        return self.follows >= (LONG_WALKS if few else MINUTES_OF_WALKS)

    @property
    def has_cycles(self) -> bool:
        """Whether channels are too few, and packets not soon followed: phase by phase, or from one of each orbit."""
        soon = self.phased and self.bound.routing.two_phases != "some"
        return self.bound.vcs < self.bound.needed and not soon and self.label is None

    @property
    def any_cycle(self) -> bool:
        """Whether any cycle of some packets will do: following all takes minutes, and channels are too few."""
        return self.beyond and self.follows >= MINUTES_OF_WALKS and self.has_cycles

    @cached_property
    def label(self) -> I64 | None:
        """The orbits of routers, where packets from one of each stand for all."""
        return equivariant_labels(self.bound)

    @cached_property
    def legal(self) -> Legal | None:
        """The hops of a routing by shortest ways."""
        return legal_ways(self.bound, self.job) if self.routers >= SHORTEST_ROUTERS else None

    @cached_property
    def walks(self) -> SharedWalks:
        """The walks, for so many threads as have room."""
        return SharedWalks(self.bound, self.job, self.sinks, self.workers, self.progress)

    def made(self, by: How, graph: Graph | None, phased: bool = False, **more: Any) -> Dependencies | None:
        """What a way has made; more: fields of `Dependencies`."""
        return None if graph is None else replace(dependencies_from(self.bound, graph, phased, by), **more)


class Way(NamedTuple):
    """One way to the graph."""

    make: Callable[[Asked], Dependencies | None]
    """The graph, or None where the way does not serve the routing or the network."""
    when: Callable[[Asked], bool]
    """Whether it is tried, where those before it have not served."""


def _first(ways: Sequence[Way], asked: Asked) -> Dependencies | None:
    """What the first of some ways makes that serves."""
    return next((found for way in ways if way.when(asked) and (found := way.make(asked)) is not None), None)


def _of_one_hop(asked: Asked) -> Dependencies | None:
    """Of tables of shortest paths where every router has a link to every other."""
    return asked.made("shortest", dependencies_of_neighbors(asked.bound, asked.job), ends=_known_to_end)


def _of_two_hops(asked: Asked) -> Dependencies | None:
    """The routing's own graph, from packets with two hops to go; None where it takes more than these."""
    bound, legal = asked.bound, asked.legal
    graph = None if legal is None else dependencies_of_two_hops(bound, legal, asked.workers)
    if graph is None or legal is None:
        return None
    made = dependencies_from(bound, graph, False, "hops")
    short = partial(shortest_of_two_hops, bound.network, bound.vcs, legal.every, graph[0], made.base)
    return replace(made, ends=_known_to_end, short=short)


def _by_all_ways(asked: Asked) -> Dependencies | None:
    """Of all ways that the hops of a routing allow, in pieces where the rows are many."""
    bound = asked.bound
    ways = dependencies_of_all_ways(bound, asked.job, asked.legal, asked.sinks, asked.workers)
    if ways is None:
        return None
    pieces = ways.pieces if bits_bytes(bound) > MOST_WAYS_BYTES else None
    bits = no_rows(bound) if pieces is not None else np.concatenate(list(ways.pieces.each()))
    graph = bits, ways.used, np.zeros_like(ways.used), ways.counters
    return asked.made("ways", graph, whole=False, ends=_known_to_end, number=ways.number, pieces=pieces)


def _by_shortest_ways(asked: Asked) -> Dependencies | None:
    """From the shortest ways to sets of destinations."""
    graph = dependencies_by_shortest_ways(
        asked.bound, asked.job, asked.legal, asked.sinks, asked.workers, asked.progress
    )
    return asked.made("shortest", graph, ends=_known_to_end)


def _with_table(asked: Asked) -> None:
    """None; a table that does not fit is refused here, as all ways that follow read it."""
    _ = asked.bound.view


def _by_dimension(asked: Asked) -> Dependencies | None:
    """From cases of pairs of routers on a grid, or of both phases."""
    graph = dependencies_by_dimension(asked.bound, asked.job, asked.phased)
    return asked.made("dimensions", graph, asked.phased)


def _by_translation(asked: Asked) -> Dependencies | None:
    """From packets to one destination, which stands for all."""
    phased = asked.phased and wide(asked.bound)
    return asked.made("translation", dependencies_by_translation(asked.bound, asked.job, phased), phased)


def _by_relabelling(asked: Asked) -> Dependencies | None:
    """From packets to one vertex of a star graph, which stands for all."""
    return asked.made("relabelling", dependencies_by_relabelling(asked.bound, asked.job), ends=_known_to_end)


def _by_orbit(asked: Asked) -> Dependencies | None:
    """From packets of one router of each orbit (`Routing.escape_class`)."""
    there = dependencies_by_orbit(asked.bound, asked.job, asked.workers)
    return there and asked.made("orbits", there.graph, ends=_known_to_end, moved=there.moved)


def _by_kinds(asked: Asked) -> Dependencies | None:
    """From kinds of packets told apart by inequalities."""
    kinds = kinds_of_packets(asked.bound, asked.job)
    if kinds is None:
        return None
    return asked.made("kinds", kinds.graph, whole=False, kinds=kinds, ends=lambda: kinds.arrive)


def _by_covers(asked: Asked) -> Dependencies | None:
    """From products that cover all packets on a grid."""
    cover = covered(asked.bound, asked.job)
    if cover is None:
        return None
    return asked.made("covers", cover.graph, whole=False, cover=cover, ends=lambda: cover.arrive)


def _to_named(asked: Asked) -> Dependencies | None:
    """Of packets that close a cycle by what the routing says (`Routing.closing`)."""
    named = graph_of_named(asked.bound)
    if named is None:
        return None
    begun = asked.job._replace(sources=named.sources)
    return asked.made("walks", named.graph, whole=False, to=named.to, begun=begun, ends=_known_to_end)


def _to_some(asked: Asked, longer: bool = False) -> Dependencies | None:
    """Of packets to a few destinations, where these show a shortest cycle, or a longer one too."""
    whole = longer and asked.phased and asked.bound.routing.least_cycle is None
    among = dependencies_by_dimension(asked.bound, asked.job, True) if whole else None
    some = partial_graph(asked.bound, asked.sinks, asked.walks.to_some, longer, among)
    return some and asked.made("walks", some.graph, whole=False, to=some.to, begun=some.job, at_least=some.at_least)


def _by_digits(asked: Asked, apart: bool = False) -> Dependencies | None:
    """From sets of destinations, digit by digit; apart: rows piece by piece."""
    found = dependencies_by_digits(asked.bound, asked.job, apart, asked.long)
    if found is None or not (asked.beyond or found.exact):
        return None
    if found.cyclic:
        minutes, follow = asked.follows >= MINUTES_OF_WALKS, asked.walks.to_some
        some = partial_graph_as_short(asked.bound, asked.sinks, follow, found, minutes)
        return some and asked.made(
            "walks", some.graph, whole=False, to=some.to, begun=some.job, at_least=some.at_least, ends=found.ends
        )
    graph, exact, ends, number, pieces, _ = found
    return asked.made("digits", graph, whole=exact, ends=ends, number=number, pieces=pieces)


def _among(asked: Asked) -> Dependencies | None:
    """Those of a routing that this one names, among which are all of its own."""

    def prove(other: BoundRouting) -> Dependencies:
        """The dependencies of the other routing, as rows that are held."""
        made = dependencies(other, asked.threads, progress=asked.progress, beyond=True)
        if made.pieces is not None:  # packets are held against rows
            raise no_room(other, WHOLE_BYTES)
        return made

    found = in_place(asked.bound, prove, _followed, _many)
    return found and replace(found[0], bound=asked.bound, whole=False, among=found[1], ends=None, moved=None)


def _digits_in_pieces(of: Asked) -> bool:
    """Where rows cannot be held; a routing by shortest ways reads a table, which asks for no digits."""
    return of.beyond and of.routers >= DIGITS_ROUTERS and of.legal is None and too_large(of.bound)


WITHOUT_ROOM = (
    Way(_with_table, lambda of: of.bound.routing.shortest is None),
    # Rows of one router for all, where those of all routers take much room.
    Way(_of_one_hop, lambda of: wide(of.bound)),
    # Not where a routing reads a table of its own, which may be too big.
    Way(_by_translation, lambda of: wide(of.bound) and (of.bound.routing.shortest is None or of.bound.own)),
    # Both see at once whom they serve: routings by shortest ways (`Asked.legal`).
    Way(_of_two_hops, lambda of: True),
    Way(_by_all_ways, lambda of: of.beyond),
    # In pieces, where rows cannot be held. No walk can be done then.
    Way(partial(_by_digits, apart=True), _digits_in_pieces),
)
"""Ways that need no room for the rows of all channels, in the order in which they are tried."""
WAYS = (
    Way(_by_shortest_ways, lambda of: True),  # sees at once whom it serves, as above
    Way(_with_table, lambda of: of.legal is not None),
    # Whether only differences are read is soon seen. It comes first where ports are chosen: cases are too many there.
    Way(_by_translation, lambda of: of.bound.routing.adaptive and of.many_turns),
    # Before all ways in two phases: with too few channels these close a cycle that says nothing of some of them.
    Way(partial(_to_some, longer=True), lambda of: of.phased and of.any_cycle),
    Way(_by_dimension, lambda of: of.routers >= GRID_ROUTERS),
    Way(_by_translation, lambda of: of.routers >= GRID_ROUTERS and not of.bound.routing.adaptive),
    # Each serves those few routings that fit it.
    Way(_by_relabelling, lambda of: of.routers >= DIGITS_ROUTERS),
    Way(_by_orbit, lambda of: of.routers >= ORBITS_ROUTERS),
    # These have more dependencies than the routing, so they come after all that have its own.
    Way(_by_kinds, lambda of: of.beyond),
    Way(_by_covers, lambda of: of.beyond and of.routers >= GRID_ROUTERS),
    # A cycle of some packets, before all are followed for seconds. The routing says which, or how short a cycle can be.
    Way(_to_named, lambda of: of.beyond and of.follows >= LONG_WALKS),
    Way(_to_some, lambda of: of.beyond and of.follows >= LONG_WALKS and not (of.phased or of.bound.routing.closing)),
    # On many routers, and on fewer where walks are long; not where these are of two phases apart, or of one router of
    # each orbit, which takes no longer.
    Way(
        _by_digits,
        lambda of: (of.routers >= DIGITS_ROUTERS or (of.beyond and of.long and not of.phased)) and of.label is None,
    ),
    # Any cycle, where sets do not serve (in two phases it was looked for above).
    Way(partial(_to_some, longer=True), lambda of: of.any_cycle and not of.phased),
    # Another routing's, last: that its ways are among them is believed, and held against packets.
    Way(_among, lambda of: of.beyond and of.follows > MANY_WALKS),
)
"""The others, likewise; where none serves, packets are followed to every destination."""


def _followed(bound: BoundRouting) -> Dependencies:
    """Those of all packets, one after the other."""
    return dependencies(bound, 1, apart=False)


def _many(bound: BoundRouting) -> int:
    """How many (source, destination, draw) triples there are."""
    return triples(bound, job_read_of(bound))


def _known_to_end() -> bool:
    """Whether packets terminate: `relabelling` takes trees of ways to go, `orbits` and `ways` states that have an
    order, `shortest` ways get shorter, of two `hops` too, and those that a routing names were followed to the end."""
    return True
