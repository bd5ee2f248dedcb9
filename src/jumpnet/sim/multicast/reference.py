"""Routers that branch, slow and obvious: the multicast simulator as objects, in plain Python.

The pipeline is that of `reference_router`; but a packet may leave a lane by several outlets at once. Each branch gets
its outlet and its flits as soon as it can, whatever the others do; a flit leaves the buffer when the last branch has
taken it (nishi1997router section 4.2.1). Of the lanes of an input port one flit moves in a cycle, through every outlet
that is granted (fan-out splitting, as the chip's buffers have one read port). Twin of `engine`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field

from jumpnet.multicast.plan import RECEIVES
from jumpnet.network import Network
from jumpnet.sim import _layout as at
from jumpnet.sim.config import SimConfig
from jumpnet.sim.multicast.messages import COMBINED, DIRECT, Acknowledge, Forest, Messages, check_settings
from jumpnet.sim.reference import Port, Simulation
from jumpnet.sim.reference_router import Flit, Lane, Packet, Router

__all__ = ["DATA", "FINAL", "LOCAL_ACK", "ONE_ACK", "UP_ACK", "MulticastSimulation"]

DATA = 0
UP_ACK = 1
"""Acknowledge from a place to its parent: one link."""
LOCAL_ACK = 2
"""From a terminal to the combining unit of its own router."""
FINAL = 3
"""From the combining unit of the source's router to the source."""
ONE_ACK = 4
"""Acknowledge of one receiver, all the way to the source by a plan of its own."""


@dataclass(eq=False)
class Copy(Packet):
    """One copy of a message, or an acknowledge; `source` is the message, `number` the place it is at or comes from."""

    @property
    def place(self) -> int:
        """The place."""
        return self.number


@dataclass(eq=False)
class Way:
    """One branch of the packet at the front of a lane."""

    wanted: list[int]
    """Outlets, any of which will do."""
    copy: Copy
    when: int
    outlet: int = -1
    taken: int = 0
    """Flits sent."""


@dataclass(eq=False)
class ForkLane(Lane):
    """A lane whose front packet may branch."""

    ways: list[Way] = field(default_factory=list)
    freed: int = 0
    """Flits of that packet that have left the buffer."""


class ForkRouter(Router):
    """A router whose packets branch."""

    sim: MulticastSimulation

    def __init__(self, sim: MulticastSimulation, number: int) -> None:
        super().__init__(sim, number)
        self.lanes: list[ForkLane] = [ForkLane(lane.feeder) for lane in self.lanes]  # type: ignore[assignment]
        self.entries_used = 0

    def step(self, t: int) -> None:
        """Route, allocate virtual channels, allocate the switch, traverse."""
        if not any(lane.flits or lane.ways for lane in self.lanes):
            return
        bids = []
        for b, lane in enumerate(self.lanes):
            ready = [w for w in lane.ways if w.outlet >= 0 and w.when <= t and w.taken < w.copy.length]
            bids += [(b, w.outlet, 0) for w in ready if self._can_send(lane, w)]
            if lane.state == "idle" and lane.when <= t and lane.flits:
                self.route(b, lane, t)
        bids += self.allocate_vcs(t)
        for b, o in self.allocate_switch(sorted(bids)):
            self.traverse(b, o, t)

    def _can_send(self, lane: ForkLane, way: Way) -> bool:
        return way.taken - lane.freed < len(lane.flits) and self.outlets[way.outlet].credits > 0

    def route(self, b: int, lane: ForkLane, t: int) -> None:  # type: ignore[override]
        """List the branches of the packet at the front."""
        sim, f = self.sim, self.sim.forest
        copy = lane.flits[0].packet
        assert isinstance(copy, Copy)
        m, k = copy.source, copy.place
        when = t + self.c.routing_delay_cycles
        lane.state, lane.freed, lane.ways = "busy", 0, []
        if copy.kind in (DATA, ONE_ACK):
            for child in range(f.first[k], f.first[k] + f.branches[k]):
                after = Copy(m, child, copy.kind, 0, copy.length, copy.created)
                lane.ways.append(Way([int(f.port[child]) * sim.vcs + int(f.vc[child])], after, when))
            if f.local[k]:
                lane.ways.append(Way(sim.processor_outlets, copy, when))
            if copy.kind == DATA and f.branches[k] and sim.messages.ack[m] == COMBINED:
                self._register(m, k)
        elif copy.kind == UP_ACK and self.number == f.router[k]:
            lane.ways.append(Way([int(f.back[k]) * sim.vcs + sim.vcs - 1], copy, when))
        elif copy.kind == FINAL or (m, sim.counted_at(copy)) not in sim.in_unit:
            lane.ways.append(Way(sim.processor_outlets, copy, when))
        else:
            lane.ways.append(Way(sim.unit_outlets, copy, when))

    def _register(self, m: int, k: int) -> None:
        """Count the acknowledges of a place in the combining unit if it has an entry, else in the processor."""
        f = self.sim.forest
        self.sim.left[m, k] = int(f.branches[k] + (f.local[k] > 0))
        if self.entries_used < self.sim.ack.combining_entries:
            self.entries_used += 1
            self.sim.in_unit.add((m, k))
        else:
            self.sim.fallbacks += 1

    def allocate_vcs(self, t: int) -> list[tuple[int, int, int]]:
        """Give free outlets to waiting branches; returns the bids for the switch that are made in the same cycle."""
        asked: dict[int, list[tuple[int, int]]] = {}
        for b, lane in enumerate(self.lanes):
            for i, way in enumerate(lane.ways):
                able = [o for o in way.wanted if self._takes(o, way.copy)]
                if way.outlet < 0 and way.when <= t and able:
                    o = min(able, key=lambda o: (o - self.lanes[b].turn) % len(self.outlets))
                    asked.setdefault(o, []).append((b, i))
        won = [
            (*min(rivals, key=lambda one: (one[0] - self.outlets[o].turn) % len(self.lanes)), o)
            for o, rivals in asked.items()
        ]
        bids = []
        for b, i, o in sorted(won):
            lane, outlet, way = self.lanes[b], self.outlets[o], self.lanes[b].ways[i]
            outlet.holder, outlet.turn = way.copy, (b + 1) % len(self.lanes)
            lane.turn = (o + 1) % len(self.outlets)
            way.outlet, way.when = o, t + self.c.vc_allocation_delay_cycles
            self.sim.record(t, at.EVENT_VC, Flit(way.copy, 0), self.number, o)
            if way.when == t and self._can_send(lane, way):
                bids.append((b, o, 0))
        return bids

    def _index(self, bid: tuple[int, int, int]) -> int:
        """The flit that a bid would send."""
        return next(way.taken for way in self.lanes[bid[0]].ways if way.outlet == bid[1])

    def allocate_switch(self, bids: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
        """One flit an input port, to all outlets that want it; then one input an output port."""
        v = self.sim.vcs
        by_input, by_output = defaultdict(list), defaultdict(list)
        for bid in bids:
            by_input[bid[0] // v].append(bid)
        for group in by_input.values():
            best = min(group, key=self._input_rank)
            for bid in group:
                if bid[0] == best[0] and self._index(bid) == self._index(best):
                    by_output[bid[1] // v].append(bid)
        granted = sorted(min(group, key=self._output_rank)[:2] for group in by_output.values())
        for b, o in granted:
            self.turn_output[b // v] = (o // v + 1) % self.sim.outputs
            self.turn_vc[b // v] = (b % v + 1) % v
            self.turn_input[o // v] = (b // v + 1) % self.sim.inputs
        return granted

    def traverse(self, b: int, o: int, t: int) -> None:
        """Send one branch's next flit; free the front of the buffer when every branch has taken it."""
        lane, outlet, sim = self.lanes[b], self.outlets[o], self.sim
        way = next(way for way in lane.ways if way.outlet == o)
        flit = Flit(way.copy, way.taken)
        way.taken += 1
        outlet.credits -= 1
        sim.grants += 1
        flit.sent = sim.grants
        outlet.link.send(t + outlet.delay, flit)
        sim.record(t, at.EVENT_SWITCH, flit, self.number, o)
        sim.link_flits += o // sim.vcs < sim.net.ports
        if min(w.taken for w in lane.ways) > lane.freed:
            lane.freed += 1
            lane.flits.popleft()
            lane.feeder.credit_wire.send(t + lane.credit_delay, None)
        if flit.is_tail:
            outlet.holder, way.outlet = None, -1
            way.when = 1 << 60
        if all(w.taken == w.copy.length for w in lane.ways):
            lane.ways, lane.state, lane.when = [], "idle", t + self.c.switch_allocation_delay_cycles


class Processor:
    """A node's processor: sends messages and acknowledges, and receives."""

    def __init__(
        self, sim: MulticastSimulation, router: ForkRouter, first: int, outlets: list[int], ports: int
    ) -> None:
        self.sim, self.c, self.router = sim, sim.c, router
        self.acks: deque[Copy] = deque()
        self.messages: deque[Copy] = deque()
        self.ports = [Port(self, router, first + j * sim.vcs) for j in range(ports)]  # type: ignore[arg-type]
        self.outlets = [router.outlets[o] for o in outlets]
        for outlet in self.outlets:
            outlet.exists = True
            outlet.delay = self.c.switch_allocation_delay_cycles + self.c.st_delay_cycles + self.c.terminal_link_cycles
        self.numbers = outlets

    def take(self, kind: int, t: int) -> Copy | None:
        """The next acknowledge, else the next message, when it is there."""
        for queue in (self.acks, self.messages):
            if queue and queue[0].created <= t:
                return queue.popleft()
        return None

    def send(self, t: int) -> None:
        """One flit by each port at most."""
        for port in self.ports:
            port.send(t)

    def receive(self, t: int) -> None:
        """Take the flits that arrive; their credits start back at once."""
        arrivals = [
            (flit, outlet, o)
            for o, outlet in zip(self.numbers, self.outlets, strict=True)
            for flit in outlet.link.arrived(t)
        ]
        for flit, outlet, o in sorted(arrivals, key=lambda one: one[0].sent):
            outlet.credit_wire.send(t + 1 + self.c.terminal_link_cycles + self.c.credit_delay_cycles, None)
            self.sim.record(t, at.EVENT_ARRIVE, flit, self.router.number, o)
            if flit.is_tail:
                assert isinstance(flit.packet, Copy)
                self.arrived(flit.packet, t)

    def arrived(self, copy: Copy, t: int) -> None:
        """A whole packet has come."""
        sim, m, k = self.sim, copy.source, copy.place
        if copy.kind == DATA:
            if sim.forest.local[k] == RECEIVES:
                sim.received[m].append(self.router.number)
                sim.last_arrival[m] = t
            if sim.messages.ack[m] == DIRECT and sim.forest.reply[k] < 0:
                self._one_less(m, t + sim.ack.delay_cycles)  # the source itself
            elif sim.messages.ack[m] == DIRECT:
                self.answer(Copy(m, int(sim.forest.reply[k]), ONE_ACK, 0, sim.ack.flits, t + sim.ack.delay_cycles))
            elif sim.messages.ack[m] == COMBINED:
                self._acknowledge(m, k, t)
        elif copy.kind == ONE_ACK:
            self._one_less(m, t)
        elif copy.kind == FINAL:
            sim.acknowledged[m] = t
        else:
            self._count(m, sim.counted_at(copy), t)

    def answer(self, copy: Copy) -> None:
        """Send an acknowledge as soon as possible."""
        self.acks.append(copy)

    def _one_less(self, m: int, t: int) -> None:
        """One more receiver has acknowledged directly; the last one to be counted has come at t."""
        self.sim.to_come[m] -= 1
        if self.sim.to_come[m] == 0:
            self.sim.acknowledged[m] = t

    def _acknowledge(self, m: int, k: int, t: int) -> None:
        """This terminal has received at place k."""
        sim, ready = self.sim, t + self.sim.ack.delay_cycles
        if (m, k) not in sim.left:
            self._up(m, k, ready)
        elif (m, k) in sim.in_unit:
            self.answer(Copy(m, k, LOCAL_ACK, 0, sim.ack.flits, ready))
        else:
            self._count(m, k, t)

    def _count(self, m: int, k: int, t: int) -> None:
        self.sim.left[m, k] -= 1
        if self.sim.left[m, k] == 0:
            self._up(m, k, t + self.sim.ack.delay_cycles)

    def _up(self, m: int, k: int, ready: int) -> None:
        """Everything below place k has received."""
        if self.sim.forest.parent[k] < 0:
            self.sim.acknowledged[m] = ready
        else:
            self.answer(Copy(m, k, UP_ACK, 0, self.sim.ack.flits, ready))


class Unit(Processor):
    """The combining unit of a router: counts acknowledges and sends one for all."""

    def arrived(self, copy: Copy, t: int) -> None:
        """An acknowledge has come."""
        sim, m, k = self.sim, copy.source, self.sim.counted_at(copy)
        sim.left[m, k] -= 1
        if sim.left[m, k] == 0:
            self.answer(Copy(m, k, UP_ACK if sim.forest.parent[k] >= 0 else FINAL, 0, sim.ack.flits, t))

    def take(self, kind: int, t: int) -> Copy | None:
        """The next combined acknowledge; its entry is free again."""
        copy = super().take(kind, t)
        if copy is not None:
            self.router.entries_used -= 1
        return copy


class MulticastSimulation(Simulation):
    """A network of branching routers under simulation; `run(cycles)` records `events`.

    Rows are as in `_layout`, but say message and place for source and number.
    """

    def __init__(
        self, net: Network, vcs: int, forest: Forest, messages: Messages, config: SimConfig, ack: Acknowledge
    ) -> None:
        check_settings(net, config, ack)
        self.forest, self.messages, self.ack = forest, messages, ack
        self.measure(net, config, vcs)
        first_unit, last = self.inputs * vcs, self.outputs * vcs
        self.processor_outlets = list(range(net.ports * vcs, last))
        self.unit_outlets = list(range(last, last + vcs))
        self.inputs, self.outputs = self.inputs + 1, self.outputs + 1
        self.left: dict[tuple[int, int], int] = {}
        """Acknowledges still to come at each (message, place) that has branched."""
        self.in_unit: set[tuple[int, int]] = set()
        """Those counted by a combining unit."""
        self.fallbacks = self.link_flits = 0
        self.received: dict[int, list[int]] = defaultdict(list)
        self.last_arrival: dict[int, int] = {}
        self.acknowledged: dict[int, int] = {}
        routers = [ForkRouter(self, r) for r in range(net.routers)]
        self.routers = [*routers]
        self.connect()
        processors = [
            Processor(self, r, self.link_inputs * vcs, self.processor_outlets, config.injection_ports) for r in routers
        ]
        units = [Unit(self, r, first_unit, self.unit_outlets, 1) for r in routers]
        self.terminals = [*processors, *units]  # type: ignore[list-item]
        self.to_come: dict[int, int] = {}
        for m, (cycle, plan, flits) in enumerate(zip(messages.cycle, messages.plan, messages.flits, strict=True)):
            start = int(forest.start[plan])
            end = int(forest.start[plan + 1]) if plan + 1 < len(forest.start) else len(forest.router)
            self.to_come[m] = int((forest.local[start:end] > 0).sum())
            processors[forest.router[start]].messages.append(Copy(m, start, DATA, 0, int(flits), int(cycle)))

    def counted_at(self, copy: Copy) -> int:
        """The place whose acknowledges a packet counts for."""
        return int(self.forest.parent[copy.place]) if copy.kind == UP_ACK else copy.place
