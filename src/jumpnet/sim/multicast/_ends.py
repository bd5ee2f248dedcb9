"""Kernel of the multicast simulator's ends: what terminals and combining units send and receive.

An arrival is told when its last flit wins the switch, with the cycle it will arrive in; what follows from it carries
that cycle. The twin is `reference.Processor` and `Unit`.
"""

from __future__ import annotations

from jumpnet._random import below, draw63
from jumpnet.sim._memory import ask_start
from jumpnet.sim.multicast import _layout as at
from jumpnet.sim.multicast._memory import inlined, kernel

__all__ = [
    "accept",
    "counting_sink",
    "drops",
    "entry_vc",
    "header_of",
    "length_of",
    "message_of",
    "place_of",
    "sleep",
    "take",
    "tally_of",
]


@inlined
def message_of(code):
    """Row of a packet's message."""
    return (code >> (at.PLACE_BITS + 3)) * at.MESSAGE_FIELDS


@inlined
def header_of(message):
    """Row of the routing header of a message (row)."""
    return message // at.MESSAGE_FIELDS * 8


@inlined
def drops(m, message, place):
    """Whether what a terminal takes there is for nobody."""
    return m.message[message + at.START] >= 0 and m.place[place + at.DROPS] == 1


@inlined
def place_of(m, code):
    """Row of a packet's place."""
    return (code >> 3 & (1 << at.PLACE_BITS) - 1) * m.place_fields


@inlined
def code_of(m, message, place, kind):
    """The packet of a kind of a message (row) at a place (row)."""
    return ((message // at.MESSAGE_FIELDS) << at.PLACE_BITS | place // m.place_fields) << 3 | kind


@inlined
def tally_of(m, message, place):
    """Row of the tally of a place of a message."""
    return (m.message[message + at.BASE] + place // m.place_fields - m.message[message + at.START]) * at.TALLY_FIELDS


@inlined
def length_of(m, code):
    """Length of a packet in flits."""
    return m.message[message_of(code) + at.FLITS] if code & 7 == 0 else m.ack_flits


@inlined
def parent_of(m, place):
    """Row of the place before a place, negative at the source."""
    return m.place[place + at.PARENT] * m.place_fields


@kernel
def take(m, end, unit, t):
    """The next packet of an endpoint (row), -1 when there is none: acknowledges first."""
    n = m.endpoint[end + at.FIRST]
    if n >= 0 and m.note[n + at.N_READY] <= t:
        m.endpoint[end + at.FIRST] = m.note[n + at.N_NEXT]
        if unit:
            m.used[m.endpoint[end + at.E_ROUTER]] -= 1
        return m.note[n + at.N_CODE]
    message = m.endpoint[end + at.PENDING]
    if message >= 0 and m.message[message + at.CREATED] <= t:
        m.endpoint[end + at.PENDING] = m.message[message + at.NEXT]
        if m.has_start == 1 and m.message[message + at.START] < 0:
            key = m.packet_key[m.message[message + at.SOURCE]]
            draw = below(draw63(key, 4 * m.message[message + at.NUMBER] + 2), m.start_draws)
            ask_start(m, header_of(message), draw)
        return code_of(m, message, max(0, m.message[message + at.START]) * m.place_fields, 0)
    return -1


@inlined
def entry_vc(m, row, first, need, t):
    """Virtual channel on which the packet of an injector (row) may enter, in turn, or -1."""
    for k in range(1, m.entry_vcs + 1):
        v = (m.injector[row + at.I_LAST_VC] + k) % m.entry_vcs
        slot = m.entry[first + v]
        last = slot + need - 1
        if last >= m.buffer:
            last -= m.buffer
        if m.slot[(first + v) * m.buffer + slot] <= t and m.slot[(first + v) * m.buffer + last] <= t:
            return v
    return -1


@kernel
def sleep(m, end, t):
    """Say when an endpoint that sends nothing has something to do again."""
    wake = at.NEVER
    if m.endpoint[end + at.FIRST] >= 0:
        wake = m.note[m.endpoint[end + at.FIRST] + at.N_READY]
    if m.endpoint[end + at.PENDING] >= 0:
        wake = min(wake, m.message[m.endpoint[end + at.PENDING] + at.CREATED])
    m.endpoint[end + at.WAKE] = max(wake, t + 1)


@kernel
def answer(m, endpoint, code, ready):
    """Put an acknowledge into the queue of an endpoint."""
    end, n = endpoint * at.ENDPOINT_FIELDS, m.counter[at.NOTES] * at.NOTE_FIELDS
    m.counter[at.NOTES] += 1
    m.note[n + at.N_CODE], m.note[n + at.N_READY], m.note[n + at.N_NEXT] = code, ready, -1
    if m.endpoint[end + at.FIRST] < 0:
        m.endpoint[end + at.FIRST] = n
    else:
        m.note[m.endpoint[end + at.LAST] + at.N_NEXT] = n
    m.endpoint[end + at.LAST] = n
    m.endpoint[end + at.WAKE] = min(m.endpoint[end + at.WAKE], ready)


@inlined
def counting_sink(m, message, place):
    """Sink whose terminal counts the acknowledges of a place when no entry is free: the source's, else the first."""
    return m.sink_of[m.message[message + at.SOURCE]] if m.place[place + at.PARENT] < 0 else 0


@kernel
def acknowledged(m, message, cycle):
    """The source knows that all have received."""
    m.message[message + at.ACKNOWLEDGED] = cycle
    m.counter[at.OPEN] -= 1


@kernel
def one_less(m, message, cycle):
    """One more receiver has the message, or has acknowledged directly."""
    m.message[message + at.TO_COME] -= 1
    if m.message[message + at.TO_COME] == 0:
        if m.message[message + at.ACK] == 1:
            acknowledged(m, message, cycle)
        else:
            m.counter[at.OPEN] -= 1


@kernel
def up(m, terminal, message, place, ready):
    """A terminal has seen that everything below a place has received."""
    if m.place[place + at.PARENT] < 0:
        acknowledged(m, message, ready)
    else:
        answer(m, terminal, code_of(m, message, place, 1), ready)


@kernel
def count(m, terminal, message, place, cycle):
    """A terminal counts one acknowledge for a place."""
    tally = tally_of(m, message, place)
    m.tally[tally + at.LEFT] -= 1
    if m.tally[tally + at.LEFT] == 0:
        up(m, terminal, message, place, cycle + m.ack_delay)


@kernel
def receive(m, r, x, message, place, cycle):
    """The terminal at sink x of router r has received a message at a place."""
    terminal, ready = m.sink[r * m.spread + x], cycle + m.ack_delay
    if not drops(m, message, place):
        m.message[message + at.LAST_ARRIVAL] = max(m.message[message + at.LAST_ARRIVAL], cycle)
        m.message[message + at.RECEIVED] += 1
    if m.message[message + at.ACK] == 1:
        reply = m.place[place + at.REPLY + x]
        if reply < 0:
            one_less(m, message, ready)
        else:
            answer(m, terminal, code_of(m, message, reply * m.place_fields, 4), ready)
    elif m.message[message + at.ACK] == 2:
        tally = tally_of(m, message, place)
        if m.tally[tally + at.LEFT] == 0:
            up(m, terminal, message, place, ready)
        elif m.tally[tally + at.IN_UNIT] == 1 or x != counting_sink(m, message, place):
            answer(m, terminal, code_of(m, message, place, 2), ready)
        else:
            count(m, terminal, message, place, cycle)
    else:
        one_less(m, message, cycle)


@kernel
def accept(m, r, code, x, cycle):
    """A whole packet reaches sink x of router r, or its combining unit (x = -1), in that cycle."""
    message, place, kind = message_of(code), place_of(m, code), code & 7
    target = parent_of(m, place) if kind == 1 else place
    if x < 0:
        tally = tally_of(m, message, target)
        m.tally[tally + at.LEFT] -= 1
        if m.tally[tally + at.LEFT] == 0:
            final = m.place[target + at.PARENT] < 0
            answer(m, m.terminals + r, code_of(m, message, target, 3 if final else 1), cycle)
    elif kind == 0:
        receive(m, r, x, message, place, cycle)
    elif kind == 4:
        one_less(m, message, cycle)
    elif kind == 3:
        acknowledged(m, message, cycle)
    else:
        count(m, m.sink[r * m.spread + x], message, target, cycle)
