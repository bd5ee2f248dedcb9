"""The paper's C fragment of simple vector routing (yang2001rdt section III.A), over all offsets of a torus at once.

Used by `figure_6`, `table_1`, `theorem_3`, `theorem_4_6` and `vector_routing`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from jumpnet.terms import I64

__all__ = ["Steps", "Ties", "by_rank", "conversion", "div_2n", "offsets", "theorem_3", "theorem_6", "vector_steps"]

Ties = Literal["zero", "away"]
"""Where a remainder of exactly n goes: `zero` as the text says (only a greater one raises the divisor), or `away`."""


def div_2n(value: I64, n: int, ties: Ties = "zero") -> I64:
    """Division by 2n, rounded to the nearest whole number.

    >>> div_2n(np.array([5, 6, 7, -6]), 2).tolist(), div_2n(np.array([6, -6]), 2, "away").tolist()
    ([1, 1, 2, -1], [2, -2])
    """
    size = np.abs(value)
    half = n - 1 if ties == "zero" else n
    return np.sign(value) * ((size + half) // (2 * n))


def conversion(a: I64, b: I64, n: int, R: int, ties: Ties = "zero") -> list[tuple[I64, I64]]:
    """The vectors of ranks 0 to R of displacements (a, b), as the printed loop makes them.

    >>> [(int(x), int(y)) for x, y in conversion(np.array(4), np.array(7), 2, 2)]
    [(0, -1), (1, -1), (1, 0)]
    """
    found = []
    for _ in range(R):
        g, f = div_2n(a + b, n, ties), div_2n(b - a, n, ties)
        found.append((a - n * (g - f), b - n * (g + f)))
        a, b = g, f
    return [*found, (a, b)]


def offsets(side: int) -> tuple[I64, I64]:
    """(a, b), each (side, side), of every displacement the short way round; half the side counts as positive."""
    short = (np.arange(side) + (side - 1) // 2) % side - (side - 1) // 2
    b, a = np.meshgrid(short, short, indexing="ij")
    return a, b


def vector_steps(side: int, n: int, R: int, ties: Ties = "zero") -> I64:
    """(side, side) hops of the simple vector routing on PRDT(n, R) for every offset (b, a), the short way round.

    An offset of exactly half the side is taken as positive; the other sign gives the same number of hops.

    >>> vector_steps(32, 2, 3).max().item()
    6
    """
    hops = np.zeros((side, side), np.int64)
    for x, y in conversion(*offsets(side), n, R, ties):
        hops += np.abs(x) + np.abs(y)
    return hops


def theorem_6(side: int, n: int, R: int) -> float:
    """Theorem 6: steps on rank R, N 2^ceil((R-1)/2) / (2n)^R."""
    return side * 2.0 ** (R // 2) / (2 * n) ** R


def theorem_3(side: int, n: int, R: int) -> float:
    """Theorem 3: those steps and n on each rank below.

    >>> theorem_3(64, 2, 3)
    8.0
    """
    return theorem_6(side, n, R) + n * R


class Steps(NamedTuple):
    """Most steps over all offsets."""

    one: int
    """On one rank below the highest."""
    below: int
    """On all ranks below the highest together."""
    top: int
    """On the highest rank."""
    all: int
    """On all ranks together: the longest route."""


def by_rank(side: int, n: int, R: int) -> Steps:
    """Most steps on one rank below R, on all of those together, on rank R, and on all ranks, over all offsets.

    Ties are rounded toward zero.

    >>> by_rank(16, 2, 2)
    Steps(one=2, below=4, top=2, all=5)
    """
    hops = [np.abs(x) + np.abs(y) for x, y in conversion(*offsets(side), n, R)]
    lower = np.stack(hops[:-1])
    below = lower.sum(axis=0)
    return Steps(int(lower.max()), int(below.max()), int(hops[-1].max()), int((below + hops[-1]).max()))
