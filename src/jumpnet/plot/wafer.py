"""Draw a reconfigured wafer: elements, defects, breaks, spares, compensation paths, wires and turned switches.

Called by `cli/reconfigure.py` and `report`. Wires are drawn as they were traced: along each ring of the torus, with the
tracks they take between the elements. A wafer too big for wires shows elements and shifts only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch, Rectangle

from jumpnet.api.public import public
from jumpnet.fault.array import CROSS, WaferArray
from jumpnet.fault.breaks import LINK, SWITCH, TRACK_ON
from jumpnet.fault.configuration import Reconfiguration
from jumpnet.notices import counted
from jumpnet.terms import I8, I64, Array

__all__ = ["MAX_ELEMENTS", "axis_wires", "element_kind", "wafer_drawer", "wafer_size_inches"]

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
WIRE, TURN, PATH, BREAK = "#6b7684", "#0072B2", "#D55E00", "#c1121f"
CORE, FAINT = "#fbf3df", "#c3cad3"
HALF = 0.29
"""Half the side of an element; elements lie 1 apart."""


@public
def wafer_size_inches(array: WaferArray) -> tuple[float, float]:
    """Size of the picture that `wafer_drawer` expects, 4 to 13 inches a side.

    >>> wafer_size_inches(WaferArray(16, 16))
    (9.36, 10.26)
    """
    height, width = array.shape
    scale = min(0.52, 12.0 / max(height, width))
    return round(max(4.6, width * scale), 2), round(max(3.6, height * scale + 0.9), 2)


@public
def wafer_drawer(made: Reconfiguration, title: str = "", every_switch: bool = False) -> Callable[[Any], None]:
    """A function that fills a Matplotlib figure with the wafer map; give it to `jumpnet.plot.figure.render`.

    every_switch: tracks and all switches too, and the four states beside the map.

    >>> from jumpnet.fault.defects import from_places
    >>> from jumpnet.fault.method import method
    >>> from jumpnet.plot.figure import render
    >>> array = WaferArray(4, 4)
    >>> made = method("local")(array, from_places(array, [(2, 2)]))
    >>> len(render(wafer_drawer(made), formats=("svg",))["svg"]) > 1000
    True
    """
    return lambda figure: _draw(figure, made, title, every_switch)


def element_kind(made: Reconfiguration, x: int, y: int, lost: set[tuple[int, int]]) -> str:
    """What an element is, as the legend calls it."""
    array, owner = made.array, int(made.owner[x, y])
    if made.bad[x, y]:
        return "no path found" if (x, y) in lost else "defective"
    if not array.is_core(x, y):
        return "spare in use" if owner >= 0 else "spare, unused"
    own = (x - array.north) * array.columns + y - array.west
    return "in its own place" if owner == own else "shifted"


def _at(states: I8, g: int, t: int) -> float:
    """Where track t of gap g is drawn along the axis."""
    tracks = states.shape[2]
    return g + 0.5 + (t - (tracks - 1) / 2) * 0.24 / max(1, tracks - 1)


def _follow(states: I8, x: int, g: int) -> tuple[list[tuple[float, float]], int]:
    """The wire from the near side of gap g at line x: its corners as (along, across), and the line where it ends.

    The line is -1 when the wire ends at an open switch; then what leads there is drawn.
    """
    points, t, enters = [(g + HALF, float(x))], 0, 0
    while True:
        exits = {1: enters ^ 1, 2: enters ^ 2, 3: 3 - enters}.get(int(states[g, x, t]), -1)
        at = _at(states, g, t)
        if exits <= 0:
            return [*points, (at, float(x))], -1
        if exits >> 1 != enters >> 1:
            points.append((at, float(x)))
        if exits == 1:
            t, enters = t + 1, 0
            if t == states.shape[2]:
                return [*points, (g + 1 - HALF, float(x))], x
        else:
            x, enters = x + (1 if exits == 3 else -1), 5 - exits
            if not 0 <= x < states.shape[1]:
                return points, -1


def _ring_wires(owner: I64, states: I8) -> tuple[list[Array], list[Array]]:
    """All wires from elements in use, gap by gap, and the passages straight through unused elements on their way.

    Rows of `owner` run across the rings, as for the switches of horizontal links; for those of vertical links it is
    transposed. Each wire is (corners, 2): along its ring, across it.
    """
    gaps = states.shape[0]
    lines, through = [], []
    for x, g in np.argwhere(owner >= 0).tolist():
        for _ in range(gaps):
            points, x = _follow(states, x, g)
            lines.append(np.array(points))
            g = (g + 1) % gaps
            if x < 0 or owner[x, g] >= 0:
                break
            through.append(np.array([(g - HALF, x), (g + HALF, x)]))
    return lines, through


def _turned_switches(states: I8) -> Array:
    """(switches, 2) where those stand at which wires turn: along their rings, across them."""
    turned = np.argwhere(states > CROSS).tolist()
    return np.array([(_at(states, g, t), x) for g, x, t in turned]).reshape(-1, 2)


def axis_wires(made: Reconfiguration, axis: int) -> tuple[list[Array], list[Array], Array]:
    """Wires along one axis, passages through unused elements, (switches, 2) where wires turn; all points as (x, y).

    A wire over the gap of the wrap-around is there at both edges.
    """
    states = made.row_switches if axis == 0 else made.column_switches
    lines, through = _ring_wires(made.owner if axis == 0 else made.owner.T, states)
    around = len(states)
    lines += [line - [around, 0] for line in lines if line[:, 0].max() > around - 0.5]
    order = slice(None) if axis == 0 else slice(None, None, -1)
    return [line[:, order] for line in lines], [line[:, order] for line in through], _turned_switches(states)[:, order]


def _wires(axes: Any, made: Reconfiguration) -> None:
    for axis in (0, 1):
        lines, through, marks = axis_wires(made, axis)
        looks: tuple[tuple[list[Array], dict[str, Any]], ...] = (
            ([line for line in lines if len(line) == 2], {"colors": WIRE, "linewidths": 0.8, "zorder": 1}),
            ([line for line in lines if len(line) > 2], {"colors": TURN, "linewidths": 1.5, "zorder": 2}),
            (through, {"colors": WIRE, "linewidths": 0.8, "zorder": 4, "linestyles": ":"}),
        )
        for chosen, look in looks:
            axes.add_collection(LineCollection(chosen, **look))
        axes.plot(*marks.T, "o", ms=3.4, mfc=PAPER, mec=TURN, mew=1.1, zorder=5)


def _breaks(axes: Any, made: Reconfiguration) -> None:
    """A cross on each broken switch, in the middle of each broken link and piece of track."""
    if made.breaks is None:
        return
    for axis, dead in ((0, made.breaks.rows), (1, made.breaks.columns)):
        links = (dead & LINK == LINK).all(axis=2)
        marks = [(g + 0.5, float(x)) for g, x in np.argwhere(links).tolist()]
        for g, x, t in np.argwhere(dead == SWITCH).tolist():
            marks.append((_at(dead, g, t), float(x)))
        for g, x, t in np.argwhere((dead & TRACK_ON > 0) & (dead != SWITCH)).tolist():
            marks.append((_at(dead, g, t), x + 0.5))
        order = slice(None) if axis == 0 else slice(None, None, -1)
        axes.plot(*np.array(marks).reshape(-1, 2)[:, order].T, "x", ms=6, mec=BREAK, mew=1.8, zorder=9)


def _elements(axes: Any, made: Reconfiguration, small: bool) -> set[str]:
    height, width = made.array.shape
    lost = {(int(x), int(y)) for x, y in made.unrepaired}
    half = HALF if small else 0.5
    patches: dict[str, list[Rectangle]] = {}
    for x in range(height):
        for y in range(width):
            kind = element_kind(made, x, y, lost)
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


def _tracks(axes: Any, made: Reconfiguration) -> None:
    """Every track as a thin line and every switch as a small square, broken over the wrap-around."""
    for states, order in ((made.row_switches, 1), (made.column_switches, -1)):
        gaps, lines, tracks = states.shape
        across = [(_at(states, g, t), t) for g in range(gaps) for t in range(tracks)]
        ends = [np.array([(x, -0.5), (x, lines - 0.5)])[:, ::order] for x, _ in across]
        axes.add_collection(LineCollection(ends, colors=FAINT, linewidths=0.7, zorder=0.5))
        marks = np.array([(x, line) for x, _ in across for line in range(lines)])[:, ::order]
        axes.plot(*marks.T, "s", ms=2.6, mfc=PAPER, mec=WIRE, mew=0.6, zorder=4.5)


def _states(axes: Any) -> None:
    """The four states of a switch of horizontal links, one under the other."""
    turns = {(a, b): [(a, 0.0), (a / 4, 0.0), (0.0, b / 4), (0.0, b)] for a in (-1, 1) for b in (-1, 1)}
    joins: dict[str, list[list[tuple[float, float]]]] = {
        "open": [],
        "cross": [[(-1, 0), (1, 0)], [(0, -1), (0, 1)]],
        "west-north, south-east": [turns[-1, -1], turns[1, 1]],
        "west-south, north-east": [turns[-1, 1], turns[1, -1]],
    }
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(-1.2, 6.4)
    axes.set_ylim(4 * 2.4 - 1.0, -2.2)
    axes.text(-0.9, -1.7, "states of a switch", fontsize=8.5, fontweight="bold", color=INK)
    for k, (name, wires) in enumerate(joins.items()):
        y = 2.4 * k
        axes.add_patch(Rectangle((-0.6, y - 0.6), 1.2, 1.2, fc=PAPER, ec=WIRE, lw=0.8))
        for wire in wires:
            points = np.array(wire) * 0.9 + (0.0, y)
            axes.plot(*points.T, color=TURN if len(wire) > 2 else WIRE, lw=1.4)
        axes.text(1.3, y, name, fontsize=8, va="center", color=INK)


def _draw(figure: Any, made: Reconfiguration, title: str, every_switch: bool) -> None:
    array = made.array
    height, width = array.shape
    small = height * width <= MAX_ELEMENTS
    if every_switch and small:
        axes, beside_map = figure.subplots(1, 2, width_ratios=[3, 1.1])
        _states(beside_map)
        _tracks(axes, made)
    else:
        axes = figure.add_subplot()
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(-0.75, width - 0.25)
    axes.set_ylim(height - 0.25, -0.75)
    kinds = _elements(axes, made, small)
    across, down = (float(v) for v in figure.get_size_inches())
    beside = across > 1.4 * down  # a wide figure has its legend at the side
    inches = min((across - 2.3 * beside) / width, (down - (0.4 if beside else 1.0)) / height)
    if small:
        _wires(axes, made)
        _breaks(axes, made)
        if inches >= 0.28:
            _names(axes, made, min(7.5, 13.5 * inches))
    _arrows(axes, made, small)
    # An area, not a frame: a frame would lie on the tracks.
    corner = array.west - 0.5, array.north - 0.5
    axes.add_patch(Rectangle(corner, array.columns, array.rows, fc=CORE, ec="none", zorder=0))
    said = {"defective": "defective, or idle at a break"} if made.breaks is not None else {}
    handles: list[Any] = [
        Patch(fc=c, ec=INK, lw=0.6, label=said.get(name, name)) for name, c in COLOURS.items() if name in kinds
    ]
    handles.append(Patch(fc=CORE, label="core"))
    if made.paths():
        handles.append(Line2D([], [], color=PATH, lw=1.4, marker=">", ms=4, label="compensation path"))
    if small and made.breaks is not None:
        handles.append(Line2D([], [], ls="", marker="x", mec=BREAK, mew=1.8, label="broken link, switch or track"))
    if small:
        handles.append(Line2D([], [], color=WIRE, lw=0.8, label="wire"))
        if every_switch:
            look: dict[str, Any] = {"color": FAINT, "lw": 0.7, "marker": "s", "ms": 3.5, "mfc": PAPER, "mec": WIRE}
            handles.append(Line2D([], [], label="track with its switches", **look))
        if (made.row_switches > CROSS).any() or (made.column_switches > CROSS).any():
            handles.append(Line2D([], [], color=TURN, lw=1.5, marker="o", mfc=PAPER, label="bent wire, turned switch"))
    where = "outside right center" if beside else "outside lower center"
    figure.legend(handles=handles, loc=where, ncols=1 if beside else 4 if across > 7 else 3, fontsize=8)
    left, count = len(made.unrepaired), len(made.faults)
    state = "every wire traced" if made.repaired else f"not repaired, {_faults(left)} left"
    what = f"{_faults(count)} in the core, method {made.method}, {'repaired, ' * made.repaired}"
    state = (what if count else "no faults in the core, ") + state
    heading = f"{title}: " if title else ""
    figure.suptitle(
        heading + state,
        fontsize=10.5 if wafer_size_inches(array)[0] > 7 else 9,
    )


def _faults(count: int) -> str:
    return counted(count, "fault")
