"""Calls of METIS and ARPACK: both hold Python's lock, and so are made from a process of their own on large networks.

What such a process needs to import is here alone. Called by `bisection` and `spectrum`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from jumpnet.process.child_process import in_child_process
from jumpnet.terms import F64, Array

__all__ = ["ALONE", "lifted", "lowest", "two_parts"]

ALONE = 1 << 18
"""Routers and entries of the matrix from which a process of its own is started: below, a call takes a second or two."""
VECTORS = 80
"""Vectors that Lanczos keeps between restarts."""


def two_parts(matrix: Any, weight: Array) -> Array | None:
    """(vertices,) 0 or 1, METIS's two parts of a graph (sparse, whole numbers as weights of its links; `weight` of its
    vertices), or None where PyMetis is not installed; its seed is fixed."""
    try:
        import pymetis  # noqa: F401
    except ImportError:
        return None
    links = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data.astype(np.int64), weight
    return in_child_process("METIS", _parted, *links) if _is_large(matrix) else _parted(*links)


def lowest(matrix: Any, w: F64, shift: float, tolerance: float, restarts: int, start: F64) -> tuple[float, F64] | None:
    """Lowest eigenvalue of `lifted`, and its vector, or None where so many restarts do not find it."""
    given = matrix, w, shift, tolerance, restarts, start
    return in_child_process("ARPACK", _lowest, *given) if _is_large(matrix) else _lowest(*given)


def lifted(matrix: Any, w: F64, shift: float) -> Callable[[F64], F64]:
    """The product with a symmetric matrix, on what is orthogonal to the unit vector w, and `shift` along w."""

    def apply(x: F64) -> F64:
        """The product with one vector."""
        x = np.asarray(x).ravel()
        along = w @ x
        rest = matrix @ (x - w * along)
        return rest - w * (w @ rest) + shift * w * along

    return apply


def _is_large(matrix: Any) -> bool:
    return bool(matrix.shape[0] + matrix.nnz >= ALONE)


def _parted(starts: Array, ends: Array, links: Array, weight: Array) -> Array:
    import pymetis

    _, part = pymetis.part_graph(
        2,
        pymetis.CSRAdjacency(starts, ends),
        vweights=weight.tolist(),
        eweights=links.tolist(),
        recursive=True,
        options=pymetis.Options(seed=1, ncuts=4, niter=20),
    )
    return np.array(part) == 1


def _lowest(matrix: Any, w: F64, shift: float, tolerance: float, restarts: int, start: F64) -> tuple[float, F64] | None:
    count = len(start)
    operator = LinearOperator((count, count), matvec=lifted(matrix, w, shift), dtype=np.float64)
    kept = min(count - 1, VECTORS)
    try:
        values, vectors = eigsh(operator, k=1, which="SA", v0=start, tol=tolerance, ncv=kept, maxiter=restarts)
    except ArpackNoConvergence:
        return None
    return float(values[0]), vectors[:, 0]
