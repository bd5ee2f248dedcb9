"""Kernel: depth first through the states of packets to each destination, for circles and for Duato's condition.

With numbers of the escape channels at hand, the condition needs no sets: the greatest number of an escape channel from
which a packet may have come over NORMAL candidates is one number a state, and its ESCAPE candidates must lie above.
Those that do not are raised; when nothing is raised any more, the numbers are a proof. Called by `search`; twins:
`conditions._duato.extend` (sets of escape channels) and `tests/naive/dependency.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.walks._direct import CHANNEL_SHIFT, channel_of, child_of, walk_direct
from jumpnet.analysis.deadlock.walks.packet_walk import FAILED_AT, FULL, NODES, RAISED, TURN, WAY, walk_part
from jumpnet.jit.linked import entry, inlined, kernel
from jumpnet.routings.view import ESCAPE
from jumpnet.terms import I32, I64

__all__ = [
    "CIRCLES",
    "FINE",
    "NO_ROOM",
    "WITHOUT",
    "Ascent",
    "Descent",
    "leave_in_order",
    "new_descent",
    "search_direct",
    "search_hashed",
]

# What a search found.
FINE = 0
NO_ROOM = 1
"""There is no number for a packet's state, or no room for its edges (FULL says so)."""
CIRCLES = 2
"""A packet may come back to a place and STATE where it was."""
WITHOUT = 3
"""A packet finds no ESCAPE candidate."""
TOO_HIGH = 4
"""Numbers were raised beyond any that they need if they can ascend at all."""


class Descent(NamedTuple):
    """Depth first through N nodes."""

    stack: I32
    """(N,) the way from the root to the node in hand; all these are numbers in the order in which nodes were met."""
    place: I64
    """(N,) the next edge of each, -1 before it is come to and -2 after it is left."""
    rank: I32
    """(N,) number of each node."""
    left: I32
    """(N,) the nodes as they are left."""
    behind: I64
    """(N,) the greatest number of an escape channel that lies behind a packet there."""


class Ascent(NamedTuple):
    """Numbers of the escape channels, which are raised where they do not ascend, and the room for that."""

    number: I64
    """(C,) -1 of other channels; empty where only circles are looked for."""
    highest: int
    """They need not be raised further if they can ascend at all."""
    descent: Descent


def new_descent(nodes: int) -> Descent:
    """Room for so many nodes."""
    order = [np.zeros(nodes, np.int32) for _ in range(3)]
    return Descent(order[0], np.zeros(nodes, np.int64), order[1], order[2], np.zeros(nodes, np.int64))


@kernel
def leave_in_order(places, count, descent):
    """Depth first over all nodes met, which are written down as they are left; CIRCLES, or FINE.

    Where there is a circle, the first WAY of the stack lead from where a packet starts once round, from TURN on.
    """
    stack, place, rank = descent.stack, descent.place, descent.rank
    total, done = count[NODES], 0
    for i in range(total):
        rank[places.order[i]] = i
        place[i] = -1
    for root in range(total):
        if place[root] != -1:
            continue
        stack[0], place[root], top = root, places.first[root], 1
        while top > 0:
            k = np.int64(stack[top - 1])
            if place[k] < places.first[k + 1]:
                child = np.int64(rank[child_of(places.edge[place[k]])])
                place[k] += 1
                if place[child] == -1:
                    stack[top], place[child] = child, places.first[child]
                    top += 1
                elif place[child] >= 0:
                    count[WAY], count[TURN] = top, 0
                    while stack[count[TURN]] != child:
                        count[TURN] += 1
                    return CIRCLES
            else:
                place[k] = -2
                top -= 1
                descent.left[done] = k
                done += 1
    return FINE


@inlined
def _raise_at(places, count, number, behind, k):
    """Raise the ESCAPE candidates of the k-th node above what lies behind it: whether it has one, or is an arrival."""
    escapes = places.first[k] == places.first[k + 1]
    for e in range(places.first[k], places.first[k + 1]):
        if places.edge[e] & 1 == 1:
            escapes = True
            channel = channel_of(places.edge[e])
            if number[channel] <= behind[k]:
                number[channel] = behind[k] + 1
                count[RAISED] += 1
    return escapes


@kernel
def _raise(places, count, ascent):
    """Raise numbers along all ways, from the nodes left last on: FINE, or what is wrong."""
    rank, left, behind = ascent.descent.rank, ascent.descent.left, ascent.descent.behind
    total, number = count[NODES], ascent.number
    behind[:total] = -1
    for i in range(total):
        k = np.int64(left[total - 1 - i])
        if not _raise_at(places, count, number, behind, k):
            count[FAILED_AT] = places.order[k]
            return WITHOUT
        if behind[k] >= ascent.highest:
            return TOO_HIGH
        for e in range(places.first[k], places.first[k + 1]):
            edge = places.edge[e]
            child, most = rank[child_of(edge)], number[channel_of(edge)]
            if edge & 1 == 0:
                most = max(most, behind[k])
            behind[child] = max(behind[child], most)
    return FINE


@inlined
def _search(places, count, ascent):
    """What is found in the nodes of one walk."""
    found = leave_in_order(places, count, ascent.descent)
    if found == FINE and ascent.number.size > 0:
        found = _raise(places, count, ascent)
    return found


@entry
def search_direct(relation, start, view, job, places, space, stretch, ascent):
    """Search the places of the walks of a stretch: (position reached, FINE or what is wrong there).

    RAISED counts the numbers raised.
    """
    space.counters[RAISED] = 0
    for i in range(stretch.at, stretch.stop):
        if not walk_direct(relation, start, view, job, places, space, np.int64(stretch.sinks[i]), i):
            return i, NO_ROOM
        found = _search(places, space.counters, ascent)
        if found != FINE:
            return i, found
    return stretch.stop, FINE


@kernel
def _copy(nodes, total, places):
    """The nodes and edges of a walk that found them by hashing, as `_search` reads them."""
    for n in range(total):
        places.order[n], places.first[n] = n, nodes.first[n]
        for e in range(nodes.first[n], nodes.first[n + 1]):
            escape = 1 if nodes.edge[e, 2] & ESCAPE != 0 else 0
            places.edge[e] = nodes.edge[e, 0] << CHANNEL_SHIFT | nodes.edge[e, 3] << 1 | escape
    places.first[total] = nodes.first[total]


@entry
def search_hashed(relation, start, view, job, nodes, places, space, stretch, ascent):
    """`search_direct` of walks that keep their nodes in `nodes`; `places` has as much room."""
    space.counters[RAISED] = 0
    for i in range(stretch.at, stretch.stop):
        if not walk_part(relation, start, view, job, nodes, space, stretch.sinks, i):
            continue
        if space.counters[FULL] != 0:
            return i, NO_ROOM
        _copy(nodes, space.counters[NODES], places)
        found = _search(places, space.counters, ascent)
        if found != FINE:
            return i, found
    return stretch.stop, FINE
