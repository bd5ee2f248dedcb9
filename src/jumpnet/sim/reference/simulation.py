"""The same simulator, slow and obvious: routers, lanes, channels and terminals as objects, in plain Python.

The routers are those of `reference.router`; here are the terminals and the network. The twin tests require this and the
kernel to record the same events, cycle by cycle. Use it to read how a router works, or to check a change; it is some
thousand times slower.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from jumpnet.api.public import public
from jumpnet.jit.random import plain_below, plain_draw63, plain_stream_key
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import new_head
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.config.traffic_class import Traffic, packet_lengths
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.shape import AT_SOURCES, start_sizes
from jumpnet.sim.reference.parts import Flit, Packet, out_vcs_of_port
from jumpnet.sim.reference.router import Router
from jumpnet.sim.reference.surroundings import Surroundings
from jumpnet.sim.resolve.by_routing import settle_reuse
from jumpnet.sim.resolve.subnets import side_by_side
from jumpnet.traffic import bind as bind_traffic
from jumpnet.traffic import process as find_process
from jumpnet.traffic.injection_process import COUNTER, LAST, MEMORY_WORDS, MODE, NEVER

__all__ = ["Simulation"]


@public
class Simulation(Surroundings):
    """A network under simulation; `run(cycles)` records `events`, rows as in `memory.layout`."""

    def __init__(self, net: Network, routing: BoundRouting, config: SimConfig) -> None:
        self.routing = routing
        net = side_by_side(net, config.subnets)
        self.measure(net, settle_reuse(config, routing), routing.vcs)
        starts = start_sizes(routing, config.routing_delay_cycles)
        self.looks, self.revises = starts["start_looks"] == 1, starts["start_revises"] == 1
        self.enters = starts["start_enters"] == 1
        self.escapes_last = routing.routing.escapes_last
        self.sees, self.one_vc_at_ends = starts["start_sees"], routing.routing.one_vc_at_ends
        if routing.routing.bubble:
            self.bubble = config.longest_flits
        self.routers = [Router(self, r) for r in range(net.routers)]
        self.connect()
        self.terminals = [Terminal(self, i) for i in range(self.endpoints)]

    def connect(self) -> None:
        """Join the routers by the network's links."""
        net = self.net
        for r, p, to in zip(*net.channel_ends, strict=True):
            latency = self.c.link_cycles if net.latency is None else int(net.latency[r, p])
            for v in range(self.vcs):
                lane = self.routers[to].lanes[int(net.far_port[r, p]) * self.vcs + v]
                self.routers[r].join(int(p) * self.vcs + v, lane, latency)

    def run(self, cycles: int) -> None:
        """So many cycles more."""
        for t in range(self.cycle, self.cycle + cycles):
            for terminal in self.terminals:
                terminal.receive(t)
            for terminal in self.terminals:
                terminal.send(t)
            for step in range(self.clock.first(t), self.clock.first(t + 1)):
                for router in self.routers:
                    router.receive(step)
                if self.sees > 1 and step == self.clock.first(t):
                    self.told = tuple(router.credits_used() for router in self.routers)
                for router in self.routers:
                    router.step(step)
        self.cycle += cycles


class Terminal:
    """An endpoint: creates packets, sends flits, receives flits."""

    def __init__(self, sim: Simulation, number: int) -> None:
        self.sim, self.c, self.number = sim, sim.c, number
        c, net = sim.c, sim.net
        self.sources = [Source(self, k, one) for k, one in enumerate(c.all_classes)]
        self.replies: deque[Packet] = deque()
        self.replied = 0
        self.ports: list[Port] = []
        self.sinks: list[tuple[Router, int]] = []
        """Output VCs that lead here."""
        self.next: Packet | None = None
        """The packet that enters next, where there are several copies of the network."""
        for place in range(number, net.endpoints, sim.endpoints):
            router, sink = sim.routers[net.terminal_router[place]], sim.routers[net.sink_router[place]]
            local = place - int(np.searchsorted(net.terminal_router, router.number))
            first = sim.link_inputs + local * c.injection_ports
            local = place - int(np.searchsorted(net.sink_router, sink.number))
            start = (net.ports + local * c.ejection_ports) * sim.vcs
            out_vcs = range(start, start + c.ejection_ports * sim.vcs)
            self.join(router, range(first, first + c.injection_ports), sink, out_vcs)

    def join(self, router: Router, inputs: range, sink: Router, out_vcs: range) -> None:
        """Send by input ports of a router, and receive by output VCs of that or of another one."""
        self.ports += [Port(self, router, port * self.sim.vcs) for port in inputs]
        for o in out_vcs:
            self.sinks.append((sink, o))
            sink.out_vcs[o].exists = True
            sink.out_vcs[o].link_cycles = self.c.terminal_link_cycles

    def receive(self, t: int) -> None:
        """Take the flits that arrive; their credits start back at once."""
        c, clock = self.c, self.sim.clock
        now = clock.first(t)
        arrivals = [(r, o, flit) for r, o in self.sinks for flit in r.out_vcs[o].link.arrived(now)]
        for router, o, flit in sorted(arrivals, key=lambda arrival: arrival[2].sent):
            out_vc = router.out_vcs[o]
            out_vc.credit_wire.send(clock.first(t + 1 + c.terminal_link_cycles + c.credit_delay_cycles), None)
            self.sim.record(t, at.EVENT_ARRIVE, flit, router.number, o)
            flit.packet.flit_latencies.append(t - flit.entered)
            if flit.is_tail:
                self.arrived(flit.packet, t)

    def arrived(self, packet: Packet, t: int) -> None:
        """A whole packet has come; a request is answered."""
        self.sim.flit_latencies[self.sim.kinds.counted_in[packet.kind]].update(packet.flit_latencies)
        if flits := int(self.sim.kinds.reply_flits[packet.kind]):
            at_cycle = t + self.c.reply_delay_cycles
            self.replies.append(self.packet(packet.source, flits, at_cycle, packet.kind + 1, self.replied))
            self.replied += 1

    def packet(self, to: int, length: int, created: int, kind: int, number: int) -> Packet:
        """A packet of this terminal."""
        net = self.sim.net
        head = new_head(int(net.terminal_router[self.number]), int(net.sink_router[to]))
        if self.c.subnets > 1:
            k = int(self.sim.kinds.subnet[kind])
            if k < 0:
                k = plain_below(plain_draw63(self.sources[0].keys[1], 4 * number + 3), self.c.subnets)
            to += k * self.sim.endpoints
        return Packet(self.number, number, kind, to, length, created, head)

    def take(self, c: int, t: int) -> Packet | None:
        """The next packet of a class, when it is there."""
        packet = None
        one_queue = bool(self.c.exchange_flits)
        answers = (c == 1 and not self.c.more_classes) or one_queue
        if answers and self.replies and self.replies[0].created + one_queue <= t:
            packet = self.replies.popleft()
        if packet is None and (c == 0 or self.c.more_classes):
            packet = self.sources[c].take(t)
        if packet is not None:
            source = self.sources[c if self.c.more_classes else 0]
            packet.draw = plain_draw63(source.keys[1], 4 * packet.number + 2 + packet.kind % 2)
            if not self.sim.looks:
                self.sim.start(packet)
        return packet

    def packet_for(self, port: Port) -> Packet | None:
        """The next packet, when it is there and enters by that port to a copy of the network."""
        packet = self.next
        if packet is None or self.ports[packet.destination // self.sim.endpoints] is not port:
            return None
        self.next = None
        return packet

    def send(self, t: int) -> None:
        """One flit by each port at most; one packet at a time where they lead to copies of the network."""
        for source in self.sources:
            source.create(t)
        if self.c.subnets > 1 and self.next is None and all(port.current == [None] for port in self.ports):
            self.next = self.take(0, t)
        for port in self.ports:
            port.send(t)


class Source:
    """What creates the packets of a terminal: one for each class of traffic, the one of the settings themselves first.

    They wait in a queue of its own.
    """

    def __init__(self, terminal: Terminal, number: int, settings: Traffic) -> None:
        sim, self.terminal, self.number, self.settings = terminal.sim, terminal, number, settings
        self.limit = sim.c.source_queue_packets
        self.lengths, weights = packet_lengths(settings.packet_flits)
        self.shares = np.cumsum(weights)
        """Of its packets those that are as long as each length or stand before it."""
        self.pattern = bind_traffic(settings.traffic, sim.routing.network)
        self.process, options = find_process(settings.injection)
        loads = sim.c.first_loads if number == 0 else [(0, settings.load)]
        self.loads = [(cycle, self.process.own(load / settings.mean_packet_flits, options)) for cycle, load in loads]
        """What the process reads from each cycle on at which the load changes."""
        self.began = 0
        """The one of these cycles at which it last began anew."""
        self.memory = np.zeros(MEMORY_WORDS, np.int64)
        self.memory[LAST] = -1
        stream = 2 * (terminal.number + number * sim.endpoints)
        self.keys = plain_stream_key(sim.c.seed, stream), plain_stream_key(sim.c.seed, stream + 1)
        self.created = 0
        self.queue: deque[Packet] = deque()
        self.next_creation = self.next_cycle()

    full_until = 0
    """Cycle in which the queue last had room again."""

    def next_cycle(self) -> int:
        """The cycle of the next packet, by the load of that cycle: the process begins anew where the load changes."""
        while True:
            since, own = [each for each in self.loads if each[0] <= self.memory[LAST] + 1][-1]
            until = min((cycle for cycle, _ in self.loads if cycle > since), default=NEVER + 1)
            if since > self.began:
                self.began, self.memory[COUNTER], self.memory[MODE:] = since, since << 32, 0
            if (cycle := int(self.process.advance(own, self.memory, self.keys[0]))) < until:
                return cycle
            self.memory[LAST] = until - 1

    def create(self, t: int) -> None:
        """Create what is due, as long as the queue has room."""
        while self.next_creation <= t and (self.limit == 0 or len(self.queue) < self.limit):
            when = self.next_creation
            if self.limit and self.full_until > when:
                when = self.full_until
                self.memory[LAST] = when
            key, number = self.keys[1], self.created
            to = self.pattern(self.terminal.number, plain_below(plain_draw63(key, 4 * number), self.pattern.draws))
            lengths, which = self.lengths, 0
            if lengths.size > 1:
                share = plain_draw63(key, 4 * number + 1) / 2.0**63
                which = min(int(np.searchsorted(self.shares, share, "right")), lengths.size - 1)
            if to >= 0:
                kind = 2 * which if self.terminal.c.exchange_flits else 2 * self.number
                self.queue.append(self.terminal.packet(to, int(lengths[which]), when, kind, number))
            self.created += 1
            self.next_creation = self.next_cycle()

    def take(self, t: int) -> Packet | None:
        """The next packet, when it is there."""
        self.create(t)
        if not self.queue or self.queue[0].created > t:
            return None
        packet = self.queue.popleft()
        self.full_until = t
        self.create(t)
        return packet


class Port:
    """An injection port: one packet of each class enters at a time, flits of the classes in turn."""

    def __init__(self, terminal: Terminal, router: Router, first: int) -> None:
        self.terminal, self.router, self.c = terminal, router, terminal.c
        sim = terminal.sim
        self.first, self.class_vcs = first, sim.class_vcs
        self.out_vcs = out_vcs_of_port(self.c, sim.vcs)
        for v, out_vc in enumerate(self.out_vcs):
            lane = router.lanes[first + v]
            lane.feeder, out_vc.lane = out_vc, lane
            lane.credit_cycles = self.c.terminal_link_cycles
        self.current: list[tuple[Packet, int, int] | None] = [None] * self.c.classes
        self.last_class = 0
        self.last_vc = [-1] * self.c.classes

    def _entry(self, c: int, packet: Packet, t: int) -> int:
        """The virtual channel on which a packet of class c enters now, or -1; none on which another class sends."""
        sim, base = self.terminal.sim, int(self.terminal.sim.kinds.first_vc[packet.kind])
        n = min(self.c.entry_vcs or self.class_vcs, self.class_vcs)
        last, taken = self.last_vc[c], [entering[2] for entering in self.current if entering is not None]
        if self.c.channels_by_next_output:
            if not sim.looks and sim.routing.draws > 1:
                sim.start(packet, cycle=t)
            output, _ = sim.output_of(self.router.number, packet, packet.head)
            own = sim.part(output, range(n))
            base, n = base + own[0], len(own)
        after = last if last >= 0 else base - 1
        choices = [base + (after - base + k) % n for k in range(1, n + 1)]
        one_range = self.c.exchange_flits or self.c.channels_by_next_output
        if one_range and not base <= last < base + n:
            choices = [base]
        if (kept := at.KEPT - self.current[c][2]) >= 0:  # type: ignore[index]
            choices = [kept]
        elif sim.one_vc_at_ends:
            choices = [base + plain_below(plain_draw63(packet.draw, t), n)]
        need = packet.length if self.c.flow_control == "cut_through" else 1
        if self.c.vc_reuse == "empty":
            need = self.c.lane_flits(sim.vcs)
        able = (v for v in choices if self.out_vcs[v].credits >= need and v not in taken and self._has_credit(v, t))
        return next(able, -1)

    def _has_credit(self, v: int, t: int) -> bool:
        return self.out_vcs[v].has_credit(self.terminal.sim.clock.first(t))

    def send(self, t: int) -> None:
        """Send one flit when a class has one and a credit for it: the first that may go, in turn or by priority."""
        sim = self.terminal.sim
        for out_vc in self.out_vcs:
            out_vc.take_credits(sim.clock.first(t))
        best: tuple[int, int] | None = None
        for k in range(1, self.c.classes + 1):
            c = (self.last_class + k) % self.c.classes
            if self.current[c] is None:
                one_copy = self.c.subnets == 1
                packet = self.terminal.take(c, t) if one_copy else self.terminal.packet_for(self)
                if packet is None:
                    continue
                self.current[c] = (packet, 0, -1)
            packet, index, v = self.current[c]  # type: ignore[misc]
            if best is not None and sim.order(self.current[best[0]][0]) <= sim.order(packet):  # type: ignore[index]
                continue
            if v < 0:
                v = self._entry(c, packet, t)
            if v >= 0 and self._has_credit(v, t):
                best = c, v
                if self.c.priority not in AT_SOURCES:
                    break
                self.current[c] = packet, index, v if index else at.KEPT - v
        if best is not None:
            self._send_flit(*best, t)

    def _send_flit(self, c: int, v: int, t: int) -> None:
        packet, index, _ = self.current[c]  # type: ignore[misc]
        sim = self.terminal.sim
        if index == 0:
            self.last_vc[c] = v
            self.out_vcs[v].hold(packet, sim.clock.first(t))
            if sim.enters and sim.goes_by_routing(packet):
                sim.start(packet, self.router.number, self.router.credits_used())
        flit = Flit(packet, index, entered=t)
        self.out_vcs[v].send(flit, sim.clock.first(t + 1 + self.c.terminal_link_cycles))
        sim.record(t, at.EVENT_ENTER, flit, self.router.number, self.first + v)
        self.current[c] = None if flit.is_tail else (packet, index + 1, v)
        self.last_class = c
