"""The channel dependency graph of a routing on a grid, from its cases: what all packets may hold and ask for next.

The pairs of a case that go by a port form a case of the next router, whose own cases say what they ask for there; a
dependency holds at the routers that have a target in both, which is a product over the dimensions again. The result is
that of the walk, bit for bit (`tests/twin`), at a cost that does not grow with pairs of routers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from jumpnet.analysis._walk import ADAPTIVE, CHOICES, COUNTERS, ESCAPES, STATES
from jumpnet.analysis.dimensions.cases import Case, Mask, Unfit, cases
from jumpnet.analysis.dimensions.grid import Grid
from jumpnet.analysis.dimensions.moves import OnGrid, circle_free, moved, on_grid
from jumpnet.analysis.uniform import Graph, blank
from jumpnet.routing import BoundRouting
from jumpnet.routing.view import ESCAPE, KIND, PORT, VC
from jumpnet.terms import I64, Array

__all__ = ["dependencies_by_dimension"]


def dependencies_by_dimension(bound: BoundRouting, phases: bool) -> Graph | None:
    """(bits, used, escape, counters) as `walks` makes them; None where the routing or the network does not fit.

    phases: whether packets go in two phases (`Routing.two_phases`), none of which may come back to a place; else their
    STATE must stay 0. Cost: a run of the relation in plain Python for each pair of cases that follow each other.
    """
    if bound.routing.start is not None and not phases:
        return None
    first, second = on_grid(bound, 0), on_grid(bound, 1) if phases else None
    if first is None or (phases and second is None):
        return None
    try:
        made = _Phase(bound, first, 0)
        if second is not None:
            after = _Phase(bound, second, 1)
            if not (circle_free(first) and circle_free(second)):
                return None
            _join(made, after)
            made.add(after)
    except Unfit:
        return None
    return made.bits, made.used, made.escape, made.counters


class _Phase:
    """The graph of all packets with one STATE, on their way to a target."""

    def __init__(self, bound: BoundRouting, on: OnGrid, state: int) -> None:
        self.bound, self.grid, self.state, self.cases = bound, on.grid, state, on.cases
        self.bits, self.used, self.escape = blank(bound)
        self.words = self.bits.shape[1]
        self.counters = np.zeros(COUNTERS, np.int64)
        self.counters[STATES] = bound.network.routers**2
        self.entered: list[tuple[Mask, ...]] = []
        """Pairs of the next router that some packet comes to, as products."""
        for case in self.cases:
            self._add_case(case)

    def mask_of(self, case: Case) -> Array:
        """(W,) uint64: bit port * vcs + vc of each candidate."""
        mask = np.zeros(self.words, np.uint64)
        for bit in (case.rows[:, PORT] * self.bound.vcs + case.rows[:, VC]).tolist():
            mask[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
        return mask

    def _channels(self, array: Array, here: Sequence[Array]) -> tuple[Array, tuple[Array, ...]]:
        """An array of channels by coordinates, port and vc; the index of the routers in a product of coordinates."""
        shape = (*reversed(self.grid.sides), self.bound.network.ports, self.bound.vcs, *array.shape[1:])
        return array.reshape(shape), np.ix_(*[np.flatnonzero(those) for those in reversed(here)])

    def _add_case(self, case: Case) -> None:
        here = [np.asarray(mask.any(axis=1)) for mask in case.masks]
        self.counters[CHOICES] |= case.found > 1
        self.counters[ADAPTIVE] |= len(set(case.rows[:, PORT].tolist())) > 1
        for port, rows in _by_port(case):
            used, at = self._channels(self.used, here)
            escape, _ = self._channels(self.escape, here)
            for vc, kind in rows[:, (VC, KIND)].tolist():
                used[(*at, port, vc)] = 1
                if kind & ESCAPE != 0:
                    self.counters[ESCAPES] = 1
                    escape[(*at, port, vc)] = 1
            there = moved(self.grid, case.masks, port)
            self.entered.append(there)
            for follower in cases(self.bound, self.grid, there, self.state):
                self._add_pair(here, port, rows, follower)

    def _add_pair(self, here: list[Array], port: int, rows: I64, follower: Case) -> None:
        """What packets that left by a port ask for in one case of the next router."""
        if follower.found <= 0:
            return
        d, move = self.grid.dimension[port], self.grid.move[port]
        both = [np.asarray(those & mask.any(axis=1)) for those, mask in zip(here, follower.masks, strict=True)]
        both[d] = here[d] & (move >= 0) & np.asarray(follower.masks[d].any(axis=1))[move]
        bits, at = self._channels(self.bits, both)
        for vc in rows[:, VC].tolist():
            bits[(*at, port, vc)] |= self.mask_of(follower)

    def add(self, other: _Phase) -> None:
        """Everything of another phase besides."""
        for total, piece in zip(
            (self.bits, self.used, self.escape), (other.bits, other.used, other.escape), strict=True
        ):
            np.bitwise_or(total, piece, out=total)
        self.counters[STATES] += other.counters[STATES]
        self.counters[[ADAPTIVE, CHOICES, ESCAPES]] |= other.counters[[ADAPTIVE, CHOICES, ESCAPES]]


def _by_port(case: Case) -> Iterator[tuple[int, I64]]:
    """The candidates of a case by their ports."""
    rows = case.rows[np.argsort(case.rows[:, PORT], kind="stable")]
    for port, group in groupby(rows.tolist(), key=lambda row: row[PORT]):
        yield int(port), np.array(list(group), np.int64)


def _outer(grid: Grid, tables: Sequence[Array]) -> Array:
    """(R,) product of one number for each coordinate."""
    made = np.ones(1, tables[0].dtype)
    for table in reversed(tables):
        made = np.multiply.outer(made, table).reshape(-1)
    return made


def _join(first: _Phase, second: _Phase) -> None:
    """OR the first hops of the second phase into the channels by which packets reach the middle in the first.

    A packet that no other comes before was sent by the router at the channel's beginning, and is not bound back for it.
    """
    net, grid, vcs = first.bound.network, first.grid, first.bound.vcs
    everywhere, not_back = np.zeros((net.routers, first.words), np.uint64), []
    tables = [([m.sum(axis=1) for m in c.masks], c, second.mask_of(c)) for c in second.cases if c.found > 0]
    targets = [_outer(grid, counts) for counts, _, _ in tables]
    for many, (_, _, mask) in zip(targets, tables, strict=True):
        everywhere[many > 0] |= mask
    for port in range(net.ports):
        beyond = np.zeros((net.routers, first.words), np.uint64)
        for many, (_, case, mask) in zip(targets, tables, strict=True):
            beyond[many > _among(grid, case.masks, port)] |= mask
        not_back.append(beyond)
    for port in range(net.ports):
        middle, back = net.neighbor[:, port], net.far_port[:, port]
        linked = middle >= 0
        come = np.zeros(net.routers, bool)
        for masks in first.entered:
            come |= _among(grid, masks, port) > 0
        ahead = np.zeros((net.routers, first.words), np.uint64)
        for way in range(net.ports):
            these = linked & (back == way)
            ahead[these] = not_back[way][middle[these]]
        ahead[linked & come] = everywhere[middle[linked & come]]
        rows = first.bits.reshape(net.routers, net.ports, vcs, first.words)
        for case in first.cases:
            reach = _among(grid, case.masks, port) > 0
            for vc in case.rows[case.rows[:, PORT] == port][:, VC].tolist():
                rows[reach, port, vc] |= ahead[reach]


def _among(grid: Grid, masks: Sequence[Mask], port: int) -> Array:
    """(R,) int64: 1 where the pair of a router and its neighbor at a port is among the pairs of a case, else 0."""
    d, move = grid.dimension[port], grid.move[port]
    tables = [mask.diagonal().astype(np.int64) for mask in masks]
    tables[d] = np.where(move >= 0, masks[d][np.arange(len(move)), move], False).astype(np.int64)
    return _outer(grid, tables)
