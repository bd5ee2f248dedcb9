"""Exact path figures of a routing: length of every route, stretch against the shortest paths, and single routes.

Figures run over all ordered pairs of different routers with terminals and all draws of the start hook; where the
routing respects the network's automorphisms, over one source per orbit. Called by `jumpnet route`, the report, studies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.walks.packet_walk import FAILURE, FULL, NODES, new_nodes, new_space, walk_alone
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.routes._chosen import chosen
from jumpnet.analysis.routes.follow import distances, extremes, lengths, survey
from jumpnet.api.public import public
from jumpnet.api.shown import Shown, columns
from jumpnet.errors import JumpnetError
from jumpnet.graph.links import nodes_of
from jumpnet.networks import Network, Orbits
from jumpnet.process.threads import share
from jumpnet.routings import BoundRouting
from jumpnet.routings.follow import LOST, STRAY, TOO_LONG, Scratch, calls_of, follow
from jumpnet.routings.view import HEADER_FIELDS, MAX_CANDIDATES
from jumpnet.terms import I64

__all__ = [
    "AdaptiveFigures",
    "Hop",
    "PathFigures",
    "Route",
    "adaptive_figures",
    "lengths",
    "path_figures",
    "route",
    "shortest",
]


Chunks = Sequence[Callable[[], tuple[I64, I64, I64]]]
"""Makers of (sources, destinations, weights) of pairs, each run in a thread of its own."""


class Hop(NamedTuple):
    """One hop of a route: the channel taken."""

    router: int
    port: int
    vc: int
    link_class: str
    """Name of the link's class, e.g. `rank 1 x+`."""


class Route(tuple[Hop, ...], Shown):
    """The hops of one route, in order; the network is there to be drawn."""

    network: Network
    routing: str
    source: int
    destination: int

    @property
    def nodes(self) -> list[Any]:
        """The routers passed, both ends too: by their node objects in a NetworkX graph, labels, or numbers."""
        named = nodes_of(self.network)
        return [named[router] for router in (*(hop.router for hop in self), self.destination)]

    @columns(
        {
            "router, port, vc": "numbers of the router, its output port and the virtual channel taken there",
            "link_class": "name of the kind of link",
            "node, next_node": "what stands for the routers at both ends, where they have names",
        }
    )
    def rows(self) -> list[dict[str, Any]]:
        """A row for each hop."""
        if not self._named:
            return [hop._asdict() for hop in self]
        ends = pairwise(self.nodes)
        return [
            {**hop._asdict(), "node": here, "next_node": there} for hop, (here, there) in zip(self, ends, strict=True)
        ]

    @property
    def _named(self) -> bool:
        """Whether routers are called by more than their numbers."""
        return nodes_of(self.network) != list(range(self.network.routers))

    def __repr__(self) -> str:
        """The routers passed, where they have names; else the hops."""
        return f"Route({' -> '.join(map(repr, self.nodes))})" if self._named else super().__repr__()


@dataclass(frozen=True)
class PathFigures(Shown):
    """Lengths of all routes of a routing on a network, in hops. Adaptive routings: of their first candidates."""

    spec: str
    routing: str
    counts: tuple[int, ...]
    """Number of (pair, draw) with each length."""
    shortest_average: Fraction
    """Average distance of the same pairs; 0 where the pairs were given, which do not tell."""
    stretch_maximum: Fraction
    """Largest ratio of a route's length to the distance of its ends; 0 where only representative pairs were followed
    (`Routing.cover`), which do not tell."""

    @columns(
        {
            "spec, routing": "network and routing",
            "pairs": "routes, counted: pairs of terminals' routers by draws",
            "maximum, average, shortest_average": "lengths of routes and of shortest ways, hops (links)",
            "stretch, stretch_maximum": "length of a route over the distance of its ends, as a ratio",
            "counts": "entry k counts routes of k hops",
        }
    )
    def rows(self) -> list[dict[str, Any]]:
        """The figures in one row."""
        names = ("spec", "routing", "pairs", "maximum", "average", "shortest_average", "stretch", "stretch_maximum")
        said = {name: getattr(self, name) for name in names}
        return [{**{k: float(v) if isinstance(v, Fraction) else v for k, v in said.items()}, "counts": self.counts}]

    @property
    def maximum(self) -> int:
        """Length of the longest route: the diameter under this routing."""
        return len(self.counts) - 1

    @property
    def pairs(self) -> int:
        """Number of routes."""
        return sum(self.counts)

    @property
    def average(self) -> Fraction:
        """Average length of a route."""
        return Fraction(sum(n * k for k, n in enumerate(self.counts)), max(1, self.pairs))

    @property
    def stretch(self) -> Fraction:
        """Average length over average distance."""
        return self.average / self.shortest_average if self.shortest_average else Fraction(1)


@dataclass(frozen=True)
class AdaptiveFigures:
    """What an adaptive routing may do over all its choices, in hops."""

    spec: str
    routing: str
    longest: int
    """Length of the longest route that choices can make."""
    longest_average: Fraction
    """Average over the pairs of the longest route of each."""
    expected_average: float
    """Average over the pairs of the expected length when each different (router, state) that the candidates lead to is
    equally likely, ESCAPE candidates being taken where there is no other. A relation that asks where a packet came in
    tells channels apart too."""


def _limit(bound: BoundRouting) -> int:
    """Hops after which a route is taken for a loop."""
    return 4 * bound.network.routers + 64


def _trace(bound: BoundRouting, source: int, destination: int, draw: int, limit: int) -> tuple[int, list[list[int]]]:
    out, trace = np.zeros((8 * MAX_CANDIDATES, 4), np.int64), np.full((limit + 1, 3), -1)
    scratch = Scratch(np.zeros(HEADER_FIELDS, np.int64), out, np.zeros(bound.view.queues, np.int64), trace)
    code = follow(*calls_of(bound), source, destination, draw, limit, scratch)
    return code, trace[trace[:, 0] >= 0].tolist()


def _failure(bound: BoundRouting, code: int, source: int, destination: int, draw: int) -> JumpnetError:
    """The error for a route that does not arrive: the pair, and the loop or the place where it ends."""
    bound.explain(source, destination)
    net = bound.network
    _, hops = _trace(bound, source, destination, draw, min(_limit(bound), 4096))
    routers = [h[0] for h in hops]
    pair = f"routing {bound.name} on {net.spec} does not deliver from router {source} to {destination}"
    if code == TOO_LONG:
        last = routers[-1]
        back = next((k for k in range(len(hops) - 2, -1, -1) if hops[k] == hops[-1]), 0)
        loop = routers[back:-1] if routers[back] == last else routers[-8:]
        shown = " -> ".join(map(str, [*loop[:16], *(["..."] if len(loop) > 16 else []), last]))
        return JumpnetError(f"{pair}: it loops through routers {shown}")
    end = int(net.neighbor[hops[-1][0], hops[-1][1]]) if hops else source
    what = {
        LOST: "the relation says arrived",
        STRAY: "the relation names a port or virtual channel out of range",
    }.get(code, "the relation gives no route")
    return JumpnetError(f"{pair}: at router {end}, after {len(hops)} hops, {what}")


@public
def route(bound: BoundRouting, source: int, destination: int, draw: int = 0, take: Sequence[int] = ()) -> Route:
    """The channels of one route, first candidates taken, or at hop k the candidate `take[k]`.

    Raises JumpnetError when it does not arrive, and for a candidate that there is not.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> [hop.router for hop in route(bind("torus.dateline", build("torus:4x4")), 0, 10)]
    [0, 1, 2, 6]
    """
    net = bound.network
    for router in (source, destination):
        if not 0 <= router < net.routers:
            raise JumpnetError(f"router {router} found, 0 to {net.routers - 1} expected in {net.spec}")
    if not 0 <= draw < bound.draws:
        raise JumpnetError(f"draw {draw} found, 0 to {bound.draws - 1} expected for {bound.name}")
    if take:
        code, hops = chosen(bound, source, destination, draw, take, _limit(bound))
    else:
        code, hops = _trace(bound, source, destination, draw, _limit(bound))
    if code < 0:
        ends = ((source, net.terminals), (destination, net.sinks))
        for router in (router for router, count in ends if not count[router]):
            said = f"no route from router {source} to {destination} of {net.spec}: router {router} has no terminal"
            raise JumpnetError(f"{said}, one such as {int(net.terminals.argmax())} expected by routing {bound.name}")
        raise _failure(bound, code, source, destination, draw)
    found = Route(Hop(r, p, v, net.class_names[net.link_class[r, p]]) for r, p, v in hops)
    found.network, found.routing, found.source, found.destination = net, bound.name, source, destination
    return found


def shortest(bound: BoundRouting, source: int) -> I64:
    """(R,) int32 hops of the shortest paths from a router, whatever the routing; -1 where there is none.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> shortest(bind("mesh.dimension_order", build("mesh:4")), 1).tolist()
    [1, 0, 1, 2]
    """
    net = bound.network
    distance = np.empty(net.routers, np.int32)
    distances(net.neighbor, source, distance, np.empty(net.routers, np.int32))
    return distance


def _sources(bound: BoundRouting) -> tuple[I64, I64]:
    """Sources to search from and how many sources each stands for."""
    net = bound.network
    ends = np.flatnonzero(net.terminals > 0)
    if net.orbits is not None and bound.symmetric and len(ends) == net.routers:
        return net.orbits.representative, net.orbits.size
    return ends.astype(np.int64), np.ones(len(ends), np.int64)


@public
def path_figures(bound: BoundRouting, threads: int | None = None, *, pairs: Chunks | None = None) -> PathFigures:
    """Exact lengths of all routes, or of those of `pairs` only; deterministic, whatever the number of threads.

    pairs: makers of chunks (sources, destinations, weights), (K,) int64 each, such as `rdt.partitioned.inside` gives.

    Raises JumpnetError when a route does not arrive (the pair and the loop are shown). Cost: routes times hops times
    about 50 ns, routes being sources (one per orbit where the routing is symmetric) x routers x draws.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> figures = path_figures(bind("torus.dateline", build("torus:4x4")))
    >>> figures.maximum, figures.average, figures.stretch
    (4, Fraction(32, 15), Fraction(1, 1))
    """
    net = bound.network
    if pairs is not None:
        return _figures(bound, _lengths(bound, pairs, threads), Fraction(0), Fraction(0))
    covered = None if bound.routing.cover is None else _covered(bound, threads)
    if covered is not None and bound.covers:
        return covered
    sources, sizes = _sources(bound)
    sinks = np.flatnonzero(net.sinks > 0).astype(np.int64)
    limit, calls = _limit(bound), calls_of(bound)
    parts = min(len(sources), 64)

    def work(k: int) -> tuple[I64, I64, I64, int]:
        """Packets by length, the worst stretch, a pair that fails, and the sum of distances, of every 64th source."""
        counts, worst, failed = np.zeros(limit, np.int64), np.array([1, 1, -1], np.int64), np.zeros(4, np.int64)
        mine, weights = (np.ascontiguousarray(each[k::parts], np.int64) for each in (sources, sizes))
        total = survey(calls, bound.draws, mine, weights, sinks, limit, counts, worst, failed)
        return counts, worst, failed, int(total)

    results = share(work, range(parts), threads)
    for _, _, failed, _ in results:
        if failed[0] < 0:
            raise _failure(bound, *(int(f) for f in failed))
    counts = np.sum([r[0] for r in results], axis=0)
    worst = max((Fraction(int(r[1][0]), int(r[1][1])) for r in results), default=Fraction(0))
    found = _figures(bound, counts, Fraction(sum(r[3] for r in results), max(1, int(counts.sum()))), worst)
    if covered is not None and covered.counts != found.counts:
        raise JumpnetError(f"routing {bound.name} on {net.spec}: cover does not stand for all pairs: other lengths")
    return found


def _figures(bound: BoundRouting, counts: I64, average: Fraction, worst: Fraction) -> PathFigures:
    used = np.flatnonzero(counts)
    kept = counts[: int(used[-1]) + 1].tolist() if used.size else [0]
    return PathFigures(bound.network.spec, bound.name, tuple(kept), average, worst)


def _lengths(bound: BoundRouting, chunks: Chunks, threads: int | None) -> I64:
    """Weights of the routes of chunks of pairs by length."""
    limit, calls = _limit(bound), calls_of(bound)
    parts = max(1, min(len(chunks), 64))

    def work(k: int) -> tuple[I64, I64]:
        """Packets by length, and a pair that fails, of every 64th chunk."""
        counts, failed = np.zeros(limit, np.int64), np.zeros(4, np.int64)
        for chunk in chunks[k::parts]:
            if failed[0] == 0:
                lengths(calls, bound.draws, *chunk(), limit, counts, failed)
        return counts, failed

    results = share(work, range(parts), threads)
    for _, failed in results:
        if failed[0] < 0:
            raise _failure(bound, *(int(f) for f in failed))
    total: I64 = np.sum([r[0] for r in results], axis=0)
    return total


def _covered(bound: BoundRouting, threads: int | None) -> PathFigures:
    """Path figures of a routing that names its own representative pairs; no largest stretch is known (0)."""
    net = bound.network
    counts = _lengths(bound, bound.pairs(), threads)
    orbits = net.orbits or Orbits(np.arange(net.routers), np.ones(net.routers, np.int64))
    total = sum(
        int(shortest(bound, s).sum(dtype=np.int64)) * n
        for s, n in zip(orbits.representative.tolist(), orbits.size.tolist(), strict=True)
    )
    return _figures(bound, counts, Fraction(total, net.routers * (net.routers - 1)), Fraction(0))


def adaptive_figures(bound: BoundRouting) -> AdaptiveFigures:
    """Longest and expected routes of an adaptive routing, over all its choices.

    Raises JumpnetError when choices can lead a packet round in circles (livelock) or nowhere. Cost: every packet state
    of every destination is followed from one source per orbit.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> found = adaptive_figures(bind("mesh.duato", build("mesh:3x3")))
    >>> found.longest, found.longest_average
    (4, Fraction(2, 1))
    """
    net = bound.network
    sources, sizes = _sources(bound)
    job = job_of(bound)._replace(sources=sources.astype(np.int32))
    words = (net.ports * bound.vcs + 63) // 64
    nodes, space = new_nodes(1 << 8, words), new_space(bound.view.queues)
    most, total, mean, pairs = 0, 0, 0.0, 0
    for destination in np.flatnonzero(net.sinks > 0).tolist():
        for source, size in zip(sources.tolist(), sizes.tolist(), strict=True):
            if source == destination:
                continue
            walk_alone(bound.pointer, bound.start_pointer, bound.view, job, nodes, space, source, destination)
            while space.counters[FULL]:
                nodes = new_nodes(2 * nodes.parent.size, words)
                walk_alone(bound.pointer, bound.start_pointer, bound.view, job, nodes, space, source, destination)
            if space.counters[FAILURE]:
                raise _failure(bound, -2, source, destination, 0)
            count = int(space.counters[NODES])
            longest, expected = np.zeros(count, np.int64), np.zeros(count)
            if not extremes(nodes, count, np.zeros(count, np.int64), longest, expected):
                raise JumpnetError(
                    f"routing {bound.name} on {net.spec} may never deliver from router {source} to {destination}: "
                    "its choices can go round in circles"
                )
            begin = nodes.parent[:count] < 0
            most = max(most, int(longest[begin].max()))
            total += int(longest[begin].max()) * size
            mean += float(expected[begin].mean()) * size
            pairs += size
    return AdaptiveFigures(net.spec, bound.name, most, Fraction(total, max(1, pairs)), mean / max(1, pairs))
