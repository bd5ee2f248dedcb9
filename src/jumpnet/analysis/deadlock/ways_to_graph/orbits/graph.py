"""Dependencies of routings that choose and move with the network's automorphisms, from one router of each orbit.

See `states` for what is declared and what of it is looked at. Called by `dependency`.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.rows.bit_rows import set_bits
from jumpnet.analysis.deadlock.rows.blank import Graph, blank
from jumpnet.analysis.deadlock.rows.compressed_rows import holders
from jumpnet.analysis.deadlock.walks.counters import counters_of
from jumpnet.analysis.deadlock.walks.packet_walk import Job
from jumpnet.analysis.deadlock.ways_to_graph.orbits._place import Hops, place_asked, place_dependencies
from jumpnet.analysis.deadlock.ways_to_graph.orbits.states import StatesByOrbit, states_by_orbit
from jumpnet.process.threads import share, slices
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import ESCAPE
from jumpnet.terms import I64, Array

__all__ = ["GraphByOrbit", "dependencies_by_orbit"]


class GraphByOrbit(NamedTuple):
    """The graph, and the states that it is of."""

    graph: Graph
    moved: StatesByOrbit


def dependencies_by_orbit(bound: BoundRouting, job: Job, workers: int = 1) -> GraphByOrbit | None:
    """The dependencies, where the routing declares an `escape_class` that holds; else None.

    Cost: that of `states_by_orbit`, and some nanoseconds for each kind of hop at each router.

    >>> from jumpnet.analysis.deadlock.walks.walkers import job_of
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> bound = bind("rdt.duato", build("rdt:16"))
    >>> dependencies_by_orbit(bound, job_of(bound)).moved.nodes
    3733
    """
    moved = states_by_orbit(bound, job, workers)
    if moved is None:
        return None
    bits, used, escape = blank(bound)
    view = bound.view
    hops = _hops(moved, bits.shape[1], workers)
    place_asked(view, hops.asked, moved.orbits, moved.at, used, escape)
    place = partial(place_dependencies, view, hops, moved.port, moved.orbits, moved.at, bits)
    share(lambda part: place(part, workers), range(workers), workers)
    return GraphByOrbit((bits, used, escape, _counters(moved)), moved)


def _pairs(moved: StatesByOrbit, workers: int) -> I64:
    """(K, 3) (request, number of its candidate, request at the next router), each once."""
    states, many = moved.states, len(moved.member)
    widest = int(np.diff(states.first[: moved.nodes + 1]).max(initial=1))

    def codes(nodes: slice) -> I64:
        """Those of some states, as one number each."""
        first = states.first[nodes.start : nodes.stop + 1]
        holder = holders(first)
        number = np.arange(len(holder)) - (first[holder] - first[0])
        after = moved.request[states.child[first[0] : first[-1]]]
        return np.unique((moved.request[nodes][holder].astype(np.int64) * widest + number) * many + after)

    code = np.unique(np.concatenate(share(codes, slices(moved.nodes, workers), workers)))
    return np.stack([code // many // widest, code // many % widest, code % many], axis=1)


def _hops(moved: StatesByOrbit, words: int, workers: int) -> Hops:
    """What is asked for somewhere, and what after it."""
    states, vcs, rows = moved.states, moved.bound.vcs, len(moved.at)
    slots = moved.bound.network.ports * vcs
    request, number, after = _pairs(moved, workers).T
    edge = states.first[moved.member[request]] + number
    escape, slot = (states.kind[edge] & ESCAPE) != 0, states.slot[edge].astype(np.int64)
    row = np.where(escape, moved.row[request], -1)
    name = states.router[moved.member[request]].astype(np.int64) * slots + np.where(escape, slot // vcs * vcs, slot)
    known, of = np.unique(name * (rows + 1) + row + 1, return_inverse=True)
    asked = np.stack([known // (rows + 1) // slots, known // (rows + 1) % slots, known % (rows + 1) - 1], axis=1)
    mask, masks = np.zeros((len(asked), words), np.uint64), _masks(moved, words)
    np.bitwise_or.at(mask, of, masks[after])
    wanted = moved.row[after]
    code = np.unique((of * rows + wanted)[moved.port[wanted] >= 0])
    return Hops(asked, mask, np.stack([code // rows, code % rows], axis=1))


def _masks(moved: StatesByOrbit, words: int) -> Array:
    """(I, W) what a request asks for anywhere: bits port * vcs + vc of all but its escape."""
    states = moved.states
    mask = np.zeros((len(moved.member), words), np.uint64)
    for row, n in zip(mask, moved.member, strict=True):
        some = slice(states.first[n], states.first[n + 1])
        set_bits(row, states.slot[some][states.kind[some] & ESCAPE == 0])
    return mask


def _counters(moved: StatesByOrbit) -> I64:
    states, vcs = moved.states, moved.bound.vcs
    some = [slice(states.first[n], states.first[n + 1]) for n in moved.member]
    choices = any(len(states.slot[one]) > 1 for one in some)
    adaptive = any(len(np.unique(states.slot[one] // vcs)) > 1 for one in some)
    escapes = any((states.kind[one] & ESCAPE).any() for one in some)
    return counters_of(moved.nodes, choices, adaptive, escapes)
