"""A network whose packets and multicasts come from outside: post them, advance, and acknowledge what has been taken.

As `sim.outside`, whose packets these are too. A multicast branches in the routers by the plans of `trees`; whoever it
reaches is told, and acknowledges when it is told to: the combining units of the routers count acknowledges on their
way back, over the links of the tree the other way, and where a router has no buffer free the terminal there is told of
each, and says when it has counted it (nishi1997router section 4.3). What drives the machine whose multicasts branch
in the network (`machine.branching`). The twin is that of `engine`, with the times of all acknowledges
given.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.sim.config import SimConfig
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.sim.memory.message_layout import (
    ACKNOWLEDGED,
    MESSAGE_FIELDS,
    MESSAGE_ROW,
    TAKEN_LAST,
    TALLY_FIELDS,
)
from jumpnet.sim.memory.space import on_lines
from jumpnet.sim.memory.state import Casts, State
from jumpnet.sim.multicast.engine import PLANNED
from jumpnet.sim.multicast.messages import COMBINED, NO_ACK, Acknowledge, check_combining, check_settings, forest
from jumpnet.sim.multicast.tables import first_casts, widen
from jumpnet.sim.multicast.trees import Trees
from jumpnet.sim.outside import Outside
from jumpnet.sim.terminals.posting import post_answers, post_messages
from jumpnet.terms import I64

__all__ = ["Arrivals", "OutsideMulticasts"]


Many = tuple[tuple[int, ...], bool]
"""Destinations of a multicast, and whether it is over when all its takers have acknowledged, combined on the way."""


class Arrivals(NamedTuple):
    """What has come since the last call, K rows."""

    number: I64
    """(K,) the caller's name of the packet or multicast."""
    created: I64
    """(K,) cycle."""
    arrived: I64
    """(K,) cycle; it may lie ahead: the last flit is then on its way to the terminal."""
    what: I64
    """(K,) ALONE, TAKEN, TAKEN_LAST, COUNTED or ACKNOWLEDGED of `memory.message_layout`."""
    terminal: I64
    """(K,) terminal that it has come to."""
    place: I64
    """(K,) place of the multicast's tree, by which it is acknowledged or counted."""


class _Planned(NamedTuple):
    """A tree in the table of places."""

    start: int
    places: int
    takers: int


class OutsideMulticasts(Outside):
    """A network under simulation into which packets and multicasts are posted.

    >>> from jumpnet.sim.config import preset
    >>> from jumpnet.topology import build
    >>> net = build("mesh:4x4")
    >>> network = OutsideMulticasts(net, Trees(net, "paths"), preset("jump1"), entries=4)
    >>> one = np.ones(1, np.int64)
    >>> network.post_all(7 * one, 0 * one, 0 * one, 10 * one, 4 * one, {7: ((2, 5), True)})
    >>> network.advance(100)
    >>> found = network.take()
    >>> found.terminal.tolist(), found.arrived.tolist()
    ([2, 5], [30, 30])
    >>> network.answer(found.number, found.place, found.terminal, 0 * found.place + 200, 0 * found.place)
    >>> network.advance(300)
    >>> network.take().arrived.tolist()
    [245]
    """

    def __init__(self, net: Network, trees: Trees, config: SimConfig, *, entries: int = 4, ack_flits: int = 3) -> None:
        """entries: combining buffers of a router. ack_flits: length of an acknowledge. Raises JumpnetError."""
        ack = Acknowledge(ack_flits, combining_entries=entries)
        check_settings(net, config, ack)
        config.refuse_rich("multicasts")
        self.trees = trees
        bound = PLANNED.bind(net, trees.vcs) if trees.routing is None else trees.routing
        casts = partial(first_casts, net, ack)
        super().__init__(net, bound, config.replace(vcs=bound.vcs), threads=1, ways=1, vcs=trees.vcs, casts=casts)
        self._plans: dict[int, _Planned] = {}
        self._pairs: dict[tuple[int, int], int] = {}
        self._places = 0
        """Of all plans so far."""
        self._slots: dict[int, list[int]] = {}
        """Free rows of messages, by the number of their tallies."""
        self._live: dict[int, tuple[int, int, int]] = {}
        """By name: row of the message, its size, and how much may be told of it."""
        self._told = 0

    @property
    def _casts(self) -> Casts:
        """Plans, messages and combining buffers."""
        assert self.engine.memory.casts is not None
        return self.engine.memory.casts

    @property
    def fallbacks(self) -> int:
        """Branchings whose acknowledges a terminal had to count because no combining buffer was free."""
        return int(self.engine.state.counter[COUNTER.fallbacks])

    # Plans.

    def _plan(self, number: int) -> _Planned:
        """A plan of `trees`, entered in the table of places."""
        known = self._plans.get(number)
        if known is not None:
            return known
        engine, trees, start, fields = self.engine, self.trees, self._places, self._casts.place_fields
        f = forest(engine.network, [trees.plans[number]], None, [trees.ends[number]])
        if int(f.vc.max(initial=0)) >= engine.shape.vcs:
            raise JumpnetError(f"{engine.shape.vcs} virtual channels found, {int(f.vc.max()) + 1} expected by plans")
        if (f.again >= 0).any():
            raise JumpnetError("packets that processors make anew found (REMAKE), a scheme without them expected")
        ways = int((f.branches + np.bitwise_count(f.sinks)).max(initial=1))
        if ways > engine.shape.ways:
            engine.memory.shape, state = widen(engine.shape, engine.state, ways)
            engine.memory.replace_arrays(State(*map(on_lines, state)))
            engine._say_room()
        nobody = np.zeros(len(f.router), np.int64)
        rows = np.stack((  # in the order of `message_layout.PlaceRow`
            f.router, np.where(f.parent < 0, -1, f.parent + start), f.port, f.vc, f.sinks, nobody, f.first + start,
            f.branches, f.back, nobody - 1, nobody - 1, *f.reply.T,
        ), axis=1).astype(np.int64).ravel()  # fmt: skip
        first = start * fields
        if first + len(rows) > len(self._casts.place):
            place = np.zeros(2 * (first + len(rows)), np.int64)  # doubled, so that many plans are not copied for each
            place[:first] = self._casts.place[:first]
            engine.memory.replace_arrays(engine.state, self._casts._replace(place=place))
        self._casts.place[first : first + len(rows)] = rows
        self._places = start + len(f.router)
        made = self._plans[number] = _Planned(start, len(f.router), int(f.takers[0]))
        return made

    def _alone(self, source: int, to: int) -> int:
        """Where the plan of a packet to one destination begins, -1 where the routing takes it there."""
        if self.trees.routing is not None:
            return -1
        start = self._pairs.get((source, to))
        if start is None:
            start = self._plan(self.trees.number(source, [to], alone=True)).start
            self._pairs[source, to] = start
        return start

    # Posting.

    def post(self, number: I64, source: I64, to: I64, created: I64, flits: I64) -> None:
        self.post_all(number, source, to, created, flits, {})

    def post_all(self, number: I64, source: I64, to: I64, created: I64, flits: I64, many: Mapping[int, Many]) -> None:
        """As `post`; packets named in `many` go to those destinations instead of to one.

        Raises JumpnetError for what `post` refuses, and for what the plans and the flow control cannot take.
        """
        columns = self._checked(number, source, to, created, flits)
        message, start = np.full((2, len(columns[0])), -1)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for k, (name, here, there, cycle, length) in enumerate(rows):
            if name in many:
                message[k], start[k] = self._prepared(name, here, many[name], cycle, length)
            else:
                start[k] = self._alone(here, there)
        place = np.where(start < 0, -1, start * self._casts.place_fields)
        message = np.where(message < 0, -1, message * MESSAGE_FIELDS)
        for part in self._in_parts([*columns, message, place], self._told):
            post_messages(self.engine.memory.address, *part)

    def _slot(self, size: int) -> int:
        """A free message with so many tallies; its number."""
        if self._slots.setdefault(size, []):
            return self._slots[size].pop()
        casts = self._casts
        count, more = len(casts.message) // MESSAGE_FIELDS, max(1, min(64, 4096 // max(1, size)))
        rows = np.zeros((more, MESSAGE_FIELDS), np.int64)
        rows[:, MESSAGE_ROW.base] = len(casts.tally) // TALLY_FIELDS + size * np.arange(more)
        tally = np.append(casts.tally, np.zeros(more * size * TALLY_FIELDS, np.int64))
        message = np.append(casts.message, rows.ravel())
        self.engine.memory.replace_arrays(self.engine.state, casts._replace(message=message, tally=tally))
        self._slots[size] += range(count, count + more - 1)
        return count + more - 1

    def _prepared(self, number: int, source: int, to: Many, created: int, flits: int) -> tuple[int, int]:
        """The row of a multicast's message, filled, and where its plan begins."""
        config, (destinations, combined) = self.config, to
        if flits > config.buffer_flits and (config.flow_control == "cut_through" or config.vc_reuse == "empty"):
            found = f"a multicast of {flits} flits found, at most {config.buffer_flits} (buffer_flits) expected"
            raise JumpnetError(f"{found}: longer ones can deadlock")
        if combined:
            check_combining(self.engine.network)
        plan = self._plan(self.trees.number(source, destinations))
        size = 1 << (plan.places - 1).bit_length() if combined else 0
        slot = self._slot(size)
        row = self._casts.message.reshape(-1, MESSAGE_FIELDS)[slot]
        base = int(row[MESSAGE_ROW.base])
        row[:] = 0
        row[[MESSAGE_ROW.last_arrival, MESSAGE_ROW.acknowledged, MESSAGE_ROW.following]] = -1
        row[MESSAGE_ROW.created], row[MESSAGE_ROW.start], row[MESSAGE_ROW.base] = created, plan.start, base
        row[MESSAGE_ROW.flits], row[MESSAGE_ROW.ack] = flits, COMBINED if combined else NO_ACK
        row[MESSAGE_ROW.to_come], row[MESSAGE_ROW.source], row[MESSAGE_ROW.number] = plan.takers, source, number
        self._casts.tally[base * TALLY_FIELDS : (base + size) * TALLY_FIELDS] = 0
        # Each taker, each acknowledge that a terminal may have to count, and the end are told once.
        told = plan.takers + (plan.places + plan.takers + 1) * combined
        self._live[number] = slot, size, told
        self._told += told
        return slot, plan.start

    def answer(self, number: I64, place: I64, terminal: I64, cycle: I64, counts: I64) -> None:
        """Terminals acknowledge what they took of a multicast at a place, or have counted an acknowledge (counts 1).

        All (K,), in ascending order of cycle; no cycle lies in the past.
        """
        if not len(number):
            return
        if cycle.min() < self.cycle or (np.diff(cycle) < 0).any():
            raise JumpnetError(f"acknowledges before cycle {self.cycle} or out of order found")
        message = np.array([self._live[name][0] for name in number.tolist()], np.int64) * MESSAGE_FIELDS
        columns = [message, place * self._casts.place_fields, terminal, cycle, counts]
        for part in self._in_parts([np.ascontiguousarray(column, np.int64) for column in columns], self._told):
            post_answers(self.engine.memory.address, *part)

    def take(self) -> Arrivals:  # type: ignore[override]
        """What has come since the last call; a multicast whose last part has is forgotten, and its name is free."""
        counter = self.engine.state.counter
        rows = self.engine.state.handed[: counter[COUNTER.handed]].copy()
        counter[COUNTER.handed] = 0
        what = rows[:, 3]
        for name in rows[(what == TAKEN_LAST) | (what == ACKNOWLEDGED), 0].tolist():
            slot, size, told = self._live.pop(name)
            self._slots[size].append(slot)
            self._told -= told
        return Arrivals(*(np.ascontiguousarray(column) for column in rows.T))
