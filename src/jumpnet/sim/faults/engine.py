"""Faults during a simulation: links and routers die, what used them is lost, the rest is rerouted.

`FaultyEngine` is an `Engine` that stops before the cycle of a fault and, between two calls of the kernel:

1. takes out the packets that the fault breaks: those with flits in a dead router or on a dead link, those that are on
   their way through one, and those whose destination is gone (the part of the network that hangs together is kept);
2. binds the routing to what is left and proves it again;
3. sends every head that is in a router back to route computation, as if its packet started there.

A packet that had won or asked for a dead channel and had sent nothing into it is recovered in this way. With
`retry_cycles` a lost packet is sent again by its source so many cycles after it first entered (at once when that time
has passed); the time-out is exact: no packet that lives is sent twice. Packets of the old routes meet those of the new
ones, which a proof of either does not cover: `analysis.deadlock.changes.meeting` says at each fault whether both
together are acyclic. Where they are not, `drop` takes out the packets of the ring and `watch` leaves it to the run's
own watch to find a deadlock; `flush` takes out all packets at once, as reconfiguration at rest does. The procedure is
ours; used by `simulate.py` beside this file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.changes.meeting import meeting
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.start_hooks.followed import start_not_followed
from jumpnet.analysis.deadlock.walks.walkers import job_anywhere
from jumpnet.analysis.degradation import HOPS_LIMIT, tally
from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.fault.random_faults import working_part
from jumpnet.jit.linked import entry
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, bind
from jumpnet.routings.follow import calls_of
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.engine.team import Team
from jumpnet.sim.faults import purge
from jumpnet.sim.faults.affected import broken, in_flight, wanted
from jumpnet.sim.faults.plan import Fault, FaultCounts, Recovery
from jumpnet.sim.measure.checkpoint import identity
from jumpnet.sim.measure.checks import check
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, INJECTOR_ROW, LANE_ROW, OUT_VC_ROW, PACKET_ROW, TERMINAL_ROW
from jumpnet.sim.memory.packing import route_numbers
from jumpnet.sim.memory.record import memory_at
from jumpnet.sim.memory.rows import packet_at
from jumpnet.sim.memory.shape import start_sizes
from jumpnet.sim.memory.starts import start
from jumpnet.sim.resolve.by_routing import settle_reuse
from jumpnet.terms import I64, NO_ROUTER, Array
from jumpnet.traffic import PacketList
from jumpnet.traffic.injection_process import NEVER


@entry
def _start_again(record, packets, routers):
    """New headers for packets (K,) that start at routers (K,); what their start hook sees of queues is as it was."""
    m = memory_at(record)
    for k in range(len(packets)):
        packet = packet_at(m, packets[k])
        packet.source, packet.destination = routers[k], m.sink_router[packet.to_terminal]
        packet.state, packet.in_port, packet.in_vc, packet.intermediate = 0, -1, -1, -1
        start(m, packets[k], routers[k], -1)


class FaultyEngine(Engine):
    """An engine with faults on the way; `counts` says what became of the packets."""

    def __init__(
        self,
        net: Network,
        routing: str,
        config: SimConfig,
        faults: Sequence[Fault],
        recovery: Recovery,
        *,
        trace: PacketList | None = None,
        threads: int | None = None,
    ) -> None:
        config.require_basic_router("faults")
        super().__init__(net, routing, config, trace, threads)
        self.whole, self.recovery = net, recovery
        self.reroute, self._asked = recovery.reroute or routing, config
        self.counts = FaultCounts()
        self.verdicts: list[str] = []
        """What the proof of the routing said after each fault."""
        self.meetings: list[dict[str, Any]] = []
        """For each fault its cycle, the `verdict` of `meeting`, the ring's (router, port, vc), packets dropped."""
        self._faults = sorted(faults, key=lambda fault: fault.cycle)
        self._resend: set[tuple[int, int, int, int, int]] = set()
        """(cycle, source, class, number, packet row) of what is to be sent again."""
        self._made: Dependencies | None = None
        """Those of the routing since the last fault, for the moment of the next."""
        self._dead: tuple[set[int], set[tuple[int, int]]] = set(), set()
        self._lists_until = 0
        """Cycle from which on no two credits of an output VC are on their way for the same cycle."""
        self._routes_fit = True
        """Whether the table of kept routes, sized for the first routing, tells apart all that this one reads."""
        self._works = np.ones(self.shape.terminals, bool)
        self._missing: int | None = None
        """Packets taken from the processes and not created, by the last fault."""
        for fault in self._faults:  # names are checked before the run
            degraded(net, fault.routers, fault.channels(net))
        how = [asdict(fault) for fault in self._faults], {**asdict(recovery), "reroute": self.reroute}
        self.begun = hashlib.sha256(f"{identity(self)}{json.dumps(how)}".encode()).hexdigest()
        """Hash of all that the run depends on, faults to come included (see `checkpoint.identity`)."""

    def remember(self) -> dict[str, Any]:
        """What a checkpoint keeps besides the arrays: plain numbers and names."""
        return {
            "applied": len(self.verdicts),
            "resend": sorted(self._resend),
            "counts": asdict(self.counts),
            "verdicts": self.verdicts,
            "meetings": self.meetings,
            "missing": self._missing,
        }

    def recall(self, kept: dict[str, Any]) -> None:
        """Stand where `remember` was asked, on the network that was left; the arrays follow from the checkpoint."""
        for _ in range(kept["applied"]):
            self._die(self._faults.pop(0))
        if kept["applied"]:
            part = self._part()
            ends = part.terminals + part.sinks
            self._works = ends[self.state.source_router] > 0
            self._take_over(part, bind(self.reroute, part, self.routing.vcs))
        self._resend = {tuple(item) for item in kept["resend"]}
        self.counts = FaultCounts(**kept["counts"])
        self.verdicts, self.meetings = kept["verdicts"], kept["meetings"]
        self._missing = kept["missing"]

    def advance(self, cycles: int) -> float:
        """Simulate so many cycles, through the faults and resends among them."""
        last, spent = self.cycle + cycles, 0.0
        while self.cycle < last:
            while self._faults and self._faults[0].cycle <= self.cycle:
                self._apply(self._faults.pop(0))
            stops = *(fault.cycle for fault in self._faults[:1]), self._lists_until
            step = min([last, *(cycle for cycle in stops if cycle > self.cycle)])
            if self._resend:
                self._send_again()
            if self._resend:
                step = min(step, max(min(self._resend)[0], self.cycle + 1))
            spent += super().advance(step - self.cycle)
        return spent

    def _as_sets(self) -> bool:
        """Not while the credits of flits that a fault took out come back: `take_out` gives some back together.

        Nor under a routing that reads more of a packet than kept routes are found by; threads keep none.
        """
        fit = self._routes_fit or self.team is not None
        return fit and self.cycle >= self._lists_until and super()._as_sets()

    def _apply(self, fault: Fault) -> None:
        """Everything that a fault does; the laws of `checks` hold afterwards."""
        self._die(fault)
        part = self._part()
        bound = self._bind(part)
        before = self.network
        gone = np.flatnonzero((before.terminals + before.sinks > 0) & (part.terminals + part.sinks == 0))
        dead = (before.neighbor != NO_ROUTER) & (part.neighbor == NO_ROUTER)
        self._count_not_created()
        flits = purge.contents(self)
        asking = wanted(self, dead)
        lost, cut_off = broken(self, flits, dead, gone, self.recovery.flush)
        self.counts.flits_lost += purge.take_out(self, flits, lost | cut_off)
        self._silence(gone)
        for p in sorted(lost | cut_off):
            self._lose(p, p not in cut_off)
        self._forget_hopeless()
        again = purge.send_back(self)
        self.counts.rerouted += len(again)
        self._bury(dead)
        self._take_over(part, bound)
        self._start_here(flits)
        dropped = self._meet(flits)
        self.counts.recovered += len(asking & set(again) - dropped)
        purge.settle(self)
        check(self)

    def _die(self, fault: Fault) -> None:
        """Add what a fault names to what is dead; the last credits of what it broke come one credit delay later."""
        dead_routers, dead_links = self._dead
        dead_routers.update(fault.routers)
        dead_links.update(fault.channels(self.whole))
        self._lists_until = fault.cycle + int(self.lanes[:, LANE_ROW.credit].max()) + 1

    def _part(self) -> Network:
        """What is left and hangs together."""
        dead_routers, dead_links = self._dead
        return working_part(degraded(self.whole, routers=dead_routers, links=dead_links))

    def _bind(self, part: Network) -> BoundRouting:
        """The routing on what is left: all routes followed, and proved."""
        bound, vcs = bind(self.reroute, part, self.routing.vcs), self.routing.vcs
        if bound.needed > vcs:
            raise JumpnetError(
                f"routing {bound.name} needs {bound.needed} virtual channels after the fault at cycle {self.cycle}, "
                f"{vcs} found; --set vcs={bound.needed} gives them"
            )
        starts = start_sizes(bound, self.shape.rd)
        if any(getattr(self.shape, name) != starts[name] for name in ("start_sees", "start_revises", "start_enters")):
            raise JumpnetError(f"reroute {bound.name} found, which looks at other queues than {self.routing.name} does")
        if bound.routing.bubble:
            raise JumpnetError(f"reroute {bound.name} found, a routing without bubble flow control expected")
        if settle_reuse(self._asked, bound).vc_reuse != self.config.vc_reuse == "tail":
            first = self.routing.name
            raise JumpnetError(f"reroute {bound.name} has escapes, {first} has none; vc_reuse=empty expected")
        ends = np.flatnonzero((part.terminals > 0) & (part.sinks > 0)).astype(np.int64)
        totals, load = np.array([0, 0, 0, 0, -1, -1], np.int64), np.zeros((part.routers, part.ports))
        limit = min(HOPS_LIMIT, 4 * part.routers + 64)
        tally(calls_of(bound), bound.draws, ends, np.ones(len(ends), np.int64), limit, totals, load)
        if totals[4] >= 0:
            raise JumpnetError(
                f"routing {bound.name} has no route from router {totals[4]} to {totals[5]} after the fault at cycle "
                f"{self.cycle}; name a routing that has one for the time after it, such as lash or up_down"
            )
        if bound.own and (gap := start_not_followed(bound, job_anywhere(bound))) is not None:
            raise JumpnetError(gap)  # what heads that are routed anew may do, which `_meet` follows
        self._made = dependencies(bound)
        self.verdicts.append(prove(bound, made=self._made).verdict)
        return bound

    def _silence(self, gone: I64) -> None:
        """Terminals of dead routers send nothing more; what waited there or for them is lost."""
        st = self.state
        self._works &= ~np.isin(st.source_router, gone)
        for i in np.flatnonzero(st.terminal[:, TERMINAL_ROW.reply_first] >= 0).tolist():
            waiting = purge.waiting_replies(self, i)
            kept = [p for p in waiting if self._works[i] and self._works[self.packet(p).to_terminal]]
            for p, following in zip(kept, [*kept[1:], -1], strict=False):
                st.packet[p // at.PACKET_FIELDS, PACKET_ROW.following] = following
            ends = (kept[0], kept[-1]) if kept else (-1, -1)
            st.terminal[i, [TERMINAL_ROW.reply_first, TERMINAL_ROW.reply_last]] = ends
            for p in [p for p in waiting if p not in kept]:
                self._lose(p, False)
        quiet = np.flatnonzero(~self._works)
        st.terminal[quiet, TERMINAL_ROW.next_creation] = NEVER
        for i in quiet.tolist():
            st.awake[i >> 5] &= ~(np.int64(1) << (i & 31))

    def _lose(self, p: int, may_retry: bool) -> None:
        """A packet that is out of the network: sent again later, or gone for good."""
        packet = self.packet(p)
        after = self.recovery.retry_cycles
        if may_retry and after is not None and self._works[packet.from_terminal]:
            self.counts.retried += 1
            when = max(self.cycle, packet.injected + after)
            self._resend.add((when, packet.from_terminal, packet.kind & at.KIND, packet.number, p))
            return
        self.counts.lost += 1
        self.counts.cut_off += not may_retry or not self._works[packet.from_terminal]
        if packet.kind & at.MEASURED:
            self.state.counter[COUNTER.created_measured] -= 1
            self.state.counter[COUNTER.created_flits_measured] -= packet.length
        purge.free_row(self, p)

    def _forget_hopeless(self) -> None:
        """Resends whose source or destination is gone are lost after all."""
        for item in sorted(self._resend):
            packet = self.packet(item[-1])
            if not (self._works[packet.from_terminal] and self._works[packet.to_terminal]):
                self._resend.remove(item)
                self.counts.retried -= 1
                self._lose(item[-1], False)

    def _bury(self, dead: Array) -> None:
        """Dead channels lead nowhere any more, and no new packet goes to a terminal that is gone."""
        s, st = self.shape, self.state
        out_vc = st.out_vc.reshape(s.routers, s.outputs, s.vcs, at.OUT_VC_FIELDS)[:, : s.link_outputs]
        out_vc[dead, :, OUT_VC_ROW.to] = out_vc[dead, :, OUT_VC_ROW.owner] = -1
        st.link_ok[dead] = 0
        st.sink_router[~self._works] = -1

    def _take_over(self, part: Network, bound: BoundRouting) -> None:
        """From here on the kernel sees the network that is left and its routing."""
        self.network, self.routing, memory = part, bound, self.memory
        memory.shape = self.shape._replace(**start_sizes(bound, self.shape.rd))
        routes = {"relation": bound.pointer, "start": bound.start_pointer, "view": bound.view}
        memory.program = memory.program._replace(**routes)
        memory.replace_arrays(self.state)
        kept = memory.state.routes.size
        self._routes_fit = kept == 0 or 0 < route_numbers(self.shape, bound) <= kept
        if self.team is not None:  # its threads know the routing and which links cross between them
            self.team = Team(memory, self.team.threads)

    def _meet(self, flits: purge.Flits) -> set[int]:
        """Say whether old and new routes may wait for each other; `drop` takes out the packets of such rings."""
        assert self._made is not None
        made, net, vcs = self._made, self.network, self.routing.vcs
        verdict, ring, dropped = "proved", tuple[int, ...](), set[int]()
        for kind in range(self.shape.classes):
            found = meeting(made, in_flight(self, self.whole, flits)[kind])
            if verdict == "proved":
                verdict, ring = found.verdict, found.ring
            while found.verdict == "ring" and self.recovery.on_ring == "drop":
                self.counts.flits_lost += purge.take_out(self, flits, set(found.packets))
                for p in sorted(found.packets):
                    self._lose(p, True)
                dropped |= found.packets
                found = meeting(made, in_flight(self, self.whole, flits)[kind])
        self.counts.dropped_on_rings += len(dropped)
        channels = [[c // (net.ports * vcs), c // vcs % net.ports, c % vcs] for c in ring]
        self._made = None
        self.meetings.append({"cycle": self.cycle, "verdict": verdict, "ring": channels, "dropped": len(dropped)})
        return dropped

    def _start_here(self, flits: purge.Flits) -> None:
        """Every packet whose head is in a router, or has not entered yet, starts where it is under the new routing."""
        st = self.state
        where = {p: k // self.shape.lanes for k, p in purge.heads_inside(self, flits)}
        ports = st.injector[:, [INJECTOR_ROW.packet, INJECTOR_ROW.vc]].tolist()
        for p in (p for p, vc in ports if p >= 0 and vc < 0):
            where[p] = int(st.source_router[self.packet(p).from_terminal])
        self._restart(where)

    def _restart(self, where: dict[int, int]) -> None:
        """New headers for packets that start at some router, whose queues their start hook takes for empty."""
        self.state.waiting[:] = 0
        _start_again(self.memory.general_address, *(np.array(list(p), np.int64) for p in (where, where.values())))

    def _send_again(self) -> None:
        """Packets whose time-out has passed enter at their source as soon as a port of it is between two packets."""
        s, st = self.shape, self.state
        injector = st.injector
        for item in sorted(item for item in self._resend if item[0] <= self.cycle):
            _, i, kind, _, p = item
            ports = [(i * s.injection_ports + j) * s.classes + kind for j in range(s.injection_ports)]
            free = [k for k in ports if injector[k, INJECTOR_ROW.packet] < 0]
            if not free:
                continue
            row = st.packet[p // at.PACKET_FIELDS]
            row[PACKET_ROW.hops] = 0
            self._restart({p: int(st.source_router[i])})
            injector[free[0], [INJECTOR_ROW.packet, INJECTOR_ROW.left, INJECTOR_ROW.vc]] = p, row[PACKET_ROW.length], -1
            st.awake[i >> 5] |= np.int64(1) << (i & 31)
            self._resend.remove(item)

    def _count_not_created(self) -> None:
        """Add up the packets taken from the processes since the last fault that were not created."""
        missing = int(self.state.terminal[:, TERMINAL_ROW.sequence].sum() - self.state.counter[COUNTER.created])
        if self._missing is not None:
            self.counts.not_created += missing - self._missing
        self._missing = missing

    def finish(self) -> FaultCounts:
        """The counts at the end of a run."""
        if self._missing is not None:
            self._count_not_created()
        return self.counts
