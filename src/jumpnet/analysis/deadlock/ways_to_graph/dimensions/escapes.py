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
from jumpnet.analysis.deadlock.ways_to_graph.dimensions._reach import bits_of, reachable, ways_between
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.cases import Mask
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.moves import OnGrid, edges, hulls
from jumpnet.networks import Network
from jumpnet.routings.view import ESCAPE, KIND
from jumpnet.terms import I64, Array

__all__ = ["class_numbers", "numbers_along", "without_escape"]


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
