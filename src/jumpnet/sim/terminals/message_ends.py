"""Ends of packets that branch: what terminals and combining units send and receive.

An arrival is told when its last flit wins the switch, with the cycle it will arrive in; what follows from it carries
that cycle. Called by `terminals.injection` and `router.switch_traversal`; the twin is `reference_ends`.
"""

from __future__ import annotations

from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory import message_layout as cast
from jumpnet.sim.memory.bits import bit
from jumpnet.sim.memory.packets import address, give_row, take_row
from jumpnet.sim.memory.record import forked, inlined, kernel
from jumpnet.traffic.injection_process import NEVER

__all__ = [
    "count_flit", "counting_sink", "message_cycle", "parent_of", "planned", "take_answer", "take_in", "take_message",
    "tally_of",
]  # fmt: skip


@forked(0)
def planned(m, p):
    """Whether packet p follows a tree, instead of the routing."""
    return int(m.packet[p + at.PLACE] >= 0)


@inlined
def drops(m, place):
    """Whether what a terminal takes at a place is for nobody there: dropped, or made anew and sent on."""
    return place >= 0 and m.place[place + cast.DROPS] == 1


@inlined
def parent_of(m, place):
    """The place before a place, negative where a packet starts: at the source, or at a processor that made it anew."""
    return m.place[place + cast.PARENT] * m.place_fields


@inlined
def tally_of(m, message, place):
    """The tally of a place of a message."""
    number = m.message[message + cast.BASE] + place // m.place_fields - m.message[message + cast.START]
    return number * cast.TALLY_FIELDS


@inlined
def counting_sink(m, message, place):
    """Sink whose terminal counts the acknowledges of a place when no entry is free: the source's, else the first."""
    at_source = m.place[place + cast.PARENT] < 0 and m.place[place + cast.ORIGIN] < 0
    return m.sink_index[m.message[message + cast.SOURCE]] if at_source else 0


# Sending.


@forked(-1)
def message_cycle(m, i):
    """Cycle of creation of the next message of terminal i."""
    message = m.pending[2 * i]
    return m.message[message + cast.CREATED] if message >= 0 else NEVER


@forked(-1)
def take_message(m, i):
    """The next message of terminal i as a packet."""
    message, p = m.pending[2 * i], take_row(m)
    m.pending[2 * i] = m.message[message + cast.NEXT]
    start = m.message[message + cast.START]
    m.packet[p + at.FROM] = i
    address(m, p, max(0, m.message[message + cast.AIM]))
    m.packet[p + at.CREATED] = m.message[message + cast.CREATED]
    m.packet[p + at.LENGTH] = m.message[message + cast.FLITS]
    m.packet[p + at.NUMBER] = m.message[message + cast.NUMBER]
    m.packet[p + at.KIND] = 0
    m.packet[p + at.MESSAGE], m.packet[p + at.PLACE] = message, start * m.place_fields
    m.packet[p + at.ROLE] = cast.DATA
    return p


@forked(-1)
def take_answer(m, i, t):
    """The next acknowledge of terminal i, or of a combining unit, when it is there; its entry is free again."""
    row = i * at.TERMINAL_FIELDS
    p = m.terminal[row + at.ANSWER_FIRST]
    if p < 0 or m.packet[p + at.READY] > t:
        return -1
    m.terminal[row + at.ANSWER_FIRST] = m.packet[p + at.NEXT]
    if i >= m.terminals:
        m.used[i - m.terminals] -= 1
    return p


@kernel
def enqueue(m, i, p):
    """Put packet p into the queue of terminal i, or of a combining unit: before those that are ready later."""
    row, ready = i * at.TERMINAL_FIELDS, m.packet[p + at.READY]
    before, following = -1, m.terminal[row + at.ANSWER_FIRST]
    if following >= 0 and m.packet[m.terminal[row + at.ANSWER_LAST] + at.READY] <= ready:
        before, following = m.terminal[row + at.ANSWER_LAST], -1
    while following >= 0 and m.packet[following + at.READY] <= ready:
        before, following = following, m.packet[following + at.NEXT]
    m.packet[p + at.NEXT] = following
    if before < 0:
        m.terminal[row + at.ANSWER_FIRST] = p
    else:
        m.packet[before + at.NEXT] = p
    if following < 0:
        m.terminal[row + at.ANSWER_LAST] = p
    m.awake[i >> 5] |= bit(i)


@kernel
def send(m, i, message, place, role, flits, ready):
    """A packet of terminal i, or of a combining unit, at a place of a message's tree."""
    p = take_row(m)
    m.packet[p + at.FROM], m.packet[p + at.KIND] = i, 0
    m.packet[p + at.CREATED], m.packet[p + at.READY] = m.message[message + cast.CREATED], ready
    m.packet[p + at.LENGTH] = flits
    m.packet[p + at.MESSAGE], m.packet[p + at.PLACE], m.packet[p + at.ROLE] = message, place, role
    enqueue(m, i, p)


@kernel
def answer(m, i, message, place, role, ready):
    """An acknowledge of terminal i, or of a combining unit."""
    send(m, i, message, place, role, m.ack_flits, ready)


@kernel
def send_on(m, i, message, place, ready):
    """Terminal i makes anew the packet that it has taken at a place."""
    m.counter[at.C_REMADE] += 1
    start = m.place[place + cast.AGAIN] * m.place_fields
    send(m, i, message, start, cast.DATA, m.message[message + cast.FLITS], ready)


# Receiving.


@kernel
def acknowledged(m, message, cycle):
    """The source knows that all have received."""
    m.message[message + cast.ACKNOWLEDGED] = cycle
    m.counter[at.C_OPEN] -= 1


@kernel
def one_less(m, message, cycle):
    """One more receiver has the message, or has acknowledged directly."""
    m.message[message + cast.TO_COME] -= 1
    if m.message[message + cast.TO_COME] == 0:
        if m.message[message + cast.ACK] == 1:
            acknowledged(m, message, cycle)
        else:
            m.counter[at.C_OPEN] -= 1


@kernel
def own(m, terminal, x, message, place, ready):
    """The terminal at sink x acknowledges what it took at a place; 1: that was the last acknowledge, counted here."""
    tally = tally_of(m, message, place)
    if m.tally[tally + cast.LEFT] == 0:
        return 1
    if m.tally[tally + cast.IN_UNIT] == 1 or x != counting_sink(m, message, place):
        answer(m, terminal, message, place, cast.LOCAL_ACK, ready)
        return 0
    m.tally[tally + cast.LEFT] -= 1
    return int(m.tally[tally + cast.LEFT] == 0)


@kernel
def up(m, terminal, x, message, place, ready):
    """A terminal has seen that everything below a place has received.

    Where the packet started that it had made anew, its own acknowledge for what it took is due now.
    """
    last = 1
    while last == 1:
        origin = m.place[place + cast.ORIGIN]
        if m.place[place + cast.PARENT] >= 0:
            answer(m, terminal, message, place, cast.UP_ACK, ready)
            last = 0
        elif origin < 0:
            acknowledged(m, message, ready)
            last = 0
        else:
            place = origin * m.place_fields
            last = own(m, terminal, x, message, place, ready)


@kernel
def count(m, terminal, x, message, place, cycle):
    """A terminal counts one acknowledge for a place."""
    tally = tally_of(m, message, place)
    m.tally[tally + cast.LEFT] -= 1
    if m.tally[tally + cast.LEFT] == 0:
        up(m, terminal, x, message, place, cycle + m.ack_delay)


@kernel
def told(m, terminal, x, message, place, cycle):
    """The combining unit of its router tells a terminal that all have acknowledged a packet that started there."""
    if m.place[place + cast.ORIGIN] < 0:
        acknowledged(m, message, cycle)
    else:
        up(m, terminal, x, message, place, cycle + m.ack_delay)


@kernel
def receive(m, r, x, message, place, cycle):
    """The terminal at sink x of router r has received a message at a place."""
    terminal, ready = m.sink[r * m.spread + x], cycle + m.ack_delay
    if not drops(m, place):
        m.message[message + cast.LAST_ARRIVAL] = max(m.message[message + cast.LAST_ARRIVAL], cycle)
        m.message[message + cast.RECEIVED] += 1
    if place >= 0 and m.place[place + cast.AGAIN] >= 0:
        send_on(m, terminal, message, place, cycle + m.remake)
        if m.message[message + cast.ACK] == 2:
            return  # it acknowledges when what it sends on has been acknowledged
    if m.message[message + cast.ACK] == 1:
        reply = m.place[place + cast.REPLY + x]
        if reply < 0:
            one_less(m, message, ready)
        else:
            answer(m, terminal, message, reply * m.place_fields, cast.ONE_ACK, ready)
    elif m.message[message + cast.ACK] == 2:
        if own(m, terminal, x, message, place, ready) == 1:
            up(m, terminal, x, message, place, ready)
    else:
        one_less(m, message, cycle)


@kernel
def combine(m, r, message, place, cycle):
    """The combining unit of router r counts one acknowledge for a place, and answers for all."""
    tally = tally_of(m, message, place)
    m.tally[tally + cast.LEFT] -= 1
    if m.tally[tally + cast.LEFT] == 0:
        role = cast.FINAL if m.place[place + cast.PARENT] < 0 else cast.UP_ACK
        answer(m, m.terminals + r, message, place, role, cycle)


@forked(0)
def take_in(m, r, p, o, cycle):
    """The tail of packet p leaves router r by outlet o for a terminal or the combining unit; 1: it is of a message."""
    message, place, role = m.packet[p + at.MESSAGE], m.packet[p + at.PLACE], m.packet[p + at.ROLE]
    x = (o // m.vcs - m.link_outputs) // m.ejection_ports
    target = parent_of(m, place) if role == cast.UP_ACK else place
    if o >= m.outlets - m.vcs:
        combine(m, r, message, target, cycle)
    elif role == cast.DATA:
        receive(m, r, x, message, place, cycle)
    elif role == cast.ONE_ACK:
        one_less(m, message, cycle)
    elif role == cast.FINAL:
        told(m, m.sink[r * m.spread + x], x, message, place, cycle)
    else:
        count(m, m.sink[r * m.spread + x], x, message, target, cycle)
    if place < 0:
        give_row(m, p)
    return 1


@forked(0)
def count_flit(m, p, o):
    """A flit of packet p goes through outlet o."""
    is_ack = int(m.packet[p + at.ROLE] != cast.DATA)
    m.counter[at.C_FLIT_HOPS] += 1
    if o < m.link_outlets:
        m.counter[at.C_LINK_FLITS] += 1
        m.counter[at.C_ACK_LINK_FLITS] += is_ack
    elif is_ack == 0 and not drops(m, m.packet[p + at.PLACE]):
        m.counter[at.C_ARRIVED] += 1
    return 0
