"""Kernels: states of packets at the representatives of the orbits, wherever packets are.

A node is (representative of the orbit, STATE). The destination, mapped along, is kept to check that packets arrive at
theirs. Called by `states`; twins: `packet_walk.walk`, and
`tests/naive/dependency.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.walks.packet_walk import begin
from jumpnet.jit.linked import entry, inlined, kernel
from jumpnet.routings.view import DESTINATION, KIND, MAX_CANDIDATES, NEXT_STATE, PORT, STATE, VC, call
from jumpnet.terms import I16, I32, I64

__all__ = ["EDGES", "FULL", "NODES", "WRONG", "Carriers", "States", "explore", "starts_alike"]

# Indices of the counters.
NODES = 0
EDGES = 1
DONE = 2
BEGUN = 3
FULL = 4
WRONG = 5
"""1 where packets do not move with the automorphisms, or do not arrive: the caller uses another method."""


class States(NamedTuple):
    """Nodes and the candidates of each, with room for N and E."""

    table: I32
    """(power of two,) hash table of node + 1, 0 where free."""
    router: I32
    """(N,) the orbit's representative."""
    state: I64
    """(N,)."""
    target: I32
    """(N,) the destination as seen from there."""
    first: I64
    """(N + 1,) first candidate."""
    slot: I16
    """(E,) port * vcs + vc of a candidate at that router."""
    kind: I16
    """(E,)."""
    child: I32
    """(E,) the node that it leads to."""


@inlined
def _find(states, router, state):
    """Slot of the table that holds a node, or the free one where it belongs."""
    size = states.table.size
    h = (router & 0x7FFFFFFF) * 0x4F1BBCDD
    h ^= ((state ^ (state >> 31)) & 0x7FFFFFFF) * 0x5851F42D
    h = ((h ^ (h >> 31)) & 0x7FFFFFFF) * 0x45D9F3B
    at = (h >> 20) & (size - 1)
    while states.table[at] != 0:
        n = states.table[at] - 1
        if states.router[n] == router and states.state[n] == state:
            break
        at = (at + 1) & (size - 1)
    return at


@inlined
def _node(states, count, router, state, target):
    """The node of a packet, which is added if need be; one for another destination is noted as WRONG."""
    at = _find(states, router, state)
    n = np.int64(states.table[at]) - 1
    if n < 0:
        n = count[NODES]
        count[NODES] += 1
        states.table[at] = n + 1
        states.router[n], states.state[n], states.target[n] = router, state, target
    elif states.target[n] != target:
        count[WRONG] = 1
    return n


class Carriers(NamedTuple):
    """The automorphisms that map each neighbor of some representatives to the representative of its orbit."""

    place: I64
    """(R,) row of `moved`, -1 of other routers."""
    moved: I32
    """(M, R) where each router comes to."""


@kernel
def _drain(relation, view, space, states, count, carriers):
    """Ask the relation at every node not done yet."""
    head, out, ports, vcs = space.head, space.out, view.neighbor.shape[1], view.vcs
    while count[DONE] < count[NODES] and count[WRONG] == 0:
        if count[NODES] + MAX_CANDIDATES > states.state.size or count[EDGES] + MAX_CANDIDATES > states.slot.size:
            count[FULL] = 1
            return
        n = count[DONE]
        count[DONE] += 1
        here, target = int(states.router[n]), np.int64(states.target[n])
        head[STATE], head[DESTINATION] = states.state[n], target
        found = call(relation, view, here, head, out)
        if found < 0 or found > MAX_CANDIDATES or (found == 0 and here != target):
            count[WRONG] = 1
            return
        for j in range(found):
            port, vc = out[j, PORT], out[j, VC]
            if port < 0 or port >= ports or vc < 0 or vc >= vcs or view.neighbor[here, port] < 0:
                count[WRONG] = 1
                return
            there = np.int64(view.neighbor[here, port])
            e, move = count[EDGES], carriers.moved[carriers.place[there]]
            count[EDGES] += 1
            states.slot[e], states.kind[e] = port * vcs + vc, out[j, KIND]
            other, goal = np.int64(move[there]), np.int64(move[target])
            states.child[e] = _node(states, count, other, out[j, NEXT_STATE], goal)
        states.first[n + 1] = count[EDGES]


@entry
def explore(relation, start, view, space, states, count, sources, sinks, carriers):
    """All states that packets from `sources` (S,), one of each orbit, come to; ends early with FULL or WRONG."""
    head = space.head
    while count[BEGUN] < sources.size * sinks.size and count[FULL] == 0 and count[WRONG] == 0:
        source = np.int64(sources[count[BEGUN] // sinks.size])
        target = np.int64(sinks[count[BEGUN] % sinks.size])
        if count[NODES] == states.state.size:
            count[FULL] = 1
            return
        if source != target:
            begin(start, view, space, source, target, 0, 0)
            _node(states, count, source, head[STATE], target)
        count[BEGUN] += 1
        _drain(relation, view, space, states, count, carriers)


@entry
def starts_alike(start, view, space, others, label, moved, sinks):
    """Whether packets from others (F,) start with the STATE of those from the representatives of their orbits.

    moved (F, R): automorphisms that map one to the other.
    """
    for f in range(others.size):
        other = np.int64(others[f])
        for i in range(sinks.size):
            target = np.int64(sinks[i])
            if target == other:
                continue
            begin(start, view, space, other, target, 0, 0)
            state = space.head[STATE]
            begin(start, view, space, np.int64(label[other]), np.int64(moved[f, target]), 0, 0)
            if space.head[STATE] != state:
                return False
    return True
