"""Networks that are the product of their axes (meshes, HyperX): their figures follow from those of the axes.

In the Cartesian product of graphs a distance is the sum of the distances along the axes, and the eigenvalues of the
Laplacian are sums of one of each axis (Fiedler, Algebraic connectivity of graphs, Czechoslovak Mathematical Journal 23
(1973)). So a long thin mesh takes as long as its longer side. Called by `distances` and `spectrum`; twins: searches and
Lanczos (`tests/twin/graph/test_product.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np

from jumpnet.networks import Network
from jumpnet.terms import I32, I64, NO_ROUTER

__all__ = ["axes_of", "product_figures", "summed"]


def axes_of(net: Network) -> list[I32] | None:
    """The neighbor table (side, P) of each axis of a product; None of other networks, and of a single axis.

    Along each axis a router must have the same links wherever the axis lies, and no link may change two coordinates or
    none. Cost: O(R P) for each axis.

    >>> from jumpnet.topology import build
    >>> [axis.tolist() for axis in axes_of(build("mesh:3x2"))]
    [[[1, -1, -1, -1], [0, 2, -1, -1], [1, -1, -1, -1]], [[1, -1, -1, -1], [0, -1, -1, -1]]]
    """
    coord, routers = net.coord, len(net.coord)
    sides = coord.max(axis=0, initial=0) + 1
    if sides.size < 2 or coord.min(initial=0) < 0 or np.prod(sides.astype(float)) != routers:
        return None
    place = np.ravel_multi_index(tuple(coord.T), tuple(sides.tolist()))
    if np.bincount(place, minlength=routers).max() > 1:
        return None
    present = net.neighbor != NO_ROUTER
    changes = np.zeros(present.shape, np.int8)
    axes = []
    for d, side in enumerate(sides.tolist()):
        target = np.where(present, coord[net.neighbor, d], side)
        moves = present & (target != coord[:, d, None])
        changes += moves
        target = np.sort(np.where(moves, target, side), axis=1)
        line = np.flatnonzero((np.delete(coord, d, axis=1) == 0).all(axis=1))
        table = target[line[np.argsort(coord[line, d])]]
        if (target != table[coord[:, d]]).any():
            return None
        axes.append(np.where(table == side, NO_ROUTER, table).astype(np.int32))
    return axes if (changes == present).all() else None


def summed(figures: list[tuple[I64, I64]], coord: I32) -> tuple[I64, I64]:
    """(ordered pairs at each distance, eccentricity of each router, -1 where some axis has no path) of a product.

    figures: the same of each axis; coord: (R, D).

    >>> path = np.array([2, 2]), np.array([1, 1])
    >>> counts, far = summed([path, path], np.array([[0, 0], [1, 0], [0, 1], [1, 1]]))
    >>> counts.tolist(), far.tolist()
    ([4, 8, 4], [2, 2, 2, 2])
    """
    counts = reduce(np.convolve, (counts for counts, _ in figures))
    each = np.stack([far[coord[:, d]] for d, (_, far) in enumerate(figures)])
    return counts, np.where((each < 0).any(axis=0), -1, each.sum(axis=0))


def product_figures(net: Network, of_axis: Callable[[I32], tuple[I64, I64, int]]) -> tuple[I64, I64, int] | None:
    """(pairs of routers, and of terminals, at each distance (2, levels), eccentricities (R,), searches) of a product
    with as many terminals at each router; None of others. of_axis: pairs, eccentricities and searches of an axis."""
    if (net.terminals != net.terminals[0]).any() or (net.sinks != net.sinks[0]).any():
        return None
    axes = axes_of(net)
    if axes is None:
        return None
    figures = [of_axis(axis) for axis in axes]
    counts, far = summed([(np.trim_zeros(pairs, "b"), farthest) for pairs, farthest, _ in figures], net.coord)
    both = np.stack([counts, counts * int(net.terminals[0]) * int(net.sinks[0])])
    return both, far, sum(took for _, _, took in figures)
