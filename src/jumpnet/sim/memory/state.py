"""The simulator's memory: all that changes in a run, as arrays (`State`), and what branching adds (`MulticastState`).

Rows are described in `memory.fields`; memory order is router order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.terms import I16, I32, I64

__all__ = ["ARRAYS", "MulticastState", "State"]


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
    """(R * lanes, want_words) what the head of each lane asks for."""
    turn: I16
    """(R * turn_row,) turns of switch allocation: output and vc of each input, input of each output."""
    packet: I64
    """(pool, PACKET_FIELDS)."""
    flit: I32
    """(pool, flits_per_field * PACKET_FIELDS) of a packet of several flits, for the flit with so many flits behind it:
    the cycle it entered the network in, and once it has arrived its latency."""
    terminal: I64
    """(T, TERMINAL_FIELDS)."""
    process_memory: I64
    """(sources, MEMORY_WORDS) of the injection processes; sources as in `Shape.sources`, T for each class."""
    process_key: I64
    """(sources,) keys of creation times."""
    packet_key: I64
    """(sources,) keys of destinations and lengths."""
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
    """(WHEEL,) a timing wheel: first terminal to wake in a cycle modulo WHEEL."""
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
    """(KINDS,) this and the next four are `sim.resolve.packet_kinds.KindTables`."""
    kind_row: I64
    kind_rank: I64
    kind_reply: I64
    kind_subnet: I64
    trace_first: I64
    """(T + 1,) or (0,) when nothing is replayed."""
    trace: I64
    """(n, 3) cycle, destination, flits; by source, then by cycle."""
    counter: I64
    """(COUNTERS,)."""
    histogram: I64
    """(HISTOGRAMS * classes, cells) of each class, by cycles; the last cell holds the longer ones."""
    batches: I64
    """(batches, BATCH_FIELDS) sums over the packets delivered in each batch."""
    class_flits: I64
    """(classes,) flits of the packets of each class that have been delivered, measured or not."""
    by_source: I64
    """(T,) measured flits delivered, by source."""
    port_of: I32
    """(max(lanes, out_vcs),) port of each lane or output VC: number // vcs, without a division."""
    side: I64
    """(max(lanes, out_vcs), SIDE_FIELDS) port and turns of each lane or output VC, without divisions."""
    flow: I64
    """(2, 64 * lanes + 4) lists of lanes at work, see `router.lists` and `sets.heads`."""
    ahead: I64
    """(3, 64 * lanes + 1) lists of lanes that will be at work (`memory.prefetch`), and last where each ends."""
    bidders: I64
    """(32,) set of lanes of each router that bid for the switch, then of those that won."""
    sets: I32 | I64
    """(ceil(R / 16) * set_rows * 16,) routers as sets, see `sets.pipeline`; no rows in runs that cannot have them."""
    arrived: I32 | I64
    """(ceil(R / 16) * KEPT_CYCLES * 16,) likewise: lanes that got a flit in each of the last cycles (`sets.slots`)."""
    transfer: I32
    """(R * lanes * TRANSFER_FIELDS,) likewise: where the flits of each lane go."""
    work: I64
    """Scratch of one router: `work_rows` rows of requests, then as many of bids."""
    routes: I16
    """(STATE_SLOTS, ports, R, R) likewise, or no rows: the row of `answers` that heads in a state, by one port, were
    told at a router, by destination; 0 where none has asked (`sets.routes`)."""
    stations: I32
    """(3, places of `routes`) likewise, where packets are single flits: of each station the row of its answer with the
    next station and its place, of each place its station (`sets.stations`)."""
    standing: I64
    """(R * lanes * buffer,) likewise, where the head in each slot stands (`memory.standing`)."""
    answers: I64
    """(MOST_ANSWERS, ANSWER_FIELDS) answers, from row 1 on; row 0: numbers of the last one and of the last station."""
    states: I64
    """(STATE_SLOTS,) likewise, the state that has a slot; one that never has it where none has."""
    outbox: I32
    """(threads + 1, ceil(R / 16)) where each thread of a team notes for sixteen routers, and who has them."""
    query: I64
    """(MAX_CANDIDATES, 4) for the routing relation."""
    waiting: I64
    """(link_outputs,) credits used up of each output, for the start hook."""
    wire: I64
    """(R * wires * WIRE_FIELDS,) what leaves by links and credit wires, where the switch has a speed-up."""
    stage: I64
    """(R * STAGES,) the step in which the newest batch of each stage begins; no rows but where stages go by batches."""
    held: I16
    """(R * (switch_inputs + switch_outputs),) 1 + the lane that holds each input and output of the switch, or 0."""
    places: I16
    """(R * places_row,) who goes first at matrix arbiters, see `router.arbiters`; or what the allocators of
    `router.matching` keep."""
    taken: I64
    """(R * out_vcs + injection ports * vcs,) the step since which a packet holds each output VC, and each virtual
    channel on which it enters; no numbers but with `memory.shared_buffers`."""
    asked: I64
    """Scratch of one router for `router.matching`: the output VCs that each lane asks for, or the outputs that each
    input does, as sets in words of 64; then what it finds. No numbers where it is not used."""
    hops_here: I16
    """(R * lanes,) routers that the packet at the front of each lane had met before; no numbers but where priorities go
    by that."""
    lacking: I64
    """(R * (inputs + outputs + 2),) ports that a router lacks, where that counts (`router.ports_there`)."""
    event: I32
    """(events, EVENT_FIELDS), no rows when none are recorded."""
    barrier: I64
    """(BARRIER_WORDS,) the barrier of a team of threads."""
    mail: I32
    """(2, threads, box_size) a box of each, in even and in odd epochs: how many rows, then the rows (`MailRow`)."""
    delivery: I64
    """(rows, DELIVERY_FIELDS) deliveries, no rows unless packets are posted from outside (`outside`)."""
    window: I64
    """(2,) first cycle measured, first cycle not measured any more."""


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
    plan: I64
    """(plans * PLAN_FIELDS,) the plans of messages that are posted from outside."""
    alone: I64
    """(T * T,) 1 + the first place of those from terminal to terminal, 0 for none yet; no rows under a routing."""
    spare: I64
    """(2 * SIZES,) of posted messages that are over: the first row of each size, and how many there are."""
    promised: I64
    """(1,) how much may be told of those that are not over."""


INTEGERS = {"I16": np.int16, "I32": np.int32, "I64": np.int64, "I32 | I64": None}
ARRAYS = {
    name: INTEGERS[kind.__forward_arg__]
    for arrays in (State, MulticastState)
    for name, kind in arrays.__annotations__.items()
    if kind.__forward_arg__ in INTEGERS
}
"""Types of the arrays' numbers; None says that it is the array's."""
