"""States of packets of a routing that moves with the network's automorphisms, from one router of each orbit.

Of routings that choose, for which `uniform` sees too little: STATE is all that they read, they have a `sight`. What is
declared is looked at on the way, see `moved_states`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from jumpnet.analysis.deadlock.moved._explore import FULL, NODES, WRONG, States, explore, in_order
from jumpnet.analysis.deadlock.moved._place import channels_at, channels_of_some, number_askings
from jumpnet.analysis.deadlock.packet_walk import Job, new_space
from jumpnet.analysis.deadlock.uniform import orbit_labels
from jumpnet.process.threads import interruptible
from jumpnet.routings import STATE, BoundRouting
from jumpnet.routings.reads import fields_read
from jumpnet.terms import I8, I32, I64
from jumpnet.topology import family

__all__ = ["Moved", "moved_states"]

LEAST_ROOM = 1 << 12
MOST_ROOM = 1 << 26
"""States from one router of each orbit."""
MOST_PORTS = 32
MOST_TRIED = 1 << 27
"""Askings at all routers of their orbits (some ten seconds)."""


@dataclass(frozen=True, eq=False)
class Moved:
    """All states, and what packets ask for in each."""

    bound: BoundRouting
    states: States
    nodes: int
    label: I64
    """(R,) the router that names the orbit of each."""
    orbits: I32
    """(R,) the routers, orbit by orbit."""
    begin: I64
    """(R + 1,) where the orbit that router r names begins and, at r + 1, ends."""
    order: I32
    """(N,) nodes, candidates lead to later ones."""
    asking: I32
    """(N,) which asking a state has."""
    member: I32
    """(I,) a state of each asking."""
    at: I8
    """(I, M) virtual channel of the escape of each asking, at each router of its orbit in turn; -1 if none."""

    @cached_property
    def index(self) -> I64:
        """(R,) place of each router in its orbit."""
        place = np.empty(len(self.orbits), np.int64)
        place[self.orbits] = np.arange(len(self.orbits)) - self.begin[self.label[self.orbits]]
        return place


def moved_states(bound: BoundRouting, job: Job) -> Moved | None:
    """The states; None where a routing does not declare what it takes, or does otherwise than it says.

    Looked at on the way: automorphisms keep ports; packets with the same STATE are bound for the same router, seen from
    where they are, and arrive there; each asking is tried at all routers of its orbit, each state at one more.
    Cost: a few calls of the relation for each state.
    """
    label = _labels(bound, job)
    if label is None:
        return None
    net = bound.network
    sources = np.unique(label).astype(np.int32)
    near = np.unique(net.neighbor[sources])
    near = near[near >= 0]
    place = np.full(net.routers, -1, np.int64)
    place[near] = np.arange(len(near))
    found = _explored(bound, sources, place, _carriers(bound, label, near))
    if found is None:
        return None
    states, nodes = found
    order, left = np.zeros(nodes, np.int32), np.zeros(nodes, np.int32)
    if in_order(states, nodes, order, left) < nodes:
        return None
    orbits = np.argsort(label, kind="stable").astype(np.int32)
    begin = np.searchsorted(label[orbits], np.arange(net.routers + 1))
    asked = _askings(bound, states, nodes, orbits, begin)
    return None if asked is None else Moved(bound, states, nodes, label, orbits, begin, order, *asked)


def _labels(bound: BoundRouting, job: Job) -> I64 | None:
    routing, net = bound.routing, bound.network
    if routing.sight is None or bound.own or not bound.symmetric or bound.draws != 1 or job.queues != 1:
        return None
    fields = fields_read(routing.relation, 2) | fields_read(routing.sight, 2)
    everywhere = (net.terminals == net.terminals[0]).all() and net.terminals[0] > 0 and (net.sinks > 0).all()
    if not fields <= {STATE} or not everywhere or net.ports > MOST_PORTS:
        return None
    return orbit_labels(net)


def _carriers(bound: BoundRouting, label: I64, near: I32) -> I32:
    """(M, R) automorphisms, one for each router of near (M,), that carry it to the router that names its orbit."""
    net = bound.network
    ways = [np.asarray(g, np.int64) for g in family(net.spec).automorphisms(net)]
    ways += [np.argsort(g) for g in ways]
    back = np.full(net.routers, -1, np.int64)
    """Which of these carries a router to the one that it was found from."""
    seen = label == np.arange(net.routers)
    front = np.flatnonzero(seen)
    while len(front):
        found = []
        for i, way in enumerate(ways):
            to = np.unique(way[front])
            to = to[~seen[to]]
            seen[to], back[to] = True, (i + len(ways) // 2) % len(ways)
            found.append(to)
        front = np.concatenate(found)
    made = np.empty((len(near), net.routers), np.int32)
    for row, router in zip(made, near, strict=True):
        moved, at = np.arange(net.routers), int(router)
        while back[at] >= 0:
            moved = ways[back[at]][moved]
            at = int(ways[back[at]][at])
        row[:] = moved
    return made


def _room(nodes: int) -> States:
    edges = 6 * nodes
    return States(
        np.zeros(1 << (2 * nodes - 1).bit_length(), np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int32),
        np.zeros(nodes + 1, np.int64),
        np.zeros(edges, np.int16),
        np.zeros(edges, np.int16),
        np.zeros(edges, np.int32),
    )


def _explored(bound: BoundRouting, sources: I32, place: I64, carriers: I32) -> tuple[States, int] | None:
    net, room = bound.network, LEAST_ROOM
    sinks = np.flatnonzero(net.sinks > 0).astype(np.int32)
    while room <= MOST_ROOM:
        states, count, space = _room(room), np.zeros(8, np.int64), new_space(bound.view.queues)
        pointers = bound.pointer, bound.start_pointer, bound.view
        interruptible(partial(explore, *pointers, space, states, count, sources, sinks, place, carriers))
        if count[WRONG]:
            return None
        if not count[FULL]:
            return states, int(count[NODES])
        room *= 8
    return None


def _askings(bound: BoundRouting, states: States, nodes: int, orbits: I32, begin: I64) -> tuple[I32, I32, I8] | None:
    space, count = new_space(bound.view.queues), np.zeros(8, np.int64)
    asking, member, look = np.zeros(nodes, np.int32), np.zeros(nodes, np.int32), np.zeros(nodes, np.int64)
    table = np.zeros(1 << (2 * nodes - 1).bit_length(), np.int32)
    many = int(number_askings(bound.sight_pointer, bound.view, space, states, nodes, table, asking, member, look))
    member = member[:many].copy()
    widest = int(np.diff(begin).max())
    if many * widest > MOST_TRIED:
        return None
    at = np.full((many, widest), -1, np.int8)
    pointers = bound.pointer, bound.view, space, states
    interruptible(partial(channels_at, *pointers, count, member, orbits, begin, at))
    if not count[WRONG]:
        interruptible(partial(channels_of_some, *pointers, nodes, count, asking, orbits, begin, at))
    return None if count[WRONG] else (asking, member, at)
