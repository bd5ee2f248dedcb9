"""Kernel of the timed machine: its events and the cycles of a simulated network in turn, without Python between.

A turn: events up to a horizon, posting what is sent before it, the network's cycles up to it, and entering what was
delivered, by `sim.outside.Outside` or `sim.multicast.outside`, whose packets branch. It is some fifteen cycles, in
which few messages move, so that a call from Python would take longer than what it calls. What needs Python (tables that
must grow, a tree that is wanted, a network without room or that lacks the plan of a packet, or cycles in which it may
be at a standstill) ends the call, and the next one goes on where it stopped. Used by `cosimulation`. Naive twin:
tests/naive/turns.py.
"""

from jumpnet.jit.linked import called, entry, inlined, kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels import processors as processors
from jumpnet.machine.timed.kernels import tables as tables
from jumpnet.machine.timed.kernels import tell as tell
from jumpnet.machine.timed.kernels.layout import counters_at, memory_at, message_at, place_at
from jumpnet.sim.memory.posted import is_ready, reports
from jumpnet.sim.memory.record import memory_at as network_at
from jumpnet.sim.memory.rows import counters_at as network_counters_at
from jumpnet.sim.memory.rows import delivery_of
from jumpnet.sim.terminals.posting import END_CYCLE, post_answer, post_packet

__all__ = ["BEGINS", "CYCLES", "EVENTS", "POSTS", "TAKES", "TURNS_TO", "lacks_room", "post_due", "rests", "simulate",
           "sort_due", "take", "take_turns"]  # fmt: skip

BEGINS, EVENTS, TURNS_TO, POSTS, CYCLES, TAKES = range(6)
"""What part of a turn comes next; the third where nodes have room for few messages (`cycles`)."""


@kernel
def horizon(m, packets, lead, forward_lead, inside_lead):
    """Begin a turn: how far events may run ahead of the network."""
    counters = counters_at(m, 0)
    under_way = counters.out > 0 or packets > 0
    counters.under_way = under_way
    ahead = processors.run_ahead(m, lead, forward_lead, inside_lead)
    counters.horizon = counters.now + ahead if under_way else at.FOREVER


@kernel
def precedes(m, row, other):
    """Whether a message is posted before another one that was handed over earlier."""
    a, b = message_at(m, row), message_at(m, other)
    if a.sent != b.sent:
        return a.sent < b.sent
    if a.source != b.source:
        return a.source < b.source
    if a.kind != b.kind:
        return a.kind < b.kind
    if a.line != b.line:
        return a.line < b.line
    if a.register != b.register:
        return a.register < b.register
    return a.to < b.to


@kernel
def part_due(m):
    """Move what is sent before the horizon from the outbox to `due`, in order; how many.

    The order does not depend on how both sides took turns.
    """
    counters, stay, due = counters_at(m, 0), 0, 0
    for k in range(counters.out):
        row = m.outbox[k]
        if message_at(m, row).sent >= counters.horizon:
            m.outbox[stay] = row
            stay += 1
            continue
        i = due
        while i > 0 and precedes(m, row, m.due[i - 1]):
            m.due[i] = m.due[i - 1]
            i -= 1
        m.due[i] = row
        due += 1
    counters.out = stay
    return due


@entry
def sort_due(address):
    """`part_due`."""
    return part_due(memory_at(address))


@kernel
def rests(n):
    """Whether nothing is in the network or waits at it: cycles in which nothing is posted change nothing."""
    at_work = network_counters_at(n, 0).packets
    for w in range(n.awake_words):
        at_work |= n.awake[w]
    for w in range((n.routers + 31) >> 5):
        at_work |= n.active[w]
    return at_work == 0


@kernel
def lacks_room(m, n, room_packets):
    """Whether the network lacks rows for what is due, or for what it delivers, or plans of packets that branch."""
    counter, own, due = network_counters_at(n, 0), counters_at(m, 0), 0
    for k in range(own.out):
        due += message_at(m, m.outbox[k]).sent < own.horizon
    if n.packet_rows - counter.packets < room_packets + due:
        return True
    return counter.deliveries + counter.packets + due + to_be_told(n, m) > n.delivery_rows


@inlined
def is_combined(m, row):
    """Whether the acknowledges of a message that branches are combined by the network."""
    return m.acknowledges == at.COMBINED and message_at(m, row).kind == at.TELL


@inlined
def plan_of(m, row):
    """The network's plan of a message that branches, -1 of a packet."""
    return place_at(m, message_at(m, row).place).plan if tables.goes_inside(m, row) else -1


@kernel
def to_be_told(n, m):
    """How much a network in which packets branch may still tell, what is due included; FOREVER where it lacks plans or
    rows for that."""
    if n.forks == 0:
        return 0
    casts, told = 0, n.promised[0]
    for k in range(counters_at(m, 0).out):
        row = m.outbox[k]
        message = message_at(m, row)
        if message.sent >= counters_at(m, 0).horizon or tables.is_answer(m, row):
            continue
        plan = plan_of(m, row)
        if plan < 0:
            if n.plans_alone == 1 and n.alone[message.source * n.terminals + message.to] == 0:
                return at.FOREVER
            continue
        casts += 1
        told += reports(n, plan, is_combined(m, row))
        if message.flits > n.most_flits or not is_ready(n, plan, is_combined(m, row), casts):
            return at.FOREVER
    return told


@kernel
def post_branching(n, m, due):
    """Hand over what is due where packets branch, messages first and then what nodes have to say."""
    for k in range(due):
        row = m.due[k]
        if not tables.is_answer(m, row):
            sent, plan, combined = message_at(m, row), plan_of(m, row), is_combined(m, row)
            sent.inside = post_packet(n, row, sent.source, sent.to, sent.sent, sent.flits, 0, plan, combined)
    for k in range(due):
        row = m.due[k]
        if tables.is_answer(m, row):
            said, inside = message_at(m, row), message_at(m, tables.cast_of(m, row)).inside
            post_answer(n, inside, said.place, said.source, said.sent, said.flag // at.COUNTS)
            tables.free_message(m, row)


@kernel
def take_branching(n, m, k):
    """Enter what row k says that a network has told in which packets branch."""
    found = delivery_of(n, k)
    tell.come(m, found.number, found.what, found.terminal, found.place, found.arrived)


@kernel
def post_due(m, n):
    """Hand over what is sent before the horizon; how many messages."""
    due = part_due(m)
    if n.forks == 1:
        post_branching(n, m, due)
    else:
        for k in range(due):
            row = m.due[k]
            sent = message_at(m, row)
            network = m.network_of[sent.kind]
            post_packet(n, row, sent.source, sent.to, sent.sent, sent.flits, network, -1, False)
    return due


@kernel
def post(m, n):
    """The same, and where the network is at rest it begins with the first of them."""
    rest = rests(n)
    due = post_due(m, n)
    if rest:
        counters_at(m, 0).now = message_at(m, m.due[0]).sent if due > 0 else counters_at(m, 0).horizon


@kernel
def come_to_rest(m, n, codes, room_packets, room_events):
    """Let a network without packets, which will get none for long, come to rest; whether that has not failed."""
    counters = counters_at(m, 0)
    soon = counters.horizon - counters.now <= 2 * at.MOST_AHEAD
    if soon or network_counters_at(n, 0).packets > 0 or rests(n):
        return True
    end = counters.now + at.MOST_AHEAD
    failed = called(codes[1], m.answer, codes[2], counters.now, end, room_packets, room_events) != 0
    counters.now = m.answer[0]
    return not failed


@kernel
def simulate(m, n, codes, room_packets, room_events, patience):
    """The network's cycles up to the horizon, or to the last that slots hold: OVER, or why not.

    Python takes them from where they stop for want of room, and where no packet has moved for long. TOO_LATE where
    messages are on their way in that last cycle, or later, however far events run ahead.
    """
    counters, counter = counters_at(m, 0), network_counters_at(n, 0)
    if counters.now >= END_CYCLE - 1:
        return at.TOO_LATE
    end = counters.horizon = min(counters.horizon, END_CYCLE - 1)
    still = counter.packets > 0 and end - counter.moved > patience
    if still or end // n.batch + 2 > n.batches_rows:
        return at.STOPPED
    if called(codes[1], m.answer, codes[2], counters.now, end, room_packets, room_events) != 0:
        return at.FAILED
    counters.now = m.answer[0]
    if counters.now < end or counter.error != 0:
        return at.STOPPED
    counters.part = TAKES
    return at.OVER


@kernel
def take(m, n):
    """Enter what the network has delivered; False where a table must grow first."""
    counters, counter = counters_at(m, 0), network_counters_at(n, 0)
    while counters.taken < counter.deliveries:
        if not processors.has_room(m):
            return False
        if n.forks == 1:
            take_branching(n, m, counters.taken)
        else:
            found = delivery_of(n, counters.taken)
            tell.reach(m, found.number, found.arrived)
        counters.taken += 1
    counters.taken = counter.deliveries = 0
    return True


@entry
def take_turns(address, record, codes, leads, room_packets, room_events, patience):
    """Turns until the run is over or Python is needed: says for what.

    record: the network's. codes: where `run_until`, `sim.engine.cycle.entry_for_any`, and the network's
    record lie (`linked.address_of_entry`). leads (3,): as in `run_until`. room_packets, room_events: as in
    `sim.engine.cycle.run`. patience: cycles after which packets that do not move are looked at by Python.
    """
    m, n = memory_at(address), network_at(record)
    counters = counters_at(m, 0)
    while True:
        if counters.part == BEGINS:
            horizon(m, network_counters_at(n, 0).packets, leads[0], leads[1], leads[2])
            counters.part = EVENTS
        if counters.part == EVENTS:
            if called(codes[0], m.answer, address, leads[0], leads[1], leads[2], -1) != 0:
                return at.FAILED
            if m.answer[0] != at.OVER:
                return m.answer[0]
            if counters.under_way == 0 and counters.out == 0:
                return at.OVER
            counters.part = POSTS
        if counters.part == POSTS:
            if lacks_room(m, n, room_packets):
                return at.LACKS_ROOM
            if not come_to_rest(m, n, codes, room_packets, room_events):
                return at.FAILED
            post(m, n)
            counters.part = CYCLES
        if counters.part == CYCLES:
            found = simulate(m, n, codes, room_packets, room_events, patience)
            if found != at.OVER:
                return found
        if not take(m, n):
            return at.NO_ROOM
        counters.part = BEGINS
