"""Kernels: every state in which packets to one destination can be, and the channels they may ask for there.

A node is (place, STATE, INTERMEDIATE); place is the router, or the arrival channel when the relation looks at it. An
edge is a candidate: it leaves a node by a (channel, vc) and enters another node. Called by the kernels `_explore`,
`depth_first` and `conditions._duato`, and by `packet_states`; the naive twin is `tests/naive/dependency.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.linked import entry, inlined, kernel
from jumpnet.routings.view import (
    DESTINATION,
    ESCAPE,
    HEADER_FIELDS,
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
    call_start,
)
from jumpnet.terms import I32, I64, Array

__all__ = [
    "Job",
    "Nodes",
    "Space",
    "Stretch",
    "begin",
    "drain",
    "goes_out",
    "inject_one",
    "new_nodes",
    "new_space",
    "parts",
    "walk",
    "walk_alone",
    "walk_part",
]

# Indices of the counters a walk keeps.
NODES = 0
EDGES = 1
DONE = 2
FAILURE = 3
FAILED_AT = 4
ADAPTIVE = 5
ESCAPES = 6
STATES = 7
FULL = 8
CHOICES = 9
RAISED = 10
"""Of a search, as the two that follow, see `depth_first`."""
WAY = 11
TURN = 12
COUNTERS = 13

# Values of counter FAILURE.
LOST = 1
"""The relation says arrived at a router that is not the destination."""
STUCK = 2
"""The relation gives no route."""
ASTRAY = 3
"""The relation names a port without link or a virtual channel that does not exist."""
TOO_MANY = 4
"""The relation writes more candidates than there are rows."""


class Job(NamedTuple):
    """What every walk of one proof shares."""

    sources: I32
    """(S,) routers at which packets enter."""
    draws: int
    """Draws of the start hook, all of which are followed."""
    queues: int
    """1, or 1 + the queues that the start hook sees when it reads them: none busy, then each alone; of a user's hook as
    many again: all but each."""
    by_channel: bool
    """Whether a node's place is the arrival channel (the relation reads IN_PORT or IN_VC) or the router."""
    by_source: bool
    """Whether the relation reads SOURCE, so that the packets of each source are followed apart."""
    home: bool = False
    """Whether packets to the router where they enter are followed too, as some of them leave it (`goes_out`)."""


class Nodes(NamedTuple):
    """Nodes and edges of one destination, in arrays with room for N nodes and E edges. W words a mask."""

    table: I32
    """(power of two,) hash table of node + 1, 0 where free."""
    key: I64
    """(N, 4) place, STATE, INTERMEDIATE, router; place is -1 - router at the source when by channel."""
    parent: I32
    """(N,) a node from which this one was first reached, -1 at a source."""
    first: I64
    """(N + 1,) first edge of each node."""
    mask: Array
    """(N, W) uint64, bit port * vcs + vc set for each candidate."""
    edge: I64
    """(E, 4) channel (router * ports + port) * vcs + vc, NEXT_STATE, KIND, node entered."""


class Space(NamedTuple):
    """Scratch arrays of one walk."""

    counters: I64
    """(COUNTERS,)."""
    head: I64
    """(HEADER_FIELDS,) header handed to the relation."""
    out: I64
    """(8 * MAX_CANDIDATES, 4) its answer; the spare rows catch a relation that writes too many."""
    queue: I64
    """(view.queues,) queues handed to the start hook."""


class Stretch(NamedTuple):
    """Walks `at` to `stop` - 1, which are made one after the other."""

    sinks: I32
    """(D,) destinations of all walks."""
    at: int
    stop: int


def new_space(queues: int) -> Space:
    """Scratch arrays for a start hook that sees so many queues."""
    return Space(
        np.zeros(COUNTERS, np.int64),
        np.zeros(HEADER_FIELDS, np.int64),
        np.zeros((8 * MAX_CANDIDATES, 4), np.int64),
        np.zeros(queues, np.int64),
    )


def new_nodes(capacity: int, words: int) -> Nodes:
    """Empty arrays for `capacity` nodes (a power of two)."""
    return Nodes(
        np.zeros(2 * capacity, np.int32),
        np.zeros((capacity, 4), np.int64),
        np.zeros(capacity, np.int32),
        np.zeros(capacity + 1, np.int64),
        np.zeros((capacity, words), np.uint64),
        np.zeros((2 * capacity + MAX_CANDIDATES, 4), np.int64),
    )


@inlined
def _slot(place, state, inter, size):
    """Home slot of a key in a table whose size is a power of two (no product exceeds 62 bits)."""
    h = (place & 0x7FFFFFFF) * 0x4F1BBCDD
    h ^= ((state ^ (state >> 31)) & 0x7FFFFFFF) * 0x5851F42D
    h ^= (inter & 0x7FFFFFFF) * 0x27D4EB2F
    h = ((h ^ (h >> 31)) & 0x7FFFFFFF) * 0x45D9F3B
    return (h >> 20) & (size - 1)


@inlined
def _find(nodes, place, state, inter):
    """Slot that holds a key, or the free slot where it belongs."""
    size = nodes.table.size
    slot = _slot(place, state, inter, size)
    while nodes.table[slot] != 0:
        n = nodes.table[slot] - 1
        if nodes.key[n, 0] == place and nodes.key[n, 1] == state and nodes.key[n, 2] == inter:
            break
        slot = (slot + 1) & (size - 1)
    return slot


@inlined
def _create(relation, view, nodes, space, slot, place, here, parent):
    """Add a node for the header in `space.head` at router `here` and ask the relation for its candidates."""
    count, head, out = space.counters, space.head, space.out
    n = count[NODES]
    count[NODES] += 1
    nodes.table[slot] = n + 1
    nodes.key[n, 0], nodes.key[n, 1], nodes.key[n, 2], nodes.key[n, 3] = place, head[STATE], head[INTERMEDIATE], here
    nodes.parent[n] = parent
    nodes.mask[n] = 0
    nodes.first[n + 1] = nodes.first[n] = count[EDGES]
    found = call(relation, view, here, head, out)
    failure = 0
    if found == 0 and here != head[DESTINATION]:
        failure = LOST
    elif found < 0:
        failure = STUCK
    elif found > MAX_CANDIDATES:
        failure = TOO_MANY
    if failure == 0:
        ports, vcs = view.neighbor.shape[1], view.vcs
        for i in range(found):
            port, vc = out[i, PORT], out[i, VC]
            if port < 0 or port >= ports or vc < 0 or vc >= vcs or view.neighbor[here, port] < 0:
                failure = ASTRAY
                break
            if i > 0:
                count[CHOICES] = 1
            if port != out[0, PORT]:
                count[ADAPTIVE] = 1
            if out[i, KIND] & ESCAPE != 0:
                count[ESCAPES] = 1
            bit = port * vcs + vc
            nodes.mask[n, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
            e = count[EDGES]
            nodes.edge[e, 0], nodes.edge[e, 1] = (here * ports + port) * vcs + vc, out[i, NEXT_STATE]
            nodes.edge[e, 2], nodes.edge[e, 3] = out[i, KIND], -1
            count[EDGES] += 1
    if failure != 0 and count[FAILURE] == 0:
        count[FAILURE], count[FAILED_AT] = failure, n
    nodes.first[n + 1] = count[EDGES]
    return n


@inlined
def _has_room(nodes, count):
    """Whether one more node fits with all the candidates it may have; remembers in the counters when not."""
    if count[NODES] < nodes.parent.size and count[EDGES] + MAX_CANDIDATES <= nodes.edge.shape[0]:
        return True
    count[FULL] = 1
    return False


@kernel
def drain(relation, view, job, nodes, space):
    """Follow every edge of every node not done yet, adding the nodes entered."""
    count, head = space.counters, space.head
    ports, vcs = view.neighbor.shape[1], view.vcs
    while count[DONE] < count[NODES]:
        n = count[DONE]
        count[DONE] += 1
        here, inter = nodes.key[n, 3], nodes.key[n, 2]
        for e in range(nodes.first[n], nodes.first[n + 1]):
            channel, state = nodes.edge[e, 0], nodes.edge[e, 1]
            port = (channel // vcs) - here * ports
            there = np.int64(view.neighbor[here, port])
            place = channel if job.by_channel else there
            slot = _find(nodes, place, state, inter)
            child = np.int64(nodes.table[slot]) - 1
            if child < 0:
                if not _has_room(nodes, count):
                    return
                head[STATE], head[INTERMEDIATE] = state, inter
                head[IN_PORT], head[IN_VC] = view.far_port[here, port], channel % vcs
                child = _create(relation, view, nodes, space, slot, place, there, n)
            nodes.edge[e, 3] = child


@kernel
def inject_one(relation, view, nodes, space, place, here):
    """Add the node at which the packet of the header in `space.head` stands, unless it is there."""
    slot = _find(nodes, place, space.head[STATE], space.head[INTERMEDIATE])
    if nodes.table[slot] == 0 and _has_room(nodes, space.counters):
        _create(relation, view, nodes, space, slot, place, here, -1)


@inlined
def begin(start, view, space, source, destination, draw, busy):
    """The header in `space.head` of a packet that starts by a draw.

    busy: 0 no queue is long, then each alone, then all but each.
    """
    head, queue = space.head, space.queue
    if busy > queue.size:
        queue[:] = 1 << 20
        queue[busy - 1 - queue.size] = 0
    elif busy > 0:
        queue[busy - 1] = 1 << 20
    head[SOURCE], head[DESTINATION], head[STATE] = source, destination, 0
    head[IN_PORT], head[IN_VC], head[INTERMEDIATE] = -1, -1, -1
    call_start(start, view, head, draw, queue)
    if busy > queue.size:
        queue[:] = 0
    elif busy > 0:
        queue[busy - 1] = 0


@inlined
def _inject(relation, start, view, job, nodes, space, source, destination):
    """Add the nodes at which packets from one source begin: every draw, every pattern of queues."""
    place = -1 - source if job.by_channel else source
    for draw in range(job.draws):
        for busy in range(job.queues):
            begin(start, view, space, source, destination, draw, busy)
            inject_one(relation, view, nodes, space, place, source)


@kernel
def walk(relation, start, view, job, nodes, space, source, destination):
    """All nodes and edges of the packets to `destination` from `source`, or from every source when it is -1.

    `space.counters` says how much of the arrays is filled, what went wrong, and in FULL whether they were too small.
    """
    count = space.counters
    nodes.table[:] = 0
    count[NODES] = count[EDGES] = count[DONE] = count[FULL] = 0
    if source >= 0:
        _inject(relation, start, view, job, nodes, space, source, destination)
    else:
        for i in range(job.sources.size):
            s = np.int64(job.sources[i])
            if (s != destination or job.home) and count[FULL] == 0:
                _inject(relation, start, view, job, nodes, space, s, destination)
    if count[FULL] == 0:
        drain(relation, view, job, nodes, space)


@entry
def walk_alone(relation, start, view, job, nodes, space, source, destination):
    """`walk` for Python, where no other kernel needs it."""
    walk(relation, start, view, job, nodes, space, source, destination)


def parts(job: Job, sinks: I32) -> int:
    """Number of walks that make a whole: one for each destination, or each pair where sources are followed apart."""
    return len(sinks) * (len(job.sources) if job.by_source else 1)


@kernel
def walk_part(relation, start, view, job, nodes, space, sinks, part):
    """Walk number `part` of `parts(job, sinks)`; False when there is nothing to walk (a pair of one router)."""
    per = job.sources.size if job.by_source else 1
    destination = np.int64(sinks[part // per])
    source = np.int64(job.sources[part % per]) if job.by_source else np.int64(-1)
    there = source != destination or job.home
    if there:
        walk(relation, start, view, job, nodes, space, source, destination)
    return there


@entry
def goes_out(relation, start, view, job, space, routers):
    """Whether some packet from one of some routers to itself takes a channel first."""
    for i in range(routers.size):
        here = np.int64(routers[i])
        for draw in range(job.draws):
            for busy in range(job.queues):
                begin(start, view, space, here, here, draw, busy)
                if call(relation, view, int(here), space.head, space.out) > 0:
                    return True
    return False
