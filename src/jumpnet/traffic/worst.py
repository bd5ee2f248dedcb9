"""Worst case: the permutation that loads one channel of a network more than any permutation loads any channel.

For each channel the pairs whose routes cross it are a bipartite graph of sources and destinations, weighted by the
share of their draws that do. A permutation loads the channel as much as a matching there weighs, so the heaviest
matching over all channels is the worst case, exactly. By way of a random router
all permutations are alike. Of adaptive routings first candidates only.
Source: Towles and Dally, Worst-case traffic for oblivious routing functions (SPAA 2002).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.memory import require
from jumpnet.networks import Network
from jumpnet.notices import notice
from jumpnet.routings import BoundRouting, Routing, bind, default_routing
from jumpnet.routings.follow import calls_of
from jumpnet.spec import split
from jumpnet.terms import F64, I32, I64
from jumpnet.traffic._pattern import NO_PACKET, Pattern
from jumpnet.traffic._permutation import destination
from jumpnet.traffic._routes import channels_of

__all__ = ["WORST", "Worst", "by_two_phases", "worst_case", "worst_for"]

MOST_ROUTES = 1 << 24
"""Pairs times draws. At the limit torus.valiant on torus:16x16 took 41 CPU seconds and 4.4 GB, torus.dateline on
torus:64x64 82 and 8.9 GB, as its routes are twice as long; mesh:40x40 took 9 and 1.3 GB."""
HOP_BYTES = 16
"""Memory for each hop of these routes: its number, once more while all come together."""
CHUNK = 1 << 16
"""Routes that are followed before memory for more is made."""
ROOM_SHARE = 8
"""One part in so many of the hops of a chunk is kept free for the next one, whose routes may be longer."""
LONGEST = 65536


class Worst(NamedTuple):
    """A permutation of terminals, and the channel that it loads most."""

    destinations: I64
    """(T,) destination of each terminal."""
    load: float
    """Flits a cycle on that channel when every terminal offers one."""
    router: int
    port: int


class _Ends(NamedTuple):
    """Who sends to whom: routers where packets begin and where they end, and how many of each are matched there."""

    senders: I64
    receivers: I64
    out: I64
    """Entries matched at each of the `senders`: its terminals, or 1 where routers are matched as a whole."""
    into: I64
    each: int
    """Terminals that a matched entry stands for."""


def _ends_of(net: Network) -> _Ends:
    """Routers are matched where all have as many terminals, which then are alike; else terminals are."""
    senders, receivers = np.flatnonzero(net.terminals), np.flatnonzero(net.sinks)
    out, into = net.terminals[senders].astype(np.int64), net.sinks[receivers].astype(np.int64)
    counts = np.unique(np.concatenate([out, into]))
    if len(counts) == 1:
        return _Ends(senders, receivers, np.ones(len(out), np.int64), np.ones(len(into), np.int64), int(counts[0]))
    return _Ends(senders, receivers, out, into, 1)


def worst_case(bound: BoundRouting) -> Worst:
    """The worst permutation for a routing on its network: any sender to any receiver, each once.

    Where terminals send at one router and receive at another (`fly`), one that sends to its own sink crosses the
    network too, and may. Raises JumpnetError for too many routes or too little memory, and for
    routes that do not arrive. Cost: the routes, and a matching for each channel that may still be the worst: of routers
    where all have as many terminals, else of terminals.

    >>> from jumpnet.topology import build
    >>> found = worst_case(bind("mesh.dimension_order", build("mesh:4")))
    >>> found.load, found.destinations.tolist()
    (2.0, [2, 3, 0, 1])
    """
    net = bound.network
    ends = _ends_of(net)
    n, sinks = len(ends.senders), len(ends.receivers)
    size = int(ends.out.sum()), int(ends.into.sum())
    routes = max(n * sinks * bound.draws, size[0] * size[1])
    if routes > MOST_ROUTES:
        alike = size == (n, sinks) and np.array_equal(ends.senders, ends.receivers)
        if bound.routing.two_phases is True and not bound.own and n * bound.draws <= MOST_ROUTES and alike:
            return by_two_phases(bound)
        raise JumpnetError(f"worst: {routes} routes found on {net.spec}, at most {MOST_ROUTES} expected")
    crossings = _crossings(bound, ends)
    first = np.searchsorted(crossings, np.arange(net.routers * net.ports + 1) * n * sinks)
    used = np.flatnonzero(np.diff(first)).tolist()

    def graph_of(k: int) -> _Graph:
        return _of_terminals(_graph(crossings[first[k] : first[k + 1]], n, sinks), ends)

    bounds = {k: _most(graph_of(k), size) for k in used}
    best, matched, at = 0.0, np.zeros((0, 2), np.int64), -1
    for k in sorted(used, key=lambda k: -bounds[k]):
        if bounds[k] <= best:
            break
        graph = graph_of(k)
        chosen = _matching(graph, size, bound.draws)
        weight = float(_weights(graph, chosen, size[1]).sum())
        if weight > best:
            best, matched, at = weight, chosen, k
    way = _completed(matched, np.repeat(ends.senders, ends.out), np.repeat(ends.receivers, ends.into))
    load = best * ends.each / bound.draws
    return Worst(_of_routers(way, ends, net), load, *(divmod(at, net.ports) if at >= 0 else (-1, -1)))


def _of_routers(way: I64, ends: _Ends, net: Network) -> I64:
    """(T,) destinations of terminals from those of what was matched."""
    if ends.each == 1:
        return way
    to = np.full(net.endpoints, NO_PACKET, np.int64)
    first_terminal = (np.cumsum(net.terminals) - net.terminals)[ends.senders]
    first_sink = (np.cumsum(net.sinks) - net.sinks)[ends.receivers]
    sends = way >= 0
    for j in range(ends.each):
        to[first_terminal[sends] + j] = first_sink[way[sends]] + j
    return to


class _Graph(NamedTuple):
    """Pairs of sources and destinations (places among the routers that send and that receive, or numbers of terminals)
    that cross a channel."""

    source: I64
    destination: I64
    draws: I64
    """How many draws of each pair do."""


def _crossings(bound: BoundRouting, ends: _Ends) -> I64:
    """(channel * senders + source) * receivers + destination of every hop of every draw of every pair, ascending.

    Sources and destinations are places among the routers that send and among those that receive.
    """
    net, sinks = bound.network, len(ends.receivers)
    pairs = len(ends.senders) * sinks
    found, total, room = [], 0, 0
    step = max(1, CHUNK // bound.draws)
    for begin in range(0, pairs, step):
        numbers = np.arange(begin, min(begin + step, pairs), dtype=np.int64)
        numbers = numbers[ends.senders[numbers // sinks] != ends.receivers[numbers % sinks]]
        channel, pair, room = _hops(bound, ends.senders[numbers // sinks], ends.receivers[numbers % sinks], room)
        total += len(channel)
        require(HOP_BYTES * total, f"worst: {total} hops of routes on {net.spec}")
        found.append(channel.astype(np.int64) * pairs + numbers[pair])
    crossings = np.concatenate([np.zeros(0, np.int64), *found])
    crossings.sort()
    return crossings


def _hops(bound: BoundRouting, source: I64, sink: I64, room: int) -> tuple[I32, I32, int]:
    """Channel and pair (its place) of every hop of every draw of some pairs, and the room to begin with next time."""
    net = bound.network
    limit = min(4 * net.routers + 64, LONGEST)
    while True:
        channel, pair, failed = np.empty(room, np.int32), np.empty(room, np.int32), np.zeros(3, np.int64)
        channels_of(calls_of(bound), bound.draws, source, sink, limit, channel, pair, failed)
        if failed[0] < 0:
            said = f"from router {failed[1]} to {failed[2]}"
            raise JumpnetError(f"routing {bound.name} on {net.spec} does not deliver {said}")
        if failed[0] <= room:
            return channel[: failed[0]], pair[: failed[0]], room
        room = int(failed[0]) + int(failed[0]) // ROOM_SHARE


def by_two_phases(bound: BoundRouting) -> Worst:
    """The worst permutation for a routing by way of a random router, any router with the same chance.

    Of the routes of a pair, the first phases depend on the source alone and the second ones on the destination alone
    (`Routing.two_phases`). So a channel is loaded alike by every permutation that sends nothing to its own router, and
    one of them is looked at. Cost: as many routes as there are pairs.
    """
    net, routers = bound.network, np.flatnonzero(bound.network.terminals)
    n, each, room = len(routers), int(net.terminals.max()), 0
    load = np.zeros(net.routers * net.ports, np.int64)
    step = max(1, CHUNK // bound.draws)
    for begin in range(0, n, step):
        here = np.arange(begin, min(begin + step, n))
        channel, _, room = _hops(bound, routers[here], routers[(here + 1) % n], room)
        load += np.bincount(channel, minlength=len(load))
    at = int(load.argmax())
    terminals = np.arange(net.endpoints, dtype=np.int64)
    return Worst((terminals + each) % net.endpoints, float(load[at]) * each / bound.draws, *divmod(at, net.ports))


def _graph(crossings: I64, n: int, sinks: int) -> _Graph:
    """The pairs among the crossings of one channel."""
    begins = np.flatnonzero(np.diff(crossings, prepend=-1))
    number, draws = crossings[begins] % (n * sinks), np.diff(begins, append=len(crossings))
    return _Graph(number // sinks, number % sinks, draws.astype(np.int64))


def _of_terminals(graph: _Graph, ends: _Ends) -> _Graph:
    """The pairs of terminals of pairs of routers, each of which has so many of them; ascending."""
    if (ends.out == 1).all() and (ends.into == 1).all():
        return graph
    first, first_sink = np.cumsum(ends.out) - ends.out, np.cumsum(ends.into) - ends.into
    sinks = ends.into[graph.destination]
    size = ends.out[graph.source] * sinks
    pair = np.repeat(np.arange(len(size)), size)
    place = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
    source = first[graph.source][pair] + place // sinks[pair]
    destination = first_sink[graph.destination][pair] + place % sinks[pair]
    order = np.lexsort((destination, source))
    return _Graph(source[order], destination[order], graph.draws[pair][order])


def _most(graph: _Graph, size: tuple[int, int]) -> int:
    """What no matching weighs more than: the heaviest pair of each source, of each destination."""
    by_source, by_sink = np.zeros(size[0], np.int64), np.zeros(size[1], np.int64)
    np.maximum.at(by_source, graph.source, graph.draws)
    np.maximum.at(by_sink, graph.destination, graph.draws)
    return int(min(by_source.sum(), by_sink.sum()))


def _matching(graph: _Graph, size: tuple[int, int], draws: int) -> I64:
    """(m, 2) pairs of a heaviest matching."""
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if (graph.draws == draws).all():
        table = csr_array((np.ones(len(graph.source), np.int8), (graph.source, graph.destination)), shape=size)
        to = maximum_bipartite_matching(table, perm_type="column")
        return np.stack([np.flatnonzero(to >= 0), to[to >= 0]], axis=1).astype(np.int64)
    source, row = np.unique(graph.source, return_inverse=True)
    sink, column = np.unique(graph.destination, return_inverse=True)
    weight: F64 = np.zeros((len(source), len(sink)))
    weight[row, column] = graph.draws
    rows, columns = linear_sum_assignment(weight, maximize=True)
    kept = weight[rows, columns] > 0
    return np.stack([source[rows[kept]], sink[columns[kept]]], axis=1).astype(np.int64)


def _weights(graph: _Graph, pairs: I64, sinks: int) -> I64:
    """Draws of each chosen pair that cross the channel."""
    known = graph.source * sinks + graph.destination
    return graph.draws[np.searchsorted(known, pairs[:, 0] * sinks + pairs[:, 1])]


def _completed(matched: I64, senders: I64, receivers: I64) -> I64:
    """(senders,) destinations with these pairs; the others in order, moved on by one where one would stay where it is.

    `senders` and `receivers` are the routers of what is matched. Who finds no receiver sends nothing.
    """
    way = np.full(len(senders), NO_PACKET, np.int64)
    way[matched[:, 0]] = matched[:, 1]
    sources = np.flatnonzero(way < 0)
    sinks = np.setdiff1d(np.arange(len(receivers)), matched[:, 1])
    served = min(len(sources), len(sinks))
    way[sources[:served]] = sinks[:served]
    same = np.arange(min(len(senders), len(receivers)))
    stay = same[(way[same] == same) & (senders[same] == receivers[same])]
    way[stay] = np.roll(way[stay], 1)
    return way


@dataclass(frozen=True)
class _Case:
    """A routing on a network by what they are, so that equal ones are looked at once."""

    spec: str
    digest: str
    routing: Routing
    name: str
    vcs: int
    bound: BoundRouting = field(compare=False)


@cache  # a command that follows several networks says it once of each routing
def _say_of_first_candidates(routing: str) -> None:
    notice(f"worst: of {routing}, an adaptive routing, the loads are those of first candidates alone")


@lru_cache(maxsize=8)
def _destinations(case: _Case) -> I64:
    if case.routing.adaptive:
        _say_of_first_candidates(case.name)
    return worst_case(case.bound).destinations


def worst_for(traffic: str, routing: str) -> str:
    """The spec of a pattern for a run with a routing: `worst` alone means the worst for that routing.

    >>> worst_for("worst", "torus.duato"), worst_for("uniform", "torus.duato")
    ('worst:routing=torus.duato', 'uniform')
    """
    name, positional, keyed = split(traffic)
    if name != "worst" or positional or keyed:
        return traffic
    if "," in routing:
        raise JumpnetError(f"worst: routing {routing} with several options found, worst:routing=NAME expected")
    return f"worst:routing={routing}"


def _prepare(net: Network, options: Mapping[str, Any]) -> I64:
    bound = bind(options["routing"] or default_routing(net), net)
    return _destinations(_Case(net.spec, net.digest, bound.routing, bound.name, bound.vcs, bound)).copy()


WORST = Pattern(
    name="worst",
    destination=destination,
    prepare=_prepare,
    options={"routing": ""},
    meanings={"routing": "Routing whose channels are loaded; that of the run where none is named, else the network's."},
    source="Towles and Dally, SPAA 2002",
    summary="the permutation that loads a channel most, for a routing",
)
