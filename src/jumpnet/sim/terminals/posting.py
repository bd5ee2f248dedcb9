"""Packets posted from outside: they wait in their terminal's list, where otherwise replies wait.

Used by `outside`; messages that branch, and what terminals do with them, by `multicast.outside`.
"""

from jumpnet.jit.linked import entry, inlined
from jumpnet.sim.memory import message_layout as cast
from jumpnet.sim.memory.packets import append, measure, new_packet
from jumpnet.sim.memory.record import memory_at
from jumpnet.sim.memory.rows import counters_at, packet_at
from jumpnet.sim.terminals.message_ends import acknowledge, count

__all__ = ["post_answers", "post_messages", "post_packet", "post_packets"]


@inlined
def post_packet(m, number, source, to, created, flits):
    """Append a packet, whose row is the answer, to the list of its source: there is room, also for its delivery."""
    p = new_packet(m, source, to, created, flits, number, 0)
    counters_at(m, 0).created += 1
    measure(m, p)
    append(m, source, p)
    return p


@entry
def post_packets(record, number, source, to, created, flits):
    """`post_packet` of each; all arrays are (K,) int64, cycles and terminals."""
    m = memory_at(record)
    for k in range(len(number)):
        post_packet(m, number[k], source[k], to[k], created[k], flits[k])


@entry
def post_messages(record, number, source, to, created, flits, message, place):
    """The same where packets branch. message: rows of multicasts, -1 for a packet to terminal `to`.

    place: where the tree begins, -1 for what the routing takes to its terminal.
    """
    m = memory_at(record)
    for k in range(len(number)):
        packet = packet_at(m, post_packet(m, number[k], source[k], to[k], created[k], flits[k]))
        packet.message, packet.place, packet.role = message[k], place[k], cast.DATA
        counters_at(m, 0).open += int(message[k] >= 0)


@entry
def post_answers(record, message, place, terminal, cycle, counts):
    """Terminals acknowledge what they took, or count an acknowledge (counts 1), at cycles to come; all arrays (K,).

    The packet table has room for an acknowledge of each, and the list of deliveries for its report.
    """
    m = memory_at(record)
    for k in range(len(message)):
        i, x = terminal[k], m.sink_index[terminal[k]]
        if counts[k]:
            count(m, i, x, message[k], place[k], cycle[k])
        else:
            acknowledge(m, i, x, message[k], place[k], cycle[k])
