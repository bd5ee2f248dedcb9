"""The Laplacian of a network and its algebraic connectivity (second smallest eigenvalue, Fiedler 1973).

Parallel links count each; a link of a router to itself counts nothing; one-way channels count as links between their
ends. Called by `bisection.py`, metrics and reports.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sparse

from jumpnet.errors import JumpnetError
from jumpnet.graph._chain import places_on_chain
from jumpnet.graph._metis_arpack import VECTORS, lifted, lowest
from jumpnet.graph._product import axes_of
from jumpnet.graph.grid import Grid, grid_of, period
from jumpnet.networks import Network
from jumpnet.terms import F64, I32, I64, NO_ROUTER

__all__ = ["MAX_ROUTERS", "Fiedler", "adjacency", "algebraic_connectivity", "fiedler", "laplacian"]

DENSE_ROUTERS = 600
MAX_ROUTERS = 1 << 20
TOLERANCE = 1e-7
"""Of Lanczos: relative, of an eigenvalue."""
MOST_PRODUCTS = 1 << 29
"""Rows of the Laplacian multiplied before it is given up: the full number of restarts up to 16,384 routers."""


@dataclass(frozen=True)
class Fiedler:
    """The smallest value of x'Lx / x'x over vectors x orthogonal to given weights, and the vector."""

    value: float
    """Its value, as computed."""
    residual: float
    """Norm of the eigenvalue equation's residual: an eigenvalue lies within this of `value`."""
    vector: F64
    """(R,) unit vector."""


def adjacency(net: Network) -> Any:
    """(R, R) sparse symmetric matrix of the number of links between routers, zero diagonal."""
    return _links(net.neighbor, net.directed)


def _links(neighbor: I32, directed: bool) -> Any:
    rows, cols = np.nonzero(neighbor != NO_ROUTER)
    far = neighbor[rows, cols]
    keep = rows != far
    ones = np.ones(int(keep.sum()))
    matrix = sparse.coo_array((ones, (rows[keep], far[keep])), shape=(len(neighbor), len(neighbor))).tocsr()
    return (matrix + matrix.T).tocsr() if directed else matrix


def laplacian(net: Network) -> Any:
    """(R, R) sparse Laplacian: links of each router on the diagonal, minus the adjacency.

    >>> from jumpnet.topology import build
    >>> laplacian(build("torus:4")).toarray()[0].tolist()
    [2.0, -1.0, 0.0, -1.0]
    """
    return _of_links(adjacency(net))


def _of_links(matrix: Any) -> Any:
    return (sparse.diags_array(matrix.sum(axis=1)) - matrix).tocsr()


def _start(count: int) -> F64:
    """A fixed start vector without special structure (a golden-ratio sequence), so that runs repeat bit for bit."""
    return (np.arange(1, count + 1) * 0.6180339887498949) % 1.0 - 0.5


def _by_translations(net: Network, L: Any, grid: Grid, p: int) -> tuple[float, F64]:
    """Algebraic connectivity and its vector of a network that repeats every p routers along each axis.

    The Laplacian falls into one Hermitian block of p^D rows for each character of the translations (Bloch waves).
    """
    dims = len(grid.sides)
    cells = tuple(side // p for side in grid.sides)
    corner = grid.router[(slice(0, p),) * dims].ravel()
    place = np.ravel_multi_index(tuple(net.coord.T % p), (p,) * dims)
    block_of = net.coord // p
    waves = np.stack(np.meshgrid(*[np.arange(c) for c in cells], indexing="ij"), axis=-1).reshape(-1, dims)
    blocks = np.zeros((len(waves), len(corner), len(corner)), np.complex128)
    for row, r in enumerate(corner):
        for k in range(L.indptr[r], L.indptr[r + 1]):
            s = L.indices[k]
            phase = np.exp(2j * np.pi * (waves @ (block_of[s] / np.array(cells))))
            blocks[:, row, place[s]] += L.data[k] * phase
    values = np.linalg.eigvalsh(blocks)
    values[0, 0] = np.inf  # The constant vector.
    best = int(np.argmin(values.min(axis=1)))
    inner = np.linalg.eigh(blocks[best])[1][:, 1 if best == 0 else 0]
    wave = np.exp(2j * np.pi * (block_of @ (waves[best] / np.array(cells)))) * inner[place]
    x = wave.real if np.linalg.norm(wave.real) >= np.linalg.norm(wave.imag) else wave.imag
    return float(values.min()), np.ascontiguousarray(x)


def _of_chain(place: I64) -> tuple[float, F64]:
    """Algebraic connectivity and its vector of a path, in closed form: a cosine along it (Fiedler 1973).

    >>> round(_of_chain(np.arange(4))[0], 9)
    0.585786438
    """
    turn = math.pi / place.size
    return 4 * math.sin(turn / 2) ** 2, np.cos(turn * (place + 0.5))


def _of_product(net: Network) -> tuple[float, F64] | None:
    """Algebraic connectivity and its vector of a product of axes, which are paths or short: the least of an axis."""
    axes = axes_of(net)
    if axes is None:
        return None
    found: list[tuple[float, F64]] = []
    for d, axis in enumerate(axes):
        side = len(axis)
        place = places_on_chain(axis, net.directed)
        if side == 1:
            continue
        if place is not None and place[0] >= 0:
            value, x = _of_chain(place)
        elif side <= DENSE_ROUTERS:
            values, vectors = np.linalg.eigh(_of_links(_links(axis, net.directed)).toarray())
            value, x = float(values[1]), vectors[:, 1]
        else:
            return None
        found.append((value, x[net.coord[:, d]]))
    return min(found, key=lambda pair: pair[0])


def _by_lanczos(net: Network, L: Any, w: F64, shift: float) -> tuple[float, F64]:
    restarts = min(400, max(1, MOST_PRODUCTS // (VECTORS * net.routers)))
    found = lowest(L, w, shift, TOLERANCE, restarts, _start(net.routers))
    if found is None:
        raise JumpnetError(f"{net.spec}: the eigenvalue of {net.routers} routers did not converge")
    return found


def fiedler(net: Network, weights: F64 | None = None) -> Fiedler:
    """Smallest x'Lx over unit x orthogonal to `weights` (all ones when left out: the algebraic connectivity).

    By Fourier blocks where the links repeat along the axes (torus, RDT); else dense up to 600 routers; above, paths and
    products of axes (meshes) in closed form, and Lanczos (eigsh) with a fixed start vector. Raises JumpnetError for
    fewer than 2 or more than 2^20 routers, and when Lanczos does not converge. Cost: O(R^3) dense; about a second for
    65,536 routers by blocks; Lanczos some thousand products with the Laplacian, more for long thin networks.
    """
    count = net.routers
    if not 2 <= count <= MAX_ROUTERS:
        raise JumpnetError(f"{count} routers found, 2 to {MAX_ROUTERS} expected for a spectrum")
    L = laplacian(net)
    w = np.ones(count) if weights is None else np.asarray(weights, np.float64)
    w = w / np.linalg.norm(w)
    shift = 2.0 * float(L.diagonal().max(initial=0.0)) + 1.0  # Above every eigenvalue: lifts w out of the way.

    def project(x: F64) -> F64:
        """The part of a vector that is orthogonal to w."""
        return x - w * (w @ x)

    grid = grid_of(net) if weights is None else None
    if grid is not None and (p := period(net, grid)) is not None:
        value, x = _by_translations(net, L, grid, p)
    elif count <= DENSE_ROUTERS:
        P = np.eye(count) - np.outer(w, w)
        values, vectors = np.linalg.eigh(P @ L.toarray() @ P + shift * np.outer(w, w))
        value, x = float(values[0]), vectors[:, 0]
    elif weights is None and (place := places_on_chain(net.neighbor, net.directed)) is not None and place[0] >= 0:
        value, x = _of_chain(place)
    elif weights is None and (product := _of_product(net)) is not None:
        value, x = product
    else:
        value, x = _by_lanczos(net, L, w, shift)
    x = project(x)
    x = x / np.linalg.norm(x)
    if x[np.argmax(np.abs(x) > 1e-12)] < 0:  # One sign, whatever the solver returned.
        x = -x
    return Fiedler(max(value, 0.0), float(np.linalg.norm(lifted(L, w, shift)(x) - value * x)), x)


def algebraic_connectivity(net: Network) -> float:
    """Second smallest Laplacian eigenvalue; 0 exactly when the network is disconnected (up to rounding).

    >>> from jumpnet.topology import build
    >>> round(algebraic_connectivity(build("torus:4x4")), 9)
    2.0
    """
    return fiedler(net).value
