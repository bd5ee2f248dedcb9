"""Delivery: a packet whose last flit has reached its terminal is counted, answered if asked for, and its row is free.

All engines deliver by this; the twin is in `reference.simulation`.
"""

from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.sim.memory.packets import append, give_row, measure, new_packet
from jumpnet.sim.memory.rows import batch_of, counters_at, delivery_of, flits_of, packet_at, sums_at, terminal_of

__all__ = ["account", "deliver", "list_delivery"]


@kernel
def reply(m, p, cycle):
    """Create the reply to request p, which arrives in that cycle, at its destination terminal."""
    request = packet_at(m, p)
    i = request.to_terminal if m.subnets == 1 else request.to_terminal % m.terminals
    terminal = terminal_of(m, i)
    flits, kind = m.kind_reply[request.kind & at.KIND], request.kind & at.KIND | 1
    q = new_packet(m, i, request.from_terminal, cycle + m.reply_delay, flits, terminal.replies, kind)
    terminal.replies += 1
    if request.kind & at.MEASURED:
        measure(m, q)
    append(m, i, q, 0)


@inlined
def list_delivery(m, number, created, cycle):
    """List what has come in that cycle of what was posted from outside: the row; there are rows for all that may."""
    counter = counters_at(m, 0)
    row = delivery_of(m, counter.deliveries)
    row.number, row.created, row.arrived = number, created, cycle
    counter.deliveries += 1
    return row


@kernel
def sum_flits(m, p, network):
    """Sum of the latencies of the flits of packet p, whose head entered so many cycles before its tail arrived."""
    if packet_at(m, p).length == 1:
        return network
    total, flits = 0, flits_of(m, p)
    for k in range(packet_at(m, p).length):
        total += flits[k]
    return total


@kernel
def count_flits(m, p, cells, network):
    """Count the flits of packet p by their latencies in the histogram that begins at `cells`."""
    if packet_at(m, p).length == 1:
        m.histogram[cells + min(network, m.histogram_cells - 1)] += 1
        return
    longest, flits = m.histogram_cells - 1, flits_of(m, p)
    histogram = m.histogram  # read once: every store might change it, as far as the compiler knows
    for k in range(packet_at(m, p).length):
        histogram[cells + min(flits[k], longest)] += 1


@kernel
def count_sums(m, first, p, latency, network, flit_sum):
    """Add a packet to the five counters that begin at `first`."""
    sums, packet = sums_at(m, first), packet_at(m, p)
    sums.latency += latency
    sums.network += network
    sums.flit += flit_sum
    sums.flits += packet.length
    sums.hops += packet.hops


@inlined
def count_batch(m, p, cycle, latency, network, flit_sum):
    """Add a packet to the batch of cycles that it is delivered in."""
    number = cycle // m.batch
    if number < m.batches_rows:
        batch = batch_of(m, number)
        batch.packets += 1
        batch.latency += latency
        batch.network += network
        batch.flit += flit_sum
        batch.flits += packet_at(m, p).length


@inlined
def count_measured(m, p, latency, network, flit_sum):
    """Add a measured packet to the counters and histograms of the results, cycles all."""
    counter, packet, longest = counters_at(m, 0), packet_at(m, p), m.histogram_cells - 1
    counter.done_measured += 1
    counter.max_latency = max(counter.max_latency, latency)
    count_sums(m, COUNTER.latency_sum, p, latency, network, flit_sum)
    cells = 0
    if m.kinds == at.SEVERAL:
        cells = m.kind_row[packet.kind & at.KIND] * at.HISTOGRAMS * m.histogram_cells
    if packet.kind & 1 == 1:
        counter.replies_measured += 1
        count_sums(m, COUNTER.reply_latency_sum, p, latency, network, flit_sum)
        cells = at.HISTOGRAMS * m.histogram_cells
    m.histogram[cells + at.H_PACKET * m.histogram_cells + min(latency, longest)] += 1
    m.histogram[cells + at.H_NETWORK * m.histogram_cells + min(network, longest)] += 1
    if m.delivery_rows == 0:
        count_flits(m, p, cells + at.H_FLIT * m.histogram_cells, network)
    m.by_source[packet.from_terminal] += packet.length


@inlined
def account(m, p, cycle):
    """Count packet p in the results: its tail reaches its terminal in that cycle, its other flits have."""
    counter, packet = counters_at(m, 0), packet_at(m, p)
    latency, network = cycle - packet.created, cycle - packet.injected
    flit_sum = sum_flits(m, p, network) if m.delivery_rows == 0 else 0
    counter.delivered += 1
    if m.kinds == at.SEVERAL:
        m.class_flits[m.kind_row[packet.kind & at.KIND]] += packet.length
    count_batch(m, p, cycle, latency, network, flit_sum)
    if packet.kind & at.MEASURED:
        count_measured(m, p, latency, network, flit_sum)


@kernel
def deliver(m, p, cycle):
    """The tail of packet p reaches its terminal in that cycle: it is counted, answered or handed out, and gone."""
    packet = packet_at(m, p)
    account(m, p, cycle)
    counters_at(m, 0).flit_hops += packet.hops * packet.length
    if m.reply_flits > 0 and packet.kind & 1 == 0:
        reply(m, p, cycle)
    if m.delivery_rows > 0:
        list_delivery(m, packet.number, packet.created, cycle)
    give_row(m, p)
