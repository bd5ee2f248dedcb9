"""Kernels of the timed machine: a message to many nodes that branches inside the routers, and its acknowledges.

It is one packet: the network copies it, and says who has taken a copy (`multicast.outside`). Combined acknowledges are
counted by the network too: a node says when it is through, and where a router has no combining buffer free its node's
processor counts them. A line that a node gives up with its acknowledge goes home as a packet of its own, as buffers
hold no data. Used by `tell`, `home` and `processors`.
"""

from jumpnet.jit.linked import kernel
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels.layout import (
    counters_at,
    line_of,
    message_at,
    place_at,
    register_of,
    tally_of,
    thing_of,
)
from jumpnet.machine.timed.kernels.queue import arrive
from jumpnet.machine.timed.kernels.tables import child_at, copy_of, free_message, hand_over, new_message, send
from jumpnet.sim.memory import message_layout as told

__all__ = ["answer", "at_once", "branched", "send_on", "start_branching"]


@kernel
def start_branching(m, root, places, kind, line, register, flits, t):
    """A message starts from the root of its places, the others of which are those that take it."""
    home = place_at(m, root).router
    row = new_message(m, kind, home, home, line, register, flits)
    message_at(m, row).place = root
    m.kinds[kind] += places - 1
    counters_at(m, 0).inside += 1
    hand_over(m, row, t)
    if kind == at.RELEASE:
        thing_of(m, line).cast = row
    if kind == at.TELL:
        register_of(m, register).cast = row
        line_of(m, line).left = 1 if m.acknowledges == at.COMBINED else places - 1
        tally = tally_of(m, register, 0)
        tally.left, tally.latest = places - 1, 0


@kernel
def over(m, row):
    """Nothing more comes of a message that branches."""
    counters_at(m, 0).inside -= 1
    free_message(m, row)


@kernel
def answer(m, row, flag, t):
    """A node, or a router without one, has done what a message told: its part of the combined acknowledge."""
    message = message_at(m, row)
    line, register, node = message.line, message.register, message.to
    home = m.home[m.page[line]]
    if flag:
        line_of(m, line).left += 1
        brings = new_message(m, at.ACK, node, home, line, register, m.long)
        message_at(m, brings).flag = flag
        send(m, brings, t)
    said = new_message(m, at.ACK, node, home, line, register, m.short)
    message_at(m, said).place = message.place
    m.kinds[at.ACK] += 1
    hand_over(m, said, t)


@kernel
def copied(m, row, to, place, last, flag, t):
    """A copy of a message reaches router `to` at time t; last: nothing more comes of the message.

    A router without a node answers on its own. flag: ANEW where the node's processor is to make it anew.
    """
    message, counters = message_at(m, row), counters_at(m, 0)
    home = message.source
    counters.network += t - message.sent
    counters.flits += message.flits
    counters.carried += 1
    copy = copy_of(m, row, home, to)
    message_at(m, copy).place, message_at(m, copy).flag = place, flag
    if to < m.nodes:
        arrive(m, copy, t)
    else:
        if message.kind == at.TELL and m.acknowledges == at.COMBINED:
            answer(m, copy, at.NOTHING, t + m.forward)
        elif message.kind == at.TELL:
            send(m, new_message(m, at.ACK, to, home, message.line, message.register, m.short), t + m.forward)
        free_message(m, copy)
    if last:
        over(m, row)


@kernel
def all_answered(m, row, t):
    """The combined acknowledge of a message has come to its home, for whose processor it is."""
    message = message_at(m, row)
    home = message.source
    arrive(m, new_message(m, at.ACK, home, home, message.line, message.register, m.short), t)
    over(m, row)


@kernel
def send_on(m, row, node, t):
    """The processor of a node has made a message anew, and sends it on."""
    message_at(m, row).source = node
    hand_over(m, row, t)


@kernel
def to_count(m, row, node, place, flag, t):
    """An acknowledge has come to a node that has to count it, for want of a buffer or for what it made anew."""
    message = message_at(m, row)
    count = new_message(m, at.ACK, node, node, message.line, message.register, m.short)
    message_at(m, count).place, message_at(m, count).flag = place, flag
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
    message = message_at(m, row)
    kind, root = message.kind, message.place
    if kind != at.ACK:
        t, children = message.sent + latency + message.flits, place_at(m, root).children
        stays = kind == at.TELL and m.acknowledges == at.COMBINED
        for k in range(children):
            child = child_at(m, root, k)
            copied(m, row, place_at(m, child).router, child, k + 1 == children and not stays, at.NOTHING, t)
        return
    tally = tally_of(m, message.register, 0)
    tally.left -= 1
    tally.latest = max(message.sent, tally.latest)
    if tally.left == 0:
        all_answered(m, register_of(m, message.register).cast, tally.latest + latency + m.short)
    free_message(m, row)
