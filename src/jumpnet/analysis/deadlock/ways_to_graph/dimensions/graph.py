"""The channel dependency graph of a routing on a grid, from its cases: what all packets may hold and ask for next.

The pairs of a case that go by a port form a case of the next router, whose own cases say what they ask for there; a
dependency holds at the routers that have a target in both, which is a product over the dimensions again. The result is
that of the walk, bit for bit (`tests/twin`), at a cost that does not grow with pairs of routers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.rows.blank import Graph, blank
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.walks.counters import counters_of, union
from jumpnet.analysis.deadlock.walks.packet_walk import ADAPTIVE, CHOICES, ESCAPES, Job
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.cases import Case, Mask, bits_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.grid import Grid, outer
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.moves import circle_free, grid_for, in_phases, states_for
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.states import Key, States, Stay, moved, starts_of, states_on
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import ENTERS, ESCAPE, KIND, NEXT_STATE, NORMAL, PORT, VC
from jumpnet.terms import I64, Array

__all__ = ["Marks", "Phase", "dependencies_by_dimension", "marks_by_dimension"]


def dependencies_by_dimension(bound: BoundRouting, job: Job, phases: bool) -> Graph | None:
    """(bits, used, escape, counters) as `walks` makes them; None where the routing or the network does not fit.

    phases: whether packets go in two phases (`Routing.two_phases`), none of which may come back to a place. Cost: a run
    of the relation in plain Python for each pair of cases that follow each other.
    """
    grid = grid_for(bound)
    if grid is None or job.by_source:
        return None
    try:
        if not phases:
            return Phase(states_on(bound, grid, starts_of(bound, job), job.by_channel)).graph
        parts = in_phases(bound, grid)
        if not all(circle_free(part.on) for part in parts):
            return None
        made, after = (Phase(part.states) for part in parts)
        for start in sorted(after.states.starts):
            _join(made, after, start)
        union([made.graph, after.graph])
    except Unfit:
        return None
    return made.graph


class Phase:
    """The graph of all packets, or of those in one phase, on their way to a target."""

    def __init__(self, states: States, vcs: int | None = None) -> None:
        """vcs: virtual channels by which channels are numbered, the routing's if None."""
        self.bound, self.grid, self.states = states.bound, states.grid, states
        self.vcs = states.bound.vcs if vcs is None else vcs
        self.cases = [stay.case for stay in states.stays]
        self.bits, self.used, self.escape = blank(self.bound, self.vcs)
        self.words = self.bits.shape[1]
        self.counters = counters_of(states.count)
        self.entered: dict[int, list[tuple[Mask, ...]]] = {stay.key.state: [] for stay in states.stays}
        """Pairs of the next router that some packet comes to, as products, by the STATE that it comes in."""
        for stay in states.stays:
            self._add_stay(stay)

    @property
    def graph(self) -> Graph:
        """As `blank.Graph` says."""
        return self.bits, self.used, self.escape, self.counters

    def _add_stay(self, stay: Stay) -> None:
        """Add what the packets of one stay ask for, and what they ask for after each hop."""
        case = stay.case
        here = [np.asarray(mask.any(axis=1)) for mask in case.masks]
        self.counters[CHOICES] |= case.found > 1
        self.counters[ADAPTIVE] |= len(set(case.rows[:, PORT].tolist())) > 1
        escapes = case.rows[case.rows[:, KIND] & ESCAPE != 0]
        self.counters[ESCAPES] |= len(escapes) > 0
        self.flag(self.used, here, case.rows)
        self.flag(self.escape, here, escapes)
        for port, group in _same_next(self.states, case).items():
            self.entered[port.key.state].append(moved(self.grid, case.masks, port.port))
            for follower in self.states.followers(stay, port.port, group[0], port.key.state):
                for vc in group:
                    self._add_pair(case, here, port.port, vc, follower)

    def flag(self, flags: Array, here: Sequence[Array], rows: I64) -> None:
        """Set the flags of the channels of some candidates at a product of routers."""
        array, at = self.grid.channels(flags, self.vcs, here)
        for port, vc in rows[:, (PORT, VC)].tolist():
            array[(*at, port, vc)] = 1

    def _add_pair(self, case: Case, here: list[Array], port: int, vc: int, follower: Case) -> None:
        """What packets that left by a channel ask for in one case of the next router."""
        if follower.found <= 0:
            return
        d, move = self.grid.dimension[port], self.grid.move[port]
        both = [np.asarray(those & mask.any(axis=1)) for those, mask in zip(here, follower.masks, strict=True)]
        both[d] = (move >= 0) & np.asarray((case.masks[d] & follower.masks[d][move]).any(axis=1))
        for array, rows in self._parts(follower.rows):
            bits, at = self.grid.channels(array, self.vcs, both)
            bits[(*at, port, vc)] |= bits_of(rows, self.vcs, self.words)

    def add_turned(self, later: States) -> None:
        """Besides, what packets ask for that begin anew by another routing wherever they come to."""
        for stay in self.states.stays:
            here = [np.asarray(mask.any(axis=1)) for mask in stay.case.masks]
            for port, group in _same_next(self.states, stay.case).items():
                come = moved(self.grid, stay.case.masks, port.port)
                for start in sorted(later.starts):
                    for follower in later.known.cases(Key(start), come):
                        for vc in group:
                            self._add_pair(stay.case, here, port.port, vc, follower)

    def _parts(self, rows: I64) -> list[tuple[Array, I64]]:
        """The arrays that candidates are noted in, and which of them."""
        return [(self.bits, rows)]


class _Way(NamedTuple):
    """A port, and the key of those that go by it."""

    port: int
    key: Key


class _Marked(Phase):
    """The same by kinds of candidates, as bubble flow control asks for them: of all, or of those that are `only`."""

    def __init__(self, states: States, only: int) -> None:
        self.only = only
        self.entering, self.unmarked, self.otherwise = blank(states.bound)
        super().__init__(states)
        for key, case in states.stays:
            here = [np.asarray(mask.any(axis=1)) for mask in case.masks]
            self.flag(self.otherwise, here, case.rows[case.rows[:, KIND] & only != only])
            if states.begins(key):
                rows = self._among(case.rows)
                self.flag(self.unmarked, here, rows[rows[:, KIND] & ENTERS == 0])

    def _among(self, rows: I64) -> I64:
        return rows[rows[:, KIND] & self.only == self.only]

    def _parts(self, rows: I64) -> list[tuple[Array, I64]]:
        rows = self._among(rows)
        enters = rows[:, KIND] & ENTERS != 0
        return [(self.entering, rows[enters]), (self.bits, rows[~enters])]


class Marks(NamedTuple):
    """What packets on a channel ask for next, and at their source, of all candidates or of ESCAPE ones alone."""

    entering: Array
    """(C, W) uint64: by candidates marked ENTERS."""
    continuing: Array
    """(C, W) uint64: by others."""
    unmarked: Array
    """(C,) uint8: 1 where a packet asks for the channel at its source without ENTERS."""
    escape: Array
    """(C,) uint8: 1 where a packet may take the channel as ESCAPE."""
    otherwise: Array
    """(C,) uint8: 1 where a packet may take it otherwise; only where ESCAPE candidates alone are asked for."""
    always: bool
    """Whether every packet on its way has a candidate that is asked for."""


def marks_by_dimension(bound: BoundRouting, only: int = NORMAL) -> Marks | None:
    """What `bubble` needs to know of all candidates, or of those marked `only`; None where it does not fit."""
    states = states_for(bound)
    if states is None:
        return None
    try:
        made = _Marked(states, only)
    except Unfit:
        return None
    always = all((case.rows[:, KIND] & only == only).any() for _, case in states.stays if case.found > 0)
    return Marks(made.entering, made.bits, made.unmarked, made.escape, made.otherwise, always)


def _same_next(states: States, case: Case) -> dict[_Way, list[int]]:
    """The virtual channels of the candidates of a case, by what their packets are at the next router."""
    found: dict[_Way, list[int]] = {}
    for port, vc, state in case.rows[:, (PORT, VC, NEXT_STATE)].tolist():
        found.setdefault(_Way(port, states.after(port, vc, state)), []).append(vc)
    return found


def _join(first: Phase, second: Phase, start: int) -> None:
    """OR the first hops of the second phase into the channels by which packets reach the middle in the first.

    Of packets that begin the second in STATE `start`, and so end the first in that before it. A packet that no other
    comes before was sent by the router at the channel's beginning, and is not bound back for it.
    """
    net, grid, vcs = first.bound.network, first.grid, first.bound.vcs
    cases = [stay.case for stay in second.states.stays if stay.key.state == start and stay.case.found > 0]
    everywhere, not_back = np.zeros((net.routers, first.words), np.uint64), []
    tables = [([m.sum(axis=1) for m in c.masks], c, bits_of(c.rows, vcs, second.words)) for c in cases]
    targets = [outer(counts) for counts, _, _ in tables]
    for many, (_, _, mask) in zip(targets, tables, strict=True):
        everywhere[many > 0] |= mask
    for port in range(net.ports):
        beyond = np.zeros((net.routers, first.words), np.uint64)
        for many, (_, case, mask) in zip(targets, tables, strict=True):
            beyond[many > _among(grid, case.masks, port)] |= mask
        not_back.append(beyond)
    rows = first.bits.reshape(net.routers, net.ports, vcs, first.words)
    for port in range(net.ports):
        middle, back = net.neighbor[:, port], net.far_port[:, port]
        linked = middle >= 0
        begun = np.zeros((net.routers, first.words), np.uint64)
        for way in range(net.ports):
            these = linked & (back == way)
            begun[these] = not_back[way][middle[these]]
        for state, entered in first.entered.items():
            come = linked & np.any([_among(grid, masks, port) > 0 for masks in entered], axis=0)
            ahead = np.where(come[:, None], everywhere[middle], begun)
            for case in (stay.case for stay in first.states.stays if stay.key.state == state):
                reach = _among(grid, case.masks, port) > 0
                ends = (case.rows[:, PORT] == port) & (case.rows[:, NEXT_STATE] == start - 1)
                for vc in case.rows[ends][:, VC].tolist():
                    rows[reach, port, vc] |= ahead[reach]


def _among(grid: Grid, masks: Sequence[Mask], port: int) -> Array:
    """(R,) int64: 1 where the pair of a router and its neighbor at a port is among the pairs of a case, else 0."""
    d, move = grid.dimension[port], grid.move[port]
    tables = [mask.diagonal().astype(np.int64) for mask in masks]
    tables[d] = np.where(move >= 0, masks[d][np.arange(len(move)), move], False).astype(np.int64)
    return outer(tables)
