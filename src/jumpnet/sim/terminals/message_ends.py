"""Ends of packets that branch: what terminals and combining units send and receive.

An arrival is reported when its last flit wins the switch, with the cycle it will arrive in; what results from it
carries that cycle. Messages, places and packets are named by where their rows start. `terminals.injection` asks for
what to send, `router.switch_traversal` reports what arrives; the twin is `tests/naive/multicast_ends.py`. Where
messages are posted from outside (`m.delivery_rows`), what a terminal takes is reported there, and it acknowledges or
counts on request (`terminals.posting`).
"""

from jumpnet.jit.bits import bit
from jumpnet.jit.instructions import stay_apart
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import message_layout as msg
from jumpnet.sim.memory.packets import give_row, new_packet, take_row
from jumpnet.sim.memory.posted import give_message
from jumpnet.sim.memory.rows import counters_at, message_at, packet_at, place_at, tally_at, terminal_of, trace_of
from jumpnet.sim.terminals.delivery import account, list_delivery

__all__ = [
    "count_flit", "counting_sink", "parent_of", "planned", "say", "take_answer", "take_in", "take_message", "tally_of",
]  # fmt: skip


@inlined
def planned(m, p):
    """Whether packet p follows a tree, instead of the routing."""
    return m.forks == 1 and packet_at(m, p).place >= 0


@inlined
def drops(m, place):
    """Whether what a terminal takes at a place is for nobody there: dropped, or made again and sent on."""
    return place >= 0 and place_at(m, place).drops == 1


@inlined
def parent_of(m, place):
    """The place before a place, negative where a packet starts: at the source, or at a processor that made it again."""
    return place_at(m, place).parent * m.place_fields


@inlined
def tally_of(m, message, place):
    """Start of the tally of a place of a message."""
    row = message_at(m, message)
    return (row.base + place // m.place_fields - row.start) * msg.TALLY_FIELDS


@kernel
def one_counted(m, message, place):
    """Count one acknowledge for a place: whether it is the last."""
    tally = tally_at(m, tally_of(m, message, place))
    tally.left -= 1
    return tally.left == 0


@inlined
def counting_sink(m, message, place):
    """Sink whose terminal counts the acknowledges of a place when no entry is free: the source's, else the first."""
    row = place_at(m, place)
    at_source = row.parent < 0 and row.origin < 0
    return m.sink_index[message_at(m, message).source] if at_source else 0


# Sending.


@kernel
def take_message(m, i):
    """The next message of terminal i as a packet."""
    message = trace_of(m, m.trace_first[i] + terminal_of(m, i).sequence).to_terminal
    row = message_at(m, message)
    p = new_packet(m, i, max(0, row.to_terminal), row.created, row.flits, row.number, 0)
    packet = packet_at(m, p)
    packet.message, packet.place, packet.role = message, row.start * m.place_fields, msg.DATA
    return p


@kernel
def take_answer(m, i, t):
    """The next acknowledge of terminal i, or of a combining unit, when it is there; its entry is free again."""
    terminal = terminal_of(m, i)
    p = terminal.answer_first
    if p < 0 or packet_at(m, p).ready > t:
        return -1
    terminal.answer_first = packet_at(m, p).following
    if i >= m.terminals:
        m.used[i - m.terminals] -= 1
    return p


@kernel
def enqueue(m, i, p):
    """Put packet p into the queue of terminal i, or of a combining unit: before those that are ready later."""
    terminal, ready = terminal_of(m, i), packet_at(m, p).ready
    before, following = -1, terminal.answer_first
    if following >= 0 and packet_at(m, terminal.answer_last).ready <= ready:
        before, following = terminal.answer_last, -1
    while following >= 0 and packet_at(m, following).ready <= ready:
        before, following = following, packet_at(m, following).following
    packet_at(m, p).following = following
    if before < 0:
        terminal.answer_first = p
    else:
        packet_at(m, before).following = p
    if following < 0:
        terminal.answer_last = p
    m.awake[i >> 5] |= bit(i)


@kernel
def send(m, i, message, place, role, flits, ready):
    """A packet of terminal i, or of a combining unit, at a place of a message's tree; it may enter from `ready` on."""
    p = take_row(m)
    packet = packet_at(m, p)
    packet.from_terminal, packet.kind, packet.length = i, 0, flits
    packet.created, packet.ready = message_at(m, message).created, ready
    packet.message, packet.place, packet.role = message, place, role
    enqueue(m, i, p)


@kernel
def answer(m, i, message, place, role, ready):
    """An acknowledge of terminal i, or of a combining unit."""
    send(m, i, message, place, role, m.ack_flits, ready)


@kernel
def send_on(m, i, message, place, ready):
    """Terminal i makes a new packet of the one that it has taken at a place."""
    counters_at(m, 0).remade += 1
    start = place_at(m, place).again * m.place_fields
    send(m, i, message, start, msg.DATA, message_at(m, message).flits, ready)


# Receiving.


@kernel
def tell_outside(m, message, what, terminal, place, cycle):
    """List what has come of a message that was posted from outside. With the last of it the message is over."""
    of = message_at(m, message)
    row = list_delivery(m, of.number, of.created, cycle)
    row.what, row.terminal, row.place = what, terminal, place // m.place_fields
    if what == msg.TAKEN_LAST or what == msg.ACKNOWLEDGED:
        give_message(m, message)


@kernel
def acknowledged(m, message, cycle):
    """The source knows that all have received."""
    of = message_at(m, message)
    of.acknowledged = cycle
    counters_at(m, 0).open -= 1
    if m.delivery_rows > 0:
        tell_outside(m, message, msg.ACKNOWLEDGED, of.source, of.start * m.place_fields, cycle)


@kernel
def one_received(m, message, cycle):
    """One more receiver has the message, or has acknowledged directly."""
    row = message_at(m, message)
    row.to_come -= 1
    if row.to_come == 0:
        if row.ack == msg.DIRECT:
            acknowledged(m, message, cycle)
        else:
            counters_at(m, 0).open -= 1


@kernel
def count_own(m, terminal, x, message, place, ready):
    """The terminal at sink x acknowledges what it took at a place; 1: that was the last acknowledge, counted here."""
    tally = tally_at(m, tally_of(m, message, place))
    if tally.left == 0:
        return 1
    if tally.in_unit == 1 or x != counting_sink(m, message, place):
        answer(m, terminal, message, place, msg.LOCAL_ACK, ready)
        return 0
    return int(one_counted(m, message, place))


@kernel
def tell_parent(m, terminal, x, message, place, ready):
    """A terminal has seen that everything below a place has received.

    Where the packet started that it had made again, its own acknowledge for what it took is due now.
    """
    last = 1
    while last == 1:
        origin = place_at(m, place).origin
        if place_at(m, place).parent >= 0:
            answer(m, terminal, message, place, msg.UP_ACK, ready)
            last = 0
        elif origin < 0:
            acknowledged(m, message, ready)
            last = 0
        else:
            place = origin * m.place_fields
            last = count_own(m, terminal, x, message, place, ready)


@kernel
def acknowledge(m, terminal, x, message, place, ready):
    """The terminal at sink x acknowledges what it took at a place, for all below it if that was the last."""
    if count_own(m, terminal, x, message, place, ready) == 1:
        tell_parent(m, terminal, x, message, place, ready)


@kernel
def say(m, message, place, terminal, x, cycle, what):
    """The terminal at sink x says something (`message_layout.COUNTS`, ...) of a message at a place, in that cycle."""
    if what == msg.SENDS_ON:
        send_on(m, terminal, message, place, cycle)
    elif what == msg.ACKNOWLEDGES:
        acknowledge(m, terminal, x, message, place, cycle)
    elif what == msg.PASSES_ON or one_counted(m, message, place):
        tell_parent(m, terminal, x, message, place, cycle)


@kernel
def hear(m, message, place, terminal, x, cycle, what, says):
    """A terminal hears something of a message at a place, and says what follows: by itself, or when told from outside.

    what: one of `message_layout.COUNTED`, ...; says: one of COUNTS, ...
    """
    if m.delivery_rows > 0:
        tell_outside(m, message, what, terminal, place, cycle)
    else:
        say(m, message, place, terminal, x, cycle + m.ack_delay, says)


@kernel
def receive(m, r, x, message, place, cycle):
    """The terminal at sink x of router r has received a message at a place."""
    terminal, ready = m.sink[r * m.spread + x], cycle + m.ack_delay
    row = message_at(m, message)
    if m.delivery_rows > 0:
        row.to_come -= 1
        last = row.ack == msg.NO_ACK and row.to_come == 0
        counters_at(m, 0).open -= int(last)
        what = msg.TAKEN_LAST if last else msg.HANDED if place_at(m, place).again >= 0 else msg.TAKEN
        tell_outside(m, message, what, terminal, place, cycle)
        return
    if not drops(m, place):
        row.last_arrival = max(row.last_arrival, cycle)
        row.received += 1
    if place >= 0 and place_at(m, place).again >= 0:
        send_on(m, terminal, message, place, cycle + m.remake)
        if row.ack == msg.COMBINED:
            return  # it acknowledges when what it sends on has been acknowledged
    if row.ack == msg.DIRECT:
        reply = place_at(m, place)[x]
        if reply < 0:
            one_received(m, message, ready)
        else:
            answer(m, terminal, message, reply * m.place_fields, msg.ONE_ACK, ready)
    elif row.ack == msg.COMBINED:
        acknowledge(m, terminal, x, message, place, ready)
    else:
        one_received(m, message, cycle)


@kernel
def take_alone(m, p, terminal, cycle):
    """A packet to one destination that was posted from outside has arrived."""
    account(m, p, cycle)
    row = list_delivery(m, packet_at(m, p).number, packet_at(m, p).created, cycle)
    row.what, row.terminal, row.place = msg.ALONE, terminal, -1


@kernel
def count_in_unit(m, r, message, place, cycle):
    """The combining unit of router r counts one acknowledge for a place, and answers for all."""
    if one_counted(m, message, place):
        role = msg.FINAL if place_at(m, place).parent < 0 else msg.UP_ACK
        answer(m, m.terminals + r, message, place, role, cycle)


@kernel
def take_in(m, r, p, o, cycle):
    """The tail of packet p leaves router r by output VC o for a terminal or the combining unit."""
    stay_apart()
    packet = packet_at(m, p)
    message, place, role = packet.message, packet.place, packet.role
    x = (o // m.vcs - m.link_outputs) // m.ejection_ports
    if message < 0:
        take_alone(m, p, m.sink[r * m.spread + x], cycle)
        if place < 0:
            give_row(m, p)
        return
    target = parent_of(m, place) if role == msg.UP_ACK else place
    if m.delivery_rows > 0 and role == msg.DATA:
        account(m, p, cycle)
    if o >= m.out_vcs - m.vcs:
        count_in_unit(m, r, message, target, cycle)
    elif role == msg.DATA:
        receive(m, r, x, message, place, cycle)
    elif role == msg.ONE_ACK:
        one_received(m, message, cycle)
    elif role == msg.FINAL and place_at(m, place).origin < 0:
        acknowledged(m, message, cycle)
    elif role == msg.FINAL:  # the combining unit of its router says that all have acknowledged what started there
        hear(m, message, place, m.sink[r * m.spread + x], x, cycle, msg.GATHERED, msg.PASSES_ON)
    else:
        hear(m, message, target, m.sink[r * m.spread + x], x, cycle, msg.COUNTED, msg.COUNTS)
    if place < 0:
        give_row(m, p)


@kernel
def count_flit(m, p, o):
    """A flit of packet p goes through output VC o."""
    counter, packet = counters_at(m, 0), packet_at(m, p)
    is_ack = int(packet.role != msg.DATA)
    counter.flit_hops += 1
    if o < m.link_out_vcs:
        counter.link_flits += 1
        counter.ack_link_flits += is_ack
    elif is_ack == 0 and not drops(m, packet.place):
        counter.arrived += 1
