"""What the page asks of a run between two cycles, beside the simulator's own entries.

Entries as any: they run natively too, and the tests hold them against NumPy on the engine's arrays. Routers must be
kept as rows, as they are whenever `run` is over; packets do not branch.
"""

from jumpnet.jit.bits import bit
from jumpnet.jit.decorator import open_i32, open_i64
from jumpnet.jit.linked import entry
from jumpnet.jit.random import stream_key
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.record import memory_at
from jumpnet.sim.memory.rows import counters_at, heads_of, lane_at, lane_of, out_vc_of, packet_at, terminal_of
from jumpnet.sim.terminals.creation_cycles import next_creation
from jumpnet.sim.terminals.injection import to_sleep
from jumpnet.traffic.injection_process import LAST, MEMORY_WORDS

__all__ = [
    "FLIT_COLUMNS", "draw_again", "first_creation", "give_keys", "join_links", "list_flits", "longest_wait",
    "more_packets", "rate_of_bernoulli", "rate_of_onoff", "sum_held", "sum_lag", "sum_sent",
]  # fmt: skip

FLIT_COLUMNS = ("router", "port", "vc", "place", "ready", "packet", "head", "source", "destination")
"""Numbers of a row of `list_flits`."""
MOST_DIGITS = 40
SCALE = 2.0**63


@entry
def give_keys(address):
    """Name the random numbers of all sources by the record's seed, as `allocate` does; before `sleep_all`."""
    m = memory_at(address)
    for i in range(m.sources):
        m.process_key[i] = stream_key(m.seed, 2 * i)
        m.packet_key[i] = stream_key(m.seed, 2 * i + 1)


@entry(allocates=True)
def join_links(address, neighbor, far_port):
    """Write what each output VC feeds, as `allocate` does, by the tables (R, link_outputs) int32 at two addresses."""
    m = memory_at(address)
    to, by = open_i32(neighbor, m.routers * m.link_outputs), open_i32(far_port, m.routers * m.link_outputs)
    sinks = m.out_vcs - m.link_out_vcs
    for r in range(m.routers):
        for o in range(m.out_vcs):
            out_vc, link = out_vc_of(m, r, o), r * m.link_outputs + o // m.vcs
            if o >= m.link_out_vcs:
                out_vc.to = (m.routers * m.lanes + r * sinks + o - m.link_out_vcs) * m.lane_stride
            elif to[link] >= 0:
                lane = by[link] * m.vcs + o % m.vcs
                out_vc.to = (to[link] * m.lanes + lane) * m.lane_stride
                out_vc.to_router, out_vc.to_cell = to[link], to[link] * m.cells + lane


@entry
def draw_again(address, t):
    """The load is another after cycle t: sources ask anew for packets that were to come later, and wake for those."""
    m = memory_at(address)
    for place in range(m.wheel_cells):
        m.wheel[place] = -1
    for i in range(m.terminals):
        terminal = terminal_of(m, i)
        terminal.in_wheel = 0
        if terminal.next_creation > t:
            m.process_memory[i * MEMORY_WORDS + LAST] = t
            next_creation(m, i)
        if m.awake[i >> 5] & bit(i) == 0:
            to_sleep(m, i)


@entry
def more_packets(address, rows):
    """The packet table has grown from so many rows: those after them are free, before all that were."""
    m = memory_at(address)
    counter = counters_at(m, 0)
    for row in range(rows, m.packet_rows):
        packet_at(m, row * at.PACKET_FIELDS).following = (row + 1) * at.PACKET_FIELDS
    packet_at(m, (m.packet_rows - 1) * at.PACKET_FIELDS).following = counter.free
    counter.free = rows * at.PACKET_FIELDS


@entry(allocates=True)
def sum_sent(address, numbers):
    """Write the flits sent so far by each output port of each router, (R, outputs) int32, to an address."""
    m = memory_at(address)
    sums = open_i32(numbers, m.routers * m.outputs)
    for r in range(m.routers):
        for port in range(m.outputs):
            total = 0
            for v in range(m.vcs):
                total += out_vc_of(m, r, port * m.vcs + v).sent
            sums[r * m.outputs + port] = total


@entry(allocates=True)
def sum_held(address, numbers):
    """Write the flits in the buffers at the far end of each link, those on the link too, (R, link_outputs) int32."""
    m = memory_at(address)
    sums = open_i32(numbers, m.routers * m.link_outputs)
    for r in range(m.routers):
        for port in range(m.link_outputs):
            total = 0
            for v in range(m.vcs):
                to = out_vc_of(m, r, port * m.vcs + v).to
                if to >= 0:
                    for slot in range(m.buffer):
                        total += lane_at(m, to)[slot] >= at.FLIT
            sums[r * m.link_outputs + port] = total


@entry(allocates=True)
def list_flits(address, numbers, most):
    """Write a row (`FLIT_COLUMNS`, int32) for each flit in the network, at most so many; returns how many there are."""
    m = memory_at(address)
    rows = open_i32(numbers, most * 9)
    found = 0
    for r in range(m.routers):
        for b in range(m.input_lanes):
            lane, heads = lane_of(m, r, b), heads_of(m, r, b)
            slot, left, p, head = lane.read, 0, 0, 0
            if lane.out_vc != at.IDLE:
                left, p, head = abs(lane.left), lane.packet, lane.left < 0 or lane.out_vc == at.WAITING
            for place in range(m.buffer):
                if lane[slot] < at.FLIT:
                    break
                if left == 0:
                    p, head = heads[slot], 1
                    left = packet_at(m, p).length
                if found < most:
                    row, packet = found * 9, packet_at(m, p)
                    rows[row], rows[row + 1], rows[row + 2], rows[row + 3] = r, b // m.vcs, b % m.vcs, place
                    rows[row + 4], rows[row + 5], rows[row + 6] = lane[slot] - at.FLIT, p // at.PACKET_FIELDS, head
                    rows[row + 7], rows[row + 8] = packet.source, packet.destination
                found += 1
                left -= 1
                head = 0
                slot = slot + 1 if slot + 1 < m.buffer else 0
    return found


@entry
def longest_wait(address, t):
    """Cycles that the flit has waited which stands longest at the front of a buffer, 0 without flits."""
    m = memory_at(address)
    longest = 0
    for r in range(m.routers):
        for b in range(m.input_lanes):
            lane = lane_of(m, r, b)
            front = lane[lane.read]
            if front >= at.FLIT:
                longest = max(longest, t - (front - at.FLIT))
    return longest


@entry
def sum_lag(address, t):
    """By how many cycles all sources together are behind with creating packets."""
    m = memory_at(address)
    behind = 0
    for i in range(m.terminals):
        behind += max(t - terminal_of(m, i).next_creation, 0)
    return behind


@entry
def first_creation(address):
    """Creation cycle of the next packet of all."""
    m = memory_at(address)
    first = terminal_of(m, 0).next_creation
    for i in range(m.sources):
        first = min(first, terminal_of(m, i).next_creation)
    return first


@entry(allocates=True)
def rate_of_bernoulli(address, p):
    """Write what `traffic.bernoulli` reads for p packets a cycle; returns how many numbers (at most 41)."""
    own = open_i64(address, MOST_DIGITS + 1)
    own[0] = 1 if p > 0.0 else 0
    digits, x = 0, 1.0 - p
    while p > 0.0 and x > 2.0**-64 and digits < MOST_DIGITS:
        own[1 + digits] = int(x / (1.0 + x) * SCALE)
        x *= x
        digits += 1
    return 1 + digits


@entry(allocates=True)
def rate_of_onoff(address, p, alpha, beta, r1):
    """The same of `traffic.onoff`, of whose options one is negative; returns 4, or 0 where there is no such process."""
    own = open_i64(address, 4)
    if p == 0.0:
        own[0], own[1], own[2], own[3] = 0, 0, 0, 0
        return 4
    if alpha < 0:
        alpha = beta * p / (r1 - p) if r1 > p else 2.0
    elif beta < 0:
        beta = alpha * (r1 - p) / p
    else:
        r1 = p * (alpha + beta) / alpha if alpha > 0 else 2.0
    if not (0.0 < alpha <= 1.0 and 0.0 <= beta <= 1.0 and 0.0 < r1 <= 1.0):
        return 0
    shares = (alpha, beta, r1, alpha / (alpha + beta))
    for k in range(4):
        own[k] = int(shares[k] * SCALE) if shares[k] < 1.0 else 0x7FFFFFFFFFFFFFFF
    return 4
