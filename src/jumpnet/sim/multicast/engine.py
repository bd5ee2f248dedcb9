"""Multicast on the flit-level simulator: messages that branch at routers, and acknowledges that are combined.

`simulate_multicast` runs a list of messages to the end and says, for each, when the last receiver had it and when the
source knew. Routers as in `SimConfig` (input-first allocation); branching and combining as in the RDT router chip
(nishi1997router sections 4.2 and 4.3). Kernel: `_cycle`; slow twin: `reference`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.memory import require
from jumpnet.multicast.plan import RECEIVES
from jumpnet.network import Network
from jumpnet.sim._layout import EVENT_FIELDS, FLIT
from jumpnet.sim.config import SimConfig
from jumpnet.sim.multicast import _layout as at
from jumpnet.sim.multicast._cycle import run
from jumpnet.sim.multicast.messages import Acknowledge, Forest, Messages, check_settings
from jumpnet.terms import I64, NO_ROUTER

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
    """A multicast run in progress."""

    def __init__(
        self,
        net: Network,
        vcs: int,
        forest: Forest,
        messages: Messages,
        config: SimConfig,
        ack: Acknowledge | None = None,
        event_rows: int = 0,
    ) -> None:
        self.network, self.config = net, config
        ack = ack or Acknowledge()
        check_settings(net, config, ack)
        self._check_messages(vcs, forest, messages)
        self.cycle = 0
        size = _sizes(net, vcs, forest, config, ack)
        routers, lanes, outlets = net.routers, int(size[at.LANES]), int(size[at.OUTLETS])
        most, buffer = int(size[at.MOST_WAYS]), config.buffer_flits
        places = np.diff(np.append(forest.start, len(forest.router)))[messages.plan]
        tallies = int(places.sum())
        sinks = (outlets - net.ports * vcs) * routers
        total = routers * lanes
        words = total * (at.LANE_FIELDS + 2 * buffer + most * at.WAY_FIELDS) + at.TALLY_FIELDS * tallies
        require(8 * words, f"{net.spec}: a multicast run of {len(places)} messages")
        tally = np.zeros((tallies, at.TALLY_FIELDS), np.int64)
        endpoint = np.zeros((2 * routers, at.ENDPOINT_FIELDS), np.int64)
        endpoint[:, at.FIRST] = -1
        source = forest.router[forest.start[messages.plan]]
        order = np.argsort(source, kind="stable")
        endpoint[::2, at.PENDING] = np.searchsorted(source[order], np.arange(routers))
        endpoint[::2, at.PENDING_END] = np.searchsorted(source[order], np.arange(routers), "right")
        injector = np.zeros((routers * (config.injection_ports + 1), at.INJECTOR_FIELDS), np.int64)
        injector[:, at.I_CODE] = injector[:, at.I_LAST_VC] = -1
        counter = np.zeros(at.COUNTERS, np.int64)
        counter[at.OPEN] = len(places)
        lane, outlet = _wires(net, vcs, config, size)
        self.tables = at.Tables(
            size=size,
            lane=lane,
            way=np.zeros((total * most, at.WAY_FIELDS), np.int64),
            slot=np.zeros((total + sinks, buffer), np.int64),
            head=np.zeros((total, buffer), np.int64),
            outlet=outlet,
            injector=injector,
            entry=np.zeros(total, np.int64),
            turn=np.zeros((routers, int(2 * size[at.INPUTS] + size[at.OUTPUTS])), np.int64),
            best=np.zeros(int(size[at.OUTPUTS]), np.int64),
            asked=np.zeros(outlets, np.int64),
            inside=np.zeros(routers, np.int64),
            used=np.zeros(routers, np.int64),
            endpoint=endpoint,
            pending=order.astype(np.int64),
            place=np.stack(forest[1:], axis=1).astype(np.int64),
            message=_message_rows(forest, messages, places),
            tally=tally,
            event=np.zeros((event_rows, EVENT_FIELDS), np.int64),
            counter=counter,
        )
        self._receivers = np.add.reduceat((forest.local == RECEIVES).astype(np.int64), forest.start)[messages.plan]
        self._unlinked = int(outlet[:, at.HELD].sum())

    @staticmethod
    def _check_messages(vcs: int, forest: Forest, messages: Messages) -> None:
        if not len(messages.cycle) or (np.diff(messages.cycle) < 0).any():
            raise JumpnetError("multicast: no messages, or cycles out of order found, ascending cycles expected")
        if int(forest.vc.max(initial=0)) >= vcs:
            raise JumpnetError(f"multicast: {vcs} virtual channels found, {int(forest.vc.max()) + 1} expected by plans")

    def advance(self, cycles: int) -> bool:
        """So many cycles more, or fewer if all is done or nothing moves; returns whether there is more to do."""
        last = self.cycle + cycles
        self.cycle = int(run(self.tables, self.cycle, last, self.config.deadlock_cycles))
        return self.cycle == last and self.tables.counter[at.OPEN] > 0

    def result(self) -> Delivered:
        """What has been delivered so far."""
        message, counter = self.tables.message, self.tables.counter
        still = self.cycle - int(counter[at.MOVED]) > self.config.deadlock_cycles
        return Delivered(
            finished=int(counter[at.OPEN]) == 0,
            deadlock=int(counter[at.INSIDE]) > 0 and still,
            cycles=self.cycle,
            last_arrival=message[:, at.LAST_ARRIVAL].copy(),
            acknowledged=message[:, at.ACKNOWLEDGED].copy(),
            receipts=message[:, at.RECEIVED].copy(),
            fallbacks=int(counter[at.FALLBACKS]),
            link_flits=int(counter[at.LINK_FLITS]),
            ack_link_flits=int(counter[at.ACK_LINK_FLITS]),
        )

    def check(self) -> None:
        """Raise JumpnetError unless flits, credits, receipts and combining buffers are conserved; O(buffers)."""
        m = self.tables
        routers, lanes = self.network.routers, int(m.size[at.LANES])
        flits = m.slot >= FLIT
        inside = flits[: len(m.lane)].sum(axis=1).reshape(routers, lanes).sum(axis=1)
        live = (m.tally[:, at.IN_UNIT] == 1) & (m.tally[:, at.LEFT] > 0)
        waiting = m.endpoint[1::2, at.FIRST] >= 0
        latest = self.cycle + m.lane[:, at.CREDIT, None]
        held = m.outlet.reshape(-1, at.OUTLET_FIELDS)[:, at.HELD].sum() - self._unlinked
        laws = {
            "flits inside": (inside == m.inside).all() and inside.sum() == m.counter[at.INSIDE],
            "no flit stays at a terminal": not flits[len(m.lane) :].any(),
            "credits on their way back": (flits[: len(m.lane)] | (m.slot[: len(m.lane)] <= latest)).all(),
            "outlets held by branches": held == (m.way[self._live_ways(), at.OUTLET] >= 0).sum(),
            "combining buffers in use": int(live.sum()) <= int(m.used.sum()) and not (waiting & (m.used == 0)).any(),
            "receipts": (m.message[:, at.RECEIVED] <= self._receivers).all(),
        }
        if m.counter[at.OPEN] == 0:
            laws["nothing left over"] = (
                inside.sum() == 0 and m.used.sum() == 0 and (m.message[:, at.RECEIVED] == self._receivers).all()
            )
        for law, holds in laws.items():
            if not holds:
                raise JumpnetError(f"conservation law broken at cycle {self.cycle} of {self.network.spec}: {law}")

    def _live_ways(self) -> I64:
        """Rows of `way` in use."""
        most = int(self.tables.size[at.MOST_WAYS])
        return np.flatnonzero((np.arange(most) < self.tables.lane[:, at.WAYS, None]).ravel())

    def events(self) -> I64:
        """(n, 8) events so far: cycle, kind, message, place, packet kind, flit, router, place in it; in order."""
        rows = self.tables.event[: self.tables.counter[at.EVENTS]]
        return rows[np.lexsort(rows.T[::-1])]


def _sizes(net: Network, vcs: int, forest: Forest, c: SimConfig, ack: Acknowledge) -> I64:
    size = np.zeros(at.SIZES, np.int64)
    links = max(net.ports, int(net.far_port.max(initial=-1)) + 1)
    inputs, outputs = links + c.injection_ports + 1, net.ports + c.ejection_ports + 1
    for field, value in (
        (at.ROUTERS, net.routers), (at.VCS, vcs), (at.LANES, inputs * vcs), (at.OUTLETS, outputs * vcs),
        (at.LINK_INPUTS, links), (at.LINK_OUTPUTS, net.ports), (at.INPUTS, inputs), (at.OUTPUTS, outputs),
        (at.BUFFER, c.buffer_flits), (at.MOST_WAYS, int((forest.branches + (forest.local > 0)).max())),
        (at.INJECTION_PORTS, c.injection_ports), (at.EJECTION_PORTS, c.ejection_ports),
        (at.RD, c.routing_delay_cycles), (at.VA, c.vc_allocation_delay_cycles),
        (at.SA, c.switch_allocation_delay_cycles), (at.TERMINAL_LINK, c.terminal_link_cycles),
        (at.CREDIT_DELAY, c.credit_delay_cycles), (at.NEED_EMPTY, c.vc_reuse == "empty"),
        (at.CUT_THROUGH, c.flow_control == "cut_through"), (at.ACK_FLITS, ack.flits),
        (at.ACK_DELAY, ack.delay_cycles), (at.ENTRIES, ack.combining_entries), (at.PLACES, len(forest.router)),
        (at.ENTRY_VCS, min(c.entry_vcs or vcs, vcs)),
    ):  # fmt: skip
        size[field] = value
    return size


def _wires(net: Network, vcs: int, c: SimConfig, size: I64) -> tuple[I64, I64]:
    """Lane and outlet rows with where each outlet leads and how long flits and credits take."""
    lanes, outlets, inputs = int(size[at.LANES]), int(size[at.OUTLETS]), int(size[at.LINK_INPUTS])
    lane = np.zeros((net.routers, lanes, at.LANE_FIELDS), np.int64)
    outlet = np.zeros((net.routers, outlets, at.OUTLET_FIELDS), np.int64)
    sa, x = c.switch_allocation_delay_cycles, c.st_delay_cycles
    lane[:, inputs * vcs :, at.CREDIT] = sa + c.terminal_link_cycles + c.credit_delay_cycles
    outlet[:, : net.ports * vcs, at.HELD] = 1  # where there is no link
    sinks = outlets - net.ports * vcs
    outlet[:, net.ports * vcs :, at.TO] = net.routers * lanes + np.arange(net.routers * sinks).reshape(-1, sinks)
    outlet[:, net.ports * vcs :, at.DELAY] = sa + x + c.terminal_link_cycles
    for r, p in zip(*np.nonzero(net.neighbor != NO_ROUTER), strict=True):
        latency = c.link_cycles if net.latency is None else int(net.latency[r, p])
        far, first = int(net.neighbor[r, p]), int(net.far_port[r, p]) * vcs
        lane[far, first : first + vcs, at.CREDIT] = sa + latency + c.credit_delay_cycles
        rows = outlet[r, p * vcs : (p + 1) * vcs]
        rows[:, at.TO] = far * lanes + first + np.arange(vcs)
        rows[:, at.HELD], rows[:, at.DELAY], rows[:, at.TO_ROUTER] = 0, sa + x + latency, far
    return lane.reshape(-1, at.LANE_FIELDS), outlet.reshape(-1, at.OUTLET_FIELDS)


def _message_rows(forest: Forest, messages: Messages, places: I64) -> I64:
    rows = np.zeros((len(places), at.MESSAGE_FIELDS), np.int64)
    start = forest.start[messages.plan]
    rows[:, at.CREATED], rows[:, at.START], rows[:, at.FLITS] = messages.cycle, start, messages.flits
    rows[:, at.ACK] = messages.ack
    rows[:, at.BASE] = np.cumsum(places) - places
    rows[:, [at.LAST_ARRIVAL, at.ACKNOWLEDGED]] = -1
    rows[:, at.TO_COME] = np.add.reduceat((forest.local > 0).astype(np.int64), forest.start)[messages.plan]
    return rows


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
