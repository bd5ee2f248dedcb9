"""Multicast on the flit-level simulator: messages that branch at routers, and acknowledges that are combined.

`simulate_multicast` runs a list of messages to the end and says, for each, when the last receiver had it and when the
source knew. Routers as in `SimConfig`; branching and combining as in the RDT router chip (nishi1997router sections 4.2
and 4.3). Kernel: `_cycle`; slow twin: `reference`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from jumpnet._jit import DISABLED
from jumpnet.errors import JumpnetError
from jumpnet.memory import require
from jumpnet.multicast.plan import DROPS
from jumpnet.network import Network
from jumpnet.routing import BoundRouting
from jumpnet.routing._reads import fields_read
from jumpnet.routing._view import DESTINATION, HEADER_FIELDS, IN_PORT, IN_VC, INTERMEDIATE, SOURCE
from jumpnet.sim._layout import ERROR_NO_ROUTE, EVENT_FIELDS, FLIT
from jumpnet.sim._memory import Program
from jumpnet.sim.config import SimConfig
from jumpnet.sim.multicast import _layout as at
from jumpnet.sim.multicast._cycle import run
from jumpnet.sim.multicast._memory import Memory
from jumpnet.sim.multicast.messages import (
    COMBINED,
    NO_ACK,
    Acknowledge,
    Forest,
    Messages,
    check_combining,
    check_settings,
)
from jumpnet.sim.multicast.tables import allocate
from jumpnet.terms import I64

__all__ = ["Delivered", "MulticastEngine", "simulate_multicast"]


@dataclass(frozen=True, eq=False)
class Delivered:
    """What became of M messages."""

    finished: bool
    """Whether every message has been received, and acknowledged where asked; else the run was cut or stood still."""
    deadlock: bool
    """Whether nothing moved for `deadlock_cycles` with flits in the network."""
    cycles: int
    last_arrival: I64
    """(M,) cycle in which the last receiver had the message; -1 when none has it."""
    acknowledged: I64
    """(M,) cycle in which the source knew it; -1 when it does not."""
    receipts: I64
    """(M,) terminals that have received."""
    fallbacks: int
    """Branchings whose acknowledges a processor counted because no combining buffer was free."""
    link_flits: int
    """Flits sent over links, acknowledges included."""
    ack_link_flits: int
    """Those of acknowledges."""


class MulticastEngine:
    """A multicast run in progress; `cycle` is the next cycle to come."""

    def __init__(
        self,
        net: Network,
        vcs: int,
        forest: Forest,
        messages: Messages,
        config: SimConfig,
        ack: Acknowledge | None = None,
        event_rows: int = 0,
        routing: BoundRouting | None = None,
    ) -> None:
        """routing: what takes packets without a plan to their destination; not one that looks at queues."""
        self.network, self.config, self.vcs = net, config, vcs
        ack = ack or Acknowledge()
        check_settings(net, config, ack)
        self._check_plans(forest)
        self.cycle, self.routing = 0, routing
        made = allocate(net, vcs, _most_ways(forest), config, ack, event_rows)
        self.memory = Memory(**made)
        if routing is not None:
            self._bind(routing)
        self._unlinked = int((made["outlet"][..., at.HELD] == 2).sum())
        self.wanted = np.zeros(0, np.int64)
        self.memory.replace(
            message=np.zeros(0), packet=np.zeros(0, np.int64), tally=np.zeros(0, np.int64), note=np.zeros(0, np.int64)
        )
        self.add(forest, messages)

    def _bind(self, routing: BoundRouting) -> None:
        """Let the kernel ask a routing."""
        start = routing.routing.start
        if start is not None and fields_read(start, 3):
            raise JumpnetError(f"routing {routing.name} looks at queues at the source, another one expected")
        none = np.zeros(0, np.int64)  # packets come from outside
        program = Program(routing.pointer, routing.start_pointer, routing.view, None, none, None, none)
        self.memory.program = program
        addresses = {} if DISABLED else {
            "relation": program.relation.address,
            "start": program.start.address,
            "routing_view": program.view.address,
        }  # fmt: skip
        self.memory.replace(has_start=int(start is not None), start_draws=routing.draws, **addresses)

    def add(self, forest: Forest, messages: Messages) -> None:
        """More messages, created from now on. The first trees of the forest are those that it had before."""
        self._check_messages(forest, messages)
        self._widen(_most_ways(forest))
        m, net, count = self.memory, self.network, len(messages.cycle)
        old = m.rows("message", at.MESSAGE_FIELDS)
        plan = np.asarray(messages.plan)
        planned, ack = plan >= 0, np.asarray(messages.ack)

        def of_plan(values: I64, otherwise: int) -> I64:
            """A figure of each message's plan, or what it is for a packet without one."""
            found = np.full(count, otherwise, np.int64)
            found[planned] = values[plan[planned]]
            return found

        places = of_plan(np.diff(np.append(forest.start, len(forest.router))), 0)
        tallies = np.where(ack == COMBINED, places, 0)
        takers, start = of_plan(forest.takers, 1), of_plan(forest.start, -1)
        answers = np.where(ack > 0, takers, 0) + tallies
        require(8 * ((at.MESSAGE_FIELDS + HEADER_FIELDS) * count + 2 * int(tallies.sum() + answers.sum())), "messages")
        rows = np.zeros((count, at.MESSAGE_FIELDS), np.int64)
        if messages.source is None:
            rows[:, at.SOURCE] = np.searchsorted(net.terminal_router, forest.router[start])
        else:
            rows[:, at.SOURCE] = messages.source
        rows[:, at.CREATED], rows[:, at.START], rows[:, at.FLITS] = messages.cycle, start, messages.flits
        rows[:, at.ACK], rows[:, at.TO_COME] = ack, takers
        rows[:, at.BASE] = len(m.tally) // at.TALLY_FIELDS + np.cumsum(tallies) - tallies
        rows[:, [at.LAST_ARRIVAL, at.ACKNOWLEDGED, at.NEXT]] = -1
        if messages.destination is not None and messages.number is not None:
            rows[:, at.AIM], rows[:, at.NUMBER] = messages.destination, messages.number
        table = np.concatenate([old, rows])
        self._link(table, len(old))
        self.wanted = np.concatenate([self.wanted, of_plan(forest.receivers, 1)])
        columns = (
            forest.router, forest.parent, forest.port, forest.vc, forest.sinks, forest.local == DROPS, forest.first,
            forest.branches, forest.back, *forest.reply.T,
        )  # fmt: skip
        m.replace(
            place=np.stack(columns, axis=1),
            message=table,
            packet=np.concatenate([m.packet, self._headers(rows)]),
            tally=np.concatenate([m.tally, np.zeros(int(tallies.sum()) * at.TALLY_FIELDS, np.int64)]),
            note=np.concatenate([m.note, np.zeros(int(answers.sum()) * at.NOTE_FIELDS, np.int64)]),
        )
        m.counter[at.OPEN] += count

    def _headers(self, rows: I64) -> I64:
        """Routing headers of new messages, flat; those of multicasts are not used."""
        head = np.zeros((len(rows), HEADER_FIELDS), np.int64)
        head[:, SOURCE] = self.network.terminal_router[rows[:, at.SOURCE]]
        head[:, DESTINATION] = self.network.sink_router[np.maximum(0, rows[:, at.AIM])]
        head[:, [IN_PORT, IN_VC, INTERMEDIATE]] = -1
        return head.ravel()

    def _widen(self, most: int) -> None:
        """Give every lane room for so many branches."""
        m = self.memory
        if most <= m.most_ways:
            return
        old = m.way.reshape(-1, m.most_ways * at.WAY_FIELDS)
        way = np.zeros((len(old), most * at.WAY_FIELDS), np.int64)
        way[:, : old.shape[1]] = old
        part = m.lanes * most + m.outlets
        m.replace(way=way, most_ways=most, part=part, work=np.zeros(at.WORK_FIELDS * part, np.int64))

    def _link(self, table: I64, first: int) -> None:
        """Append the messages from `first` on to the lists of their sources."""
        endpoint = self.memory.rows("endpoint", at.ENDPOINT_FIELDS)
        order = first + np.argsort(table[first:, at.SOURCE], kind="stable")
        source = table[order, at.SOURCE]
        same = source[1:] == source[:-1]
        table[order[:-1][same], at.NEXT] = order[1:][same] * at.MESSAGE_FIELDS
        begins = np.flatnonzero(np.append(True, ~same))
        for k, end in zip(begins.tolist(), [*begins[1:].tolist(), len(order)], strict=True):
            row = endpoint[source[k]]
            if row[at.PENDING] < 0:
                row[at.PENDING] = order[k] * at.MESSAGE_FIELDS
            else:
                table[row[at.LAST_PENDING] // at.MESSAGE_FIELDS, at.NEXT] = order[k] * at.MESSAGE_FIELDS
            row[at.LAST_PENDING] = order[end - 1] * at.MESSAGE_FIELDS
            row[at.WAKE] = min(row[at.WAKE], table[order[k], at.CREATED])

    def _check_plans(self, forest: Forest) -> None:
        if int(forest.vc.max(initial=0)) >= self.vcs:
            raise JumpnetError(
                f"multicast: {self.vcs} virtual channels found, {int(forest.vc.max()) + 1} expected by plans"
            )

    def _check_messages(self, forest: Forest, messages: Messages) -> None:
        if not len(messages.cycle) or (np.diff(messages.cycle) < 0).any() or messages.cycle[0] < self.cycle:
            raise JumpnetError("multicast: no messages, or cycles out of order found, ascending cycles expected")
        self._check_plans(forest)
        alone = np.asarray(messages.plan) < 0
        if alone.any() and (self.routing is None or messages.destination is None or messages.source is None):
            raise JumpnetError("multicast: packets without a plan found, a routing and their destinations expected")
        if (np.asarray(messages.ack)[alone] != NO_ACK).any():
            raise JumpnetError("multicast: acknowledged packets without a plan found, a plan expected")
        if (np.asarray(messages.ack) == COMBINED).any():
            check_combining(self.network)
        longest, room = int(np.max(messages.flits)), self.config.buffer_flits
        if self.config.flow_control == "cut_through" and longest > room:
            raise JumpnetError(
                f"buffer_flits {room} found, at least {longest} (a whole packet) expected by cut_through"
            )

    def advance(self, cycles: int) -> bool:
        """So many cycles more, or fewer if all is done or nothing moves; returns whether there is more to do."""
        last = self.cycle + cycles
        started = time.process_time()
        self.cycle = int(run(self.memory.address, self.cycle, last, self.config.deadlock_cycles))
        self.cpu_seconds += time.process_time() - started
        self._raise_errors()
        return self.cycle == last and self.memory.counter[at.OPEN] > 0

    cpu_seconds = 0.0
    """Time of the kernel."""

    def pass_by(self, cycle: int) -> None:
        """Go on to a cycle when nothing is left to do before it."""
        assert self.memory.counter[at.OPEN] == 0
        self.cycle = max(self.cycle, cycle)

    def _raise_errors(self) -> None:
        counter = self.memory.counter
        if counter[at.ERROR] == 0:
            return
        assert self.routing is not None
        row = self.memory.rows("message", at.MESSAGE_FIELDS)[int(counter[at.ERROR_MESSAGE]) // at.MESSAGE_FIELDS]
        where = f"router {int(counter[at.ERROR_ROUTER])} of {self.network.spec}"
        goes = f"a packet from terminal {int(row[at.SOURCE])} to {int(row[at.AIM])}"
        what = "has no route" if counter[at.ERROR] == ERROR_NO_ROUTE else "gives a port or vc that is not there"
        raise JumpnetError(f"routing {self.routing.name} {what} at {where} for {goes}")

    def result(self) -> Delivered:
        """What has been delivered so far."""
        message, counter = self.memory.rows("message", at.MESSAGE_FIELDS), self.memory.counter
        return Delivered(
            finished=int(counter[at.OPEN]) == 0,
            deadlock=self.still,
            cycles=self.cycle,
            last_arrival=message[:, at.LAST_ARRIVAL].copy(),
            acknowledged=message[:, at.ACKNOWLEDGED].copy(),
            receipts=message[:, at.RECEIVED].copy(),
            fallbacks=int(counter[at.FALLBACKS]),
            link_flits=int(counter[at.LINK_FLITS]),
            ack_link_flits=int(counter[at.ACK_LINK_FLITS]),
        )

    @property
    def still(self) -> bool:
        """Whether nothing has moved for `deadlock_cycles` with flits in the network."""
        counter = self.memory.counter
        return bool(counter[at.INSIDE] > 0 and self.cycle - counter[at.MOVED] > self.config.deadlock_cycles)

    def check(self) -> None:
        """Raise JumpnetError unless flits, credits, receipts and combining buffers are conserved; O(buffers)."""
        m = self.memory
        lane, way = m.rows("lane", at.LANE_FIELDS), m.rows("way", at.WAY_FIELDS)
        message, tally = m.rows("message", at.MESSAGE_FIELDS), m.rows("tally", at.TALLY_FIELDS)
        slot = m.slot.reshape(-1, m.buffer)
        flits, credits = slot[: len(lane)] >= FLIT, slot[: len(lane)]
        lanes = np.arange(m.lanes)
        awake = m.occupied.reshape(m.routers, -1)[:, lanes // 32] >> lanes % 32 & 1
        live = (tally[:, at.IN_UNIT] == 1) & (tally[:, at.LEFT] > 0)
        waiting = m.rows("endpoint", at.ENDPOINT_FIELDS)[m.terminals :, at.FIRST] >= 0
        latest = self.cycle + lane[:, at.CREDIT, None]
        held = m.rows("outlet", at.OUTLET_FIELDS)[:, at.HELD].sum() - 2 * self._unlinked
        used = np.arange(m.most_ways) < lane[:, at.WAYS, None]
        laws = {
            "flits inside": flits.sum() == m.counter[at.INSIDE],
            "lanes with flits are looked at": (awake.ravel() >= flits.any(axis=1)).all(),
            "no flit stays at a terminal": not (slot[len(lane) :] >= FLIT).any(),
            "credits on their way back": (flits | (credits <= latest)).all(),
            "outlets held by branches": held == (way[used.ravel(), at.OUTLET] >= 0).sum(),
            "combining buffers in use": int(live.sum()) <= int(m.used.sum()) and not (waiting & (m.used == 0)).any(),
            "receipts": (message[:, at.RECEIVED] <= self.wanted).all(),
        }
        if m.counter[at.OPEN] == 0:
            laws["nothing left over"] = (
                not flits.any() and m.used.sum() == 0 and (message[:, at.RECEIVED] == self.wanted).all()
            )
        for law, holds in laws.items():
            if not holds:
                raise JumpnetError(f"conservation law broken at cycle {self.cycle} of {self.network.spec}: {law}")

    def events(self) -> I64:
        """(n, 8) events so far: cycle, kind, message, place, packet kind, flit, router, place in it; in order."""
        rows = self.memory.rows("event", EVENT_FIELDS)[: self.memory.counter[at.EVENTS]]
        return rows[np.lexsort(rows.T[::-1])]


def _most_ways(forest: Forest) -> int:
    """Most branches of a place, to links and to terminals."""
    return int((forest.branches + np.bitwise_count(forest.sinks)).max(initial=1))


def simulate_multicast(
    net: Network,
    vcs: int,
    forest: Forest,
    messages: Messages,
    config: SimConfig,
    ack: Acknowledge | None = None,
) -> Delivered:
    """Run messages to the end, at most `config.max_cycles`.

    vcs: virtual channels of a port, at least those that the plans name; acknowledges between neighbors take the last.
    config: router settings; its traffic, load and measuring settings are not used. Buffers that take a packet whole
    (`flow_control="cut_through"`, or the preset `jump1`) keep multicasts free of deadlock (`prove --multicast`).
    Raises JumpnetError for settings that do not fit.

    >>> from jumpnet.multicast import scheme
    >>> from jumpnet.multicast.chip_rules import chip_rules
    >>> from jumpnet.multicast.plan import bit_map_plan
    >>> from jumpnet.sim.config import preset
    >>> from jumpnet.sim.multicast.messages import COMBINED, forest
    >>> from jumpnet.topology import build
    >>> net = build("prdt:8")
    >>> plan = bit_map_plan(chip_rules(net), scheme("SM"), 9, [1, 8, 10, 17])
    >>> one = Messages(*(np.array([value]) for value in (0, 0, 13, COMBINED)))
    >>> done = simulate_multicast(net, 2, forest(net, [plan]), one, preset("jump1"))
    >>> done.receipts.tolist(), done.last_arrival.tolist()
    ([4], [24])
    """
    engine = MulticastEngine(net, vcs, forest, messages, config, ack)
    engine.advance(config.max_cycles)
    return engine.result()
