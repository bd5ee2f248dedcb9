"""Points of a study that are no latency curves (yield, degradation): one panel a kind, one line a set of settings.

Points that differ in their seed alone are joined by their mean. Called by the verb `plot`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from jumpnet.plot.curves import MARKERS, Row, curves_of

__all__ = ["Panel", "draw_points"]


class Panel(NamedTuple):
    """What is drawn of the points of one kind."""

    kind: str
    across: str
    """Key of the setting that runs across."""
    upward: str
    """Key of the figure."""
    settings: Sequence[str]
    """Keys that may tell lines apart."""


def draw_points(figure: Any, rows: Sequence[Row], panels: Sequence[Panel], title: str = "") -> None:
    """Fill a Matplotlib figure with rows (keys as in results, `kind` among them).

    >>> from jumpnet.plot.figure import render
    >>> rows = [{"kind": "yield", "density": d, "yield": 1 - d} for d in (0.0, 0.1)]
    >>> panel = Panel("yield", "density", "yield", [])
    >>> len(render(lambda figure: draw_points(figure, rows, [panel]), formats=("svg",))["svg"]) > 1000
    True
    """
    for axes, panel in zip(np.atleast_1d(figure.subplots(1, len(panels))), panels, strict=True):
        here = [row for row in rows if row["kind"] == panel.kind and row.get(panel.upward) is not None]
        keys = [key for key in panel.settings if key not in (panel.across, "seed")]
        for number, (name, points) in enumerate(curves_of(here, keys).items()):
            at = sorted({row[panel.across] for row in points})
            mean = [np.mean([row[panel.upward] for row in points if row[panel.across] == x]) for x in at]
            axes.plot(at, mean, color=f"C{number % 10}", marker=MARKERS[number % len(MARKERS)], label=name)
        axes.set_xlabel(panel.across.replace("_", " "))
        axes.set_ylabel(panel.upward.replace("_", " "))
        axes.set_ylim(bottom=0)
        axes.set_title(panel.kind)
        if axes.has_data():
            axes.legend(fontsize="small")
    figure.suptitle(title, parse_math=False)
