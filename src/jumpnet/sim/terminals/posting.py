"""Packets posted from outside: they wait in their terminal's list, where otherwise replies wait.

Used by `sim.outside` and `sim.multicast.outside`, and by the timed machine; kernels change the packet table, the
lists of terminals and, where packets branch, the rows of messages.
"""

from jumpnet.jit.linked import entry, kernel
from jumpnet.sim.memory import message_layout as msg
from jumpnet.sim.memory.layout import FLIT
from jumpnet.sim.memory.packets import append, measure, new_packet
from jumpnet.sim.memory.posted import new_message
from jumpnet.sim.memory.record import memory_at
from jumpnet.sim.memory.rows import counters_at, message_at, packet_at
from jumpnet.sim.terminals.message_ends import say

__all__ = ["END_CYCLE", "post_answer", "post_answers", "post_packet", "post_packets"]

END_CYCLE = FLIT - (1 << 24)
"""No network with posted packets is simulated up to this cycle: slots hold none beyond FLIT, and delays are far less
than what lies between."""


@kernel
def put_on_tree(m, p, plan, combined):
    """Packet p, which was just made, is a message by a plan, or for plan -1 goes to one terminal. The message's row."""
    packet, message, place = packet_at(m, p), -1, -1
    i, to = packet.from_terminal, packet.to_terminal
    if plan >= 0:
        message = new_message(m, packet.number, i, packet.created, packet.length, plan, combined)
        place = message_at(m, message).start * m.place_fields
    elif m.plans_alone == 1:
        place = (m.alone[i * m.terminals + to] - 1) * m.place_fields
    packet.message, packet.place, packet.role = message, place, msg.DATA
    counters_at(m, 0).open += int(message >= 0)
    return message


@kernel
def post_packet(m, number, source, to, created, flits, c, plan, combined):
    """Append a packet of class c to its source's list; there is room, also for its delivery.

    Where packets branch it goes by a plan, if that is not -1: the answer is the message's row, else -1.
    """
    p = new_packet(m, source, to, created, flits, number, 2 * c)
    counters_at(m, 0).created += 1
    message = put_on_tree(m, p, plan, combined) if m.forks == 1 else -1
    measure(m, p)
    append(m, source, p, c)
    return message


@entry
def post_packets(record, posts, message):
    """`post_packet` of each row of `posts` (K, 8), whose numbers are its arguments; `message` (K,) is filled."""
    m = memory_at(record)
    for k in range(len(message)):
        of = posts[k]
        message[k] = post_packet(m, of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7] != 0)


@kernel
def post_answer(m, message, place, terminal, cycle, what):
    """A terminal says something (`message_layout.COUNTS`, ...) of a message at a place, at a cycle to come."""
    say(m, message, place * m.place_fields, terminal, m.sink_index[terminal], cycle, what)


@entry
def post_answers(record, answers):
    """`post_answer` of each row of `answers` (K, 5), whose numbers are its arguments.

    The packet table has room for a packet of each, and the list of deliveries for its report.
    """
    m = memory_at(record)
    for k in range(len(answers)):
        of = answers[k]
        post_answer(m, of[0], of[1], of[2], of[3], of[4])
