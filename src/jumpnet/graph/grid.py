"""Networks whose coordinates fill a grid: their sides, and the period after which their links repeat.

A torus repeats after one router, an RDT after 2n in each axis. Used by `bisection.py` and `spectrum.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet.networks import Network
from jumpnet.terms import I64, NO_ROUTER

__all__ = ["Grid", "grid_of", "period"]

MAX_CELL = 64


@dataclass(frozen=True)
class Grid:
    """A network's coordinates as a full grid."""

    sides: tuple[int, ...]
    """Number of coordinates in each dimension."""
    router: I64
    """(*sides) the router at each place."""


def grid_of(net: Network) -> Grid | None:
    """The grid that the coordinates fill, every place once; None when they do not, or lie on a line.

    >>> from jumpnet.topology import build
    >>> grid_of(build("torus:4x6")).sides
    (4, 6)
    """
    if net.coord.min(initial=0) < 0:
        return None
    sides = tuple(int(side) + 1 for side in net.coord.max(axis=0))
    if np.prod([float(side) for side in sides]) != net.routers:
        return None
    router = np.full(sides, -1, np.int64)
    router[tuple(net.coord.T)] = np.arange(net.routers)
    return None if (router < 0).any() else Grid(sides, router)


def _offsets(net: Network, grid: Grid) -> I64:
    """(R, P) sorted codes of the displacements, modulo the sides, to each router's neighbors; -1 without link."""
    strides = np.cumprod([1, *grid.sides[:-1]])
    codes = np.zeros(net.neighbor.shape, np.int64)
    for d, side in enumerate(grid.sides):
        moved = net.coord[net.neighbor, d].astype(np.int64) - net.coord[:, d, None]
        codes += moved % side * strides[d]
    codes[net.neighbor == NO_ROUTER] = -1
    return np.sort(codes, axis=1)


def period(net: Network, grid: Grid) -> int | None:
    """The least p for which translation by p along any axis maps links to links; None when p^D would exceed 64.

    >>> from jumpnet.topology import build
    >>> net = build("rdt:16")
    >>> period(net, grid_of(net))
    4
    """
    codes = _offsets(net, grid)
    for p in range(1, MAX_CELL + 1):
        if p ** len(grid.sides) > MAX_CELL:
            return None
        if all(side % p == 0 for side in grid.sides) and all(
            np.array_equal(codes[np.roll(grid.router, -p, axis=d)], codes[grid.router]) for d in range(len(grid.sides))
        ):
            return p
    return None
