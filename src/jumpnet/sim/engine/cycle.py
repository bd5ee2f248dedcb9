"""The cycle: sources send, then every router with flits goes through its pipeline once.

What a router does shows in other routers in later cycles only, because a slot holds the cycle from which it may be
read; so the order of routers does not matter. More than that: nothing crosses a link, in either direction, in less than
`lookahead` cycles. So time advances by *epochs* of so many cycles, in which any router may run ahead of any other
(conservative lookahead, as in parallel discrete-event simulation): the results are the same bit for bit as with epochs
of one cycle, memory is traversed once an epoch, and threads synchronize once an epoch. In an epoch a router may find
another one's slot as it is some cycles later or earlier than its own; what it may do now is the same, as only the cycle
in the slot decides that. `run` is the simulator's only entry into compiled code; the twin is `reference.simulation`.
"""

import time

from jumpnet.jit.bits import bit, lowest
from jumpnet.jit.linked import entry, inlined, kernel
from jumpnet.sim.memory.clock import first_step
from jumpnet.sim.memory.outbox import take_over
from jumpnet.sim.memory.prefetch import MANY_ROUTERS, look_ahead
from jumpnet.sim.memory.record import memory_at
from jumpnet.sim.memory.rows import counters_at
from jumpnet.sim.memory.run_kinds import GRID_SIZES, Plain
from jumpnet.sim.memory.starts import count_credits
from jumpnet.sim.memory.threads import agree, epoch_cycles, meet
from jumpnet.sim.router.lists import advance
from jumpnet.sim.router.matching import step_matching
from jumpnet.sim.router.pipeline import step
from jumpnet.sim.sets.conversion import count_flits, pack, unpack
from jumpnet.sim.sets.pipeline import advance_sets
from jumpnet.sim.sets.prefetch import look_ahead_sets
from jumpnet.sim.terminals.injection import inject

__all__ = ["entry_for_any", "flits_in_sets", "run", "unpack_sets"]


@inlined
def advance_by(m, w, t, first, step):
    """Step t of routers 32 w to 32 w + 31, one by one; `first` is the first step of the epoch."""
    word = m.active[w]
    while word != 0:
        r = w * 32 + lowest(word)
        word &= word - 1
        if not step(m, r, t, first):
            m.active[w] &= ~bit(r)


@kernel
def advance_any(m, w, t, first):
    """Step t of routers 32 w to 32 w + 31 with most allocators."""
    if m.by_lists == 1:
        advance(m, w, t, first)
    else:
        advance_by(m, w, t, first, step)


@kernel
def advance_matching(m, w, t, first):
    """The same with those of `router.matching`."""
    advance_by(m, w, t, first, step_matching)


@inlined
def see_all(m, begin):
    """The queues of all routers, before any of them does anything, where a start hook sees others'."""
    if m.start_sees > 1:
        for r in range(m.routers):
            count_credits(m, r, begin, r * m.link_outputs)


@inlined
def epoch(m, first, end, advance_32):
    """Cycles first..end-1: sources send, then the routers at work go through their pipelines, 32 neighbours at a time.

    Each 32 do all these cycles before the next 32 do the first: their rows are loaded into the near caches once.
    """
    inject(m, first, end)
    begin, stop = first_step(m, first), first_step(m, end)
    see_all(m, begin)
    for w in range(m.first_router >> 5, (m.end_router + 31) >> 5):
        if m.by_lists == 1 and m.routers >= MANY_ROUTERS:
            look_ahead(m, w, end - 1)
        for t in range(begin, stop):
            advance_32(m, w, t, begin)


@inlined
def epoch_of_sets(m, first, end, advance_64):
    """`epoch` where routers are kept as sets, 64 neighbours at a time."""
    inject(m, first, end)
    see_all(m, first)
    for block in range((m.end_router - m.first_router + 63) >> 6):
        if m.routers >= MANY_ROUTERS:
            look_ahead_sets(m, block, first, end)
        for t in range(first, end):
            advance_64(m, block, t)
    if m.threads > 1:
        meet(m)
        take_over(m)


@inlined
def must_stop(m, room_packets, room_events):
    """Whether the run has failed, or one more epoch might find no row in the packet table or in the event record.

    Where packets branch, each takes `most_branches` rows more at most, and a run is over when all messages are done, if
    none can be posted from outside.
    """
    count = counters_at(m, 0)
    if m.forks == 1:
        room_packets += m.most_branches * count.packets
    full = m.packet_rows - count.packets < room_packets
    full |= m.forks == 1 and m.delivery_rows == 0 and count.open == 0
    told = m.event_rows > 0 and m.event_rows - count.events < room_events
    return full or told or count.error != 0


@inlined
def go(m, first, last, room_packets, room_events, epoch, advance):
    """Epochs up to cycle `last` or before one that there is no room for: the cycle reached."""
    t, stop = first, must_stop(m, room_packets, room_events)
    cycles = epoch_cycles(m)
    while t < last and not stop:
        end = min((t // cycles + 1) * cycles, last)
        epoch(m, t, end, advance)
        t = end
        stop = must_stop(m, room_packets, room_events)
        if m.threads > 1:
            stop = agree(m, stop, t)
    return t


# An entry for each way through the routers, so that none compiles what its runs do not use. Most of their loops go
# through the few lanes or ports of a router.


@entry(sort="short loops")
def run_plain(address, first, last, room_packets, room_events):
    """Cycles of a run with what all plain runs share."""
    return go(memory_at(address), first, last, room_packets, room_events, epoch, advance)


@entry(sort="short loops")
def run_sets(address, first, last, room_packets, room_events):
    """Cycles of a run where routers are kept as sets."""
    return go(memory_at(address), first, last, room_packets, room_events, epoch_of_sets, advance_sets)


@entry
def run_grids(address, first, last, room_packets, room_events):
    """The same where these sizes are constants of the code (`run_kinds.GRID_SIZES`): to unroll loops pays."""
    return go(memory_at(address), first, last, room_packets, room_events, epoch_of_sets, advance_sets)


@entry(sort="seldom")
def pack_sets(address, first):
    """Make sets of the rows before `run_sets`: apart from it, so that it is compiled once for all kinds of runs."""
    pack(memory_at(address), first)


@entry(sort="seldom")
def unpack_sets(address, reached):
    """Write back to the rows after `run_sets`."""
    unpack(memory_at(address), reached)


@entry
def flits_in_sets(address, cycle, flits):
    """The flits (lanes,) of each lane after `run_sets` came to a cycle, those on their way to it included."""
    count_flits(memory_at(address), cycle, flits)


@entry(sort="short loops")
def run_any(address, first, last, room_packets, room_events):
    """Cycles of a run under any settings."""
    return go(memory_at(address), first, last, room_packets, room_events, epoch, advance_any)


@entry(sort="short loops")
def run_matching(address, first, last, room_packets, room_events):
    """Cycles of a run whose allocators are those of `router.matching`."""
    return go(memory_at(address), first, last, room_packets, room_events, epoch, advance_matching)


def entry_for_any(memory):
    """`run_any`, or its like for the allocators of a run."""
    return run_matching if memory.matches == 1 else run_any


def run(memory, first, last, room_packets, room_events, packed, from_rows=True, to_rows=True):
    """Simulate cycles first..last-1, with the routers as sets if `packed`: the cycle reached, and CPU seconds.

    from_rows, to_rows: whether sets are made of the rows before, and written back after; a run may go on with those of
    the call before.

    Stops early when fewer than `room_packets` rows of the packet table or `room_events` of the event record are left
    (what one epoch may need), when the counter `error` is set, or where packets branch when all messages are done. In a
    team every thread runs this with its own memory, and all stop before the same cycle.
    """
    memory.pack(packed)  # before its address is asked for, whose kind depends on that
    address, before = memory.address, time.thread_time()
    if packed:
        if from_rows:
            pack_sets(memory.rows_address, first)
        cycles = run_grids if type(address) in GRID_SIZES else run_sets
        reached = cycles(address, first, last, room_packets, room_events)
        if to_rows:
            unpack_sets(memory.rows_address, reached)
    else:
        cycles = run_plain if type(address) is Plain else entry_for_any(memory)
        reached = cycles(address, first, last, room_packets, room_events)
    return reached, time.thread_time() - before
