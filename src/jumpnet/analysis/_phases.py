"""Kernel of the dependency graph of routings in two phases (Valiant): each phase on its own, joined at its middle.

A packet goes from any source by any router to any other destination. To the middle router it is routed whatever its
destination, from there on whatever the middle, so that R walks for each phase and the pairs of channels that meet at
each middle router say all: O(R^2) instead of O(R^3). See `Routing.two_phases`; twin: the walk over all triples, in
`tests/twin/test_dependency.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet._linked import entry, kernel
from jumpnet.analysis._dependency import collect_edges
from jumpnet.analysis._loops import scan
from jumpnet.analysis._walk import DONE, EDGES, FAILURE, FULL, NODES, STATES, drain, inject_one
from jumpnet.routing.view import DESTINATION, IN_PORT, IN_VC, INTERMEDIATE, PORT, SOURCE, STATE, VC, call

__all__ = ["explore_phases"]


@kernel
def _one_phase(relation, view, job, nodes, space, target, state):
    """All nodes of packets from every other router to `target` that start with a STATE: 0 to the middle, 1 from it."""
    count, head = space.counters, space.head
    nodes.table[:] = 0
    count[NODES] = count[EDGES] = count[DONE] = count[FULL] = 0
    for s in range(view.neighbor.shape[0]):
        if s != target and count[FULL] == 0:
            head[SOURCE], head[DESTINATION], head[STATE] = s, target, state
            head[IN_PORT], head[IN_VC], head[INTERMEDIATE] = -1, -1, target
            inject_one(relation, view, job, nodes, space, s)
    if count[FULL] == 0:
        drain(relation, view, job, nodes, space)


@kernel
def _first_hops(relation, view, space, middle, mask):
    """mask[0] of all channels that packets may ask for first from `middle` on; mask[1 + p] of those not bound for the
    neighbor at port p.
    """
    head, out, vcs = space.head, space.out, view.vcs
    mask[:] = 0
    for d in range(view.neighbor.shape[0]):
        if d == middle:
            continue
        head[DESTINATION], head[STATE], head[IN_PORT], head[IN_VC], head[INTERMEDIATE] = d, 1, -1, -1, d
        for i in range(call(relation, view, middle, head, out)):
            bit = out[i, PORT] * vcs + out[i, VC]
            word = np.uint64(1) << np.uint64(bit & 63)
            mask[0, bit >> 6] |= word
            for p in range(view.neighbor.shape[1]):
                if view.neighbor[middle, p] != d:
                    mask[1 + p, bit >> 6] |= word


@kernel
def _join(view, nodes, count, middle, mask, entered, bits):
    """OR the first hops from `middle` into the rows of the channels by which packets reach it.

    A packet that no other comes before was sent by the router at the channel's beginning, and is not bound back for it.
    """
    vcs, ports = view.vcs, view.neighbor.shape[1]
    entered[:count] = False
    for n in range(count):
        for e in range(nodes.first[n], nodes.first[n + 1]):
            entered[nodes.edge[e, 3]] = True
    for n in range(count):
        for e in range(nodes.first[n], nodes.first[n + 1]):
            channel = nodes.edge[e, 0]
            if nodes.key[nodes.edge[e, 3], 3] == middle:
                here = nodes.key[n, 3]
                back = view.far_port[here, channel // vcs - here * ports]
                row = 0 if entered[n] else 1 + back
                for w in range(bits.shape[1]):
                    bits[channel, w] |= mask[row, w]


@entry(allocates=True)
def explore_phases(relation, view, job, nodes, space, at, stop, bits, used, escape, scratch):
    """Walk both phases of the routers at..stop-1 as targets; ORs into bits (C, W), used (C,), escape (C,).

    Returns `stop`, or the router at which a packet failed, went round in circles, or the arrays were too small.
    """
    mask = np.zeros((1 + view.neighbor.shape[1], bits.shape[1]), np.uint64)
    entered, count = np.zeros(nodes.parent.size, np.bool_), space.counters
    for target in range(at, stop):
        for phase in range(2):
            _one_phase(relation, view, job, nodes, space, target, phase)
            if count[FULL] != 0 or count[FAILURE] != 0:
                return target
            if scan(nodes, count[NODES], scratch[0], scratch[1])[0] > 0:
                return target
            count[STATES] += count[NODES]
            collect_edges(nodes, space, bits, used, escape)
            if phase == 0:
                _first_hops(relation, view, space, target, mask)
                _join(view, nodes, count[NODES], target, mask, entered, bits)
    return stop
