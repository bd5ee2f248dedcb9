"""Kernel of the multicast simulator's ends: what processors and combining units send and receive.

An arrival is told when its last flit wins the switch, with the cycle it will arrive in; what follows from it carries
that cycle. The twin is `reference.Processor` and `Unit`.
"""

from __future__ import annotations

from jumpnet._jit import jit
from jumpnet.sim.multicast import _layout as at

__all__ = ["accept", "length_of", "packet", "take"]


@jit
def packet(m, code):
    """(message, place, kind) of a packet."""
    both = code // 8
    return both // m.size[at.PLACES], both % m.size[at.PLACES], code % 8


@jit
def length_of(m, code):
    """Length of a packet in flits."""
    if code % 8 == 0:
        return m.message[code // 8 // m.size[at.PLACES], at.FLITS]
    return m.size[at.ACK_FLITS]


@jit
def take(m, r, unit, t):
    """The next packet of router r's processor or combining unit, -1 when there is none: acknowledges first."""
    end = m.endpoint[2 * r + unit]
    s = end[at.FIRST]
    if s >= 0 and m.tally[s, at.SENT_READY] <= t:
        end[at.FIRST] = m.tally[s, at.SENT_NEXT]
        if unit:
            m.used[r] -= 1
        return m.tally[s, at.SENT]
    if end[at.PENDING] < end[at.PENDING_END]:
        message = m.pending[end[at.PENDING]]
        if m.message[message, at.CREATED] <= t:
            end[at.PENDING] += 1
            return (message * m.size[at.PLACES] + m.message[message, at.START]) * 8
    return -1


@jit
def answer(m, r, unit, message, k, place, kind, ready):
    """Put an acknowledge into the queue of an endpoint; the tally of place k holds it."""
    s = m.message[message, at.BASE] + k - m.message[message, at.START]
    m.tally[s, at.SENT] = (message * m.size[at.PLACES] + place) * 8 + kind
    m.tally[s, at.SENT_READY], m.tally[s, at.SENT_NEXT] = ready, -1
    end = m.endpoint[2 * r + unit]
    if end[at.FIRST] < 0:
        end[at.FIRST] = s
    else:
        m.tally[end[at.LAST], at.SENT_NEXT] = s
    end[at.LAST] = s


@jit
def acknowledged(m, message, cycle):
    """The source knows that all have received."""
    m.message[message, at.ACKNOWLEDGED] = cycle
    m.counter[at.OPEN] -= 1


@jit
def one_less(m, message, cycle):
    """One more receiver has acknowledged directly."""
    m.message[message, at.TO_COME] -= 1
    if m.message[message, at.TO_COME] == 0:
        acknowledged(m, message, cycle)


@jit
def up(m, r, message, k, ready):
    """The processor has seen that everything below place k has received."""
    if m.place[k, at.PARENT] < 0:
        acknowledged(m, message, ready)
    else:
        answer(m, r, 0, message, k, k, 1, ready)


@jit
def count(m, r, message, k, cycle):
    """The processor counts one acknowledge for place k."""
    s = m.message[message, at.BASE] + k - m.message[message, at.START]
    m.tally[s, at.LEFT] -= 1
    if m.tally[s, at.LEFT] == 0:
        up(m, r, message, k, cycle + m.size[at.ACK_DELAY])


@jit
def receive(m, r, message, k, cycle):
    """The processor of router r has received a message at place k."""
    msg, ready = m.message[message], cycle + m.size[at.ACK_DELAY]
    if m.place[k, at.LOCAL] == at.RECEIVES:
        msg[at.LAST_ARRIVAL] = max(msg[at.LAST_ARRIVAL], cycle)
        msg[at.RECEIVED] += 1
    if msg[at.ACK] == 1:
        if m.place[k, at.REPLY] < 0:
            one_less(m, message, ready)
        else:
            answer(m, r, 0, message, k, m.place[k, at.REPLY], 4, ready)
    elif msg[at.ACK] == 2:
        if m.place[k, at.BRANCHES] == 0:
            up(m, r, message, k, ready)
        elif m.tally[msg[at.BASE] + k - msg[at.START], at.IN_UNIT] == 1:
            answer(m, r, 0, message, k, k, 2, ready)
        else:
            count(m, r, message, k, cycle)
    else:
        msg[at.TO_COME] -= 1
        if msg[at.TO_COME] == 0:
            m.counter[at.OPEN] -= 1


@jit
def accept(m, r, code, unit, cycle):
    """A whole packet reaches the processor or the combining unit of router r in that cycle."""
    message, k, kind = packet(m, code)
    target = m.place[k, at.PARENT] if kind == 1 else k
    if unit:
        s = m.message[message, at.BASE] + target - m.message[message, at.START]
        m.tally[s, at.LEFT] -= 1
        if m.tally[s, at.LEFT] == 0:
            answer(m, r, 1, message, target, target, 1 if m.place[target, at.PARENT] >= 0 else 3, cycle)
    elif kind == 0:
        receive(m, r, message, k, cycle)
    elif kind == 4:
        one_less(m, message, cycle)
    elif kind == 3:
        acknowledged(m, message, cycle)
    else:
        count(m, r, message, target, cycle)
