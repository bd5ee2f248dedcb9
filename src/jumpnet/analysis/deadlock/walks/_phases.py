"""Kernel of the dependency graph of routings in two phases (Valiant): each phase on its own, joined at its middle.

A packet goes from any source by any router to any other destination. To the middle router it is routed whatever its
destination, from there on whatever the middle, so that R walks for each phase and the pairs of channels that meet at
each middle router say all: O(R^2) instead of O(R^3). See `Routing.two_phases`; twin: the walk over all triples, in
`tests/twin/proofs/test_dependency.py`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.walks._direct import channel_of, child_of, collect_direct, follow, meet
from jumpnet.analysis.deadlock.walks.depth_first import FINE, leave_in_order
from jumpnet.analysis.deadlock.walks.packet_walk import EDGES, FULL, NODES, STATES
from jumpnet.jit.linked import entry, kernel
from jumpnet.routings.view import DESTINATION, IN_PORT, IN_VC, INTERMEDIATE, PORT, STATE, VC, call

__all__ = ["explore_phases"]


@kernel
def _one_phase(relation, view, places, space, target, phase):
    """All nodes of packets from every other router to `target`, in phase 0 the middle, in phase 1 their destination."""
    count, walk = space.counters, 2 * target + phase
    count[NODES] = count[EDGES] = count[FULL] = 0
    for s in range(view.neighbor.shape[0]):
        if s != target:
            for state in range(phase, places.states, 2):
                meet(places, count, s * places.states + state, walk)
    return follow(relation, view, places, space, target, target, walk)


@kernel
def _first_hops(relation, view, space, middle, mask):
    """mask[o, 0] of all channels that packets of order o may ask for first from `middle` on; mask[o, 1 + p] of those
    not bound for the neighbor at port p.
    """
    head, out, vcs = space.head, space.out, view.vcs
    mask[:] = 0
    for d in range(view.neighbor.shape[0]):
        if d == middle:
            continue
        for order in range(mask.shape[0]):
            head[DESTINATION], head[STATE], head[IN_PORT], head[IN_VC] = d, 1 + 2 * order, -1, -1
            head[INTERMEDIATE] = d
            for i in range(call(relation, view, middle, head, out)):
                bit = out[i, PORT] * vcs + out[i, VC]
                word = np.uint64(1) << np.uint64(bit & 63)
                mask[order, 0, bit >> 6] |= word
                for p in range(view.neighbor.shape[1]):
                    if view.neighbor[middle, p] != d:
                        mask[order, 1 + p, bit >> 6] |= word


@kernel
def _join(view, places, count, middle, home, mask, entered, bits):
    """OR the first hops from `middle` into the rows of the channels by which packets reach it.

    A packet that no other comes before was sent by the router at the channel's beginning, and is not bound back for it,
    unless packets go home.
    """
    vcs, ports = view.vcs, view.neighbor.shape[1]
    for k in range(count[NODES]):
        entered[places.order[k]] = False
    for e in range(count[EDGES]):
        entered[child_of(places.edge[e])] = True
    for k in range(count[NODES]):
        for e in range(places.first[k], places.first[k + 1]):
            there, state = divmod(child_of(places.edge[e]), places.states)
            if there == middle:
                channel, node = channel_of(places.edge[e]), np.int64(places.order[k])
                here = node // places.states
                back = view.far_port[here, channel // vcs - here * ports]
                row = 0 if home or entered[node] else 1 + back
                for w in range(bits.shape[1]):
                    bits[channel % bits.shape[0], w] |= mask[state // 2, row, w]


@entry(allocates=True)
def explore_phases(relation, view, places, space, home, at, stop, bits, descent):
    """Walk both phases of the routers at..stop-1 as targets; ORs into bits (C, W), places.asked and places.escapes.

    bits (P * V, W) has a row for each port and virtual channel, whatever the router; home: as in `Job`.
    Returns `stop`, or the router at which a packet failed, revisited a state, or the arrays were too small.
    """
    mask = np.zeros((places.states // 2, 1 + view.neighbor.shape[1], bits.shape[1]), np.uint64)
    entered, count = np.zeros(places.order.size, np.bool_), space.counters
    for target in range(at, stop):
        before = count[STATES]
        for phase in range(2):
            followed = _one_phase(relation, view, places, space, target, phase)
            if not followed or leave_in_order(places, count, descent) != FINE:
                count[STATES] = before  # both phases are followed again where this was for want of room
                return target
            collect_direct(places, count, bits)
            if phase == 0:
                _first_hops(relation, view, space, target, mask)
                _join(view, places, count, target, home, mask, entered, bits)
    return stop
