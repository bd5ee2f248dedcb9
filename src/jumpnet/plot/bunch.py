"""Draw one ring of a reconfigured wafer with its bunch of bypass lines: which line is cut and joined to which element.

Called by `report`. The ring runs from left to right over the physical lines it passes; an element shifted across the
ring stands lower, where the base wire bends down to it by turned switches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from jumpnet.analysis.reconfigure import Bunches, WaferNetwork
from jumpnet.plot.figure import PALETTE
from jumpnet.plot.wafer import COLOURS, INK, TURN, WIRE

__all__ = ["bunch_drawer"]

FADE = "#c9cfd6"
BASE, STEP = 0.95, 0.42
DROP = 0.95


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
        stations = [_stations(wafer, axis, ring) for _, wafer in made]
        lowest = min(_height(station.off) for found in stations for station in found)
        for axes, found, (title, wafer) in zip(panels, stations, made, strict=True):
            _panel(axes, wafer, axis, ring, found)
            axes.set_ylim(lowest - 0.45, BASE + wafer.bunches[axis].span.size * STEP)  # all panels to one scale
            axes.set_title(title, fontsize=9.5, loc="left")
        seen = {kind for found in stations for station in found for kind in (station.kind, station.passed)}
        handles: list[Any] = [Patch(fc=c, ec=INK, lw=0.6, label=k) for k, c in COLOURS.items() if k in seen]
        handles.append(Line2D([], [], color=INK, marker="s", ls="", ms=5, label="connect: line cut, joined"))
        handles.append(Line2D([], [], color=INK, lw=1.6, label="cross elsewhere: passes by"))
        if lowest < 0:
            handles.append(
                Line2D([], [], color=TURN, lw=1.5, marker="o", mfc="white", label="bent wire, turned switch")
            )
        figure.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=8)

    return draw


class _Station(NamedTuple):
    """What a ring meets at one physical position along it."""

    off: int
    """Displacement across the ring."""
    logical: int
    """Logical position of the element there, -1 for none."""
    kind: str
    """Kind of the element, a key of `COLOURS`."""
    passed: str
    """Kind of the element on the ring's own line, where the ring goes round it; else empty."""


def _stations(wafer: WaferNetwork, axis: int, ring: int) -> list[_Station]:
    """The stations of a ring, in order."""
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
        passed = found.bad[own, p] if axis == 0 else found.bad[p, own]
        stations.append(_Station(off, j, kind, "" if off == 0 else "defective" if passed else "shifted"))
    return stations


def _panel(axes: Any, wafer: WaferNetwork, axis: int, ring: int, stations: list[_Station]) -> None:
    count = len(stations)
    axes.set_axis_off()
    for k in range(wafer.bunches[axis].span.size):
        _line(axes, wafer.bunches[axis], ring, k, stations)
    axes.text(-0.85, 0, "base ring", ha="right", va="center", fontsize=8, color=WIRE)
    for p in range(count - 1):
        _wire(axes, p, stations[p].off, stations[p + 1].off)
    for p, station in enumerate(stations):
        _element(axes, p, _height(station.off), station.kind, station.logical)
        if station.passed:
            _element(axes, p, 0.0, station.passed, -1)
    axes.set_xlim(-2.1, count - 0.2)
    axes.set_aspect("equal")


def _line(axes: Any, bunch: Bunches, ring: int, k: int, stations: list[_Station]) -> None:
    """One bypass line: its links from joined element to joined element, round the wrap-around too."""
    height, colour, last = BASE + k * STEP, PALETTE[k % len(PALETTE)], len(stations) - 0.3
    axes.text(-0.85, height, f"level {int(np.log2(bunch.span[k]))}", ha="right", va="center", fontsize=8, color=colour)
    joined = [
        p for p, station in enumerate(stations) if station.logical >= 0 and bunch.connect[ring, station.logical, k]
    ]
    axes.plot([-0.7, last], [height, height], color=colour if joined else FADE, lw=1.6, zorder=1)
    for p in joined:
        top = _height(stations[p].off) + 0.3
        for side in (-0.12, 0.12):
            axes.plot([p + side, p + side], [top, height], color=colour, lw=1.3, zorder=2)
        axes.plot([p - 0.12, p + 0.12], [height, height], color="white", lw=3, zorder=2)
        axes.plot([p - 0.12, p + 0.12], [height, height], "s", color=colour, ms=3.6, zorder=3)


def _element(axes: Any, p: int, y: float, kind: str, logical: int) -> None:
    """One element, with its logical position or a cross."""
    axes.add_patch(Rectangle((p - 0.3, y - 0.3), 0.6, 0.6, fc=COLOURS[kind], ec=INK, lw=0.7, zorder=4))
    if logical >= 0:
        axes.text(p, y, str(logical), ha="center", va="center", fontsize=8, color=INK, zorder=5)
    elif kind == "defective":
        axes.text(p, y, "×", ha="center", va="center", fontsize=12, color="white", zorder=5)


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
