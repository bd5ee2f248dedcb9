"""The router of the reference simulator, slow and obvious: lanes and output VCs as objects, in plain Python.

Buffers are queues of flit objects, credits are counters, links and credit loops are queues of things due. Time goes by
steps of the router, of which a cycle has one or, with internal speed-up, more (`parts.Clock`). Written from the
definitions in `config`, not from the kernel; `simulation` joins these routers to a network.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jumpnet.routings.view import ENTERS, ESCAPE, IN_PORT, IN_VC, NORMAL, STATE, VC, new_out
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.shape import PREFERRING
from jumpnet.sim.reference.matching import WHOLE, one_of
from jumpnet.sim.reference.parts import Lane, LinkQueue, Packet, Stage
from jumpnet.sim.reference.surroundings import Surroundings
from jumpnet.sim.reference.switch import BLIND, Switch
from jumpnet.terms import I64

__all__ = ["Router"]


class Router(Switch):
    """An input-queued router."""

    def __init__(self, sim: Surroundings, number: int) -> None:
        super().__init__(sim, number)
        self.flits_out = [LinkQueue() for _ in range(sim.outputs)]
        self.credits_out = [LinkQueue() for _ in range(sim.inputs)]
        cycles = sim.c.routing_delay_cycles, sim.c.vc_allocation_delay_cycles, sim.c.switch_allocation_delay_cycles
        stages = [Stage(n, sim.c.batched, sim.clock) for n in (*cycles, sim.c.st_delay_cycles)]
        self.routing, self.vc_allocation, self.switch_allocation, self.crossbar = stages
        self.bids_everywhere = sim.c.bids_everywhere(sim.escapes_last)
        self.granted: list[tuple[int, int, int]] = []
        """What has won the switch in a batch: the step in which it is carried out, lane, output VC."""

    def join(self, o: int, lane: Lane, latency: int) -> None:
        """Connect output VC o to a lane over a link."""
        out_vc = self.out_vcs[o]
        lane.feeder, out_vc.lane, out_vc.exists = out_vc, lane, True
        out_vc.link_cycles = latency
        lane.credit_cycles = latency + self.c.credit_delay_cycles

    def takes_flit(self, o: int, t: int) -> bool:
        """Whether output VC o has a credit, and its port room for a flit that waits for the link."""
        room = self.c.output_buffer_flits
        if room and self.flits_out[o // self.sim.vcs].waiting(t, self.sim.clock.cycle(t)) >= room:
            return False
        return self.out_vcs[o].has_credit(t)

    def receive(self, t: int) -> None:
        """Flits and credits that arrive."""
        for lane in self.lanes:
            if lane.feeder.link.due:
                for flit in lane.feeder.link.arrived(t):
                    flit.arrived = t
                    lane.flits.append(flit)
        for out_vc in self.out_vcs:
            if out_vc.credit_wire.due:
                out_vc.take_credits(t)

    def step(self, t: int) -> None:
        """Route, allocate virtual channels, allocate the switch, traverse."""
        busy = [(b, lane) for b, lane in enumerate(self.lanes) if lane.flits]
        if not busy:
            return
        held = [(b, lane.out_vc) for b, lane in busy if lane.holds]
        goes_on = [(b, o) for b, o in held if self.takes_flit(o, t)]
        ready = [(b, lane) for b, lane in busy if lane.when <= t]
        sending = [(b, lane.out_vc, 0) for b, lane in ready if lane.state == "active"]
        begins = self.switch_allocation.takes(t, bool(sending))
        bids = [bid for bid in sending if begins and self.takes_flit(bid[1], t)]
        new = [(b, lane) for b, lane in ready if lane.state == "idle"]
        if self.routing.takes(t, bool(new)):
            for _, lane in new:
                lane.packet, lane.wanted = lane.flits[0].packet, []
                lane.state, lane.when = "routing", self._end_of_routing(t)
        for b, lane in busy:
            if lane.state == "routing" and lane.when <= t:
                self.route(b, lane, t)
        bids += self.allocate_vcs(t)
        inputs, outputs = {self.switch_input(b) for b, _ in held}, {self.switch_output(b, o) for b, o in held}
        bids = [bid for bid in bids if self.switch_input(bid[0]) not in inputs]
        bids = [bid for bid in bids if self.switch_output(*bid[:2]) not in outputs]
        for b, _ in held:
            self.lanes[b].holds = False
        for b, o in goes_on:
            self.traverse(b, o, t)
        won = self.allocate_switch(sorted(bids), t)
        if self.c.batched and self.switch_allocation.cycles > 1:
            won = self._at_the_end(won, t)
        for b, o in won:
            if self.lanes[b].state == "active" and b not in self.stalled and self._can_go(b, o, t):
                self.traverse(b, self.lanes[b].out_vc, t)

    def _can_go(self, b: int, o: int, t: int) -> bool:
        """Whether what lane b was granted for output VC o leads to its own output VC: to another one of that port, only
        where it bids at each output that it may take, and where there is a credit."""
        own = self.lanes[b].out_vc
        return own == o or (self.out_vcs[own].has_credit(t) and own // self.sim.vcs == o // self.sim.vcs)

    def _at_the_end(self, won: list[tuple[int, int]], t: int) -> list[tuple[int, int]]:
        """Of what has won the switch, now or before, that of which the allocation ends in step t."""
        end = self.sim.clock.after(t, self.switch_allocation.cycles) - 1
        for b, o in won:
            self.lanes[b].when = end + 1
            self.granted.append((end, b, o))
        ending = sorted((b, o) for when, b, o in self.granted if when == t)
        self.granted = [grant for grant in self.granted if grant[0] > t]
        return ending

    def _looks_late(self) -> bool:
        """Whether a routing looks at queues in the last step of route computation, and that is not the first."""
        return self.sim.looks and self.c.routing_delay_cycles > 1

    def _end_of_routing(self, t: int) -> int:
        """The step in which a route is found, of a head that comes to route computation in step t."""
        return self.sim.clock.after(t, self.c.routing_delay_cycles) - 1 if self._looks_late() else t

    def route(self, b: int, lane: Lane, t: int) -> None:
        """List the output VCs that the head at the front may take: (output VC, kind, next state)."""
        sim, packet, v, by_link = self.sim, lane.flits[0].packet, self.sim.vcs, b // self.sim.vcs < self.sim.link_inputs
        base = int(sim.kinds.first_vc[packet.kind])
        lane.packet, lane.state = packet, "waiting"
        lane.when = t + 1 if self._looks_late() else self.sim.clock.after(t, self.c.routing_delay_cycles)
        packet.hops += 1
        if by_link:
            packet.head[IN_PORT], packet.head[IN_VC] = b // v, b % v - base
        if sim.revises if by_link else sim.looks and not sim.enters:
            sim.start(packet, self.number, self.credits_used())
        out = new_out()
        n = sim.relation(self.number, packet.head, out)
        assert n >= 0, "no route"
        rows = out[:n].tolist()
        if self.c.channels_by_next_output and n:
            rows = sim.by_next_output(self.number, packet, rows)
        lane.wanted = [(int(p) * v + base + int(w), int(k), int(s)) for p, w, s, k in rows]
        if n == 0:
            index = packet.destination - int(np.searchsorted(sim.net.sink_router, self.number))
            ports = [sim.net.ports + index * self.c.ejection_ports + j for j in range(self.c.ejection_ports)]
            ends: Sequence[int] = [int(out[0, VC])] if sim.one_vc_at_ends else range(sim.class_vcs)
            if self.c.channels_by_next_output and by_link:
                ends = sim.part(ports[0], range(sim.class_vcs))
            lane.wanted = [(p * v + base + w, 0, int(packet.head[STATE])) for p in ports for w in ends]

    def credits_used(self) -> I64:
        """(P,) credits of each output port to a link that are used up."""
        used = np.zeros(self.sim.net.ports, np.int64)
        for o, out_vc in enumerate(self.out_vcs[: used.size * self.sim.vcs]):
            if out_vc.exists:
                used[o // self.sim.vcs] += self.c.lane_flits(self.sim.vcs) - out_vc.credits
        return used

    def _takes(self, o: int, packet: Packet, t: int, kind: int = NORMAL) -> bool:
        out_vc, beside = self.out_vcs[o], self.sim.bubble if kind & ENTERS else 0
        if out_vc.holder is not None:
            return False
        if self.c.vc_reuse == "empty" and not self._is_empty(o):
            return False
        if self.c.flow_control == "cut_through":
            return out_vc.credits >= packet.length + beside
        return out_vc.has_credit(t) or not self.c.vc_needs_credit

    def _able(self, lane: Lane, t: int) -> list[int]:
        """Output VCs that the waiting head of a lane may have now: normal ones, else escapes."""
        assert lane.packet is not None
        for escape in (False, True):
            wanted = [(o, kind) for o, kind, _ in lane.wanted if bool(kind & ESCAPE) == escape]
            able = [o for o, kind in wanted if self._takes(o, lane.packet, t, kind)]
            if able:
                return able
        return []

    def _choose(self, lane: Lane, able: list[int]) -> int:
        if len(able) == 1:
            return able[0]
        if self.c.selection == "credits":
            return min(able, key=lambda o: (-self.out_vcs[o].credits, o))
        if self.c.selection == "first":
            return able[0]
        if self._empty_first():
            able = [o for o in able if self._is_empty(o)] or able
        if self.c.places_kept[1]:
            return min(able, key=lambda o: self.lane_arbiters.place(self.lanes.index(lane), o))
        return min(able, key=lambda o: (o - lane.turn) % len(self.out_vcs))

    def _empty_first(self) -> bool:
        return self.c.vc_empty_first and self.c.vc_allocator not in BLIND

    def _is_empty(self, o: int) -> bool:
        """Whether the buffer behind output VC o is empty."""
        return self.out_vcs[o].credits == self.c.lane_flits(self.sim.vcs)

    def _first(self, o: int, rivals: list[int]) -> int:
        """The lane that goes first of those that ask for output VC o."""
        if len(rivals) == 1:
            return rivals[0]
        turn, blind = self.out_vcs[o].turn, self.c.vc_allocator in BLIND

        def after(b: int) -> int:
            if self.c.places_kept[1]:
                return self.out_vc_arbiters.place(o, self.asking_number(b))
            return (self.asking_number(b) - turn) % len(self.lanes)

        return min(rivals, key=lambda b: (0 if blind else self._order(b), after(b)))

    def match_out_vcs(self, t: int) -> tuple[dict[int, int], dict[int, int]]:
        """The output VCs of waiting heads that get one, by lane; those that the others would have chosen.

        Moves the turns of those that are matched, with several iterations in the first one only.
        """
        waiting = [b for b, lane in enumerate(self.lanes) if lane.state == "waiting" and lane.when <= t]
        if not self.vc_allocation.takes(t, bool(waiting)):
            return {}, {}
        able = {b: self._able(self.lanes[b], t) for b in waiting}
        able = {b: out_vcs for b, out_vcs in able.items() if out_vcs}
        chosen = {b: self._choose(self.lanes[b], out_vcs) for b, out_vcs in able.items()}
        won: dict[int, int] = {}
        for iteration in range(self.c.vc_allocator_iterations):
            left = {b: [o for o in out_vcs if o not in won.values()] for b, out_vcs in able.items() if b not in won}
            found = self._match_once({b: out_vcs for b, out_vcs in left.items() if out_vcs}, chosen, iteration, t)
            for b, o in found.items():
                if iteration == 0:
                    self.out_vcs[o].turn = (self.asking_number(b) + 1) % len(self.lanes)
                    self.lanes[b].turn = (o + 1) % len(self.out_vcs)
                    self.lane_arbiters.serve(b, o)
                    self.out_vc_arbiters.serve(o, self.asking_number(b))
            won |= found
        return won, {b: o for b, o in chosen.items() if b not in won}

    def _match_once(self, able: dict[int, list[int]], chosen: dict[int, int], iteration: int, t: int) -> dict[int, int]:
        """One iteration: what lanes get of the output VCs that they are able to take."""
        if self.c.vc_allocator in ("wavefront", "rr_wavefront"):
            cells = {(b, o): (self._order(b), self._late(b, o)) for b, out_vcs in able.items() for o in out_vcs}
            return dict(self._sweep(1, cells, self.asking_there, self.out_vcs_there, self.c.vc_allocator))
        if self.c.vc_allocator in WHOLE:
            return self._match_whole(1, able, self.asking_there, self.out_vcs_there, self.c.vc_allocator)
        if self.c.vc_allocator == "pim":
            first = (t * self.c.vc_allocator_iterations + iteration) * (len(self.lanes) + len(self.out_vcs))
            for b in able:
                self.lanes[b].turn = one_of(self.out_vcs_there, self.out_vc_key, first + b)
            for o, out_vc in enumerate(self.out_vcs):
                drawn = one_of(self.lanes_there, self.out_vc_key, first + len(self.lanes) + o)
                out_vc.turn = self.asking_number(drawn)
        asked = {b: [chosen[b]] for b in able} if self.c.vc_allocator == "input_first" else able
        granted: dict[int, list[int]] = {}
        for o in sorted({o for out_vcs in asked.values() for o in out_vcs}):
            granted.setdefault(self._first(o, [b for b in asked if o in asked[b]]), []).append(o)
        preferred = {b: [o for o in out_vcs if not self._late(b, o)] for b, out_vcs in granted.items()}
        return {b: self._choose(self.lanes[b], sorted(preferred[b] or granted[b])) for b in granted}

    def _late(self, b: int, o: int) -> bool:
        """Whether output VC o is among those that the head of lane b gets after the others."""
        if self._empty_first() and not self.sim.escapes_last:
            return not self._is_empty(o)
        if not self.sim.escapes_last or self.c.vc_allocator not in PREFERRING:
            return False
        escape = any(wanted == o and kind & ESCAPE for wanted, kind, _ in self.lanes[b].wanted)
        return escape or o >= self.sim.net.ports * self.sim.vcs

    def allocate_vcs(self, t: int) -> list[tuple[int, int, int]]:
        """Give free output VCs to waiting heads; returns the bids for the switch that are made in the same cycle."""
        speculates = self.c.speculation
        va, sa = self.c.vc_allocation_delay_cycles, self.c.switch_allocation_delay_cycles
        wait = max(va - sa, 0) if speculates else va
        bids = self._bids_everywhere(t) if self.bids_everywhere else []
        at_once = wait == 0 and not self.bids_everywhere
        won, lost = self.match_out_vcs(t)
        for b, o in won.items():
            lane = self.lanes[b]
            packet = lane.packet
            assert packet is not None
            self.out_vcs[o].hold(packet, t)
            lane.out_vc, lane.state, lane.when = o, "active", self.sim.clock.after(t, wait)
            packet.head[STATE] = next(state for wanted, _, state in lane.wanted if wanted == o)
            self.sim.record(self.sim.clock.cycle(t), at.EVENT_VC, lane.flits[0], self.number, o)
            if at_once and self.takes_flit(o, t):
                bids.append((b, o, int(speculates)))
        if at_once and speculates:
            bids += [(b, o, 1) for b, o in lost.items()]
        return bids

    def _bids_everywhere(self, t: int) -> list[tuple[int, int, int]]:
        """Bids of waiting heads at each output where they may take an output VC that is free and has a credit.

        A head of whose normal output VCs or whose escapes none is so bids in vain: it is among the `stalled`.
        """
        bids = []
        self.stalled = set()
        for b, lane in enumerate(self.lanes):
            if lane.state == "waiting" and lane.when <= t and self._able(lane, t):
                assert lane.packet is not None
                packet, escapes = lane.packet, {o for o, kind, _ in lane.wanted if kind & ESCAPE}
                wanted = sorted({o for o, _, _ in lane.wanted})
                open_now = [o for o in wanted if self._takes(o, packet, t) and self.out_vcs[o].has_credit(t)]
                two_ranges = self.sim.escapes_last
                if two_ranges and {o in escapes for o in wanted} != {o in escapes for o in open_now}:
                    self.stalled.add(b)
                first: dict[int, int] = {}
                for o in open_now:
                    first.setdefault(o // self.sim.vcs, o)
                bids += [(b, o, 1) for o in first.values()]
        return bids

    def traverse(self, b: int, o: int, t: int) -> None:
        """Send the flit at the front of a lane through its output VC, and its credit back."""
        lane, out_vc, clock, v = self.lanes[b], self.out_vcs[o], self.sim.clock, self.sim.vcs
        sa = self.c.switch_allocation_delay_cycles
        through = clock.after(t, min(sa, 1) if self.c.batched else sa)
        flit = lane.flits.popleft()
        flit.hops += 1
        leaves = self.credits_out[b // v].leave_together(t, clock.cycle(through - 1))
        lane.feeder.credit_wire.send(clock.first(leaves + 1 + lane.credit_cycles), None)
        self.sim.grants += 1
        flit.sent = self.sim.grants
        out = clock.after(self.crossbar.begins(through), self.c.st_delay_cycles) - 1
        leaves = self.flits_out[o // v].leave(clock.cycle(out))
        self.flits_out[o // v].crossing.append((out, leaves))
        out_vc.send(flit, clock.first(leaves + 1 + out_vc.link_cycles))
        self.sim.record(clock.cycle(t), at.EVENT_SWITCH, flit, self.number, o)
        if flit.is_tail:
            lane.state, lane.when = "idle", through
        else:
            lane.holds = self.c.hold_switch and bool(lane.flits)
