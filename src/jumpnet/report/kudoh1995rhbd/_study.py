"""What the sections on Figures 10 to 12 share: the readings, who receives under each, curves with bands.

Used by every section that counts receivers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from jumpnet.multicast import Scheme, scheme
from jumpnet.multicast.sample import Sampled, sample_receivers
from jumpnet.multicast.territory import territories
from jumpnet.plot.figure import logarithmic
from jumpnet.report._section import Figure
from jumpnet.terms import F64

__all__ = [
    "DEFAULT", "FIGURES", "LARGE", "MOST", "OPTIONS", "SCHEMES", "SEED", "TRIALS", "Setting", "best", "crossing",
    "curves", "figure", "four", "named", "sampled",
]  # fmt: skip

SCHEMES = ("SM", "LPRA", "LARP")
TRIALS = 10_000
"""As the paper says."""
SEED = 1995
MOST = 32
"""Destinations of Figures 10 and 11, at most."""
FIGURES = {10: 1.0, 11: 5.0}
"""The printed D of a figure."""
LARGE = 32.0
"""Sigma with which the destinations are nearly anywhere on 64x64."""
MANY_TRIALS = 200_000
"""For the figure that Figure 12 tends to, whose band would otherwise be wider than a node."""


@dataclass(frozen=True)
class Setting:
    """One way to read section 5.2; the names are those of the golden file's readings."""

    larp: str = "subtree"
    maps: str = "four"
    variance: str = "sigma"
    destinations: str = "distinct"
    rounding: str = "nearest"

    @property
    def network(self) -> str:
        """A PRDT, where the root of a multicast is its source."""
        return {"four": "prdt:64", "five": "prdt:128"}[self.maps]

    @property
    def schemes(self) -> list[Scheme]:
        """SM, LPRA and LARP, the last as read."""
        return [scheme("SM"), scheme("LPRA"), scheme(f"LARP:{self.larp}")]

    def sigma(self, printed: float) -> float:
        """The standard deviation that a printed variance means."""
        return math.sqrt(printed) if self.variance == "squared" else printed


DEFAULT = Setting()
OPTIONS: Mapping[str, Mapping[str, Setting]] = {
    name: {option: replace(DEFAULT, **{name: option}) for option in options}
    for name, options in {
        "larp": ("subtree", "path"),
        "maps": ("four", "five"),
        "variance": ("sigma", "squared"),
        "destinations": ("distinct", "source", "repeated"),
        "rounding": ("nearest", "truncated"),
    }.items()
}
"""Each reading alone varied, the others at their defaults."""


def named() -> list[Scheme]:
    """The three schemes in their default reading."""
    return DEFAULT.schemes


def sampled(setting: Setting, sigma: float, destinations: Sequence[int], trials: int = TRIALS) -> Sampled:
    """Average receivers under a setting; the same draws for every scheme."""
    return sample_receivers(
        territories(setting.network),
        setting.schemes,
        sigma,
        destinations,
        trials=trials,
        seed=SEED,
        repeats=setting.destinations == "repeated",
        source=setting.destinations == "source",
        rounding=setting.rounding,
    )


@cache
def figure(setting: Setting, number: int) -> Sampled:
    """Figure 10 or 11."""
    return sampled(setting, setting.sigma(FIGURES[number]), range(1, MOST + 1))


@cache
def four(setting: Setting) -> float:
    """Receivers of the SM with four destinations that are drawn with the sigma LARGE."""
    return float(sampled(setting, LARGE, [4], MANY_TRIALS).mean[0, 0])


def best(found: Sampled, destinations: int) -> str:
    """The scheme with the fewest receivers for so many destinations."""
    return SCHEMES[int(found.mean[found.destinations.index(destinations)].argmin())]


def crossing(found: Sampled) -> int | None:
    """The fewest destinations with which LARP reaches fewer nodes than SM, on average."""
    sm, larp = SCHEMES.index("SM"), SCHEMES.index("LARP")
    for k, row in zip(found.destinations, found.mean, strict=True):
        if row[larp] < row[sm]:
            return k
    return None


def curves(
    name: str, title: str, claim: str, source: str, x: Sequence[float], x_label: str, mean: F64, band: F64,
    marks: Sequence[float] = (),
) -> Figure:  # fmt: skip
    """Receivers over x, one line a scheme with its 95% band; mean and band are (points, schemes)."""

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for i, label in enumerate(SCHEMES):
            axes.plot(x, mean[:, i], label=label)
            axes.fill_between(x, mean[:, i] - band[:, i], mean[:, i] + band[:, i], alpha=0.25, linewidth=0)
        for level in marks:
            axes.axhline(level, color="#7f7f7f", linewidth=0.8, linestyle=":")
        logarithmic(axes)
        axes.set_xlabel(x_label)
        axes.set_ylabel("receiving nodes")
        axes.legend()

    data: dict[str, Sequence[Any]] = {x_label: list(x)}
    for i, label in enumerate(SCHEMES):
        data[label] = mean[:, i].tolist()
        data[f"{label} 95% band ±"] = band[:, i].tolist()
    note = "Shaded: 95% confidence band of the mean, often no wider than the line. The printed curves are lost to us."
    return Figure(name, title, source, draw, data, note, claim)
