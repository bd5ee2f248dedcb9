"""Kernel: packets in flight whose heads are routed anew, followed from where they stand to their end, one by one.

A state of a packet is the channel that its head stands in and its STATE; the rest of its header stays. Called by
`meeting`; twin: `tests/naive/meeting.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.jit.linked import entry, kernel
from jumpnet.routings.view import (
    DESTINATION,
    HEADER_FIELDS,
    IN_PORT,
    IN_VC,
    MAX_CANDIDATES,
    NEXT_STATE,
    PORT,
    STATE,
    VC,
    call,
)
from jumpnet.terms import I64

__all__ = ["ALL", "CHANNEL", "FULL", "HERE", "LOST", "NEXT", "Room", "follow_heads", "new_room"]

CHANNEL, HERE = HEADER_FIELDS, HEADER_FIELDS + 1
"""Fields of a head behind those of its header: the channel that it stands in (-1 at its source), and its router."""
ALL, FULL, LOST = 0, 1, 2
"""How `follow_heads` ends: all were followed, one needs more room, one finds no route somewhere."""
EDGES, KEYS, NEXT, TRIED = range(4)
"""Of `Room.counters`: edges found, states of the head that is followed, the head to go on with, heads begun so far."""


class Room(NamedTuple):
    """Where states and edges are put."""

    key: I64
    """(T, 2) channel and STATE of a state that was met; T a power of two."""
    of: I64
    """(T,) counters[TRIED] when it was met; of other heads, or of one begun before with less room, it says nothing."""
    todo: I64
    """(T / 2, 2) the states of the head, in the order in which they were met."""
    edge: I64
    """(E, 3) channel that is held, channel that is asked for, number of the head."""
    head: I64
    """(HEADER_FIELDS,) the header handed to the relation."""
    out: I64
    """(8 * MAX_CANDIDATES, 4) its answer."""
    counters: I64
    """(4,) see EDGES."""


def new_room(states: int, edges: int) -> Room:
    """Empty room for so many states of one head, a power of two, and so many edges of all."""
    return Room(
        np.zeros((2 * states, 2), np.int64),
        np.zeros(2 * states, np.int64),
        np.zeros((states, 2), np.int64),
        np.zeros((edges, 3), np.int64),
        np.zeros(HEADER_FIELDS, np.int64),
        np.zeros((8 * MAX_CANDIDATES, 4), np.int64),
        np.zeros(4, np.int64),
    )


@kernel
def _note(room, channel, state):
    """Note a state of the head unless it was met before; there is a free place."""
    size, mark = room.of.size, room.counters[TRIED]
    place = channel * 0x4F1BBCDD + ((state ^ (state >> 31)) & 0x7FFFFFFF) * 0x27D4EB2F
    place = (place >> 7) & (size - 1)
    while room.of[place] == mark:
        if room.key[place, 0] == channel and room.key[place, 1] == state:
            return
        place = (place + 1) & (size - 1)
    room.key[place, 0], room.key[place, 1], room.of[place] = channel, state, mark
    room.todo[room.counters[KEYS], 0], room.todo[room.counters[KEYS], 1] = channel, state
    room.counters[KEYS] += 1


@kernel
def _ask(relation, view, room, here, channel, h):
    """Add the edges to all candidates of the header in `room.head`, and the states behind them: ALL, FULL or LOST."""
    count, out, ports, vcs = room.counters, room.out, view.neighbor.shape[1], view.vcs
    found = call(relation, view, here, room.head, out)
    if found < 0 or (found == 0 and here != room.head[DESTINATION]):
        return LOST
    found = min(found, MAX_CANDIDATES)
    if count[EDGES] + found > room.edge.shape[0] or 2 * (count[KEYS] + found) > room.of.size:
        return FULL
    for i in range(found):
        after = (here * ports + out[i, PORT]) * vcs + out[i, VC]
        if channel >= 0:
            e = count[EDGES]
            room.edge[e, 0], room.edge[e, 1], room.edge[e, 2] = channel, after, h
            count[EDGES] += 1
        _note(room, after, out[i, NEXT_STATE])
    return ALL


@kernel
def _follow(relation, view, heads, h, room):
    """One head from where it stands to its end: ALL, FULL or LOST."""
    head, ports, vcs = room.head, view.neighbor.shape[1], view.vcs
    for k in range(head.size):
        head[k] = heads[h, k]
    room.counters[KEYS] = 0
    room.counters[TRIED] += 1
    said = _ask(relation, view, room, heads[h, HERE], heads[h, CHANNEL], h)
    done = 0
    while said == ALL and done < room.counters[KEYS]:
        channel = room.todo[done, 0]
        router, port = channel // vcs // ports, channel // vcs % ports
        head[STATE], head[IN_PORT], head[IN_VC] = room.todo[done, 1], view.far_port[router, port], channel % vcs
        said = _ask(relation, view, room, np.int64(view.neighbor[router, port]), channel, h)
        done += 1
    return said


@entry
def follow_heads(relation, view, heads, stop, room):
    """Follow heads (H, HEADER_FIELDS + 2) from room.counters[NEXT] to `stop`: how that ended, see ALL.

    After FULL nothing is kept of the head that room.counters[NEXT] says; it is followed again with more room.
    """
    while room.counters[NEXT] < stop:
        before = room.counters[EDGES]
        said = _follow(relation, view, heads, room.counters[NEXT], room)
        if said != ALL:
            room.counters[EDGES] = before
            return said
        room.counters[NEXT] += 1
    return ALL
