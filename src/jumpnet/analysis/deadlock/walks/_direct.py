"""Kernel of the channel dependency graph where a packet's router and a small STATE say all: nodes are found by number.

The walk of `packet_walk` finds its nodes in a hash table, whatever STATE and INTERMEDIATE may be. Most routings keep
little or nothing in STATE, so that node router * S + STATE has a place of its own, and a walk to one destination goes
through arrays in order. Who cannot be followed so is left to `packet_walk`, which also says what is wrong with a packet
that gets lost. Called by `walkers`, `_phases` and `depth_first`; twin: `_explore.explore`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.rows.bit_rows import are_set
from jumpnet.analysis.deadlock.walks.packet_walk import ADAPTIVE, CHOICES, EDGES, ESCAPES, FULL, NODES, STATES, begin
from jumpnet.jit.linked import entry, inlined, kernel
from jumpnet.routings.view import (
    DESTINATION,
    ESCAPE,
    IN_PORT,
    IN_VC,
    INTERMEDIATE,
    KIND,
    MAX_CANDIDATES,
    NEXT_STATE,
    PORT,
    SOURCE,
    STATE,
    VC,
    call,
)
from jumpnet.terms import I32, I64, Array

__all__ = [
    "CHANNEL_SHIFT",
    "Places",
    "channel_of",
    "child_of",
    "collect_direct",
    "explore_direct",
    "follow",
    "meet",
    "new_places",
    "note_asked",
    "walk_direct",
]

CHANNEL_SHIFT = 31
"""An edge is one number: channel << CHANNEL_SHIFT | node it enters << 1, and 1 more where it is an ESCAPE candidate."""


@inlined
def channel_of(edge):
    """The channel by which an edge leaves."""
    return edge >> CHANNEL_SHIFT


@inlined
def child_of(edge):
    """The node that an edge enters."""
    return (edge & (1 << CHANNEL_SHIFT) - 1) >> 1


class Places(NamedTuple):
    """Room for the packets to one destination: N = R * S nodes, E edges, W words a mask."""

    states: int
    """S: STATE is 0..S-1."""
    bare: bool
    """Whether every packet starts with STATE 0 (there is no start hook)."""
    met: I32
    """(N,) number of the walk that met the node last."""
    order: I32
    """(N,) nodes in the order in which they were met."""
    first: I64
    """(N + 1,) first edge of each node, in that order."""
    edge: I64
    """(E,) candidates, see CHANNEL_SHIFT."""
    mask: Array
    """(N, W) uint64, bit port * vcs + vc set for each candidate."""
    asked: Array
    """(R, W) uint64: the channels that packets to any destination asked for."""
    escapes: Array
    """(R, W) uint64: those among them that were asked for as ESCAPE."""


def new_places(routers: int, states: int, bare: bool, edges: int, words: int) -> Places:
    """Empty arrays with room for so many edges."""
    nodes = routers * states
    return Places(
        states,
        bare,
        np.full(nodes, -1, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes + 1, np.int64),
        np.zeros(edges + MAX_CANDIDATES, np.int64),
        np.zeros((nodes, words), np.uint64),
        np.zeros((routers, words), np.uint64),
        np.zeros((routers, words), np.uint64),
    )


@inlined
def meet(places, count, node, walk):
    """Add a node to the order unless this walk has met it."""
    if places.met[node] != walk:
        places.met[node] = walk
        places.order[count[NODES]] = node
        count[NODES] += 1


@inlined
def _candidates(relation, view, places, space, k, destination, walk):
    """Ask for the candidates of the k-th node met: False when a packet fails there, or leaves the numbered nodes."""
    count, head, out = space.counters, space.head, space.out
    node = np.int64(places.order[k])
    here = node // places.states if places.states > 1 else node
    head[STATE], head[DESTINATION] = node - here * places.states, destination
    for w in range(places.mask.shape[1]):
        places.mask[node, w] = 0
    found = call(relation, view, int(here), head, out)
    if found > MAX_CANDIDATES or found < 0 or (found == 0 and here != destination):
        return False
    ports, vcs, e = view.neighbor.shape[1], view.vcs, count[EDGES]
    for i in range(found):
        port, vc, state = out[i, PORT], out[i, VC], out[i, NEXT_STATE]
        if port < 0 or port >= ports or vc < 0 or vc >= vcs or state < 0 or state >= places.states:
            return False
        there = np.int64(view.neighbor[here, port])
        if there < 0:
            return False
        count[CHOICES] |= i > 0
        count[ADAPTIVE] |= port != out[0, PORT]
        bit, child = port * vcs + vc, there * places.states + state
        word = np.uint64(1) << np.uint64(bit & 63)
        places.mask[node, bit >> 6] |= word
        edge = here * ports * vcs + bit << CHANNEL_SHIFT | child << 1
        if out[i, KIND] & ESCAPE != 0:
            count[ESCAPES] = 1
            places.escapes[here, bit >> 6] |= word
            edge |= 1
        places.edge[e] = edge
        e += 1
        meet(places, count, child, walk)
    count[EDGES] = e
    places.first[k + 1] = e
    for w in range(places.mask.shape[1]):
        places.asked[here, w] |= places.mask[node, w]
    return True


@inlined
def _enter(start, view, job, places, space, source, destination, walk):
    """Add the nodes at which packets from one source begin; False when one is not numbered."""
    head = space.head
    if places.bare:
        meet(places, space.counters, source * places.states, walk)
        return True
    for draw in range(job.draws):
        for busy in range(job.queues):
            begin(start, view, space, source, destination, draw, busy)
            if head[STATE] < 0 or head[STATE] >= places.states or head[INTERMEDIATE] != -1:
                return False
            meet(places, space.counters, source * places.states + head[STATE], walk)
    return True


@kernel
def walk_direct(relation, start, view, job, places, space, destination, walk):
    """All nodes and edges of the packets to one destination; False when they cannot be followed here."""
    count = space.counters
    count[NODES] = count[EDGES] = count[FULL] = 0
    for i in range(job.sources.size):
        source = np.int64(job.sources[i])
        if source == destination and not job.home:
            continue
        if not _enter(start, view, job, places, space, source, destination, walk):
            return False
    return follow(relation, view, places, space, destination, np.int64(-1), walk)


@kernel
def follow(relation, view, places, space, destination, intermediate, walk):
    """Go on from the nodes met: False when packets cannot be followed here."""
    count, head = space.counters, space.head
    head[SOURCE], head[IN_PORT], head[IN_VC], head[INTERMEDIATE] = -1, -1, -1, intermediate
    k = 0
    while k < count[NODES]:
        if count[EDGES] + MAX_CANDIDATES > places.edge.size:
            count[FULL] = 1
            return False
        if not _candidates(relation, view, places, space, k, destination, walk):
            return False
        k += 1
    return True


@inlined
def collect_direct(places, count, bits):
    """OR the candidates of the node each edge enters into the row of its channel, or where bits (P * V, W) has fewer
    rows into that of its port and virtual channel."""
    count[STATES] += count[NODES]
    for e in range(count[EDGES]):
        row, child = channel_of(places.edge[e]), child_of(places.edge[e])
        if row >= bits.shape[0]:
            row %= bits.shape[0]
        for w in range(bits.shape[1]):
            bits[row, w] |= places.mask[child, w]


@entry
def explore_direct(relation, start, view, job, places, space, stretch, bits):
    """Make the walks of a stretch; ORs into bits (C or P * V, W), places.asked and places.escapes.

    Returns its end, or the position of the destination whose packets cannot be followed here; FULL says that it is for
    want of edges.
    """
    count = space.counters
    for i in range(stretch.at, stretch.stop):
        if not walk_direct(relation, start, view, job, places, space, np.int64(stretch.sinks[i]), i):
            return i
        collect_direct(places, count, bits)
    return stretch.stop


def note_asked(places: Places, used: Array, escape: Array) -> None:
    """Set used (C,) and escape (C,) where packets asked for the channel."""
    for flags, asked in ((used, places.asked), (escape, places.escapes)):
        flags.reshape(len(asked), -1)[are_set(asked, len(used) // len(asked))] = 1
