"""The checked pass of a user's own routing: its functions run in plain Python over packets of the network.

Every packet state that a packet of each pair reaches is asked, all candidates followed, where MOST_CALLS calls reach so
far; else those of pairs drawn with a fixed seed. A fault is one line with routing, router, packet, file and line.
Once a process for each routing on a network. Called by `BoundRouting.pointer`, so by all that calls a relation.

Cost: some 45 microseconds a call, half a second however large the network is; a second where the functions are long, as
no more than MOST_LINES lines are run. Routings of the package are never checked here.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED
from jumpnet.networks import Network
from jumpnet.own.bounded import bounded
from jumpnet.own.strict import reads
from jumpnet.own.trial import MOST_LINES, UNLIKE, Fault, Trial, guarded, place, shown, whole
from jumpnet.routings._guarded import UNWRITTEN
from jumpnet.routings._prepared import hold_prepared
from jumpnet.routings._tables import visit_order
from jumpnet.routings.reads import fields_read
from jumpnet.routings.view import (
    DESTINATION,
    ENTERS,
    ESCAPE,
    IN_PORT,
    IN_VC,
    INTERMEDIATE,
    KIND,
    MAX_CANDIDATES,
    NEXT_STATE,
    PORT,
    ROUTING_FIELDS,
    SOURCE,
    STATE,
    VC,
    new_head,
    new_out,
)
from jumpnet.terms import I64

__all__ = ["agree", "check", "check_pair"]

MOST_CALLS = 10_000
"""Calls of a relation in one pass; all states of 100 routers where the state is router and destination."""
MOST_CALLS_A_PACKET = 1_000
"""Calls for the packets of one pair and draw, of which there may be many where a routing is adaptive."""
KEPT_CALLS = 256
"""Calls whose answers are compared with those of the compiled function."""
CROWDED = 1 << 20
"""Credits in use at a queue that is told to be crowded, as in proofs."""
FIELDS = ("PORT", "VC", "NEXT_STATE", "KIND")
START_FIELDS = (STATE, INTERMEDIATE)


class Call(NamedTuple):
    """A call of a relation and its answer, to be compared with the compiled function's."""

    here: int
    head: I64
    rows: list[list[int]]


class Checked:
    """A routing's own functions under guard, and which packet states they have been asked for."""

    def __init__(self, bound: Any) -> None:
        routing, view = bound.routing, bound.view
        self.bound = bound
        arrays: dict[str, Any] = {key: guarded(getattr(view, key), f"net.{key}") for key in view._fields[:7]}
        self.view = view._replace(**arrays, address=0)
        who = f"routing {routing.name}"
        self.relation = Trial(routing.relation, who)
        self.start = Trial(routing.start, who) if routing.start is not None else None
        self.outlook = Trial(routing.outlook, who) if routing.outlook is not None else None
        self.head, self.out, self.queue = new_head(0, 0), new_out(), np.zeros(view.queues, np.int64)
        reads = fields_read(routing.relation, 2)
        self.by_channel, self.by_source = bool(reads & {IN_PORT, IN_VC}), SOURCE in reads
        self.seen: set[tuple[int, ...]] = set()
        self.kept: list[Call] = []
        self.calls = 0

    @property
    def room(self) -> bool:
        """Whether more calls may be made."""
        lines = self.relation.lines + (self.start.lines if self.start else 0)
        return self.calls < MOST_CALLS and lines < MOST_LINES

    def refused(self, here: int, fault: Fault) -> JumpnetError:
        """The error for a fault at a router."""
        head, net = self.head, self.bound.network
        about = [f"from {head[SOURCE]} to {head[DESTINATION]}"]
        for name, field, usual in (("STATE", STATE, 0), ("INTERMEDIATE", INTERMEDIATE, -1), ("IN_PORT", IN_PORT, -1)):
            if head[field] != usual:
                about.append(f"{name} {head[field]}")
        return JumpnetError(
            f"routing {self.bound.name} on {net.spec}, router {here}, packet {', '.join(about)}: {fault}"
        )

    def begin(self, here: int, draw: int, busy: int) -> None:
        """Run the start hook; `busy`: number of the queue that is crowded, or -1; from as many on, all but each."""
        if self.start is None:
            return
        self.calls += 1
        before = self.head.copy()
        others = busy >= len(self.queue)
        self.queue[:] = CROWDED if others else 0
        if busy >= 0:
            self.queue[busy % len(self.queue)] = 0 if others else CROWDED
        try:
            head = guarded(self.head[:ROUTING_FIELDS], "head", writable=True)
            self.start(self.view, head, draw, guarded(self.queue, "queue"))
            for field in np.flatnonzero(self.head != before).tolist():
                if field not in START_FIELDS:
                    raise self.start.at(f"head[{field}] is written, STATE and INTERMEDIATE alone may be")
            if not -1 <= self.head[INTERMEDIATE] < self.bound.network.routers:
                found = f"INTERMEDIATE {self.head[INTERMEDIATE]} found"
                raise self.start.at(f"{found}, a router (0 to {self.bound.network.routers - 1}) or -1 expected")
        except Fault as fault:
            raise self.refused(here, fault) from None

    def ask(self, here: int) -> list[list[int]]:
        """The candidates of the packet at a router; none where it has arrived."""
        self.calls += 1
        self.out[:] = UNWRITTEN
        head = guarded(self.head[:ROUTING_FIELDS], "head")
        try:
            count = self.relation(self.view, here, head, guarded(self.out, "out", writable=True))
            rows = self.candidates(here, count)
            if self.outlook is not None:
                self.look(here)
        except Fault as fault:
            raise self.refused(here, fault) from None
        if len(self.kept) < KEPT_CALLS:
            self.kept.append(Call(here, self.head.copy(), rows))
        return rows

    def candidates(self, here: int, count: Any) -> list[list[int]]:
        """The rows of an answer, all of it checked."""
        if not whole(count):
            raise self.relation.at(f"{shown(count)} returned, a whole number expected")
        if count < 0:
            raise self.relation.at(f"has no route: {shown(count)} returned, candidates expected")
        if count == 0 and here != self.head[DESTINATION]:
            raise self.relation.at(f"says arrived at router {here}, not at {self.head[DESTINATION]}")
        if count > MAX_CANDIDATES:
            raise self.relation.at(f"{shown(count)} candidates returned, at most {MAX_CANDIDATES} expected")
        rows = self.out[:count].tolist()
        for k, row in enumerate(rows):
            reason = self.wrong(here, row)
            if reason:
                raise self.relation.at(f"candidate {k} {reason}")
        return rows

    def wrong(self, here: int, row: list[int]) -> str:
        """What is wrong with a candidate, if anything."""
        net, port = self.bound.network, row[PORT]
        if UNWRITTEN in row:
            return f"has no {FIELDS[row.index(UNWRITTEN)]}: it is not written"
        if not 0 <= port < net.ports:
            return f"names port {port}, which is not there: 0 to {net.ports - 1} expected"
        if net.neighbor[here, port] < 0:
            return f"names port {port}, where no link is"
        if not 0 <= row[VC] < self.view.vcs:
            there = f"0 to {self.view.vcs - 1}" if self.view.vcs > 1 else "0 alone (vcs=1)"
            return f"names virtual channel {row[VC]}, which is not there: {there} expected"
        if row[KIND] & ~(ESCAPE | ENTERS):
            return f"has KIND {row[KIND]}, 0 to {ESCAPE | ENTERS} expected"
        return ""

    def look(self, here: int) -> None:
        """Run the outlook on the packet."""
        assert self.outlook is not None
        rows = guarded(new_out(), "out", writable=True)
        value = self.outlook(self.view, here, guarded(self.head[:ROUTING_FIELDS], "head"), rows)
        if not whole(value):
            raise self.outlook.at(f"{shown(value)} returned, a whole number expected")

    def place(self, source: int, here: int, destination: int, state: int, port: int, vc: int) -> bool:
        """Set the header of a packet on its way; False when its state has been asked for."""
        inter = int(self.head[INTERMEDIATE])
        key = (destination, here, state, inter, *((port, vc) if self.by_channel else ()), *[source] * self.by_source)
        if key in self.seen:
            return False
        self.seen.add(key)
        self.head[[SOURCE, DESTINATION, STATE, IN_PORT, IN_VC]] = source, destination, state, port, vc
        return True

    def packet(self, source: int, destination: int, draw: int, busy: int = -1) -> None:
        """Follow all candidates of one packet; the first of each must lead somewhere."""
        net = self.bound.network
        self.head[:] = new_head(source, destination)
        self.begin(source, draw, busy)
        inter, last = int(self.head[INTERMEDIATE]), self.calls + MOST_CALLS_A_PACKET
        todo = [(source, int(self.head[STATE]), -1, -1)]
        hops, most, first = 0, 4 * net.routers + 64, True
        while todo and self.room and (first or self.calls < last):
            here, state, port, vc = todo.pop()
            self.head[INTERMEDIATE] = inter
            if not self.place(source, here, destination, state, port, vc):
                first = False
                continue
            rows = self.ask(here)
            if port >= 0 and self.bound.routing.revises:
                self.begin(here, here, busy)
                if self.head[STATE] != state:
                    self.ask(here)
            first, hops = first and bool(rows), hops + 1
            if first and hops > most:
                reason = f"not arrived after {most} hops by first candidates, each with another STATE"
                raise self.refused(here, self.relation.at(reason))
            for row in reversed(rows):
                there, far = int(net.neighbor[here, row[PORT]]), int(net.far_port[here, row[PORT]])
                todo.append((there, row[NEXT_STATE], far, row[VC]))

    def all(self) -> None:
        """Follow the packets of all pairs, or of those drawn, while there is room."""
        chance = np.random.default_rng(2)
        for source, destination, draw in _triples(self.bound, self.bound.draws):
            self.packet(source, destination, draw)
            if self.start is not None and self.queue.size:
                self.packet(source, destination, draw, int(chance.integers(2 * self.queue.size)))
            if not self.room:
                break


def _triples(bound: Any, draws: int) -> Iterator[tuple[int, int, int]]:
    """Source, destination and draw of packets to try: all in random order where few, else so many drawn."""
    net = bound.network
    sources, sinks = np.flatnonzero(net.terminals > 0), np.flatnonzero(net.sinks > 0)
    every, chance = min(len(sources) * len(sinks) * draws, 1 << 62), np.random.default_rng(1)
    few = every <= 4 * MOST_CALLS
    numbers = chance.permutation(every) if few else chance.integers(0, every, MOST_CALLS)
    for number in numbers.tolist():
        pair, draw = divmod(number, draws)
        source, destination = int(sources[pair // len(sinks)]), int(sinks[pair % len(sinks)])
        if source != destination:
            yield source, destination, draw


_passed: WeakKeyDictionary[Network, dict[Any, list[Call]]] = WeakKeyDictionary()


def _name(bound: Any, *more: Any) -> str:
    return f"routing {bound.name}: {place(bound.routing.relation)}"


@bounded(_name)
def _calls_of(bound: Any) -> list[Call]:
    tried = Checked(bound)
    tried.all()
    return tried.kept


def check(bound: Any) -> list[Call]:
    """Some calls and their answers, after the pass; raises JumpnetError at the first fault."""
    known = _passed.setdefault(bound.network, {})
    functions = filter(callable, vars(bound.routing).values())
    key = (bound.routing, bound.vcs, str(sorted(bound.options.items())), *map(reads, functions))
    if key not in known:
        hold_prepared(bound)
        known[key] = _calls_of(bound)
    return known[key]


def check_pair(bound: Any, source: int, destination: int) -> None:
    """Raise JumpnetError for what keeps packets of one pair from arriving, where it is known: a network without a path
    from one to the other, or a fault of a user's own routing that fails in compiled code."""
    net = bound.network
    if visit_order(net, source)[destination] < 0:
        raise JumpnetError(
            f"no path from router {source} to {destination} of {net.spec}, whatever the routing; "
            "a connected network expected"
        )
    if bound.own:
        _pair(bound, source, destination)


@bounded(_name)
def _pair(bound: Any, source: int, destination: int) -> None:
    tried = Checked(bound)
    for draw in range(bound.draws):
        tried.packet(source, destination, draw)
    agree(bound, bound.pointer, tried.kept)


def agree(bound: Any, pointer: Any, calls: list[Call]) -> None:
    """Refuse a relation whose compiled function answers otherwise than plain Python did."""
    if DISABLED:
        return
    ask = ctypes.CFUNCTYPE(*[ctypes.c_int64] * 5)(pointer.address)
    out = new_out()
    for call in calls:
        head = call.head.copy()
        count = ask(bound.view.address, call.here, head.ctypes.data, out.ctypes.data)
        if count != len(call.rows) or out[:count].tolist() != call.rows:
            tried = Checked(bound)
            tried.head[:] = call.head
            found = f"{count} candidates {out[: min(3, max(0, count))].tolist()}" if count >= 0 else "an error"
            reason = f"compiled, it gives {found}; in plain Python {len(call.rows)} {call.rows[:3]} {UNLIKE}"
            raise tried.refused(call.here, tried.relation.at(reason))
