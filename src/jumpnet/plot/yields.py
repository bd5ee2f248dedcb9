"""Draw yield against defect density, a curve with its confidence band for each method. Called by `report` and `cli`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jumpnet.api.public import public
from jumpnet.fault.yields import BOUND, YieldPoint

__all__ = ["yield_drawer"]

LOOKS: dict[str, dict[str, Any]] = {
    "exact": {"lw": 4.5, "alpha": 0.35, "marker": "o", "ms": 8},
    "graph": {"ls": "--", "marker": "s"},
    "local": {"marker": "."},
    BOUND: {"ls": "-.", "marker": "^"},
}
"""`exact` is drawn wide and pale, as `graph` lies on it."""


@public
def yield_drawer(points: Mapping[str, Sequence[YieldPoint]], title: str = "") -> Callable[[Any], None]:
    """A function that fills a figure; points: those of each method by density; title: over the legend.

    >>> from jumpnet.fault.array import WaferArray
    >>> from jumpnet.fault.yields import wafer_yield
    >>> from jumpnet.plot.figure import render
    >>> found = {"local": [wafer_yield(WaferArray(4, 4), d, 20) for d in (0.01, 0.1)]}
    >>> len(render(yield_drawer(found), formats=("svg",))["svg"]) > 1000
    True
    """
    return lambda figure: _draw(figure, points, title)


def _draw(figure: Any, points: Mapping[str, Sequence[YieldPoint]], title: str) -> None:
    axes = figure.subplots()
    for name in sorted(points, key=lambda name: [*LOOKS, name].index(name)):
        found = points[name]
        x = [100 * p.density for p in found]
        (line,) = axes.plot(x, [p.fraction for p in found], label=name, **LOOKS.get(name, {}))
        low, high = zip(*(p.band for p in found), strict=True)
        axes.fill_between(x, low, high, color=line.get_color(), alpha=0.12, lw=0)
    one = next(iter(points.values()))
    if one[0].pattern == "random":
        axes.plot([100 * p.density for p in one], [p.unspared for p in one], ":", color="#7F7F7F", label="no spares")
    axes.set_xlabel("defective elements (%)")
    axes.set_ylabel("yield")
    axes.set_xlim(left=0)
    axes.set_ylim(-0.03, 1.03)
    figure.legend(title=title, loc="outside upper center", ncols=len(points) + 1)
