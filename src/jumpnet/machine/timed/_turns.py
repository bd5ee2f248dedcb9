"""Kernel of the timed machine: its events and the cycles of a simulated network in turn, without Python between.

What `machine._Run` does turn by turn with any carrier, for `sim.outside.Outside` and for `sim.multicast.outside`, whose
packets branch: events up to a horizon, posting what is sent before it, the network's cycles up to it, and entering what
was delivered. A turn is some fifteen cycles, in
which few messages move, so that a call from Python would take longer than what it calls. What needs Python (tables that
must grow, a tree that is wanted, a network without room, or that may be at a standstill, or that lacks the plan of a
packet) ends the call, and the next one goes on where it stopped. Used by `cosimulation`.
"""

from __future__ import annotations

from jumpnet.jit.linked import called, entry, inlined, kernel
from jumpnet.machine._memory import memory_at
from jumpnet.machine.timed import _processors as processors
from jumpnet.machine.timed import _tables as at
from jumpnet.machine.timed import _tell as tell
from jumpnet.sim.memory.posted import is_ready, reports
from jumpnet.sim.memory.record import forked
from jumpnet.sim.memory.record import memory_at as network_at
from jumpnet.sim.memory.rows import counters_at, delivery_of
from jumpnet.sim.terminals.posting import post_answer, post_packet

__all__ = ["BY_PYTHON", "FAILED", "NO_ROOM", "OVER", "REFERENCES", "STOPPED", "TREE", "is_ordinary", "post_due",
           "rests", "take", "take_turns"]  # fmt: skip

OVER, NO_ROOM, TREE, BY_PYTHON, STOPPED, FAILED, REFERENCES = 0, -1, -2, -3, -4, -5, -6
"""The run is over; a table must grow; a tree is wanted; Python takes this turn from its posting on, or from its cycles
of the network on; the code of an entry has raised an error; references of a processor are wanted."""
BEGINS, EVENTS, POSTS, CYCLES, TAKES = range(5)
"""C_PART: what part of the turn comes next."""


@kernel
def horizon(m, packets, lead, forward_lead, inside_lead):
    """Begin a turn: how far events may run ahead of the network."""
    under_way = m.count[at.C_OUT] > 0 or packets > 0
    ahead = forward_lead if m.count[at.C_COPIES] > 0 else lead
    if m.count[at.C_INSIDE] > 0:
        ahead = min(ahead, inside_lead)
    m.count[at.C_UNDER_WAY] = under_way
    m.count[at.C_HORIZON] = m.count[at.C_NOW] + ahead if under_way else at.FOREVER


@inlined
def order(m, row, k):
    """Field k of those that messages are posted by: when they are sent first of all."""
    fields = (at.M_SENT, at.M_FROM, at.M_KIND, at.M_LINE, at.M_REGISTER, at.M_TO)
    return m.message[row + fields[k]]


@kernel
def precedes(m, row, other):
    """Whether a message is posted before another one that was handed over earlier."""
    for k in range(6):
        one, two = order(m, row, k), order(m, other, k)
        if one != two:
            return one < two
    return False


@kernel
def part_due(m):
    """Move what is sent before the horizon from the outbox to `due`, in order; how many."""
    stay, due = 0, 0
    for k in range(m.count[at.C_OUT]):
        row = m.outbox[k]
        if m.message[row + at.M_SENT] >= m.count[at.C_HORIZON]:
            m.outbox[stay] = row
            stay += 1
            continue
        i = due
        while i > 0 and precedes(m, row, m.due[i - 1]):
            m.due[i] = m.due[i - 1]
            i -= 1
        m.due[i] = row
        due += 1
    m.count[at.C_OUT] = stay
    return due


@kernel
def rests(n):
    """Whether nothing is in the network or waits at it: cycles in which nothing is posted change nothing."""
    at_work = counters_at(n, 0).packets
    for w in range(n.awake_words):
        at_work |= n.awake[w]
    for w in range((n.routers + 31) >> 5):
        at_work |= n.active[w]
    return at_work == 0


@kernel
def is_ordinary(m, n, room_packets, patience):
    """Whether a turn's messages find room in the network, and no packet has stood still for long."""
    counter, due = counters_at(n, 0), 0
    for k in range(m.count[at.C_OUT]):
        due += m.message[m.outbox[k] + at.M_SENT] < m.count[at.C_HORIZON]
    full = due > room_packets or n.packet_rows - counter.packets < room_packets
    full |= counter.deliveries + counter.packets + due > n.delivery_rows
    full |= m.count[at.C_HORIZON] // n.batch + 2 > n.batches_rows
    full |= lacks_rows(n, m, due) != 0
    still = m.count[at.C_HORIZON] - counter.moved > patience and counter.packets + due > 0
    return not (full or still)


@inlined
def is_combined(m, row):
    """Whether the acknowledges of a message that branches are combined by the network."""
    return m.acknowledges == at.COMBINED and m.message[row + at.M_KIND] == at.TELL


@inlined
def plan_of(m, row):
    """The network's plan of a message that branches, -1 of a packet."""
    return m.place[m.message[row + at.M_PLACE] + at.T_PLAN] if at.goes_inside(m, row) else -1


@forked(0)
def lacks_rows(n, m, due):
    """Whether a network in which packets branch lacks plans or rows for what is due, and for what may be told then."""
    casts, told = 0, n.promised[0]
    for k in range(m.count[at.C_OUT]):
        row = m.outbox[k]
        if m.message[row + at.M_SENT] >= m.count[at.C_HORIZON] or at.is_answer(m, row):
            continue
        plan = plan_of(m, row)
        if plan < 0:
            pair = m.message[row + at.M_FROM] * n.terminals + m.message[row + at.M_TO]
            if n.plans_alone == 1 and n.alone[pair] == 0:
                return 1
            continue
        casts += 1
        told += reports(n, plan, is_combined(m, row))
        if m.message[row + at.M_FLITS] > n.most_flits or not is_ready(n, plan, is_combined(m, row), casts):
            return 1
    counter = counters_at(n, 0)
    return int(counter.deliveries + counter.packets + due + told > n.delivery_rows)


@forked(0)
def post_branching(n, m, due):
    """Hand over what is due where packets branch, messages first and then what nodes have to say; 1."""
    for k in range(due):
        row = m.due[k]
        if not at.is_answer(m, row):
            source, to, sent = m.message[row + at.M_FROM], m.message[row + at.M_TO], m.message[row + at.M_SENT]
            plan, combined = plan_of(m, row), is_combined(m, row)
            flits = m.message[row + at.M_FLITS]
            m.message[row + at.M_INSIDE] = post_packet(n, row, source, to, sent, flits, 0, plan, combined)
    for k in range(due):
        row = m.due[k]
        if at.is_answer(m, row):
            node, sent, said = m.message[row + at.M_FROM], m.message[row + at.M_SENT], m.message[row + at.M_FLAG]
            inside, place = m.message[at.cast_of(m, row) + at.M_INSIDE], m.message[row + at.M_PLACE]
            post_answer(n, inside, place, node, sent, said // at.COUNTS)
            at.free_message(m, row)
    return 1


@forked(0)
def take_branching(n, m, k):
    """Enter what row k says that a network has told in which packets branch; 1."""
    found = delivery_of(n, k)
    tell.come(m, found.number, found.what, found.terminal, found.place, found.arrived)
    return 1


@kernel
def post_due(m, n):
    """Hand over what is sent before the horizon, in an order that does not depend on how both sides took turns.

    How many messages.
    """
    due = part_due(m)
    if post_branching(n, m, due) == 0:
        for k in range(due):
            row = m.due[k]
            source, to = m.message[row + at.M_FROM], m.message[row + at.M_TO]
            network = m.network_of[m.message[row + at.M_KIND]]
            sent, flits = m.message[row + at.M_SENT], m.message[row + at.M_FLITS]
            post_packet(n, row, source, to, sent, flits, network, -1, False)
    return due


@kernel
def post(m, n):
    """The same, and where the network is at rest it begins with the first of them."""
    rest = rests(n)
    due = post_due(m, n)
    if rest:
        m.count[at.C_NOW] = m.message[m.due[0] + at.M_SENT] if due > 0 else m.count[at.C_HORIZON]


@kernel
def take(m, n):
    """Enter what the network has delivered; False where a table must grow first."""
    while m.count[at.C_TAKEN] < counters_at(n, 0).deliveries:
        if not processors.has_room(m):
            return False
        if take_branching(n, m, m.count[at.C_TAKEN]) == 0:
            found = delivery_of(n, m.count[at.C_TAKEN])
            tell.reach(m, found.number, found.arrived)
        m.count[at.C_TAKEN] += 1
    m.count[at.C_TAKEN] = counters_at(n, 0).deliveries = 0
    return True


@entry
def take_turns(address, record, codes, leads, room_packets, room_events, patience):
    """Turns until the run is over or Python is needed: says for what.

    record: the network's. codes: where `run_until`, `sim.engine.cycle.run_any` or `run_forked`, and the network's
    record lie (`linked.address_of_entry`). leads (3,): as in `run_until`. room_packets, room_events: as in
    `sim.engine.cycle.run`. patience: cycles after which packets that do not move are looked at by Python.
    """
    m, n = memory_at(address), network_at(record)
    while True:
        if m.count[at.C_PART] == BEGINS:
            horizon(m, counters_at(n, 0).packets, leads[0], leads[1], leads[2])
            m.count[at.C_PART] = EVENTS
        if m.count[at.C_PART] == EVENTS:
            if called(codes[0], m.answer, address, leads[0], leads[1], leads[2], -1) != 0:
                return FAILED
            if m.answer[0] != 0:
                return m.answer[0]
            if m.count[at.C_UNDER_WAY] == 0 and m.count[at.C_OUT] == 0:
                return OVER
            m.count[at.C_PART] = POSTS
        if m.count[at.C_PART] == POSTS:
            if not is_ordinary(m, n, room_packets, patience):
                return BY_PYTHON
            post(m, n)
            m.count[at.C_PART] = CYCLES
        if m.count[at.C_PART] == CYCLES:
            now, end = m.count[at.C_NOW], m.count[at.C_HORIZON]
            if called(codes[1], m.answer, codes[2], now, end, room_packets, room_events) != 0:
                return FAILED
            m.count[at.C_NOW] = m.answer[0]
            if m.answer[0] < end or counters_at(n, 0).error != 0:
                return STOPPED
            m.count[at.C_PART] = TAKES
        if not take(m, n):
            return NO_ROOM
        m.count[at.C_PART] = BEGINS
