"""Rows of the packet table: one for each packet on its way, taken when it is created and given back when it arrives."""

from jumpnet.jit.bits import bit
from jumpnet.jit.linked import inlined, kernel
from jumpnet.jit.random import below, draw63
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.rows import counters_at, packet_at, terminal_of

__all__ = ["append", "first_vc", "give_row", "measure", "new_packet", "order_of", "sink_output", "take_row"]


@inlined
def first_vc(m, packet):
    """First virtual channel of a port that a packet may use; the routing numbers them from there."""
    return m.kind_vc[packet.kind & at.KIND] if m.classes > 1 or m.kinds > 0 else 0


@inlined
def sink_output(m, packet):
    """Output port to the terminal of a packet, at its last router, where a terminal has one."""
    return m.link_outputs + m.sink_index[packet.to_terminal]


@inlined
def order_of(m, p):
    """What goes before other packets where priorities count: the lowest."""
    packet = packet_at(m, p)
    if m.priority == at.BY_AGE:
        return packet.created
    return packet.number if m.priority == at.BY_SEQUENCE else m.kind_rank[packet.kind & at.KIND]


@kernel
def take_row(m):
    """A free row of the packet table (its start), no longer free; the run made sure that there is one."""
    counter = counters_at(m, 0)
    p = counter.free
    counter.free = packet_at(m, p).following
    counter.packets += 1
    return p


@inlined
def give_row(m, p):
    """Packet p is no more: its row is free."""
    counter = counters_at(m, 0)
    packet_at(m, p).following = counter.free
    counter.free = p
    counter.packets -= 1


@kernel
def new_packet(m, i, to, cycle, flits, number, kind):
    """A packet of terminal i to terminal `to`, created in that cycle: takes a row of the packet table and fills it.

    Where there are several copies of the network, `to_terminal` is the terminal's number in that which it goes into.
    """
    p = take_row(m)
    packet = packet_at(m, p)
    packet.source, packet.destination = m.source_router[i], m.sink_router[to]
    packet.from_terminal, packet.to_terminal = i, to
    packet.state, packet.hops = 0, 0
    packet.in_port, packet.in_vc, packet.intermediate = -1, -1, -1
    packet.created, packet.length, packet.number, packet.kind = cycle, flits, number, kind
    if m.subnets > 1:
        k = m.kind_subnet[kind]
        if k < 0:
            k = below(draw63(m.packet_key[i], 4 * number + 3), m.subnets)
        packet.to_terminal += k * m.terminals
    return p


@kernel
def measure(m, p):
    """Let packet p count in the results."""
    counter, packet = counters_at(m, 0), packet_at(m, p)
    packet.kind += at.MEASURED
    counter.created_measured += 1
    counter.created_flits_measured += packet.length


@kernel
def append(m, i, p, c):
    """Packet p waits after the replies of terminal i, which is awake; where classes come from outside, those of c."""
    terminal = terminal_of(m, i + c * m.terminals)
    packet_at(m, p).following = -1
    if terminal.reply_last >= 0:
        packet_at(m, terminal.reply_last).following = p
    else:
        terminal.reply_first = p
    terminal.reply_last = p
    m.awake[i >> 5] |= bit(i)
