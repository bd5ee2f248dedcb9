"""Yield: the fraction of wafers that can be reconfigured, by Monte-Carlo, with Wilson's confidence band.

Wafer w of a seed has the same defects for every method and any number of threads, so that methods are compared on the
same wafers. Used by `report` and notebooks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.fault._local import Core
from jumpnet.fault._wafers import local_wafers
from jumpnet.fault.array import WaferArray
from jumpnet.fault.configuration import core_faults
from jumpnet.fault.defects import DefectModel, seed_probability
from jumpnet.fault.flow import disjoint_paths
from jumpnet.fault.method import method as method_named
from jumpnet.process.threads import processors, share
from jumpnet.settings.typed import refuse_unknown

__all__ = ["BOUND", "YieldPoint", "wafer_yield", "wilson"]

BOUND = "bound"
"""Instead of a method: wafers with places enough for all elements at once (`flow.py`, straight moves), where elements
that no wire can leave count as defective. No method that shifts elements along rows and columns can pass it."""
CHUNK = 64
"""Wafers that one task of a thread makes."""
MAX_WAFERS = 10_000_000


@dataclass(frozen=True)
class YieldPoint:
    """Yield of one array, method and defect density."""

    array: WaferArray
    method: str
    density: float
    """Mean fraction of defective elements, spares included."""
    pattern: str
    seed: int
    wafers: int
    repaired: int
    """Wafers reconfigured with every wire verified."""
    link_density: float = 0.0
    """Probability of a broken link."""
    switch_density: float = 0.0
    """Probability of a broken switch."""
    track_density: float = 0.0
    """Probability of a broken piece of track between two neighbouring switches."""

    @property
    def fraction(self) -> float:
        """The yield."""
        return self.repaired / self.wafers

    @property
    def band(self) -> tuple[float, float]:
        """Wilson's 95 % confidence band of the yield."""
        return wilson(self.repaired, self.wafers)

    @property
    def per_area(self) -> float:
        """Yield for each core's area of elements: what spares gain against what they cost."""
        return self.fraction / self.array.area_ratio

    def figures(self) -> dict[str, float]:
        """What came out, by name."""
        low, high = self.band
        return {
            "repaired": self.repaired,
            "yield": self.fraction,
            "low": low,
            "high": high,
            "area_ratio": self.array.area_ratio,
            "yield_per_area": self.per_area,
        }

    @property
    def unspared(self) -> float:
        """Yield of the core alone, without any spare, its links and switches included, for random defects."""
        good_link = (1 - self.link_density) * (1 - self.switch_density) ** self.array.tracks
        return float(((1 - self.density) * good_link**2) ** (self.array.rows * self.array.columns))


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Wilson's 95 % score interval of a proportion.

    >>> [round(v, 4) for v in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    z = 1.959963984540054
    share, square = successes / trials, z * z / trials
    middle = (share + square / 2) / (1 + square)
    half = z / (1 + square) * math.sqrt(share * (1 - share) / trials + square / (4 * trials))
    # At 0 and at all successes the ends are exact, but for rounding.
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def _local(array: WaferArray, threshold: int, clustered: bool, wafers: int, seed: int, threads: int) -> int:
    done = np.zeros(wafers, np.int8)
    core = Core(array.rows, array.columns, array.north, array.west, array.tracks)

    def work(first: int) -> None:
        some = done[first : first + CHUNK]
        local_wafers(np.int64(seed), np.int64(first), threshold, clustered, core, *array.shape, some)

    share(work, range(0, wafers, CHUNK), threads)
    return int(done.sum())


@public
def wafer_yield(
    array: WaferArray,
    density: float,
    wafers: int = 1000,
    *,
    method: str = "local",
    threads: int | None = None,
    **drawn: Any,
) -> YieldPoint:
    """Yield of `wafers` numbered wafers: same numbers, same answer, whatever the threads.

    method: a reconfiguration method, or `bound` for the upper limit of `flow.py`. drawn: other fields of
    `defects.DefectModel`: pattern (random or clustered), seed, and densities of broken links, switches and tracks.
    Raises JumpnetError for other names, and for densities, patterns and seeds that are none.
    Cost of `local`: about 0.4 ms of one core for 64x64 elements and 1 % defects; the others, and
    `local` with breaks, some 10 times that.

    >>> wafer_yield(WaferArray(16, 16), 0.06, 200).repaired
    140
    """
    refuse_unknown(DefectModel, drawn, ("density",), ("wafers", "method", "threads"))
    if not 1 <= wafers <= MAX_WAFERS:
        raise JumpnetError(f"{wafers} wafers found, 1 to {MAX_WAFERS} expected")
    model = DefectModel(density, **drawn)
    if method == "local" and not any(model.of_breaks):
        threshold, clustered = int(seed_probability(density, model.pattern) * 2**63), model.pattern == "clustered"
        repaired = _local(array, threshold, clustered, wafers, model.seed, processors(threads=threads))
        return YieldPoint(array, method, density, model.pattern, model.seed, wafers, repaired)
    chosen = None if method == BOUND else method_named(method)
    repaired = 0
    for w in range(wafers):
        bad, breaks = model.wafer(array, w)
        if chosen is not None:
            repaired += chosen(array, bad, breaks).repaired
        elif breaks is None or not any(breaks.severed(array)):
            idle = bad if breaks is None else breaks.needed(bad)
            repaired += disjoint_paths(array, idle) == len(core_faults(array, idle))
    return YieldPoint(array, method, density, model.pattern, model.seed, wafers, repaired, *model.of_breaks)
