"""Packets posted from outside: they wait in their terminal's list, where otherwise replies wait.

Used by `outside`; messages that branch, and what terminals do with them, by `multicast.outside`.
"""

from jumpnet.jit.linked import entry, inlined, kernel
from jumpnet.sim.memory import message_layout as msg
from jumpnet.sim.memory.packets import append, measure, new_packet
from jumpnet.sim.memory.posted import new_message
from jumpnet.sim.memory.record import memory_at
from jumpnet.sim.memory.rows import counters_at, message_at, packet_at
from jumpnet.sim.terminals.message_ends import say

__all__ = ["post_answer", "post_answers", "post_message", "post_messages", "post_packet", "post_packets"]


@inlined
def post_packet(m, number, source, to, created, flits, c):
    """Append a packet of class c, its row the answer, to its source's list: there is room, also for its delivery."""
    p = new_packet(m, source, to, created, flits, number, 2 * c)
    counters_at(m, 0).created += 1
    measure(m, p)
    append(m, source, p, c)
    return p


@entry
def post_packets(record, number, source, to, created, flits, c):
    """`post_packet` of each; all arrays are (K,) int64, cycles and terminals."""
    m = memory_at(record)
    for k in range(len(number)):
        post_packet(m, number[k], source[k], to[k], created[k], flits[k], c[k])


@kernel
def post_message(m, number, source, to, created, flits, plan, combined):
    """The same where packets branch: by a plan, or for plan -1 to terminal `to`. Returns the message's row, or -1."""
    message, place = -1, -1
    if plan >= 0:
        message = new_message(m, number, source, created, flits, plan, combined)
        place = message_at(m, message).start * m.place_fields
    elif m.plans_alone == 1:
        place = (m.alone[source * m.terminals + to] - 1) * m.place_fields
    p = new_packet(m, source, to, created, flits, number, 0)
    packet, counter = packet_at(m, p), counters_at(m, 0)
    packet.message, packet.place, packet.role = message, place, msg.DATA
    counter.created += 1
    counter.open += int(message >= 0)
    measure(m, p)
    append(m, source, p, 0)
    return message


@entry
def post_messages(record, number, source, to, created, flits, plan, combined, message):
    """`post_message` of each; all arrays (K,), `message` is filled."""
    m = memory_at(record)
    for k in range(len(number)):
        of = number[k], source[k], to[k], created[k], flits[k]
        message[k] = post_message(m, *of, plan[k], combined[k] != 0)


@kernel
def post_answer(m, message, place, terminal, cycle, what):
    """A terminal says something (`message_layout.COUNTS`, ...) of a message at a place, at a cycle to come."""
    say(m, terminal, m.sink_index[terminal], message, place * m.place_fields, what, cycle)


@entry
def post_answers(record, message, place, terminal, cycle, what):
    """`post_answer` of each; all arrays (K,).

    The packet table has room for a packet of each, and the list of deliveries for its report.
    """
    m = memory_at(record)
    for k in range(len(message)):
        post_answer(m, message[k], place[k], terminal[k], cycle[k], what[k])
