"""What the sections of this paper share: the network, the schemes, curves with bands.

Used by every section that counts receivers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jumpnet.multicast import scheme
from jumpnet.multicast.sample import Sampled
from jumpnet.paper._section import Figure
from jumpnet.plot.figure import logarithmic
from jumpnet.terms import F64

__all__ = ["NETWORK", "SCHEMES", "SEED", "TRIALS", "crossing", "curves", "named"]

NETWORK = "prdt:128"
"""2^14 nodes, the size of section 5.1; on a PRDT the root of a multicast is its source."""
SCHEMES = ("SM", "LPRA", "LARP")
TRIALS = 10_000
SEED = 1995


def named() -> list[Any]:
    """The three schemes."""
    return [scheme(name) for name in SCHEMES]


def curves(
    name: str,
    title: str,
    source: str,
    x: Sequence[float],
    x_label: str,
    mean: F64,
    band: F64,
    marks: Sequence[float] = (),
) -> Figure:
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
    return Figure(
        name, title, source, draw, data, "Shaded: 95% confidence band of the mean, often no wider than the line."
    )


def crossing(found: Sampled) -> int | None:
    """The fewest destinations with which LARP reaches fewer nodes than SM, on average."""
    sm, larp = found.schemes.index("SM"), found.schemes.index("LARP")
    for k, row in zip(found.destinations, found.mean, strict=True):
        if row[larp] < row[sm]:
            return k
    return None
