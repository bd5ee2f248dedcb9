"""Routers that branch, slow and obvious: the multicast simulator as objects, in plain Python.

The pipeline is that of `reference.router`; but a packet may leave a lane by several output VCs at once. Each branch
gets its output VC and its flits as soon as it can, whatever the others do; a flit leaves the buffer when the last
branch has taken it (nishi1997router section 4.2.1). Of the lanes of an input port one flit moves in a cycle, through
every output VC that is granted (fan-out splitting, as the chip's buffers have one read port). The twin of
`sim.multicast.engine`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from tests.naive.multicast_copies import Copy, MessageBook
from tests.naive.multicast_ends import Processor, Unit

from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import ESCAPE, STATE, new_head
from jumpnet.sim.config import SimConfig
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.message_layout import DATA, FINAL, ONE_ACK, UP_ACK
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.messages import COMBINED, Forest, Messages
from jumpnet.sim.reference.parts import Flit, Lane
from jumpnet.sim.reference.router import Router

__all__ = ["ForkRouter", "MulticastSimulation"]


@dataclass(eq=False)
class Way:
    """One branch of the packet at the front of a lane."""

    wanted: Sequence[int]
    """Output VCs, any of which will do."""
    copy: Copy
    when: int
    out_vc: int = -1
    taken: int = 0
    """Flits sent."""
    candidates: list[tuple[int, int, int]] = field(default_factory=list)
    """(output VC, kind, next state) that the routing gives for a packet to one destination."""


@dataclass(eq=False)
class ForkLane(Lane):
    """A lane whose front packet may branch."""

    ways: list[Way] = field(default_factory=list)
    freed: int = 0
    """Flits of that packet that have left the buffer."""


class ForkRouter(Router):
    """A router whose packets branch."""

    sim: MessageBook

    def __init__(self, sim: MessageBook, number: int) -> None:
        super().__init__(sim, number)
        self.lanes: list[ForkLane] = [ForkLane(lane.feeder) for lane in self.lanes]  # type: ignore[assignment]

    def step(self, t: int) -> None:
        """Route, allocate virtual channels, allocate the switch, traverse."""
        if not any(lane.flits or lane.ways for lane in self.lanes):
            return
        bids = []
        for b, lane in enumerate(self.lanes):
            ready = [w for w in lane.ways if w.out_vc >= 0 and w.when <= t and w.taken < w.copy.length]
            bids += [(b, w.out_vc, 0) for w in ready if self._can_send(lane, w)]
            if lane.state == "idle" and lane.when <= t and lane.flits:
                lane.state, lane.when = "routing", t
                if self._looks_late() and isinstance(lane.flits[0].packet, Copy) and lane.flits[0].packet.place < 0:
                    lane.when = self._end_of_routing(t)
            if lane.state == "routing" and lane.when <= t:
                self.route(b, lane, t)
        bids += self.allocate_vcs(t)
        for b, o in self.allocate_switch(sorted(bids), t):
            if any(way.out_vc == o for way in self.lanes[b].ways):
                self.traverse(b, o, t)

    def _can_send(self, lane: ForkLane, way: Way) -> bool:
        return way.taken - lane.freed < len(lane.flits) and self.out_vcs[way.out_vc].credits > 0

    def route(self, b: int, lane: ForkLane, t: int) -> None:  # type: ignore[override]
        """List the branches of the packet at the front."""
        sim, f = self.sim, self.sim.forest
        copy = lane.flits[0].packet
        assert isinstance(copy, Copy)
        m, k = copy.source, copy.place
        when = t + self.c.routing_delay_cycles
        lane.freed, lane.ways = 0, []
        if k < 0:
            super().route(b, lane, t)
            lane.ways.append(Way([o for o, *_ in lane.wanted], copy, lane.when, candidates=lane.wanted))
        lane.state = "busy"
        if k < 0:
            return
        place = f.at(k)
        if copy.kind in (DATA, ONE_ACK):
            for child in range(place.branch, place.branch + place.branches):
                after = Copy(m, child, copy.kind, 0, copy.length, copy.created)
                lane.ways.append(Way([f.at(child).port * sim.vcs + f.at(child).vc], after, when))
            for x in range(sim.spread):
                if place.sinks >> x & 1:
                    lane.ways.append(Way(sim.sink_out_vcs(x), copy, when))
            alone = place.branches == 0 and len(lane.ways) == 1
            if copy.kind == DATA and not alone and sim.messages.ack[m] == COMBINED:
                self._register(m, k, len(lane.ways))
        elif copy.kind == UP_ACK and self.number == place.router:
            lane.ways.append(Way([place.back * sim.vcs + sim.vcs - 1], copy, when))
        elif copy.kind == FINAL or (m, sim.counted_at(copy)) not in sim.in_unit:
            lane.ways.append(Way(sim.sink_out_vcs(sim.counting_sink(m, sim.counted_at(copy))), copy, when))
        else:
            lane.ways.append(Way(sim.unit_out_vcs, copy, when))

    def _register(self, m: int, k: int, ways: int) -> None:
        """Count the acknowledges of a place in the combining unit if it has an entry, else in a terminal."""
        self.sim.left[m, k] = ways
        if self.sim.entries_used[self.number] < self.sim.ack.combining_entries:
            self.sim.entries_used[self.number] += 1
            self.sim.in_unit.add((m, k))
        else:
            self.sim.fallbacks += 1

    def _select(self, lane: ForkLane, way: Way, t: int) -> int:
        """The output VC that a waiting branch asks for, or -1; escapes after all others."""
        able = [o for o in way.wanted if self._takes(o, way.copy, t)]
        normal = [o for o, kind, _ in way.candidates if kind != ESCAPE and o in able]
        able = normal or able
        return self._choose(lane, able) if able else -1

    def _order(self, b: int) -> int:
        """Creation of the message that the packet of a lane belongs to, where the allocator goes by age."""
        if self.c.allocator != "age" or not self.lanes[b].ways:
            return 0
        return int(self.sim.messages.cycle[self.lanes[b].ways[0].copy.source])

    def allocate_vcs(self, t: int) -> list[tuple[int, int, int]]:
        """Give free output VCs to waiting branches; returns the bids for the switch that are made in the same cycle."""
        asked: dict[int, list[tuple[int, int]]] = {}
        for b, lane in enumerate(self.lanes):
            for i, way in enumerate(lane.ways):
                if way.out_vc < 0 and way.when <= t:
                    o = self._select(lane, way, t)
                    if o >= 0:
                        asked.setdefault(o, []).append((b, i))
        won = [
            (*min(rivals, key=lambda one: (self._order(one[0]), (one[0] - self.out_vcs[o].turn) % len(self.lanes))), o)
            for o, rivals in asked.items()
        ]
        wait, speculates = self.c.vc_allocation_delay_cycles, self.c.speculation
        if speculates:
            wait = max(wait - self.c.switch_allocation_delay_cycles, 0)
        bids = []
        for b, i, o in sorted(won):
            lane, out_vc, way = self.lanes[b], self.out_vcs[o], self.lanes[b].ways[i]
            out_vc.holder, out_vc.turn = way.copy, (b + 1) % len(self.lanes)
            lane.turn = (o + 1) % len(self.out_vcs)
            way.out_vc, way.when = o, t + wait
            if way.candidates:
                way.copy.head[STATE] = next(state for wanted, _, state in way.candidates if wanted == o)
            self.sim.record(t, at.EVENT_VC, Flit(way.copy, 0), self.number, o)
            if wait == 0 and self._can_send(lane, way):
                bids.append((b, o, int(speculates)))
            if wait == 0 and speculates:
                bids += [(rival, o, 1) for rival, other in asked[o] if (rival, other) != (b, i)]
        return bids

    def _index(self, bid: tuple[int, int, int]) -> int:
        """The flit that a bid would send: the head for one that has no output VC yet."""
        return next((way.taken for way in self.lanes[bid[0]].ways if way.out_vc == bid[1]), 0)

    def _goes_with(self, bid: tuple[int, int, int], first: tuple[int, int, int], at_input: bool) -> bool:
        """At an input all bids for one flit of one lane go together."""
        return bid == first or (at_input and bid[0] == first[0] and self._index(bid) == self._index(first))

    def traverse(self, b: int, o: int, t: int) -> None:
        """Send one branch's next flit; free the front of the buffer when every branch has taken it."""
        lane, out_vc, sim = self.lanes[b], self.out_vcs[o], self.sim
        way = next(way for way in lane.ways if way.out_vc == o)
        flit = Flit(way.copy, way.taken)
        way.taken += 1
        out_vc.credits -= 1
        sim.grants += 1
        flit.sent = sim.grants
        cycles = self.c.switch_allocation_delay_cycles + self.c.st_delay_cycles + out_vc.link_cycles
        out_vc.link.send(t + cycles, flit)
        sim.record(t, at.EVENT_SWITCH, flit, self.number, o)
        sim.link_flits += o // sim.vcs < sim.net.ports
        if min(w.taken for w in lane.ways) > lane.freed:
            lane.freed += 1
            lane.flits.popleft()
            lane.feeder.credit_wire.send(t + self.c.switch_allocation_delay_cycles + lane.credit_cycles, None)
        if flit.is_tail:
            out_vc.holder, way.out_vc = None, -1
            way.when = 1 << 60
        if all(w.taken == w.copy.length for w in lane.ways):
            lane.ways, lane.state, lane.when = [], "idle", t + self.c.switch_allocation_delay_cycles


class MulticastSimulation(MessageBook):
    """A network of branching routers under simulation; `run(cycles)` records `events`.

    Rows are as in `memory.layout`, but say message and place for source and number.
    """

    def __init__(
        self,
        net: Network,
        vcs: int,
        forest: Forest,
        messages: Messages,
        config: SimConfig,
        ack: MulticastConfig,
        routing: BoundRouting | None = None,
    ) -> None:
        super().__init__(net, vcs, forest, messages, config, ack, routing)
        self.routers = [ForkRouter(self, r) for r in range(net.routers)]
        self.connect()
        processors = []
        for i, (r, s) in enumerate(zip(net.terminal_router.tolist(), net.sink_router.tolist(), strict=True)):
            place = i - int(np.searchsorted(net.terminal_router, r))
            first = self.link_inputs + place * config.injection_ports
            inputs, out_vcs = range(first, first + config.injection_ports), self.sink_out_vcs(self.sink_index(i))
            processors.append(Processor(self, i, self.routers[r], inputs, self.routers[s], out_vcs))
        unit = range(self.inputs - 1, self.inputs)
        self.terminals = [*processors, *(Unit(self, -1, r, unit, r, self.unit_out_vcs) for r in self.routers)]
        for m, (cycle, plan, flits) in enumerate(zip(messages.cycle, messages.plan, messages.flits, strict=True)):
            source = self.source(m)
            if plan < 0:
                assert messages.destination is not None
                to = int(messages.destination[m])
                head = new_head(int(net.terminal_router[source]), int(net.sink_router[to]))
                copy = Copy(m, -1, DATA, to, int(flits), int(cycle), head)
            else:
                self.to_come[m] = int(forest.takers[plan])
                copy = Copy(m, int(forest.start[plan]), DATA, 0, int(flits), int(cycle))
            processors[source].messages.append(copy)
