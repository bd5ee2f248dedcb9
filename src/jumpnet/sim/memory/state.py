"""The simulator's memory: sizes and settings as integers (`Shape`), everything that changes as arrays (`State`).

Rows are described in `memory.layout`; memory order is router order. `allocate` fills both for a run; `estimate` tells
beforehand what it would take.
"""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.network import Network
from jumpnet.routing import BoundRouting
from jumpnet.sim.config import SimConfig
from jumpnet.sim.lengths import packet_lengths
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import WORD64_BITS
from jumpnet.sim.memory.sizes import lookahead, stage_sizes, start_sizes, switch_sizes
from jumpnet.terms import I16, I32, I64

__all__ = [
    "INT16", "INT32", "Casts", "Shape", "State", "lane_sizes", "packet_bytes", "packets_a_cycle",
    "pool_rows", "shape_of", "turn_row", "want_words", "work_part",
]  # fmt: skip


class Shape(NamedTuple):
    """Sizes and settings of a run, integers all. Ports of terminals come after the ports of links."""

    routers: int
    terminals: int
    link_inputs: int
    """Input ports of a router that links may use."""
    link_outputs: int
    """Output ports of a router that links may use."""
    inputs: int
    """Input ports, with those of terminals and, where packets branch, that of the combining unit."""
    outputs: int
    """Output ports, likewise."""
    vcs: int
    """Virtual channels of a port, all classes together."""
    class_vcs: int
    """Virtual channels of a class: what the routing sees."""
    classes: int
    buffer: int
    """Slots of a lane."""
    lane_stride: int
    """Numbers in a lane's row."""
    ways: int
    """Most branches of a packet; 0 in runs whose packets do not branch."""
    input_lanes: int
    """Lanes of a router."""
    lanes: int
    """Rows of a router: its lanes, then `ways - 1` times as many rows for more branches."""
    out_vcs: int
    """Output VCs of a router."""
    cells: int
    """Cells of a router in `due`."""
    groups: int
    """Groups of CELLS of them."""
    out_vc_words: int
    sources: int
    """Terminals, once for each class of traffic; class c of terminal i is source `i + c * terminals`."""
    units: int
    """Combining units of all routers; they send after the terminals, and have rows after theirs."""
    injection_ports: int
    ejection_ports: int
    entry_vcs: int
    """Virtual channels of a class on which sources enter, 0 for all."""
    rd: int
    va: int
    sa: int
    x: int
    terminal_link: int
    credit: int
    """Credit delay."""
    lookahead: int
    """Cycles of an epoch (see `cycle`) that nothing crosses from router to router, or from source to router."""
    speculation: int
    allocator: int
    vc_allocator: int
    vc_iterations: int
    seed: int
    kinds: int
    """0, or which of `memory.layout` has more kinds of packets."""
    priority: int
    """Who goes first, see `memory.layout`."""
    entry_ranked: int
    """1 where they go first at sources too."""
    diagonals: int
    """Numbers at the end of a row of `turn` that say where wavefronts begin: of the switch, of the output VCs."""
    iterations: int
    selection: int
    cut_through: int
    reuse_empty: int
    bubble: int
    """Flits of room that a packet leaves free where it enters a ring (`Routing.bubble`): the longest packet's, or 0."""
    keeps_vc: int
    """1 when a packet leaves on the virtual channel that it came by (`Routing.keeps_vc`)."""
    lengths: int
    """Number of packet lengths to choose from."""
    flits_per_field: int
    """Columns of `flit` for each field of a packet row, as many as the longest packet needs."""
    reply_flits: int
    reply_delay: int
    queue_limit: int
    """Packets a source may hold, 0 for any number."""
    pattern_draws: int
    start_draws: int
    has_start: int
    start_looks: int
    """1 when the start hook reads the queues of its router."""
    start_sees: int
    """Routers of the block whose queues it reads, as they were when the cycle began; 1 for its own, as they are."""
    start_revises: int
    """1 when it runs again at every router."""
    max_hops: int
    """Routers after which a packet counts as going round in circles."""
    batch: int
    events: int
    """1 when events are recorded."""
    steps: int
    """So many steps of a router in `step_cycles` cycles, see `memory.clock`."""
    step_cycles: int
    input_speedup: int
    output_speedup: int
    switch_inputs: int
    switch_outputs: int
    hold: int
    output_buffer: int
    """Flits that wait for a link at which the port takes no more, 0 for any number."""
    rich: int
    """1 where the switch has a speed-up or holds connections, see `router.rich_switch`."""
    wires: int
    """Output ports, then input ports: a row each in `wire`."""


class State(NamedTuple):
    """Everything that changes. R routers, T terminals; rows as in `memory.layout`."""

    lane: I32
    """(lanes, lane_stride) flattened; lanes of routers, then of terminals that receive."""
    out_vc: I32
    """(R * out_vcs * OUT_VC_FIELDS,)."""
    head: I32
    """(lanes * buffer,) packet of each slot that holds a head."""
    due: I32
    """(R * cells,) when the router must look at each lane next; spare cells are never due."""
    free: I64
    """(R * out_vc_words,) output VCs that no packet holds."""
    active: I64
    """(words,) routers with a lane that will be due."""
    wants: I64
    """(R * lanes, want_words) output VCs a waiting head may have (normal, escape), next state, all alike; where there
    are bubbles, then the output VCs by which it enters a ring."""
    turn: I16
    """(R * turn_row,) turns of switch allocation: output and vc of each input, input of each output."""
    packet: I64
    """(pool, PACKET_FIELDS)."""
    flit: I32
    """(pool, flits_per_field * PACKET_FIELDS) of each packet, for the flit with so many flits behind it: the cycle it
    entered the network in, and once it has arrived its latency."""
    terminal: I64
    """(T, TERMINAL_FIELDS)."""
    memory: I64
    """(T, MEMORY_WORDS) of the injection process."""
    process_key: I64
    """(T,) keys of creation times."""
    packet_key: I64
    """(T,) keys of destinations and lengths."""
    injector: I64
    """(T * injection_ports * classes, INJECTOR_FIELDS)."""
    injector_class: I64
    """(T * injection_ports,) class that sent last."""
    injector_write: I64
    """(T * injection_ports * vcs,) slot of the next flit of each injection lane."""
    queue_start: I64
    """(T * queue_limit,) when the last packets entered."""
    awake: I64
    """(words,) terminals with something to send."""
    wheel: I32
    """(WHEEL,) first terminal to wake in a cycle modulo WHEEL."""
    wheel_next: I32
    """(T,) next terminal in the same place."""
    sink_router: I32
    """(T,)."""
    sink_index: I32
    """(T,) which of its router's sinks a terminal is."""
    source_router: I32
    """(T,)."""
    source_index: I32
    """(T,)."""
    link_ok: I16
    """(R, link_outputs) 1 where a link leaves."""
    length: I64
    """(lengths,) packet lengths."""
    length_up_to: I64
    """(lengths,) draws below this have that length at most."""
    length_first: I64
    """(classes + 1,) where the lengths of each class of traffic begin."""
    kind_vc: I64
    """(KINDS,) this and the next three are `sim.kinds.KindTables`."""
    kind_row: I64
    kind_rank: I64
    kind_reply: I64
    class_calls: I64
    """((classes - 1) * CALL_FIELDS,) functions of further classes of traffic, see `memory.layout`."""
    trace_first: I64
    """(T + 1,) or (0,) when nothing is replayed."""
    trace: I64
    """(n, 3) cycle, destination, flits; by source, then by cycle."""
    counter: I64
    """(COUNTERS,)."""
    histogram: I64
    """(HISTOGRAMS * classes, cells) of each class, see `memory.layout`, by cycles; the last cell holds the longer
    ones."""
    batches: I64
    """(batches, BATCH_FIELDS) sums over the packets delivered in each batch."""
    by_source: I64
    """(T,) measured flits delivered, by source."""
    port_of: I32
    """(max(lanes, out_vcs),) port of each lane or output VC: number // vcs, without a division."""
    side: I64
    """(max(lanes, out_vcs), SIDE_FIELDS) port and turns of each lane or output VC, without divisions."""
    flow: I64
    """(2, 64 * lanes + 4) lists of lanes at work, see `router.lists` and `sets.heads`."""
    ahead: I64
    """(3, 64 * lanes + 1) lists of lanes that will be at work, see `memory.prefetch`; the last number of each is its
    end."""
    bidders: I64
    """(32,) set of lanes of each router that bid for the switch, then of those that won."""
    sets: I32 | I64
    """(ceil(R / 16) * set_rows * 16,) routers as sets, see `sets.pipeline`; no rows in runs that cannot have them."""
    transfer: I32
    """(R * lanes * TRANSFER_FIELDS,) likewise: where the flits of each lane go."""
    arrival: I32
    """(R * out_vcs,) likewise: the note of a flit that leaves by each output VC."""
    work: I64
    """Scratch of one router; parts start at multiples of lanes + output VCs."""
    query: I64
    """(MAX_CANDIDATES, 4) for the routing relation."""
    waiting: I64
    """(link_outputs,) credits used up of each output, for the start hook."""
    wire: I64
    """(R * wires * WIRE_FIELDS,) what leaves by the links and, with credits, by the wires back; no rows but in rich
    routers."""
    held: I16
    """(R * (switch_inputs + switch_outputs),) 1 + the lane that holds each input and output of the switch, or 0."""
    event: I32
    """(events, EVENT_FIELDS), no rows when none are recorded."""
    gate: I64
    """(GATE_WORDS,) where the threads of a team meet."""
    post: I32
    """(2, threads, box_size) notes between them, in even and in odd epochs."""
    handed: I64
    """(rows, HANDED_FIELDS) deliveries, no rows unless packets are posted from outside (`outside`)."""
    window: I64
    """(2,) first cycle measured, first cycle not measured any more."""


class Casts(NamedTuple):
    """What there is besides where packets branch. K places of trees, M messages; rows as in `memory.message_layout`."""

    ack_flits: int
    """Length of an acknowledge."""
    ack_delay: int
    """Cycles a terminal takes to create one."""
    entries: int
    """Combining buffers of a router."""
    remake: int
    """Cycles a terminal takes to make anew a packet that it sends on."""
    spread: int
    """Most sinks of a router."""
    place_fields: int
    place: I64
    """(K * place_fields,)."""
    message: I64
    """(M * MESSAGE_FIELDS,)."""
    tally: I64
    """(n * TALLY_FIELDS,) acknowledges to come at each place of each message that combines them."""
    pending: I64
    """(2 * T,) first and last message (row) that waits at each terminal, -1 when none."""
    front: I64
    """(R * input_lanes,) packet that branches at the front of each lane, which ends there; -1 for one that goes on."""
    branching: I64
    """(R,) lanes whose front packet has several branches."""
    used: I64
    """(R,) combining buffers in use."""
    sink: I64
    """(R * spread,) terminals by router, -1 where there is none."""


INT32 = frozenset(
    ("lane", "out_vc", "due", "head", "flit", "wheel", "wheel_next", "sink_router", "sink_index",
     "source_router", "source_index", "port_of", "event", "post", "transfer", "arrival"))  # fmt: skip
"""Arrays of State that are int32; the others are int64, but for INT16, and `sets` is either."""
INT16 = frozenset(("turn", "link_ok", "held"))
"""Those that are int16: ports, lanes, and whether a link is there."""


def lane_sizes(input_lanes: int, ways: int) -> dict[str, int]:
    """What `Shape` says of the rows of a router that has so many lanes."""
    lanes = input_lanes * max(1, ways)
    groups = -(-lanes // at.CELLS)
    return {"lanes": lanes, "groups": groups, "cells": groups * at.CELLS}


def shape_of(
    net: Network,
    routing: BoundRouting,
    config: SimConfig,
    pattern_draws: int,
    longest_traced: int = 0,
    ways: int = 0,
    vcs: int = 0,
) -> Shape:
    """The sizes of a run.

    longest_traced: length of the longest packet of a trace, in flits. ways: as in `Shape`. vcs: virtual channels of a
    port, when they are more than the routing has.
    """
    spread = int(max(net.terminals.max(initial=0), 0)), int(max(net.sinks.max(initial=0), 0))
    link_inputs = max(net.ports, int(net.far_port.max(initial=-1)) + 1)
    unit = int(ways > 0)
    inputs = link_inputs + spread[0] * config.injection_ports + unit
    outputs = net.ports + spread[1] * config.ejection_ports + unit
    class_vcs = max(routing.vcs, vcs)
    vcs = config.channels_of_a_port(class_vcs)
    several = 1 + len(config.more_classes)
    stride = -(-(at.LANE_FIELDS + config.buffer_flits) // 16) * 16
    lengths, _ = packet_lengths(config.packet_flits)
    longest = max(config.longest_flits, longest_traced)
    starts = start_sizes(routing)
    return Shape(
        routers=net.routers,
        terminals=net.endpoints,
        link_inputs=link_inputs,
        link_outputs=net.ports,
        inputs=inputs,
        outputs=outputs,
        vcs=vcs,
        class_vcs=class_vcs,
        classes=config.classes,
        buffer=config.buffer_flits,
        lane_stride=stride,
        ways=ways,
        input_lanes=inputs * vcs,
        **lane_sizes(inputs * vcs, ways),
        out_vcs=outputs * vcs,
        out_vc_words=-(-outputs * vcs // WORD64_BITS),
        sources=net.endpoints * several,
        units=net.routers * unit,
        injection_ports=config.injection_ports,
        ejection_ports=config.ejection_ports,
        entry_vcs=0 if config.entry_vcs >= class_vcs else config.entry_vcs,
        lookahead=1 if ways or starts["start_sees"] > 1 else lookahead(net, config),
        bubble=longest if routing.routing.bubble else 0,
        keeps_vc=int(routing.routing.keeps_vc and ways == 0),
        lengths=lengths.size,
        flits_per_field=-(-longest // at.PACKET_FIELDS),
        reply_flits=max([config.reply_flits, *config.exchange_lengths]),
        reply_delay=config.reply_delay_cycles,
        queue_limit=config.source_queue_packets,
        pattern_draws=pattern_draws,
        **starts,
        max_hops=max(64, 8 * net.routers),
        batch=config.batch_cycles,
        events=int(config.events),
        **stage_sizes(config),
        **switch_sizes(config, inputs, outputs),
    )


def want_words(shape: Shape) -> int:
    """Numbers in a lane's row of `wants`."""
    return (3 if shape.bubble else 2) * shape.out_vc_words + 2


def turn_row(shape: Shape) -> int:
    """Numbers in a router's row of `turn`: rows of half a cache line or one do not cross lines."""
    return -(-(2 * shape.switch_inputs + shape.switch_outputs + shape.diagonals) // 16) * 16


def work_part(shape: Shape) -> int:
    """Numbers of a part of `work`: one for each lane and output VC, and as many as the switch has inputs or outputs."""
    return max(shape.lanes + shape.out_vcs, shape.switch_inputs, shape.switch_outputs)


def pool_rows(shape: Shape) -> int:
    """Packets to start with; the table grows when they run out (see `Engine`)."""
    return 4 * packets_a_cycle(shape) + 256


def packets_a_cycle(shape: Shape) -> int:
    """Most packets that one cycle can create: one for each injector, one reply for each sink."""
    return shape.terminals * (shape.injection_ports * shape.classes + shape.ejection_ports)


def packet_bytes(shape: Shape) -> int:
    """Memory of one packet of the table, with its flits, in bytes."""
    return at.PACKET_FIELDS * (8 + 4 * shape.flits_per_field)
