"""A run's memory at cycle 0, filled in the page for any network: what `allocate` does with NumPy, by integers alone.

The record has its sizes (`sizes.fit_sizes`) and addresses by then, and all memory is zero. What output VCs feed and the
random keys are written after it (`looks.join_links`, `give_keys`), as for images.
`tests/web/simulator/test_begun.py` holds every number against `allocate`.
"""

from __future__ import annotations

from jumpnet.jit.bits import bit64
from jumpnet.jit.decorator import open_i32, open_i64
from jumpnet.jit.linked import entry, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.record import memory_at
from jumpnet.sim.memory.rows import (
    due_of,
    free_of,
    injector_of,
    lane_at,
    lane_of,
    out_vc_of,
    packet_at,
    side_of,
    terminal_of,
)
from jumpnet.traffic.injection_process import MEMORY_WORDS

__all__ = ["begin_run"]

WHOLE = (1 << 63) - 1
"""A share of 1 among packet lengths."""


@kernel
def begin_router(m, r):
    """Lanes and output VCs of a router before its links are known."""
    due = due_of(m, r)
    for cell in range(m.cells):
        due[cell] = at.NO_FLIT if cell < m.input_lanes else at.NO_BRANCH
    for b in range(m.lanes):
        if b >= m.link_inputs * m.vcs:
            lane_of(m, r, b).credit = m.sa + m.terminal_link
    free = free_of(m, r)
    for o in range(m.out_vcs):
        out_vc = out_vc_of(m, r, o)
        out_vc.to, out_vc.owner = -1, -1
        if o >= m.link_out_vcs:
            out_vc.to, out_vc.delay = 0, m.sa + m.st + m.terminal_link
            free[o >> 6] |= bit64(o)


@kernel
def begin_link(m, channel, to, port, cycles):
    """Both ends of a link."""
    r, p = channel // m.link_outputs, channel % m.link_outputs
    m.link_ok[channel] = 1
    free = free_of(m, r)
    for v in range(m.vcs):
        lane_of(m, to, port * m.vcs + v).credit = m.sa + cycles + m.credit
        o = p * m.vcs + v
        out_vc = out_vc_of(m, r, o)
        out_vc.to, out_vc.delay = 0, m.sa + m.st + cycles
        free[o >> 6] |= bit64(o)


@kernel
def begin_sides(m):
    """What follows from the number of a lane or output VC (`allocate.lane_numbers`)."""
    for number in range(max(m.lanes, m.out_vcs)):
        side, port, vc = side_of(m, number), number // m.vcs, number % m.vcs
        m.port_of[number] = port
        side.port, side.lane = port, number % m.input_lanes
        side.next_input, side.next_output, side.next_vc = (
            (port + 1) % m.inputs,
            (port + 1) % m.outputs,
            (vc + 1) % m.vcs,
        )
        side.input_bit, side.output_bit = 1 << port % 31, 1 << 31 + port % 31


@kernel
def begin_terminals(m, ends, sinks):
    """Terminals asleep, router by router."""
    sender = receiver = 0
    for r in range(m.routers):
        for index in range(ends[r]):
            m.source_router[sender], m.source_index[sender] = r, index
            sender += 1
        for index in range(sinks[r]):
            m.sink_router[receiver], m.sink_index[receiver] = r, index
            receiver += 1
    for i in range(m.terminals):
        terminal, injector = terminal_of(m, i), injector_of(m, i, 0)
        terminal.reply_first, terminal.reply_last, terminal.answer_first, terminal.answer_last = -1, -1, -1, -1
        injector.packet, injector.vc, injector.last_vc = -1, -1, -1
        m.process_memory[i * MEMORY_WORDS] = -1
        m.wheel_next[i] = -1
    for place in range(m.wheel_cells):
        m.wheel[place] = -1


@kernel
def begin_packets(m, longest):
    """The packet table, all free, and packets of one length."""
    for row in range(m.packet_rows):
        packet_at(m, row * at.PACKET_FIELDS).following = (row + 1) * at.PACKET_FIELDS
    packet_at(m, (m.packet_rows - 1) * at.PACKET_FIELDS).following = -1
    m.length[0], m.length_up_to[0], m.length_first[1] = longest, WHOLE, 1
    for kind in range(16):
        m.kind_subnet[kind] = -1
    m.window[1] = 1 << 40


@entry(allocates=True)
def begin_run(address, ends, sinks, latency, cycles, longest):
    """Write all memory of a run that is not zero at cycle 0; returns 1.

    ends, sinks: addresses of (R,) int32, terminals of each router that send, that receive; latency: address of (R, P)
    int32, cycles of each link, or 0 where all have so many `cycles`; longest: flits of a packet.
    """
    m = memory_at(address)
    channels = m.routers * m.link_outputs
    view = open_i64(m.routing_view, 16)
    neighbor, far_port = open_i32(view[0], channels), open_i32(view[1], channels)
    for row in range(m.routers * (m.lanes + m.out_vcs - m.link_out_vcs)):
        lane_at(m, row * m.lane_stride).out_vc = at.IDLE
    for r in range(m.routers):
        begin_router(m, r)
    for channel in range(channels):
        if neighbor[channel] >= 0:
            own = open_i32(latency, channels)[channel] if latency else cycles
            begin_link(m, channel, neighbor[channel], far_port[channel], own)
    begin_sides(m)
    begin_terminals(m, open_i32(ends, m.routers), open_i32(sinks, m.routers))
    begin_packets(m, longest)
    if m.ring > 0:
        for state in range(at.STATE_SLOTS):
            m.states[state] = state ^ 1
    return 1
