"""A run's sizes, made in the page for any network: what `sim.memory` makes of records of Python, by integers alone.

`shape_of`, `packing_of` and the lengths in `allocate` do not compile. `fit_sizes` is the second writing of them, for
the settings that the page has (`presets`): `tests/web/simulator/test_begun.py` holds every word against the first.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from jumpnet.jit.bits import WORD64_BITS, WORD_BITS
from jumpnet.jit.decorator import open_i64
from jumpnet.jit.linked import entry, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.packing import (
    LONGEST_RING,
    MOST_PLACES,
    MOST_ROUTERS,
    MOST_ROUTES,
    MOST_SLOTS,
    NARROW_LANES,
    TOGETHER_OUT_VCS,
)  # fmt: skip
from jumpnet.sim.memory.record import FIELDS
from jumpnet.sim.memory.shape import LONGEST_EPOCH
from jumpnet.sim.memory.state import BATCHES, HISTOGRAM, WHEEL, State
from jumpnet.sim.resolve.packet_kinds import KINDS
from jumpnet.traffic.injection_process import MEMORY_WORDS

__all__ = ["GIVEN", "fit_sizes"]

Given: Any = namedtuple(
    "Given",
    "routers terminals sinks link_outputs link_inputs entering leaving shortest farthest vcs buffer longest draws "
    "starts looks sees revises bubble one_vc careful reads port_read",
)
"""What a network, a routing and settings say. `entering`, `leaving`: most terminals of a router that send, or receive;
`shortest`, `farthest`: cycles of links; `careful`: whether the routing has escapes; `reads`: whether its routes can be
kept by destination and state; `port_read`: and by input port."""
GIVEN = Given._fields
G: Any = Given(*range(len(GIVEN)))
R: Any = namedtuple("Record", FIELDS)(*range(len(FIELDS)))
B: Any = State(*range(len(State._fields)))
WORDS, BLOCKS = len(FIELDS), len(State._fields)
SIXTEEN = 16


@kernel
def in_parts(count, part):
    """How many parts of that size hold so many."""
    return (count + part - 1) // part


@kernel
def digits_of(number):
    """Binary digits of a number."""
    found = 0
    while number >> found:
        found += 1
    return found


@kernel
def fit_ports(r, g):
    """Routers, ports and lanes."""
    routers, vcs = g[G.routers], g[G.vcs]
    inputs, outputs = g[G.link_inputs] + g[G.entering], g[G.link_outputs] + g[G.leaving]
    lanes = inputs * vcs
    r[R.routers], r[R.subnet_routers], r[R.end_router] = routers, routers, routers
    r[R.terminals], r[R.sources] = g[G.terminals], g[G.terminals]
    r[R.link_inputs], r[R.link_outputs], r[R.inputs], r[R.outputs] = (
        g[G.link_inputs],
        g[G.link_outputs],
        inputs,
        outputs,
    )
    r[R.vcs], r[R.class_vcs], r[R.buffer] = vcs, vcs, g[G.buffer]
    r[R.lane_stride] = SIXTEEN * in_parts(at.LANE_FIELDS + g[G.buffer], SIXTEEN)
    r[R.input_lanes], r[R.lanes] = lanes, lanes
    r[R.groups] = in_parts(lanes, at.CELLS)
    r[R.cells] = at.CELLS * r[R.groups]
    r[R.out_vcs], r[R.link_out_vcs] = outputs * vcs, g[G.link_outputs] * vcs
    r[R.out_vc_words] = in_parts(outputs * vcs, WORD64_BITS)
    if r[R.entry_vcs] >= vcs:
        r[R.entry_vcs] = 0
    r[R.max_hops] = max(64, 8 * routers)
    r[R.switch_inputs], r[R.switch_outputs] = inputs * r[R.input_speedup], outputs * r[R.output_speedup]
    r[R.wires] = inputs + outputs
    few = lanes <= at.WORD_LANES and outputs <= at.WORD_LANES
    r[R.by_lists] = int(r[R.by_lists] == 1 and few)


@kernel
def fit_routing(r, g):
    """What the routing says, and how far ahead cycles can be simulated without a look at others."""
    looks, sees, revises = g[G.looks], g[G.sees], g[G.revises]
    r[R.start_draws], r[R.has_start], r[R.start_looks] = g[G.draws], g[G.starts], looks
    r[R.start_sees], r[R.start_revises], r[R.by_queues] = sees, revises, looks
    r[R.start_enters] = int(looks == 1 and sees == 1 and revises == 0 and r[R.rd] == 0)
    sa, st, end, credit = r[R.sa], r[R.st], r[R.terminal_link], r[R.credit]
    flits = min(sa + st + g[G.shortest], min(sa + st + end, 1 + end))
    credits = min(sa + g[G.shortest] + credit, sa + end)
    r[R.lookahead] = max(1, min(min(flits, credits), LONGEST_EPOCH))
    if sees > 1 or r[R.start_enters] == 1:
        r[R.lookahead] = 1
    r[R.bubble] = g[G.longest] if g[G.bubble] else 0
    r[R.one_vc_at_ends] = g[G.one_vc]
    if g[G.careful] == 1 and r[R.cut_through] == 0:
        r[R.reuse_empty] = 1
    r[R.flits_per_field] = in_parts(g[G.longest], at.PACKET_FIELDS)


@kernel
def fit_derived(r):
    """What follows from others (`record.DERIVED`)."""
    a_cycle = r[R.terminals] * (r[R.injection_ports] * r[R.classes] + r[R.ejection_ports] * r[R.subnets])
    r[R.packet_rows] = 4 * a_cycle + 256
    r[R.want_words] = at.WANTS_FIELDS + (3 if r[R.bubble] else 2) * r[R.out_vc_words]
    r[R.awake_words] = in_parts(r[R.sources] + r[R.units], WORD_BITS)
    r[R.work_rows] = max(r[R.lanes] + r[R.out_vcs], max(r[R.switch_inputs], r[R.switch_outputs]))
    row = 2 * r[R.switch_inputs] + r[R.switch_outputs]
    r[R.turn_row] = SIXTEEN * in_parts(row + r[R.diagonals], SIXTEEN)
    r[R.flow_size] = 2 * WORD_BITS * r[R.lanes] + 4
    r[R.ahead_size] = 2 * WORD_BITS * r[R.lanes] + 1
    r[R.held_row] = r[R.switch_inputs] + r[R.switch_outputs]
    r[R.lacking_row] = r[R.inputs] + r[R.outputs] + 2
    r[R.diagonal] = row


@kernel
def ring_of(r, g):
    """Cycles that notes lie ahead, 0 where routers cannot be kept as sets (`packing_of`)."""
    members, most = max(r[R.lanes], r[R.out_vcs]), r[R.sa] + r[R.st] + max(g[G.farthest], r[R.terminal_link])
    terminal = r[R.sa] + r[R.st] + 2 * r[R.terminal_link] + 1 + r[R.credit]
    most = max(max(most, r[R.sa] + g[G.farthest] + r[R.credit]), max(terminal, max(r[R.rd], r[R.va])))
    ring = 1 << digits_of(most + r[R.lookahead] - 1)
    if r[R.routers] > MOST_ROUTERS or members > at.WORD_LANES or r[R.buffer] > MOST_SLOTS or ring > LONGEST_RING:
        return 0
    if r[R.sa] > 1 or r[R.has_speedup]:
        return 0
    return ring


@kernel
def fit_sets(r, g):
    """Where sets lie, and routes that are kept."""
    for field in range(R.wide, R.other_lanes + 1):
        r[field] = 0
    r[R.route_places], r[R.route_ports] = 0, 0
    ring = ring_of(r, g)
    if ring == 0:
        return
    row = at.SET_ROWS
    flit_bits, left_bits = digits_of(r[R.buffer]), digits_of(g[G.longest])
    r[R.came] = row
    r[R.credited], r[R.looks], r[R.nowhere], r[R.flits] = row + ring, row + 2 * ring, row + 3 * ring, row + 4 * ring
    r[R.credits] = r[R.flits] + flit_bits
    r[R.holder] = r[R.vc_digits] = r[R.credits] + flit_bits
    r[R.vc_bits] = digits_of(r[R.vcs] - 1)
    r[R.asks] = r[R.vc_digits] + r[R.vc_bits]
    r[R.above] = r[R.asks] + r[R.outputs]
    r[R.turn_output] = r[R.above] + r[R.outputs]
    r[R.turn_vc] = r[R.turn_output] + r[R.outputs]
    for field in range(R.heads, R.left + 1):  # no rows before those of `left`: heads get output VCs one by one here
        r[field] = r[R.turn_vc] + 1
    r[R.set_rows] = r[R.left] + left_bits
    r[R.winners] = SIXTEEN * in_parts(r[R.routers], SIXTEEN) * r[R.set_rows]
    if r[R.winners] >= MOST_PLACES:
        for field in range(R.wide, R.other_lanes + 1):
            r[field] = 0
        return
    r[R.wide] = int(max(r[R.lanes], r[R.out_vcs]) > NARROW_LANES)
    r[R.single], r[R.ring] = int(g[G.longest] == 1), ring
    r[R.flit_bits], r[R.left_bits] = flit_bits, left_bits
    for port in range(r[R.inputs]):
        r[R.first_lanes] |= 1 << port * r[R.vcs]
    r[R.entry_lanes] = (1 << r[R.lanes]) - (1 << r[R.link_inputs] * r[R.vcs])
    r[R.last_lanes] = r[R.first_lanes] << r[R.vcs] - 1
    r[R.other_lanes] = (1 << r[R.lanes]) - 1 - r[R.last_lanes]
    places = at.STATE_SLOTS * r[R.routers] ** 2 * (1 + r[R.link_inputs] * g[G.port_read])
    if g[G.reads] == 1 and places <= MOST_ROUTES:
        r[R.route_places], r[R.route_ports] = places, places // (at.STATE_SLOTS * r[R.routers] ** 2)


@kernel
def size_routers(r, b):
    """Bytes of what routers have."""
    routers, lanes, out_vcs = r[R.routers], r[R.lanes], r[R.out_vcs]
    rows, members = routers * (lanes + out_vcs - r[R.link_out_vcs]), max(lanes, out_vcs)
    b[B.lane], b[B.head], b[B.out_vc] = 4 * rows * r[R.lane_stride], 4 * rows * r[R.buffer], 32 * routers * out_vcs
    b[B.due], b[B.free] = 4 * routers * r[R.cells], 8 * routers * r[R.out_vc_words]
    b[B.active], b[B.wants] = 8 * in_parts(routers, WORD_BITS), 8 * routers * lanes * r[R.want_words]
    b[B.turn], b[B.link_ok] = 2 * routers * r[R.turn_row], 2 * routers * r[R.link_outputs]
    b[B.port_of], b[B.side] = 4 * members, 8 * at.SIDE_FIELDS * members
    b[B.flow], b[B.ahead] = 16 * r[R.flow_size], 24 * r[R.ahead_size]
    b[B.bidders], b[B.work], b[B.query] = 8 * WORD_BITS, 8 * at.WORK_FIELDS * r[R.work_rows], 8 * 128 * 4
    b[B.waiting] = 8 * r[R.link_outputs] * (routers if r[R.start_sees] > 1 else 1)
    able = int(r[R.ring] > 0)
    numbers = able * (r[R.winners] + 64 * (r[R.outputs] + at.WORK_SETS + 2 * min(out_vcs, TOGETHER_OUT_VCS)))
    b[B.sets] = (8 if r[R.wide] else 4) * numbers
    b[B.arrived] = (8 if r[R.wide] else 4) * able * in_parts(routers, SIXTEEN) * SIXTEEN * at.KEPT_CYCLES
    b[B.transfer] = 4 * able * routers * lanes * at.TRANSFER_FIELDS
    b[B.routes], b[B.states] = 2 * r[R.route_places], 8 * able * at.STATE_SLOTS
    b[B.answers] = 8 * able * at.MOST_ANSWERS * at.ANSWER_FIELDS


@kernel
def size_packets(r, sinks, b):
    """Bytes of what terminals and packets have, and of what is counted."""
    terminals, rows = r[R.terminals], r[R.packet_rows]
    b[B.terminal], b[B.process_memory] = 8 * at.TERMINAL_FIELDS * terminals, 8 * MEMORY_WORDS * terminals
    b[B.process_key], b[B.packet_key], b[B.by_source] = 8 * terminals, 8 * terminals, 8 * terminals
    b[B.injector], b[B.injector_class] = 8 * at.INJECTOR_FIELDS * terminals, 8 * terminals
    b[B.injector_write], b[B.awake] = 8 * terminals * r[R.vcs], 8 * r[R.awake_words]
    b[B.wheel], b[B.wheel_next] = 4 * WHEEL, 4 * terminals
    b[B.source_router], b[B.source_index] = 4 * terminals, 4 * terminals
    b[B.sink_router], b[B.sink_index] = 4 * sinks, 4 * sinks
    b[B.packet], b[B.flit] = 8 * at.PACKET_FIELDS * rows, 4 * at.PACKET_FIELDS * rows * r[R.flits_per_field]
    b[B.length], b[B.length_up_to], b[B.length_first] = 8, 8, 16
    for table in range(B.kind_vc, B.kind_subnet + 1):
        b[table] = 8 * KINDS
    b[B.counter], b[B.histogram] = 8 * at.COUNTERS, 8 * at.HISTOGRAMS * HISTOGRAM
    b[B.batches], b[B.class_flits], b[B.window] = 8 * BATCHES * at.BATCH_FIELDS, 8, 16
    b[B.barrier], b[B.mail] = 8 * at.BARRIER_WORDS, 4


@entry(allocates=True)
def fit_sizes(record, given, size):
    """Write in a preset's record all that depends on the network, the routing, channels and buffers; returns 1.

    Addresses of int64 numbers: record (FIELDS); given (`GIVEN`); size (blocks): bytes of each array of `State`.
    """
    r, g, b = open_i64(record, WORDS), open_i64(given, len(GIVEN)), open_i64(size, BLOCKS)
    fit_ports(r, g)
    fit_routing(r, g)
    fit_derived(r)
    fit_sets(r, g)
    b[:] = 0
    size_routers(r, b)
    size_packets(r, g[G.sinks], b)
    return 1
