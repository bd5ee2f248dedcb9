"""The router of the reference simulator, slow and obvious: lanes and outlets as objects, in plain Python.

Buffers are queues of flit objects, credits are counters, links and credit loops are queues of things due. Time goes by
steps of the router, of which a cycle has one or, with internal speed-up, more (see `clock`). Written from the
definitions in `config`, not from the kernel; `simulation` joins these routers to a network.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from jumpnet.network import Network
from jumpnet.routing import BoundRouting
from jumpnet.routing.view import ENTERS, ESCAPE, IN_PORT, IN_VC, NORMAL, STATE, new_out
from jumpnet.sim.config import SimConfig
from jumpnet.sim.memory import layout as at
from jumpnet.sim.reference.clock import Clock
from jumpnet.terms import I64

__all__ = ["Delay", "Flit", "Gate", "Lane", "Outlet", "Packet", "Router", "Surroundings"]


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
    draw: int = 0
    """For the routing's start hook."""
    flit_latencies: list[int] = field(default_factory=list)
    """Of the flits that have arrived, in cycles."""


@dataclass(eq=False)
class Flit:
    """One flit of a packet."""

    packet: Packet
    index: int
    entered: int = 0
    """Cycle in which its terminal sent it."""
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

    def send(self, step: int, thing: Any) -> None:
        """It arrives in that step."""
        self.due.append((step, thing))

    def arrived(self, t: int) -> Iterator[Any]:
        """What has arrived by step t."""
        while self.due and self.due[0][0] <= t:
            yield self.due.popleft()[1]


@dataclass(eq=False)
class Outlet:
    """An output virtual channel: credits for the lane behind it, and the packet that holds it."""

    credits: int
    link_cycles: int = 0
    """Latency of its link."""
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
    credit_cycles: int = 0
    """From the sending of a credit to its use: latency and credit delay."""
    flits: deque[Flit] = field(default_factory=deque)
    state: str = "idle"
    when: int = 0
    turn: int = 0
    packet: Packet | None = None
    wanted: list[tuple[int, int, int]] = field(default_factory=list)
    outlet: int = -1
    holds: bool = False
    """Whether it keeps its connection through the switch."""


@dataclass
class Gate:
    """Where flits wait for a link, or credits for the wire back: one leaves in a cycle, those of one step together."""

    step: int = -1
    last: int = -1
    """The last step that sent something here, and the cycle in which that leaves."""
    crossing: list[tuple[int, int]] = field(default_factory=list)
    """Flits: the step in which each comes out of the switch, and the cycle in which it leaves."""

    def leave(self, ready: int) -> int:
        """The cycle in which a flit leaves that is there in cycle `ready`."""
        self.last = max(ready, self.last + 1)
        return self.last

    def leave_together(self, step: int, ready: int) -> int:
        """The same for a credit; credits that were sent in one step leave together."""
        if step != self.step:
            self.step, self.last = step, max(ready, self.last + 1)
        return self.last

    def waiting(self, step: int, cycle: int) -> int:
        """Flits that have come out of the switch before a step, and have not left before its cycle."""
        self.crossing = [(out, left) for out, left in self.crossing if left >= cycle]
        return sum(1 for out, _ in self.crossing if out < step)


class Surroundings(Protocol):
    """What a router knows of the simulation around it."""

    net: Network
    c: SimConfig
    clock: Clock
    routing: BoundRouting
    vcs: int
    """Virtual channels of a port, those of all message classes together."""
    class_vcs: int
    inputs: int
    """Input ports of a router, those from links first."""
    link_inputs: int
    outputs: int
    grants: int
    """Switch grants so far."""

    bubble: int
    """Flits of room that a packet leaves free where it enters a ring."""
    looks: bool
    """Whether the routing's start hook reads queues."""
    revises: bool
    """Whether it runs again at every router."""

    def start(self, packet: Packet, router: Router) -> None:
        """Run the start hook at a packet's first router."""

    def record(self, cycle: int, kind: int, flit: Flit, router: int, place: int) -> None:
        """Append one event."""


class Router:
    """An input-queued router."""

    def __init__(self, sim: Surroundings, number: int) -> None:
        self.sim, self.c, self.number = sim, sim.c, number
        self.outlets = [Outlet(sim.c.buffer_flits) for _ in range(sim.outputs * sim.vcs)]
        self.lanes = [Lane(Outlet(sim.c.buffer_flits)) for _ in range(sim.inputs * sim.vcs)]
        self.turn_output = [0] * (sim.inputs * sim.c.input_speedup)
        self.turn_vc = [0] * (sim.inputs * sim.c.input_speedup)
        self.turn_input = [0] * (sim.outputs * sim.c.output_speedup)
        self.flits_out = [Gate() for _ in range(sim.outputs)]
        self.credits_out = [Gate() for _ in range(sim.inputs)]

    def join(self, o: int, lane: Lane, latency: int) -> None:
        """Connect outlet o to a lane over a link."""
        outlet = self.outlets[o]
        lane.feeder, outlet.lane, outlet.exists = outlet, lane, True
        outlet.link_cycles = latency
        lane.credit_cycles = latency + self.c.credit_delay_cycles

    def switch_input(self, b: int) -> int:
        """The input of the switch that lane b uses."""
        port, vc = divmod(b, self.sim.vcs)
        return port * self.c.input_speedup + vc % self.c.input_speedup

    def switch_output(self, b: int, o: int) -> int:
        """The output of the switch by which lane b gets to outlet o."""
        return o // self.sim.vcs * self.c.output_speedup + b // self.sim.vcs % self.c.output_speedup

    def takes_flit(self, o: int, t: int) -> bool:
        """Whether outlet o has a credit, and its port room for a flit that waits for the link."""
        room = self.c.output_buffer_flits
        if room and self.flits_out[o // self.sim.vcs].waiting(t, self.sim.clock.cycle(t)) >= room:
            return False
        return self.outlets[o].credits > 0

    def receive(self, t: int) -> None:
        """Flits and credits that arrive."""
        for lane in self.lanes:
            if lane.feeder.link.due:
                lane.flits.extend(lane.feeder.link.arrived(t))
        for outlet in self.outlets:
            if outlet.credit_wire.due:
                outlet.credits += sum(1 for _ in outlet.credit_wire.arrived(t))

    def step(self, t: int) -> None:
        """Route, allocate virtual channels, allocate the switch, traverse."""
        held = [(b, lane.outlet) for b, lane in enumerate(self.lanes) if lane.holds]
        goes_on = [(b, o) for b, o in held if self.takes_flit(o, t)]
        bids = [
            (b, lane.outlet, 0)
            for b, lane in enumerate(self.lanes)
            if lane.state == "active" and lane.when <= t and lane.flits and self.takes_flit(lane.outlet, t)
        ]
        for b, lane in enumerate(self.lanes):
            if lane.state == "idle" and lane.when <= t and lane.flits:
                self.route(b, lane, t)
        bids += self.allocate_vcs(t)
        inputs, outputs = {self.switch_input(b) for b, _ in held}, {self.switch_output(b, o) for b, o in held}
        bids = [
            bid
            for bid in bids
            if self.switch_input(bid[0]) not in inputs and self.switch_output(*bid[:2]) not in outputs
        ]
        for b, _ in held:
            self.lanes[b].holds = False
        for b, o in goes_on:
            self.traverse(b, o, t)
        for b, o in self.allocate_switch(sorted(bids)):
            if self.lanes[b].state == "active":
                self.traverse(b, o, t)

    def route(self, b: int, lane: Lane, t: int) -> None:
        """List the outlets that the head at the front may take: (outlet, kind, next state)."""
        sim, packet, v = self.sim, lane.flits[0].packet, self.sim.vcs
        lane.packet, lane.state = packet, "waiting"
        lane.when = self.sim.clock.after(t, self.c.routing_delay_cycles)
        packet.hops += 1
        if b // v < sim.link_inputs:
            packet.head[IN_PORT], packet.head[IN_VC] = b // v, b % v % sim.class_vcs
            if sim.revises:
                sim.start(packet, self)
        elif sim.looks:
            sim.start(packet, self)
        out = new_out()
        n = sim.routing.routing.relation(sim.routing.view, self.number, packet.head, out)
        assert n >= 0, "no route"
        base = packet.kind * sim.class_vcs
        lane.wanted = [(int(p) * v + base + int(w), int(k), int(s)) for p, w, s, k in out[:n].tolist()]
        if n == 0:
            index = packet.destination - int(np.searchsorted(sim.net.sink_router, self.number))
            ports = [sim.net.ports + index * self.c.ejection_ports + j for j in range(self.c.ejection_ports)]
            state = int(packet.head[STATE])
            lane.wanted = [(p * v + base + w, 0, state) for p in ports for w in range(sim.class_vcs)]

    def credits_used(self) -> I64:
        """(P,) credits of each output port to a link that are used up."""
        used = np.zeros(self.sim.net.ports, np.int64)
        for o, outlet in enumerate(self.outlets[: used.size * self.sim.vcs]):
            if outlet.exists:
                used[o // self.sim.vcs] += self.c.buffer_flits - outlet.credits
        return used

    def _takes(self, o: int, packet: Packet, kind: int = NORMAL) -> bool:
        outlet, beside = self.outlets[o], self.sim.bubble if kind & ENTERS else 0
        if outlet.holder is not None:
            return False
        if self.c.vc_reuse == "empty" and outlet.credits < self.c.buffer_flits:
            return False
        return self.c.flow_control == "wormhole" or outlet.credits >= packet.length + beside

    def _able(self, lane: Lane) -> list[int]:
        """Outlets that the waiting head of a lane may have now: normal ones, else escapes."""
        assert lane.packet is not None
        for escape in (False, True):
            wanted = [(o, kind) for o, kind, _ in lane.wanted if bool(kind & ESCAPE) == escape]
            able = [o for o, kind in wanted if self._takes(o, lane.packet, kind)]
            if able:
                return able
        return []

    def _choose(self, lane: Lane, able: list[int]) -> int:
        if self.c.selection == "first":
            return able[0]
        if self.c.selection == "credits":
            return min(able, key=lambda o: (-self.outlets[o].credits, o))
        return min(able, key=lambda o: (o - lane.turn) % len(self.outlets))

    def _first(self, o: int, rivals: list[int]) -> int:
        """The lane that goes first of those that ask for outlet o."""
        turn = self.outlets[o].turn
        return min(rivals, key=lambda b: (self._age(b), (b - turn) % len(self.lanes)))

    def match_outlets(self, t: int) -> tuple[dict[int, int], dict[int, int]]:
        """The outlets of waiting heads that get one, by lane; those that the others would have chosen."""
        waiting = [b for b, lane in enumerate(self.lanes) if lane.state == "waiting" and lane.when <= t]
        able = {b: self._able(self.lanes[b]) for b in waiting}
        chosen = {b: self._choose(self.lanes[b], outlets) for b, outlets in able.items() if outlets}
        asked = able if self.c.vc_allocator == "output_first" else {b: [o] for b, o in chosen.items()}
        granted: dict[int, list[int]] = {}
        for o in sorted({o for outlets in asked.values() for o in outlets}):
            granted.setdefault(self._first(o, [b for b in asked if o in asked[b]]), []).append(o)
        won = {b: self._choose(self.lanes[b], sorted(granted[b])) for b in granted}
        return won, {b: o for b, o in chosen.items() if b not in won}

    def allocate_vcs(self, t: int) -> list[tuple[int, int, int]]:
        """Give free outlets to waiting heads; returns the bids for the switch that are made in the same cycle."""
        speculates = self.c.speculation
        va, sa = self.c.vc_allocation_delay_cycles, self.c.switch_allocation_delay_cycles
        wait = max(va - sa, 0) if speculates else va
        bids = []
        won, lost = self.match_outlets(t)
        for b, o in won.items():
            lane, outlet = self.lanes[b], self.outlets[o]
            packet = lane.packet
            assert packet is not None
            outlet.holder, outlet.turn = packet, (b + 1) % len(self.lanes)
            lane.turn, lane.outlet = (o + 1) % len(self.outlets), o
            lane.state, lane.when = "active", self.sim.clock.after(t, wait)
            packet.head[STATE] = next(state for wanted, _, state in lane.wanted if wanted == o)
            self.sim.record(self.sim.clock.cycle(t), at.EVENT_VC, lane.flits[0], self.number, o)
            if wait == 0 and self.takes_flit(o, t):
                bids.append((b, o, int(speculates)))
        if wait == 0 and speculates:
            bids += [(b, o, 1) for b, o in lost.items()]
        return bids

    def _age(self, b: int) -> int:
        packet = self.lanes[b].packet
        return packet.created if self.c.allocator == "age" and packet is not None else 0

    def _input_rank(self, bid: tuple[int, int, int]) -> tuple[int, ...]:
        b, o, later = bid
        v, i, outputs = self.sim.vcs, self.switch_input(b), len(self.turn_input)
        output = (self.switch_output(b, o) - self.turn_output[i]) % outputs
        return later, self._age(b), output, (b % v - self.turn_vc[i]) % v

    def _output_rank(self, bid: tuple[int, int, int]) -> tuple[int, ...]:
        b, o, later = bid
        rank = (self.switch_input(b) - self.turn_input[self.switch_output(b, o)]) % len(self.turn_output)
        return (later, self._age(b), rank, *self._input_rank(bid))

    def allocate_switch(self, bids: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
        """Match inputs and outputs of the switch; returns (lane, outlet) of the winners."""
        v, granted = self.sim.vcs, []
        into, out_of = lambda bid: self.switch_input(bid[0]), lambda bid: self.switch_output(*bid[:2])
        for iteration in range(self.c.allocator_iterations):
            sides = [(into, self._input_rank), (out_of, self._output_rank)]
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
                    i, q = self.switch_input(b), self.switch_output(b, o)
                    self.turn_output[i] = (q + 1) % len(self.turn_input)
                    self.turn_vc[i] = (b % v + self.c.input_speedup) % v
                    self.turn_input[q] = (i + 1) % len(self.turn_output)
            inputs, outputs = {into(bid) for bid in left}, {out_of(bid) for bid in left}
            bids = [bid for bid in bids if into(bid) not in inputs and out_of(bid) not in outputs]
        return granted

    def traverse(self, b: int, o: int, t: int) -> None:
        """Send the flit at the front of a lane through its outlet, and its credit back."""
        lane, outlet, clock, v = self.lanes[b], self.outlets[o], self.sim.clock, self.sim.vcs
        through = clock.after(t, self.c.switch_allocation_delay_cycles)
        flit = lane.flits.popleft()
        leaves = self.credits_out[b // v].leave_together(t, clock.cycle(through - 1))
        lane.feeder.credit_wire.send(clock.first(leaves + 1 + lane.credit_cycles), None)
        outlet.credits -= 1
        self.sim.grants += 1
        flit.sent = self.sim.grants
        out = clock.after(through, self.c.st_delay_cycles) - 1
        leaves = self.flits_out[o // v].leave(clock.cycle(out))
        self.flits_out[o // v].crossing.append((out, leaves))
        outlet.link.send(clock.first(leaves + 1 + outlet.link_cycles), flit)
        self.sim.record(clock.cycle(t), at.EVENT_SWITCH, flit, self.number, o)
        if flit.is_tail:
            outlet.holder = None
            lane.state, lane.when = "idle", through
        else:
            lane.holds = self.c.hold_switch and bool(lane.flits)
