"""LU factorisation without pivoting of a dense matrix in blocks, each block stored as one piece and owned by one
processor of a two-dimensional grid (structure of SPLASH-2 LU, Woo et al., ISCA 1995).

Per block column: its owner factors the diagonal block; barrier; the owners of the blocks below and to the right divide
by it; barrier; every owner updates its blocks of the rest; barrier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from jumpnet.machine.workload._recorder import Shared, Space, inlined, load, runner, store
from jumpnet.machine.workload._workload import Program, Workload

__all__ = ["Lu"]


class Arrays(NamedTuple):
    """What the program works on; private arrays leave no references."""

    a: Shared
    """(n/b, n/b, b, b) blocks."""
    blocks: int
    """Blocks of a side."""
    b: int
    rows: int
    """Sides of the grid of processors: block (i, j) belongs to processor (i % rows) * columns + j % columns."""
    columns: int


@inlined
def at(s, i, j, x, y):
    """Index of element (x, y) of block (i, j)."""
    return ((i * s.blocks + j) * s.b + x) * s.b + y


@inlined
def below(t, s, p, i, d):
    """Block (i, d) of L: divide from the right by U of the diagonal; the diagonal block itself, L and U in place."""
    for k in range(s.b):
        pivot = load(t, p, s.a, at(s, d, d, k, k))
        for x in range(k + 1 if i == d else 0, s.b):
            m = load(t, p, s.a, at(s, i, d, x, k)) / pivot
            store(t, p, s.a, at(s, i, d, x, k), m)
            for y in range(k + 1, s.b):
                u = load(t, p, s.a, at(s, d, d, k, y))
                store(t, p, s.a, at(s, i, d, x, y), load(t, p, s.a, at(s, i, d, x, y)) - m * u)


@inlined
def beside(t, s, p, d, j):
    """Block (d, j) of U: divide from the left by L of the diagonal."""
    for k in range(s.b):
        for x in range(k + 1, s.b):
            m = load(t, p, s.a, at(s, d, d, x, k))
            for y in range(s.b):
                u = load(t, p, s.a, at(s, d, j, k, y))
                store(t, p, s.a, at(s, d, j, x, y), load(t, p, s.a, at(s, d, j, x, y)) - m * u)


@inlined
def inner(t, s, p, i, j, d):
    """Block (i, j) of the rest: minus L (i, d) times U (d, j)."""
    for x in range(s.b):
        for k in range(s.b):
            m = load(t, p, s.a, at(s, i, d, x, k))
            for y in range(s.b):
                u = load(t, p, s.a, at(s, d, j, k, y))
                store(t, p, s.a, at(s, i, j, x, y), load(t, p, s.a, at(s, i, j, x, y)) - m * u)


def turn(t, s, phase, p, k):
    """The k-th block of processor p in this phase."""
    d, part = phase // 3, phase % 3
    row, column = p // s.columns, p % s.columns
    if part == 0:
        if k > 0 or d % s.rows != row or d % s.columns != column:
            return False
        below(t, s, p, d, d)
        return True
    i = d + 1 + (row - d - 1) % s.rows
    j = d + 1 + (column - d - 1) % s.columns
    down = max(0, (s.blocks - i + s.rows - 1) // s.rows)
    across = max(0, (s.blocks - j + s.columns - 1) // s.columns)
    if part == 1:
        mine = down if d % s.columns == column else 0
        if k < mine:
            below(t, s, p, i + k * s.rows, d)
            return True
        if d % s.rows == row and k - mine < across:
            beside(t, s, p, d, j + (k - mine) * s.columns)
            return True
        return False
    if k >= down * across:
        return False
    inner(t, s, p, i + k // across * s.rows, j + k % across * s.columns, d)
    return True


@dataclass(frozen=True)
class Lu(Workload):
    """`lu:processors=32,n=128,block=8`."""

    name: ClassVar[str] = "lu"
    summary: ClassVar[str] = "LU factorisation in blocks, dealt out in two dimensions"
    small: ClassVar[str] = "lu:processors=6,n=32"
    checks: ClassVar[str] = "largest error of L and U, of a product of known factors,"
    tolerance: ClassVar[float] = 1e-9

    processors: int = 32
    n: int = 128
    """Rows of the matrix."""
    block: int = 8
    """Rows of a block."""

    def __post_init__(self) -> None:
        self.require_sizes()
        self.require("block", self.block <= 16, "1 to 16")
        self.require("n", self.n % self.block == 0 and self.n <= 4096, f"a multiple of {self.block} up to 4096")

    def program(self) -> Program:
        """A matrix of n by n in blocks one after another, the product of two factors that are known."""
        n, b = self.n, self.block
        i, j = np.indices((n, n))
        # Small entries off the diagonals keep both factors well conditioned.
        lower = np.where(i == j, 1.0, np.where(i > j, ((7 * i + 3 * j) % 11 - 5) / (8.0 * n), 0.0))
        upper = np.where(i == j, 2.0 + i % 3, np.where(i < j, ((5 * i + 2 * j) % 13 - 6) / (8.0 * n), 0.0))
        blocks = (lower @ upper).reshape(n // b, b, n // b, b).transpose(0, 2, 1, 3)
        space = Space()
        rows = max(r for r in range(1, self.processors + 1) if self.processors % r == 0 and r * r <= self.processors)
        arrays = Arrays(space.array(blocks), n // b, b, rows, self.processors // rows)
        expected = np.where(i > j, lower, upper)

        def error() -> float:
            found = arrays.a.data.reshape(n // b, n // b, b, b).transpose(0, 2, 1, 3).reshape(n, n)
            return float(np.abs(found - expected).max())

        return Program(RUN, arrays, space.array(np.zeros(1)), self.processors, 3 * (n // b), error)


RUN: Any = runner(inlined(turn))
