"""How packets move on a grid: the cases of a routing, and whether a packet can come back to a place where it was.

Every hop changes one coordinate, and whether it may be taken depends, in each dimension, on that coordinate and the
target's. So the coordinates of a packet move on one small graph for each dimension and target coordinate.
"""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.cycles import numbering
from jumpnet.analysis.dimensions.cases import Case, Mask, Unfit, cases
from jumpnet.analysis.dimensions.grid import Grid, grid_of
from jumpnet.routing import BoundRouting
from jumpnet.routing.view import ESCAPE, KIND, NEXT_STATE, PORT, VC
from jumpnet.terms import I64

__all__ = ["OnGrid", "circle_free", "edges", "hulls", "moved", "on_grid"]

MOST_CASES = 1024
"""Cases of all pairs beyond which they are no short cut any more."""


class OnGrid(NamedTuple):
    """A routing on a grid, for packets whose STATE stays the same."""

    grid: Grid
    cases: list[Case]
    """Apart, and all pairs of routers together."""


def on_grid(bound: BoundRouting, state: int = 0) -> OnGrid | None:
    """The cases of all pairs, each of which arrives or goes on by links that are there; None where it does not fit.

    Every router must be source and sink. A routing of a user's own is not run so.
    """
    net, grid = bound.network, grid_of(bound.network)
    if grid is None or bound.own or not ((net.terminals > 0).all() and (net.sinks > 0).all()):
        return None
    everywhere = [np.ones((k, k), bool) for k in grid.sides]
    try:
        found = list(islice(cases(bound, grid, everywhere, state), MOST_CASES + 1))
    except Unfit:
        return None
    if len(found) > MOST_CASES:
        return None
    return OnGrid(grid, found) if all(_goes_on(bound, grid, case, state) for case in found) else None


def _goes_on(bound: BoundRouting, grid: Grid, case: Case, state: int) -> bool:
    if case.found == 0:
        return all(not mask[~np.eye(len(mask), dtype=bool)].any() for mask in case.masks)
    ports, vcs = case.rows[:, PORT], case.rows[:, VC]
    known = (ports >= 0) & (ports < bound.network.ports) & (vcs >= 0) & (vcs < bound.vcs)
    if case.found < 0 or not known.all() or (case.rows[:, NEXT_STATE] != state).any():
        return False
    return not any((grid.move[p][case.masks[grid.dimension[p]].any(axis=1)] < 0).any() for p in ports.tolist())


def moved(grid: Grid, masks: tuple[Mask, ...], port: int) -> tuple[Mask, ...]:
    """The pairs of the next router after a hop by a port."""
    d, move = grid.dimension[port], grid.move[port]
    there = np.zeros_like(masks[d])
    here = np.flatnonzero(masks[d].any(axis=1))
    np.logical_or.at(there, move[here], masks[d][here])
    return (*masks[:d], there, *masks[d + 1 :])


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
    return np.searchsorted(tail[order], np.arange(k * k + 1)), head[order].astype(np.int32)


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
