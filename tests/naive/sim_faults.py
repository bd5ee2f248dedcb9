"""Faults on the reference simulator, slow and obvious: packets are objects, so taking one out is taking it out."""

from __future__ import annotations

from collections import deque

import numpy as np
from tests.naive.dependency import candidates

from jumpnet.jit.random import below, draw63
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import new_head
from jumpnet.sim.memory import layout as at
from jumpnet.sim.reference.simulation import Simulation
from jumpnet.traffic.injection_process import NEVER


class FaultySimulation:
    """Faults for a `Simulation`; `run` does what `FaultyEngine.advance` does."""

    def __init__(self, sim: Simulation, retry: int | None, flush: bool) -> None:
        self.sim, self.retry, self.flush = sim, retry, flush
        self.resend: list[tuple[int, int, int, int, object]] = []
        self.lost, self.retried, self.recovered = 0, 0, 0
        self.entered: dict[object, int] = {}
        self.works = np.ones(sim.net.endpoints, bool)
        self.flit_hops, self.record, sim.record = 0, sim.record, self.count
        self.where = {
            id(o): (r, k // sim.vcs) for r, router in enumerate(sim.routers) for k, o in enumerate(router.out_vcs)
        }

    def run(self, cycles: int, faults: dict[int, tuple[Network, BoundRouting]]) -> None:
        """So many cycles; `faults`: what is left from a cycle on, and its routing."""
        for t in range(self.sim.cycle, self.sim.cycle + cycles):
            if t in faults:
                self.apply_fault(t, *faults[t])
            self.send_again(t)
            before = {id(p): p.current[:] for i in self.sim.terminals for p in i.ports}
            self.sim.run(1)
            for terminal in self.sim.terminals:  # the cycle in which each packet's head entered
                for port in terminal.ports:
                    for old, new in zip(before[id(port)], port.current, strict=True):
                        self.note(old, new, t)

    def count(self, cycle: int, kind: int, flit, router: int, place: int) -> None:
        """Record an event; a tail that leaves for its terminal adds the hops of its packet's flits."""
        self.record(cycle, kind, flit, router, place)
        if kind == at.EVENT_SWITCH and flit.is_tail and place >= self.sim.net.ports * self.sim.vcs:
            self.flit_hops += flit.packet.hops * flit.packet.length

    def note(self, old, new, t: int) -> None:
        """Write down the cycle in which a head entered: its packet has one flit sent, and had none before."""
        if new is not None and new[1] == 1 and (old is None or old[0] is not new[0] or old[1] == 0):
            self.entered[new[0]] = t
        elif new is None and old is not None and old[1] == 0:
            self.entered[old[0]] = t

    def lanes(self):
        """(router, lane, flits in it or on its link, the oldest first)."""
        for router in self.sim.routers:
            for lane in router.lanes:
                yield router, lane, [*lane.flits, *(f for _, f in lane.feeder.link.due)]

    def apply_fault(self, t: int, part: Network, bound: BoundRouting) -> None:
        """Take out, silence, route anew."""
        sim, net = self.sim, self.sim.net
        gone = (net.terminals > 0) & (part.terminals == 0)
        self.works = ~gone[net.terminal_router]
        dead = (net.neighbor >= 0) & (part.neighbor < 0)
        ports = [port for terminal in sim.terminals for port in terminal.ports]
        current = [entry for port in ports for entry in port.current if entry]
        broken, seen = set(), {packet for packet, _, _ in current}
        wanting = set()
        for router, lane, inside in self.lanes():
            r, p = self.where.get(id(lane.feeder), (0, net.ports))
            on_dead = p < net.ports and dead[r, p]
            seen |= {f.packet for f in inside}
            broken |= {f.packet for f in inside if self.flush or gone[router.number]}
            broken |= {f.packet for _, f in lane.feeder.link.due if on_dead}
            has_head = any(f.packet is lane.packet and f.index == 0 for f in inside)
            out_vcs = [lane.out_vc] if lane.state == "active" else [o for o, _, _ in lane.wanted]
            port_dead = [o // sim.vcs < net.ports and dead[router.number, o // sim.vcs] for o in out_vcs]
            if lane.state == "active" and not has_head and port_dead[0]:
                broken.add(lane.packet)
            if lane.state != "idle" and has_head and any(port_dead):
                wanting.add(lane.packet)
        if self.flush:
            broken |= {packet for packet, index, _ in current if index > 0}
        hopeless = {p for p in seen if not self.works[p.destination]}
        hopeless |= {p for p, _, _ in current if not self.works[p.source]}
        if sim.c.reply_flits:
            hopeless |= {p for p in seen if p.kind == 0 and not self.works[p.source]}
        self.remove(t, broken | hopeless)
        for packet in broken | hopeless:
            if self.retry is not None and packet not in hopeless and self.works[packet.source]:
                self.retried += 1
                self.push(max(t, self.entered[packet] + self.retry), packet)
            else:
                self.lost += 1
        for item in [item for item in self.resend if not (self.works[item[1]] and self.works[item[4].destination])]:
            self.resend.remove(item)
            self.retried, self.lost = self.retried - 1, self.lost + 1
        self.silence()
        sim.routing = bound
        for router, lane, inside in self.lanes():
            front = next((f for f in inside if f.packet is lane.packet and f.index == 0), None)
            if lane.state != "idle" and front is not None:
                choosing = lane.state == "routing"
                self.let_go(router, lane, t)
                lane.packet.hops -= not choosing
                self.recovered += lane.packet in wanting
            for flit in inside:
                if flit.index == 0:
                    self.start(flit.packet, router.number)
        for packet, index, _ in [entry for port in ports for entry in port.current if entry]:
            if index == 0:
                self.start(packet, int(net.terminal_router[packet.source]))

    def dependencies(self, kind: int) -> set[tuple]:
        """What packets of a class in flight hold and will ask for, channels as (router, port, vc); after a fault."""
        sim, net, found = self.sim, self.sim.net, set()
        own = {
            id(o): (r, *divmod(k, sim.vcs))
            for r, router in enumerate(sim.routers)
            for k, o in enumerate(router.out_vcs)
        }

        def channel(r: int, port: int, vc: int):
            return (r, port, vc % sim.routing.vcs) if port < net.ports and vc // sim.routing.vcs == kind else None

        for router, lane, inside in self.lanes():
            held = channel(*own[id(lane.feeder)]) if id(lane.feeder) in own else None
            if lane.state == "active" and held:
                found.add((held, channel(router.number, *divmod(lane.out_vc, sim.vcs))))
            for p in {f.packet for f in inside if f.index == 0 and f.packet.kind == kind}:
                todo = [(held, router.number, -1, -1, int(p.head[2]))]
                if held:
                    todo = [(held, router.number, int(net.far_port[held[0], held[1]]), held[2], int(p.head[2]))]
                while todo:
                    before, here, in_port, in_vc, state = todo.pop()
                    ends = int(p.head[0]), int(p.head[1])
                    for port, vc, after, _ in candidates(
                        sim.routing, *ends, here, in_port, in_vc, state, int(p.head[5])
                    ):
                        if before:
                            found.add((before, (here, port, vc)))
                        there = int(net.neighbor[here, port]), int(net.far_port[here, port])
                        todo.append(((here, port, vc), *there, vc, after))
        return {(a, b) for a, b in found if a and b}

    def push(self, when: int, packet) -> None:
        self.resend.append((when, packet.source, packet.kind, packet.number, packet))
        self.resend.sort(key=lambda item: item[:4])

    def let_go(self, router, lane, t: int) -> None:
        if lane.state == "active":
            router.out_vcs[lane.out_vc].holder = None
        lane.state, lane.when = "idle", t

    def remove(self, t: int, lost) -> None:
        for router, lane, inside in self.lanes():
            link = lane.feeder.link
            for flit in inside:
                if flit.packet in lost:
                    lane.feeder.credit_wire.send(
                        t + self.sim.c.switch_allocation_delay_cycles + lane.credit_cycles, None
                    )
            lane.flits = type(lane.flits)(f for f in lane.flits if f.packet not in lost)
            link.due = type(link.due)((c, f) for c, f in link.due if f.packet not in lost)
            if lane.state != "idle" and lane.packet in lost:
                self.let_go(router, lane, t)
        for terminal in self.sim.terminals:
            for port in terminal.ports:
                port.current = [None if entry and entry[0] in lost else entry for entry in port.current]

    def silence(self) -> None:
        for terminal in self.sim.terminals:
            (source,) = terminal.sources
            terminal.replies = _Replies(self, terminal.number, terminal.replies)
            if not self.works[terminal.number]:
                source.next_creation = NEVER
                source.queue.clear()
                terminal.replies.clear()
                continue
            source.queue = deque(p for p in source.queue if self.works[p.destination])
            source.pattern = _Filtered(getattr(source.pattern, "inner", source.pattern), self.works)

    def start(self, packet, router: int) -> None:
        """A new header, as if the packet started at a router."""
        sim = self.sim
        packet.head = new_head(router, int(sim.net.sink_router[packet.destination]))
        routing = sim.routing
        if routing.routing.start is not None:
            key = sim.terminals[packet.source].sources[0].keys[1]
            draw = int(below(draw63(key, 4 * packet.number + 2 + packet.kind), routing.draws))
            routing.routing.start(routing.view, packet.head, draw, np.zeros(sim.net.ports, np.int64))

    def send_again(self, t: int) -> None:
        for item in [item for item in self.resend if item[0] <= t]:
            _, source, kind, _, packet = item
            for port in self.sim.terminals[source].ports:
                if port.current[kind] is None:
                    packet.hops = 0
                    self.start(packet, int(self.sim.net.terminal_router[source]))
                    port.current[kind] = (packet, 0, -1)
                    self.resend.remove(item)
                    break


class _Replies(deque):
    """Replies that wait; those of dead terminals, and those to dead ones, are lost when they come."""

    def __init__(self, faulty: FaultySimulation, owner: int, given) -> None:
        super().__init__()
        self.faulty, self.owner = faulty, owner
        for packet in given:
            self.append(packet)

    def append(self, packet) -> None:
        if self.faulty.works[self.owner] and self.faulty.works[packet.destination]:
            super().append(packet)
        else:
            self.faulty.lost += 1


class _Filtered:
    """A pattern without packets to terminals that are gone."""

    def __init__(self, inner, works) -> None:
        self.inner, self.works, self.draws = inner, works, inner.draws

    def __call__(self, source: int, draw: int) -> int:
        to = self.inner(source, draw)
        return to if to >= 0 and self.works[to] else -1
