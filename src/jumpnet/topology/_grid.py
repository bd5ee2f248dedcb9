"""Coordinates of grid-like families: router numbers with dimension 0 fastest. Used by the families only."""

from __future__ import annotations

from math import prod

import numpy as np

from jumpnet.terms import F64, I32, I64

__all__ = ["circle", "coordinates", "index", "spread"]


def coordinates(sides: tuple[int, ...]) -> I32:
    """(R, D) coordinates of routers 0..R-1; dimension 0 varies fastest.

    >>> coordinates((2, 2)).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    grid = np.indices(sides[::-1], dtype=np.int32).reshape(len(sides), prod(sides))
    return np.ascontiguousarray(grid[::-1].T)


def index(coord: I32, sides: tuple[int, ...]) -> I64:
    """Router numbers of coordinates (the inverse of `coordinates`).

    >>> index(np.array([[1, 1]]), (2, 2)).tolist()
    [3]
    """
    result = np.zeros(len(coord), np.int64)
    for d in reversed(range(len(sides))):
        result = result * sides[d] + coord[:, d]
    return result


def spread(coord: I32) -> F64:
    """(R, 2) drawing places: dimensions 0 and 1 span the plane, further ones repeat it side by side.

    >>> spread(np.array([[0, 0, 0], [0, 0, 1]])).tolist()[1][0] > 0
    True
    """
    place = np.zeros((len(coord), 2), np.float64)
    stretch = np.ones(2)
    for d in range(coord.shape[1]):
        axis = d % 2
        place[:, axis] += coord[:, d] * stretch[axis]
        stretch[axis] *= coord[:, d].max(initial=0) + 2
    return place


def circle(routers: int) -> F64:
    """(R, 2) drawing places evenly on a circle, one unit of arc apart, router 0 at the top.

    >>> circle(4).shape
    (4, 2)
    """
    angle = 2 * np.pi * np.arange(routers) / routers
    return np.stack([np.sin(angle), np.cos(angle)], axis=1) * (routers / (2 * np.pi))
