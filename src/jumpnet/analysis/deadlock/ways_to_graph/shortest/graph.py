"""Dependencies of a routing by shortest ways, from sets of destinations: without the table of all pairs.

Where a routing says whose graph's shortest ways it goes (`Routing.shortest`), a breadth-first search backwards from
256 destinations at once, a bit each, gives for every router and port the set of those to which packets leave by it.
Packets are carried on along these sets from all sources, and where the sets of two ports meet there is a dependency.
The graph is that of the walk over the table, bit for bit (`tests/twin/proofs/ways_to_graph/test_shortest.py`). Called
by `dependency`.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.progress import Progress
from jumpnet.analysis.deadlock.rows.bit_rows import words_of
from jumpnet.analysis.deadlock.rows.blank import Graph, ends_everywhere
from jumpnet.analysis.deadlock.rows.compressed_rows import row_starts
from jumpnet.analysis.deadlock.walks.counters import counters_of
from jumpnet.analysis.deadlock.walks.limits import expect
from jumpnet.analysis.deadlock.walks.packet_walk import Job
from jumpnet.analysis.deadlock.ways_to_graph.shortest._ways import Arcs, Met, Sets, follow
from jumpnet.jit.vectors.numbers import BITS, WORDS
from jumpnet.process.threads import interruptible, share
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import MAX_CANDIDATES
from jumpnet.terms import I32, Array

__all__ = [
    "Legal",
    "dependencies_by_shortest_ways",
    "dependencies_of_neighbors",
    "every_channel",
    "legal_ways",
    "shortest_ways_fit",
]

MEMORY_LIMIT_BYTES = 4 << 30
LONG_SECONDS = 12
"""CPU seconds at least, maybe a quarter of what it takes, from which on all ways are looked at first."""


def dependencies_by_shortest_ways(
    bound: BoundRouting, job: Job, legal: Legal | None, sinks: I32, workers: int, progress: Progress
) -> Graph | None:
    """(bits, used, escape, counters) as walks make them; None where the routing or the network does not fit.

    legal: see `legal_ways`. Cost: for each 256 destinations some 10 word operations for each channel, STATE and number
    of hops at which there are some of them; memory some 32 bytes for each channel, STATE and thread.
    """
    if legal is None or not _has_room(bound, legal, workers):
        return None
    arcs, ports = _arcs(legal), bound.network.ports
    expect(f"{bound.name} on {bound.network.spec}", _seconds(legal.there, len(sinks)))
    parts = np.array_split(sinks.astype(np.int64), -(-len(sinks) // BITS))
    done = [0] * workers

    def work(worker: int) -> Met | None:
        """What packets to one thread's share of the sinks meet; None where they are too many to be held."""
        sets, met, room = _room(arcs, ports), _met(arcs, ports), _rows(1)
        for part in parts[worker::workers]:
            if not interruptible(partial(follow, arcs, sets, job.sources.astype(np.int64), part, met, room)):
                return None
            done[worker] += 1
            progress(sum(done), len(parts))
        return met

    made = [met for met in share(work, range(workers), workers) if met is not None]
    return _graph(bound, arcs, made) if len(made) == workers else None


class Legal(NamedTuple):
    """The hops whose shortest ways are gone, from pair to pair (router * S + STATE)."""

    there: I32
    """(N, P) the pair that a port leads to, -1 where there is none."""
    then: Array
    """(R, P, S) as `Shortest.then`."""
    every: bool


def legal_ways(bound: BoundRouting, job: Job) -> Legal | None:
    """The hops that a routing by shortest ways says it takes; None of another routing."""
    net, routing = bound.network, bound.routing
    if routing.shortest is None or bound.own or job.by_channel or job.by_source or job.draws * job.queues > 1:
        return None
    ways = routing.shortest(net, {**bound.options, "vcs": bound.vcs})
    if ways is None:
        return None
    states = ways.then.shape[2]
    there = np.where(ways.then >= 0, net.neighbor[:, :, None].astype(np.int64) * states + ways.then, -1)
    there = np.ascontiguousarray(there.transpose(0, 2, 1).reshape(-1, net.ports), np.int32)
    return Legal(there, ways.then, bool(ways.every))


def _has_room(bound: BoundRouting, legal: Legal, workers: int) -> bool:
    """Whether sets of destinations are looked at: all candidates can be written, and memory holds what threads need."""
    ports = bound.network.ports
    if bound.vcs * (ports if legal.every else 1) > MAX_CANDIDATES:
        return False
    hops = int((legal.there >= 0).sum())
    each = len(legal.there) * 5 * BITS // 8 + hops * (BITS // 8 + 8 * words_of(ports) + 24)
    return each * workers <= MEMORY_LIMIT_BYTES


def shortest_ways_fit(bound: BoundRouting, legal: Legal, destinations: int, workers: int) -> bool:
    """Whether the shortest ways are looked at themselves, and that takes no minutes."""
    return _has_room(bound, legal, workers) and _seconds(legal.there, destinations) < LONG_SECONDS


def dependencies_of_neighbors(bound: BoundRouting, job: Job) -> Graph | None:
    """The same where every router is linked with every other once, so that shortest ways have one hop: there are none.

    bits (P * V, W) are those of one router, as of all. None of another network or routing.
    """
    net, routing = bound.network, bound.routing
    if routing.shortest is None or bound.own or job.by_channel or job.by_source or job.draws * job.queues > 1:
        return None
    others = np.arange(net.routers)
    if not ends_everywhere(net) or net.ports != net.routers - 1 or net.ports == 0:
        return None
    if any((np.sort(row) != np.delete(others, r)).any() for r, row in enumerate(net.neighbor)):
        return None
    ways = routing.shortest(net, {**bound.options, "vcs": bound.vcs})
    if ways is None or (ways.then[:, :, 0] < 0).any():
        return None
    slots, channels = net.ports * bound.vcs, net.routers * net.ports * bound.vcs
    there = [np.unique(net.neighbor[ways.then[:, :, 0] == state]) for state in range(ways.then.shape[2])]
    counters = counters_of(net.routers * net.ports + sum(map(len, there)), choices=bound.vcs > 1)
    used = np.ones(channels, np.uint8)
    return np.zeros((slots, (slots + 63) // 64), np.uint64), used, np.zeros_like(used), counters


def _arcs(legal: Legal) -> Arcs:
    """The graph between pairs (router, STATE)."""
    nodes, there = len(legal.there), legal.there
    origin, port = np.nonzero(there >= 0)
    target = there[origin, port]
    comes = np.argsort(target, kind="stable")
    leave, first = row_starts(origin, nodes).astype(np.int64), row_starts(target[comes], nodes).astype(np.int64)
    before, comes = origin[comes].astype(np.int32), comes.astype(np.int32)
    return Arcs(leave, target, port.astype(np.int32), first, comes, before, legal.then.shape[2], legal.every)


def _seconds(there: I32, destinations: int) -> float:
    """CPU seconds that it takes at least: for 256 destinations 80 ns a hop and STATE, or 2.2 a hop up to 256 hops.

    Measured on networks of 10^3 to 10^5 routers, of up to 100 hops 1.0 to 2.8 times as much, of 400 5.3 times.
    """
    now, hops = np.zeros(len(there), bool), 0
    now[0], seen = True, np.zeros(len(there), bool)
    while now.any() and hops < BITS:
        seen |= now
        after = there[now]
        now = np.zeros(len(seen), bool)
        now[after[after >= 0]] = True
        now &= ~seen
        hops += 1
    return -(-destinations // BITS) * int((there >= 0).sum()) * max(8e-8, 2.2e-9 * hops)


def _rows(many: int) -> Array:
    """(many, WORDS) uint64, each row within a line of the processor's cache."""
    room = np.zeros(many * WORDS + 8, np.uint64)
    start = -room.ctypes.data % 64 // 8
    return room[start : start + many * WORDS].reshape(many, WORDS)


def _room(arcs: Arcs, ports: int) -> Sets:
    nodes = len(arcs.leave) - 1
    seen, now, ahead, here = (_rows(nodes) for _ in range(4))
    lists, mark = np.zeros((2, nodes), np.int32), np.zeros(nodes, np.int32)
    return Sets(seen, now, ahead, here, _rows(len(arcs.to)), lists, mark, np.zeros(ports, np.int32))


def _met(arcs: Arcs, ports: int) -> Met:
    hops = len(arcs.to)
    return Met(np.zeros((hops, words_of(ports)), np.uint64), np.zeros(hops, np.uint8), np.zeros(2, np.int64))


def _graph(bound: BoundRouting, arcs: Arcs, made: list[Met]) -> Graph:
    """What was met, for every virtual channel."""
    net, vcs = bound.network, bound.vcs
    waits = np.zeros((net.routers * net.ports, words_of(net.ports)), np.uint64)
    used = np.zeros(len(waits), np.uint8)
    origin = np.repeat(np.arange(len(arcs.leave) - 1), np.diff(arcs.leave))
    channel, state = origin // arcs.states * net.ports + arcs.port, origin % arcs.states
    for met in made:
        for s in range(arcs.states):
            some = state == s  # one hop a channel
            waits[channel[some]] |= met.waits[some]
            used[channel[some]] |= met.asked[some]
    adaptive = any(met.counted[1] for met in made)
    choices = adaptive or (vcs > 1 and bool(used.any()))
    used, counters = np.repeat(used, vcs), counters_of(sum(met.counted[0] for met in made), choices, adaptive)
    return every_channel(waits, net.ports, vcs), used, np.zeros_like(used), counters


def every_channel(waits: Array, ports: int, vcs: int) -> Array:
    """(C, W) uint64, a bit for each port and virtual channel of the next router that a channel waits for: all virtual
    channels of the ports that `waits`, (C / vcs, words) with a bit a port, has for its link."""
    if vcs == 1:
        return waits
    rows = np.zeros((len(waits), words_of(ports * vcs)), np.uint64)
    for q in range(ports):
        some = waits[:, q >> 6] >> np.uint64(q & 63) & np.uint64(1)
        for bit in range(q * vcs, q * vcs + vcs):
            rows[:, bit >> 6] |= some << np.uint64(bit & 63)
    return np.repeat(rows, vcs, axis=0)
