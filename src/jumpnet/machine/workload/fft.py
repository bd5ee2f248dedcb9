"""Fast Fourier transform of n complex numbers, kept as a square of which every processor owns some rows; the work is in
the rows, the communication in three transposes (structure of SPLASH-2 FFT; Bailey, J. Supercomputing 1990).

Transpose; transform rows; multiply by roots of unity and transpose; transform rows; transpose; a barrier after each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from jumpnet.machine.workload._recorder import Shared, Space, inlined, load, runner, store
from jumpnet.machine.workload._workload import Program, Workload, shares

__all__ = ["Fft"]


class Arrays(NamedTuple):
    """What the program works on; private arrays leave no references."""

    x: Shared
    """(2 * n,) complex: two squares, read and written in turn."""
    roots: Shared
    """(n,) complex: exp(-2 pi i k / n)."""
    side: int
    """Rows of the square, a power of two."""
    bits: int
    """Its logarithm."""
    first_row: Any
    """(P + 1,) shares of rows."""


@inlined
def transpose_row(t, s, p, row, source, to, twiddle):
    """Fill row `row` of a square from column `row` of the other, on the way multiplied by roots if `twiddle`."""
    for j in range(s.side):
        value = load(t, p, s.x, source + j * s.side + row)
        if twiddle:
            value = value * load(t, p, s.roots, j * row)
        store(t, p, s.x, to + row * s.side + j, value)


@inlined
def reverse_row(t, s, p, start):
    """Put the numbers of a row in the order of their reversed indices."""
    for i in range(s.side):
        j = 0
        for b in range(s.bits):
            j |= (i >> b & 1) << (s.bits - 1 - b)
        if j > i:
            one, two = load(t, p, s.x, start + i), load(t, p, s.x, start + j)
            store(t, p, s.x, start + i, two)
            store(t, p, s.x, start + j, one)


@inlined
def butterflies(t, s, p, start, stage):
    """One stage of the transform of a row."""
    half = 1 << stage
    for i in range(s.side >> 1):
        low = start + (i >> stage << (stage + 1)) + (i & (half - 1))
        root = load(t, p, s.roots, (i & (half - 1)) * (s.side * s.side >> (stage + 1)))
        one, two = load(t, p, s.x, low), root * load(t, p, s.x, low + half)
        store(t, p, s.x, low, one + two)
        store(t, p, s.x, low + half, one - two)


def turn(t, s, phase, p, k):
    """The k-th row, or stage of a row, of processor p in this phase."""
    n = s.side * s.side
    pieces = 1 if phase % 2 == 0 else 1 + s.bits
    row = s.first_row[p] + k // pieces
    if row >= s.first_row[p + 1]:
        return False
    # The squares swap at the transposes, phases 0, 2 and 4; rows are transformed in place.
    here = n if phase // 2 % 2 == 0 else 0
    if phase % 2 == 0:
        transpose_row(t, s, p, row, n - here, here, phase == 2)
    elif k % pieces == 0:
        reverse_row(t, s, p, here + row * s.side)
    else:
        butterflies(t, s, p, here + row * s.side, k % pieces - 1)
    return True


@dataclass(frozen=True)
class Fft(Workload):
    """`fft:processors=32,m=12` transforms 2**m numbers."""

    name: ClassVar[str] = "fft"
    summary: ClassVar[str] = "fast Fourier transform as a square of rows; three transposes"
    small: ClassVar[str] = "fft:processors=6,m=8"
    checks: ClassVar[str] = "largest relative error of the transform of a geometric series"
    tolerance: ClassVar[float] = 1e-10

    processors: int = 32
    m: int = 12
    """Logarithm of the number of points, even."""

    def __post_init__(self) -> None:
        self.require_sizes()
        self.require("m", self.m % 2 == 0 and self.m <= 20, "an even number up to 20")
        self.require("processors", self.processors <= 1 << self.m // 2, f"at most {1 << self.m // 2} (rows)")

    def program(self) -> Program:
        """2^m complex numbers whose transform is known in closed form, room for it, and the roots of unity."""
        n, side = 1 << self.m, 1 << self.m // 2
        ratio = 0.98 * np.exp(0.7j)
        series = ratio ** np.arange(n)
        roots = np.exp(-2j * np.pi * np.arange(n) / n)
        expected = (1 - ratio**n) / (1 - ratio * roots)
        space = Space()
        arrays = Arrays(
            space.array(np.concatenate([series, np.zeros(n, complex)])),
            space.array(roots),
            side,
            self.m // 2,
            shares(side, self.processors),
        )

        def error() -> float:
            return float(np.abs(arrays.x.data[n:] - expected).max() / np.abs(expected).max())

        return Program(RUN, arrays, space.array(np.zeros(1)), self.processors, 5, error)


RUN: Any = runner(inlined(turn))
