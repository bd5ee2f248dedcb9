"""Draw one ring of a reconfigured wafer with its bunch of bypass lines: which line is cut and joined to which element.

Called by `paper`. The ring runs from left to right over the physical lines it passes; an element shifted across the
ring stands lower, where the base wire bends down to it by turned switches.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from jumpnet.analysis.reconfigure import WaferNetwork
from jumpnet.plot.figure import PALETTE
from jumpnet.plot.wafer import COLOURS, INK, TURN, WIRE

__all__ = ["bunch_drawer"]

FADE = "#c9cfd6"
BASE, STEP = 0.95, 0.42
DROP = 0.85


def bunch_drawer(made: list[tuple[str, WaferNetwork]], axis: int, ring: int) -> Callable[[Any], None]:
    """A function that fills a figure with one panel for each titled wafer: row `ring` (axis 0) or column `ring`.

    >>> from jumpnet.analysis.reconfigure import reconfigure
    >>> from jumpnet.plot.figure import render
    >>> draw = bunch_drawer([("plain", reconfigure("srt2d:8", density=0.0))], 0, 2)
    >>> len(render(draw, formats=("svg",))["svg"]) > 1000
    True
    """

    def draw(figure: Any) -> None:
        panels = figure.subplots(len(made), 1, squeeze=False)[:, 0]
        for axes, (title, wafer) in zip(panels, made, strict=True):
            _panel(axes, wafer, axis, ring)
            axes.set_title(title, fontsize=9.5, loc="left")
        kinds = ("in its own place", "shifted", "spare in use", "spare, unused", "defective")
        handles: list[Any] = [Patch(fc=COLOURS[k], ec=INK, lw=0.6, label=k) for k in kinds]
        handles.append(Line2D([], [], color=INK, marker="s", ls="", ms=5, label="connect mode"))
        handles.append(Line2D([], [], color=FADE, lw=1.2, label="cross mode: line passes"))
        handles.append(Line2D([], [], color=TURN, lw=1.5, marker="o", mfc="white", label="bent wire, turned switch"))
        figure.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=8)

    return draw


def _stations(wafer: WaferNetwork, axis: int, ring: int) -> list[tuple[int, int, str]]:
    """For each physical position: (displacement across the ring, logical position or -1, kind of element)."""
    found = wafer.configuration
    array = found.array
    own = ring + (array.north if axis == 0 else array.west)
    first = array.west if axis == 0 else array.north
    place = found.place[ring] if axis == 0 else found.place[:, ring, ::-1]
    at = {int(p): (int(line) - own, j) for j, (line, p) in enumerate(place.tolist())}
    stations = []
    for p in range(array.shape[1 - axis]):
        off, j = at.get(p, (0, -1))
        x, y = (own + off, p) if axis == 0 else (p, own + off)
        if found.bad[x, y]:
            kind = "defective"
        elif j < 0:
            kind = "spare, unused"
        elif not array.is_core(x, y):
            kind = "spare in use"
        else:
            kind = "in its own place" if off == 0 and p == j + first else "shifted"
        stations.append((off, j, kind))
    return stations


def _panel(axes: Any, wafer: WaferNetwork, axis: int, ring: int) -> None:
    bunch = wafer.bunches[axis]
    stations = _stations(wafer, axis, ring)
    count, lines = len(stations), bunch.span.size
    axes.set_axis_off()
    levels = [f"level {int(np.log2(s))}" for s in bunch.span]
    for k in range(lines):
        height, colour = BASE + k * STEP, PALETTE[k % len(PALETTE)]
        axes.plot([-0.7, count - 0.3], [height, height], color=FADE, lw=1.2, zorder=1)
        axes.text(-0.85, height, levels[k], ha="right", va="center", fontsize=8, color=colour)
        joined = [p for p, (_, j, _) in enumerate(stations) if j >= 0 and bunch.connect[ring, j, k]]
        for p in joined:
            top = _height(stations[p][0]) + 0.3
            for side in (-0.12, 0.12):
                axes.plot([p + side, p + side], [top, height], color=colour, lw=1.3, zorder=2)
            axes.plot([p - 0.12, p + 0.12], [height, height], color="white", lw=3, zorder=2)
            axes.plot([p - 0.12, p + 0.12], [height, height], "s", color=colour, ms=3.6, zorder=3)
        for a, b in pairwise(joined):
            axes.plot([a + 0.12, b - 0.12], [height, height], color=colour, lw=1.6, zorder=2)
    axes.text(-0.85, 0, "base ring", ha="right", va="center", fontsize=8, color=WIRE)
    for p in range(count - 1):
        _wire(axes, p, stations[p][0], stations[p + 1][0])
    for p, (off, j, kind) in enumerate(stations):
        y = _height(off)
        axes.add_patch(Rectangle((p - 0.3, y - 0.3), 0.6, 0.6, fc=COLOURS[kind], ec=INK, lw=0.7, zorder=4))
        if j >= 0:
            axes.text(p, y, str(j), ha="center", va="center", fontsize=8, color=INK, zorder=5)
        elif kind == "defective":
            axes.text(p, y, "×", ha="center", va="center", fontsize=12, color="white", zorder=5)
    lowest = min(_height(off) for off, _, _ in stations)
    axes.set_xlim(-2.1, count - 0.2)
    axes.set_ylim(min(lowest, 0) - 0.45, BASE + lines * STEP)
    axes.set_aspect("equal")


def _height(off: int) -> float:
    return -DROP * abs(off)


def _wire(axes: Any, p: int, here: int, there: int) -> None:
    """The base wire over one gap, bent where the ring changes lines."""
    a, b = _height(here), _height(there)
    if here == there:
        axes.plot([p + 0.3, p + 0.7], [a, b], color=WIRE, lw=0.9, zorder=1)
        return
    axes.plot([p + 0.3, p + 0.5, p + 0.5, p + 0.7], [a, a, b, b], color=TURN, lw=1.5, zorder=2)
    axes.plot([p + 0.5, p + 0.5], [a, b], "o", ms=3.4, mfc="white", mec=TURN, mew=1.1, zorder=3)
