"""Switch and link traversal: a flit that won leaves its slot to a credit, and appears in a slot downstream in time.

Both are one number each: the cycle from which the credit may be used, and FLIT + the cycle from which the flit may be
read. Ejection is a link to a terminal that frees the slot at once. Called by `_cycle`; the twin is
`reference.Router.traverse`.
"""

from __future__ import annotations

from jumpnet.sim import _layout as at
from jumpnet.sim._bits import bit
from jumpnet.sim._events import record
from jumpnet.sim._inject import address, take_row
from jumpnet.sim._memory import inlined, kernel

__all__ = ["traverse"]


@kernel
def reply(m, p, cycle):
    """Create the reply to request p at its destination terminal."""
    i = m.packet[p + at.AIM]
    q = take_row(m)
    m.packet[q + at.FROM] = i
    address(m, q, m.packet[p + at.FROM])
    m.packet[q + at.CREATED] = cycle + m.reply_delay
    m.packet[q + at.LENGTH] = m.reply_flits
    m.packet[q + at.NUMBER] = m.terminal[i * at.TERMINAL_FIELDS + at.REPLIES]
    m.packet[q + at.KIND] = 1
    m.packet[q + at.NEXT] = -1
    m.terminal[i * at.TERMINAL_FIELDS + at.REPLIES] += 1
    if m.packet[p + at.KIND] & at.MEASURED:
        m.packet[q + at.KIND] = 1 + at.MEASURED
        m.counter[at.C_CREATED_MEASURED] += 1
        m.counter[at.C_CREATED_FLITS_MEASURED] += m.reply_flits
    last = m.terminal[i * at.TERMINAL_FIELDS + at.REPLY_LAST]
    if last >= 0:
        m.packet[last + at.NEXT] = q
    else:
        m.terminal[i * at.TERMINAL_FIELDS + at.REPLY_FIRST] = q
    m.terminal[i * at.TERMINAL_FIELDS + at.REPLY_LAST] = q
    m.awake[i >> 5] |= bit(i)


@kernel
def deliver(m, p, cycle, arrivals):
    """The tail of packet p reaches its terminal in that cycle; `arrivals` sums the cycles its flits arrived in."""
    flits = m.packet[p + at.LENGTH]
    latency = cycle - m.packet[p + at.CREATED]
    m.counter[at.C_DELIVERED] += 1
    m.counter[at.C_PACKETS] -= 1
    m.counter[at.C_FLIT_HOPS] += m.packet[p + at.HOPS] * flits
    batch = cycle // m.batch
    if batch < m.batches_rows:
        m.batches[3 * batch] += 1
        m.batches[3 * batch + 1] += latency
        m.batches[3 * batch + 2] += flits
    if m.packet[p + at.KIND] & at.MEASURED:
        network = cycle - m.packet[p + at.INJECTED]
        longest = m.histogram_cells - 1
        m.counter[at.C_DONE_MEASURED] += 1
        m.counter[at.C_LATENCY_SUM] += latency
        m.counter[at.C_NETWORK_SUM] += network
        m.counter[at.C_FLIT_SUM] += arrivals - m.packet[p + at.ENTRY_SUM]
        m.counter[at.C_FLITS] += flits
        m.counter[at.C_HOPS_SUM] += m.packet[p + at.HOPS]
        m.counter[at.C_MAX_LATENCY] = max(m.counter[at.C_MAX_LATENCY], latency)
        m.histogram[min(latency, longest)] += 1
        m.histogram[m.histogram_cells + min(network, longest)] += 1
        m.by_source[m.packet[p + at.FROM]] += flits
    if m.reply_flits > 0 and m.packet[p + at.KIND] & 15 == 0:
        reply(m, p, cycle)
    m.packet[p + at.NEXT] = m.counter[at.C_FREE]
    m.counter[at.C_FREE] = p


@inlined
def arrive(m, outlet, to, slot, cycle, p, fresh, tail):
    """A flit reaches the terminal behind an outlet; its credit starts back in the same cycle."""
    m.lane[to + at.LANE_FIELDS + slot] = cycle + 1 + m.terminal_link + m.credit
    place = m.outlet_rest[outlet + at.TO_LANE]
    m.counter[at.C_LEFT] += 1
    if fresh:
        m.sink_sum[place] = 0
    m.sink_sum[place] += cycle
    if tail:
        deliver(m, p, cycle, m.sink_sum[place])


@inlined
def traverse(m, r, b, o, t):
    """Move the flit at the front of lane b of router r through outlet o."""
    lane = r * m.lanes + b
    row = lane * m.lane_stride
    outlet = (r * m.outlets + o) * at.OUTLET_FIELDS
    read = m.lane[row + at.READ]
    m.lane[row + at.LANE_FIELDS + read] = t + m.lane[row + at.CREDIT]
    read = read + 1 if read + 1 < m.buffer else 0
    m.lane[row + at.READ] = read
    left = m.lane[row + at.LEFT]
    fresh = left < 0
    left = abs(left) - 1
    m.lane[row + at.LEFT] = left
    p = m.lane[row + at.PACKET]
    to = m.outlet[outlet + at.TO]
    slot = m.outlet[outlet + at.WRITE]
    m.outlet[outlet + at.WRITE] = slot + 1 if slot + 1 < m.buffer else 0
    m.outlet[outlet + at.COUNT] += 1
    cycle = t + m.outlet[outlet + at.DELAY]
    record(m, t, at.EVENT_SWITCH, p, m.packet[p + at.LENGTH] - 1 - left, r, o)
    if o < m.link_outlets:
        previous = to + at.LANE_FIELDS + (slot - 1 if slot > 0 else m.buffer - 1)
        follows = m.lane[previous] >= at.FLIT
        m.lane[to + at.LANE_FIELDS + slot] = at.FLIT + cycle
        far, there = m.outlet_rest[outlet + at.TO_ROUTER], m.outlet_rest[outlet + at.TO_LANE]
        if not follows:
            m.occupied[far * m.lane_words + (there >> 5)] |= bit(there)
            m.active[far >> 5] |= bit(far)
        if fresh:
            m.head[(far * m.lanes + there) * m.buffer + slot] = p
    else:
        record(m, cycle, at.EVENT_ARRIVE, p, m.packet[p + at.LENGTH] - 1 - left, r, o)
        arrive(m, outlet, to, slot, cycle, p, fresh, left == 0)
    if left == 0:
        m.lane[row + at.OUTLET] = at.IDLE
        m.lane[row + at.WHEN] = t + m.sa
        m.outlet_rest[outlet + at.OWNER] = -1
        m.free[r * m.outlet_words + (o >> 5)] |= bit(o)
    if m.lane[row + at.LANE_FIELDS + read] < at.FLIT:
        m.occupied[r * m.lane_words + (b >> 5)] &= ~bit(b)
