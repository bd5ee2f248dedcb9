"""States of packets of a routing that moves with the network's automorphisms, from one router of each orbit.

Of routings that choose, for which `outlooks` sees too little: they have an `escape_class`. What is declared is checked
on the way, see `states_by_orbit`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.cycles.order import numbering
from jumpnet.analysis.deadlock.walks.packet_walk import Job, new_space
from jumpnet.analysis.deadlock.ways_to_graph.orbits._explore import (
    FULL,
    NODES,
    WRONG,
    Carriers,
    States,
    explore,
    starts_alike,
)
from jumpnet.analysis.deadlock.ways_to_graph.orbits._place import (
    channels_at,
    check_nodes,
    check_requests,
    number_requests,
)
from jumpnet.analysis.deadlock.ways_to_graph.orbits.labels import Orbits, keeping_ports, orbits_of
from jumpnet.analysis.deadlock.ways_to_graph.orbits.transversal import Transversal
from jumpnet.process.threads import interruptible, share, slices
from jumpnet.routings import ESCAPE, STATE, BoundRouting
from jumpnet.routings.reads import fields_read
from jumpnet.terms import I8, I32, I64
from jumpnet.topology.orbits import joined

__all__ = ["StatesByOrbit", "states_by_orbit"]

LEAST_ROOM = 1 << 12
MOST_ROOM = 1 << 26
"""States from one router of each orbit."""
MOST_PORTS = 32
MOST_ROWS = 1 << 27
"""Escapes at all routers of their orbits (some ten seconds)."""
MOST_TRIED = 1 << 25
"""Requests at routers of their orbits (some seconds)."""
PIECES = 4
"""For each thread of what is tried elsewhere, as parts of the same length do not take the same time."""


@dataclass(frozen=True, eq=False)
class StatesByOrbit:
    """All states, and what packets ask for in each."""

    bound: BoundRouting
    states: States
    nodes: int
    orbits: Orbits
    order: I32
    """(N,) nodes, candidates lead to later ones."""
    request: I32
    """(N,) which request a state has."""
    member: I32
    """(I,) a state of each request."""
    row: I32
    """(I,) of `at`."""
    port: I64
    """(V,) by which the escapes of a row leave, -1 where there are none."""
    at: I8
    """(V, M) virtual channel of these escapes, at each router of the orbit in turn; -1 if none."""


def states_by_orbit(bound: BoundRouting, job: Job, workers: int = 1) -> StatesByOrbit | None:
    """The states; None where a routing does not declare what is needed, or deviates from what it declares.

    Checked on the way: automorphisms keep ports; packets start alike at one more router of each orbit; those with the
    same STATE are bound for the same router, seen from where they are, and arrive there; each escape is tried at all
    routers of its orbit, each request at all or, where these are more than MOST_TRIED, at as many of them evenly spread
    as that allows, each state at one more.
    Cost: a few calls of the relation for each state.
    """
    net = bound.network
    if not _fits(bound, job):
        return None
    ways = keeping_ports(net)
    label = joined(net.routers, ways)
    sources = np.unique(label).astype(np.int32)
    if len(sources) * net.routers > MOST_ROOM:
        return None
    orbits = orbits_of(label)
    others = orbits.routers[(orbits.begin[sources] + 2 * orbits.begin[sources + 1]) // 3]
    carry, sinks = Transversal(label, ways), np.arange(net.routers, dtype=np.int32)
    alike = partial(_start_alike, bound, others, label, carry.of(others))
    starts = [partial(alike, sinks[some]) for some in slices(len(sinks), max(1, workers - 1))]
    found, *start = _at_once(workers, partial(_explored, bound, sources, sinks, carry), *starts)
    if found is None or not all(start):
        return None
    states, nodes = found
    order, requests = _at_once(
        workers, partial(_in_order, *found), partial(_requests, bound, states, nodes, orbits.begin)
    )
    if order is None:
        return None
    made = StatesByOrbit(bound, states, nodes, orbits, order, *requests)
    return made if len(made.member) and _hold(made, workers) else None


def _at_once(workers: int, *works: Callable[[], Any]) -> list[Any]:
    """What each of some works comes to; the longest first, so that other threads do the others beside it."""
    return share(lambda work: work(), works, workers)


def _fits(bound: BoundRouting, job: Job) -> bool:
    """Whether a routing says what is needed, and reads nothing but STATE."""
    routing, net = bound.routing, bound.network
    if routing.escape_class is None or bound.own or bound.draws != 1 or job.queues != 1 or net.ports > MOST_PORTS:
        return False
    fields = fields_read(routing.relation, 2) | fields_read(routing.escape_class, 2)
    everywhere = (net.terminals == net.terminals[0]).all() and net.terminals[0] > 0 and (net.sinks > 0).all()
    return bool(fields <= {STATE} and everywhere)


def _start_alike(bound: BoundRouting, others: I32, label: I64, carried: I32, sinks: I32) -> bool:
    """Whether packets to some sinks begin at some other routers as they do at the representatives."""
    space = new_space(bound.view.queues)
    return bool(starts_alike(bound.start_pointer, bound.view, space, others, label, carried, sinks))


def _in_order(states: States, nodes: int) -> I32 | None:
    """(N,) nodes, candidates lead to later ones; None where packets may come back to a state."""
    number = numbering(states.first[: nodes + 1], states.child[: states.first[nodes]])
    return None if number is None else np.argsort(number).astype(np.int32)


def _room(nodes: int) -> States:
    """Empty arrays for so many states."""
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


def _explored(bound: BoundRouting, sources: I32, sinks: I32, carry: Transversal) -> tuple[States, int] | None:
    """All states that packets from the representatives come to, and how many; None where they do not move along."""
    net, room = bound.network, LEAST_ROOM
    near = np.unique(net.neighbor[sources])
    near = near[near >= 0]
    place = np.full(net.routers, -1, np.int64)
    place[near] = np.arange(len(near))
    carriers = carry.of(near)
    while room < len(sources) * (net.routers - 1):  # packets to each router begin in a state of their own
        room *= 8
    while room <= MOST_ROOM:
        states, count, space = _room(room), np.zeros(8, np.int64), new_space(bound.view.queues)
        pointers = bound.pointer, bound.start_pointer, bound.view
        interruptible(partial(explore, *pointers, space, states, count, sources, sinks, Carriers(place, carriers)))
        if count[WRONG]:
            return None
        if not count[FULL]:
            return states, int(count[NODES])
        room *= 8
    return None


def _requests(bound: BoundRouting, states: States, nodes: int, begin: I64) -> tuple[I32, I32, I32, I64, I8]:
    """(request, member, row, port, at) of `StatesByOrbit`, the last still to be filled; no members where
    the routing says so."""
    request, member, look = np.zeros(nodes, np.int32), np.zeros(nodes, np.int32), np.zeros(nodes, np.int64)
    table, space = np.zeros(1 << (2 * nodes - 1).bit_length(), np.int32), new_space(bound.view.queues)
    many = int(
        number_requests(bound.escape_class_pointer, bound.view, space, states, nodes, table, request, member, look)
    )
    widest, slot = int(np.diff(begin).max()), np.full(many, -1)
    for i, n in enumerate(member[:many]):
        some = slice(states.first[n], states.first[n + 1])
        slot[i] = states.slot[some][(states.kind[some] & ESCAPE) != 0].max(initial=-1)
    named = np.stack([states.router[member[:many]], look[:many], slot], axis=1)
    same, row = np.unique(named, axis=0, return_inverse=True)
    if len(same) * widest > MOST_ROWS:
        many = 0
    port = np.where(same[:, 2] < 0, -1, same[:, 2] // bound.vcs)
    at = np.full((len(same), widest), -1, np.int8)
    return request, member[:many].copy(), row.reshape(-1).astype(np.int32), port, at


def _hold(made: StatesByOrbit, workers: int) -> bool:
    """Whether packets do the same at other routers as at the representatives of the orbits; fills `at`."""
    bound = made.bound

    def is_wrong(check: tuple[Callable[..., bool], tuple[object, ...]]) -> bool:
        """Whether one check finds packets that do not do the same."""
        kernel, given = check
        return bool(kernel(bound.pointer, bound.view, new_space(bound.view.queues), made.states, *given))

    row = made.row
    every = len(made.member) * made.at.shape[1] // MOST_TRIED + 1
    some = made.member[np.unique(row, return_index=True)[1]]
    channels = [(channels_at, (some[part], made.orbits, made.at[part])) for part in slices(len(some), workers)]
    if any(share(is_wrong, channels, workers)):
        return False
    requests = [
        (check_requests, (made.member[part], row[part], every, made.orbits, made.at))
        for part in slices(len(made.member), workers * PIECES, every)
    ]
    each = row[made.request], made.orbits, made.at
    nodes = [(check_nodes, (part.start, part.stop, *each)) for part in slices(made.nodes, workers * PIECES)]
    return not any(share(is_wrong, [*requests, *nodes], workers))
