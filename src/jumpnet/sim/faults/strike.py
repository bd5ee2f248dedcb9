"""Faults that strike during a simulation: links and routers die, what used them is lost, the rest is routed anew.

`FaultyEngine` is an `Engine` that stops before the cycle of a fault and, between two calls of the kernel:

1. takes out the packets that the fault breaks: those with flits in a dead router or on a dead link, those that are on
   their way through one, and those whose destination is gone (the part of the network that hangs together is kept);
2. binds the routing to what is left and proves it again;
3. sends every head that is in a router back to route computation, as if its packet started there.

A packet that had won or asked for a dead channel and had sent nothing into it is recovered in this way. With
`retry_cycles` a lost packet is sent again by its source so many cycles after it first entered (at once when that time
has passed); the time-out is exact: no packet that lives is sent twice. Packets of the old routes meet those of the new
ones, which a proof of either does not cover: `flush` takes out all packets, as reconfiguration at rest does, else
the run's own watch finds a deadlock. The procedure is ours; used by `simulate_with_faults` and `jumpnet simulate`.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from jumpnet._jit import jit
from jumpnet._random import below, draw63
from jumpnet.analysis.degradation import HOPS_LIMIT, tally
from jumpnet.analysis.prove import prove
from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.fault.random_faults import working_part
from jumpnet.network import Network
from jumpnet.routing import BoundRouting, bind
from jumpnet.routing._view import DESTINATION, HEADER_FIELDS, IN_PORT, IN_VC, INTERMEDIATE, SOURCE, call_start
from jumpnet.sim import _layout as at
from jumpnet.sim.checks import check
from jumpnet.sim.config import SimConfig, preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.faults.plan import Fault, FaultCounts, parse_fault, ports_between
from jumpnet.sim.faults.purge import (
    Flits,
    contents,
    feeders,
    free_row,
    lanes_of,
    send_back,
    settle,
    take_out,
    waiting_replies,
)
from jumpnet.sim.result import Result
from jumpnet.sim.simulate import measure
from jumpnet.terms import I64, NO_ROUTER, Array
from jumpnet.topology import build
from jumpnet.traffic import BoundPattern
from jumpnet.traffic._pattern import Pattern
from jumpnet.traffic._process import NEVER

__all__ = ["FaultyEngine", "simulate_with_faults"]


@jit
def _start_again(start, view, heads, draws, queue):
    """Run the start hook on every header (n, 8)."""
    for k in range(draws.size):
        call_start(start, view, heads[k], draws[k], queue)


def _only_to(pattern: BoundPattern, works: Array) -> BoundPattern:
    """The pattern without packets to terminals that are gone; `works` (T,) bool."""
    inner = jit(pattern.pattern.destination)
    first = len(works)

    def destination(own, source, draw):
        to = inner(own[first:], source, draw)
        return to if to >= 0 and own[to] == 1 else -1

    made = Pattern(f"{pattern.pattern.name} to what works", destination, lambda net, options: own)
    own = np.concatenate([works.astype(np.int64), pattern.own])
    return BoundPattern(made, pattern.network, pattern.options, own, pattern.draws)


class FaultyEngine(Engine):
    """An engine on which faults strike; `counts` says what became of the packets."""

    def __init__(
        self,
        net: Network,
        routing: str,
        config: SimConfig,
        faults: Sequence[Fault],
        *,
        reroute: str | None = None,
        retry_cycles: int | None = None,
        flush: bool = False,
    ) -> None:
        """`reroute`: the routing after the first fault, the same one when left out."""
        super().__init__(net, routing, config)
        if retry_cycles is not None and retry_cycles < 0:
            raise JumpnetError(f"a retry after {retry_cycles} cycles found, 0 or more expected")
        self.whole, self.plain_pattern = net, self.pattern
        self.reroute, self.retry_cycles, self.flush = reroute or routing, retry_cycles, flush
        self.counts = FaultCounts()
        self.verdicts: list[str] = []
        """What the proof of the routing said after each fault."""
        self._faults = sorted(faults, key=lambda fault: fault.cycle)
        self._resend: list[tuple[int, int, int, int, int]] = []
        """Heap of (cycle, source, class, number, packet row)."""
        self._dead: tuple[set[int], set[tuple[int, int]]] = set(), set()
        self._works = np.ones(self.shape.terminals, bool)
        self._taken: tuple[int, int] | None = None
        self._alive: list[object] = []  # what the kernel points into
        for fault in self._faults:  # names are checked before the run
            degraded(net, routers=fault.routers)
            for a, b in fault.links:
                ports_between(net, a, b)

    def advance(self, cycles: int) -> float:
        """Simulate so many cycles, through the faults and resends among them."""
        last, spent = self.cycle + cycles, 0.0
        while self.cycle < last:
            while self._faults and self._faults[0].cycle <= self.cycle:
                self._strike(self._faults.pop(0))
            step = min([last, *(fault.cycle for fault in self._faults[:1])])
            if self._resend:
                self._send_again()
            if self._resend:
                step = min(step, max(self._resend[0][0], self.cycle + 1))
            spent += super().advance(step - self.cycle)
        return spent

    def _strike(self, fault: Fault) -> None:
        """Everything that a fault does; the laws of `checks` hold afterwards."""
        dead_routers, dead_links = self._dead
        dead_routers.update(fault.routers)
        for a, b in fault.links:
            dead_links.update(ports_between(self.whole, a, b))
        part = working_part(degraded(self.whole, routers=dead_routers, links=dead_links))
        bound = self._bind(part)
        before = self.network
        gone = np.flatnonzero((before.terminals + before.sinks > 0) & (part.terminals + part.sinks == 0))
        dead = (before.neighbor != NO_ROUTER) & (part.neighbor == NO_ROUTER)
        self._count_not_created()
        flits = contents(self)
        wanted = self._wanted(dead)
        broken, cut_off = self._broken(flits, dead, gone)
        self.counts.flits_lost += take_out(self, flits, broken | cut_off)
        self._silence(gone)
        for p in sorted(broken | cut_off):
            self._lose(p, p not in cut_off)
        self._forget_hopeless()
        again = send_back(self)
        self.counts.rerouted += len(again)
        self.counts.recovered += len(wanted & set(again))
        self._swap(part, bound, dead)
        self._start_here(flits)
        settle(self)
        check(self)

    def _bind(self, part: Network) -> BoundRouting:
        """The routing on what is left: all routes followed, and proved."""
        vcs = self.routing.vcs
        bound = bind(self.reroute, part, vcs)
        if bound.needed > vcs:
            raise JumpnetError(
                f"routing {bound.name} needs {bound.needed} virtual channels after the fault at cycle {self.cycle}, "
                f"{vcs} found; --set vcs={bound.needed} gives them"
            )
        ends = np.flatnonzero((part.terminals > 0) & (part.sinks > 0)).astype(np.int64)
        totals, load = np.array([0, 0, 0, 0, -1, -1], np.int64), np.zeros((part.routers, part.ports))
        limit = min(HOPS_LIMIT, 4 * part.routers + 64)
        pointers = bound.pointer, bound.start_pointer, bound.view
        tally(*pointers, bound.draws, ends, np.ones(len(ends), np.int64), limit, totals, load)
        if totals[4] >= 0:
            raise JumpnetError(
                f"routing {bound.name} has no route from router {totals[4]} to {totals[5]} after the fault at cycle "
                f"{self.cycle}; name one that has for the time after it, such as lash or up_down"
            )
        self.verdicts.append(prove(bound).verdict)
        return bound

    def _wanted(self, dead: Array) -> set[int]:
        """Front packets that hold or ask for a dead channel, their head not gone yet."""
        s, st = self.shape, self.state
        rows = lanes_of(self)[0][: s.routers * s.lanes]
        found = set()
        for k in np.flatnonzero(rows[:, at.OUTLET] != at.IDLE).tolist():
            ports = dead[k // s.lanes]
            o = int(rows[k, at.OUTLET])
            if o >= 0:
                asks = rows[k, at.LEFT] < 0 and o // s.vcs < s.link_outputs and ports[o // s.vcs]
            else:
                words = st.wants[k, : s.outlet_words] | st.wants[k, s.outlet_words : 2 * s.outlet_words]
                outlets = [o for o in range(s.link_outputs * s.vcs) if words[o >> 5] >> (o & 31) & 1]
                asks = any(ports[o // s.vcs] for o in outlets)
            if asks:
                found.add(int(rows[k, at.PACKET]))
        return found

    def _broken(self, flits: Flits, dead: Array, gone: I64) -> tuple[set[int], set[int]]:
        """(packets that the fault breaks, packets whose end is gone: a destination, or a source not left whole)."""
        s, st = self.shape, self.state
        rows = lanes_of(self)[0]
        out, fed_by = set(gone.tolist()), feeders(self)
        broken: set[int] = set()
        for k, inside in flits.items():
            o = fed_by.get(k)
            r, port = (-1, 0) if o is None else (o // s.outlets, o % s.outlets // s.vcs)
            on_dead_link = o is not None and port < s.link_outputs and dead[r, port]
            for _, cycle, p in inside:
                if self.flush or k // s.lanes in out or (on_dead_link and cycle >= self.cycle):
                    broken.add(p)
        sending = (rows[: s.routers * s.lanes, at.OUTLET] >= 0) & (rows[: s.routers * s.lanes, at.LEFT] > 0)
        for k in np.flatnonzero(sending).tolist():
            o = int(rows[k, at.OUTLET])
            if o // s.vcs < s.link_outputs and dead[k // s.lanes, o // s.vcs]:
                broken.add(int(rows[k, at.PACKET]))
        injector = st.injector.reshape(-1, at.INJECTOR_FIELDS)
        entering = [int(p) for p in injector[:, at.I_PACKET] if p >= 0]
        alive = {p for inside in flits.values() for _, _, p in inside} | set(entering)
        if self.flush:
            broken |= {int(p) for p, v in injector[:, [at.I_PACKET, at.I_VC]] if p >= 0 and v >= 0}
        hopeless = {p for p in entering if self._ends(p)[0] in out}
        for p in alive:
            source, destination, kind = self._ends(p)
            # A request whose asker is gone would be answered into nothing.
            if destination in out or (s.classes > 1 and kind == 0 and source in out):
                hopeless.add(p)
        return broken, hopeless

    def _ends(self, p: int) -> tuple[int, int, int]:
        """Source router, destination router and message class of a packet."""
        st, row = self.state, self.state.packet[p // at.PACKET_FIELDS]
        return int(st.source_router[row[at.FROM]]), int(st.sink_router[row[at.AIM]]), int(row[at.KIND]) & 15

    def _silence(self, gone: I64) -> None:
        """Terminals of dead routers send nothing more; what waited there or for them is lost."""
        st = self.state
        self._works &= ~np.isin(st.source_router, gone)
        quiet = np.flatnonzero(~self._works)
        dropped = waiting_replies(self, quiet)
        for i in np.flatnonzero(self._works & (st.terminal[:, at.REPLY_FIRST] >= 0)).tolist():
            kept: list[int] = []
            for p in waiting_replies(self, [i]):
                works = self._works[st.packet[p // at.PACKET_FIELDS, at.AIM]]
                (kept if works else dropped).append(p)
            for p, following in zip(kept, [*kept[1:], -1], strict=False):
                st.packet[p // at.PACKET_FIELDS, at.NEXT] = following
            if kept:
                st.terminal[i, [at.REPLY_FIRST, at.REPLY_LAST]] = kept[0], kept[-1]
        for p in dropped:
            self._lose(p, False)
        st.terminal[quiet, at.NEXT_CREATION] = NEVER
        for i in quiet.tolist():
            st.awake[i >> 5] &= ~(np.int64(1) << (i & 31))

    def _lose(self, p: int, may_retry: bool) -> None:
        """A packet that is out of the network: sent again later, or gone for good."""
        row = self.state.packet[p // at.PACKET_FIELDS]
        if may_retry and self.retry_cycles is not None and self._works[row[at.FROM]]:
            self.counts.retried += 1
            when = max(self.cycle, int(row[at.INJECTED]) + self.retry_cycles)
            heapq.heappush(self._resend, (when, int(row[at.FROM]), int(row[at.KIND]) & 15, int(row[at.NUMBER]), p))
            return
        self.counts.lost += 1
        self.counts.cut_off += not may_retry or not self._works[row[at.FROM]]
        if row[at.KIND] & at.MEASURED:
            self.state.counter[at.C_CREATED_MEASURED] -= 1
            self.state.counter[at.C_CREATED_FLITS_MEASURED] -= row[at.LENGTH]
        free_row(self, p)

    def _forget_hopeless(self) -> None:
        """Resends whose source or destination is gone are lost after all."""
        kept = []
        for item in self._resend:
            row = self.state.packet[item[-1] // at.PACKET_FIELDS]
            if self._works[row[at.FROM]] and self._works[row[at.AIM]]:
                kept.append(item)
            else:
                self.counts.retried -= 1
                self._lose(item[-1], False)
        heapq.heapify(kept)
        self._resend = kept

    def _swap(self, part: Network, bound: BoundRouting, dead: Array) -> None:
        """From here on the kernel sees the network that is left, its routing, and traffic to what works."""
        s, st = self.shape, self.state
        outlet = st.outlet.reshape(s.routers, s.outputs, s.vcs, at.OUTLET_FIELDS)[:, : s.link_outputs]
        outlet[dead, :, at.TO] = outlet[dead, :, at.OWNER] = -1
        st.link_ok.reshape(s.routers, s.link_outputs)[dead] = 0
        self.network, self.routing = part, bound
        self.pattern = _only_to(self.plain_pattern, self._works)
        self._alive.append((bound, self.pattern))
        memory = self.memory
        memory.shape = s._replace(start_draws=bound.draws, has_start=int(bound.routing.start is not None))
        memory.program = memory.program._replace(
            relation=bound.pointer,
            start=bound.start_pointer,
            view=bound.view,
            destination=self.pattern.pointer,
            pattern_own=self.pattern.own,
        )
        memory.replace_arrays(st)

    def _start_here(self, flits: Flits) -> None:
        """Every packet whose head is in a router, or has not entered yet, starts where it is under the new routing."""
        s, st = self.shape, self.state
        where: dict[int, int] = {}
        rows = lanes_of(self)[0]
        for k, inside in flits.items():
            first = int(rows[k, at.PACKET]) if rows[k, at.OUTLET] >= 0 else -1
            where.update({p: k // s.lanes for _, _, p in inside if p != first})
        injector = st.injector.reshape(-1, at.INJECTOR_FIELDS)
        for p in injector[(injector[:, at.I_PACKET] >= 0) & (injector[:, at.I_VC] < 0), at.I_PACKET].tolist():
            where[p] = int(st.source_router[st.packet[p // at.PACKET_FIELDS, at.FROM]])
        self._restart(where)

    def _restart(self, where: dict[int, int]) -> None:
        """New headers for packets that start at some router."""
        if not where:
            return
        st = self.state
        rows = np.array([p // at.PACKET_FIELDS for p in where])
        heads = np.zeros((len(rows), HEADER_FIELDS), np.int64)
        heads[:, SOURCE] = list(where.values())
        heads[:, DESTINATION] = st.sink_router[st.packet[rows, at.AIM]]
        heads[:, [IN_PORT, IN_VC, INTERMEDIATE]] = -1
        keys, kind = st.packet_key[st.packet[rows, at.FROM]], st.packet[rows, at.KIND] & 15
        counter = 4 * st.packet[rows, at.NUMBER] + 2 + kind
        draws = [
            int(below(draw63(k, c), self.shape.start_draws))
            for k, c in zip(keys.tolist(), counter.tolist(), strict=True)
        ]
        queue, bound = np.zeros(self.shape.link_outputs, np.int64), self.routing
        _start_again(bound.start_pointer, bound.view, heads, np.array(draws, np.int64), queue)
        st.packet[rows, :HEADER_FIELDS] = heads

    def _send_again(self) -> None:
        """Packets whose time-out has passed enter at their source as soon as a port of it is between two packets."""
        s, st = self.shape, self.state
        injector, later = st.injector.reshape(-1, at.INJECTOR_FIELDS), []
        while self._resend and self._resend[0][0] <= self.cycle:
            item = heapq.heappop(self._resend)
            _, i, kind, _, p = item
            row = st.packet[p // at.PACKET_FIELDS]
            ports = [(i * s.injection_ports + j) * s.classes + kind for j in range(s.injection_ports)]
            free = [k for k in ports if injector[k, at.I_PACKET] < 0]
            if not free:
                later.append(item)
                continue
            row[[at.HOPS, at.ENTRY_SUM]] = 0
            self._restart({p: int(st.source_router[i])})
            injector[free[0], [at.I_PACKET, at.I_LEFT, at.I_VC, at.I_SUM]] = p, row[at.LENGTH], -1, 0
            st.awake[i >> 5] |= np.int64(1) << (i & 31)
        for item in later:
            heapq.heappush(self._resend, item)

    def _count_not_created(self) -> None:
        """Add up the packets taken from the processes since the last fault that were not created."""
        taken = int(self.state.terminal[:, at.SEQUENCE].sum()), int(self.state.counter[at.C_CREATED])
        if self._taken is not None:
            self.counts.not_created += (taken[0] - self._taken[0]) - (taken[1] - self._taken[1])
        self._taken = taken

    def finish(self) -> FaultCounts:
        """The counts at the end of a run."""
        if self._taken is not None:
            self._count_not_created()
        return self.counts


def simulate_with_faults(
    network: str | Network,
    faults: Sequence[Fault | str],
    routing: str = "lash",
    *,
    reroute: str | None = None,
    retry_cycles: int | None = None,
    flush: bool = False,
    name: str = "booksim",
    **settings: Any,
) -> Result:
    """As `simulate`, with faults that strike while it runs; the figures gain the counts, and the proofs' verdicts.

    `retry_cycles` None: lost packets stay lost. Raises JumpnetError when the routing cannot go round a fault.

    >>> words = {"packet_flits": "4", "load": 0.2, "warmup_cycles": 200, "measure_cycles": 800}
    >>> point = simulate_with_faults("torus:4x4", ["cycle=400,link=0-1"], "up_down", retry_cycles=50, **words)
    >>> point.lost, point.fault_verdicts, point.drained
    (0, ['free'], True)
    """
    net = build(network) if isinstance(network, str) else network
    plan = [parse_fault(fault) if isinstance(fault, str) else fault for fault in faults]
    config = preset(name, **settings)
    engine = FaultyEngine(net, routing, config, plan, reroute=reroute, retry_cycles=retry_cycles, flush=flush)
    found = measure(engine)
    counts = asdict(engine.finish())
    figures = {**found.figures, **counts, "fault_verdicts": engine.verdicts, "endpoints_left": engine.network.endpoints}
    return replace(found, spec=net.spec, figures=figures)
