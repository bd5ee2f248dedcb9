"""Multicast on the flit-level simulator: messages that branch at routers, and acknowledges that are combined.

`send_messages` runs a list of messages to the end and says, for each, when the last receiver had it and when the
source knew. Routers as in `SimConfig`; branching and combining as in the RDT router chip (nishi1997router sections 4.2
and 4.3). Kernel: `cycle`; slow twin: `tests/naive/multicast_routers.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.bits import WORD_BITS
from jumpnet.memory import require
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.measure.checks import check, require_law
from jumpnet.sim.measure.deadlock import find_deadlock
from jumpnet.sim.memory import message_layout as msg
from jumpnet.sim.memory.allocate import require_room
from jumpnet.sim.memory.fields import COUNTER, TERMINAL_ROW
from jumpnet.sim.memory.message_layout import MESSAGE_FIELDS, MESSAGE_ROW, TALLY_FIELDS, TALLY_ROW
from jumpnet.sim.memory.shape import Branching
from jumpnet.sim.memory.state import MulticastState
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.messages import Forest, Messages, check_channels, check_combining, check_settings, routing_of
from jumpnet.sim.multicast.tables import first_multicast_state, go_on_with, make_branch_rows, multicast_of
from jumpnet.terms import I64
from jumpnet.traffic import PacketList
from jumpnet.traffic.injection_process import NEVER


@dataclass(frozen=True, eq=False)
class Delivered:
    """What became of M messages."""

    finished: bool
    """Whether every message has been received, and acknowledged where asked; else the run was cut or stood still."""
    deadlock: bool
    """Whether nothing moved for `deadlock_cycles` with flits in the network."""
    ring: list[tuple[int, int, int]] | None
    """The channels (router, output port, vc) that then wait for each other."""
    cycles: int
    last_arrival: I64
    """(M,) cycle in which the last receiver had the message; -1 when none has it."""
    acknowledged: I64
    """(M,) cycle in which the source knew it; -1 when it does not."""
    receipts: I64
    """(M,) terminals that have received."""
    fallbacks: int
    """Branchings whose acknowledges a processor counted because no combining buffer was free."""
    remade: int
    """Packets that processors have taken to make them anew."""
    link_flits: int
    """Flits sent over links, acknowledges included."""
    ack_link_flits: int
    """Those of acknowledges."""


class MulticastEngine(Engine):
    """A multicast run in progress; `cycle` is the next cycle to come."""

    def __init__(
        self,
        net: Network,
        vcs: int,
        forest: Forest,
        messages: Messages,
        config: SimConfig,
        cast: MulticastConfig | None = None,
        routing: BoundRouting | None = None,
    ) -> None:
        """cast: how receivers answer. routing: what takes packets without a plan to their destination."""
        cast = cast or MulticastConfig()
        check_settings(net, config, cast)
        check_channels(forest, vcs)
        self.vcs, self.routed = vcs, routing is not None
        self.cpu_seconds = 0.0
        """Time of the kernel."""
        bound = routing_of(net, routing, vcs)
        quiet = config.replace(load=0.0, vcs=bound.vcs)
        branching = Branching(forest.most_branches, vcs, partial(first_multicast_state, net, cast))
        none = PacketList(*np.zeros((4, 0), np.int64))
        super().__init__(net, bound, quiet, none, threads=1, branching=branching)
        self.wanted, self.to_remake = np.zeros(0, np.int64), 0
        self.add(forest, messages)

    @property
    def multicast(self) -> MulticastState:
        """Trees, messages and combining buffers."""
        return multicast_of(self)

    @property
    def messages(self) -> I64:
        """(M, MESSAGE_FIELDS) the messages."""
        return self.multicast.message.reshape(-1, MESSAGE_FIELDS)

    def add(self, forest: Forest, messages: Messages) -> None:
        """More messages, created from now on. The first trees of the forest are those that it had before."""
        self._check_messages(forest, messages)
        make_branch_rows(self, forest.most_branches)
        net, count, multicast = self.network, len(messages.cycle), self.multicast
        plan = np.asarray(messages.plan)
        planned, ack = plan >= 0, np.asarray(messages.ack)

        def of_plan(values: I64, otherwise: int) -> I64:
            """A figure of each message's plan, or what it is for a packet without one."""
            found = np.full(count, otherwise, np.int64)
            found[planned] = values[plan[planned]]
            return found

        tallies = np.where(ack == msg.COMBINED, of_plan(forest.places, 0), 0)
        takers, start = of_plan(forest.takers, 1), of_plan(forest.start, -1)
        require(8 * (MESSAGE_FIELDS * count + 2 * int(tallies.sum())), "messages")
        rows = np.zeros((count, MESSAGE_FIELDS), np.int64)
        source = messages.source
        if source is None:
            source = np.searchsorted(net.terminal_router, forest.place[start, msg.PLACE_ROW.router])
        rows[:, MESSAGE_ROW.source] = source
        rows[:, MESSAGE_ROW.created], rows[:, MESSAGE_ROW.start] = messages.cycle, start
        rows[:, MESSAGE_ROW.flits], rows[:, MESSAGE_ROW.ack], rows[:, MESSAGE_ROW.to_come] = messages.flits, ack, takers
        rows[:, MESSAGE_ROW.base] = len(multicast.tally) // TALLY_FIELDS + np.cumsum(tallies) - tallies
        rows[:, [MESSAGE_ROW.last_arrival, MESSAGE_ROW.acknowledged, MESSAGE_ROW.following]] = -1
        if messages.destination is not None and messages.number is not None:
            rows[:, MESSAGE_ROW.to_terminal], rows[:, MESSAGE_ROW.number] = messages.destination, messages.number
        table = np.append(multicast.message, rows)
        self.wanted = np.concatenate([self.wanted, of_plan(forest.receivers, 1)])
        self.to_remake += int(of_plan(forest.handovers, 0).sum())
        more = np.zeros(int(tallies.sum()) * TALLY_FIELDS, np.int64)
        go_on_with(self, place=forest.place.ravel(), message=table, tally=np.concatenate([multicast.tally, more]))
        self.state.counter[COUNTER.open] += count
        self._queue(rows[:, [MESSAGE_ROW.created, MESSAGE_ROW.source, MESSAGE_ROW.flits]], len(self.messages) - count)

    def _queue(self, created: I64, number: int) -> None:
        """Messages (created, source, flits), numbered from `number` on, wait at their sources, as packets to replay do;
        sources that had nothing to send are awake.
        """
        terminal, state = self.state.terminal[: self.shape.terminals], self.state
        order = np.argsort(created[:, 1], kind="stable")
        more, source = created[order], created[order, 1]
        more[:, 1] = (number + order) * MESSAGE_FIELDS
        trace = np.insert(state.trace, state.trace_first[source + 1], more, axis=0)
        first = state.trace_first + np.searchsorted(source, np.arange(len(terminal) + 1))
        self.memory.replace_arrays(state._replace(trace_first=first, trace=trace))
        following = first[:-1] + terminal[:, TERMINAL_ROW.sequence]
        idle = np.flatnonzero((following < first[1:]) & (terminal[:, TERMINAL_ROW.next_creation] == NEVER))
        terminal[idle, TERMINAL_ROW.next_creation] = trace[following[idle], 0]
        np.bitwise_or.at(self.state.awake, idle // WORD_BITS, 1 << idle % WORD_BITS)

    def _check_messages(self, forest: Forest, messages: Messages) -> None:
        if not len(messages.cycle) or (np.diff(messages.cycle) < 0).any() or messages.cycle[0] < self.cycle:
            raise JumpnetError("multicast: no messages, or cycles out of order found, ascending cycles expected")
        check_channels(forest, self.vcs)
        alone = np.asarray(messages.plan) < 0
        if alone.any() and (not self.routed or messages.destination is None or messages.source is None):
            raise JumpnetError("multicast: packets without a plan found, a routing and their destinations expected")
        if (np.asarray(messages.ack)[alone] != msg.NO_ACK).any():
            raise JumpnetError("multicast: acknowledged packets without a plan found, a plan expected")
        if (np.asarray(messages.ack) == msg.COMBINED).any():
            check_combining(self.network)
        require_room(self.shape, messages.flits)

    @property
    def over(self) -> bool:
        """Whether all messages are done."""
        return int(self.state.counter[COUNTER.open]) == 0

    def go(self, cycles: int) -> bool:
        """So many cycles more, or fewer if all is done or nothing moves; returns whether there is more to do."""
        last, patience = self.cycle + cycles, self.config.deadlock_cycles
        while self.cycle < last and not self.over and not self.still:
            soon = int(self.state.counter[COUNTER.moved]) + patience + 2
            self.cpu_seconds += self.advance(min(last, soon if soon > self.cycle else last) - self.cycle)
        return self.cycle == last and not self.over

    def result(self) -> Delivered:
        """What has been delivered so far."""
        message, counter = self.messages, self.state.counter
        return Delivered(
            finished=self.over,
            deadlock=self.still,
            ring=self.ring,
            cycles=self.cycle,
            last_arrival=message[:, MESSAGE_ROW.last_arrival].copy(),
            acknowledged=message[:, MESSAGE_ROW.acknowledged].copy(),
            receipts=message[:, MESSAGE_ROW.received].copy(),
            fallbacks=int(counter[COUNTER.fallbacks]),
            remade=int(counter[COUNTER.remade]),
            link_flits=int(counter[COUNTER.link_flits]),
            ack_link_flits=int(counter[COUNTER.ack_link_flits]),
        )

    @property
    def ring(self) -> list[tuple[int, int, int]] | None:
        """Channels that wait for each other when it stands still for so long, else None."""
        return find_deadlock(self) if self.still else None

    def check(self) -> None:
        """Raise JumpnetError unless flits, credits, receipts and combining buffers are conserved; O(buffers)."""
        check(self)
        tally = self.multicast.tally.reshape(-1, TALLY_FIELDS)
        live = (tally[:, TALLY_ROW.in_unit] == 1) & (tally[:, TALLY_ROW.left] > 0)
        waiting = self.state.terminal[self.shape.terminals :, TERMINAL_ROW.answer_first] >= 0
        used, received, counter = self.multicast.used, self.messages[:, MESSAGE_ROW.received], self.state.counter
        known, last = self.messages[:, MESSAGE_ROW.acknowledged] >= 0, self.messages[:, MESSAGE_ROW.last_arrival]
        laws = {
            "combining buffers in use": int(live.sum()) <= int(used.sum()) and not (waiting & (used == 0)).any(),
            "receipts": (received <= self.wanted).all(),
            "acknowledges": (known <= (received == self.wanted)).all(),
            "acknowledges after receipts": (self.messages[known, MESSAGE_ROW.acknowledged] >= last[known]).all(),
            "packets made anew": int(counter[COUNTER.remade]) <= self.to_remake,
        }
        if self.over:
            empty = self.flits_inside == 0 and counter[COUNTER.packets] == 0 and used.sum() == 0
            made = int(counter[COUNTER.remade]) == self.to_remake
            laws["nothing left over"] = empty and made and (received == self.wanted).all()
        for law, holds in laws.items():
            require_law(bool(holds), law, self)


def send_messages(
    net: Network,
    vcs: int,
    forest: Forest,
    messages: Messages,
    config: SimConfig,
    cast: MulticastConfig | None = None,
) -> Delivered:
    """Run messages to the end, at most `config.max_cycles`.

    vcs: virtual channels of a port, at least those that the plans name; acknowledges between neighbors take the last.
    config: router settings; its traffic, load and measuring settings are not used. Buffers that take a packet whole
    (`flow_control="cut_through"`, or the preset `jump1`) keep multicasts free of deadlock (`prove --multicast`).
    cast: how receivers answer.
    Raises JumpnetError for settings that do not fit.

    >>> from jumpnet.multicast import scheme
    >>> from jumpnet.multicast.chip_rules import chip_rules
    >>> from jumpnet.multicast.plan import bit_map_plan
    >>> from jumpnet.sim.config.sim_config import preset
    >>> from jumpnet.sim.multicast.messages import COMBINED, forest
    >>> from jumpnet.topology import build
    >>> net = build("prdt:8")
    >>> plan = bit_map_plan(chip_rules(net), scheme("SM"), 9, [1, 8, 10, 17])
    >>> one = Messages(*(np.array([value]) for value in (0, 0, 13, COMBINED)))
    >>> done = send_messages(net, 2, forest(net, [plan]), one, preset("jump1"))
    >>> done.receipts.tolist(), done.last_arrival.tolist()
    ([4], [24])
    """
    engine = MulticastEngine(net, vcs, forest, messages, config, cast)
    engine.go(config.max_cycles)
    return engine.result()
