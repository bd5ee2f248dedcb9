"""A network whose packets and multicasts come from outside: post them, advance, and acknowledge what has been taken.

As `sim.outside`, whose packets these are too. A multicast branches in the routers by the plans of `trees`; whoever it
reaches is told, and acknowledges when it is told to: the combining units of the routers count acknowledges on their
way back, over the links of the tree the other way, and where a router has no buffer free the terminal there is told of
each, and says when it has counted it (nishi1997router section 4.3). Where a scheme has terminals make packets anew
(REMAKE), they are told so, and say when they send on, and when they have heard that all below have acknowledged. What
drives the machine whose multicasts branch in the network (`machine.closed_loop`); kernels post by themselves where
plans and rows are there (`posting`). The twin is that of `engine`, with the times of all acknowledges given.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.sim.memory.message_layout import MESSAGE_FIELDS, MESSAGE_ROW, PLAN_FIELDS, TALLY_FIELDS
from jumpnet.sim.memory.shape import Branching
from jumpnet.sim.memory.state import MulticastState
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.messages import check_channels, check_combining, check_settings, forest, routing_of
from jumpnet.sim.multicast.tables import first_multicast_state, go_on_with, make_branch_rows, multicast_of
from jumpnet.sim.multicast.trees import Trees
from jumpnet.sim.outside import Outside
from jumpnet.sim.terminals.posting import post_answers
from jumpnet.terms import I64

__all__ = ["Arrivals", "OutsideMulticasts"]

LEAST_MESSAGES = 64
"""Rows made at a time for messages with few places."""


class Arrivals(NamedTuple):
    """What has come since the last call, K rows."""

    number: I64
    """(K,) the caller's name of the packet or multicast."""
    created: I64
    """(K,) cycle."""
    arrived: I64
    """(K,) cycle; it may lie ahead: the last flit is then on its way to the terminal."""
    what: I64
    """(K,) one of ALONE and so on of `memory.message_layout`."""
    terminal: I64
    """(K,) terminal that it has come to."""
    place: I64
    """(K,) place of the multicast's tree, by which it is acknowledged or counted."""


class OutsideMulticasts(Outside):
    """A network under simulation into which packets and multicasts are posted.

    >>> from jumpnet.sim.config.sim_config import preset
    >>> from jumpnet.topology import build
    >>> net = build("mesh:4x4")
    >>> network = OutsideMulticasts(net, Trees(net, "paths"), preset("jump1"), entries=4)
    >>> one = np.ones(1, np.int64)
    >>> plan = network.plan(0, (2, 5), combined=True) * one
    >>> message = network.post_all(7 * one, 0 * one, 0 * one, 10 * one, 4 * one, plan, one)
    >>> network.advance(100)
    >>> found = network.take()
    >>> found.terminal.tolist(), found.arrived.tolist()
    ([2, 5], [30, 30])
    >>> network.answer(np.repeat(message, 2), found.place, found.terminal, 0 * found.place + 200, 0 * found.place)
    >>> network.advance(300)
    >>> network.take().arrived.tolist()
    [245]
    """

    def __init__(self, net: Network, trees: Trees, config: SimConfig, *, entries: int = 4, ack_flits: int = 3) -> None:
        """entries: combining buffers of a router. ack_flits: length of an acknowledge. Raises JumpnetError."""
        cast = MulticastConfig(ack_flits=ack_flits, combining_entries=entries)
        check_settings(net, config, cast)
        self.trees, bound = trees, routing_of(net, trees.routing, trees.vcs)
        whole = config.flow_control == "cut_through" or config.vc_reuse == "empty"
        most = config.buffer_flits if whole else np.iinfo(np.int64).max
        state = partial(first_multicast_state, net, cast, most_flits=int(most), plans_alone=trees.routing is None)
        super().__init__(net, bound, config.replace(vcs=bound.vcs), branching=Branching(1, trees.vcs, state))
        self._planned: set[int] = set()
        """Numbers of the plans that are in the table of plans."""
        self._places = 0
        """Of all plans so far."""

    @property
    def _multicast(self) -> MulticastState:
        return multicast_of(self.engine)

    @property
    def fallbacks(self) -> int:
        """Branchings whose acknowledges a terminal had to count because no combining buffer was free."""
        return int(self.engine.state.counter[COUNTER.fallbacks])

    @property
    def promised(self) -> int:
        """How much may still be told of multicasts that are on their way; 0 when all are over."""
        return int(self._multicast.promised[0])

    # Plans.

    def plan(self, source: int, destinations: Sequence[int], combined: bool = False, alone: bool = False) -> int:
        """Number of the plan of multicasts from a terminal to others; alone: of packets to one.

        combined: acknowledges are to be combined on their way back. Raises JumpnetError for what the plans and the flow
        control cannot take.
        """
        if combined:
            check_combining(self.engine.network)
        number = self.trees.number(source, destinations, alone=alone)
        if number not in self._planned:
            self._enter_plan(number)
            self._planned.add(number)
        return number

    def _enter_plan(self, number: int) -> None:
        """A plan of `trees` goes into the tables of plans and of places."""
        engine, trees, start, fields = self.engine, self.trees, self._places, self._multicast.place_fields
        f = forest(engine.network, [trees.plans[number]], None, [trees.ends[number]], start)
        check_channels(f, engine.shape.vcs)
        make_branch_rows(engine, f.most_branches)
        places, rows = len(f.place), f.place.ravel()
        of = np.array([start, places, f.takers[0], 1 + (places - 1).bit_length()], np.int64)
        go_on_with(
            engine,
            place=_with_room(self._multicast.place, start * fields + len(rows)),
            plan=_with_room(self._multicast.plan, (number + 1) * PLAN_FIELDS),
        )
        self._multicast.place[start * fields : start * fields + len(rows)] = rows
        self._multicast.plan[number * PLAN_FIELDS : (number + 1) * PLAN_FIELDS] = of
        self._places = start + places

    def _make_alone(self, source: I64, to: I64) -> None:
        """Plans of packets to one destination, where these take plans."""
        if self._multicast.plans_alone:
            pair = source * self.engine.shape.terminals + to
            for k in np.flatnonzero(self._multicast.alone[pair] == 0).tolist():
                number = self.plan(int(source[k]), [int(to[k])], alone=True)
                self._multicast.alone[pair[k]] = 1 + self._multicast.plan[number * PLAN_FIELDS]

    # Posting.

    def post(self, number: I64, source: I64, to: I64, created: I64, flits: I64, classes: I64 | None = None) -> None:
        """As `Outside.post`; all packets are of one class here."""
        if classes is not None and np.any(classes):
            raise JumpnetError(f"class {np.max(classes)} of a packet found where packets branch, 0 expected")
        self.post_all(number, source, to, created, flits, np.full(len(number), -1), np.zeros(len(number)))

    def post_all(self, number: I64, source: I64, to: I64, created: I64, flits: I64, plan: I64, combined: I64) -> I64:
        """As `post`; packets with a plan that is not -1 are multicasts by it, whatever `to` says.

        combined: 1 where a multicast is over when all its takers have acknowledged, combined on the way. Returns by
        what each multicast is acknowledged (K,), -1 for packets. Raises JumpnetError for what `post` refuses.
        """
        if not len(number):
            return np.zeros(0, np.int64)
        self._check(source, to, created, flits, 0)
        told = self.make_ready(source, to, flits, plan, combined)
        return self._post(number, source, to, created, flits, 0, plan, combined, told=told)

    def make_ready(self, source: I64, to: I64, flits: I64, plan: I64, combined: I64) -> int:
        """Plans and rows for what is to be posted, as `post_all` is given it, by which kernels post; how much may then
        be told besides one delivery of each packet. Raises JumpnetError for multicasts that are too long."""
        branch = plan >= 0
        if branch.any() and (longest := int(flits[branch].max())) > (most := self._multicast.most_flits):
            found = f"a multicast of {longest} flits found, at most {most} (buffer_flits) expected"
            raise JumpnetError(f"{found}: longer ones can deadlock")
        self._make_alone(source[~branch], to[~branch])
        return self.promised + self._make_messages(plan[branch], combined[branch])

    def _make_messages(self, plan: I64, combined: I64) -> int:
        """Rows for messages by plans, each once more; how much may be told of these."""
        _, places, takers, size = self._multicast.plan.reshape(-1, PLAN_FIELDS)[plan].T
        for one in np.unique(size * combined).tolist():
            missing = len(plan) - int(self._multicast.spare[2 * one + 1])
            if missing > 0:
                self._make_rows(one, missing)
        return int((takers + (places + takers + 1) * combined).sum())

    def _make_rows(self, size: int, least: int) -> None:
        """So many more free messages of a size, or some more."""
        multicast, tallies = self._multicast, (1 << size) >> 1
        first, more = len(multicast.message) // MESSAGE_FIELDS, max(least, min(LEAST_MESSAGES, 4096 // max(1, tallies)))
        rows = np.zeros((more, MESSAGE_FIELDS), np.int64)
        rows[:, MESSAGE_ROW.base] = len(multicast.tally) // TALLY_FIELDS + tallies * np.arange(more)
        rows[:, MESSAGE_ROW.following] = (first + 1 + np.arange(more)) * MESSAGE_FIELDS
        rows[-1, MESSAGE_ROW.following] = multicast.spare[2 * size]
        tally = np.append(multicast.tally, np.zeros(more * tallies * TALLY_FIELDS, np.int64))
        go_on_with(self.engine, message=np.append(multicast.message, rows.ravel()), tally=tally)
        multicast.spare[2 * size : 2 * size + 2] = first * MESSAGE_FIELDS, multicast.spare[2 * size + 1] + more

    def answer(self, message: I64, place: I64, terminal: I64, cycle: I64, what: I64) -> None:
        """Terminals say something of a multicast at a place, such as that they acknowledge what they took.

        message: as `post_all` says. what: one of ACKNOWLEDGES and so on of `memory.message_layout`. All (K,), in
        ascending order of cycle; no cycle lies in the past.
        """
        if not len(message):
            return
        if cycle.min() < self.cycle or (np.diff(cycle) < 0).any():
            raise JumpnetError(f"acknowledges before cycle {self.cycle} or out of order found")
        answers = np.stack([message, place, terminal, cycle, what], axis=1, dtype=np.int64, casting="unsafe")
        self.make_room(len(answers), self.promised)
        post_answers(self.engine.memory.address, answers)

    def take(self) -> Arrivals:  # type: ignore[override]
        """What has come since the last call; of a multicast whose last part has nothing more comes."""
        counter = self.engine.state.counter
        rows = self.engine.state.delivery[: counter[COUNTER.deliveries]].copy()
        counter[COUNTER.deliveries] = 0
        return Arrivals(*(np.ascontiguousarray(column) for column in rows.T))


def _with_room(array: I64, size: int) -> I64:
    """An array with at least so many numbers; doubled, so that many plans are not copied for each."""
    return array if size <= len(array) else np.append(array, np.zeros(2 * size - len(array), np.int64))
