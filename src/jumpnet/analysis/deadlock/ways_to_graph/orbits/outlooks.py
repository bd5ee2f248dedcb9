"""Dependency graphs by outlooks: a routing that moves with the automorphisms is followed from one source an orbit.

The relation must read nothing but STATE and declare an `outlook` (see `Routing`); the automorphisms are those of the
network's family, and each is checked to keep port numbers. Where any of this fails the caller walks from every source.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.rows.blank import Graph, blank
from jumpnet.analysis.deadlock.walks.packet_walk import (
    FAILURE,
    FULL,
    STATES,
    Job,
    Nodes,
    Space,
    Stretch,
    new_nodes,
    new_space,
)
from jumpnet.analysis.deadlock.walks.waits import Waits, grown, new_waits
from jumpnet.analysis.deadlock.ways_to_graph.orbits._outlooks import Looks, collect, place
from jumpnet.analysis.deadlock.ways_to_graph.orbits.labels import orbit_labels, orbits_of
from jumpnet.errors import JumpnetError
from jumpnet.process.threads import share
from jumpnet.routings import STATE, BoundRouting
from jumpnet.routings.reads import fields_read
from jumpnet.terms import I32, I64

__all__ = [
    "equivariant_labels",
    "place_everywhere",
    "seen_outlooks",
    "waits_everywhere",
]

CHUNK = 1 << 12


def equivariant_labels(bound: BoundRouting) -> I64 | None:
    """(R,) `orbit_labels` where a routing may be followed from one source per orbit, else None.

    It may when it has an outlook, reads only STATE, and every router has as many terminals, and takes as many packets.
    """
    routing, net = bound.routing, bound.network
    if routing.outlook is None or not bound.symmetric or bound.draws != 1:
        return None
    fields = fields_read(routing.relation, 2) | fields_read(routing.outlook, 2)
    uneven = (net.terminals != net.terminals[0]).any() or (net.sinks != net.sinks[0]).any()
    if not fields <= {STATE} or uneven:
        return None
    return orbit_labels(net)


def seen_outlooks(
    bound: BoundRouting,
    job: Job,
    label: I64,
    sinks: I32,
    failed: Callable[[Nodes, Space, int], JumpnetError],
    progress: Progress = silent,
    workers: int = 1,
) -> tuple[I64, int]:
    """(M, 3) the (orbit, outlook, a state) triples met on the way from one router of each orbit; states followed.

    In the order in which packets to one sink after another come to them, however many threads there are.
    """
    job = job._replace(sources=np.unique(label).astype(np.int32))
    done = [0]

    def part(first: int) -> tuple[I64, int] | JumpnetError:
        """What is met on the way to one chunk of sinks, or why a packet is not delivered."""
        found = _seen_from(bound, job, label, sinks[: first + CHUNK], first, failed)
        done[0] += 1
        progress(min(done[0] * CHUNK, len(sinks)), len(sinks))
        return found

    parts, followed = [], 0
    for found in share(part, range(0, len(sinks), CHUNK), workers):
        if isinstance(found, JumpnetError):
            raise found
        parts.append(found[0])
        followed += found[1]
    every = np.concatenate(parts) if parts else np.zeros((0, 3), np.int64)
    order = np.lexsort((every[:, 1], every[:, 0]))  # stable: of those alike the first comes first
    alike = (every[order[1:], :2] == every[order[:-1], :2]).all(axis=1)
    return every[np.sort(np.delete(order, np.flatnonzero(alike) + 1))], followed


def _seen_from(
    bound: BoundRouting,
    job: Job,
    label: I64,
    sinks: I32,
    first: int,
    failed: Callable[[Nodes, Space, int], JumpnetError],
) -> tuple[I64, int] | JumpnetError:
    """The same of packets to sinks[first:] alone, or why one is not delivered."""
    words, size, room, at = (bound.network.ports * bound.vcs + 63) // 64, 1 << 10, 1 << 12, first
    space, pointers = new_space(bound.view.queues), (bound.pointer, bound.start_pointer, bound.outlook_pointer)
    table, seen, nodes = np.zeros(4 * room, np.int32), np.zeros((room + 1, 3), np.int64), new_nodes(size, words)
    while at < len(sinks):
        stretch, looks = Stretch(sinks, at, len(sinks)), Looks(label, table, seen)
        at = int(collect(*pointers, bound.view, job, nodes, space, stretch, looks))
        if space.counters[FAILURE]:
            return failed(nodes, space, int(sinks[at]))
        if space.counters[FULL]:
            size *= 2
            nodes = new_nodes(size, words)
        elif at < len(sinks):
            room *= 4
            at, space.counters[STATES] = first, 0
            table, seen = np.zeros(4 * room, np.int32), np.zeros((room + 1, 3), np.int64)
    return seen[: int(seen[-1, 0])].copy(), int(space.counters[STATES])


def _placed(bound: BoundRouting, label: I64, seen: I64, part: range, waits: Waits) -> tuple[Graph, Waits]:
    """Dependencies, and waits if there are lists for them, of some outlooks at all routers of their orbit."""
    net = bound.network
    rows, space, at = blank(bound), new_space(bound.view.queues), part.start
    orbits = orbits_of(label)
    pointers = bound.pointer, bound.outlook_pointer, bound.view
    while at < part.stop:
        at += int(place(*pointers, space, orbits, seen[at : part.stop], rows, waits))
        if space.counters[FAILURE]:
            raise JumpnetError(f"{bound.name} on {net.spec} does not move with the network's automorphisms")
        if at < part.stop:
            waits = grown(waits)
    return (*rows, space.counters), waits


def place_everywhere(bound: BoundRouting, label: I64, seen: I64, states: int, workers: int) -> Callable[[int], Graph]:
    """The work of each of `workers` threads: dependencies of a share of the outlooks at all routers of their orbit."""

    def work(worker: int) -> Graph:
        """Dependencies of one thread's share of the outlooks."""
        part = range(*(len(seen) * w // workers for w in (worker, worker + 1)))
        made, _ = _placed(bound, label, seen, part, new_waits(0, 1, 0))
        made[3][STATES] = states if worker == 0 else 0
        return made

    return work


def waits_everywhere(bound: BoundRouting, label: I64, seen: I64) -> Waits:
    """What packets that hold each channel may wait for, of all outlooks at all routers of their orbit."""
    rows = bound.network.routers * bound.network.ports * bound.vcs
    waits = new_waits(rows, (bound.network.ports * bound.vcs + 63) // 64, 4 * rows)
    return _placed(bound, label, seen, range(len(seen)), waits)[1]
