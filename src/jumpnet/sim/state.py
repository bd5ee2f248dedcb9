"""The simulator's memory: sizes and settings as integers (`Shape`), everything that changes as arrays (`State`).

`allocate` makes both for a network, a routing and a configuration, and refuses what would not fit in memory before it
starts. Rows are described in `_layout`; memory order is router order. Used by `simulate` and the tests.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet._random import stream_key
from jumpnet.errors import JumpnetError
from jumpnet.network import Network
from jumpnet.routing import BoundRouting
from jumpnet.sim import _layout as at
from jumpnet.sim._bits import WORD_BITS
from jumpnet.sim.config import SimConfig, packet_lengths
from jumpnet.terms import I32, I64, NO_ROUTER
from jumpnet.traffic import PacketList
from jumpnet.traffic._process import MEMORY_WORDS

__all__ = ["Shape", "State", "allocate", "estimate_bytes", "packets_a_cycle", "shape_of"]

WHEEL = 4096
HISTOGRAM = 1 << 16
ALLOCATORS = {"input_first": at.INPUT_FIRST, "output_first": at.OUTPUT_FIRST, "islip": at.ISLIP, "age": at.AGE}
SELECTIONS = {"round_robin": at.ROUND_ROBIN, "first": at.FIRST, "credits": at.CREDITS}


class Shape(NamedTuple):
    """Sizes and settings of a run, integers all. Ports of terminals come after the ports of links."""

    routers: int
    terminals: int
    link_inputs: int
    """Input ports of a router that links may use."""
    link_outputs: int
    """Output ports of a router that links may use."""
    inputs: int
    """Input ports, with those of terminals."""
    outputs: int
    """Output ports, with those of terminals."""
    vcs: int
    """Virtual channels of a port, all classes together."""
    class_vcs: int
    """Virtual channels of a class: what the routing sees."""
    classes: int
    buffer: int
    """Slots of a lane."""
    lane_stride: int
    """Numbers in a lane's row."""
    lanes: int
    """Lanes of a router."""
    outlets: int
    """Outlets of a router."""
    cells: int
    """Cells of a router in `due`."""
    groups: int
    """Groups of CELLS of them."""
    outlet_words: int
    injection_ports: int
    ejection_ports: int
    rd: int
    va: int
    sa: int
    x: int
    terminal_link: int
    credit: int
    """Credit delay."""
    speculation: int
    allocator: int
    iterations: int
    selection: int
    cut_through: int
    reuse_empty: int
    lengths: int
    """Number of packet lengths to choose from."""
    reply_flits: int
    reply_delay: int
    queue_limit: int
    """Packets a source may hold, 0 for any number."""
    pattern_draws: int
    start_draws: int
    has_start: int
    max_hops: int
    """Routers after which a packet counts as going round in circles."""
    batch: int
    events: int
    """1 when events are recorded."""


class State(NamedTuple):
    """Everything that changes. R routers, T terminals; rows as in `_layout`."""

    lane: I32
    """(lanes, lane_stride) flattened; lanes of routers, then of terminals that receive."""
    outlet: I32
    """(R * outlets * OUTLET_FIELDS,)."""
    head: I32
    """(lanes * buffer,) packet of each slot that holds a head."""
    due: I32
    """(R * cells,) when the router must look at each lane next; spare cells are never due."""
    free: I64
    """(R * outlet_words,) outlets that no packet holds."""
    active: I64
    """(words,) routers with a lane that will be due."""
    wants: I64
    """(R * lanes, 2 * outlet_words + 2) outlets a waiting head may have (normal, escape), next state, all alike."""
    turn: I32
    """(R * (2 * inputs + outputs),) turns of switch allocation: output and vc of each input, input of each output."""
    sink_sum: I64
    """(R * sink lanes,) sum of arrival cycles of the packet being received."""
    packet: I64
    """(pool, PACKET_FIELDS)."""
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
    link_ok: I64
    """(R, link_outputs) 1 where a link leaves."""
    length: I64
    """(lengths,) packet lengths."""
    length_up_to: I64
    """(lengths,) draws below this have that length at most."""
    trace_first: I64
    """(T + 1,) or (0,) when nothing is replayed."""
    trace: I64
    """(n, 3) cycle, destination, flits; by source, then by cycle."""
    counter: I64
    """(COUNTERS,)."""
    histogram: I64
    """(2, HISTOGRAM) measured packets by packet latency, by network latency; the last cell holds the longer ones."""
    batches: I64
    """(batches, 3) by delivery: packets, sum of their latency, their flits."""
    by_source: I64
    """(T,) measured flits delivered, by source."""
    port_of: I32
    """(max(lanes, outlets),) port of each lane or outlet: number // vcs, without a division."""
    at_work: I64
    """(32, WORK_LANES + groups) routers at work in this cycle, and which of their lanes are due."""
    work: I64
    """Scratch of one router; parts start at multiples of lanes + outlets."""
    query: I64
    """(MAX_CANDIDATES, 4) for the routing relation."""
    waiting: I64
    """(link_outputs,) flits waiting for each output, for the start hook."""
    event: I32
    """(events, EVENT_FIELDS), no rows when none are recorded."""
    window: I64
    """(2,) first cycle measured, first cycle not measured any more."""


INT32 = frozenset(
    ("lane", "outlet", "due", "head", "turn", "wheel", "wheel_next", "sink_router", "sink_index",
     "source_router", "source_index", "port_of", "event")
)  # fmt: skip
"""Arrays of State that are int32; the others are int64."""


def shape_of(net: Network, routing: BoundRouting, config: SimConfig, pattern_draws: int) -> Shape:
    """The sizes of a run."""
    spread = int(max(net.terminals.max(initial=0), 0)), int(max(net.sinks.max(initial=0), 0))
    link_inputs = max(net.ports, int(net.far_port.max(initial=-1)) + 1)
    inputs = link_inputs + spread[0] * config.injection_ports
    outputs = net.ports + spread[1] * config.ejection_ports
    vcs = routing.vcs * config.classes
    stride = -(-(at.LANE_FIELDS + config.buffer_flits) // 16) * 16
    va, sa = config.vc_allocation_delay_cycles, config.switch_allocation_delay_cycles
    lengths, _ = packet_lengths(config.packet_flits)
    return Shape(
        routers=net.routers,
        terminals=net.endpoints,
        link_inputs=link_inputs,
        link_outputs=net.ports,
        inputs=inputs,
        outputs=outputs,
        vcs=vcs,
        class_vcs=routing.vcs,
        classes=config.classes,
        buffer=config.buffer_flits,
        lane_stride=stride,
        lanes=inputs * vcs,
        outlets=outputs * vcs,
        cells=-(-inputs * vcs // at.CELLS) * at.CELLS,
        groups=-(-inputs * vcs // at.CELLS),
        outlet_words=-(-outputs * vcs // WORD_BITS),
        injection_ports=config.injection_ports,
        ejection_ports=config.ejection_ports,
        rd=config.routing_delay_cycles,
        va=max(va - sa, 0) if config.speculation else va,
        sa=sa,
        x=config.st_delay_cycles,
        terminal_link=config.terminal_link_cycles,
        credit=config.credit_delay_cycles,
        speculation=int(config.speculation),
        allocator=ALLOCATORS[config.allocator],
        iterations=config.allocator_iterations,
        selection=SELECTIONS[config.selection],
        cut_through=int(config.flow_control == "cut_through"),
        reuse_empty=int(config.vc_reuse == "empty"),
        lengths=lengths.size,
        reply_flits=config.reply_flits,
        reply_delay=config.reply_delay_cycles,
        queue_limit=config.source_queue_packets,
        pattern_draws=pattern_draws,
        start_draws=routing.draws,
        has_start=int(routing.routing.start is not None),
        max_hops=max(64, 8 * net.routers),
        batch=config.batch_cycles,
        events=int(config.events),
    )


def _pool_rows(shape: Shape) -> int:
    """Packets to start with; the table grows when they run out (see `run.grow_packets`)."""
    return 4 * packets_a_cycle(shape) + 256


def packets_a_cycle(shape: Shape) -> int:
    """Most packets that one cycle can create: one for each injector, one reply for each sink."""
    return shape.terminals * (shape.injection_ports * shape.classes + shape.ejection_ports)


def estimate_bytes(shape: Shape) -> int:
    """Memory of a run in bytes, counted before anything is allocated."""
    lanes = shape.routers * shape.lanes + shape.routers * (shape.outputs - shape.link_outputs) * shape.vcs
    words = lanes * (4 * shape.lane_stride + 4 * shape.buffer)
    words += shape.routers * shape.outlets * at.OUTLET_FIELDS * 4
    words += shape.routers * shape.lanes * 8 * (2 * shape.outlet_words + 2)
    words += shape.routers * (4 * shape.cells + 8 * shape.outlet_words + 4 * (2 * shape.inputs + shape.outputs))
    words += _pool_rows(shape) * at.PACKET_FIELDS * 8
    words += shape.terminals * 8 * (at.TERMINAL_FIELDS + MEMORY_WORDS + 16 + shape.queue_limit)
    words += shape.terminals * shape.injection_ports * 8 * (1 + shape.vcs + shape.classes * at.INJECTOR_FIELDS)
    return words + 4 * 2**20


def _lanes_and_outlets(net: Network, s: Shape, config: SimConfig) -> tuple[I32, I32, I64]:
    """Rows of lanes and outlets, joined as the links join them; and the free outlets as bit sets."""
    sinks = (s.outputs - s.link_outputs) * s.vcs
    total = s.routers * (s.lanes + sinks)
    if total * s.lane_stride >= 2**31:
        raise JumpnetError(
            f"{total} input buffers of {s.buffer} flits found, fewer than {2**31 // s.lane_stride} expected"
        )
    lane = np.zeros((total, s.lane_stride), np.int32)
    lane[:, at.OUTLET] = at.IDLE
    rows = lane[: s.routers * s.lanes].reshape(s.routers, s.inputs, s.vcs, s.lane_stride)
    rows[:, s.link_inputs :, :, at.CREDIT] = s.sa + s.terminal_link + s.credit
    outlet = np.zeros((s.routers, s.outputs, s.vcs, at.OUTLET_FIELDS), np.int32)
    outlet[..., at.TO] = -1
    outlet[..., at.OWNER] = -1
    r, p = np.nonzero(net.neighbor != NO_ROUTER)
    to, port = net.neighbor[r, p].astype(np.int64), net.far_port[r, p].astype(np.int64)
    latency = np.full(r.size, config.link_cycles) if net.latency is None else net.latency[r, p]
    if latency.size and latency.min() < 1:
        raise JumpnetError(f"a link of latency {int(latency.min())} found in {net.spec}, at least 1 cycle expected")
    for v in range(s.vcs):
        rows[to, port, v, at.CREDIT] = s.sa + latency + s.credit
        outlet[r, p, v, at.TO] = (to * s.lanes + port * s.vcs + v) * s.lane_stride
        outlet[r, p, v, at.DELAY] = s.sa + s.x + latency
        outlet[r, p, v, at.TO_ROUTER] = to
        outlet[r, p, v, at.TO_CELL] = to * s.cells + port * s.vcs + v
    if sinks:
        index = np.arange(s.routers * sinks).reshape(s.routers, s.outputs - s.link_outputs, s.vcs)
        outlet[:, s.link_outputs :, :, at.TO] = (s.routers * s.lanes + index) * s.lane_stride
        outlet[:, s.link_outputs :, :, at.DELAY] = s.sa + s.x + s.terminal_link
        outlet[:, s.link_outputs :, :, at.TO_CELL] = index
    free = np.zeros((s.routers, s.outlet_words), np.int64)
    for o in range(s.outlets):
        free[:, o // WORD_BITS] |= np.where(
            outlet.reshape(s.routers, s.outlets, -1)[:, o, at.TO] >= 0, 1 << (o % WORD_BITS), 0
        )
    return lane.ravel(), outlet.ravel(), free.ravel()


def _index_in_router(router: I32) -> I32:
    """Position of each terminal among those of its router; `router` is in ascending order."""
    return (np.arange(router.size) - np.searchsorted(router, router)).astype(np.int32)


def _sorted_trace(trace: PacketList | None, s: Shape) -> tuple[I64, I64]:
    if trace is None:
        return np.zeros(0, np.int64), np.zeros((0, 3), np.int64)
    source = np.asarray(trace.source, np.int64)
    for name, values in (("source", source), ("destination", np.asarray(trace.destination))):
        if values.size and (values.min() < 0 or values.max() >= s.terminals):
            raise JumpnetError(f"{name} {int(values.max())} found in the trace, 0 to {s.terminals - 1} expected")
    if source.size and (np.min(trace.flits) < 1 or np.min(trace.cycle) < 0):
        raise JumpnetError("a packet without flits or before cycle 0 found in the trace")
    order = np.lexsort((np.asarray(trace.cycle), source))
    rows = np.stack([np.asarray(a, np.int64)[order] for a in (trace.cycle, trace.destination, trace.flits)], axis=1)
    return np.searchsorted(source[order], np.arange(s.terminals + 1)).astype(np.int64), np.ascontiguousarray(rows)


def allocate(
    net: Network,
    routing: BoundRouting,
    config: SimConfig,
    pattern_draws: int,
    trace: PacketList | None = None,
    event_rows: int = 0,
) -> tuple[Shape, State]:
    """Sizes and memory of a run at cycle 0; raises JumpnetError when it would take more than `memory_bytes`."""
    s = shape_of(net, routing, config, pattern_draws)
    need = estimate_bytes(s)
    if need > config.memory_bytes:
        raise JumpnetError(
            f"{net.spec} needs {need / 2**30:.1f} GiB, at most {config.memory_bytes / 2**30:.1f} allowed"
        )
    lane, outlet, free = _lanes_and_outlets(net, s, config)
    lengths, weights = packet_lengths(config.packet_flits)
    up_to = np.array([min(int(x * 2.0**63), 2**63 - 1) for x in np.cumsum(weights)], np.int64)
    up_to[-1] = 2**63 - 1
    packet = np.zeros((_pool_rows(s), at.PACKET_FIELDS), np.int64)
    packet[:, at.NEXT] = np.arange(1, len(packet) + 1) * at.PACKET_FIELDS
    packet[-1, at.NEXT] = -1
    ports = s.terminals * s.injection_ports
    injector = np.zeros((ports * s.classes, at.INJECTOR_FIELDS), np.int64)
    injector[:, [at.I_PACKET, at.I_VC, at.I_LAST_VC]] = -1
    terminal = np.zeros((s.terminals, at.TERMINAL_FIELDS), np.int64)
    terminal[:, [at.REPLY_FIRST, at.REPLY_LAST]] = -1
    memory = np.zeros((s.terminals, MEMORY_WORDS), np.int64)
    memory[:, 0] = -1
    trace_first, trace_rows = _sorted_trace(trace, s)
    sink_router, source_router = net.sink_router, net.terminal_router
    sink_lanes = (s.outputs - s.link_outputs) * s.vcs
    state = State(
        lane=lane,
        outlet=outlet,
        due=np.full(s.routers * s.cells, at.NO_FLIT, np.int32),
        head=np.zeros(lane.size // s.lane_stride * s.buffer, np.int32),
        free=free,
        active=np.zeros(-(-s.routers // WORD_BITS), np.int64),
        wants=np.zeros((s.routers * s.lanes, 2 * s.outlet_words + 2), np.int64),
        turn=np.zeros(s.routers * (2 * s.inputs + s.outputs), np.int32),
        sink_sum=np.zeros(max(1, s.routers * sink_lanes), np.int64),
        packet=packet,
        terminal=terminal,
        memory=memory,
        process_key=np.array([stream_key(config.seed, 2 * t) for t in range(s.terminals)], np.int64),
        packet_key=np.array([stream_key(config.seed, 2 * t + 1) for t in range(s.terminals)], np.int64),
        injector=injector,
        injector_class=np.zeros(ports, np.int64),
        injector_write=np.zeros(ports * s.vcs, np.int64),
        queue_start=np.full(s.terminals * s.queue_limit, -1, np.int64),
        awake=np.zeros(-(-s.terminals // WORD_BITS), np.int64),
        wheel=np.full(WHEEL, -1, np.int32),
        wheel_next=np.full(s.terminals, -1, np.int32),
        sink_router=sink_router,
        sink_index=_index_in_router(sink_router),
        source_router=source_router,
        source_index=_index_in_router(source_router),
        link_ok=(net.neighbor != NO_ROUTER).astype(np.int64),
        length=lengths,
        length_up_to=up_to,
        trace_first=trace_first,
        trace=trace_rows,
        counter=np.zeros(at.COUNTERS, np.int64),
        histogram=np.zeros((2, HISTOGRAM), np.int64),
        batches=np.zeros((1, 3), np.int64),
        by_source=np.zeros(s.terminals, np.int64),
        port_of=(np.arange(max(s.lanes, s.outlets)) // s.vcs).astype(np.int32),
        at_work=np.zeros(32 * (at.WORK_LANES + s.groups), np.int64),
        work=np.zeros(at.WORK_FIELDS * (s.lanes + s.outlets), np.int64),
        query=np.zeros((128, 4), np.int64),
        waiting=np.zeros(s.link_outputs, np.int64),
        event=np.zeros((event_rows, at.EVENT_FIELDS), np.int32),
        window=np.array([0, 1 << 40], np.int64),
    )
    return s, state
