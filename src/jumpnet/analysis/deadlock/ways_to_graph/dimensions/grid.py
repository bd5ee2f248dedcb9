"""What makes a network a grid: routers are all tuples of coordinates, and a port changes one, whatever the rest.

Meshes, tori, hypercubes and HyperX are grids. Read off the arrays, so that any network that is one counts. Links that
do otherwise, as the express links of a concentrated mesh, are left out; a routing that takes one does not fit then.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from jumpnet.networks import Network
from jumpnet.terms import I32, Array

__all__ = ["Grid", "grid_of", "outer"]

LONGEST_SIDE = 1024
"""Cases are tables of so many coordinates squared."""


class Grid(NamedTuple):
    """A network of k_0 x k_1 x ... routers, dimension 0 fastest in their numbers."""

    sides: tuple[int, ...]
    dimension: tuple[int, ...]
    """The dimension that each port moves in."""
    move: tuple[I32, ...]
    """For each port the new coordinate, by the old one; -1 where there is no link, or one that is left out."""

    def channels(self, array: Array, vcs: int, here: Sequence[Array]) -> tuple[Array, tuple[Any, ...]]:
        """An array of channels by coordinates, port and vc; the index of the routers in a product of coordinates."""
        shape = (*reversed(self.sides), len(self.move), vcs, *array.shape[1:])
        return array.reshape(shape), np.ix_(*[np.flatnonzero(those) for those in reversed(here)])


def grid_of(net: Network, longest: int | None = LONGEST_SIDE) -> Grid | None:
    """The grid that a network is, or None, also where a side is longer than that.

    >>> from jumpnet.topology import build
    >>> grid_of(build("mesh:3x2")).move[0].tolist()
    [1, 2, -1]
    """
    coord = np.asarray(net.coord, np.int64)
    if coord.ndim != 2 or coord.shape[1] == 0:
        return None
    sides = coord.max(axis=0) + 1
    if longest is not None and sides.max() > longest:
        return None
    strides = np.concatenate([[1], np.cumprod(sides)])
    if strides[-1] != net.routers or (coord @ strides[:-1] != np.arange(net.routers)).any() or (coord < 0).any():
        return None
    found = []
    places = np.ascontiguousarray(coord.T, np.int32)
    for there in np.ascontiguousarray(net.neighbor.T):
        found.append(_port(there, places, sides.tolist()))
        if not (found[-1][1] >= 0).any() and (there >= 0).any():
            return None
    grid = Grid(tuple(sides.tolist()), tuple(d for d, _ in found), tuple(move for _, move in found))
    return grid if _both_ways(net, grid) else None


def _port(there: I32, places: I32, sides: Sequence[int]) -> tuple[int, I32]:
    """(dimension, move) of one port: the dimension along which most coordinates have one move. places: (D, R)."""
    moves = [_move(there, at, prod(sides[:d]), sides[d]) for d, at in enumerate(places)]
    d = int(np.argmax([(move >= 0).mean() for move in moves]))
    return d, moves[d]


def _move(there: I32, at: I32, stride: int, side: int) -> I32:
    """The new coordinate by the old one, -1 where not all routers with it change that one alone, and alike.

    at: (R,) the coordinate; a step along it makes `stride` in a router's number.
    """
    after = there // stride % side
    alone = (there >= 0) & (there - np.arange(len(there)) == (after - at) * stride)
    moved = np.where(alone, after, -1).reshape(-1, side, stride)
    least, most = moved.min(axis=(0, 2)), moved.max(axis=(0, 2))
    return np.where(least == most, most, -1).astype(np.int32)


def _both_ways(net: Network, grid: Grid) -> bool:
    """Whether no link is left out, or each that is not is taken from its other end too."""
    taken = np.stack([grid.move[p][net.coord[:, d]] >= 0 for p, d in enumerate(grid.dimension)], axis=1)
    if (taken == (net.neighbor >= 0)).all():
        return True
    router, port = np.nonzero(taken)
    back = net.far_port[router, port]
    return bool((back >= 0).all() and taken[net.neighbor[router, port], back].all())


def outer(tables: Sequence[Array]) -> Array:
    """(R,) the product of one number for each coordinate of a router.

    >>> outer([np.array([1, 2, 3]), np.array([1, 10])]).tolist()
    [1, 2, 3, 10, 20, 30]
    """
    made = np.ones(1, tables[0].dtype)
    for table in reversed(tables):
        made = np.multiply.outer(made, table).reshape(-1)
    return made
