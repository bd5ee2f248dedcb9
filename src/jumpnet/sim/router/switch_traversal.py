"""Switch and link traversal: a flit that won leaves its slot to a credit, and appears in a slot downstream in time.

Both are one number each: the cycle from which the credit may be used, and FLIT + the cycle from which the flit may be
read. Ejection is a link to a terminal that frees the slot at once. Called by `cycle`; the twin is
`reference.Router.traverse`.
"""

from __future__ import annotations

from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import bit, equal, lowest, stay_apart
from jumpnet.sim.memory.branches import groups_of, lane_row, others_read, settle_branch, wake_branches
from jumpnet.sim.memory.events import record
from jumpnet.sim.memory.packets import address, give_row, take_row
from jumpnet.sim.memory.record import inlined, kernel
from jumpnet.sim.memory.threads import post
from jumpnet.sim.router.switch_allocation import move_turns_by_table
from jumpnet.sim.terminals.message_ends import count_flit, take_in

__all__ = ["stream", "traverse"]


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
def note(m, p, cycle):
    """Note the delivery of a packet that was posted from outside; there are rows for all that are on their way."""
    row = m.counter[at.C_NOTED]
    m.noted[at.NOTE_FIELDS * row] = m.packet[p + at.NUMBER]
    m.noted[at.NOTE_FIELDS * row + 1] = m.packet[p + at.CREATED]
    m.noted[at.NOTE_FIELDS * row + 2] = cycle
    m.counter[at.C_NOTED] = row + 1


@kernel
def count_sums(m, first, p, latency, network, flit_sum):
    """Add a packet to the counters that begin at `first` as they do at C_LATENCY_SUM."""
    m.counter[first] += latency
    m.counter[first + at.C_NETWORK_SUM - at.C_LATENCY_SUM] += network
    m.counter[first + at.C_FLIT_SUM - at.C_LATENCY_SUM] += flit_sum
    m.counter[first + at.C_FLITS - at.C_LATENCY_SUM] += m.packet[p + at.LENGTH]
    m.counter[first + at.C_HOPS_SUM - at.C_LATENCY_SUM] += m.packet[p + at.HOPS]


@kernel
def sum_flits(m, p):
    """Sum of the latencies of the flits of packet p."""
    total, first = 0, p * m.flits_per_field
    for k in range(first, first + m.packet[p + at.LENGTH]):
        total += m.flit[k]
    return total


@kernel
def count_flits(m, p, cells):
    """Count the flits of packet p by their latencies in the histogram that begins at `cells`."""
    longest, first = m.histogram_cells - 1, p * m.flits_per_field
    flit, histogram = m.flit, m.histogram  # read once: every store might change them, as far as the compiler knows
    for k in range(first, first + m.packet[p + at.LENGTH]):
        histogram[cells + min(flit[k], longest)] += 1


@kernel
def deliver(m, p, cycle):
    """The tail of packet p reaches its terminal in that cycle, its other flits have."""
    flits = m.packet[p + at.LENGTH]
    latency = cycle - m.packet[p + at.CREATED]
    network = cycle - m.packet[p + at.INJECTED]
    flit_sum = sum_flits(m, p) if m.noted_rows == 0 else 0
    m.counter[at.C_DELIVERED] += 1
    m.counter[at.C_FLIT_HOPS] += m.packet[p + at.HOPS] * flits
    batch = cycle // m.batch
    if batch < m.batches_rows:
        row = at.BATCH_FIELDS * batch
        m.batches[row + at.BATCH_PACKETS] += 1
        m.batches[row + at.BATCH_LATENCY] += latency
        m.batches[row + at.BATCH_NETWORK] += network
        m.batches[row + at.BATCH_FLIT] += flit_sum
        m.batches[row + at.BATCH_FLITS] += flits
    if m.packet[p + at.KIND] & at.MEASURED:
        longest = m.histogram_cells - 1
        m.counter[at.C_DONE_MEASURED] += 1
        m.counter[at.C_MAX_LATENCY] = max(m.counter[at.C_MAX_LATENCY], latency)
        count_sums(m, at.C_LATENCY_SUM, p, latency, network, flit_sum)
        cells = 0
        if m.packet[p + at.KIND] & 15 == 1:
            m.counter[at.C_REPLIES + at.C_HOPS_SUM - at.C_LATENCY_SUM + 1] += 1
            count_sums(m, at.C_REPLIES, p, latency, network, flit_sum)
            cells = at.HISTOGRAMS * m.histogram_cells
        m.histogram[cells + at.H_PACKET * m.histogram_cells + min(latency, longest)] += 1
        m.histogram[cells + at.H_NETWORK * m.histogram_cells + min(network, longest)] += 1
        if m.noted_rows == 0:
            count_flits(m, p, cells + at.H_FLIT * m.histogram_cells)
        m.by_source[m.packet[p + at.FROM]] += flits
    if m.reply_flits > 0 and m.packet[p + at.KIND] & 15 == 0:
        reply(m, p, cycle)
    if m.noted_rows > 0:
        note(m, p, cycle)
    give_row(m, p)


@inlined
def announce(m, outlet, slot, cycle, t):
    """A flit in that slot of the lane behind an outlet can be read from that cycle on: the lane is due if it waits."""
    cell = m.outlet[outlet + at.TO_CELL]
    if m.threads > 1:
        far = m.outlet[outlet + at.TO_ROUTER]
        if far < m.first_router or far >= m.end_router:
            post(m, far, cell, cycle, t)
            return
    if m.forks == 0 and m.lane[m.outlet[outlet + at.TO] + at.READ] != slot:
        return  # it holds flits, so it does not wait for one, and its cell can stay in far memory
    if m.due[cell] == at.NO_FLIT:
        far = m.outlet[outlet + at.TO_ROUTER]
        m.due[cell] = cycle
        m.active[far >> 5] |= bit(far)
    wake_branches(m, m.outlet[outlet + at.TO], cell, m.outlet[outlet + at.TO_ROUTER], cycle)


@kernel
def give_back(m, r, o, t):
    """Outlet o of router r is free again: heads that wait for it are due."""
    m.outlet[(r * m.outlets + o) * at.OUTLET_FIELDS + at.OWNER] = -1
    m.free[r * m.outlet_words + (o >> 5)] |= bit(o)
    for first in range(0, groups_of(m, r) * at.CELLS if m.forks == 1 else m.cells, at.CELLS):
        word = equal(m.due, r * m.cells + first, at.NO_OUTLET)
        while word != 0:
            b = first + lowest(word)
            word &= word - 1
            wants = (r * m.lanes + b) * m.want_words + (o >> 5)
            if (m.wants[wants] | m.wants[wants + m.outlet_words]) & bit(o) != 0:
                m.due[r * m.cells + b] = t


@inlined
def after(m, x):
    """The slot after slot x of a buffer."""
    return x + 1 if x + 1 < m.buffer else 0


@inlined
def next_look(front, ready):
    """When a lane is due, given the slot at its front and the cycle from which it may send (FLIT and more: unknown)."""
    if front < at.FLIT:
        return at.NO_FLIT
    due = front - at.FLIT
    return ready if due < ready < at.FLIT else due


@kernel
def traverse(m, r, b, t):
    """Move the flit at the front of lane b of router r through its outlet, whatever flit it is."""
    stay_apart()
    row = (r * m.lanes + b) * m.lane_stride
    slots = lane_row(m, r, b) + at.LANE_FIELDS
    o = m.lane[row + at.OUTLET]
    outlet = (r * m.outlets + o) * at.OUTLET_FIELDS
    read = m.lane[row + at.READ]
    if m.simple == 1:
        move_turns_by_table(m, r, b, o)
    if others_read(m, r, b) == 0:
        m.lane[slots + read] = t + m.lane[row + at.CREDIT]
    read = after(m, read)
    m.lane[row + at.READ] = read
    left = m.lane[row + at.LEFT]
    fresh = left < 0
    left = abs(left) - 1
    m.lane[row + at.LEFT] = left
    p = m.lane[row + at.PACKET]
    to, slot = m.outlet[outlet + at.TO], m.outlet[outlet + at.WRITE]
    m.outlet[outlet + at.WRITE] = after(m, slot)
    m.outlet[outlet + at.COUNT] += 1
    cycle = t + m.outlet[outlet + at.DELAY]
    record(m, t, at.EVENT_SWITCH, p, m.packet[p + at.LENGTH] - 1 - left, r, o)
    count_flit(m, p, o)
    if o < m.link_outlets:
        m.lane[to + at.LANE_FIELDS + slot] = at.FLIT + cycle
        announce(m, outlet, slot, cycle, t)
        if fresh:
            far = m.outlet[outlet + at.TO_ROUTER]
            lane = far * m.lanes + m.outlet[outlet + at.TO_CELL] - far * m.cells
            m.head[lane * m.buffer + slot] = p
    else:
        record(m, cycle, at.EVENT_ARRIVE, p, m.packet[p + at.LENGTH] - 1 - left, r, o)
        m.lane[to + at.LANE_FIELDS + slot] = cycle + 1 + m.terminal_link + m.credit
        m.counter[at.C_LEFT] += 1
        if m.noted_rows == 0 and m.forks == 0:
            place = p * m.flits_per_field + left
            m.flit[place] = cycle - m.flit[place]
        if left == 0 and take_in(m, r, p, o, cycle) == 0:
            deliver(m, p, cycle)
    if left > 0:
        ready = m.lane[to + at.LANE_FIELDS + after(m, slot)]
    else:
        ready = t + m.sa
        m.lane[row + at.OUTLET] = at.IDLE
        give_back(m, r, o, t)
    m.lane[row + at.WHEN] = ready
    m.due[r * m.cells + b] = next_look(m.lane[slots + read], ready)
    settle_branch(m, r, b, t)


@inlined
def stream(m, r, b, row, t):
    """The same for a flit between the head and the tail of its packet, when the outlet leads to a router."""
    o = m.lane[row + at.OUTLET]
    outlet = (r * m.outlets + o) * at.OUTLET_FIELDS
    move_turns_by_table(m, r, b, o)
    read, to, slot = m.lane[row + at.READ], m.outlet[outlet + at.TO], m.outlet[outlet + at.WRITE]
    cycle, following = t + m.outlet[outlet + at.DELAY], after(m, slot)
    m.lane[row + at.LANE_FIELDS + read] = t + m.lane[row + at.CREDIT]
    read = after(m, read)
    m.lane[row + at.READ] = read
    m.lane[row + at.LEFT] -= 1
    m.outlet[outlet + at.WRITE] = following
    m.outlet[outlet + at.COUNT] += 1
    m.lane[to + at.LANE_FIELDS + slot] = at.FLIT + cycle
    announce(m, outlet, slot, cycle, t)
    ready = m.lane[to + at.LANE_FIELDS + following]
    m.lane[row + at.WHEN] = ready
    m.due[r * m.cells + b] = next_look(m.lane[row + at.LANE_FIELDS + read], ready)
