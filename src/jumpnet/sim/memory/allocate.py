"""The memory of a run at cycle 0: lanes and output VCs joined as the links join them, terminals asleep, tables empty.

`allocate` makes it for a network, a routing and a configuration, and refuses what would not fit before it starts. Used
by `engine`; studies ask for the estimate alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.arrays.checks import refuse_masked
from jumpnet.errors import JumpnetError
from jumpnet.jit.bits import WORD_BITS, pack_words
from jumpnet.jit.random import stream_keys
from jumpnet.memory import readable
from jumpnet.networks import Network
from jumpnet.notices import counted
from jumpnet.routings import BoundRouting
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import INJECTOR_ROW, LANE_ROW, OUT_VC_ROW, PACKET_ROW, SIDE_ROW, TERMINAL_ROW, WIRE_ROW
from jumpnet.sim.memory.packing import Packing, most_set_bytes, packing_of, route_numbers, set_numbers
from jumpnet.sim.memory.places import asked_numbers, kept_places, places_row, require_groups
from jumpnet.sim.memory.shape import ALIKE, NO_BRANCHES, Branching, Shape, latencies, shape_of
from jumpnet.sim.memory.space import Space, zeros
from jumpnet.sim.memory.state import State
from jumpnet.sim.resolve.packet_kinds import kind_tables
from jumpnet.terms import I32, I64, NO_ROUTER, Array
from jumpnet.traffic import PacketList
from jumpnet.traffic.injection_process import MEMORY_WORDS, NEVER

__all__ = ["allocate", "columns_of", "estimate_bytes", "index_in_router", "lane_numbers", "require_room"]

WHEEL = 4096
HISTOGRAM = 1 << 16
BATCHES = 256


def _lanes_and_out_vcs(net: Network, s: Shape, config: SimConfig, space: Space) -> tuple[I32, I32]:
    """Rows of lanes and output VCs, joined as the links join them."""
    sinks = (s.outputs - s.link_outputs) * s.vcs
    total = s.routers * (s.lanes + sinks)
    if total >= (most := 2**31 // s.lane_stride):
        raise JumpnetError(f"{total} input buffers of {s.buffer} flits found, fewer than {most} expected")
    lane = space.zeros((total, s.lane_stride), np.int32)
    lane[:, LANE_ROW.out_vc] = at.IDLE
    branches = lane[: s.routers * s.lanes].reshape(s.routers, -1, s.input_lanes, s.lane_stride)
    rows = branches[:, 0].reshape(s.routers, s.inputs, s.vcs, s.lane_stride)
    rows[:, s.link_inputs :, :, LANE_ROW.credit] = s.sa + s.terminal_link
    out_vc = space.zeros((s.routers, s.outputs, s.vcs, at.OUT_VC_FIELDS), np.int32)
    out_vc[..., OUT_VC_ROW.to] = -1
    out_vc[..., OUT_VC_ROW.owner] = -1
    r, p = np.nonzero(net.neighbor != NO_ROUTER)
    to, port = net.neighbor[r, p].astype(np.int64), net.far_port[r, p].astype(np.int64)
    latency = latencies(net, config)
    if latency.size and latency.min() < 1:
        raise JumpnetError(f"a link of latency {int(latency.min())} found in {net.spec}, at least 1 cycle expected")
    for v in range(s.vcs):
        rows[to, port, v, LANE_ROW.credit] = s.sa + latency + s.credit
        out_vc[r, p, v, OUT_VC_ROW.to] = (to * s.lanes + port * s.vcs + v) * s.lane_stride
        out_vc[r, p, v, OUT_VC_ROW.delay] = s.sa + s.st + latency
        out_vc[r, p, v, OUT_VC_ROW.to_router] = to
        out_vc[r, p, v, OUT_VC_ROW.to_cell] = to * s.cells + port * s.vcs + v
    if sinks:
        index = np.arange(s.routers * sinks).reshape(s.routers, s.outputs - s.link_outputs, s.vcs)
        out_vc[:, s.link_outputs :, :, OUT_VC_ROW.to] = (s.routers * s.lanes + index) * s.lane_stride
        out_vc[:, s.link_outputs :, :, OUT_VC_ROW.delay] = s.sa + s.st + s.terminal_link
    if s.has_speedup:
        rows[..., LANE_ROW.credit] = (rows[..., LANE_ROW.credit] - s.sa - (s.sa == 0)) * s.steps // s.step_cycles + 1
    branches[:, 1:, :, LANE_ROW.credit] = branches[:, :1, :, LANE_ROW.credit]
    return lane.ravel(), out_vc.ravel()


def _wires(net: Network, s: Shape, config: SimConfig) -> I64:
    """Rows of links and credit wires, idle."""
    wire = np.zeros((s.routers if s.has_speedup else 0, s.wires, at.WIRE_FIELDS), np.int64)
    if s.has_speedup:
        wire[..., [WIRE_ROW.last, WIRE_ROW.step, WIRE_ROW.before]] = -1
        wire[..., WIRE_ROW.cycles] = s.terminal_link
        r, p = np.nonzero(net.neighbor != NO_ROUTER)
        wire[r, p, WIRE_ROW.cycles] = latencies(net, config)
        wire[net.neighbor[r, p], s.outputs + net.far_port[r, p], WIRE_ROW.cycles] = latencies(net, config) + s.credit
    return wire.ravel()


def _lacking(net: Network, s: Shape) -> I64:
    """How many ports each router lacks before each of its input ports, and in all; then likewise of output ports."""
    if max(s.allocator, s.vc_allocator) < at.PIM:
        return np.zeros(0, np.int64)
    if net.family in ALIKE:
        return np.zeros(s.routers * (s.inputs + s.outputs + 2), np.int64)
    there = np.zeros((s.routers, s.inputs), bool), np.zeros((s.routers, s.outputs), bool)
    r, p = np.nonzero(net.neighbor != NO_ROUTER)
    there[0][net.neighbor[r, p], net.far_port[r, p]] = there[1][r, p] = True
    for ports, first, ends in (
        (there[0], s.link_inputs, net.terminals * s.injection_ports),
        (there[1], s.link_outputs, net.sinks * s.ejection_ports),
    ):
        ports[:, first:] = np.arange(ports.shape[1] - first) < ends[:, None]
    before = [np.pad(np.cumsum(~ports, axis=1), ((0, 0), (1, 0))) for ports in there]
    return np.hstack(before).astype(np.int64).ravel()


def lane_numbers(s: Shape) -> I64:
    """(lanes or output VCs, SIDE_FIELDS) what follows from the number of a lane or output VC."""
    number = np.arange(max(s.lanes, s.out_vcs))
    port, vc = np.divmod(number, s.vcs)
    side = np.zeros((port.size, at.SIDE_FIELDS), np.int64)
    side[:, SIDE_ROW.port], side[:, SIDE_ROW.lane] = port, number % s.input_lanes
    side[:, SIDE_ROW.next_input], side[:, SIDE_ROW.next_output] = (port + 1) % s.inputs, (port + 1) % s.outputs
    side[:, SIDE_ROW.next_vc] = (vc + 1) % s.vcs
    side[:, SIDE_ROW.input_bit], side[:, SIDE_ROW.output_bit] = 1 << port % 31, 1 << 31 + port % 31
    return side


def index_in_router(router: I32) -> I32:
    """(T,) position of each terminal among those of its router; `router` (T,) is in ascending order."""
    return (np.arange(router.size) - np.searchsorted(router, router)).astype(np.int32)


def require_room(s: Shape, flits: Array) -> None:
    """Raise JumpnetError for a packet that no buffer takes whole under cut-through: it would wait for good."""
    longest = int(np.max(flits, initial=0))
    if s.cut_through and longest > s.buffer:
        raise JumpnetError(
            f"buffer_flits {s.buffer} found, at least {longest} (a whole packet) expected by cut_through"
        )


def _column(name: str, values: Any, packets: int) -> I64:
    """A column of a trace. Raises JumpnetError unless it has a whole number for each packet."""
    refuse_masked(f"{name} of the trace", values)
    found = np.asarray(values)
    whole = found.dtype.kind in "iu" or (found.dtype.kind == "f" and bool((found == np.floor(found)).all()))
    if found.shape != (packets,) or not (whole or packets == 0):
        said = f"an array of {found.dtype} of shape {found.shape}"
        raise JumpnetError(f"{name} of the trace: {said} found, {counted(packets, 'whole number')} expected")
    return found.astype(np.int64, copy=False)


def columns_of(trace: PacketList) -> PacketList:
    """The same packets as arrays. Raises JumpnetError unless each column has a whole number for each packet."""
    packets = np.size(trace.cycle)
    return PacketList(*(_column(*each, packets) for each in zip(trace._fields, trace, strict=True)))


def _sorted_trace(trace: PacketList | None, s: Shape) -> tuple[I64, I64]:
    if trace is None:
        return np.zeros(0, np.int64), np.zeros((0, 3), np.int64)
    cycle, source, destination, flits = trace
    for name, values in (("source", source), ("destination", destination)):
        if (wrong := values[(values < 0) | (values >= s.terminals)]).size:
            raise JumpnetError(f"{name} {wrong[0]} found in the trace, 0 to {s.terminals - 1} expected")
    if source.size and (np.min(flits) < 1 or np.min(cycle) < 0):
        raise JumpnetError("a packet without flits or before cycle 0 found in the trace")
    require_room(s, flits)
    order = np.lexsort((cycle, source))
    rows = np.stack([column[order] for column in (cycle, destination, flits)], axis=1)
    return np.searchsorted(source[order], np.arange(s.terminals + 1)).astype(np.int64), np.ascontiguousarray(rows)


def _routers(net: Network, s: Shape, config: SimConfig, space: Space) -> dict[str, Array]:
    """What routers have."""
    lane, out_vc = _lanes_and_out_vcs(net, s, config, space)
    joined = out_vc.reshape(s.routers, s.out_vcs, at.OUT_VC_FIELDS)[..., OUT_VC_ROW.to] >= 0
    due = space.zeros((s.routers, s.cells), np.int32)
    due[:, : s.input_lanes], due[:, s.input_lanes :] = at.NO_FLIT, at.NO_BRANCH  # there are no branches yet
    return {
        "lane": lane,
        "out_vc": out_vc,
        "due": due.ravel(),
        "head": space.zeros(lane.size // s.lane_stride * s.buffer, np.int32),
        "free": pack_words(joined).ravel(),
        "active": np.zeros(-(-s.routers // WORD_BITS), np.int64),
        "wants": space.zeros((s.routers * s.lanes, s.want_words), np.int64),
        "turn": space.zeros(s.routers * s.turn_row, np.int16),
        "wire": _wires(net, s, config),
        "stage": np.full(s.routers * at.STAGES if s.in_batches else 0, at.LONG_AGO, np.int64),
        "places": kept_places(s),
        "taken": np.full(
            (s.routers * s.out_vcs + net.endpoints * s.injection_ports * s.vcs) * int(s.sharing > 0), 1 << 60
        ),
        "hops_here": np.zeros(s.routers * s.lanes if s.priority == at.BY_HOPS else 0, np.int16),
        "held": np.zeros(s.routers * (s.switch_inputs + s.switch_outputs) if s.hold else 0, np.int16),
        "lacking": _lacking(net, s),
        "link_ok": (net.neighbor != NO_ROUTER).astype(np.int16),
        "port_of": (np.arange(max(s.lanes, s.out_vcs)) // s.vcs).astype(np.int32),
        "side": lane_numbers(s),
    }


def _terminals(net: Network, s: Shape, seed: int) -> dict[str, Array]:
    """What terminals have."""
    sources = s.sources + s.units
    ports = (net.endpoints + s.units) * s.injection_ports
    injector = np.zeros((ports * s.classes, at.INJECTOR_FIELDS), np.int64)
    injector[:, [INJECTOR_ROW.packet, INJECTOR_ROW.vc, INJECTOR_ROW.last_vc]] = -1
    terminal = np.zeros((sources, at.TERMINAL_FIELDS), np.int64)
    row = TERMINAL_ROW
    terminal[:, [row.reply_first, row.reply_last, row.answer_first, row.answer_last]] = -1
    terminal[s.sources :, TERMINAL_ROW.next_creation] = NEVER
    index, units = index_in_router(net.terminal_router), np.arange(s.units, dtype=np.int32)
    memory = np.zeros((s.sources, MEMORY_WORDS), np.int64)
    memory[:, 0] = -1
    return {
        "terminal": terminal,
        "process_memory": memory,
        "process_key": stream_keys(seed, 2 * np.arange(s.sources)),
        "packet_key": stream_keys(seed, 2 * np.arange(s.sources) + 1),
        "injector": injector,
        "injector_class": np.zeros(ports, np.int64),
        "injector_write": np.zeros(ports * s.vcs, np.int64),
        "queue_start": np.full(s.terminals * s.queue_limit, -1, np.int64),
        "awake": np.zeros(-(-sources // WORD_BITS), np.int64),
        "wheel": np.full(WHEEL, -1, np.int32),
        "wheel_next": np.full(s.terminals, -1, np.int32),
        "sink_router": net.sink_router,
        "sink_index": index_in_router(net.sink_router),
        "source_router": np.append(net.terminal_router, units),
        "source_index": np.append(index, np.full_like(units, net.terminals.max(initial=0))),
    }


def _packets(s: Shape, config: SimConfig, trace: PacketList | None) -> dict[str, Array]:
    """The packet table, and what is known of packets to come."""
    choices = [packet_lengths(c.packet_flits) for c in config.all_classes]
    shares = np.concatenate([np.append(np.cumsum(weights)[:-1], 1.0) for _, weights in choices])
    up_to = np.array([min(int(x * 2.0**63), 2**63 - 1) for x in shares], np.int64)
    tables = kind_tables(config, s.class_vcs)
    packet = zeros((s.pool_rows, at.PACKET_FIELDS), np.int64)
    packet[:, PACKET_ROW.following] = np.arange(1, len(packet) + 1) * at.PACKET_FIELDS
    packet[-1, PACKET_ROW.following] = -1
    flit = zeros((len(packet), s.flits_per_field * at.PACKET_FIELDS), np.int32)
    first, rows = _sorted_trace(trace, s)
    return {
        "packet": packet,
        "flit": flit,
        "length": np.concatenate([lengths for lengths, _ in choices]),
        "length_up_to": up_to,
        "length_first": np.cumsum([0, *(lengths.size for lengths, _ in choices)]),
        "kind_vc": tables.first_vc,
        "kind_row": tables.counted_in,
        "kind_rank": tables.rank,
        "kind_reply": tables.reply_flits,
        "kind_subnet": tables.subnet,
        "trace_first": first,
        "trace": rows,
    }


def _figures_and_scratch(s: Shape, event_rows: int, counted: int) -> dict[str, Array]:
    """What is counted and recorded; what lasts no longer than a cycle."""
    return {
        "counter": np.zeros(at.COUNTERS, np.int64),
        "histogram": zeros((at.HISTOGRAMS * counted, HISTOGRAM), np.int64),
        "batches": np.zeros((BATCHES, at.BATCH_FIELDS), np.int64),
        "class_flits": np.zeros(counted, np.int64),
        "by_source": np.zeros(s.terminals, np.int64),
        "event": np.zeros((event_rows, at.EVENT_FIELDS), np.int32),
        "delivery": np.zeros((0, at.DELIVERY_FIELDS), np.int64),
        "window": np.array([0, 1 << 40], np.int64),
        "flow": np.zeros((2, 2 * WORD_BITS * s.lanes + 4), np.int64),
        "ahead": np.zeros((3, 2 * WORD_BITS * s.lanes + 1), np.int64),
        "bidders": np.zeros(WORD_BITS, np.int64),
        "work": np.zeros(at.WORK_FIELDS * s.work_rows, np.int64),
        "asked": np.zeros(asked_numbers(s), np.int64),
        "query": np.zeros((128, 4), np.int64),
        "waiting": np.zeros(s.link_outputs * (s.routers if s.start_sees > 1 else 1), np.int64),
        "barrier": np.zeros(at.BARRIER_WORDS, np.int64),
        "mail": np.zeros(1, np.int32),
    }


def _sets(s: Shape, packing: Packing, kept: int) -> dict[str, Array]:
    """What routers have that can be kept as sets; no rows where they cannot. kept: numbers of a table of routes."""
    able = int(packing.ring > 0)
    places = able * kept
    on_ways = packing.single * int(places > 0)
    cell = np.int64 if packing.wide else np.int32
    return {
        "sets": zeros(set_numbers(s, packing), cell),
        "arrived": zeros(able * -(-s.routers // 16) * 16 * at.KEPT_CYCLES, cell),
        "transfer": zeros(able * s.routers * s.lanes * at.TRANSFER_FIELDS, np.int32),
        "routes": zeros(places, np.int16),
        "stations": zeros((3, on_ways * places), np.int32),
        "standing": zeros(on_ways * s.routers * s.lanes * s.buffer, np.int64),
        "answers": zeros((able * at.MOST_ANSWERS, at.ANSWER_FIELDS), np.int64),
        "states": zeros(able * at.STATE_SLOTS, np.int64),
        "outbox": np.zeros(0, np.int32),
    }


def estimate_bytes(s: Shape) -> int:
    """Memory that a run would take in bytes, told before anything is allocated."""
    lanes = s.routers * s.lanes + s.routers * (s.outputs - s.link_outputs) * s.vcs
    words = lanes * (4 * s.lane_stride + 4 * s.buffer)
    words += s.routers * s.out_vcs * at.OUT_VC_FIELDS * 4
    words += s.routers * s.lanes * 8 * s.want_words
    words += s.routers * (4 * s.cells + 8 * s.out_vc_words + 2 * s.turn_row)
    words += s.routers * 2 * places_row(s)
    words += s.pool_rows * s.packet_bytes
    sources = s.terminals + s.units
    words += sources * 8 * (at.TERMINAL_FIELDS + MEMORY_WORDS + 16 + s.queue_limit)
    words += sources * s.injection_ports * 8 * (1 + s.vcs + s.classes * at.INJECTOR_FIELDS)
    return words + most_set_bytes(s) + 4 * 2**20


def allocate(
    net: Network,
    routing: BoundRouting,
    config: SimConfig,
    trace: PacketList | None = None,
    event_rows: int = 0,
    branching: Branching = NO_BRANCHES,
) -> tuple[Shape, State]:
    """Sizes and memory of a run at cycle 0.

    Raises JumpnetError when it would take more than `memory_bytes`.
    """
    longest = int(np.max(trace.flits, initial=0)) if trace is not None else 0
    s = shape_of(net, routing, config, longest, branching)
    require_groups(net, s)
    need = estimate_bytes(s)
    if need > config.memory_bytes:
        found = f"memory_bytes {readable(config.memory_bytes)} found"
        raise JumpnetError(f"{found}, at least {readable(need)} expected for {net.spec}")
    space = Space(need)
    routers, packets = _routers(net, s, config, space), _packets(s, config, trace)
    kept = route_numbers(s, routing)
    state = State(
        **routers,
        **_terminals(net, s, config.seed),
        **packets,
        **_figures_and_scratch(s, event_rows, config.counted_classes),
        **_sets(s, packing_of(s, routers["lane"], routers["out_vc"], packets["length"], kept), kept),
    )
    return s, State(*map(space.settle, state))
