"""Packets followed one by one, each with a header of its own from where it stands to its end, by all candidates.

Called by `bounds.named` and `changes.meeting`; twins: the walks over all packets, and `tests/naive/meeting.py`.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.walks.packet_walk import (
    CHOICES,
    DONE,
    EDGES,
    FAILURE,
    FULL,
    NODES,
    STATES,
    begin,
    drain,
    inject_one,
    new_nodes,
    new_space,
)
from jumpnet.analysis.deadlock.walks.walkers import job_read_of
from jumpnet.jit.linked import entry
from jumpnet.memory import require
from jumpnet.process.threads import interruptible
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import HEADER_FIELDS
from jumpnet.terms import I64

__all__ = ["CHANNEL", "HERE", "Followed", "follow_all", "new_heads", "started"]

CHANNEL, HERE = HEADER_FIELDS, HEADER_FIELDS + 1
"""Fields of a head behind those of its header: the channel that it stands in (-1 at its source), and its router."""
FEW_STATES, FEW_EDGES = 1 << 12, 1 << 16
"""States of one packet that there is room for at first, a power of two, and hops of several."""
TOGETHER = 1 << 10
"""Packets that are followed one after the other before anything else is listened to."""


class Followed(NamedTuple):
    """What some packets do."""

    hops: I64
    """(E, 3) channel that is held (-1 at the source), channel that is asked for, place of the packet among them."""
    states: int
    choices: bool
    """Whether one may choose."""


def new_heads(many: int) -> I64:
    """(many, HEADER_FIELDS + 2) room for the heads of packets."""
    return np.zeros((many, HEADER_FIELDS + 2), np.int64)


@entry
def note_begun(start, view, space, packets, heads):
    """Write the heads of packets (K, 4) at their sources: source, destination, draw, queue that is busy or -1."""
    for k in range(packets.shape[0]):
        begin(start, view, space, packets[k, 0], packets[k, 1], packets[k, 2], packets[k, 3] + 1)
        for field in range(HEADER_FIELDS):
            heads[k, field] = space.head[field]
        heads[k, CHANNEL], heads[k, HERE] = -1, packets[k, 0]


@entry
def follow_each(relation, view, job, nodes, space, heads, at, stop, hops):
    """Follow heads[at:stop] and write their hops (E, 3): (the head reached, hops written).

    Short of `stop` where one does not come to its end (FAILURE), or where the arrays were too small.
    """
    count, filled = space.counters, 0
    for h in range(at, stop):
        for field in range(HEADER_FIELDS):
            space.head[field] = heads[h, field]
        nodes.table[:] = 0
        count[NODES] = count[EDGES] = count[DONE] = count[FULL] = 0
        here, held = heads[h, HERE], heads[h, CHANNEL]
        inject_one(relation, view, nodes, space, held if held >= 0 else -1 - here, here)
        drain(relation, view, job, nodes, space)
        if count[FULL] != 0 or count[FAILURE] != 0 or filled + count[EDGES] > hops.shape[0]:
            return h, filled
        count[STATES] += count[NODES]
        for n in range(count[NODES]):
            for e in range(nodes.first[n], nodes.first[n + 1]):
                hops[filled, 0], hops[filled, 1], hops[filled, 2] = max(nodes.key[n, 0], -1), nodes.edge[e, 0], h
                filled += 1
    return stop, filled


def started(bound: BoundRouting, packets: I64) -> I64:
    """(K, HEADER_FIELDS + 2) the heads of packets (K, 4), see `note_begun`."""
    heads = new_heads(len(packets))
    note_begun(bound.start_pointer, bound.view, new_space(bound.view.queues), packets, heads)
    return heads


def follow_all(bound: BoundRouting, heads: I64) -> Followed | None:
    """What packets do from where their heads (H, HEADER_FIELDS + 2) stand; None when one finds no route somewhere.

    The same hop may come several times. Cost: one relation call a state of each packet.
    """
    job, words = job_read_of(bound)._replace(by_channel=True), (bound.network.ports * bound.vcs + 63) // 64
    space, states, edges = new_space(bound.view.queues), FEW_STATES, FEW_EDGES
    nodes, hops, parts, at = new_nodes(states, words), np.zeros((edges, 3), np.int64), [np.zeros((0, 3), np.int64)], 0
    while at < len(heads):
        stop = min(at + TOGETHER, len(heads))
        search = partial(follow_each, bound.pointer, bound.view, job, nodes, space, heads, at, stop, hops)
        reached, filled = interruptible(search)
        if space.counters[FAILURE]:
            return None
        parts.append(hops[:filled].copy())
        if reached == at:  # one head alone needs more
            states, edges = 2 * states, 2 * edges
            require(128 * states + 64 * edges, f"{bound.name} on {bound.network.spec}: the states of a packet")
            nodes, hops = new_nodes(states, words), np.zeros((edges, 3), np.int64)
        at = reached
    return Followed(np.concatenate(parts), int(space.counters[STATES]), bool(space.counters[CHOICES]))
