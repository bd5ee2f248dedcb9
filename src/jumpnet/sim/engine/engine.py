"""One simulation in progress: binds network, routing and traffic to the kernel, and advances it cycle by cycle.

`Engine` owns the memory, grows the packet table and the event record when they run out, and turns the kernel's error
numbers into one-line errors. It measures nothing (`measure` does).
"""

from __future__ import annotations

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, Routing
from jumpnet.routings.view import MAX_CANDIDATES
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.config.traffic_class import Traffic
from jumpnet.sim.engine.cycle import flits_in_sets, run, unpack_sets
from jumpnet.sim.engine.team import Team, threads_for
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.allocate import allocate, columns_of
from jumpnet.sim.memory.calls import Calls, Program
from jumpnet.sim.memory.fields import COUNTER, OUT_VC_ROW, PACKET_ROW, PacketRow
from jumpnet.sim.memory.record import Memory
from jumpnet.sim.memory.shape import NO_BRANCHES, Branching, Shape, few_channels
from jumpnet.sim.memory.space import on_lines
from jumpnet.sim.memory.state import State
from jumpnet.sim.resolve.bubble import require_bubbles
from jumpnet.sim.resolve.by_routing import bound_with, settled
from jumpnet.sim.resolve.subnets import side_by_side
from jumpnet.sim.terminals.injection import sleep_all
from jumpnet.terms import I32, I64
from jumpnet.traffic import BoundPattern, PacketList, Process
from jumpnet.traffic import bind as bind_traffic
from jumpnet.traffic import process as find_process
from jumpnet.traffic.injection_process import MEMORY_WORDS

__all__ = ["Engine", "process_of"]

FIRST_EVENT_ROWS = 1 << 14
LOADED: set[tuple[type, bool]] = set()
"""Kinds of kernels that this process has loaded."""


BUSY = (0.11, 0.045)
"""Flits and packets in the network for each lane from which on it pays to keep routers as sets of 32 bits, of 64 bits
(whose routers have more idle lanes)."""
BUSY_TOGETHER = 0.1
"""The same where heads get output VCs together (`sets.vc_allocation`)."""
BUSY_WITHOUT_LISTS = 0.03
"""The same where outputs choose first in an allocation: rows go the slower way then, without lists of lanes."""
LONGEST_CALL = 1000
"""Cycles after which that is decided again; sooner at the beginning, while the network fills, by `FIRST_CALL`."""
FIRST_CALL = 32


def process_of(config: Traffic, load: float | None = None) -> tuple[Process, I64]:
    """The injection process of a class of traffic, and the integers that it reads at a load, that of the class if None.

    Raises JumpnetError.
    """
    found, options = find_process(config.injection)
    load = config.load if load is None else load
    rate = load / config.mean_packet_flits
    if rate > 1.0:
        raise JumpnetError(f"load {load} with packets of {config.mean_packet_flits:g} flits found: too many")
    return found, found.own(rate, options)


def _calls_of(
    config: SimConfig, patterns: list[BoundPattern], processes: list[tuple[Process, I64]]
) -> tuple[Calls, ...]:
    """What each class of traffic calls, and the first one again for each further load that it has."""
    classes = [
        Calls(pattern.pointer, pattern.own, process.pointer, own, pattern.draws)
        for pattern, (process, own) in zip(patterns, processes, strict=True)
    ]
    cycles = [cycle for cycle, _ in config.first_loads]
    steps = [
        classes[0]._replace(process_own=process_of(config, load)[1], until=until)
        for (_, load), until in zip(config.first_loads, [*cycles[1:], at.NO_STEP], strict=True)
    ]
    return (classes[0]._replace(until=steps[0].until), *classes[1:], *steps[1:])


@public
class Engine:
    """A network with its routing and traffic under simulation; `cycle` is the next cycle to come.

    `routing` None is the network's default; `threads` share the routers, None leaves their number to
    `team.threads_for`.
    """

    end_cycle = at.FLIT // 2
    """It is not simulated up to this cycle."""

    def __init__(
        self,
        net: Network,
        routing: str | Routing | BoundRouting | None,
        config: SimConfig,
        trace: PacketList | None = None,
        threads: int | None = None,
        *,
        sets: bool | None = None,
        branching: Branching = NO_BRANCHES,
    ) -> None:
        """sets: keep routers as sets where that is possible (`packing`); None does so while there are many flits.

        branching: what packets that branch need; `multicast.engine` says it.
        """
        self.network, self.sets = side_by_side(net, config.subnets), sets
        self.routing = bound_with(routing, net, config.vcs, config.least_vcs)
        self._check()
        trace = None if trace is None else columns_of(trace, net.endpoints)
        config = self.config = settled(config, self.routing)
        require_bubbles(self.routing.routing, config, trace, branching.most > 0)
        self.patterns = [bind_traffic(c.traffic, net) for c in config.all_classes]
        processes = [process_of(c) for c in config.all_classes]
        events = FIRST_EVENT_ROWS if config.events else 0
        shape, state = allocate(self.network, self.routing, config, trace, events, branching)
        calls = _calls_of(config, self.patterns, processes)
        program = Program(self.routing.pointer, self.routing.start_pointer, self.routing.view, calls)
        self._processes = [process for process, _ in processes]
        self._own_processes = any(process.own_code for process in self._processes)
        self._memory = Memory(shape, state, program, multicast=branching.state(shape) if branching.state else None)
        self._in_sets = False
        """Whether sets hold what the routers do, and their rows are behind."""
        threads = threads_for(shape, state, threads)
        self.team = Team(self._memory, threads) if threads > 1 else None
        self._set_room()
        self.cycle = 0
        self._events: list[I32] = []
        self._begin()

    @property
    def parts(self) -> tuple[object, ...]:
        """What runs here beside the kernels: the routing, and the patterns and processes of all classes of traffic."""
        return self.routing.routing, *(each.pattern for each in self.patterns), *self._processes

    @property
    def shape(self) -> Shape:
        """Sizes and settings as the kernel has them."""
        return self._memory.shape

    @property
    def memory(self) -> Memory:
        """What kernels work on, with the routers as rows: sets are written back, and made again when it goes on.

        Raises JumpnetError where the rows show that the run has failed.
        """
        if self._in_sets:
            self._in_sets = False
            unpack_sets(self._memory.rows_address, self.cycle)
            self._raise_failure()  # rows know the routes of heads that sets will look at later
        return self._memory

    @property
    def state(self) -> State:
        """The kernel's arrays, with the routers as rows (`memory`); to be asked for again after `advance`."""
        return self.memory.state

    @property
    def counter(self) -> I64:
        """(COUNTER,) counts of the run, which do not lie in the rows of routers."""
        return self._memory.state.counter

    @property
    def batches(self) -> I64:
        """(batches, BATCH_ROW) sums of each batch of cycles, which do not either."""
        return self._memory.state.batches

    @property
    def lanes(self) -> I32:
        """(lanes, lane_stride) rows of all lanes, a view."""
        return self.state.lane.reshape(-1, self.shape.lane_stride)

    @property
    def slots(self) -> I32:
        """(lanes, buffer) their slots, a view."""
        return self.lanes[:, at.LANE_FIELDS : at.LANE_FIELDS + self.shape.buffer]

    @property
    def out_vcs(self) -> I32:
        """(R * out_vcs, OUT_VC_FIELDS) rows of all output VCs, a view."""
        return self.state.out_vc.reshape(-1, at.OUT_VC_FIELDS)

    @property
    def flits(self) -> I64:
        """(lanes,) flits in each lane, those on their way to it included."""
        if self._in_sets:
            found = np.zeros(len(self._memory.state.lane) // self.shape.lane_stride, np.int64)
            flits_in_sets(self._memory.rows_address, self.cycle, found)
            return found
        eights = (self.lanes >= at.FLIT).view(np.uint64)[:, at.LANE_FIELDS // 8 :]
        return np.bitwise_count(eights).sum(axis=1, dtype=np.int64)  # a count of bits is ten times as fast as a sum

    @property
    def fed_lanes(self) -> I64:
        """(R, P, vcs) lane at the far end of each output VC of a link; -1 where there is none."""
        s = self.shape
        rows = self._memory.state.out_vc.reshape(s.routers, s.outputs, s.vcs, at.OUT_VC_FIELDS)
        return rows[:, : s.link_outputs, :, OUT_VC_ROW.to] // s.lane_stride

    @property
    def feeders(self) -> I64:
        """(lanes,) output VC that feeds each lane, by number among all; -1 for those that sources feed."""
        to = self.out_vcs[:, OUT_VC_ROW.to]
        joined = np.flatnonzero(to >= 0)
        found = np.full(len(self.lanes), -1)
        found[to[joined] // self.shape.lane_stride] = joined
        return found

    def packet(self, p: int) -> PacketRow:
        """The packet whose row starts at p, as plain numbers."""
        row = self.state.packet[p // at.PACKET_FIELDS, : len(PACKET_ROW)]
        return PacketRow(*row.tolist())

    @property
    def flits_inside(self) -> int:
        """Flits in the network."""
        counter = self.counter
        return int(counter[COUNTER.entered] - counter[COUNTER.ejected])

    @property
    def still(self) -> bool:
        """Whether nothing has moved for `deadlock_cycles` with flits in the network."""
        unmoved = self.cycle - int(self.counter[COUNTER.moved])
        return unmoved > self.config.deadlock_cycles and self.flits_inside > 0

    def _check(self) -> None:
        net, bound = self.network, self.routing
        if net.endpoints < 1:
            raise JumpnetError(f"{net.spec} has {net.endpoints} terminals, at least 1 expected")
        if (sinks := int(net.sinks.sum())) != net.endpoints:
            raise JumpnetError(
                f"{net.spec}: {net.endpoints} terminals that send, {sinks} that receive found, as many expected"
            )
        if bound.vcs < bound.needed:
            raise JumpnetError(f"vcs {bound.vcs} found, at least {bound.needed} expected by routing {bound.name}")

    def _begin(self) -> None:
        """Put the sources to sleep, after loading kernels that are new to this process, compiled first if need be."""
        as_sets = {self.memory.packs and self.sets is not False, False}
        kinds = {(self.memory.kind(packed), packed) for packed in as_sets}
        for _, packed in kinds - LOADED:
            run(self.memory, 0, 0, 0, 0, packed)
            if packed:
                flits_in_sets(self.memory.rows_address, 0, np.zeros(len(self.lanes), np.int64))
        self.memory.pack(False)
        sleep_all(self.memory.general_address)
        LOADED.update(kinds)

    def advance(self, cycles: int) -> float:
        """Simulate so many cycles, or to the end (`over`); returns the CPU seconds of its threads.

        Raises JumpnetError when the run fails.
        """
        last = self.cycle + cycles
        if last >= self.end_cycle:
            raise JumpnetError(f"cycle {last} found, below {self.end_cycle} expected")
        spent = 0.0
        while self.cycle < last and not self.over:
            batches = last // self.config.batch_cycles + 2
            if batches > len(self.batches):
                self.memory.grow("batches", batches + batches // 2)
            before = self.cycle
            self.cycle, seconds = self._run(last)
            spent += seconds
            if self.counter[COUNTER.error] or self._own_processes:
                self.raise_errors()
            if self.cycle == before:
                self.make_room()
        return spent

    @property
    def over(self) -> bool:
        """Whether there is nothing left to do: never, as sources go on."""
        return False

    def _set_room(self) -> None:
        """Set what one epoch may need of the packet table, with a row that stays free, and of the event record."""
        shape = self.shape
        self.room_packets = shape.lookahead * shape.packets_a_cycle + 1
        events = shape.routers * (2 * shape.outputs + shape.lanes)
        self.room_events = shape.lookahead * events + self.room_packets

    def _run(self, last: int) -> tuple[int, float]:
        packed = self._as_sets()
        may_change = self._packs and self.sets is None and not packed
        cycles = min(LONGEST_CALL, FIRST_CALL + self.cycle // 4) if may_change else LONGEST_CALL
        last = min(last, self.cycle + cycles)
        if self.team is not None:
            return self.team.run(self.cycle, last, self.room_packets, packed)
        from_rows = not (packed and self._in_sets)
        memory = self.memory if from_rows else self._memory
        self._in_sets = packed
        return run(memory, self.cycle, last, self.room_packets, self.room_events, packed, from_rows, False)

    @property
    def _packs(self) -> bool:
        """Whether routers can be kept as sets."""
        return self._memory.packs if self.team is None else self.team.packs

    def _as_sets(self) -> bool:
        """Whether the routers are kept as sets in the next cycles; the results are the same."""
        if not self._packs or self.sets is not None:
            return self._packs and bool(self.sets)
        at_work = self.flits_inside + int(self.counter[COUNTER.packets])
        packing = self._memory.packing
        busy = BUSY_TOGETHER if packing.together and self.team is None else BUSY[packing.wide]
        busy = busy if self._memory.by_lists else BUSY_WITHOUT_LISTS
        return at_work >= busy * self.shape.routers * self.shape.lanes

    def make_room(self, packets: int = 0) -> None:
        """More rows for packets, or for events, where one more epoch might find none after so many packets more.

        Raises JumpnetError.
        """
        state, counter = self.state, self.state.counter
        rows = len(state.packet)
        threads = self.team.threads if self.team is not None else 1
        if rows - (1 + self.shape.most_branches) * counter[COUNTER.packets] - packets < threads * self.room_packets:
            if rows * 3 * self.shape.packet_bytes > self.config.memory_bytes:
                raise JumpnetError(f"{rows} packets wait in {self.network.spec}: more than memory_bytes allows")
            self.memory.grow("packet", 2 * rows)
            self.memory.grow("flit", 2 * rows)
            more = self.state.packet[rows:]
            more[:, PACKET_ROW.following] = np.arange(rows + 1, 2 * rows + 1) * at.PACKET_FIELDS
            more[-1, PACKET_ROW.following] = counter[COUNTER.free]
            counter[COUNTER.free] = rows * at.PACKET_FIELDS
        elif len(state.event):
            self._events.append(state.event[: counter[COUNTER.events]].copy())
            counter[COUNTER.events] = 0
            self.memory.grow("event", 4 * self.room_events)

    def events(self) -> I32:
        """(n, 8) events so far: cycle, kind, source, number, class, flit, router, place; ordered by cycle."""
        rows = np.concatenate([*self._events, self.state.event[: self.state.counter[COUNTER.events]]])
        return rows[np.lexsort(rows.T[::-1])]

    def earlier_events(self) -> I32:
        """(n, 8) events that have left the kernel's record, unsorted."""
        return np.concatenate([np.zeros((0, at.EVENT_FIELDS), np.int32), *self._events])

    def go_on(self, cycle: int, state: State, earlier: I32) -> None:
        """Take over the state of an engine of the same network and settings; see `checkpoint`."""
        self.cycle, self._events, self._in_sets = cycle, [earlier], False
        self.use(self.shape, state)

    def use(self, shape: Shape, state: State) -> None:
        """Go on with these sizes and arrays."""
        self.memory.shape = shape
        self.memory.replace_arrays(State(*map(on_lines, state)))
        self._set_room()

    def raise_errors(self) -> None:
        """Raise JumpnetError where the kernels have said that a run has failed, or a user's own process has."""
        by_class = self._memory.state.process_memory.reshape(-1, self.shape.terminals, MEMORY_WORDS)
        for process, rows in zip(self._processes, by_class, strict=True):
            process.refuse_faults(rows)
        self._raise_failure()

    def _raise_failure(self) -> None:
        """Raise JumpnetError where the kernels have said that a run has failed."""
        counter = self.counter
        why = int(counter[COUNTER.error])
        if why == 0:
            return
        router = int(counter[COUNTER.error_router])
        packet = self.packet(int(counter[COUNTER.error_packet]))
        goes = f"a packet from {packet.source} to {packet.destination}"
        there = f"at router {router} of {self.network.spec} for {goes}"
        if why in (at.ERROR_NO_ROUTE, at.ERROR_BAD_CANDIDATE):
            self.routing.explain(packet.source, packet.destination)
        name = self.routing.name
        said = {
            at.ERROR_NO_ROUTE: f"routing {name} has no route, or over {MAX_CANDIDATES} candidates, {there}",
            at.ERROR_BAD_CANDIDATE: f"routing {name} gives a port or vc that is not there {there}",
            at.ERROR_FEW_CHANNELS: few_channels(self.shape.outputs, f", of the route {there}"),
            at.ERROR_OUTPUTS: f"channels_by_next_output with candidates of {name} that differ by more than their "
            f"virtual channels found {there}; one output, one next state, no marks and a range of channels expected",
            at.ERROR_HOPS: f"livelock: {goes} has passed {self.shape.max_hops} routers under {name}",
            at.ERROR_DESTINATION: f"traffic {self.config.traffic} gives a destination that is not there for terminal "
            f"{router}",
        }
        raise JumpnetError(said[why])
