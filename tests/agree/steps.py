"""The timed machine's steps, in the order in which it takes them, run as steps of its protocol's tables.

The machine runs in plain Python here (NUMBA_DISABLE_JIT=1), on random work, with messages of random latency, and what
it does to a line is written down: a processor that hits, asks or gives a line up, a node that is told, fetched from or
answered, a home that turns to a request or answers. Each must be a step that the model of the tables has in the state
it is in then (`Replay`); both must be in the same state at the end. Where the machine goes another way than the tables
`Replay` says how far. Run by `test_steps`; by hand, with more work:

    NUMBA_DISABLE_JIT=1 python -m tests.agree.steps --examples 1000 --seed 1
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st
from tests.agree.replayed import Mismatch, Replay
from tests.tiny.protocols import (
    AROUND,
    FIREFLY,
    LAST,
    LAST_LATE,
    LAST_OWNER,
    MESI_AROUND,
    MESIF,
    PASSING,
    SINGLE,
    THROUGH,
    WRITE_BACK_AROUND,
)
from tests.twin.machine.timed.twin import made_trace

from jumpnet.coherence.protocol import protocol, register
from jumpnet.coherence.rules import codes as rule
from jumpnet.jit.decorator import DISABLED
from jumpnet.machine.timed.carried import run_carried
from jumpnet.machine.timed.design import Costs, Design
from jumpnet.machine.timed.entries import Entries
from jumpnet.machine.timed.kernels import caches, home, processors, tables, tell
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.machine import Run
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.timed.trees import BinomialTrees

PROTOCOLS = (
    *("msi", "mesi", "moesi", "update", "mixed", "dragon", "limited", "limited_update", "chained", "single"),
    *("mesif", "firefly", "passing", "around", "through", "write-back-around", "mesi-around"),
    *("last", "last-owner", "last-late"),
)
OF_TESTS = (
    *(SINGLE, MESIF, FIREFLY, PASSING, AROUND, THROUGH, WRITE_BACK_AROUND, MESI_AROUND, LAST, LAST_OWNER, LAST_LATE),
)
NODES = 4


class Event(NamedTuple):
    """Something that happens to a line."""

    what: str
    line: int
    node: int = -1
    """Whose cache does it, or whose request the home turns to."""
    detail: Any = None


class Log:
    """What the machine does, written down by functions that stand before its own."""

    def __init__(self, patch: Any) -> None:
        self.events: list[Event] = []
        self.completes = False
        for module, name in (
            (processors, "hits"), (processors, "writes_at_home"), (processors, "ask"), (caches, "evict"),
            (home, "told"), (home, "share"),
            (home, "complete"), (home, "begin"), (home, "reply"), (home, "settle"), (tell, "heed"),
        ):  # fmt: skip
            patch(module, name, self._before(getattr(self, f"_{name}"), getattr(module, name)))

    def _before(self, mine: Any, machines: Any) -> Any:
        return lambda *args: mine(machines, *args)

    def _note(self, what: str, line: int, node: int, detail: Any = None) -> None:
        self.events.append(Event(what, int(line), int(node), detail))

    def _hits(self, machines, m, p, line, write, t):
        served = len(self.events)
        if (found := machines(m, p, line, write, t)) and len(self.events) == served:
            self._note("hit", line, p // m.cluster, "write" if write else "read")
        return found

    def _writes_at_home(self, machines, m, line, node):
        if found := machines(m, line, node):
            self._note("at home", line, node)
        return found

    def _ask(self, machines, m, p, line, write, t):
        self._note("ask", line, p // m.cluster, "write" if write else "read")
        return machines(m, p, line, write, t)

    def _evict(self, machines, m, p, entry, t):
        line, node, sent = entry >> 1, p // m.cluster, self._puts(m)
        silent = at_pending(m, line, node)
        machines(m, p, entry, t)
        if not silent:  # else the register of the request has it
            self._note("evict", line, node, self._puts(m) > sent)

    def _puts(self, m):
        return sum(m.pending.tolist())

    def _told(self, machines, m, node, row, t):
        message = at.message_at(m, row)
        self._of_told(m, message.line, node, tables.node_of(m, message.register))
        return machines(m, node, row, t)

    def _of_told(self, m, line, node, asker):
        """Whether it gives the line away with its acknowledge: an owner from whom the tables fetch it."""
        kept = at.line_of(m, line)
        gives = kept.owner == node != asker and kept.does & rule.FETCHES != 0
        self._note("told", line, node, bool(gives))

    def _heed(self, machines, m, line, node, asker, goes):
        """Of the home, which is told without a message."""
        self._of_told(m, line, node, asker)
        return machines(m, line, node, asker, goes)

    def _share(self, machines, m, line, node, asker):
        self._note("fetched", line, node)
        return machines(m, line, node, asker)

    def _complete(self, machines, m, row, t):
        message = at.message_at(m, row)
        self._note("answered", message.line, tables.node_of(m, message.register), bool(home.has_copy(m, row)))
        self.completes = True
        found = machines(m, row, t)
        self.completes = False
        return found

    def _begin(self, machines, m, line, row, t):
        message = at.message_at(m, row)
        self._note("turns to", line, tables.node_of(m, message.register), int(message.kind))
        return machines(m, line, row, t)

    def _reply(self, machines, m, line, t):
        register = at.message_at(m, at.line_of(m, line).asked).register
        self._note("answers", line, tables.node_of(m, register))
        return machines(m, line, t)

    def _settle(self, machines, m, line, node, t):
        if not self.completes:
            self._note("put done", line, node)
        return machines(m, line, node, t)


def at_pending(m, line, node):
    """Whether a node has asked for a line, or given it up, and waits."""
    return bool(tables.is_pending(m, line, node))


class Delays:
    """A carrier in which every message takes a latency of its own, so that messages overtake each other."""

    def __init__(self, seed: int, most: int) -> None:
        self.draw, self.most, self.under_way = np.random.default_rng(seed), most, []

    @property
    def empty(self) -> bool:
        return not self.under_way

    def post(self, row, source, to, sent, flits) -> None:
        arrives = sent + 1 + self.draw.integers(0, self.most + 1, len(row))
        self.under_way += zip(arrives.tolist(), row.tolist(), strict=True)

    def advance(self, cycle):
        now = sorted(message for message in self.under_way if message[0] <= cycle)
        self.under_way = [message for message in self.under_way if message[0] > cycle]
        arrived, row = (np.array(column, np.int64) for column in (zip(*now, strict=True) if now else ((),) * 2))
        return row, arrived


class Work(NamedTuple):
    """A run."""

    records: list[tuple[int, int, int, bool, int]]
    design: Design
    entries: Any
    trees: Any
    seed: int
    most: int

    def logged(self) -> tuple[Any, Any, list[Event]]:
        """The machine at the end of its run, its streams, and what it did."""
        kept = []

        def patch(module: Any, name: str, made: Any) -> None:
            kept.append((module, name, getattr(module, name)))
            setattr(module, name, made)

        log = Log(patch)
        try:
            trace = made_trace(self.records, NODES * self.design.clusters_of)
            streams = streams_of(trace, clusters_of=self.design.clusters_of, placement="interleaved")
            run = Run(streams, self.design, self.trees, self.entries, None)
            if self.design.branches == "routers":
                run.to_the_end(self.most, None)
            else:
                run_carried(run, Delays(self.seed, self.most))
        finally:
            for module, name, was in kept:
                setattr(module, name, was)
        return run.m, streams, log.events


@st.composite
def works(draw: Any, name: str) -> Work:
    """Random work of four nodes on three lines of one page, whose home is node 0, and some on a page of node 1."""
    limited = name.startswith("limited")
    caches = draw(st.sampled_from([None, None, (32, 1), (64, 2)]))
    cluster = 1 if caches else draw(st.sampled_from([1, 2]))
    accesses = st.tuples(
        st.integers(1 if limited else 0, NODES - 1), st.integers(0, cluster - 1), st.sampled_from([0, 0, 0, 32, 64]),
        st.sampled_from([0] if limited else [0, 0, 4096]), st.booleans(), st.sampled_from([1, 1, 1, 1, 15]),
    )  # fmt: skip
    meet = [(p, 1 << 20, 4, True, 4) for p in range(NODES * cluster)]
    records = list(meet) if draw(st.booleans()) else []
    for node, mate, line, page, write, times in draw(st.lists(accesses, min_size=12, max_size=60)):
        records += times * [(node * cluster + mate, line + page, 4, write, 0)]
        records += meet if draw(st.sampled_from([False, False, False, True])) else []
    trees = entries = None
    if name == "chained":
        entries = Entries(chained=True)
    elif limited:
        entries = Entries(draw(st.sampled_from([2, 2, 3])), evicts=True)
    elif draw(st.booleans()):
        trees = BinomialTrees(NODES)
    pages = name in ("msi", "update", "mixed") and draw(st.booleans())
    design = Design(
        protocol=name,
        directory="page" if pages else "line",
        clusters_of=cluster,
        caches=caches,
        outstanding=draw(st.sampled_from([1, 2])),
        update_pages=frozenset({1} if name == "mixed" else ()),
        synchronisation="free",
        branches=draw(st.sampled_from(["packets", "packets", "routers"])) if trees else "packets",
        acknowledges=draw(st.sampled_from(["single", "counted", "combined"])) if trees else "single",
        costs=Costs(draw(st.sampled_from([1, 3])), draw(st.sampled_from([0, 2])), sync_cycles=1),
    )
    return Work(records, design, entries, trees, draw(st.integers(0, 1 << 20)), draw(st.sampled_from([0, 5, 40])))


def _case(name: str, records: list[Any], most: int, entries: Any = None, **more: Any) -> Work:
    design = Design(protocol=name, directory="line", synchronisation="free", costs=Costs(3, 0, sync_cycles=1), **more)
    return Work(records, design, entries, None, 1, most)


MEET = [(p, 1 << 20, 4, True, 4) for p in range(NODES)]
SHARED = [*MEET, *((1, 32 * k, 4, False, 0) for k in range(3)), *MEET, (2, 0, 4, True, 0), (3, 32, 4, False, 0)]
SHARED += [*MEET, (2, 32, 4, False, 0), (1, 32, 4, True, 0), (3, 0, 4, False, 0), *MEET, (2, 64, 4, True, 0)]
READ_FIRST = [(0, 0, 4, False, 0), *MEET, (1, 0, 4, False, 0), (0, 4096, 4, False, 0), (0, 0, 4, True, 0)]
TOLD_AND_OUT = [*MEET, (2, 0, 4, False, 0), *MEET, (1, 0, 4, True, 0), (3, 32, 4, False, 0)]
TOLD_AND_OUT += [*12 * [(2, 0, 4, False, 0)], *((2, 32 * k, 4, False, 0) for k in range(1, 6))]
LATE = [*MEET, (1, 0, 4, False, 0), *MEET, (2, 0, 4, False, 0), (2, 8192, 4, False, 0), (1, 4096, 4, False, 0), *MEET]
LATE += [(3, 0, 4, False, 0)]
ALONE = [(1, 4096, 4, False, 0), (1, 4096, 4, True, 0)]
READ_ON = [*MEET, (1, 0, 4, False, 0), *MEET, (2, 0, 4, False, 0), *MEET, (3, 0, 4, False, 0)]
READ_ON += 300 * [(1, 0, 4, False, 0)]


@cache
def cases() -> dict[str, list[Work]]:
    """Work that the machine once did in a way that the tables do not have, and such as random work may lack.

    Made when it is asked for: a second, and what imports this file looks for names alone.
    """
    return {
        # The home writes while the line is on its way to the first reader, and where nobody else has touched it.
        "update": [_case("update", READ_FIRST, 40), _case("update", ALONE, 5)],
        "mixed": [_case("mixed", ALONE, 5, update_pages=frozenset({1}))],
        # Node 2 owns a line, is told of a write, and gives its copy up before the writer is answered.
        "dragon": [_case("dragon", TOLD_AND_OUT, most, caches=(32, 1)) for most in range(6, 60, 6)],
        # Node 1 owns a line and gives it up as it is fetched for node 2; its word comes when node 2 has gone too.
        "last": [_case("mesi", LATE, 200, caches=(32, 1))._replace(seed=k) for k in (0, 156)],
        # Node 1 reads on while it is about to be told that its copy goes for that of node 3.
        "limited": [_case("limited", READ_ON, 40, Entries(2, evicts=True))],
    }


NEEDED = ("ask", "turns to", "told", "fetched", "answered", "put done")


def replays(name: str, work: Work, m: Any, streams: Any, events: list[Event], counts: Counter[str]) -> None:
    """What the machine did to each line, by the tables. Raises Mismatch."""
    made = protocol(name)
    if work.entries is not None and work.entries.evicts:
        made = replace(made, pointers=work.entries.pointers)
    for line in range(len(streams.page)):
        update = name == "mixed" and int(streams.page_number[streams.page[line]]) in work.design.update_pages
        mine = [event for event in events if event.line == line]
        replayed = Replay(made, NODES, mine, home=int(streams.home[streams.page[line]]), update=update)
        replayed.run()
        replayed.end(m, line, work.design.rules)
        counts.update(replayed.counts)


def undetected(name: str) -> list[str]:
    """Logs with an event left out, or an answer too early, that the tables take all the same: there should be none."""
    entries = Entries(chained=True) if name == "chained" else Entries(2, True) if name.startswith("limited") else None
    work = _case(name, SHARED, 5, entries)
    m, streams, events = work.logged()
    logs = {}
    for k, event in enumerate(events):
        if event.what in NEEDED:
            logs[f"without {k}: {event}"] = events[:k] + events[k + 1 :]
        if event.what == "told":
            to = next(i for i in range(k, len(events)) if events[i][:2] == ("answers", event.line))
            logs[f"answered before {k}: {event}"] = [*events[:k], events[to], *events[k:to], *events[to + 1 :]]
    found = []
    for what, log in logs.items():
        try:
            replays(name, work, m, streams, log, Counter())
            found.append(what)
        except Mismatch:
            pass
    return found if logs else ["nothing"]


def check(name: str, examples: int, drawn: int = 0) -> dict[str, Any]:
    """Random work of a protocol, another with another `drawn`: what was counted, and the first difference (shrunk) or
    empty."""
    counts: Counter[str] = Counter()
    for made in OF_TESTS:
        register(made)

    def follow(work: Work) -> None:
        replays(name, work, *work.logged(), counts)

    each = settings(max_examples=examples, deadline=None, database=None, phases=(Phase.generate, Phase.shrink))(
        seed(drawn)(given(works(name))(follow))
    )
    difference = ""
    try:
        alike = {PASSING.name: "update", AROUND.name: "update", LAST_LATE.name: LAST.name}.get(name, name)
        for case in cases().get(alike, []):
            follow(case._replace(design=replace(case.design, protocol=name)))
        each()
    except Mismatch as found:
        difference = str(found)
    return {"difference": difference, "undetected": undetected(name), **counts}


if __name__ == "__main__":
    assert DISABLED, "NUMBA_DISABLE_JIT=1 expected"
    parser = argparse.ArgumentParser()
    parser.add_argument("--examples", type=int, default=20)
    parser.add_argument("--protocols", nargs="*", default=PROTOCOLS)
    parser.add_argument("--seed", type=int, default=0)
    given_words = parser.parse_args()
    print(json.dumps({name: check(name, given_words.examples, given_words.seed) for name in given_words.protocols}))
