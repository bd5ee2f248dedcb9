"""All states of a protocol, found breadth first by tables that are filled on the way. Called by `check`."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np

from jumpnet.coherence.search import codes as at
from jumpnet.coherence.search._states import (
    FULL,
    STEPS,
    Found,
    Part,
    calm_down,
    edges,
    enter,
    expand,
    insert_all,
    mark_rest,
    name,
    new_part,
)
from jumpnet.coherence.search.model import MOST_WAITING, Home, Model, State, Step, WrongStepError
from jumpnet.coherence.search.tables import Filled
from jumpnet.errors import JumpnetError
from jumpnet.memory import require
from jumpnet.process.threads import processors, share
from jumpnet.terms import I32, I64

__all__ = ["Quiet", "States"]

Quiet = tuple[str, tuple[str, ...]]
"""State of the home, states of the caches in alphabetical order."""
FIRST_ROOM = 1 << 10
STATE_BYTES = 4 + 2 * 8
"""Besides the state itself."""
CHUNK = 1 << 13
"""States that a thread goes on from at a time."""
FRESH = 4
"""States that may be met after each, before they are numbered."""
LONGEST_PATH = 256


class States:
    """All states that were found, in the order of finding, which is the same for any number of threads."""

    def __init__(self, model: Model, caches: int, threads: int | None = None) -> None:
        self.model, self.caches = model, caches
        self.filled = Filled(model)
        most = caches * 3 * (1 + MOST_WAITING) + 1 + len(model.by_themselves)
        self._parts = [new_part(caches, most, FRESH * CHUNK) for _ in range(processors(threads=threads))]
        self.found = _with_room(FIRST_ROOM, caches // 4 + 1)
        self.found.states[0, 0] = self._home_number(model.homes[model.start[0]])
        for k in range(caches):
            self.found.states[0, (k + 1) >> 2] |= np.uint64(model.start[k + 1] << 16 * ((k + 1) & 3))
        self.found.total[0] = 1
        self.found.parent[0] = -1
        insert_all(self.found)
        self.levels = self.steps = 0

    @property
    def count(self) -> int:
        """Number of states."""
        return int(self.found.total[0])

    def run(self) -> tuple[str, int]:
        """(first fault or "", number of the state it was found in)."""
        fault, at_state = self.reach()
        return (fault, at_state) if fault else self._restless()

    def reach(self) -> tuple[str, int]:
        """The same, without asking whether all comes to rest."""
        begin = 0
        while begin < self.count:
            end = self.count
            for first in range(begin, end, CHUNK * len(self._parts)):
                fault = self._go_on(first, end)
                if fault:
                    return fault
            begin = end
            self.levels += begin < self.count
        return "", 0

    def _go_on(self, first: int, end: int) -> tuple[str, int] | None:
        """Go on from a chunk of states for each thread; the first fault."""
        parts = self._parts[: -((first - end) // CHUNK)]
        for k, part in enumerate(parts):
            part.counts[:] = first + k * CHUNK, min(first + (k + 1) * CHUNK, end), 0, 0
        codes = share(self._expand, parts, len(parts)) if len(parts) > 1 else [self._expand(parts[0])]
        for part, code in zip(parts, codes, strict=True):
            code = self._to_the_end(part, code)
            self.steps += int(part.counts[STEPS])
            if code != at.DONE:
                return self._words(int(part.counts[0])), int(part.counts[0])
        return None

    def _to_the_end(self, part: Part, code: int) -> int:
        """Go on from where a part stopped, with what it lacked: DONE, or the code of a fault."""
        while code == at.MISSING or code == FULL:
            if code == at.MISSING:
                self.filled.fill(*map(int, part.note))
            else:
                self._enter(part)
            code = self._expand(part)
        self._enter(part)
        return code

    def _expand(self, part: Part) -> int:
        return int(expand(self.filled.tables, self.found, part, self.model.in_place))

    def _enter(self, part: Part) -> None:
        while self.count + len(part.parent) > len(self.found.parent):
            self._grow()
        enter(self.found, part)

    def _grow(self) -> None:
        old, room = self.found, 2 * len(self.found.parent)
        words = old.states.shape[1]
        require(room * (8 * words + STATE_BYTES), f"the check of {self.caches} caches")
        if room > np.iinfo(np.int32).max:
            raise JumpnetError(f"more than {len(old.parent):,} states found, fewer expected")
        self.found = _with_room(room, words)
        self.found.states[: len(old.states)] = old.states
        self.found.parent[: len(old.parent)] = old.parent
        self.found.total[:] = old.total
        del old
        insert_all(self.found)

    def _words(self, number: int) -> str:
        """The fault of a state or of a step from it, in the words of the model."""
        state = self.state(number)
        fault = self.model.fault(state)
        if fault:
            return fault
        try:
            list(self.model.steps(state))
        except WrongStepError as wrong:
            return str(wrong)
        raise AssertionError("the tables differ from the model")

    def _restless(self) -> tuple[str, int]:
        """The first state from which arrivals alone never lead to rest."""
        tables, found = self.filled.tables, self.found
        calm = np.zeros(self.count, bool)
        mark_rest(tables, found, self._parts[0], calm)
        starts = list(range(0, self.count, CHUNK))
        free = [(part, np.zeros(LONGEST_PATH, np.int64)) for part in self._parts]

        def mark(begin: int) -> int:
            part, path = free.pop()
            marked = calm_down(tables, found, part, calm, path, begin, min(begin + CHUNK, self.count))
            free.append((part, path))
            return int(marked)

        while sum(share(mark, starts, len(self._parts))) > 0:
            pass
        if calm.all():
            return "", 0
        return "stuck: arrivals alone never bring it to rest", int(np.argmin(calm))

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
        """States of home and caches by name."""
        model = self.model
        return model.homes[state[0]].state, tuple(sorted(model.records[n].state for n in state[1:]))

    def path(self, number: int) -> tuple[str, ...]:
        """Steps from the start to a state."""
        numbers = [number]
        while numbers[-1] > 0:
            numbers.append(int(self.found.parent[numbers[-1]]))
        states = [self.state(n) for n in reversed(numbers)]
        return tuple(self._said(before, after) for before, after in pairwise(states))

    def _said(self, before: State, after: State) -> str:
        home, names = self.names(after)
        return f"{self._step(before, after).label}: home {home}, caches {' '.join(names)}"

    def _step(self, before: State, after: State) -> Step:
        return next(step for step in self.model.steps(before) if step.after == after)

    def table(self) -> tuple[Counter[Quiet], frozenset[Quiet], int]:
        """(states by what home and caches are in, which of these occur at rest, states when caches are told apart)."""
        words = sorted({record.state for record in self.model.records})
        of = np.array([words.index(record.state) for record in self.model.records], np.int64)
        counts: Counter[int] = Counter()
        told_apart = 0
        for begin in range(0, self.count, CHUNK):
            names: I64 = np.empty(min(CHUNK, self.count - begin), np.int64)
            told_apart += name(self.filled.tables, self.found, self._parts[0], of, len(words), begin, names)
            for key, many in zip(*np.unique(names, return_counts=True), strict=True):
                counts[int(key)] += int(many)
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


def _with_room(states: int, words: int) -> Found:
    return Found(
        np.zeros((states, words), np.uint64), np.zeros(states, np.int32),
        np.zeros(1 << (2 * states - 1).bit_length(), np.uint64), np.zeros(1, np.int64),
    )  # fmt: skip
