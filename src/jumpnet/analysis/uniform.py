"""Dependency graphs of routings that move with the network's automorphisms: one source per orbit stands for all.

The relation must read nothing but STATE and declare an `outlook` (see `Routing`); the automorphisms are those of the
network's family, and each is checked to keep port numbers. Where any of this fails the caller walks from every source.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jumpnet.analysis._uniform import collect, place
from jumpnet.analysis._walk import FAILURE, FULL, STATES, Job, Nodes, Space, new_nodes, new_space
from jumpnet.errors import JumpnetError
from jumpnet.network import Network
from jumpnet.routing import STATE, BoundRouting
from jumpnet.routing._reads import fields_read
from jumpnet.terms import I32, I64, Array
from jumpnet.topology import family

__all__ = ["is_uniform", "orbit_labels", "place_everywhere", "seen_outlooks"]


def is_uniform(bound: BoundRouting) -> bool:
    """Whether a routing may be followed from one source per orbit: it has an outlook and reads only STATE."""
    routing, net = bound.routing, bound.network
    if routing.outlook is None or not routing.symmetric(net) or bound.draws != 1:
        return False
    fields = fields_read(routing.relation, 2) | fields_read(routing.outlook, 2)
    return fields <= {STATE} and bool((net.terminals == net.terminals[0]).all())


def orbit_labels(net: Network) -> I64 | None:
    """(R,) the least router that the family's port-keeping automorphisms carry each router to; None when unknown.

    None too when the family is not known, or one of its automorphisms does not keep port numbers.
    """
    try:
        known = family(net.spec)
    except JumpnetError:
        return None
    label = np.arange(net.routers, dtype=np.int64)
    none = net.neighbor < 0
    generators = [np.asarray(g, np.int64) for g in known.automorphisms(net)]
    for g in generators:
        if (np.where(none, -1, g[net.neighbor]) != net.neighbor[g]).any():
            return None
        if (net.far_port != net.far_port[g]).any() or (net.link_class != net.link_class[g]).any():
            return None
    changed = True
    while changed:
        before = label.copy()
        for g in generators:
            np.minimum(label, label[g], out=label)
            np.minimum.at(label, g, label.copy())
        label = label[label]
        changed = bool((label != before).any())
    return label


def seen_outlooks(
    bound: BoundRouting, job: Job, label: I64, sinks: I32, failed: Callable[[Nodes, Space, int], JumpnetError]
) -> tuple[I64, int, int]:
    """(M, 3) the (orbit, outlook, a state) triples met on the way from one router of each orbit; M; states followed."""
    net = bound.network
    job = job._replace(sources=np.unique(label).astype(np.int32))
    words = (net.ports * bound.vcs + 63) // 64
    space, room, size, at = new_space(net.ports), 1 << 12, 1 << 10, 0
    table, seen = np.zeros(4 * room, np.int32), np.zeros((room + 1, 3), np.int64)
    while at < len(sinks):
        nodes = new_nodes(size, words)
        at = collect(
            bound.pointer, bound.start_pointer, bound.outlook_pointer, bound.view,
            job, nodes, space, sinks, at, label, table, seen,
        )  # fmt: skip
        if space.counters[FAILURE]:
            raise failed(nodes, space, int(sinks[at]))
        if space.counters[FULL]:
            size *= 2
        elif at < len(sinks):
            room *= 4
            at, space.counters[STATES] = 0, 0
            table, seen = np.zeros(4 * room, np.int32), np.zeros((room + 1, 3), np.int64)
    return seen, int(seen[-1, 0]), int(space.counters[STATES])


def place_everywhere(
    bound: BoundRouting, label: I64, seen: I64, count: int, states: int, workers: int
) -> Callable[[int], tuple[Array, Array, Array, Array]]:
    """The work of each of `workers` threads: dependencies of a share of the outlooks at all routers of their orbit."""
    net, vcs = bound.network, bound.vcs
    rows, words = net.routers * net.ports * vcs, (net.ports * vcs + 63) // 64
    pointers: tuple[Any, ...] = (bound.pointer, bound.outlook_pointer, bound.view)
    members = np.argsort(label, kind="stable").astype(np.int32)

    def work(worker: int) -> tuple[Array, Array, Array, Array]:
        bits, used, escape = np.zeros((rows, words), np.uint64), np.zeros(rows, np.uint8), np.zeros(rows, np.uint8)
        space = new_space(net.ports)
        begin, end = (count * w // workers for w in (worker, worker + 1))
        place(*pointers, space, label, members, seen, begin, end, bits, used, escape)
        if space.counters[FAILURE]:
            raise JumpnetError(f"{bound.name} on {net.spec} does not move with the network's automorphisms")
        space.counters[STATES] = states if worker == 0 else 0
        return bits, used, escape, space.counters

    return work
