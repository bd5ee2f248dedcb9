"""Statistics of a run: percentiles of a histogram, batch means, warm-up detection, fairness.

Sources: batch means and their confidence interval, Law and Kelton chapter 9; MSER, White 1997 (the truncation point
that makes the rest's standard error least). Pure functions of numbers; used by `simulate` and `saturation`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from jumpnet.terms import F64, I64, Array

__all__ = ["half_width", "jain", "merge_batches", "mser", "percentile"]


def percentile(histogram: I64, q: float) -> float:
    """Smallest value v with at least q (0..1) of the counts at or below it; nan without counts.

    >>> percentile(np.array([0, 5, 5]), 0.5), percentile(np.array([0, 5, 5]), 0.99)
    (1.0, 2.0)
    """
    total = int(histogram.sum())
    if total == 0:
        return math.nan
    return float(np.searchsorted(np.cumsum(histogram), math.ceil(q * total)))


def half_width(values: Sequence[float] | F64, confidence: float = 0.95) -> float:
    """Half width of the confidence interval of the mean of independent values; inf for fewer than two.

    >>> round(half_width([1.0, 2.0, 3.0]), 3)
    2.484
    """
    x = np.asarray(values, float)
    if x.size < 2:
        return math.inf
    from scipy.special import stdtrit  # a quarter of a second to load, for runs that have a band alone

    return float(stdtrit(x.size - 1, 0.5 + confidence / 2) * x.std(ddof=1) / math.sqrt(x.size))


def merge_batches(sums: Array, counts: Array, batches: int) -> F64:
    """Means of about `batches` equal groups of neighboring batches, empty groups left out.

    >>> merge_batches(np.array([2, 4, 6, 8]), np.array([1, 1, 1, 1]), 2)
    array([3., 7.])
    """
    size = max(1, len(sums) // batches)
    n = len(sums) // size * size
    total = np.asarray(sums[:n], float).reshape(-1, size).sum(axis=1)
    count = np.asarray(counts[:n], float).reshape(-1, size).sum(axis=1)
    return total[count > 0] / count[count > 0]


def mser(series: Sequence[float] | F64) -> int:
    """Number of leading values to leave out so that the standard error of the rest is least; at most half of them.

    >>> mser([9.0, 5.0, 1.0, 1.1, 0.9, 1.0, 1.1, 0.9])
    2
    """
    x = np.asarray(series, float)
    best, least = 0, math.inf
    for cut in range(x.size // 2 + 1):
        rest = x[cut:]
        error = float(rest.var() / rest.size) if rest.size else math.inf
        if error < least:
            best, least = cut, error
    return best


def jain(values: Sequence[float] | Array) -> float:
    """Jain's index of fairness: 1 when all are equal, 1/n when one has everything; nan for zeros.

    >>> jain([1, 1, 1, 1]), jain([1, 0, 0, 0])
    (1.0, 0.25)
    """
    x = np.asarray(values, float)
    square = float((x * x).sum())
    return float(x.sum()) ** 2 / (x.size * square) if square > 0 else math.nan
