"""One recorded point against jumpnet: several seeds over the same cycles, the difference, and a verdict.

jumpnet runs with BookSim's own warm-up and measured cycles, so that both scatter alike: the *band* is the 95%
interval of the difference of the two means, and inside it a recorded run might be just another seed.
Used by `recorded` and `booksim`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from scipy.special import stdtrit

from jumpnet.networks import Network
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build
from validation._points import Point

__all__ = [
    "LATENCY_BAR",
    "THROUGHPUT_BAR",
    "Compared",
    "band_half_width",
    "compare_all",
    "judge",
    "judge_means",
    "saturation",
]

LATENCY_BAR = 0.02
"""Largest relative difference of mean packet latency, up to 80% of saturation."""
THROUGHPUT_BAR = 0.03
"""Largest relative difference of saturation throughput."""
LOADS_JUDGED = 0.8
"""Up to this part of the saturation throughput latency is judged; beyond, it is shown."""

Verdict = Literal["agrees", "bands overlap", "differs", "beyond", "saturated"]


def band_half_width(values: Sequence[float], others: Sequence[float], confidence: float = 0.95) -> float:
    """Half width of the interval of the difference of two means whose values scatter alike (pooled variance).

    One other value is enough: then it is the interval in which one more value lies. inf when there are too few.

    >>> round(band_half_width([1.0, 2.0, 3.0], [2.0]), 2)
    4.97
    """
    n, m = len(values), len(others)
    if n + m < 3 or n < 1 or m < 1:
        return math.inf
    squares = sum(float(((np.asarray(x, float) - np.mean(x)) ** 2).sum()) for x in (values, others))
    scatter = math.sqrt(squares / (n + m - 2))
    return float(stdtrit(n + m - 2, 0.5 + confidence / 2)) * scatter * math.sqrt(1 / n + 1 / m)


def judge(recorded: Sequence[float], values: Sequence[float], bar: float) -> tuple[float, float, Verdict]:
    """Relative difference of the means, half width of the band, and whether they agree.

    >>> judge([100.0], [101.0, 101.0, 101.5], 0.02)[2], judge([100.0], [104.0, 104.1, 104.2], 0.02)[2]
    ('agrees', 'differs')
    """
    half = band_half_width(values, recorded)
    difference, verdict = judge_means(float(np.mean(recorded)), float(np.mean(values)), half, bar)
    return difference, half, verdict


def judge_means(aim: float, mean: float, half: float, bar: float) -> tuple[float, Verdict]:
    """Relative difference of two means, and whether they agree, by the half width of a band that is known.

    >>> [judge_means(100.0, 104.0, half, 0.03)[1] for half in (5.0, 3.0)]
    ['bands overlap', 'differs']
    """
    difference = mean / aim - 1
    if abs(difference) <= bar:
        return difference, "agrees"
    return difference, "bands overlap" if abs(mean - aim) <= half else "differs"


@dataclass(frozen=True)
class Compared:
    """A point, jumpnet's figure for it, and the verdict."""

    point: Point
    figure: str
    """`packet_latency` or `accepted`."""
    recorded: tuple[float, ...]
    """BookSim's figure, one a recorded run."""
    values: tuple[float, ...]
    """jumpnet's figure, one a seed."""
    difference: float
    half_width: float
    verdict: Verdict

    @property
    def inside(self) -> bool:
        """Whether the recorded figure lies in the band."""
        return abs(float(np.mean(self.values) - np.mean(self.recorded))) <= self.half_width

    def row(self) -> dict[str, Any]:
        """One line of the results."""
        p = self.point
        return {
            "spec": p.spec,
            "traffic": p.traffic,
            "packet_flits": p.packet_flits,
            "buffer_flits": p.buffer_flits,
            "load": p.load,
            "figure": self.figure,
            "booksim": f"{float(np.mean(self.recorded)):.6g}",
            "jumpnet": f"{float(np.mean(self.values)):.6g}",
            "band_half_width": f"{self.half_width:.3g}",
            "difference_percent": f"{100 * self.difference:+.2f}",
            "inside_band": self.inside,
            "booksim_runs": len(self.recorded),
            "jumpnet_runs": len(self.values),
            "verdict": self.verdict,
        }


@cache
def _network(spec: str) -> Network:
    return build(spec)


def saturation(points: Iterable[Point]) -> dict[tuple[str, str, int, int], float]:
    """Saturation throughput of each series with overloaded runs: the most that any accepts, as it may fall beyond."""
    found: dict[tuple[str, str, int, int], float] = {}
    for p in points:
        if p.kind == "overload":
            found[p.series] = max(p.accepted, found.get(p.series, 0.0))
    return found


def _compare(points: Sequence[Point], judged_to: float, least: int) -> Compared:
    point = points[0]
    overload = point.kind == "overload"
    traffic = point.traffic + ":self=1" if point.traffic == "uniform" else point.traffic
    values = []
    saturated = False
    for seed in range(1, max(least, 2 * len(points)) + 1):
        result = simulate(
            _network(point.spec),
            point.routing,
            name="booksim",
            load=point.load,
            traffic=traffic,
            packet_flits=point.packet_flits,
            buffer_flits=point.buffer_flits,
            vcs=2,
            seed=seed,
            warmup_cycles=point.warmup_cycles,
            measure_cycles=point.measured_cycles,
            drain=not overload,
        )
        saturated = saturated or result.saturated
        values.append(float(result.accepted_load if overload else result.packet_latency_mean_cycles))
    figure = "accepted" if overload else "packet_latency"
    recorded = tuple(float(getattr(p, figure)) for p in points)
    difference, half, verdict = judge(recorded, values, THROUGHPUT_BAR if overload else LATENCY_BAR)
    if not overload and point.load > judged_to:
        verdict = "saturated" if saturated else "beyond"
    return Compared(point, figure, recorded, tuple(values), difference, half, verdict)


def compare_all(points: Sequence[Point], least: int, workers: int = 1) -> Iterator[Compared]:
    """Every stable or overloaded point, runs that differ in their seed together; `workers` points at a time.

    jumpnet runs `least` seeds of each point, and twice as many as BookSim where that is more.
    Latency is judged up to 80% of the series' saturation throughput, and everywhere when that is not recorded.
    """
    limits = saturation(points)
    groups: dict[tuple[object, ...], list[Point]] = {}
    for p in points:
        if p.kind == "overload" or p.status == "stable":
            groups.setdefault(p.settings, []).append(p)
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(
            lambda group: _compare(group, LOADS_JUDGED * limits.get(group[0].series, 2.0) + 5e-4, least),
            groups.values(),
        )
