"""Dependencies of all ways in the graph whose shortest ways a routing goes: a proof where these alone take too long.

A routing by shortest ways says between which pairs (router, STATE) its hops lead (`Routing.shortest`). Where these
pairs can be numbered so that each hop ascends, no way at all closes a cycle, whichever of them are shortest: up*/down*
routing is free by the order of its hops (Schroeder et al. 1991). So no destination is looked at. A packet on a channel
is at the pair that the channel leads to, of which there must be one, and the channel has the number of that pair.
Called by `dependency`; the twin is the walk over the table, whose dependencies must be among these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.cycles.order import numbering
from jumpnet.analysis.deadlock.rows.pieces import PIECE_BYTES, Pieces
from jumpnet.analysis.deadlock.walks.counters import counters_of
from jumpnet.analysis.deadlock.walks.packet_walk import Job
from jumpnet.analysis.deadlock.ways_to_graph.shortest._all_ways import spread_both_ways
from jumpnet.analysis.deadlock.ways_to_graph.shortest.graph import Legal, shortest_ways_fit
from jumpnet.routings import BoundRouting
from jumpnet.terms import I32, I64, Array

__all__ = ["AllWays", "dependencies_of_all_ways"]


class AllWays(NamedTuple):
    """The graph of all ways, which has no cycle."""

    used: Array
    """(C,) uint8, see `graph.Dependencies`."""
    counters: I64
    """STATES counts pairs of a router and a STATE; CHOICES and ADAPTIVE say whether the routing may offer several."""
    number: I64
    """(C,) by which every dependency ascends."""
    pieces: Pieces


def dependencies_of_all_ways(
    bound: BoundRouting, job: Job, legal: Legal | None, sinks: I32, workers: int
) -> AllWays | None:
    """Those of every way that hops allow, among which are the routing's; None where it does not fit or has a cycle.

    legal: see `legal_ways`. None too where the shortest ways alone are found in good time, or some packet may have no
    way. Cost: some operations a channel and STATE, and a row of bits for each pair of router and STATE.
    """
    if legal is None or shortest_ways_fit(bound, legal, len(sinks), workers):
        return None
    net, vcs, states = bound.network, bound.vcs, legal.then.shape[2]
    place = numbering(*_hops(legal.there))
    to = None if place is None else _entered(legal.then, net.neighbor)
    if place is None or to is None or not _all_arrive(legal.there, states, place, job.sources, sinks):
        return None
    rows, linked = _asked(legal.there, vcs), to >= 0
    number = np.repeat(np.where(linked, place[to], -1), vcs)
    many = np.bitwise_count(rows).sum(axis=1, dtype=np.int64)
    adaptive = legal.every and bool(((legal.there >= 0).sum(axis=1) > 1).any())
    counters = counters_of(len(rows), adaptive or vcs > 1, adaptive)
    pieces = Pieces(int(many[to[linked]].sum()) * vcs, lambda: _pieces(to, rows, vcs))
    return AllWays(np.repeat(linked, vcs).astype(np.uint8), counters, number, pieces)


def _hops(there: I32) -> tuple[I64, I32]:
    """The graph of pairs in compressed rows."""
    some = there >= 0
    return np.concatenate([[0], np.cumsum(some.sum(axis=1))]), there[some]


def _entered(then: Array, neighbor: I32) -> I64 | None:
    """(R * P,) the pair that a hop by each port leads to, -1 without a hop; None where that goes with the STATE
    before it: then a channel has packets at several pairs."""
    after = then.max(axis=2)
    if ((then >= 0) & (then != after[:, :, None])).any():
        return None
    return np.where(after >= 0, neighbor.astype(np.int64) * then.shape[2] + after, -1).reshape(-1)


def _all_arrive(there: I32, states: int, place: I64, sources: I32, sinks: I32) -> bool:
    """Whether packets of every source have a way to every sink, by way of the pair that comes last of those with STATE
    0: in up*/down* routing the root. False says nothing."""
    middle = int(place[::states].argmax()) * states
    ahead, behind = np.arange(len(there)) == middle, np.arange(len(there)) == middle
    spread_both_ways(there, np.argsort(place), ahead, behind)
    return bool(behind[sources.astype(np.int64) * states].all() and ahead.reshape(-1, states)[sinks].any(axis=1).all())


def _asked(there: I32, vcs: int) -> Array:
    """(N, W) uint64: bit port * vcs + vc of each pair from which a hop leads by the port."""
    nodes, ports = there.shape
    rows = np.zeros((nodes, (ports * vcs + 63) // 64), np.uint64)
    for port in range(ports):
        some = (there[:, port] >= 0).astype(np.uint64)
        for bit in range(port * vcs, port * vcs + vcs):
            rows[:, bit >> 6] |= some << np.uint64(bit & 63)
    return rows


def _pieces(to: I64, rows: Array, vcs: int) -> Iterator[Array]:
    """Rows of channels: those of the pair that each leads to."""
    step = max(1, PIECE_BYTES // (8 * rows.shape[1] * vcs))
    for first in range(0, len(to), step):
        some = to[first : first + step]
        yield np.repeat(np.where((some >= 0)[:, None], rows[some], np.uint64(0)), vcs, axis=0)
