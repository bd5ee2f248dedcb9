"""The channel dependency graph of a routing between permutations, from the ways to go, each for all routers at once.

Where each port exchanges symbols by their places, as in a star graph, other names for the symbols carry every link to a
link of the same port. So where the ports of a packet follow from its way to go, packets on one way behave alike at all
routers, but for what the relation asks of the numbers of routers. What differs is STATE, and with it the virtual
channels; so for each way the STATEs at all routers are kept, as bits, and carried on along the one hop that the way
takes. Each way leads to one other, so that all is gone through in some R^2 steps, without a call of the relation; the
graph is that of the walk, bit for bit (`tests/twin/proofs/ways_to_graph/test_relabelling.py`). Called by `dependency`.

Why it is exact. By induction over the hops: the bits of a way at a router are the STATEs with which packets that
have this way to go come there. Those that start have STATE 0, and whoever comes by a hop had the way before and was
at the router before, whose bits are complete, as the ways form a tree towards the end. What the relation does
with a way and a STATE it was seen to do for all pairs of routers with that way (`outcomes`), but for its
question, and that is answered for each router from the arrays.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from jumpnet.analysis.deadlock.rows.bit_rows import set_bits
from jumpnet.analysis.deadlock.rows.blank import Graph, blank, ends_everywhere
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.walks.counters import counters_of
from jumpnet.analysis.deadlock.walks.packet_walk import CHOICES, Job
from jumpnet.analysis.deadlock.ways_to_graph.relabelling._spread import Questions, Tree, spread
from jumpnet.analysis.deadlock.ways_to_graph.relabelling.ways import Ways, identity_of, ways_of
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64, Array

__all__ = ["dependencies_by_relabelling"]

LONGEST_WAY = 1 << 8


def dependencies_by_relabelling(bound: BoundRouting, job: Job) -> Graph | None:
    """(bits, used, escape, counters) as walks make them; None where the network or the routing does not fit.

    Every router must be source and sink, and packets start with STATE 0. Cost: some 2 ns for each pair of routers.
    """
    net, routing = bound.network, bound.routing
    if bound.own or routing.start is not None or routing.bubble or job.by_channel or job.by_source:
        return None
    end = identity_of(net)
    if end is None or not ends_everywhere(net):
        return None
    try:
        ways = ways_of(bound, end)
        if ways.depth.max() > LONGEST_WAY:
            return None
        up = np.vstack([np.arange(net.routers) < net.neighbor.T, np.zeros((1, net.routers), bool)])
        states, seen = _seen(net, ways, up)
        return _graph(bound, ways, up, states, seen)
    except Unfit:
        return None


def _seen(net: Network, ways: Ways, up: Array) -> tuple[int, Array]:
    """States of packets, counted, and (K, K + 1, R) the STATEs, as bits, on ways of one kind before one of another."""
    kinds, one = len(ways.asked), np.uint16(1)
    after = np.zeros((kinds, 2, 1 << len(ways.states)), np.uint16)
    number = np.arange(after.shape[2])
    for k, takes in enumerate(ways.takes):
        for answer, taken in enumerate(takes):
            for s, candidates in enumerate(taken):
                ahead = np.uint16(sum({1 << ways.states.index(then) for _, then in candidates if then in ways.states}))
                after[k, answer, number >> s & 1 == 1] |= ahead
    many = np.array([bin(bits).count("1") for bits in number], np.int64)
    rows = np.full((int(ways.depth.max()) + 1, net.routers), one, np.uint16)
    rows[0] = 0
    seen = np.zeros((kinds, kinds + 1, net.routers), np.uint16)
    asked = np.array([net.ports if port < 0 else port for port in ways.asked])
    beyond, tree = (
        np.ascontiguousarray(net.neighbor.T),
        Tree(_leaves_first(net, ways), ways.depth, ways.port, ways.kind),
    )
    states = spread(beyond, up, tree, Questions(asked, after, many), one, rows, seen)
    return int(states), seen


def _leaves_first(net: Network, ways: Ways) -> I64:
    """(R,) the ways, each after all that lead to it, and these one directly after the other with what leads to them."""
    then = np.where(ways.port >= 0, net.neighbor[np.arange(net.routers), ways.port], -1)
    size = np.ones(net.routers, np.int64)
    for hops in range(int(ways.depth.max()), 0, -1):
        those = ways.depth == hops
        np.add.at(size, then[those], size[those])
    last = np.full(net.routers, net.routers - 1, np.int64)
    for hops in range(1, int(ways.depth.max()) + 1):
        those = np.flatnonzero(ways.depth == hops)
        those = those[np.argsort(then[those], kind="stable")]
        before = np.cumsum(size[those]) - size[those]
        first = np.searchsorted(then[those], then[those])
        last[those] = last[then[those]] - 1 - (before - before[first])
    order = np.empty(net.routers, np.int64)
    order[last] = np.arange(net.routers)
    return order


def _graph(bound: BoundRouting, ways: Ways, up: Array, states: int, seen: Array) -> Graph:
    """The dependencies of what was seen; raises Unfit where a packet fails."""
    net, vcs, (bits, used, escape) = bound.network, bound.vcs, blank(bound)
    counters, shape = counters_of(states), (net.routers, net.ports, vcs)
    wanted = _wanted(ways, vcs, bits.shape[1])
    cases = product(range(len(ways.takes)), range(len(ways.takes) + 1), range(len(ways.states)), range(2))
    for k, then, s, answer in cases:
        port, candidates = ways.leaves_by[k], ways.takes[k][answer][s]
        here = np.flatnonzero((seen[k, then] >> s & 1 == 1) & (up[ways.asked[k]] == answer))
        if len(here) == 0:
            continue
        if not candidates:
            raise Unfit
        counters[CHOICES] |= len(candidates) > 1
        there = net.neighbor[here, port]
        for vc, state in candidates:
            used.reshape(shape)[here, port, vc] = 1
            if then < len(ways.takes):
                answered = up[ways.asked[then]][there].astype(np.int64)
                ahead = wanted[then, answered, ways.states.index(state)]
                bits.reshape(*shape, -1)[here, port, vc] |= ahead
    return bits, used, escape, counters


def _wanted(ways: Ways, vcs: int, words: int) -> Array:
    """(K, 2, S, W) uint64: bit port * vcs + vc of each candidate of a kind, answer and STATE."""
    made = np.zeros((len(ways.takes), 2, len(ways.states), words), np.uint64)
    for k, takes in enumerate(ways.takes):
        for answer, taken in enumerate(takes):
            for s, candidates in enumerate(taken):
                set_bits(made[k, answer, s], [ways.leaves_by[k] * vcs + vc for vc, _ in candidates])
    return made
