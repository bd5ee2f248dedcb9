"""Coordinates of grid-like families: router numbers with dimension 0 fastest. Used by the families only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

import numpy as np

from jumpnet.networks import Network, Orbits, from_neighbors
from jumpnet.terms import F64, I32, I64
from jumpnet.topology._family import Family

__all__ = ["circle", "coordinates", "digit_turns", "grid_network", "index", "moves", "reflections", "spread"]


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


def reflections(coord: I32, sides: tuple[int, ...]) -> Iterator[I64]:
    """(R,) each: the image of each router under the reflection of each dimension."""
    for d, side in enumerate(sides):
        moved = coord.copy()
        moved[:, d] = side - 1 - moved[:, d]
        yield index(moved, sides)


def digit_turns(coord: I32, k: int, sides: tuple[int, ...]) -> Iterator[I64]:
    """(R,) each: the image of each router as one digit to base k goes up by 1, modulo k.

    coord: the level, then the digits, most significant first; sides: in the reverse order, as `index` has them.
    """
    for digit in range(1, len(sides)):
        moved = coord.copy()
        moved[:, digit] = (moved[:, digit] + 1) % k
        yield index(moved[:, ::-1], sides)


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


def moves(sides: tuple[int, ...], step_in: Callable[[I32, int], I64]) -> I64:
    """(R, 2D) routers one step up (port 2d) and down (port 2d+1) in each dimension.

    step_in(moved, d): router numbers of coordinates of which column d has just moved by one, maybe outside.
    """
    columns = []
    for d in range(len(sides)):
        for step in (1, -1):
            moved = coordinates(sides)
            moved[:, d] += step
            columns.append(step_in(moved, d))
    return np.stack(columns, axis=1)


def grid_network(family: Family, sides: tuple[int, ...], neighbor: I64, orbits: Orbits) -> Network:
    """The network of a mesh or torus family: ports, classes and places that both share. params = sides."""
    dims, ports = range(len(sides)), np.arange(2 * len(sides))
    coord = coordinates(sides)
    return from_neighbors(
        family.spec,
        family.name,
        neighbor,
        link_class=ports,
        class_names=tuple(f"dimension {d} {sign}" for d in dims for sign in "+-"),
        class_rank=ports // 2,
        mirror=ports ^ 1,
        coord=coord,
        orbits=orbits,
        position=spread(coord),
        params=np.array(sides, np.int64),
        attributes=family.attributes,
    )
