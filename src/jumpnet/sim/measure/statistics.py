"""Statistics of a run: percentiles of a histogram, batch means, warm-up detection, fairness.

Sources: batch means and their confidence interval, Law and Kelton chapter 9; MSER, White 1997 (the truncation point
that makes the rest's standard error least). Pure functions of numbers; used by `simulate` and `saturation`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from jumpnet.terms import F64, I64, Array

STUDENT_975 = (
    12.706204736174694, 4.302652729749462, 3.1824463052837078, 2.7764451051977934, 2.5705818356363146,
    2.4469118511449786, 2.364624251592784, 2.306004135204166, 2.262157162798205, 2.228138851986274, 2.200985160091639,
    2.1788128296672284, 2.1603686564627913, 2.144786687917804, 2.131449545559776, 2.1199052992212546,
    2.1098155778333156, 2.1009220402410382, 2.0930240544083087, 2.085963447265864, 2.0796138447276795,
    2.0738730679040254, 2.0686576104190486, 2.0638985616280245, 2.0595385527532972, 2.0555294386428735,
    2.0518305164802846, 2.0484071417952454, 2.045229642132703, 2.0422724563012378, 2.039513446396408,
    2.0369333434601016, 2.0345152974493383, 2.0322445093177186, 2.030107928250343, 2.0280940009804502,
    2.0261924630291093, 2.0243941639119694, 2.022690920036761,
)  # fmt: skip
"""The 0.975 quantile of Student's t for 1, 2, .. degrees of freedom, as `scipy.special.stdtrit` has it."""


def percentile(histogram: I64, q: float) -> float:
    """Smallest value v with at least q (0..1) of the counts at or below it; nan without counts.

    >>> percentile(np.array([0, 5, 5]), 0.5), percentile(np.array([0, 5, 5]), 0.99)
    (1.0, 2.0)
    """
    total = int(histogram.sum())
    if total == 0:
        return math.nan
    return float(np.searchsorted(np.cumsum(histogram), math.ceil(q * total)))


def spread(name: str, histogram: I64, percents: tuple[int, ...] = (50, 90, 95, 99)) -> dict[str, float]:
    """Percentiles of what a histogram counts, and the largest (of its last cell: that or more), as figures in cycles.

    >>> spread("latency", np.array([0, 5, 5, 0]), (50, 99))
    {'latency_p50_cycles': 1.0, 'latency_p99_cycles': 2.0, 'latency_max_cycles': 2}
    """
    found = {f"{name}_p{q}_cycles": percentile(histogram, q / 100) for q in percents}
    seen = histogram.nonzero()[0]
    return found | {f"{name}_max_cycles": int(seen[-1]) if seen.size else math.nan}


def half_width(values: Sequence[float] | F64) -> float:
    """Half width of the 95% confidence interval of the mean of independent values; inf for fewer than two.

    >>> round(half_width([1.0, 2.0, 3.0]), 3)
    2.484
    """
    x = np.asarray(values, float)
    if x.size < 2:
        return math.inf
    return float(_student_975(int(x.size) - 1) * x.std(ddof=1) / math.sqrt(x.size))


def _student_975(freedom: int) -> float:
    """The 0.975 quantile of Student's t."""
    if freedom <= len(STUDENT_975):
        return STUDENT_975[freedom - 1]
    from scipy.special import stdtrit  # a quarter of a second to load, more than most runs have to spend

    return float(stdtrit(freedom, 0.975))


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
