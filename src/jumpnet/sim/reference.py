"""The same simulator, slow and obvious: routers, lanes, channels and terminals as objects, in plain Python.

Buffers are queues of flit objects, credits are counters, links and credit loops are queues of things due. Written from
the definitions in `config`, not from the kernel; the twin tests require both to record the same events, cycle by cycle.
Use it to read how a router works, or to check a change; it is some thousand times slower.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jumpnet._random import below, draw63, stream_key
from jumpnet.network import Network
from jumpnet.routing import BoundRouting
from jumpnet.routing._view import ESCAPE, IN_PORT, IN_VC, STATE, new_head, new_out
from jumpnet.sim import _layout as at
from jumpnet.sim.config import SimConfig, packet_lengths
from jumpnet.terms import NO_ROUTER
from jumpnet.traffic import bind as bind_traffic
from jumpnet.traffic import process as find_process
from jumpnet.traffic._process import LAST, MEMORY_WORDS

__all__ = ["Simulation"]


@dataclass(eq=False)
class Packet:
    """A packet on its way."""

    source: int
    number: int
    kind: int
    destination: int
    length: int
    created: int
    head: Any = None
    hops: int = 0


@dataclass(eq=False)
class Flit:
    """One flit of a packet."""

    packet: Packet
    index: int
    sent: int = 0
    """Position among all switch grants so far: the order in which flits of one cycle reach a terminal."""

    @property
    def is_tail(self) -> bool:
        """Whether it is the last one."""
        return self.index == self.packet.length - 1


class Delay:
    """Things that arrive later: a link or a credit wire."""

    def __init__(self) -> None:
        self.due: deque[tuple[int, Any]] = deque()

    def send(self, cycle: int, thing: Any) -> None:
        """It arrives in that cycle."""
        self.due.append((cycle, thing))

    def arrived(self, t: int) -> Iterator[Any]:
        """What has arrived by cycle t."""
        while self.due and self.due[0][0] <= t:
            yield self.due.popleft()[1]


@dataclass(eq=False)
class Outlet:
    """An output virtual channel: credits for the lane behind it, and the packet that holds it."""

    credits: int
    delay: int = 0
    link: Delay = field(default_factory=Delay)
    credit_wire: Delay = field(default_factory=Delay)
    lane: Lane | None = None
    holder: Packet | None = None
    turn: int = 0
    exists: bool = False


@dataclass(eq=False)
class Lane:
    """An input virtual channel: a queue of flits, and what the packet at its front is doing."""

    feeder: Outlet
    credit_delay: int = 0
    flits: deque[Flit] = field(default_factory=deque)
    state: str = "idle"
    when: int = 0
    turn: int = 0
    packet: Packet | None = None
    wanted: list[tuple[int, int, int]] = field(default_factory=list)
    outlet: int = -1


class Simulation:
    """A network under simulation; `run(cycles)` records `events`, rows as in `_layout`."""

    def __init__(self, net: Network, routing: BoundRouting, config: SimConfig) -> None:
        self.net, self.routing, self.c = net, routing, config
        self.vcs = routing.vcs * config.classes
        self.link_inputs = max(net.ports, int(net.far_port.max(initial=-1)) + 1)
        self.inputs = self.link_inputs + int(net.terminals.max()) * config.injection_ports
        self.outputs = net.ports + int(net.sinks.max()) * config.ejection_ports
        self.events: list[tuple[int, ...]] = []
        self.cycle = 0
        self.grants = 0
        self.routers = [Router(self, r) for r in range(net.routers)]
        for r, p in zip(*np.nonzero(net.neighbor != NO_ROUTER), strict=True):
            latency = config.link_cycles if net.latency is None else int(net.latency[r, p])
            for v in range(self.vcs):
                lane = self.routers[net.neighbor[r, p]].lanes[int(net.far_port[r, p]) * self.vcs + v]
                self.routers[r].join(int(p) * self.vcs + v, lane, latency)
        self.terminals = [Terminal(self, i) for i in range(net.endpoints)]

    def record(self, cycle: int, kind: int, flit: Flit, router: int, place: int) -> None:
        """Append one event."""
        p = flit.packet
        self.events.append((cycle, kind, p.source, p.number, p.kind, flit.index, router, place))

    def run(self, cycles: int) -> None:
        """So many cycles more."""
        for t in range(self.cycle, self.cycle + cycles):
            for terminal in self.terminals:
                terminal.receive(t)
            for terminal in self.terminals:
                terminal.send(t)
            for router in self.routers:
                router.receive(t)
            for router in self.routers:
                router.step(t)
        self.cycle += cycles


class Router:
    """An input-queued router."""

    def __init__(self, sim: Simulation, number: int) -> None:
        self.sim, self.c, self.number = sim, sim.c, number
        self.outlets = [Outlet(sim.c.buffer_flits) for _ in range(sim.outputs * sim.vcs)]
        self.lanes = [Lane(Outlet(sim.c.buffer_flits)) for _ in range(sim.inputs * sim.vcs)]
        self.turn_output = [0] * sim.inputs
        self.turn_vc = [0] * sim.inputs
        self.turn_input = [0] * sim.outputs

    def join(self, o: int, lane: Lane, latency: int) -> None:
        """Connect outlet o to a lane over a link."""
        outlet = self.outlets[o]
        lane.feeder, outlet.lane, outlet.exists = outlet, lane, True
        sa, x = self.c.switch_allocation_delay_cycles, self.c.st_delay_cycles
        outlet.delay = sa + x + latency
        lane.credit_delay = sa + latency + self.c.credit_delay_cycles

    def receive(self, t: int) -> None:
        """Flits and credits that arrive."""
        for lane in self.lanes:
            lane.flits.extend(lane.feeder.link.arrived(t))
        for outlet in self.outlets:
            outlet.credits += sum(1 for _ in outlet.credit_wire.arrived(t))

    def step(self, t: int) -> None:
        """Route, allocate virtual channels, allocate the switch, traverse."""
        bids = [
            (b, lane.outlet, 0)
            for b, lane in enumerate(self.lanes)
            if lane.state == "active" and lane.when <= t and lane.flits and self.outlets[lane.outlet].credits > 0
        ]
        for b, lane in enumerate(self.lanes):
            if lane.state == "idle" and lane.when <= t and lane.flits:
                self.route(b, lane, t)
        bids += self.allocate_vcs(t)
        for b, o in self.allocate_switch(sorted(bids)):
            if self.lanes[b].state == "active":
                self.traverse(b, o, t)

    def route(self, b: int, lane: Lane, t: int) -> None:
        """List the outlets that the head at the front may take: (outlet, kind, next state)."""
        sim, packet, v = self.sim, lane.flits[0].packet, self.sim.vcs
        lane.packet, lane.state, lane.when = packet, "waiting", t + self.c.routing_delay_cycles
        packet.hops += 1
        if b // v < sim.link_inputs:
            packet.head[IN_PORT], packet.head[IN_VC] = b // v, b % v % sim.routing.vcs
        out = new_out()
        n = sim.routing.routing.relation(sim.routing.view, self.number, packet.head, out)
        assert n >= 0, "no route"
        base = packet.kind * sim.routing.vcs
        lane.wanted = [(int(p) * v + base + int(w), int(k), int(s)) for p, w, s, k in out[:n].tolist()]
        if n == 0:
            index = packet.destination - int(np.searchsorted(sim.net.sink_router, self.number))
            ports = [sim.net.ports + index * self.c.ejection_ports + j for j in range(self.c.ejection_ports)]
            state = int(packet.head[STATE])
            lane.wanted = [(p * v + base + w, 0, state) for p in ports for w in range(sim.routing.vcs)]

    def _takes(self, o: int, packet: Packet) -> bool:
        outlet = self.outlets[o]
        if outlet.holder is not None:
            return False
        if self.c.vc_reuse == "empty" and outlet.credits < self.c.buffer_flits:
            return False
        return self.c.flow_control == "wormhole" or outlet.credits >= packet.length

    def _choose(self, lane: Lane) -> int:
        assert lane.packet is not None
        for escape in (False, True):
            able = [o for o, kind, _ in lane.wanted if (kind == ESCAPE) == escape and self._takes(o, lane.packet)]
            if not able:
                continue
            if self.c.selection == "first":
                return able[0]
            if self.c.selection == "credits":
                return min(able, key=lambda o: (-self.outlets[o].credits, o))
            return min(able, key=lambda o: (o - lane.turn) % len(self.outlets))
        return -1

    def allocate_vcs(self, t: int) -> list[tuple[int, int, int]]:
        """Give free outlets to waiting heads; returns the bids for the switch that are made in the same cycle."""
        speculates = self.c.speculation
        va, sa = self.c.vc_allocation_delay_cycles, self.c.switch_allocation_delay_cycles
        wait = max(va - sa, 0) if speculates else va
        asked: dict[int, list[int]] = {}
        for b, lane in enumerate(self.lanes):
            if lane.state == "waiting" and lane.when <= t:
                o = self._choose(lane)
                if o >= 0:
                    asked.setdefault(o, []).append(b)
        bids = []
        for o, rivals in asked.items():
            outlet = self.outlets[o]
            first = min(rivals, key=lambda b: (self._age(b), (b - outlet.turn) % len(self.lanes)))
            lane = self.lanes[first]
            packet = lane.packet
            assert packet is not None
            outlet.holder, outlet.turn = packet, (first + 1) % len(self.lanes)
            lane.turn, lane.outlet = (o + 1) % len(self.outlets), o
            lane.state, lane.when = "active", t + wait
            packet.head[STATE] = next(state for wanted, _, state in lane.wanted if wanted == o)
            self.sim.record(t, at.EVENT_VC, lane.flits[0], self.number, o)
            if wait == 0 and outlet.credits > 0:
                bids.append((first, o, int(speculates)))
            if wait == 0 and speculates:
                bids += [(b, o, 1) for b in rivals if b != first]
        return bids

    def _age(self, b: int) -> int:
        packet = self.lanes[b].packet
        return packet.created if self.c.allocator == "age" and packet is not None else 0

    def _input_rank(self, bid: tuple[int, int, int]) -> tuple[int, ...]:
        b, o, later = bid
        v = self.sim.vcs
        output = (o // v - self.turn_output[b // v]) % self.sim.outputs
        return later, self._age(b), output, (b % v - self.turn_vc[b // v]) % v

    def _output_rank(self, bid: tuple[int, int, int]) -> tuple[int, ...]:
        b, o, later = bid
        v = self.sim.vcs
        rank = (b // v - self.turn_input[o // v]) % self.sim.inputs
        return (later, self._age(b), rank, *self._input_rank(bid))

    def allocate_switch(self, bids: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
        """Match inputs and outputs; returns (lane, outlet) of the winners."""
        v, granted = self.sim.vcs, []
        for iteration in range(self.c.allocator_iterations):
            sides = [(lambda bid: bid[0] // v, self._input_rank), (lambda bid: bid[1] // v, self._output_rank)]
            if self.c.allocator in ("output_first", "islip"):
                sides.reverse()
            left = bids
            for port, rank in sides:
                meeting: dict[int, list[tuple[int, int, int]]] = {}
                for bid in left:
                    meeting.setdefault(port(bid), []).append(bid)
                left = [min(group, key=rank) for group in meeting.values()]
            for b, o, _ in sorted(left):
                granted.append((b, o))
                if iteration == 0 or self.c.allocator != "islip":
                    self.turn_output[b // v] = (o // v + 1) % self.sim.outputs
                    self.turn_vc[b // v] = (b % v + 1) % v
                    self.turn_input[o // v] = (b // v + 1) % self.sim.inputs
            inputs, outputs = {b // v for b, _, _ in left}, {o // v for _, o, _ in left}
            bids = [bid for bid in bids if bid[0] // v not in inputs and bid[1] // v not in outputs]
        return granted

    def traverse(self, b: int, o: int, t: int) -> None:
        """Send the flit at the front of a lane through its outlet, and its credit back."""
        lane, outlet = self.lanes[b], self.outlets[o]
        flit = lane.flits.popleft()
        lane.feeder.credit_wire.send(t + lane.credit_delay, None)
        outlet.credits -= 1
        self.sim.grants += 1
        flit.sent = self.sim.grants
        outlet.link.send(t + outlet.delay, flit)
        self.sim.record(t, at.EVENT_SWITCH, flit, self.number, o)
        if flit.is_tail:
            outlet.holder = None
            lane.state, lane.when = "idle", t + self.c.switch_allocation_delay_cycles


class Terminal:
    """An endpoint: creates packets, sends flits, receives flits."""

    def __init__(self, sim: Simulation, number: int) -> None:
        self.sim, self.c, self.number = sim, sim.c, number
        c, net = sim.c, sim.net
        self.pattern = bind_traffic(c.traffic, net)
        self.process, options = find_process(c.injection)
        self.own = self.process.own(c.load / c.mean_packet_flits, options)
        self.memory = np.zeros(MEMORY_WORDS, np.int64)
        self.memory[LAST] = -1
        self.keys = stream_key(c.seed, 2 * number), stream_key(c.seed, 2 * number + 1)
        self.created, self.replies = 0, 0
        self.queues: list[deque[Packet]] = [deque(), deque()]
        self.next_creation = int(self.process.advance(self.own, self.memory, self.keys[0]))
        router = sim.routers[net.terminal_router[number]]
        first = sim.link_inputs * sim.vcs
        local = number - int(np.searchsorted(net.terminal_router, router.number))
        self.ports = []
        for j in range(c.injection_ports):
            start = first + (local * c.injection_ports + j) * sim.vcs
            self.ports.append(Port(self, router, start))
        self.sink_router = sim.routers[net.sink_router[number]]
        local = number - int(np.searchsorted(net.sink_router, self.sink_router.number))
        start = (net.ports + local * c.ejection_ports) * sim.vcs
        self.sink_outlets = range(start, start + c.ejection_ports * sim.vcs)
        for o in self.sink_outlets:
            outlet = self.sink_router.outlets[o]
            outlet.exists = True
            outlet.delay = c.switch_allocation_delay_cycles + c.st_delay_cycles + c.terminal_link_cycles

    def receive(self, t: int) -> None:
        """Take the flits that arrive; their credits start back at once."""
        c = self.c
        arrivals = [(o, flit) for o in self.sink_outlets for flit in self.sink_router.outlets[o].link.arrived(t)]
        for o, flit in sorted(arrivals, key=lambda pair: pair[1].sent):
            outlet = self.sink_router.outlets[o]
            outlet.credit_wire.send(t + 1 + c.terminal_link_cycles + c.credit_delay_cycles, None)
            self.sim.record(t, at.EVENT_ARRIVE, flit, self.sink_router.number, o)
            if flit.is_tail and c.reply_flits and flit.packet.kind == 0:
                at_cycle = t + c.reply_delay_cycles
                reply = self._packet(flit.packet.source, c.reply_flits, at_cycle, 1, self.replies)
                self.queues[1].append(reply)
                self.replies += 1

    def _packet(self, to: int, length: int, created: int, kind: int, number: int) -> Packet:
        net = self.sim.net
        head = new_head(int(net.terminal_router[self.number]), int(net.sink_router[to]))
        return Packet(self.number, number, kind, to, length, created, head)

    def _create(self, t: int) -> None:
        """Create what is due, as long as the queue has room."""
        limit = self.c.source_queue_packets
        while self.next_creation <= t and (limit == 0 or len(self.queues[0]) < limit):
            when = self.next_creation
            if limit and self.full_until > when:
                when = self.full_until
                self.memory[LAST] = when
            key, number = self.keys[1], self.created
            to = self.pattern(self.number, below(draw63(key, 4 * number), self.pattern.draws))
            lengths, weights = packet_lengths(self.c.packet_flits)
            length = int(lengths[0])
            if lengths.size > 1:
                share = draw63(key, 4 * number + 1) / 2.0**63
                length = int(lengths[min(int(np.searchsorted(np.cumsum(weights), share, "right")), lengths.size - 1)])
            if to >= 0:
                self.queues[0].append(self._packet(to, length, when, 0, number))
            self.created += 1
            self.next_creation = int(self.process.advance(self.own, self.memory, self.keys[0]))

    full_until = 0
    """Cycle in which the queue last had room again."""

    def take(self, kind: int, t: int) -> Packet | None:
        """The next packet of a class, when it is there."""
        if kind == 0:
            self._create(t)
        queue = self.queues[kind]
        if not queue or queue[0].created > t:
            return None
        packet = queue.popleft()
        if kind == 0:
            self.full_until = t
            self._create(t)
        routing = self.sim.routing
        if routing.routing.start is not None:
            draw = below(draw63(self.keys[1], 4 * packet.number + 2 + kind), routing.draws)
            routing.routing.start(routing.view, packet.head, draw, self._waiting())
        return packet

    def _waiting(self) -> Any:
        """Flits behind each output of the router, on the link or in the buffer."""
        sim, router = self.sim, self.ports[0].router
        waiting = np.zeros(sim.net.ports, np.int64)
        for p in range(sim.net.ports):
            for outlet in router.outlets[p * sim.vcs : (p + 1) * sim.vcs]:
                waiting[p] += len(outlet.link.due) + (len(outlet.lane.flits) if outlet.lane else 0)
        return waiting

    def send(self, t: int) -> None:
        """One flit by each port at most."""
        self._create(t)
        for port in self.ports:
            port.send(t)


class Port:
    """An injection port: one packet of each class enters at a time, flits of the classes in turn."""

    def __init__(self, terminal: Terminal, router: Router, first: int) -> None:
        self.terminal, self.router, self.c = terminal, router, terminal.c
        sim = terminal.sim
        self.first, self.class_vcs = first, sim.routing.vcs
        self.outlets = [Outlet(self.c.buffer_flits, exists=True) for _ in range(sim.vcs)]
        for v, outlet in enumerate(self.outlets):
            lane = router.lanes[first + v]
            lane.feeder, outlet.lane = outlet, lane
            link = self.c.terminal_link_cycles
            lane.credit_delay = self.c.switch_allocation_delay_cycles + link + self.c.credit_delay_cycles
        self.current: list[tuple[Packet, int, int] | None] = [None] * self.c.classes
        self.last_class = 0
        self.last_vc = [-1] * self.c.classes

    def _entry(self, kind: int, packet: Packet) -> int:
        n, base = self.class_vcs, kind * self.class_vcs
        for k in range(1, n + 1):
            v = base + (self.last_vc[kind] + k) % n
            credits = self.outlets[v].credits
            need = packet.length if self.c.flow_control == "cut_through" else 1
            if self.c.vc_reuse == "empty":
                need = self.c.buffer_flits
            if credits >= need:
                return v
        return -1

    def send(self, t: int) -> None:
        """Send one flit when a class has one and a credit for it."""
        for outlet in self.outlets:
            outlet.credits += sum(1 for _ in outlet.credit_wire.arrived(t))
        for k in range(1, self.c.classes + 1):
            kind = (self.last_class + k) % self.c.classes
            if self.current[kind] is None:
                packet = self.terminal.take(kind, t)
                if packet is None:
                    continue
                self.current[kind] = (packet, 0, -1)
            packet, index, v = self.current[kind]  # type: ignore[misc]
            if v < 0:
                v = self._entry(kind, packet)
            if v < 0 or self.outlets[v].credits == 0:
                continue
            if index == 0:
                self.last_vc[kind] = v % self.class_vcs
            flit = Flit(packet, index)
            self.outlets[v].credits -= 1
            self.outlets[v].link.send(t + 1 + self.c.terminal_link_cycles, flit)
            self.terminal.sim.record(t, at.EVENT_ENTER, flit, self.router.number, self.first + v)
            self.current[kind] = None if flit.is_tail else (packet, index + 1, v)
            self.last_class = kind
            return
