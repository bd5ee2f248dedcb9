"""What makes a network a grid: routers are all tuples of coordinates, and a port changes one, whatever the rest.

Meshes, tori, hypercubes and HyperX are grids. Read off the arrays, so that any network that is one counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.network import Network
from jumpnet.terms import I32

__all__ = ["Grid", "grid_of"]

LONGEST_SIDE = 1024
"""Cases are tables of so many coordinates squared."""


class Grid(NamedTuple):
    """A network of k_0 x k_1 x ... routers, dimension 0 fastest in their numbers."""

    sides: tuple[int, ...]
    dimension: tuple[int, ...]
    """The dimension that each port moves in."""
    move: tuple[I32, ...]
    """For each port the new coordinate, by the old one; -1 where there is no link."""


def grid_of(net: Network) -> Grid | None:
    """The grid that a network is, or None, also where a side is too long.

    >>> from jumpnet.topology import build
    >>> grid_of(build("mesh:3x2")).move[0].tolist()
    [1, 2, -1]
    """
    coord = np.asarray(net.coord, np.int64)
    if coord.ndim != 2 or coord.shape[1] == 0:
        return None
    sides = coord.max(axis=0) + 1
    if sides.max() > LONGEST_SIDE:
        return None
    strides = np.concatenate([[1], np.cumprod(sides)])
    if strides[-1] != net.routers or (coord @ strides[:-1] != np.arange(net.routers)).any() or (coord < 0).any():
        return None
    found = [_port(net.neighbor[:, p], coord, sides) for p in range(net.ports)]
    if any(port is None for port in found):
        return None
    ports = [port for port in found if port is not None]
    return Grid(tuple(sides.tolist()), tuple(d for d, _ in ports), tuple(move for _, move in ports))


def _port(there: I32, coord: np.ndarray, sides: np.ndarray) -> tuple[int, I32] | None:
    """(dimension, move) of one port, None where it does not depend on one coordinate alone."""
    linked = there >= 0
    changed = np.flatnonzero((coord[linked] != coord[there[linked]]).any(axis=0))
    if len(changed) > 1:
        return None
    d = int(changed[0]) if len(changed) else 0
    move = np.full(sides[d], -1, np.int32)
    move[coord[linked, d]] = coord[there[linked], d]
    expected = move[coord[:, d]]
    same = np.where(linked, coord[np.maximum(there, 0), d], -1) == expected
    return (d, move) if same.all() else None
