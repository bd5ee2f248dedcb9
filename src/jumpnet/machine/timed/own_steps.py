"""Whether the timed machine comes to a fault of tables by its own steps: its kernel, with the accesses and delays of a
replay.

The kernel takes from tables what references do from one state of rest to the next (`coherence.rules`); a fault that
lies between is not in it. Its lines carry no values, so that two things can go wrong: a node may write without a word
while another one has a copy, and a copy stays that a finished write should have reached. Both are looked for in every
cycle. Where nothing goes wrong its messages are held against those of the replay: whether it goes the same way to the
cycle of the fault, and takes a step of its own there, or where the two part. Called by `counterexample`.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.recent import EMPTY
from jumpnet.coherence.rules import codes as rule
from jumpnet.errors import JumpnetError
from jumpnet.jit.bits import WORD_BITS, bit
from jumpnet.machine.records import LOCK, UNLOCK
from jumpnet.machine.timed.by_tables import HOME, PAUSE, Access, kinds_of
from jumpnet.machine.timed.carried import run_carried
from jumpnet.machine.timed.design import Costs, Design
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.machine import Run
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace, block_of
from jumpnet.terms import I64

__all__ = ["Carried", "Plan", "own_steps", "records_of"]

PAGE_BYTES, LINE_BYTES, LOCKS = 4096, 32, 1 << 24
ACK = int(at.ACK)
SAID = {
    int(kind): said
    for said, kinds in {
        "asked": (at.ASK_READ, at.ASK_WRITE, at.PUT), "data": (at.DATA,), "told": (at.TELL, at.FETCH),
        "answer": (at.ACK, at.OWNER_DATA), "done": (at.DONE,), "put done": (at.PUT_DONE,),
    }.items()
    for kind in kinds
}  # fmt: skip
"""Kinds of messages that the machine and tables may have in each other's place."""


class Carried(NamedTuple):
    """A message of the line between two nodes, counted from 1, the home the last one."""

    event: str
    source: int
    to: int
    sent: int
    arrived: int


class Plan(NamedTuple):
    """A replay."""

    work: tuple[tuple[Access, ...], ...]
    """By processor, the home's last; line 0 is the one concerned."""
    homes: tuple[int, ...]
    """By line."""
    arrivals: Mapping[tuple[str, int, str], tuple[int, ...]]
    """When messages of line 0 come, by channel, cache and event (`by_tables.Packet`)."""
    end: int
    """A cycle behind all of them."""
    costs: Costs
    outstanding: int = 1
    """Requests of a processor; from 2 on it does not wait for writes."""
    messages: tuple[Carried, ...] = ()
    """What the replay's steps have sent of line 0 and what has come by the fault."""
    cycle: int = 0
    """Of the fault."""


@dataclass(frozen=True)
class _Given(Design):
    """A machine by tables that nobody has registered."""

    given: Protocol | None = None

    @property
    def tables(self) -> Protocol:
        """The protocol itself."""
        assert self.given is not None
        return self.given


def own_steps(protocol: Protocol, plan: Plan) -> str:
    """What comes of a replay by the machine's own steps, in a line."""
    if any(access.what == HOME for accesses in plan.work for access in accesses):
        return "the machine's own steps do not come to it: it chooses the mode of a page before it runs"
    try:
        design = _Given(
            directory="line", caches=(LINE_BYTES, 1), outstanding=plan.outstanding, synchronisation="free",
            costs=plan.costs, given=protocol,
        )  # fmt: skip
    except JumpnetError as refused:
        return f"the machine itself refuses these tables: {refused}"
    if design.rules.pointers:
        return "the machine's own steps are not asked: of few pointers it takes the oldest, the chart any"
    rows = records_of(plan.work)
    trace = Trace(protocol.name, len(plan.work), lambda: iter([block_of(*map(np.array, zip(*rows, strict=True)))]))
    homes = dict(enumerate(plan.homes))
    streams = streams_of(trace, placement="given", homes=homes, processors=len(plan.work))
    run = Run(streams, design, None, None, None)
    carrier = _Ordered(protocol, plan, _Watch(run.m, plan))
    run_carried(run, carrier)
    if carrier.watch.found:
        return f"the machine's own steps go wrong too: {carrier.watch.found}"
    return _way_of(protocol, plan, carrier.carried)


def _way_of(protocol: Protocol, plan: Plan, mine: list[Carried]) -> str:
    """How far the machine's own messages are those of the replay, in order of arrival."""
    theirs = [message._replace(event=_said(protocol, message.event), sent=0) for message in plan.messages]
    own = [message._replace(sent=0) for message in mine if message.arrived <= plan.cycle]
    only = sorted((Counter(theirs) - Counter(own)) + (Counter(own) - Counter(theirs)), key=lambda m: m[1:][::-1])
    if not only:
        same = f"the machine's own messages are the same to cycle {plan.cycle}"
        return f"{same}; what it does there is no table's, and nothing goes wrong"
    first = only[0]
    who = "the replay's" if first in theirs else "the machine's"
    where = f"a message ({first.event}) from {first.source} to {first.to}, in cycle {first.arrived}"
    return f"the machine's own steps do not come to it: they part at {where}, {who} alone"


def _said(protocol: Protocol, event: str) -> str:
    """What a message of the tables stands for, which a message of the machine may too."""
    return "asked" if event in protocol.requests else SAID[kinds_of(protocol).get(event, ACK)]


def records_of(work: tuple[tuple[Access, ...], ...]) -> list[tuple[int, int, int, bool, int]]:
    """(processor, address, bytes, write, kind) of a trace: line k lies on page k, a cycle of waiting is a lock of a
    processor's own, taken or given back.

    >>> records_of(((Access(PAUSE, 2), Access("write", 1)),))[-1]
    (0, 4096, 4, True, 0)
    """
    rows = []
    for p, accesses in enumerate(work):
        paused = 0
        for what, number, *_ in accesses:
            if what == PAUSE:
                kinds = [(LOCK, UNLOCK)[(paused + k) % 2] for k in range(number)]
                rows += [(p, LOCKS + 64 * p, 4, True, kind) for kind in kinds]
                paused += number
            elif what != HOME:
                rows.append((p, PAGE_BYTES * number, 4, what == "write", 0))
    return rows


class _Ordered:
    """A carrier that lets messages of line 0 come when those of the tables come that they stand for."""

    def __init__(self, protocol: Protocol, plan: Plan, watch: _Watch) -> None:
        self.plan, self.now, self.watch = plan, 0, watch
        self.under_way: list[tuple[int, int]] = []
        self.carried: list[Carried] = []
        self.times: dict[tuple[str, int], deque[int]] = defaultdict(deque)
        kinds = kinds_of(protocol)
        for (where, cache, event), times in plan.arrivals.items():
            said = "asked" if where == "asked" else SAID[kinds.get(event, ACK)]
            self.times[said, cache - 1].extend(times)
        for key, found in self.times.items():
            self.times[key] = deque(sorted(found))

    @property
    def empty(self) -> bool:
        """Never, until the plan's end: every cycle is looked at."""
        return not self.under_way and self.now > self.plan.end

    def post(self, row: I64, source: I64, to: I64, sent: I64, flits: I64) -> None:
        """As `carried.Carrier`."""
        what = self.watch.m.message.reshape(-1, len(at.MESSAGE))[row // len(at.MESSAGE)]
        for k, number in enumerate(row.tolist()):
            kind, home = int(what[k, at.MESSAGE.kind]), self.plan.homes[0]
            node, start = int(source[k] if to[k] == home else to[k]), int(sent[k])
            times = self.times[SAID[kind], node]
            arrives = max(start + 1, times.popleft() if times else self.plan.end)
            self.under_way.append((arrives, number))
            self.carried.append(Carried(SAID[kind], int(source[k]) + 1, int(to[k]) + 1, start, arrives))
            if kind == at.TELL:
                self.watch.told[node] = arrives

    def advance(self, cycle: int) -> tuple[I64, I64]:
        """As `carried.Carrier`."""
        self.now = cycle
        if cycle <= self.plan.end:
            self.watch.look(cycle)
        now = sorted(message for message in self.under_way if message[0] <= cycle)
        self.under_way = [message for message in self.under_way if message[0] > cycle]
        arrived, row = (np.array([message[k] for message in now], np.int64) for k in range(2))
        return row, arrived


def _row(places: Any, numbers: I64) -> Any:
    """A row of a table by the names of its numbers, of which it may have more."""
    return places._make(numbers[: len(places)].tolist())


class _Watch:
    """What is wrong with line 0, looked for after every cycle."""

    def __init__(self, m: Any, plan: Plan) -> None:
        self.m, self.found = m, ""
        self.told = [-1] * len(plan.work)
        """When each node was told of a write last."""
        self.writes = [[i for i, what in enumerate(_units(accesses)) if what == ("write", 0)] for accesses in plan.work]
        """By processor, the places of its writes to the line in its stream, those that are over left out."""
        self.asked = [-1] * len(plan.work)
        """Since when a write is under way."""

    def look(self, cycle: int) -> None:
        """After a cycle."""
        holders = self._holders()
        self._look_for_a_second_writer(cycle, holders)
        for p, writes in enumerate(self.writes):
            while writes and self._has_begun(p, writes[0]):
                self.asked[p] = cycle if self.asked[p] < 0 else self.asked[p]
                if self._is_under_way(p, writes):
                    break
                stale = [q for q in holders if q != p and self.told[q] < self.asked[p]]
                if stale:
                    self._note(cycle, f"processor {stale[0] + 1} has a copy that a write of processor {p + 1} missed")
                writes.pop(0)
                self.asked[p] = -1

    def _look_for_a_second_writer(self, cycle: int, holders: list[int]) -> None:
        """Note an owner who may write without a word while another one has a copy that a write takes away."""
        owner = int(_row(at.LINE, self.m.line).owner)
        if owner in holders and len(holders) > 1 and self._takes_copies() and not self._asks_to_write(owner):
            other = next(p for p in holders if p != owner)
            self._note(cycle, f"processor {owner + 1} may write beside the copy of processor {other + 1}")

    def _holders(self) -> list[int]:
        """The processors whose cache, which has room for one line, has this one."""
        return [p for p, entry in enumerate(self.m.cache.tolist()) if entry != EMPTY and entry >> 1 == 0]

    def _write_by(self, part: int) -> int:
        """The row of a write by a node that has some part in the line."""
        return int(self.m.rules[rule.ROWS * _row(at.LINE, self.m.line).state + rule.PARTS * part + rule.WRITE])

    def _takes_copies(self) -> bool:
        """Whether a write of the line takes the copies of others away."""
        return bool(self._write_by(rule.NONE) & rule.TAKES)

    def _asks_to_write(self, owner: int) -> bool:
        """Whether the owner of the line has to ask for a write, or waits for the home anyway."""
        pending = self.m.pending[owner // WORD_BITS] & bit(owner)
        return bool(self._write_by(rule.OWNER) & rule.ASKS or pending)

    def _has_begun(self, p: int, place: int) -> bool:
        """Whether a processor is past a place of its stream."""
        return bool(_row(at.PROCESSOR, self.m.proc.reshape(self.m.processors, -1)[p]).next > place)

    def _is_under_way(self, p: int, writes: list[int]) -> bool:
        """Whether the first of a processor's writes waits for the home.

        Where one waits at a time and the next one has begun, the request is that one's.
        """
        is_later = self.m.outstanding == 1 and len(writes) > 1 and self._has_begun(p, writes[1])
        requests = self.m.register.reshape(self.m.processors, self.m.outstanding, -1)[p]
        rows = [_row(at.REGISTER, request) for request in requests]
        return not is_later and any(row.line == 0 and row.write == 1 for row in rows)

    def _note(self, cycle: int, what: str) -> None:
        self.found = self.found or f"in cycle {cycle - 1} {what}"  # that is over


def _units(accesses: tuple[Access, ...]) -> list[tuple[str, int]]:
    """An entry for each record of a processor."""
    return [
        (what, number) for what, number, _ in accesses if what != HOME for _ in range(number if what == PAUSE else 1)
    ]
