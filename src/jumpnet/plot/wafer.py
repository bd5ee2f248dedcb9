"""Draw a reconfigured wafer: elements, defects, spares, compensation paths, wires and turned switches.

Called by `cli/reconfigure.py` and `paper`. Wires are drawn as they were traced: along each ring of the torus, with the
tracks they take between the elements. A wafer too big for wires shows elements and shifts only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch, Rectangle

from jumpnet.fault.array import CROSS, OPEN, WaferArray
from jumpnet.fault.configuration import Reconfiguration
from jumpnet.terms import I8, Array

__all__ = ["MAX_ELEMENTS", "wafer_drawer", "wafer_size_inches"]

MAX_ELEMENTS = 1600
"""Up to this many elements wires, switches and names are drawn."""
INK, PAPER = "#20262e", "#ffffff"
COLOURS = {
    "in its own place": "#dbe7f3",
    "shifted": "#8fc1e8",
    "spare in use": "#66c2a4",
    "spare, unused": "#eceff3",
    "defective": "#3b424c",
    "no path found": "#c1121f",
}
WIRE, TURN, PATH = "#6b7684", "#0072B2", "#D55E00"
HALF = 0.29
"""Half the side of an element; elements lie 1 apart."""


def wafer_size_inches(array: WaferArray) -> tuple[float, float]:
    """Size of the picture that `wafer_drawer` expects, 4 to 13 inches a side.

    >>> wafer_size_inches(WaferArray(16, 16))
    (9.36, 10.26)
    """
    height, width = array.shape
    scale = min(0.52, 12.0 / max(height, width))
    return round(max(4.6, width * scale), 2), round(max(3.6, height * scale + 0.9), 2)


def wafer_drawer(made: Reconfiguration, title: str = "") -> Callable[[Any], None]:
    """A function that fills a Matplotlib figure with the wafer map; give it to `jumpnet.plot.figure.render`.

    >>> from jumpnet.fault.defects import from_places
    >>> from jumpnet.fault.method import method
    >>> from jumpnet.plot.figure import render
    >>> array = WaferArray(4, 4)
    >>> made = method("local")(array, from_places(array, [(2, 2)]))
    >>> len(render(wafer_drawer(made), formats=("svg",))["svg"]) > 1000
    True
    """
    return lambda figure: _draw(figure, made, title)


def _kind(made: Reconfiguration, x: int, y: int, lost: set[tuple[int, int]]) -> str:
    """What an element is, as the legend calls it."""
    array, owner = made.array, int(made.owner[x, y])
    if made.bad[x, y]:
        return "no path found" if (x, y) in lost else "defective"
    if not array.is_core(x, y):
        return "spare in use" if owner >= 0 else "spare, unused"
    own = (x - array.north) * array.columns + y - array.west
    return "in its own place" if owner == own else "shifted"


def _gap(states: I8, along: Array, near: Array) -> list[Array]:
    """Wires through the gaps of one axis in (along, across) coordinates, one polyline a wire and gap.

    States name terminals, so that a wire is followed here as in the tracer, from the near side of each gap.
    """
    lines = []
    gaps, places, tracks = states.shape
    for g in range(gaps):
        for start in np.flatnonzero(near[:, g]).tolist():
            x, t, enters = start, 0, 0
            points = [(g + HALF, float(start))]
            while True:
                at = g + 0.5 + (t - (tracks - 1) / 2) * 0.24 / max(1, tracks - 1)
                state = int(states[g, x, t])
                exits = {CROSS: enters ^ 1, 2: enters ^ 2, 3: 3 - enters}.get(state, -1)
                if state == OPEN or exits == 0:
                    points = []
                    break
                if exits >> 1 != enters >> 1:
                    points.append((at, float(x)))
                if exits == 1:
                    t, enters = t + 1, 0
                    if t == tracks:
                        points.append((g + 1 - HALF, float(x)))
                        break
                else:
                    x, enters = x + (1 if exits == 3 else -1), 5 - exits
                    if not 0 <= x < places:
                        points = []
                        break
            if points:
                lines.append(np.array(points))
    return lines


def _wires(axes: Any, made: Reconfiguration) -> None:
    height, width = made.array.shape
    for axis, states in ((0, made.row_switches), (1, made.column_switches)):
        # A wire may start at each place whose first switch is set; it conducts through unused elements.
        lines = _gap(states, np.arange(states.shape[0]), (states[:, :, 0] != OPEN).T)
        if axis == 1:
            lines = [line[:, ::-1] for line in lines]
        # The gap over the wrap-around is drawn at both edges.
        positions = width if axis == 0 else height
        back = np.array([positions, 0.0] if axis == 0 else [0.0, positions])
        lines += [line - back for line in lines if line[:, axis].max() > positions - 0.5]
        bent = [line for line in lines if len(line) > 2]
        straight = [line for line in lines if len(line) == 2]
        axes.add_collection(LineCollection(straight, colors=WIRE, linewidths=0.8, zorder=1))
        axes.add_collection(LineCollection(bent, colors=TURN, linewidths=1.5, zorder=2))
        through = [
            [(y - HALF, x), (y + HALF, x)] if axis == 0 else [(y, x - HALF), (y, x + HALF)]
            for x, y in np.argwhere(made.owner < 0).tolist()
            if (states[y, x, 0] if axis == 0 else states[x, y, 0]) != OPEN
        ]
        axes.add_collection(LineCollection(through, colors=WIRE, linewidths=0.8, zorder=4, linestyles=":"))
        marks = []
        for g, x, t in np.argwhere(states > CROSS).tolist():
            at = g + 0.5 + (t - (states.shape[2] - 1) / 2) * 0.24 / max(1, states.shape[2] - 1)
            marks.append((at, x) if axis == 0 else (x, at))
        if marks:
            axes.plot(*zip(*marks, strict=True), "o", ms=3.4, mfc=PAPER, mec=TURN, mew=1.1, zorder=5)


def _elements(axes: Any, made: Reconfiguration, small: bool) -> set[str]:
    height, width = made.array.shape
    lost = {(int(x), int(y)) for x, y in made.unrepaired}
    half = HALF if small else 0.5
    patches: dict[str, list[Rectangle]] = {}
    for x in range(height):
        for y in range(width):
            kind = _kind(made, x, y, lost)
            patches.setdefault(kind, []).append(Rectangle((y - half, x - half), 2 * half, 2 * half))
    for kind, found in patches.items():
        edge = INK if small else COLOURS[kind]
        axes.add_collection(
            PatchCollection(found, facecolor=COLOURS[kind], edgecolor=edge, linewidths=0.6 if small else 0, zorder=3)
        )
    return set(patches)


def _names(axes: Any, made: Reconfiguration, points: float) -> None:
    """The logical row and column on each element in use, a cross on each defect."""
    columns = made.array.columns
    for x, y in np.argwhere(made.owner >= 0).tolist():
        i, j = divmod(int(made.owner[x, y]), columns)
        axes.text(y, x, f"{i},{j}", ha="center", va="center", fontsize=points, color=INK, zorder=6)
    for x, y in np.argwhere(made.bad).tolist():
        axes.plot(
            [y - 0.17, y + 0.17, np.nan, y - 0.17, y + 0.17],
            [x - 0.17, x + 0.17, np.nan, x + 0.17, x - 0.17],
            color=PAPER,
            lw=1.3,
            zorder=6,
        )


def _arrows(axes: Any, made: Reconfiguration, small: bool) -> None:
    for path in made.paths():
        (x, y), (u, v) = path[0], path[-1]
        # Beside the middle of the elements, so that names and wires stay readable.
        dx, dy = (0.235, 0.0) if x == u else (0.0, 0.245)
        head = 7 if small else 2.5
        axes.add_patch(
            FancyArrowPatch(
                (y + dy, x + dx),
                (v + dy, u + dx),
                arrowstyle="-|>",
                mutation_scale=head,
                color=PATH,
                lw=1.4 if small else 0.5,
                shrinkA=0,
                shrinkB=0,
                alpha=0.85,
                zorder=7,
            )
        )


def _draw(figure: Any, made: Reconfiguration, title: str) -> None:
    array = made.array
    height, width = array.shape
    small = height * width <= MAX_ELEMENTS
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(-0.75, width - 0.25)
    axes.set_ylim(height - 0.25, -0.75)
    kinds = _elements(axes, made, small)
    inches = wafer_size_inches(array)[0] / width
    if small:
        _wires(axes, made)
        if inches >= 0.3:
            _names(axes, made, min(7.5, 13.5 * inches))
    _arrows(axes, made, small)
    core = Rectangle(
        (array.west - 0.5, array.north - 0.5), array.columns, array.rows, fill=False, ec=INK, lw=1.0, ls=(0, (4, 3))
    )
    core.set_zorder(8)
    axes.add_patch(core)
    handles: list[Any] = [Patch(fc=c, ec=INK, lw=0.6, label=name) for name, c in COLOURS.items() if name in kinds]
    handles.append(Line2D([], [], color=INK, lw=1.0, ls=(0, (4, 3)), label="core"))
    if made.paths():
        handles.append(Line2D([], [], color=PATH, lw=1.4, marker=">", ms=4, label="compensation path"))
    if small:
        handles.append(Line2D([], [], color=WIRE, lw=0.8, label="wire"))
        handles.append(Line2D([], [], color=TURN, lw=1.5, marker="o", mfc=PAPER, label="bent wire, turned switch"))
    figure.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=8)
    left, count = len(made.unrepaired), len(made.faults)
    state = "repaired, every wire traced" if made.repaired else f"not repaired, {_faults(left)} left"
    heading = f"{title}: " if title else ""
    figure.suptitle(f"{heading}{_faults(count)} in the core, method {made.method}, {state}", fontsize=10.5)


def _faults(count: int) -> str:
    return f"{count} fault" if count == 1 else f"{count} faults"
