"""All states of a protocol, found breadth first by tables that are filled on the way. Called by `check`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from jumpnet.coherence.search import codes as at
from jumpnet.coherence.search._hashes import lane_weights, place_factors
from jumpnet.coherence.search._part import END, FIRST, NEXT_ONE, WRITTEN, Part, new_part
from jumpnet.coherence.search._rest import MARKED, calm_down, first_restless, forget, mark_rest, tally
from jumpnet.coherence.search._slots import Found, insert_all
from jumpnet.coherence.search._states import FULL, edges, enter, expand
from jumpnet.coherence.search.checkpoint import Progress, SearchCheckpoint
from jumpnet.coherence.search.model import MOST_WAITING, Cache, Home, Model, State, Step
from jumpnet.coherence.search.state_storage import FIRST_CAPACITY, StateStorage
from jumpnet.coherence.search.tables import Filled
from jumpnet.jit.sources import source_key
from jumpnet.memory import require
from jumpnet.process.threads import processors, share
from jumpnet.terms import I32, I64

__all__ = ["Quiet", "States"]

Quiet = tuple[str, tuple[str, ...]]
"""State of the home, states of the caches in alphabetical order."""
FIRST_SLOTS = 2 * FIRST_CAPACITY
CHUNK = 1 << 13
"""States that a thread expands at a time."""
MOST_ROWS = 1 << 20
"""Of a table by what home and caches are in, before what was counted is put together."""
FRESH = 4
"""States that may be met after each, before they are numbered."""


class States:
    """All states that were found, in the order of finding, which is the same for any number of threads."""

    def __init__(
        self, model: Model, caches: int, threads: int | None = None, *, bits: int = 0, salt: int = 0,
        kept: SearchCheckpoint | None = None,
    ) -> None:  # fmt: skip
        """bits, salt: of a hash that stands for each state in memory, the states being on disk; 0: compared whole."""
        self.model, self.caches, self.kept = model, caches, kept
        self.filled = Filled(model)
        most = caches * 4 * (1 + MOST_WAITING) + 1 + len(model.by_themselves)
        most *= caches if self.filled.tables.chooses or model.protocol.passed else 1  # any of the others may be told
        self._parts = [new_part(caches, most, CHUNK, FRESH * CHUNK) for _ in range(processors(threads=threads))]
        self._room = StateStorage(self._what, caches // 4 + 1, None if kept is None else kept.folder)
        if bits and kept is None:
            self._room.to_disk()
        self.found = Found(
            self._room.states, self._room.parent, np.zeros(FIRST_SLOTS, np.uint64), np.zeros(1, np.int64),
            np.zeros(1, np.int64), lane_weights(salt), place_factors(caches // 4 + 1, model.in_place), bits,
        )  # fmt: skip
        self._salt = salt
        self.levels = self.steps = 0
        self.begin, self.end = 0, 1
        """States that are gone on from before the next one, and up to which the level goes."""
        progress = None if kept is None else kept.read(self._about())
        if progress is None:
            self._start()
        else:
            self._restore(progress)

    def _start(self) -> None:
        found, model = self.found, self.model
        found.states[0] = 0
        found.states[0, 0] = self._home_number(model.homes[model.start[0]])
        for k in range(self.caches):
            found.states[0, (k + 1) >> 2] |= np.uint64(model.start[k + 1] << 16 * ((k + 1) & 3))
        found.total[0], found.parent[0] = 1, -1
        insert_all(found)

    def _about(self) -> str:
        """All that the states, and their order, depend on: the tables, the network, the hash and the sources."""
        model, protocol = self.model, self.model.protocol
        return json.dumps({
            "cache": protocol.cache, "home": protocol.home, "pointers": protocol.pointers, "caches": self.caches,
            "in order": model.in_order, "combined": model.combined, "in place": model.in_place,
            "bits": self.found.bits, "salt": self._salt,
            "sources": source_key(__file__),
        })  # fmt: skip

    def _progress(self) -> Progress:
        rows = list(self.model.protocol.cache_rows.values())
        return Progress(
            self.count, self.begin, self.end, self.levels, self.steps, int(self.found.met[0]), len(self.found.slots),
            self.model.records, [k for k, row in enumerate(rows) if row in self.model.used], self.filled.kept(),
        )  # fmt: skip

    def _restore(self, progress: Progress) -> None:
        assert self.kept is not None
        self._extend(progress.found)
        self.kept.check(self.found.states, self.found.parent)
        for record in progress.records:
            channels = (tuple((name, value) for name, value in channel) for channel in record[6:])
            self.model.cache(Cache(*record[:6], *channels))
        rows = list(self.model.protocol.cache_rows.values())
        self.model.used.update(rows[k] for k in progress.rows)
        self.filled.restore(progress.tables)
        self.begin, self.end = progress.begin, progress.end
        self.levels, self.steps = progress.levels, progress.steps
        self.found.total[0], self.found.met[0] = progress.found, progress.met
        self._add_slots(progress.slots)

    @property
    def _what(self) -> str:
        return f"the check of {self.caches} caches"

    @property
    def count(self) -> int:
        """Number of states."""
        return int(self.found.total[0])

    def run(self) -> tuple[str, int]:
        """(first fault or "", number of the state it was found in)."""
        fault, at_state = self.reach()
        return (fault, at_state) if fault else self._restless()

    def reach(self) -> tuple[str, int]:
        """The same, without checking whether all becomes quiescent."""
        while self.begin < self.count:
            for first in range(self.begin, self.end, CHUNK * len(self._parts)):
                self.begin = first
                if self.kept is not None and self.kept.is_due:
                    self.kept.write(self._about(), self._progress(), self._room)
                fault = self._go_on(first, self.end)
                if fault:
                    return fault
            self.begin, self.end = self.end, self.count
            self.levels += self.begin < self.count
        if self.kept is not None:
            self.kept.write(self._about(), self._progress(), self._room)
        return "", 0

    def _go_on(self, first: int, end: int) -> tuple[str, int] | None:
        """Go on from a chunk of states for each thread; the first fault."""
        parts = self._parts[: -((first - end) // CHUNK)]
        for k, part in enumerate(parts):
            begin = first + k * CHUNK
            part.counts[:] = begin, min(begin + CHUNK, end), 0, begin
            part.ways[:] = 0
        slots = self.found.slots
        codes = share(self._expand, parts, len(parts)) if len(parts) > 1 else [self._expand(parts[0])]
        for part, code in zip(parts, codes, strict=True):
            if self.found.slots is not slots:  # see `enter`
                part.counts[NEXT_ONE], part.counts[WRITTEN] = part.counts[FIRST], 0
                code = self._expand(part)
            code = self._to_the_end(part, code)
            self.steps += int(part.ways.sum())
            if code != at.DONE:
                return self._words(int(part.counts[NEXT_ONE])), int(part.counts[NEXT_ONE])
        return None

    def _to_the_end(self, part: Part, code: int) -> int:
        """Go on from where a part stopped, with what it lacked: DONE, or the code of a fault."""
        while True:
            if code == at.MISSING:
                self.filled.fill(*map(int, part.note))
            elif not self._enter(part) and code != FULL:
                return code
            code = self._expand(part)

    def _expand(self, part: Part) -> int:
        return int(expand(self.filled.tables, self.found, part))

    def _enter(self, part: Part) -> bool:
        """Give numbers to what a part met; whether it has to go on again, after slots were added."""
        self._extend(self.count + len(part.parent))
        full = bool(enter(self.found, part))
        if full:
            self._add_slots(2 * len(self.found.slots))
        return full

    def _extend(self, least: int) -> None:
        self._room.extend(least)
        self.found = self.found._replace(states=self._room.states, parent=self._room.parent)

    def _add_slots(self, slots: int) -> None:
        """So many slots, filled with all states."""
        require(8 * slots, self._what)
        self.found = self.found._replace(slots=np.zeros(0, np.uint64))  # what they held is found again
        self.found = self.found._replace(slots=np.zeros(slots, np.uint64))
        insert_all(self.found)

    def _words(self, number: int) -> str:
        """The fault of a state or of a step from it, in the words of the model."""
        fault = self.model.fault_from(self.state(number))
        assert fault, "the tables differ from the model"
        return fault

    def _restless(self) -> tuple[str, int]:
        """The first state from which arrivals alone never lead to rest."""
        self._in_chunks(mark_rest)
        left, marked = 1, 1
        while left and marked:
            counts = self._in_chunks(calm_down)
            left, marked = (sum(count) for count in zip(*counts, strict=True))
        stuck = ("stuck: arrivals alone never bring it to rest", int(first_restless(self.found))) if left else ("", 0)
        forget(self.found)
        return stuck

    def _in_chunks(self, kernel: Callable[..., int | None]) -> list[tuple[int, int]]:
        """Call a kernel for all states, last ones first: (its answer, how many it marked) of each chunk."""
        free = list(self._parts)

        def work(begin: int) -> tuple[int, int]:
            part = free.pop()
            answer = kernel(self.filled.tables, self.found, part, begin, min(begin + CHUNK, self.count))
            counts = int(answer or 0), int(part.counts[MARKED])
            free.append(part)
            return counts

        return share(work, range(0, self.count, CHUNK)[::-1], len(self._parts))

    def edges(self) -> tuple[I64, I32, I32]:
        """All steps, of a model in place, after `reach`: first (N + 1,), target (E,), kind of message (E,).

        Those of state i stand from first[i] to first[i + 1]; the kind is 0 where no message arrived.
        """
        require(self.steps * 8 + self.count * 8, f"the steps of {self.caches} caches")
        first = np.zeros(self.count + 1, np.int64)
        target, arrived = np.zeros(self.steps, np.int32), np.zeros(self.steps, np.int32)
        code = edges(self.filled.tables, self.found, self._parts[0], first, target, arrived)
        assert code == at.DONE and first[-1] == self.steps
        return first, target, arrived

    def arrival(self, step: Step) -> int:
        """Which kind of message arrived, as the kernels number them."""
        if not step.delivers or step.cache == 0:
            return int(step.delivers)
        at_cache = step.label.startswith(f"{step.event} at a cache")
        messages = self.filled.messages
        return 2 + (2 * (step.cache - 1) + at_cache) * len(messages) + messages.index(step.event)

    # In words.

    def _home_number(self, home: Home) -> int:
        place = self.filled.homes.index(home.state)
        return place << 7 | home.due << 3 | home.memory << 1 | home.joined

    def state(self, number: int) -> State:
        """A state as the model has it."""
        words = [int(word) for word in self.found.states[number]]
        parts = [words[k >> 2] >> 16 * (k & 3) & 0xFFFF for k in range(self.caches + 1)]
        place, due, memory, joined = parts[0] >> 7, parts[0] >> 3 & 15, parts[0] >> 1 & 3, bool(parts[0] & 1)
        return self.model.home(Home(self.filled.homes[place], due, memory, joined)), *parts[1:]

    def names(self, state: State) -> Quiet:
        """States of home and caches by name, these in order unless they are told apart."""
        home, caches = self.model.names(state)
        return home, caches if self.model.in_place else tuple(sorted(caches))

    def way(self, number: int) -> list[int]:
        """Numbers of the states from the start to one."""
        numbers = [number]
        while numbers[-1] > 0:
            numbers.append(int(self.found.parent[numbers[-1]]))
        return numbers[::-1]

    def path(self, number: int) -> tuple[str, ...]:
        """Steps from the start to a state."""
        return tuple(self.step_said(before, after) for before, after in pairwise(self.way(number)))

    def step_said(self, before: int, after: int, kind: int = -1) -> str:
        """A step between two states in words; kind: of the message that arrives (`arrival`), -1 for any."""
        model, reached = self.model, self.state(after)
        ways = (step for step in model.steps(self.state(before)) if step.after == reached)
        step = next(step for step in ways if kind in (-1, self.arrival(step)))
        who = f" (cache {step.cache})" if model.in_place and step.cache else ""
        home, names = self.names(reached)
        return f"{step.label}{who}: home {home}, caches {' '.join(names)}"

    def table(self) -> tuple[Counter[Quiet], frozenset[Quiet], int]:
        """(states by what home and caches are in, which of these occur at rest, states with caches distinguished)."""
        words = sorted({record.state for record in self.model.records})
        of = np.array([words.index(record.state) for record in self.model.records], np.int64)
        shares = np.linspace(0, self.count, len(self._parts) + 1).astype(np.int64)
        rows = min(MOST_ROWS, 1 << (4 * self.count).bit_length())

        def count(k: int) -> tuple[Counter[int], int]:
            part, counts, told_apart = self._parts[k], Counter[int](), 0
            part.counts[NEXT_ONE], part.counts[END] = shares[k : k + 2]
            while part.counts[NEXT_ONE] < part.counts[END]:
                keys, many = np.full(rows, -1, np.int64), np.zeros(rows, np.int64)
                told_apart += int(tally(self.filled.tables, self.found, part, of, len(words), keys, many))
                counts.update(dict(zip(keys[keys >= 0].tolist(), many[keys >= 0].tolist(), strict=True)))
            return counts, told_apart

        counted = share(count, range(len(self._parts)), len(self._parts))
        counts = sum((some for some, _ in counted), Counter[int]())
        told_apart = sum(some for _, some in counted)
        table: Counter[Quiet] = Counter()
        at_rest = set()
        for key, many in counts.items():
            rest, calm = divmod(key, 2)
            caches = []
            for _ in range(self.caches):
                rest, k = divmod(rest, len(words))
                caches.append(words[k])
            quiet = self.filled.homes[rest], tuple(reversed(caches))
            table[quiet] += many
            if calm:
                at_rest.add(quiet)
        return table, frozenset(at_rest), told_apart
