"""Kernel of the timed machine: its events and the network's cycles one by one, where nodes have room for few messages.

What `finite_buffers` does cycle by cycle in Python, as `turns` does what `machine` does. Used by `finite_buffers`.
"""

from jumpnet.jit.linked import called, entry, kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels import processors as processors
from jumpnet.machine.timed.kernels.layout import counters_at, memory_at
from jumpnet.machine.timed.kernels.turns import is_ordinary, post_due, rests, take
from jumpnet.sim.memory.record import memory_at as network_at
from jumpnet.sim.memory.rows import counters_at as network_counters_at
from jumpnet.sim.memory.rows import injector_of
from jumpnet.sim.terminals.finite_buffers import free_place

__all__ = ["BEGINS", "take_cycles"]

BEGINS, EVENTS, TURNS_TO, POSTS, CYCLES, TAKES = range(6)
"""What part of the cycle comes next."""


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
def go_on(m, n, now):
    """Begin the next cycle in which anything happens; False when there is none."""
    counters = counters_at(m, 0)
    counters.part, counters.now = BEGINS, now + 1
    if counters.under_way == 0:
        then = processors.following(m, now)
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
def _post(m, n, now, room_packets, patience):
    """Hand the network what is due; False where Python must do it."""
    counters = counters_at(m, 0)
    if not is_ordinary(m, n, room_packets, patience):
        return False
    post_due(m, n)
    free_places(m, n, now)
    counters.under_way = network_counters_at(n, 0).packets > 0 or counters.out > 0
    counters.part = CYCLES
    return True


@kernel
def _take_cycle(m, n, codes, now, room_packets, room_events):
    """One cycle of the network: OVER, or why not."""
    if called(codes[1], m.answer, codes[2], now, now + 1, room_packets, room_events) != 0:
        return at.FAILED
    if m.answer[0] <= now or network_counters_at(n, 0).error != 0:
        return at.STOPPED
    counters_at(m, 0).part = TAKES
    return at.OVER


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
        if counters.part == POSTS and not _post(m, n, now, room_packets, patience):
            return at.BY_PYTHON
        if counters.part == CYCLES:
            found = _take_cycle(m, n, codes, now, room_packets, room_events)
            if found != at.OVER:
                return found
        if not take(m, n):
            return at.NO_ROOM
        if not go_on(m, n, now):
            return at.OVER
