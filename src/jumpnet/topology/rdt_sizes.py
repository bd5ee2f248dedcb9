"""Sizes of the tori of each rank of a perfect RDT on any side: what Definition 2 prints, and what its links give.

Source: yang2001rdt section II.A. Used by `rdt` and by the report, which compares the two.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd

__all__ = ["definition_2_sizes", "ranks_that_close", "torus_sizes"]


def definition_2_sizes(side: int, n: int, ranks: int) -> list[tuple[Fraction, Fraction]]:
    """(N_x, N_y) of ranks 0 to `ranks` by the printed formulas; the list ends before a size that is no whole number.

    N_x(r+1) = N_yr / gcd(N_xr, n) and N_y(r+1) = N_xr / (2 gcd(N_yr, n)).

    >>> [f"{x} x {y}" for x, y in definition_2_sizes(16, 2, 9)]
    ['16 x 16', '8 x 4', '2 x 2', '1 x 1/2']
    """
    sizes = [(Fraction(side), Fraction(side))]
    while len(sizes) <= ranks and all(size.denominator == 1 for size in sizes[-1]):
        x, y = (int(size) for size in sizes[-1])
        sizes.append((Fraction(y, gcd(x, n)), Fraction(x, 2 * gcd(y, n))))
    return sizes


def torus_sizes(side: int, n: int, rank: int) -> tuple[int, Fraction]:
    """(N_x, N_y) of the torus that the steps of a rank make on a base torus of a side.

    The steps of an even rank are m along each axis, m = (2n^2)^(r/2): an M by M torus, M = N / gcd(N, m). Those of an
    odd rank are (m, m) and (-m, m), m = n (2n^2)^((r-1)/2): a 2:1 rectangle of M by M/2 nodes when M is even. When M is
    odd they reach all M^2 places from each other, no two tori are independent and M/2 is no whole number.

    >>> torus_sizes(10, 3, 1), torus_sizes(10, 3, 2), torus_sizes(10, 3, 3)
    ((10, Fraction(5, 1)), (5, Fraction(5, 1)), (5, Fraction(5, 2)))
    """
    step = (2 * n * n) ** (rank // 2) * (n if rank % 2 else 1)
    M = side // gcd(side, step)
    return M, Fraction(M, 2) if rank % 2 else Fraction(M)


def ranks_that_close(side: int, n: int) -> tuple[int, str]:
    """The highest rank R such that ranks 1 to R all close and have two nodes a torus, and why the next does not.

    >>> ranks_that_close(64, 2)
    (3, 'rank 4 would have 1 node a torus')
    >>> ranks_that_close(10, 3)
    (2, 'rank 3 would be a torus of 5 by 5/2 nodes, whole numbers expected')
    """
    rank = 1
    while True:
        x, y = torus_sizes(side, n, rank)
        if x * y < 2:
            return rank - 1, f"rank {rank} would have 1 node a torus"
        if y.denominator != 1:
            return rank - 1, f"rank {rank} would be a torus of {x} by {y} nodes, whole numbers expected"
        rank += 1
