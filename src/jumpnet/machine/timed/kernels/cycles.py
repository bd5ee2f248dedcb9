"""Kernel of the timed machine: its events and the network's cycles one by one, where nodes have room for few messages.

Events of a cycle first, then what the memory-based processors turn to (`finite_buffers`), then the network's cycle, in
which full nodes take nothing. What needs Python ends the call as in `turns`. Used by `cosimulation`. Naive twin:
tests/naive/turns.py.
"""

from jumpnet.jit.linked import called, entry, kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels import processors as processors
from jumpnet.machine.timed.kernels.layout import counters_at, memory_at
from jumpnet.machine.timed.kernels.turns import (
    BEGINS,
    CYCLES,
    EVENTS,
    POSTS,
    TURNS_TO,
    lacks_room,
    post_due,
    rests,
    simulate,
    take,
)
from jumpnet.sim.memory.record import memory_at as network_at
from jumpnet.sim.memory.rows import counters_at as network_counters_at
from jumpnet.sim.memory.rows import injector_of
from jumpnet.sim.terminals.finite_buffers import free_place

__all__ = ["take_cycles"]


@kernel
def see_entered(m, n):
    """Learn which messages have entered the network until now."""
    for k in range(m.ends * m.networks):
        m.entered[k] = injector_of(n, k // m.networks, k % m.networks).entered


@kernel
def free_places(m, n, t):
    """Tell the network which places are free again."""
    for k in range(m.ends * m.networks):
        for _ in range(m.freed[k]):
            free_place(n, k // m.networks, k % m.networks, t)
        m.freed[k] = 0


@kernel
def stands_still(m, n, patience):
    """Whether nothing has moved for long, and nothing will without the network, when a cycle is over."""
    counters, moved = counters_at(m, 0), network_counters_at(n, 0).moved
    now = counters.horizon - 1
    if now - moved <= patience or counters.out > 0 or processors.following(m, now) < at.FOREVER:
        counters.still = at.NOBODY
        return False
    if counters.still <= moved:
        counters.still = now  # a packet may have just come, after long, or found a node free again
    return now - counters.still > patience


@kernel
def go_on(m, n):
    """Begin the next cycle in which anything happens; False when there is none."""
    counters = counters_at(m, 0)
    counters.part, counters.now = BEGINS, counters.horizon
    if counters.under_way == 0:
        then = processors.following(m, counters.horizon - 1)
        if then >= at.FOREVER:
            return False
        if rests(n):
            counters.now = then
    return True


@kernel
def _take_events(m, codes, address, now):
    """All events before the next cycle: OVER, or for what Python is needed."""
    counters = counters_at(m, 0)
    if counters.part == BEGINS:
        counters.horizon = now + 1
        counters.part = EVENTS
    if called(codes[0], m.answer, address, 1, 1, 1, -1) != 0:
        return at.FAILED
    if m.answer[0] == at.OVER:
        counters.part = TURNS_TO
    return m.answer[0]


@kernel
def _turn_to_messages(m, n, now):
    """Turn to the messages that have come; False without room. The cycle begins anew where more may happen in it."""
    counters = counters_at(m, 0)
    see_entered(m, n)
    begun = processors.turn_to_messages(m, now)
    if begun < 0:
        return False
    counters.part = BEGINS if begun > 0 else POSTS
    counters.horizon = now + 1
    return True


@kernel
def _post(m, n, now, room_packets):
    """Hand the network what is due; False where it lacks room."""
    counters = counters_at(m, 0)
    if lacks_room(m, n, room_packets):
        return False
    post_due(m, n)
    free_places(m, n, now)
    counters.under_way = network_counters_at(n, 0).packets > 0 or counters.out > 0
    counters.part = CYCLES
    return True


@entry
def take_cycles(address, record, codes, room_packets, room_events, patience):
    """Cycles until the run is over or Python is needed: says for what, as `turns.take_turns`."""
    m, n = memory_at(address), network_at(record)
    counters = counters_at(m, 0)
    while True:
        now = counters.now
        if counters.part <= EVENTS:
            found = _take_events(m, codes, address, now)
            if found != at.OVER:
                return found
        if counters.part == TURNS_TO and not _turn_to_messages(m, n, now):
            return at.NO_ROOM
        if counters.part == BEGINS:
            continue
        if counters.part == POSTS and not _post(m, n, now, room_packets):
            return at.LACKS_ROOM
        if counters.part == CYCLES:
            found = simulate(m, n, codes, room_packets, room_events, at.FOREVER)
            if found != at.OVER:
                return found
        if not take(m, n):
            return at.NO_ROOM
        if counters.under_way == 1 and stands_still(m, n, patience):
            return at.STANDS
        if not go_on(m, n):
            return at.OVER
