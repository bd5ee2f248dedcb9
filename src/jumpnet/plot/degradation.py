"""Draw what faults leave of networks: mean route and saturation load against their number. For `report` and `cli`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from matplotlib.ticker import MaxNLocator

from jumpnet.api.public import public

__all__ = ["degradation_drawer"]

AIR = 1.1
"""The vertical axes end at so many times the highest of what they show."""
LABELS = {
    "average_route": "mean route (hops)",
    "saturation_load": "saturation load",
    "load_shift": "largest load / without faults",
}


@public
def degradation_drawer(tables: Mapping[str, Sequence[Mapping[str, Any]]], kind: str) -> Callable[[Any], None]:
    """A function that fills a figure; tables: rows of `study.degrade.degradation_table` by network; kind: of faults.

    The second panel shows saturation where it was simulated, else the shift of the largest channel load.

    >>> from jumpnet.plot.figure import render
    >>> from jumpnet.study.degrade import degradation_table
    >>> table = degradation_table("torus:4x4", [0, 2], "nodes", [1, 2])
    >>> len(render(degradation_drawer({"torus:4x4": table}, "nodes"), formats=("svg",))["svg"]) > 1000
    True
    """
    return lambda figure: _draw(figure, tables, kind)


def _draw(figure: Any, tables: Mapping[str, Sequence[Mapping[str, Any]]], kind: str) -> None:
    simulated = any(row["saturation_load"]["mean"] is not None for table in tables.values() for row in table)
    across = figure.subplots(1, 2)
    for axes, key in zip(across, ("average_route", "saturation_load" if simulated else "load_shift"), strict=True):
        for name, table in tables.items():
            rows = [row for row in table if row[key]["mean"] is not None]
            x, y = [row["faults"] for row in rows], [row[key]["mean"] for row in rows]
            half = [row[key]["half_width"] or 0.0 for row in rows]
            (line,) = axes.plot(x, y, marker=".", label=name)
            low, high = [a - b for a, b in zip(y, half, strict=True)], [a + b for a, b in zip(y, half, strict=True)]
            axes.fill_between(x, low, high, color=line.get_color(), alpha=0.15, lw=0)
        axes.set_xlabel(f"faulty {kind}")
        axes.set_ylabel(LABELS[key])
        axes.set_ylim(0, AIR * axes.dataLim.y1 or None)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if len(tables) > 1:
        across[0].legend()
    else:
        figure.suptitle(next(iter(tables)), parse_math=False)
