"""How packets move on a grid: the cases of a routing, and whether a packet can come back to a place where it was.

Every hop changes one coordinate, and whether it may be taken depends, in each dimension, on that coordinate and the
target's. So the coordinates of a packet move on one small graph for each dimension and target coordinate.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.cycles.order import numbering
from jumpnet.analysis.deadlock.rows.blank import ends_everywhere
from jumpnet.analysis.deadlock.rows.compressed_rows import row_starts
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.cases import Case, Mask
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.grid import Grid, grid_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.states import States, starts_of, states_on
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import ESCAPE, KIND, PORT, VC
from jumpnet.terms import I64

__all__ = ["OnGrid", "circle_free", "edges", "grid_for", "hulls", "in_phases", "on_grid", "one_key", "states_for"]


class OnGrid(NamedTuple):
    """A routing on a grid."""

    grid: Grid
    cases: list[Case]
    """Of all packet states, whatever STATE and the channel of arrival."""


def on_grid(bound: BoundRouting) -> OnGrid | None:
    """The cases of all packet states; None of a routing or a network that does not fit."""
    states = states_for(bound)
    return None if states is None else OnGrid(states.grid, [stay.case for stay in states.stays])


def states_for(bound: BoundRouting, plain: bool = False) -> States | None:
    """All packet states; None of a routing or a network that does not fit.

    plain: nor of a routing that looks at the channel by which a packet came.
    """
    grid, job = grid_for(bound), job_of(bound)
    if grid is None or job.by_source or (plain and job.by_channel):
        return None
    try:
        return states_on(bound, grid, starts_of(bound, job), job.by_channel)
    except Unfit:
        return None


def grid_for(bound: BoundRouting) -> Grid | None:
    """The grid of a routing's network where every router is source and sink.

    None too of a routing of a user's own, which is not run so.
    """
    net = bound.network
    if bound.own or not ends_everywhere(net):
        return None
    return grid_of(net)


class InPhase(NamedTuple):
    """Packets of a routing in two phases while they are in one of them, on their way to the middle or from there."""

    states: States
    on: OnGrid


def in_phases(bound: BoundRouting, grid: Grid) -> tuple[InPhase, InPhase]:
    """Both phases (`Routing.two_phases`), each from its STATEs on, one for each order; raises Unfit of other STATEs."""
    first, second = (_phase(bound, grid, set(range(phase, 2 * bound.routing.orders, 2))) for phase in range(2))
    return first, second


def _phase(bound: BoundRouting, grid: Grid, starts: set[int]) -> InPhase:
    states = states_on(bound, grid, starts, by_channel=False)
    if any(stay.key.state not in starts for stay in states.stays):
        raise Unfit
    return InPhase(states, OnGrid(grid, [stay.case for stay in states.stays]))


def one_key(states: States) -> OnGrid | None:
    """The cases of packets that all have one STATE, and come by no matter which channel; None of others."""
    if len({stay.key for stay in states.stays}) > 1:
        return None
    return OnGrid(states.grid, [stay.case for stay in states.stays])


def edges(on: OnGrid, d: int, normal: bool = False) -> tuple[I64, I64]:
    """(indptr, indices) of the graph of dimension d: node e * k + x is coordinate x of a packet whose target has e.

    normal: only hops by candidates that are not ESCAPE.
    """
    k, taken = on.grid.sides[d], [np.zeros((2, 0), np.int64)]
    for port in [p for p in range(len(on.grid.move)) if on.grid.dimension[p] == d]:
        masks = [case.masks[d] for case in on.cases if port in _ports(case, normal)]
        if masks:
            x, e = np.nonzero(np.any(masks, axis=0))
            taken.append(np.stack([e * k + x, e * k + on.grid.move[port][x]]))
    tail, head = np.concatenate(taken, axis=1)
    order = np.argsort(tail, kind="stable")
    return row_starts(tail[order], k * k), head[order].astype(np.int32)


def _ports(case: Case, normal: bool) -> set[int]:
    rows = case.rows[case.rows[:, KIND] & ESCAPE == 0] if normal else case.rows
    return set(rows[:, PORT].tolist())


def circle_free(on: OnGrid) -> bool:
    """Whether no packet comes back to a place where it was: no coordinate does, whatever the target's."""
    return all(numbering(*edges(on, d)) is not None for d in range(len(on.grid.sides)))


def hulls(on: OnGrid, kind: int = 0) -> dict[tuple[int, int], list[Mask]]:
    """For each (port, vc) that some candidate of a kind names, a product that holds all pairs for which one does."""
    found: dict[tuple[int, int], list[Mask]] = {}
    for case in on.cases:
        rows = case.rows[case.rows[:, KIND] & kind == kind]
        for port, vc in rows[:, (PORT, VC)].tolist():
            before = found.setdefault((port, vc), [np.zeros_like(mask) for mask in case.masks])
            for total, mask in zip(before, case.masks, strict=True):
                total |= mask
    return found
