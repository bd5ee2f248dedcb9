"""Kernels of the timed machine: a message to many nodes that branches inside the routers, and its acknowledges.

It is one packet: the network copies it, and says who has taken a copy (`multicast.outside`). Combined acknowledges are
counted by the network too: a node says when it is through, and where a router has no combining buffer free its node's
processor counts them. A line that a node gives up with its acknowledge goes home as a packet of its own, as buffers
hold no data. Used by `_tell`, `_home` and `_processors`.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.machine.timed import _tables as at
from jumpnet.machine.timed._queue import arrive
from jumpnet.machine.timed._tables import free_message, hand_over, new_message, send
from jumpnet.sim.memory import message_layout as told

__all__ = ["answer", "at_once", "branched", "send_on", "start_branching"]


@kernel
def start_branching(m, root, places, kind, line, register, flits, t):
    """A message starts from the root of its places, the others of which are those that take it."""
    home = m.place[root + at.T_ROUTER]
    row = new_message(m, kind, home, home, line, register, flits)
    m.message[row + at.M_PLACE] = root
    m.kinds[kind] += places - 1
    m.count[at.C_INSIDE] += 1
    hand_over(m, row, t)
    if kind == at.RELEASE:
        m.thing[line * at.O_FIELDS + at.O_CAST] = row
    if kind == at.TELL:
        m.register[register * at.R_FIELDS + at.R_CAST] = row
        m.line[line * at.L_FIELDS + at.L_LEFT] = 1 if m.acknowledges == at.COMBINED else places - 1
        y = register * m.most_places * at.Y_FIELDS
        m.tally[y + at.Y_LEFT], m.tally[y + at.Y_LATEST] = places - 1, 0


@kernel
def over(m, row):
    """Nothing more comes of a message that branches."""
    m.count[at.C_INSIDE] -= 1
    free_message(m, row)


@kernel
def answer(m, place, node, line, register, flag, t):
    """A node, or a router without one, has done what a message told: its part of the combined acknowledge."""
    home = m.home[m.page[line]]
    if flag:
        m.line[line * at.L_FIELDS + at.L_LEFT] += 1
        row = new_message(m, at.ACK, node, home, line, register, m.long)
        m.message[row + at.M_FLAG] = flag
        send(m, row, t)
    row = new_message(m, at.ACK, node, home, line, register, m.short)
    m.message[row + at.M_PLACE] = place
    m.kinds[at.ACK] += 1
    hand_over(m, row, t)


@kernel
def copied(m, row, to, place, last, flag, t):
    """A copy of a message reaches router `to` at time t; last: nothing more comes of the message.

    A router without a node answers on its own. flag: ANEW where the node's processor is to make it anew.
    """
    kind, line, register = m.message[row + at.M_KIND], m.message[row + at.M_LINE], m.message[row + at.M_REGISTER]
    home, flits, sent = m.message[row + at.M_FROM], m.message[row + at.M_FLITS], m.message[row + at.M_SENT]
    m.count[at.C_NETWORK] += t - sent
    m.count[at.C_FLITS] += flits
    m.count[at.C_CARRIED] += 1
    if last:
        over(m, row)
    if to < m.nodes:
        copy = new_message(m, kind, home, to, line, register, flits)
        m.message[copy + at.M_PLACE], m.message[copy + at.M_FLAG] = place, flag
        arrive(m, copy, t)
    elif kind == at.TELL and m.acknowledges == at.COMBINED:
        answer(m, place, to, line, register, at.NOTHING, t + m.forward)
    elif kind == at.TELL:
        send(m, new_message(m, at.ACK, to, home, line, register, m.short), t + m.forward)


@kernel
def all_answered(m, row, t):
    """The combined acknowledge of a message has come to its home, for whose processor it is."""
    home, line, register = m.message[row + at.M_FROM], m.message[row + at.M_LINE], m.message[row + at.M_REGISTER]
    over(m, row)
    arrive(m, new_message(m, at.ACK, home, home, line, register, m.short), t)


@kernel
def send_on(m, row, node, t):
    """The processor of a node has made a message anew, and sends it on."""
    m.message[row + at.M_FROM] = node
    hand_over(m, row, t)


@kernel
def to_count(m, row, node, place, flag, t):
    """An acknowledge has come to a node that has to count it, for want of a buffer or for what it made anew."""
    line, register = m.message[row + at.M_LINE], m.message[row + at.M_REGISTER]
    count = new_message(m, at.ACK, node, node, line, register, m.short)
    m.message[count + at.M_PLACE], m.message[count + at.M_FLAG] = place, flag
    if node < m.nodes:
        arrive(m, count, t)
    else:
        hand_over(m, count, t + m.forward)


@kernel
def branched(m, row, what, to, place, t):
    """The network says what has come of a message that branches, at time t."""
    if what == told.ACKNOWLEDGED:
        all_answered(m, row, t)
    elif what == told.COUNTED or what == told.GATHERED:
        to_count(m, row, to, place, at.COUNTS if what == told.COUNTED else at.GATHERS, t)
    else:
        flag = at.ANEW if what == told.HANDED else at.NOTHING
        copied(m, row, to, place, what == told.TAKEN_LAST, flag, t)


@kernel
def at_once(m, row, latency):
    """What a network without routers makes of a message that branches, or of an answer: each takes `latency` and its
    flits, the combined acknowledge from the last answer on."""
    place, sent = m.message[row + at.M_PLACE], m.message[row + at.M_SENT]
    kind, register = m.message[row + at.M_KIND], m.message[row + at.M_REGISTER]
    if kind != at.ACK:
        t = sent + latency + m.message[row + at.M_FLITS]
        end = m.place[place + at.T_FIRST] + m.place[place + at.T_CHILDREN]
        stays = kind == at.TELL and m.acknowledges == at.COMBINED
        for child in range(m.place[place + at.T_FIRST], end):
            to = m.place[child * at.T_FIELDS + at.T_ROUTER]
            copied(m, row, to, child, child + 1 == end and not stays, at.NOTHING, t)
        return
    free_message(m, row)
    y = register * m.most_places * at.Y_FIELDS
    m.tally[y + at.Y_LEFT] -= 1
    m.tally[y + at.Y_LATEST] = max(sent, m.tally[y + at.Y_LATEST])
    if m.tally[y + at.Y_LEFT] == 0:
        t = m.tally[y + at.Y_LATEST] + latency + m.short
        all_answered(m, m.register[register * at.R_FIELDS + at.R_CAST], t)
