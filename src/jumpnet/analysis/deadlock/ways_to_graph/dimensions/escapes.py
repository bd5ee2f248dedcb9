"""Duato's condition on a grid, by classes of escape channels: their port, vc and coordinate along the port.

A packet that took an escape channel may ask for another after hops by NORMAL candidates. In each dimension these go
along a small graph (`moves`); which escape channels it may come to is bounded by what each dimension allows alone. So
there are at least all dependencies of `duato.extended_dependencies`, between classes instead of channels, and numbers
of the classes that ascend along them prove the condition. Called by `analysis.deadlock.conditions.escape_numbers`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.cycles.checker import accepts
from jumpnet.analysis.deadlock.cycles.order import numbering
from jumpnet.analysis.deadlock.rows.bit_rows import are_set
from jumpnet.analysis.deadlock.rows.compressed_rows import row_starts
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.ways_to_graph.dimensions._reach import bits_of, reachable, ways_between
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.cases import Case, Mask
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.moves import (
    OnGrid,
    circle_free,
    edges,
    grid_for,
    hulls,
    in_phases,
)
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.states import States
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import ESCAPE, KIND, NEXT_STATE
from jumpnet.terms import I64, Array

__all__ = ["class_numbers", "numbers_along", "numbers_in_phases", "without_escape"]

MOST_PORTS = 128
"""Ports of a router beyond which packets in two phases have too many cases (hyperx:256x256: minutes)."""


def without_escape(on: OnGrid) -> bool:
    """Whether some packet on its way finds no ESCAPE candidate."""
    return any(case.found > 0 and not (case.rows[:, KIND] & ESCAPE).any() for case in on.cases)


def class_numbers(on: OnGrid, net: Network, vcs: int) -> I64 | None:
    """(C,) numbers of the channels of escape classes that ascend along all dependencies between them, -1 elsewhere.

    None where the classes have a cycle, which says nothing about the channels.
    """
    along = numbers_along(on)
    if along is None:
        return None
    numbers = np.full((net.routers, net.ports, vcs), -1, np.int64)
    for (port, vc), number in along.items():
        numbers[:, port, vc] = number[net.coord[:, on.grid.dimension[port]]]
    return numbers.reshape(-1)


def numbers_in_phases(bound: BoundRouting) -> I64 | None:
    """(C,) the same of a routing in two phases, of all ways by any router; None where none are found.

    A part is all packets of one STATE in one phase. What leaves a part goes to a later one: of its phase, with a
    greater STATE, or of the second phase. No packet of another part takes an escape channel of a part. So numbers are
    found of each part alone, and those of later parts are greater.
    """
    grid = grid_for(bound)
    if grid is None or bound.network.ports > MOST_PORTS:
        return None
    try:
        parts = [part for phase in in_phases(bound, grid) for part in _by_state(phase.states)]
    except Unfit:
        return None
    net, number = bound.network, np.full(bound.network.neighbor.size * bound.vcs, -1, np.int64)
    for part in parts:
        others = {kind for other in parts if other is not part for kind in hulls(other)}
        if without_escape(part) or not circle_free(part) or others & set(hulls(part, ESCAPE)):
            return None
        found = class_numbers(part, net, bound.vcs)
        if found is None:
            return None
        number = np.where(found >= 0, found + number.max() + 1, number)
    return number


def _by_state(states: States) -> list[OnGrid]:
    """The packets of each STATE, in ascending order; raises Unfit where a packet comes to a lesser one."""
    cases: dict[int, list[Case]] = {}
    for key, case in states.stays:
        cases.setdefault(key.state, []).append(case)
        if (case.rows[:, NEXT_STATE] < key.state).any():
            raise Unfit
    return [OnGrid(states.grid, cases[state]) for state in sorted(cases)]


def numbers_along(on: OnGrid) -> dict[tuple[int, int], I64] | None:
    """For each (port, vc) of escapes its numbers by the coordinate along the port, as `class_numbers`."""
    most = max(on.grid.sides)
    taken, asked = hulls(on), hulls(on, ESCAPE)
    first = {kind: k * most for k, kind in enumerate(asked)}
    reach = [_reach(on, d) for d in range(len(on.grid.sides))]
    depends = np.zeros((len(asked) * most, len(asked) * most), bool)
    for (port, vc), row in first.items():
        begin = taken[port, vc]
        for (next_port, next_vc), end in asked.items():
            ways = [_ways(on, d, port, begin[d], reach[d], end[d]) for d in range(len(begin))]
            if all(way.any() for way in ways):
                column = first[next_port, next_vc]
                between = _between(ways, on.grid.dimension[port], on.grid.dimension[next_port])
                height, width = between.shape
                depends[row : row + height, column : column + width] |= between
    tail, head = np.nonzero(depends)
    number = numbering(row_starts(tail, len(depends)), head)
    if number is None:
        return None
    assert accepts(number, tail, head), "the checker refused our own numbers of classes"
    sides = {kind: on.grid.sides[on.grid.dimension[kind[0]]] for kind in first}
    return {kind: number[row : row + sides[kind]] for kind, row in first.items()}


def _reach(on: OnGrid, d: int) -> Array:
    """`_reach.reachable` in one dimension, over hops by NORMAL candidates, which have no circle."""
    k = on.grid.sides[d]
    indptr, indices = edges(on, d, normal=True)
    number = numbering(indptr, indices)
    assert number is not None, "packets may come back to a place"
    return np.asarray(reachable(indptr, indices, np.argsort(number), k))


def _ways(on: OnGrid, d: int, port: int, begin: Mask, reach: Array, end: Mask) -> Array:
    """(k, k) bool: from which coordinate, where a channel of the port is taken, packets come to which."""
    k = on.grid.sides[d]
    move = on.grid.move[port].astype(np.int64) if on.grid.dimension[port] == d else np.arange(k)
    found = ways_between(begin & (move >= 0)[:, None], move, reach, bits_of(end))
    return are_set(found, k)


def _between(ways: list[Array], d: int, next_d: int) -> Array:
    """(k, k') bool: which coordinates along the first channel's dimension go with which along the next one's."""
    if d == next_d:
        return ways[d]
    return np.logical_and.outer(ways[d].any(axis=1), ways[next_d].any(axis=0))
