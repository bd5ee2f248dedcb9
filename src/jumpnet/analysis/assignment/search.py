"""Torus assignments of an RDT compared exactly: every assignment of ranks to classes, equivalent ones once.

The RDT paper (yang2001rdt section II.B) leaves open which assignment is best and names another one, /beta, for local
traffic. Here each class, a coset of the lattice of rank 1, is given every choice of ranks; assignments that a
translation, rotation or reflection of the torus carries into each other are one candidate. Called by `cli` and
`report`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Literal

import numpy as np

from jumpnet.analysis.assignment._distances import evaluate
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.spec import plain
from jumpnet.terms import I64, Array
from jumpnet.topology import family
from jumpnet.topology.rdt import Rdt, class_of, unit_vectors

__all__ = ["Candidate", "Objective", "SearchResult", "compare", "orbit_representatives", "search", "symmetries"]

MAX_CANDIDATES = 2_000_000
WEIGHT_UNITS = 1 << 48
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Objective:
    """What a search minimises: `diameter`, `average_distance`, or `local:SIGMA`.

    Local traffic: a source is uniform, its destination another router at offset (dx, dy) of the base torus with
    probability proportional to exp(-(dx^2 + dy^2) / (2 SIGMA^2)), offsets taken the short way round. Its figure is
    the mean number of hops. The probabilities are rounded to whole units of 2^-48, so that sums and ties are exact.
    """

    kind: Literal["diameter", "average_distance", "local"]
    sigma: float = 0.0

    @staticmethod
    def parse(text: str) -> Objective:
        """The objective a person means.

        >>> Objective.parse("local:2").sigma
        2.0
        """
        name, colon, word = text.partition(":")
        if name in ("diameter", "average_distance") and not colon:
            return Objective(name)  # type: ignore[arg-type]
        if name != "local":
            raise unknown_name("objective", text, ["diameter", "average_distance", "local:SIGMA"])
        try:
            sigma = float(plain(word))
        except ValueError:
            sigma = math.nan
        if not 0 < sigma < math.inf:
            raise JumpnetError(f"objective {text!r} found, local:SIGMA with a positive number expected")
        return Objective("local", sigma)

    @property
    def text(self) -> str:
        """The objective as written."""
        return f"local:{self.sigma:g}" if self.kind == "local" else self.kind


@dataclass(frozen=True)
class Candidate:
    """One assignment with its exact figures."""

    assignment: str
    """Ranks of the classes as in `rdt:...,assignment=`; the first in order among its equivalents when searched."""
    equivalents: int
    """Assignments that translations, rotations and reflections of the torus make of it, itself included."""
    diameter: int
    average_distance: Fraction
    """Over ordered pairs of different routers."""
    local_distance: Fraction | None
    """Mean hops of local traffic (see Objective); None unless that is the objective."""
    balanced: bool
    """Whether every rank has equally many classes."""
    meets_all_ranks: bool
    """Whether every router has itself or as a base neighbor every rank 1..R (true of /alpha)."""

    def key(self, objective: Objective) -> tuple[Fraction | int, ...]:
        """What candidates are ordered by: the objective first, then the other figures."""
        if objective.kind == "diameter":
            return self.diameter, self.average_distance
        if objective.kind == "local":
            assert self.local_distance is not None
            return self.local_distance, self.average_distance, self.diameter
        return self.average_distance, self.diameter

    def value(self, objective: Objective) -> Fraction | int:
        """The figure that the objective minimises."""
        return self.key(objective)[0]


@dataclass(frozen=True)
class SearchResult:
    """All candidates of a search, the best first."""

    spec: str
    """The network searched, as given."""
    objective: Objective
    candidates: tuple[Candidate, ...]
    """One per class of equivalent assignments, in order of the objective, then the other figures, then name."""
    reference: Candidate | None
    """The assignment of `spec` (`alpha` unless another was given); None for `assignment=none`."""
    assignments: int
    """Number of assignments the candidates stand for."""

    @property
    def best(self) -> Candidate:
        """The first candidate."""
        return self.candidates[0]

    def network(self, candidate: Candidate) -> str:
        """The spec string of a candidate's network, to hand to other verbs."""
        rdt = family(self.spec)
        assert isinstance(rdt, Rdt)
        return replace(rdt, assignment=candidate.assignment).spec

    @property
    def best_balanced(self) -> Candidate | None:
        """The first candidate with equally many classes of each rank, or None when there is none."""
        return next((c for c in self.candidates if c.balanced), None)

    @property
    def ties(self) -> tuple[Candidate, ...]:
        """All candidates whose objective equals the best one's."""
        value = self.best.value(self.objective)
        return tuple(c for c in self.candidates if c.value(self.objective) == value)


def symmetries(n: int) -> I64:
    """(G, 2n^2) permutations of the classes by lattice translations and the square's rotations and reflections.

    Each maps every rank's torus links onto themselves, so assignments it exchanges have the same figures.

    >>> symmetries(2).shape
    (64, 8)
    """
    x, y = np.tile(np.arange(2 * n), n), np.repeat(np.arange(n), 2 * n)
    turns = [(1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)]
    turns += [(-a, -b, c, d) for a, b, c, d in turns]
    found = {
        tuple(class_of(a * x + b * y + tx, c * x + d * y + ty, n).tolist())
        for a, b, c, d in turns
        for tx, ty in zip(x.tolist(), y.tolist(), strict=True)
    }
    return np.array(sorted(found), np.int64)


def orbit_representatives(n: int, choices: int) -> tuple[I64, I64]:
    """The first assignment of each orbit as digits (K, 2n^2), and the orbit sizes (K,); O(choices^(2n^2) G).

    >>> digits, sizes = orbit_representatives(2, 2)
    >>> len(digits), int(sizes.sum())
    (22, 256)
    """
    classes = 2 * n * n
    total = choices**classes
    if total > MAX_CANDIDATES:
        raise JumpnetError(
            f"{total} assignments found ({choices} choices for {classes} classes), at most {MAX_CANDIDATES} expected"
        )
    powers = choices ** np.arange(classes - 1, -1, -1, dtype=np.int64)
    group = symmetries(n)
    digits = (np.arange(total, dtype=np.int64)[:, None] // powers) % choices
    least = np.arange(total, dtype=np.int64)
    for g in group:
        np.minimum(least, digits[:, g] @ powers, out=least)
    first, sizes = np.unique(least, return_counts=True)
    return digits[first], sizes


def _rows_of_bits(held: Array) -> Array:
    """(..., N) truth values as (..., ceil(N / 64)) uint64 words, place x in bit x % 64 of word x // 64."""
    packed = np.packbits(held, axis=-1, bitorder="little")
    room = np.zeros((*held.shape[:-1], 8 * (-(-held.shape[-1] // 64))), np.uint8)
    room[..., : packed.shape[-1]] = packed
    return room.view(np.uint64)


def _weights(side: int, sigma: float) -> I64:
    """(side, side) int64 probabilities of the offsets (y, x) in units of about 2^-48; 0 at offset zero."""
    short = np.minimum(np.arange(side), side - np.arange(side)).astype(np.int64)
    square = short[:, None] ** 2 + short[None, :] ** 2
    values, where = np.unique(square, return_inverse=True)
    # Relative to the nearest offset, so that a small sigma does not underflow.
    raw = np.array([0.0 if s == 0 else math.exp(-(int(s) - 1) / (2 * sigma * sigma)) for s in values])
    table = raw[where].reshape(side, side)
    return np.rint(table * (WEIGHT_UNITS / math.fsum(table.ravel()))).astype(np.int64)


class _Space:
    """The arrays that all candidates of one network share."""

    def __init__(self, spec: str, objective: Objective):
        rdt = family(spec)
        if not isinstance(rdt, Rdt):
            raise JumpnetError(f"{spec!r} found, an RDT such as rdt:256 expected")
        if rdt.side > 1 << 15:
            raise JumpnetError(f"side {rdt.side} found, at most {1 << 15} expected in a search")
        self.rdt, self.side, self.n, self.R = rdt, rdt.side, rdt.n, rdt.R
        self.classes = 2 * rdt.n * rdt.n
        self.choices = list(combinations(range(1, rdt.R + 1), min(rdt.m, rdt.R)))
        self.possible = self._possible_ranks()
        vectors = unit_vectors(rdt.n, max(self.possible, default=0))
        self.steps = np.ascontiguousarray(np.stack([vectors, -vectors], axis=2).reshape(-1, 4, 2) % self.side)
        routers = np.arange(self.side**2, dtype=np.int64)
        kind = class_of(routers % self.side, routers // self.side, rdt.n).reshape(self.side, self.side)
        self.of_class = _rows_of_bits(np.arange(self.classes)[:, None, None] == kind)
        none = np.zeros((0, 0), np.int64)
        self.weights = _weights(self.side, objective.sigma) if objective.kind == "local" else none
        self.group = symmetries(rdt.n)
        width = 2 * rdt.n
        x, y = np.tile(np.arange(width), rdt.n), np.repeat(np.arange(rdt.n), width)
        # Classes of a router of each class and of its four base neighbors.
        around = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]
        self.near = np.stack([class_of(x + dx, y + dy, rdt.n) for dx, dy in around], axis=1).tolist()

    def _possible_ranks(self) -> set[int]:
        """Ranks with links at this size (Definition 2); raises where one does not close."""
        found = set()
        for r in range(1, self.R + 1):
            uniform = ".".join([str(r)] * self.classes)
            implicit = Rdt(self.side, self.n, self.R, 1, uniform).implicit()
            if int(implicit.params[-1]) >> r & 1:
                found.add(r)
        return found

    def masks(self, ranks: tuple[tuple[int, ...], ...]) -> I64:
        """(classes,) bit r set where a class has links of rank r."""
        return np.array([1 + sum(1 << r for r in upper if r in self.possible) for upper in ranks], np.int64)

    def sources(self, masks: I64) -> tuple[I64, I64]:
        """One router for each orbit of classes under the assignment's own symmetries, and its number of classes."""
        own = self.group[(masks[self.group] == masks).all(axis=1)]
        first, sizes = np.unique(own.min(axis=0), return_counts=True)
        width = 2 * self.n
        routers, multiplicity = np.full(self.classes, -1, np.int64), np.zeros(self.classes, np.int64)
        routers[: len(first)] = first // width * self.side + first % width
        multiplicity[: len(first)] = sizes
        return routers, multiplicity

    def measure(self, batch: list[tuple[tuple[tuple[int, ...], ...], int]]) -> list[Candidate]:
        """Exact figures of a batch of (ranks of each class, orbit size)."""
        masks = np.stack([self.masks(ranks) for ranks, _ in batch])
        pairs = [self.sources(m) for m in masks]
        counts = np.zeros((len(batch), self.side + 2), np.int64)
        weighted = np.zeros(len(batch), np.int64)
        evaluate(
            self.side,
            self.steps,
            masks,
            self.of_class,
            np.stack([p[0] for p in pairs]),
            np.stack([p[1] for p in pairs]),
            self.weights,
            counts,
            weighted,
        )
        return [self._candidate(*batch[i], counts[i], int(weighted[i])) for i in range(len(batch))]

    def _candidate(self, ranks: tuple[tuple[int, ...], ...], size: int, counts: I64, weighted: int) -> Candidate:
        """An assignment with its figures, from what the searches counted."""
        routers, classes = self.side**2, self.classes
        hops = sum(d * int(c) for d, c in enumerate(counts))
        local = Fraction(weighted, classes * int(self.weights.sum())) if self.weights.size else None
        used = [r for upper in ranks for r in upper]
        every = set(range(1, self.R + 1))
        meets = all(set().union(*(ranks[c] for c in near)) >= every for near in self.near)
        return Candidate(
            assignment=".".join("+".join(map(str, upper)) if upper else "0" for upper in ranks),
            equivalents=size,
            diameter=int(np.flatnonzero(counts)[-1]),
            average_distance=Fraction(hops, classes * (routers - 1)),
            local_distance=local,
            balanced=len({used.count(r) for r in range(1, self.R + 1)}) == 1,
            meets_all_ranks=meets,
        )

    def orbit_size(self, ranks: tuple[tuple[int, ...], ...]) -> int:
        """How many assignments automorphisms carry this one to, itself included."""
        return len({tuple(ranks[c] for c in g) for g in self.group.tolist()})


def _ranks_of(rdt: Rdt, text: str) -> tuple[tuple[int, ...], ...]:
    """The ranks of each class of an assignment, checked by the family."""
    return Rdt(rdt.side, rdt.n, rdt.R, rdt.m, text).class_ranks


def compare(spec: str, assignments: list[str], objective: str = "average_distance") -> list[Candidate]:
    """Exact figures of some assignments on the network `spec`, in the order given; below half a millisecond a search.

    >>> compare("rdt:16", ["alpha"])[0].diameter
    6
    """
    space = _Space(spec, Objective.parse(objective))
    ranks = [_ranks_of(space.rdt, text) for text in assignments]
    return [space.measure([(r, space.orbit_size(r))])[0] for r in ranks]


def _run(space: _Space, jobs: list[list], threads: int, progress: Progress | None, total: int) -> Iterator[Candidate]:
    """Measure batches in threads (kernels release the lock); stops at once when the callback or the user interrupts."""
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        waiting: set[Future[list[Candidate]]] = set()
        try:
            todo = iter(jobs)
            while True:
                for batch in todo:
                    waiting.add(pool.submit(space.measure, batch))
                    if len(waiting) >= 2 * threads:
                        break
                if not waiting:
                    return
                ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in ready:
                    found = future.result()
                    done += len(found)
                    yield from found
                if progress is not None:
                    progress(done, total)
        finally:
            for future in waiting:
                future.cancel()


def search(
    spec: str, objective: str = "average_distance", *, threads: int = 2, progress: Progress | None = None
) -> SearchResult:
    """Every torus assignment of the RDT `spec`, the best first, exactly.

    Each class takes every set of m of the ranks 1..R. progress: called with (done, total) candidates; an exception
    it raises ends the search. Raises JumpnetError for other families, sizes that do not close, and too many
    candidates. Cost: candidates times at most 2n^2 breadth-first searches of the network; for n=2, R=4 at 65,536
    routers some 10,000 searches of about 0.4 ms.

    >>> search("rdt:8", "diameter").best.diameter
    3
    """
    if threads < 1:
        raise JumpnetError(f"{threads} threads found, at least 1 expected")
    goal = Objective.parse(objective)
    space = _Space(spec, goal)
    digits, sizes = orbit_representatives(space.n, len(space.choices))
    named = [
        (tuple(space.choices[d] for d in row), int(size)) for row, size in zip(digits.tolist(), sizes, strict=True)
    ]
    step = max(1, min(256, (1 << 18) // space.side**2))
    jobs = [named[i : i + step] for i in range(0, len(named), step)]
    found = list(_run(space, jobs, threads, progress, len(named)))
    found.sort(key=lambda c: (*c.key(goal), c.assignment))
    reference = None if space.rdt.assignment == "none" else compare(spec, [space.rdt.assignment], objective)[0]
    return SearchResult(spec, goal, tuple(found), reference, int(sizes.sum()))
