"""Sets of targets spread from router to router, until nothing is added: where packets are, and where they go on to.

A round takes the packets of one key at the routers where its sets have grown since its last round, as others' would do
what they did (semi-naive evaluation, Bancilhon 1986). Called by `graph` and `changes`; `rows` reads off what packets
wait for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.rows.bit_rows import set_bits
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.walks.packet_walk import Job
from jumpnet.analysis.deadlock.ways_to_graph.digits._sets import Leaves, arrive, leaving, stray
from jumpnet.analysis.deadlock.ways_to_graph.digits.choices import Steps
from jumpnet.analysis.deadlock.ways_to_graph.digits.runs import Answer, Candidate, Key, answers, plain, started
from jumpnet.analysis.deadlock.ways_to_graph.digits.sets import Layout
from jumpnet.analysis.deadlock.ways_to_graph.digits.system import System
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import STATE
from jumpnet.routings.writes import constants_written
from jumpnet.terms import I64, Array

__all__ = ["Branch", "Crowded", "Spread"]

ALL = slice(None)
ENTRIES = 1 << 19
"""Entries of a table with which one run works."""
PARTS = 1 << 22
"""Words of what leaves some routers by each port that are at hand at once."""
MOST_KEYS = 1 << 10
MOST_ROUNDS = 1 << 14
MOST_DRAWS = 512
"""Draws of a start hook, each with a STATE of its own perhaps."""
LONGEST_WAY = 1 << 10


class Branch(NamedTuple):
    """An answer at all routers."""

    sets: Array
    """(R, W)."""
    candidates: list[Candidate]
    """Their ports (R, 1) or (R, k)."""


class Crowded(Unfit):
    """More sets than are looked at; with fewer of a STATE there are not so many."""


class Spread:
    """The sets of all packets, spread until nothing is added. Raises Unfit, Split."""

    def __init__(self, bound: BoundRouting, system: System, job: Job, lanes: int, steps: Steps) -> None:
        self.bound, self.system, self.net = bound, system, bound.network
        self.lanes, self.steps = lanes, steps
        self.layouts = {middle: Layout(system, middle + job.by_source) for middle in (False, True)}
        self.relation = plain(bound.routing.relation)
        self.exact = system.full
        self.hulls: dict[Key, Array] = {}
        self.branches: dict[Key, list[Branch]] = {}
        self.named: dict[Key, dict[Any, Branch]] = {}
        """The branches of each key by what their answers have in common."""
        self.after: dict[Key, set[Key]] = {}
        self.chosen: dict[Any, Key] = {}
        """Where the packets of each candidate go on."""
        self.pending: dict[Key, Array] = {}
        """(R,) bool of each key whose sets have grown: at which routers."""
        sources = np.zeros(self.net.routers, bool)
        sources[job.sources] = True
        self._start(sources, job)
        self.starts = {key: hull.copy() for key, hull in self.hulls.items()}
        for _ in range(MOST_ROUNDS):
            if not self.pending:
                return
            key = self._next()
            self._spread(key, self.pending.pop(key))
        raise Crowded

    def _next(self) -> Key:
        """A pending key that no other pending one leads to, if there is one."""
        for key in self.pending:
            if not any(key in self._reach(other) for other in self.pending if other != key):
                return key
        return next(iter(self.pending))

    def _grow(self, key: Key, grown: Array, routers: I64 | slice = ALL) -> None:
        """Put larger sets (B, W) in place of a key's at some routers (B,), and note where they are larger."""
        hull = self._hull(key)
        new = self.pending.setdefault(key, np.zeros(len(hull), bool))
        new[routers] |= (grown != hull[routers]).any(axis=1)
        hull[routers] = grown

    def _reach(self, key: Key) -> set[Key]:
        found, todo = {key}, [key]
        while todo:
            for other in self.after.get(todo.pop(), ()):
                if other not in found:
                    found.add(other)
                    todo.append(other)
        return found

    def _hull(self, key: Key) -> Array:
        if key not in self.hulls:
            if len(self.hulls) == MOST_KEYS:
                raise Crowded
            self.hulls[key] = np.zeros((self.net.routers, self.layouts[key.middle].words), np.uint64)
        return self.hulls[key]

    def _start(self, sources: Array, job: Job) -> None:
        """The sets that packets start with."""
        hook = self.bound.routing.start
        written = constants_written(hook, 1, STATE)
        self.exact &= hook is None
        if written is None:
            return self._start_by_run(hook, sources, job)
        for state, middle in product(sorted(written), (False, True)[: 1 if hook is None else 2]):
            everything = self._everything(sources, middle, job)
            for rest, own in self._by_rest(everything, self.layouts[middle]):
                self._grow(Key(state, middle, rest=rest), own)
        return None

    def _by_rest(self, sets: Array, layout: Layout) -> Iterator[tuple[int, Array]]:
        """The packets of sets (R, W) by what is left of their destinations' numbers."""
        for rest, left in enumerate(self.system.classes):
            mine = np.full(layout.words, ~np.uint64(0))
            for digit, value in zip(self.system.rests.values(), left.tolist(), strict=True):
                mine &= ~layout.seg[digit]
                set_bits(mine, [int(layout.base[digit]) + value])
            yield rest, sets & mine

    def _everything(self, sources: Array, middle: bool, job: Job) -> Array:
        """(R, W): all that packets may have at their sources."""
        layout = self.layouts[middle]
        made = layout.everything(len(self.system.digit))
        made[~sources] = 0
        if job.by_source:
            own, first = layout.of_router(middle), (1 + middle) * len(self.system.radix)
            seg = np.bitwise_or.reduce(layout.seg[first:], axis=0)
            made = (made & ~seg) | own
            made[~sources] = 0
        return made

    def _start_by_run(self, hook: Any, sources: Array, job: Job) -> None:
        """Fill the sets of packets that start, by the keys that the hook gives them at each router."""
        if job.draws > MOST_DRAWS or job.by_source:
            raise Unfit
        hook, layout = plain(hook), self.layouts[False]
        self.exact = self.system.full and job.queues == 1
        for rest, everything in self._by_rest(self._everything(sources, False, job), layout):
            for routers, draw in product(self._blocks(everything, layout), range(job.draws)):
                rows, masks = np.ones((len(routers), 1), bool), layout.unpack(everything[routers])
                for key, run in started(self.bound, self.system, hook, draw, routers, rows, masks, self.steps):
                    if key.middle:
                        raise Unfit
                    key, some = key._replace(rest=rest), routers[run.which]
                    new, old = layout.pack(run.rows, run.masks), self._hull(key)[some]
                    apart = [(((new ^ old) & seg) != 0).any(axis=1) for seg in layout.seg]
                    several = (np.sum(apart, axis=0) > 1) & old.any(axis=1) & new.any(axis=1)
                    self.exact &= run.sure and not several.any()
                    self._grow(key, old | new, some)

    def _blocks(self, sets: Array, layout: Layout) -> Iterator[I64]:
        """Routers that have packets, as many at a time as tables should have."""
        some = np.flatnonzero(np.all([((sets & seg) != 0).any(axis=1) for seg in layout.seg], axis=0))
        many = max(1, ENTRIES // max(layout.radix))
        for first in range(0, len(some), many):
            yield some[first : first + many]

    def _spread(self, key: Key, new: Array) -> None:
        """What the packets of a key do at the routers where there are new ones (R,), and where they come to."""
        layout = self.layouts[key.middle]
        sets, made = np.where(new[:, None], self._hull(key), np.uint64(0)), self._without(key, new)
        for routers in self._blocks(sets, layout):
            rows, masks = np.ones((len(routers), 1), bool), layout.unpack(sets[routers])
            found = answers(self.bound, self.system, self.relation, key, routers, rows, masks, self.steps)
            places: dict[Any, int] = {}
            for answer in found:
                self.exact &= answer.sure
                if self._goes_on(answer, routers, layout):
                    self.exact &= key.middle or not self._has_own(answer, routers)
                    place = places[answer.alike] = places.get(answer.alike, -1) + 1
                    self._add(made, (answer.alike, place), answer, routers, layout)
        self.branches[key], self.after[key] = list(made.values()), set()
        for name, branch in made.items():
            those = np.where(new[:, None], branch.sets, np.uint64(0))
            for at, candidate in enumerate(branch.candidates):
                self._go(key, (key, name, at), those, candidate)

    def _without(self, key: Key, new: Array) -> dict[Any, Branch]:
        """The branches of a key, without what they say of some routers (R,); those that say no more are dropped."""
        made = self.named.setdefault(key, {})
        for name, branch in list(made.items()):
            for array in (branch.sets, *(candidate.port for candidate in branch.candidates)):
                array[new] = 0
            if not branch.sets.any():
                del made[name]
        return made

    def _go(self, key: Key, name: Any, sets: Array, candidate: Candidate) -> None:
        """Add the packets that go on by a candidate to a set where they are a product again, if there is one."""
        where = [Key(candidate.state, key.middle, lane, key.rest) for lane in range(self.lanes)]
        is_settled, found = name in self.chosen or self.lanes == 1, 2
        empty = next((then for then in where if then not in self.hulls), None)  # other empty ones do alike
        for then in () if is_settled else (then for then in where if then in self.hulls or then == empty):
            found, grown = self._grown(sets, candidate, then, patient=False)
            if found < 2:
                break
            if then == empty:
                del self.hulls[then]
        if found > 1:
            then = self.chosen[name] if name in self.chosen else where[len(self.chosen) % self.lanes]
            found, grown = self._grown(sets, candidate, then)
        self.exact &= found < 2
        candidate.then = self.chosen[name] = then
        self.after[key].add(then)
        if found & 1:
            self._grow(then, grown)

    def _grown(self, sets: Array, candidate: Candidate, then: Key, patient: bool = True) -> tuple[int, Array]:
        """What `_arrive` says of a set, and the set with the packets; who is not patient has no whole one with 2."""
        grown = self._hull(then).copy()
        return self._arrive(sets, candidate, self.layouts[then.middle], grown, patient), grown

    def leaving(self, sets: Array, candidate: Candidate, layout: Layout, some: range) -> Iterator[Leaves]:
        """What leaves some routers by a candidate, for some after others."""
        port, digit, base, radix = self.by(candidate, layout)
        many = max(1, PARTS // max(1, min(self.net.ports, radix) * (radix // 64 + 2)))
        for first in range(some.start, some.stop, many):
            stop = min(first + many, some.stop)
            start, by, span, bits = leaving(sets, first, stop, port, digit, base, radix, self.net.ports, layout.seg)
            yield Leaves(first, start, by, span, bits, digit)

    def _arrive(self, sets: Array, candidate: Candidate, layout: Layout, hull: Array, patient: bool = True) -> int:
        """Add what goes by a candidate to the sets `hull` of the next routers, see `_sets.arrive`."""
        found = 0
        for leaves in self.leaving(sets, candidate, layout, range(self.net.routers)):
            found |= arrive(sets, leaves, self.net.neighbor, layout.seg, hull)
            if found > 1 and not patient:
                break
        return found

    def by(self, candidate: Candidate, layout: Layout) -> tuple[Any, ...]:
        """(port, digit, its first bit, its values) as the kernels take them."""
        if candidate.digit is None:
            return candidate.port, -1, 0, 0
        return candidate.port, candidate.digit, int(layout.base[candidate.digit]), layout.radix[candidate.digit]

    def _goes_on(self, answer: Answer, routers: I64, layout: Layout) -> bool:
        """Whether the packets of an answer go on by links that are there; Unfit where one that is real does not.

        Digits that no sink has together are left out.
        """
        nobody = np.full_like(routers, -1)
        if answer.found <= 0:
            own = routers if answer.found == 0 else nobody
            if layout.real(layout.pack(answer.rows, answer.masks), own).any():
                raise Unfit
            return False
        for candidate in answer.candidates:
            live = answer.rows if candidate.digit is None else answer.masks[candidate.digit] & answer.rows
            if not self.system.full:
                live = live & layout.real(layout.pack(answer.rows, answer.masks), nobody, candidate.digit)
                if candidate.digit is None:
                    answer.rows = live
                else:
                    answer.masks[candidate.digit] = live
            port = np.zeros(candidate.port.shape, np.int16)
            if not 0 <= candidate.vc < self.bound.vcs or stray(live, candidate.port, routers, self.net.neighbor, port):
                raise Unfit
            candidate.port = port
        return True

    def _has_own(self, answer: Answer, routers: I64) -> bool:
        """Whether packets go on that are where they are bound for, of which there may be none."""
        here = np.arange(len(routers))
        there = [
            mask[here, self.system.digit[routers, d]] for d, mask in enumerate(answer.masks[: len(self.system.radix)])
        ]
        return bool((np.all(there, axis=0) & answer.rows[:, 0]).any())

    def _add(self, made: dict[Any, Branch], name: Any, answer: Answer, routers: I64, layout: Layout) -> None:
        """Put an answer at some routers into the branch of that name, which is begun if need be."""
        if name not in made:
            size = self.net.routers
            ports = [np.zeros((size, c.port.shape[1]), np.int16) for c in answer.candidates]
            empty = [
                Candidate(port, c.digit, c.vc, c.state, c.kind)
                for port, c in zip(ports, answer.candidates, strict=True)
            ]
            made[name] = Branch(np.zeros((size, layout.words), np.uint64), empty)
        branch, first, stop = made[name], int(routers[0]), int(routers[-1]) + 1
        where = slice(first, stop) if stop - first == len(routers) else routers  # a slice takes less time
        branch.sets[where] = layout.pack(answer.rows, answer.masks)
        for mine, theirs in zip(branch.candidates, answer.candidates, strict=True):
            mine.port[where] = theirs.port

    def ends(self) -> bool:
        """Whether all packets have come to an end of their way after some number of hops, the same for all."""
        now = self.starts
        for _ in range(LONGEST_WAY):
            after: dict[Key, Array] = {}
            for key, sets in now.items():
                layout = self.layouts[key.middle]
                for branch in self.branches[key]:
                    those = sets & branch.sets
                    for c in branch.candidates:
                        assert c.then is not None
                        hull = after.setdefault(c.then, np.zeros_like(sets))
                        self._arrive(those, c, layout, hull)
            now = {key: sets for key, sets in after.items() if sets.any()}
            if not now:
                return True
        return False
