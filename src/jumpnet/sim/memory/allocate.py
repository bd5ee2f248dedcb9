"""The memory of a run at cycle 0: lanes and output VCs joined as the links join them, terminals asleep, tables empty.

`allocate` makes it for a network, a routing and a configuration, and refuses what would not fit before it starts. Used
by `engine`; studies ask for the estimate alone.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from jumpnet.arrays.checks import whole_numbers
from jumpnet.errors import JumpnetError
from jumpnet.jit.bits import pack_words
from jumpnet.jit.random import stream_keys
from jumpnet.memory import readable
from jumpnet.networks import Network
from jumpnet.notices import counted
from jumpnet.routings import BoundRouting
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import INJECTOR_ROW, LANE_ROW, OUT_VC_ROW, PACKET_ROW, SIDE_ROW, TERMINAL_ROW, WIRE_ROW
from jumpnet.sim.memory.packing import packing_of, route_numbers, set_numbers
from jumpnet.sim.memory.places import asked_numbers, kept_places, places_row, require_groups
from jumpnet.sim.memory.shape import ALIKE, NO_BRANCHES, Branching, Shape, latencies, shape_of
from jumpnet.sim.memory.space import Space
from jumpnet.sim.memory.state import ARRAYS, SHAPES, State
from jumpnet.sim.resolve.packet_kinds import kind_tables
from jumpnet.terms import I32, I64, NO_ROUTER, Array
from jumpnet.traffic import PacketList
from jumpnet.traffic.injection_process import NEVER

__all__ = ["allocate", "columns_of", "estimate_bytes", "index_in_router", "lane_numbers", "require_room"]

LAST_CYCLE = 1 << 62
LONGEST = 1 << 31
NOT_HELD = 1 << 60
SMALL = 4 * 2**20
"""Bytes that all that is no array of the run may take."""


def _join_lanes(net: Network, s: Shape, config: SimConfig, state: State) -> None:
    """Write the rows of lanes and output VCs, joined as the links join them, and which of these are free."""
    sinks = (s.outputs - s.link_outputs) * s.vcs
    lane = state.lane.reshape(-1, s.lane_stride)
    lane[:, LANE_ROW.out_vc] = at.IDLE
    branches = lane[: s.routers * s.lanes].reshape(s.routers, -1, s.input_lanes, s.lane_stride)
    rows = branches[:, 0].reshape(s.routers, s.inputs, s.vcs, s.lane_stride)
    rows[:, s.link_inputs :, :, LANE_ROW.credit] = s.sa + s.terminal_link
    out_vc = state.out_vc.reshape(s.routers, s.outputs, s.vcs, at.OUT_VC_FIELDS)
    out_vc[..., OUT_VC_ROW.to] = -1
    out_vc[..., OUT_VC_ROW.owner] = -1
    r, p, far = net.channel_ends
    to, port, latency = far.astype(np.int64), net.far_port[r, p].astype(np.int64), latencies(net, config)
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
    joined = out_vc.reshape(s.routers, s.out_vcs, at.OUT_VC_FIELDS)[..., OUT_VC_ROW.to] >= 0
    state.free[:] = pack_words(joined).ravel()


def _join_wires(net: Network, s: Shape, config: SimConfig, state: State) -> None:
    """Write the rows of links and credit wires, idle."""
    wire = state.wire.reshape(s.routers, s.wires, at.WIRE_FIELDS)
    wire[..., [WIRE_ROW.last, WIRE_ROW.step, WIRE_ROW.before]] = -1
    wire[..., WIRE_ROW.cycles] = s.terminal_link
    r, p, to = net.channel_ends
    wire[r, p, WIRE_ROW.cycles] = latencies(net, config)
    wire[to, s.outputs + net.far_port[r, p], WIRE_ROW.cycles] = latencies(net, config) + s.credit


def _lacking(net: Network, s: Shape) -> I64:
    """How many ports each router lacks before each of its input ports, and in all; then likewise of output ports."""
    there = np.zeros((s.routers, s.inputs), bool), np.zeros((s.routers, s.outputs), bool)
    r, p, to = net.channel_ends
    there[0][to, net.far_port[r, p]] = there[1][r, p] = True
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


def columns_of(trace: PacketList, terminals: int) -> PacketList:
    """The same packets as arrays, int64.

    Raises JumpnetError unless each column has a whole number for each packet, of a terminal where it names one.
    """
    packets, columns = np.size(trace.cycle), []
    ranges = (0, LAST_CYCLE), (0, terminals - 1), (0, terminals - 1), (1, LONGEST)
    for name, values, (low, high) in zip(trace._fields, trace, ranges, strict=True):
        column = whole_numbers(f"{name} of the trace", values, low, high, np.int64)
        if column.shape != (packets,):
            said = f"an array of shape {column.shape} found, {counted(packets, 'number')} expected"
            raise JumpnetError(f"{name} of the trace: {said}")
        columns.append(column)
    return PacketList(*columns)


def _sorted_trace(trace: PacketList | None, s: Shape) -> tuple[I64, I64]:
    """Where the packets of each terminal begin, and all packets in their order; of `columns_of` a trace."""
    if trace is None:
        return np.zeros(0, np.int64), np.zeros((0, 3), np.int64)
    require_room(s, trace.flits)
    order = np.lexsort((trace.cycle, trace.source))
    rows = np.stack([column[order] for column in (trace.cycle, trace.destination, trace.flits)], axis=1)
    return np.searchsorted(trace.source[order], np.arange(s.terminals + 1)), rows


def _write_routers(net: Network, s: Shape, config: SimConfig, state: State) -> None:
    """What routers have at cycle 0."""
    _join_lanes(net, s, config, state)
    due = state.due.reshape(s.routers, s.cells)
    due[:, : s.input_lanes], due[:, s.input_lanes :] = at.NO_FLIT, at.NO_BRANCH  # there are no branches yet
    if s.has_speedup:
        _join_wires(net, s, config, state)
    if state.lacking.size and net.family not in ALIKE:
        state.lacking[:] = _lacking(net, s)
    state.stage[:], state.taken[:], state.places[:] = at.LONG_AGO, NOT_HELD, kept_places(s)
    state.link_ok[:], state.side[:] = net.neighbor != NO_ROUTER, lane_numbers(s)
    state.port_of[:] = state.side[:, SIDE_ROW.port]


def _write_terminals(net: Network, s: Shape, seed: int, state: State) -> None:
    """What terminals have at cycle 0: nothing to send, and nobody asleep yet."""
    state.injector[:, [INJECTOR_ROW.packet, INJECTOR_ROW.vc, INJECTOR_ROW.last_vc]] = -1
    row = TERMINAL_ROW
    state.terminal[:, [row.reply_first, row.reply_last, row.answer_first, row.answer_last]] = -1
    state.terminal[s.sources :, row.next_creation] = NEVER
    state.process_memory[:, 0] = -1
    state.process_key[:] = stream_keys(seed, 2 * np.arange(s.sources))
    state.packet_key[:] = stream_keys(seed, 2 * np.arange(s.sources) + 1)
    state.queue_start[:], state.wheel[:], state.wheel_next[:] = -1, -1, -1
    state.sink_router[:], state.sink_index[:] = net.sink_router, index_in_router(net.sink_router)
    ends, units = len(net.terminal_router), np.arange(s.units)
    state.source_router[:ends], state.source_index[:ends] = net.terminal_router, index_in_router(net.terminal_router)
    state.source_router[ends:], state.source_index[ends:] = units, net.terminals.max(initial=0)


def _write_packets(s: Shape, config: SimConfig, traced: tuple[I64, I64], state: State) -> None:
    """The packet table, and what is known of packets to come."""
    choices = [packet_lengths(c.packet_flits) for c in config.all_classes]
    shares = np.concatenate([np.append(np.cumsum(weights)[:-1], 1.0) for _, weights in choices])
    state.length[:] = np.concatenate([lengths for lengths, _ in choices])
    state.length_up_to[:] = [min(int(x * 2.0**63), 2**63 - 1) for x in shares]
    state.length_first[:] = np.cumsum([0, *(lengths.size for lengths, _ in choices)])
    state.packet[:, PACKET_ROW.following] = np.arange(1, s.pool_rows + 1) * at.PACKET_FIELDS
    state.packet[-1, PACKET_ROW.following] = -1
    tables = kind_tables(config, s.class_vcs)
    state.kind_vc[:], state.kind_row[:], state.kind_rank[:] = tables.first_vc, tables.counted_in, tables.rank
    state.kind_reply[:], state.kind_subnet[:] = tables.reply_flits, tables.subnet
    state.trace_first[:], state.trace[:] = traced
    state.window[1] = 1 << 40


def _sizes_of(net: Network, routing: BoundRouting, config: SimConfig, s: Shape, packets: int, event_rows: int) -> Any:
    """Sizes that shapes of arrays follow from, by name (`state.SHAPES`); packets: those of a trace, -1 without one."""
    lengths = np.concatenate([packet_lengths(c.packet_flits)[0] for c in config.all_classes])
    kept, farthest = route_numbers(s, routing), int(latencies(net, config).max(initial=0))
    packing = packing_of(s, farthest, int(lengths.max()), kept)
    packs = int(packing.ring > 0)
    return SimpleNamespace(
        **s._asdict(),
        **{name: getattr(s, name) for name, of in vars(Shape).items() if isinstance(of, property)},
        **packing._asdict(),
        packs=packs,
        kept=packs * kept,
        by_stations=packing.single * int(packs * kept > 0),
        set_numbers=set_numbers(s, packing),
        asked_numbers=asked_numbers(s),
        places_row=places_row(s),
        counts_ports=int(max(s.allocator, s.vc_allocator) >= at.PIM),
        ends=len(net.terminal_router),
        sinks=len(net.sink_router),
        all_lengths=lengths.size,
        traffics=len(config.all_classes),
        counted=config.counted_classes,
        traced=int(packets >= 0),
        trace_rows=max(packets, 0),
        event_rows=event_rows,
    )


def _bytes(sizes: Any) -> int:
    """What the arrays of a run take."""
    shapes = {name: np.prod(shape(sizes), dtype=np.int64) for name, shape in SHAPES.items()}
    return sum(int(size) * _type(name, sizes)().itemsize for name, size in shapes.items()) + SMALL


def _type(name: str, sizes: Any) -> Any:
    return ARRAYS[name] or (np.int64 if sizes.wide else np.int32)


def estimate_bytes(net: Network, routing: BoundRouting, config: SimConfig) -> int:
    """Memory that a run would take in bytes, told before anything is allocated."""
    return _bytes(_sizes_of(net, routing, config, shape_of(net, routing, config), -1, 0))


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
    if s.all_lanes >= (most := 2**31 // s.lane_stride):
        raise JumpnetError(f"{s.all_lanes} input buffers of {s.buffer} flits found, fewer than {most} expected")
    if (least := latencies(net, config).min(initial=1)) < 1:
        raise JumpnetError(f"a link of latency {int(least)} found in {net.spec}, at least 1 cycle expected")
    sizes = _sizes_of(net, routing, config, s, -1 if trace is None else len(trace.cycle), event_rows)
    need = _bytes(sizes)
    if need > config.memory_bytes:
        found = f"memory_bytes {readable(config.memory_bytes)} found"
        raise JumpnetError(f"{found}, at least {readable(need)} expected for {net.spec}")
    space = Space(need)
    state = State(*(space.zeros(shape(sizes), _type(name, sizes)) for name, shape in SHAPES.items()))
    _write_routers(net, s, config, state)
    _write_terminals(net, s, config.seed, state)
    _write_packets(s, config, _sorted_trace(trace, s), state)
    return s, state
