"""The paper's C fragment of simple vector routing (yang2001rdt section III.A), over all offsets of a torus at once.

Used by `figure_6`, `table_1` and `theorem_3`.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from jumpnet.terms import I64

__all__ = ["Ties", "theorem_3", "vector_steps"]

Ties = Literal["zero", "away"]
"""Where a remainder of exactly n goes: `zero` as the text says (only a greater one raises the divisor), or `away`."""


def _divide(value: I64, n: int, ties: Ties) -> I64:
    size = np.abs(value)
    half = n - 1 if ties == "zero" else n
    return np.sign(value) * ((size + half) // (2 * n))


def vector_steps(side: int, n: int, R: int, ties: Ties = "zero") -> I64:
    """(side, side) hops of the simple vector routing on PRDT(n, R) for every offset (b, a), the short way round.

    An offset of exactly half the side is taken as positive; the other sign gives the same number of hops.

    >>> vector_steps(32, 2, 3).max().item()
    6
    """
    short = (np.arange(side) + (side - 1) // 2) % side - (side - 1) // 2
    b, a = np.meshgrid(short, short, indexing="ij")
    hops = np.zeros((side, side), np.int64)
    for _ in range(R):
        g, f = _divide(a + b, n, ties), _divide(b - a, n, ties)
        hops += np.abs(a - n * (g - f)) + np.abs(b - n * (g + f))
        a, b = g, f
    return hops + np.abs(a) + np.abs(b)


def theorem_3(side: int, n: int, R: int) -> int | float:
    """Theorem 3: D = N 2^ceil((R-1)/2) / (2n)^R + nR; a whole number where the sizes close.

    >>> theorem_3(64, 2, 3)
    8
    """
    value = side * 2 ** (R // 2) / (2 * n) ** R + n * R
    return int(value) if value == int(value) else value
