"""Grid relaxation: Laplace's equation on a square by red-black over-relaxation, each processor owning a rectangle
(structure of the solver of SPLASH Ocean, Singh et al., 1992; the grid is one array by rows).

Per sweep: red points; barrier; black points; each adds its largest change to the common one under a lock; barrier.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sin
from typing import Any, ClassVar, NamedTuple

import numpy as np

from jumpnet.machine.workload._recorder import Shared, Space, add, inlined, load, lock, runner, store, unlock
from jumpnet.machine.workload._workload import Program, Workload, shares
from jumpnet.terms import F64

__all__ = ["Grid", "relaxed"]


class Arrays(NamedTuple):
    """What the program works on; private arrays leave no references."""

    u: Shared
    """(n + 2, n + 2) values, the border fixed."""
    change: Shared
    """(sweeps,) sum of the absolute changes of black points."""
    lock: Shared
    n: int
    omega: float
    first_row: Any
    """(rows of processors + 1,) shares of inner rows."""
    first_column: Any
    own_change: Any
    """(P,) private: sum of a processor's changes in this sweep."""


def turn(t, s, phase, p, k):
    """One colour of the k-th row of processor p's rectangle; after the last one of a sweep, its changes."""
    across = len(s.first_column) - 1
    i, j = p // across, p % across
    row = s.first_row[i] + k
    if row == s.first_row[i + 1] and phase % 2 == 1:
        lock(t, p, s.lock, 0)
        add(t, p, s.change, phase // 2, s.own_change[p])
        unlock(t, p, s.lock, 0)
        s.own_change[p] = 0.0
        return True
    if row >= s.first_row[i + 1]:
        return False
    width = s.n + 2
    for column in range(s.first_column[j], s.first_column[j + 1]):
        if (row + column + phase) % 2 == 0:
            at = (row + 1) * width + column + 1
            around = load(t, p, s.u, at - width) + load(t, p, s.u, at + width)
            around += load(t, p, s.u, at - 1) + load(t, p, s.u, at + 1)
            old = load(t, p, s.u, at)
            step = s.omega * (0.25 * around - old)
            store(t, p, s.u, at, old + step)
            if phase % 2 == 1:
                s.own_change[p] += abs(step)
    return True


def relaxed(start: F64, omega: float, sweeps: int) -> F64:
    """The grid (n + 2, n + 2) after so many sweeps, every colour at once.

    >>> float(relaxed(np.array([[0.0, 4, 0], [4, 0, 4], [0, 4, 0]]), 1.0, 1)[1, 1])
    4.0
    """
    u = start.copy()
    i, j = np.indices(u[1:-1, 1:-1].shape)
    for half in range(2 * sweeps):
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        step = omega * (0.25 * around - u[1:-1, 1:-1])
        u[1:-1, 1:-1] += np.where((i + j + half) % 2 == 0, step, 0.0)
    return u


@dataclass(frozen=True)
class Grid(Workload):
    """`grid:processors=32,n=64,sweeps=20`."""

    name: ClassVar[str] = "grid"
    summary: ClassVar[str] = "Laplace's equation by red-black over-relaxation, a rectangle each"
    small: ClassVar[str] = "grid:processors=6,n=14,sweeps=60"
    checks: ClassVar[str] = "largest difference from the same sweeps as array operations"
    tolerance: ClassVar[float] = 1e-12

    processors: int = 32
    n: int = 64
    """Inner points of a side."""
    sweeps: int = 20
    """Passes over the grid."""

    def __post_init__(self) -> None:
        self.require_sizes()
        self.require("n", self.n <= 4096, "at most 4096")
        down, across = self._sides()
        self.require("processors", down <= self.n and across <= self.n, f"at most {self.n} rows and columns of them")

    def _sides(self) -> tuple[int, int]:
        p = self.processors
        down = max(r for r in range(1, p + 1) if p % r == 0 and r * r <= p)
        return down, p // down

    def program(self) -> Program:
        """n by n points at 0 inside a border of x^2 - y^2; the sum of changes of each sweep, and its lock."""
        n = self.n
        # x^2 - y^2 solves Laplace's equation and the five-point formula exactly: the border is set to it, the inside
        # starts at 0.
        x = np.linspace(-1.0, 1.0, n + 2)
        start = x[None, :] ** 2 - x[:, None] ** 2
        start[1:-1, 1:-1] = 0.0
        omega = 2.0 / (1.0 + sin(pi / (n + 1)))
        space = Space()
        down, across = self._sides()
        arrays = Arrays(
            space.array(start.copy()),
            space.array(np.zeros(self.sweeps)),
            space.array(np.zeros(1)),
            n,
            omega,
            shares(n, down),
            shares(n, across),
            np.zeros(self.processors),
        )

        def error() -> float:
            found = arrays.u.data.reshape(n + 2, n + 2)
            return float(np.abs(found - relaxed(start, omega, self.sweeps)).max())

        return Program(RUN, arrays, space.array(np.zeros(1)), self.processors, 2 * self.sweeps, error)


RUN: Any = runner(inlined(turn))
