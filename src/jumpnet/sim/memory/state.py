"""The simulator's memory: all that changes in a run, as arrays (`State`), and what branching adds (`MulticastState`).

An array is declared once: its name, the type of its numbers, its shape at cycle 0, and what it holds. Shapes are
functions of the run's sizes by name, as kernels have them (`allocate`). Rows are described in `memory.fields`;
memory order is router order.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, NamedTuple, get_type_hints

import numpy as np

from jumpnet.jit.bits import WORD_BITS
from jumpnet.routings.view import MAX_CANDIDATES
from jumpnet.sim.memory import layout as at
from jumpnet.sim.resolve.packet_kinds import KINDS
from jumpnet.terms import I16, I32, I64
from jumpnet.traffic.injection_process import MEMORY_WORDS

__all__ = ["ARRAYS", "BATCHES", "HISTOGRAM", "SHAPES", "WHEEL", "MulticastState", "State"]

WHEEL = 4096
HISTOGRAM = 1 << 16
BATCHES = 256


class State(NamedTuple):
    """Everything that changes; rows as in `memory.layout`, tables flattened where a shape is one number."""

    lane: Annotated[I32, lambda m: m.all_lanes * m.lane_stride]
    """Lanes of routers, then of terminals that receive."""
    out_vc: Annotated[I32, lambda m: m.routers * m.out_vcs * at.OUT_VC_FIELDS]
    head: Annotated[I32, lambda m: m.all_lanes * m.buffer]
    """Packet of each slot that holds a head."""
    due: Annotated[I32, lambda m: m.routers * m.cells]
    """When the router must look at each lane next; spare cells are never due."""
    free: Annotated[I64, lambda m: m.routers * m.out_vc_words]
    """Output VCs that no packet holds."""
    active: Annotated[I64, lambda m: -(-m.routers // WORD_BITS)]
    """Routers with a lane that will be due."""
    wants: Annotated[I64, lambda m: (m.routers * m.lanes, m.want_words)]
    """What the head of each lane asks for."""
    turn: Annotated[I16, lambda m: m.routers * m.turn_row]
    """Turns of switch allocation: output and vc of each input, input of each output."""
    packet: Annotated[I64, lambda m: (m.pool_rows, at.PACKET_FIELDS)]
    flit: Annotated[I32, lambda m: (m.pool_rows, m.flits_per_field * at.PACKET_FIELDS)]
    """Of a packet of several flits, for the flit with so many flits behind it: the cycle it entered the network in, and
    once it has arrived its latency."""
    terminal: Annotated[I64, lambda m: (m.sources + m.units, at.TERMINAL_FIELDS)]
    process_memory: Annotated[I64, lambda m: (m.sources, MEMORY_WORDS)]
    """Of the injection processes."""
    process_key: Annotated[I64, lambda m: m.sources]
    """Keys of creation times."""
    packet_key: Annotated[I64, lambda m: m.sources]
    """Keys of destinations and lengths."""
    injector: Annotated[I64, lambda m: (m.injectors * m.classes, at.INJECTOR_FIELDS)]
    injector_class: Annotated[I64, lambda m: m.injectors]
    """Class that sent last."""
    injector_write: Annotated[I64, lambda m: m.injectors * m.vcs]
    """Slot of the next flit of each injection lane."""
    queue_start: Annotated[I64, lambda m: m.terminals * m.queue_limit]
    """When the last packets entered."""
    awake: Annotated[I64, lambda m: -(-(m.sources + m.units) // WORD_BITS)]
    """Terminals with something to send."""
    wheel: Annotated[I32, lambda m: WHEEL]
    """A timing wheel: first terminal to wake in a cycle modulo WHEEL."""
    wheel_next: Annotated[I32, lambda m: m.terminals]
    """Next terminal in the same place."""
    sink_router: Annotated[I32, lambda m: m.sinks]
    sink_index: Annotated[I32, lambda m: m.sinks]
    """Which of its router's sinks a terminal is."""
    source_router: Annotated[I32, lambda m: m.ends + m.units]
    source_index: Annotated[I32, lambda m: m.ends + m.units]
    link_ok: Annotated[I16, lambda m: (m.routers, m.link_outputs)]
    """1 where a link leaves."""
    length: Annotated[I64, lambda m: m.all_lengths]
    """Packet lengths."""
    length_up_to: Annotated[I64, lambda m: m.all_lengths]
    """Draws below this have that length at most."""
    length_first: Annotated[I64, lambda m: m.traffics + 1]
    """Where the lengths of each class of traffic begin."""
    kind_vc: Annotated[I64, lambda m: KINDS]
    """This and the next four are `sim.resolve.packet_kinds.KindTables`."""
    kind_row: Annotated[I64, lambda m: KINDS]
    kind_rank: Annotated[I64, lambda m: KINDS]
    kind_reply: Annotated[I64, lambda m: KINDS]
    kind_subnet: Annotated[I64, lambda m: KINDS]
    trace_first: Annotated[I64, lambda m: m.traced * (m.terminals + 1)]
    """Where the packets of each terminal begin in what is replayed."""
    trace: Annotated[I64, lambda m: (m.trace_rows, 3)]
    """Cycle, destination, flits; by source, then by cycle."""
    counter: Annotated[I64, lambda m: at.COUNTERS]
    histogram: Annotated[I64, lambda m: (at.HISTOGRAMS * m.counted, HISTOGRAM)]
    """Of each class, by cycles; the last cell holds the longer ones."""
    batches: Annotated[I64, lambda m: (BATCHES, at.BATCH_FIELDS)]
    """Sums over the packets delivered in each batch."""
    class_flits: Annotated[I64, lambda m: m.counted]
    """Flits of the packets of each class that have been delivered, measured or not."""
    by_source: Annotated[I64, lambda m: m.terminals]
    """Measured flits delivered, by source."""
    port_of: Annotated[I32, lambda m: max(m.lanes, m.out_vcs)]
    """Port of each lane or output VC: number // vcs, without a division."""
    side: Annotated[I64, lambda m: (max(m.lanes, m.out_vcs), at.SIDE_FIELDS)]
    """Port and turns of each lane or output VC, without divisions."""
    flow: Annotated[I64, lambda m: (2, 2 * WORD_BITS * m.lanes + 4)]
    """Lists of lanes at work, see `router.lists` and `sets.heads`."""
    ahead: Annotated[I64, lambda m: (3, 2 * WORD_BITS * m.lanes + 1)]
    """Lists of lanes that will be at work (`memory.prefetch`), and last where each ends."""
    bidders: Annotated[I64, lambda m: WORD_BITS]
    """Set of lanes of each router that bid for the switch, then of those that won."""
    sets: Annotated[I32 | I64, lambda m: m.set_numbers]
    """Routers as sets, see `sets.pipeline`; no rows in runs that cannot have them."""
    arrived: Annotated[I32 | I64, lambda m: m.packs * -(-m.routers // 16) * 16 * at.KEPT_CYCLES]
    """Likewise: lanes that got a flit in each of the last cycles (`sets.slots`)."""
    transfer: Annotated[I32, lambda m: m.packs * m.routers * m.lanes * at.TRANSFER_FIELDS]
    """Likewise: where the flits of each lane go."""
    work: Annotated[I64, lambda m: at.WORK_FIELDS * m.work_rows]
    """Scratch of one router: `work_rows` rows of requests, then as many of bids."""
    routes: Annotated[I16, lambda m: m.kept]
    """Likewise, or no rows: the row of `answers` that heads in a state, by one port, were told at a router, by
    destination; 0 where none has asked (`sets.routes`)."""
    stations: Annotated[I32, lambda m: (3, m.single * m.kept)]
    """Likewise, where packets are single flits: of each station the row of its answer with the next station and its
    place, of each place its station (`sets.stations`)."""
    standing: Annotated[I64, lambda m: m.by_stations * m.routers * m.lanes * m.buffer]
    """Likewise, where the head in each slot stands (`memory.standing`)."""
    answers: Annotated[I64, lambda m: (m.packs * at.MOST_ANSWERS, at.ANSWER_FIELDS)]
    """Answers, from row 1 on; row 0: numbers of the last one and of the last station."""
    states: Annotated[I64, lambda m: m.packs * at.STATE_SLOTS]
    """Likewise, the state that has a slot; one that never has it where none has."""
    outbox: Annotated[I32, lambda m: 0]
    """Where each thread of a team notes for sixteen routers, and who has them; (threads + 1, R / 16) in a team."""
    query: Annotated[I64, lambda m: (MAX_CANDIDATES, 4)]
    """For the routing relation."""
    waiting: Annotated[I64, lambda m: m.link_outputs * (m.routers if m.start_sees > 1 else 1)]
    """Credits used up of each output, for the start hook."""
    wire: Annotated[I64, lambda m: m.has_speedup * m.routers * m.wires * at.WIRE_FIELDS]
    """What leaves by links and credit wires, where the switch has a speed-up."""
    stage: Annotated[I64, lambda m: m.in_batches * m.routers * at.STAGES]
    """The step in which the newest batch of each stage begins; no rows but where stages go by batches."""
    held: Annotated[I16, lambda m: m.hold * m.routers * (m.switch_inputs + m.switch_outputs)]
    """1 + the lane that holds each input and output of the switch, or 0."""
    places: Annotated[I16, lambda m: m.routers * m.places_row]
    """Who goes first at matrix arbiters, see `router.arbiters`; or what the allocators of `router.matching` keep."""
    taken: Annotated[I64, lambda m: (m.sharing > 0) * (m.routers * m.out_vcs + m.injectors * m.vcs)]
    """The step since which a packet holds each output VC, and each virtual channel on which it enters; no numbers but
    with `memory.shared_buffers`."""
    asked: Annotated[I64, lambda m: m.asked_numbers]
    """Scratch of one router for `router.matching`: the output VCs that each lane asks for, or the outputs that each
    input does, as sets in words of 64; then what it finds. No numbers where it is not used."""
    hops_here: Annotated[I16, lambda m: (m.priority == at.BY_HOPS) * m.routers * m.lanes]
    """Routers that the packet at the front of each lane had met before; no numbers but where priorities go by that."""
    lacking: Annotated[I64, lambda m: m.counts_ports * m.routers * (m.inputs + m.outputs + 2)]
    """Ports that a router lacks, where that counts (`router.ports_there`)."""
    event: Annotated[I32, lambda m: (m.event_rows, at.EVENT_FIELDS)]
    barrier: Annotated[I64, lambda m: at.BARRIER_WORDS]
    """The barrier of a team of threads."""
    mail: Annotated[I32, lambda m: 1]
    """A box of each thread, in even and in odd epochs: how many rows, then the rows (`MailRow`)."""
    delivery: Annotated[I64, lambda m: (0, at.DELIVERY_FIELDS)]
    """Deliveries, no rows unless packets are posted from outside (`outside`)."""
    window: Annotated[I64, lambda m: 2]
    """First cycle measured, first cycle not measured any more."""


class MulticastState(NamedTuple):
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
    plans_alone: int
    """1 where packets to one destination that are posted from outside follow a plan too, in place of the routing."""
    most_flits: int
    """Of a multicast that is posted from outside."""
    place: I64
    """(K * place_fields,)."""
    message: I64
    """(M * MESSAGE_FIELDS,)."""
    tally: I64
    """(n * TALLY_FIELDS,) acknowledges to come at each place of each message that combines them."""
    front: I64
    """(R * input_lanes,) packet that branches at the front of each lane, which ends there; -1 for one that goes on."""
    branching: I64
    """(R,) lanes whose front packet has several branches."""
    used: I64
    """(R,) combining buffers in use."""
    sink: I64
    """(R * spread,) terminals by router, -1 where there is none."""
    plan: I64
    """(plans * PLAN_FIELDS,) the plans of messages that are posted from outside."""
    alone: I64
    """(T * T,) 1 + the first place of those from terminal to terminal, 0 for none yet; no rows under a routing."""
    spare: I64
    """(2 * SIZES,) of posted messages that are over: the first row of each size, and how many there are."""
    promised: I64
    """(1,) how much may be told of those that are not over."""


SHAPES: dict[str, Any] = {
    name: kind.__metadata__[0] for name, kind in get_type_hints(State, globals(), include_extras=True).items()
}
"""Shapes of the arrays of `State` at cycle 0: functions of the run's sizes."""
ARRAYS = {
    name: np.dtype(f"i{int(bits[0]) // 8}").type if len(bits) == 1 else None
    for arrays in (State, MulticastState)
    for name, kind in arrays.__annotations__.items()
    if (bits := re.findall(r"\bI(16|32|64)\b", kind.__forward_arg__))
}
"""Types of the arrays' numbers; None where sets have 32 or 64 bits."""
