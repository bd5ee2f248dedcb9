"""Latency-throughput curves of a study: latency over accepted load, one line a curve, with confidence bands.

One panel for each traffic (pattern, injection, packet length) that the rows differ in, the same colour for a network in
all of them. Beyond saturation a line goes on dotted, with hollow markers; points above a panel are marked on its upper
edge. Called by the verb `plot`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import fill
from typing import Any

import matplotlib
import numpy as np
from matplotlib.font_manager import FontProperties

from jumpnet.plot.figure import logarithmic

__all__ = ["PANELS", "LoadAxis", "curves_of", "distinguishing", "draw_curves", "panel_count", "shared_name"]

Row = Mapping[str, Any]


@dataclass(frozen=True)
class LoadAxis:
    """What the load across is, and whether latency is logarithmic."""

    over: str = "accepted_load"
    """The load that runs across: `accepted_load`, or `offered_load`."""
    logarithmic: bool = False
    """Whether latency is."""
    unit: str = "terminal"
    """What a load is shared out to in the label of its axis."""
    share: Callable[[str], float] = field(default=lambda spec: 1.0)
    """Terminals of a network for each of that unit: loads are multiplied by it."""

    def place(self, point: Row) -> float:
        """Where a point stands across."""
        return float(point[self.over]) * self.share(str(point.get("spec")))

    def label(self) -> str:
        """What the horizontal axis says.

        >>> LoadAxis().label()
        'accepted load (flits per terminal and cycle)'
        """
        return f"{self.over.replace('_', ' ')} (flits per {self.unit} and cycle)"


MARKERS = "osD^vP*X"
PANELS = ("traffic", "injection", "packet_flits")
"""Settings that make panels, where they differ."""
PLAIN = ("spec", "routing", "traffic", "injection")
"""Settings whose values say what they are."""
ABOVE: dict[str, Any] = {"marker": r"$\uparrow$", "linestyle": "", "markersize": 9.0, "markeredgewidth": 0.4}
"""Look of what stands for a point above the picture."""
EDGE = 0.965
"""Part of the picture's height at which it stands."""
ROOM = 4.0
"""Up to so many times the least latency of the slowest curve a point counts for the end of the latency axis,"""
AIR = 1.3
"""which is at so many times the highest of these that hold,"""
LEAST_ROOM = 1.5
"""and at least at so many times that least latency."""
LONGEST_TRAFFIC = 60
"""Characters of a spec that is written whole: a matrix of 64 terminals has thousands."""


def distinguishing(rows: Sequence[Row], settings: Sequence[str]) -> list[str]:
    """The first of the settings that distinguish rows as well as all of them do.

    >>> distinguishing([{"spec": "a", "vcs": 2}, {"spec": "b", "vcs": 3}], ["spec", "vcs"])
    ['spec']
    """
    chosen = list(settings)

    def kinds(keys: Sequence[str]) -> int:
        return len({tuple(str(row.get(key)) for key in keys) for row in rows})

    for key in reversed(settings):
        rest = [k for k in chosen if k != key]
        if kinds(rest) == kinds(chosen):
            chosen = rest
    return chosen


def _name(row: Row, keys: Sequence[str]) -> str:
    return ", ".join(str(row.get(key)) if key in PLAIN else f"{key}={row.get(key)}" for key in keys)


def _named_by(rows: Sequence[Row], settings: Sequence[str]) -> list[str]:
    """The settings that a curve is named by: a network and its routing go together where there are several of one, and
    so do the traffic where there are several patterns and the virtual channels, which cost, where they differ."""
    chosen = distinguishing(rows, settings)
    together = [key for key in ("spec", "routing") if key in settings and all(row.get(key) for row in rows)]
    if not any(_several(rows, key) for key in together):
        together = []
    together += [key for key in ("traffic", "vcs") if key in settings and _several(rows, key)]
    return [key for key in settings if key in chosen or key in together]


def _several(rows: Sequence[Row], key: str) -> bool:
    return len({str(row.get(key)) for row in rows}) > 1


def shared_name(rows: Sequence[Row]) -> str:
    """Network and routing where all rows have the same, and their traffic likewise, for a title; else the legend, or
    titles of panels, name them.

    >>> shared_name([{"spec": "ring", "routing": "up_down", "traffic": "tornado"}] * 2)
    'ring, up_down, tornado traffic'
    >>> shared_name([{"spec": name, "routing": "lash", "traffic": "uniform"} for name in ("ring", "star")])
    'uniform traffic'
    """
    names = {_name(row, ("spec", "routing")) for row in rows}
    patterns = {str(row["traffic"]) for row in named_traffic(rows) if row.get("traffic")}
    said = [*names] if len(names) == 1 else []
    return ", ".join([*said, *(f"{pattern} traffic" for pattern in patterns if len(patterns) == 1)])


def curves_of(rows: Sequence[Row], settings: Sequence[str]) -> dict[str, list[Row]]:
    """Rows by name of their curve, in the order they come; a name is made of the settings that distinguish curves.

    >>> rows = [{"spec": "a", "seed": 1}, {"spec": "b", "seed": 1}]
    >>> list(curves_of(rows, ["spec", "seed"]))
    ['a', 'b']
    """
    keys = _named_by(rows, settings)
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(_name(row, keys) or "all", []).append(row)
    return found


def _line(axes: Any, points: Sequence[Row], figure: str, colour: str, marker: str, kind: LoadAxis) -> None:
    """One curve: solid up to saturation, dotted beyond."""
    place = kind.place
    points = sorted((p for p in points if p[figure] is not None), key=lambda p: p["load"])
    held = [p for p in points if not p["saturated"]]
    beyond = held[-1:] + [p for p in points if p["saturated"]]
    load = np.array([place(p) for p in held])
    latency = np.array([p[figure] for p in held], float)
    width = np.array([p.get(figure.replace("mean", "half_width")) or 0.0 for p in held], float)
    axes.plot(load, latency, marker=marker, color=colour)
    axes.fill_between(load, latency - width, latency + width, color=colour, alpha=0.2, linewidth=0)
    x, y = [place(p) for p in beyond], [p[figure] for p in beyond]
    axes.plot(x, y, linestyle=":", linewidth=1.0, color=colour)
    axes.plot(x[len(held[-1:]) :], y[len(held[-1:]) :], linestyle="", marker=marker, color=colour, fillstyle="none")


def own_adversaries(rows: Sequence[Row]) -> Sequence[Row]:
    """Rows whose traffic is the worst for their own routing, named `worst` alike, so that they share a panel.

    Nothing is renamed where a routing also runs under the worst for another one: then the names distinguish them.

    >>> rows = [{"routing": name, "traffic": f"worst:routing={name}"} for name in ("lash", "up_down")]
    >>> [row["traffic"] for row in own_adversaries(rows)]
    ['worst', 'worst']
    >>> own_adversaries(rows + [{"routing": "nue", "traffic": "worst:routing=lash"}])[0]["traffic"]
    'worst:routing=lash'
    """
    named = [str(row.get("traffic")).startswith("worst:routing=") for row in rows]
    own = [row.get("traffic") == f"worst:routing={row.get('routing')}" for row in rows]
    if named != own:
        return rows
    return [{**row, "traffic": "worst"} if mine else row for row, mine in zip(rows, own, strict=True)]


def _panels(rows: Sequence[Row], settings: Sequence[str]) -> list[str]:
    """Settings that make panels of these rows."""
    return [key for key in distinguishing(rows, settings) if key in PANELS]


def panel_count(rows: Sequence[Row], settings: Sequence[str]) -> int:
    """Number of panels that `draw_curves` makes.

    >>> panel_count([{"traffic": "uniform"}, {"traffic": "tornado"}], ["spec", "traffic"])
    2
    """
    rows = named_traffic(rows)
    by = _panels(rows, settings)
    return len({_name(row, by) for row in rows})


def named_traffic(rows: Sequence[Row]) -> Sequence[Row]:
    """Rows with traffic as a picture calls it: `own_adversaries`, and of a long spec its beginning and its end.
    Different traffic stays different.

    >>> ring = "-".join(str((terminal + 1) % 64) for terminal in range(64))
    >>> named_traffic([{"traffic": f"permutation:to={ring}"}])
    [{'traffic': 'permutation:to=1-2-3-4-5-6-7-8-9-10-11-1 ... 60-61-62-63-0'}]
    """
    rows = own_adversaries(rows)
    called: dict[str, str] = {}
    for spec in dict.fromkeys(str(row.get("traffic")) for row in rows):
        if len(spec) > LONGEST_TRAFFIC:
            ends = f"{spec[:40]} ... {spec[-13:]}"
            called[spec] = f"{ends} ({len(called) + 1})" if ends in called.values() else ends
    return [{**row, "traffic": called[row["traffic"]]} if row.get("traffic") in called else row for row in rows]


PLAIN_AXIS = LoadAxis()


def draw_curves(
    figure: Any,
    rows: Sequence[Row],
    settings: Sequence[str],
    title: str = "",
    latency: str = "packet",
    kind: LoadAxis = PLAIN_AXIS,
) -> None:
    """Fill a Matplotlib figure with the curves of rows (keys as in results); `latency` is packet, network or flit."""
    key = f"{latency}_latency_mean_cycles"
    rows = named_traffic(rows)
    by = _panels(rows, settings)
    curves = curves_of(rows, [k for k in settings if k not in by])
    panels = list(dict.fromkeys(_name(row, by) for row in rows))
    all_axes = np.atleast_1d(figure.subplots(1, len(panels), squeeze=True))
    highest, hollow = 0.0, False
    for axes, panel in zip(all_axes, panels, strict=True):
        least, drawn = [0.0], []
        for number, points in enumerate(curves.values()):
            here = [p for p in points if _name(p, by) == panel]
            drawn.append((_look(number)[0], here))
            _line(axes, here, key, *_look(number), kind)
            known = [p[key] for p in here if p[key] is not None]  # none where no packet arrived
            least += [min(known)] if known else []
        axes.set_xlabel(_lines(kind.label(), figure.get_figwidth() / len(panels)))
        axes.set_xlim(left=0)
        if kind.logarithmic:
            logarithmic(axes)
        else:
            axes.set_ylim(0, _top(drawn, key, max(least)) or None)
            highest = max(highest, _show_above(axes, drawn, key, kind))
        end = axes.get_ylim()[1]
        hollow |= any(p["saturated"] and p[key] is not None and p[key] <= end for _, points in drawn for p in points)
        axes.set_title(panel or title, parse_math=False)
    all_axes[0].set_ylabel(_lines(f"{latency} latency (cycles)", 0.7 * figure.get_figheight()))
    if panels[0] and title:
        figure.suptitle(title, parse_math=False, fontweight=matplotlib.rcParams["axes.titleweight"])
    marks = _explained(hollow, highest)
    if len(curves) > 1 or marks:
        names = [*(curves if len(curves) > 1 else ()), *(mark.get_label() for mark in marks)]
        columns, characters = _legend_columns(figure.get_figwidth(), names, matplotlib.rcParams["font.size"])
        figure.legend(
            handles=[*(_marks(curves, characters) if len(curves) > 1 else ()), *marks],
            loc="outside lower center",
            ncols=columns,
        )


def _marks(names: Iterable[str], characters: int) -> list[Any]:
    """Entries of the legend for curves, in lines of so many characters."""
    from matplotlib.lines import Line2D

    looks = [(*_look(number), fill(name, characters)) for number, name in enumerate(names)]
    return [Line2D([], [], color=colour, marker=marker, label=name) for colour, marker, name in looks]


def _top(curves: Sequence[tuple[str, Sequence[Row]]], figure: str, slowest: float) -> float:
    """Where a latency axis ends, so that what lies below saturation fills it: points above are marked on the edge.

    slowest: the least latency of the slowest curve.

    >>> points = [{"latency": cycles, "saturated": cycles > 100} for cycles in (40.0, 60.0, 130.0, 9000.0)]
    >>> _top([("C0", points)], "latency", 40.0), _top([("C0", points[:1])], "latency", 40.0)
    (78.0, 60.0)
    >>> _top([("C0", points[2:])], "latency", 130.0)  # nothing holds
    195.0
    """
    width = figure.replace("mean", "half_width")
    drawn = [p for _, points in curves for p in points if p[figure] is not None and not p["saturated"]]
    ends = [p[figure] + ((p.get(width) or 0.0) if width != figure else 0.0) for p in drawn]
    return max(LEAST_ROOM * slowest, AIR * max((end for end in ends if end <= ROOM * slowest), default=0.0))


def _show_above(axes: Any, curves: Sequence[tuple[str, Sequence[Row]]], figure: str, kind: LoadAxis) -> float:
    """Show the points of curves (colour, points) that lie above a panel by marks on its upper edge; the highest
    latency among them, 0 where there is none."""
    top, highest = axes.get_ylim()[1], 0.0
    for colour, points in curves:
        above = [p for p in points if p[figure] is not None and p[figure] > top]
        if above:
            at = [kind.place(p) for p in above]
            axes.plot(at, [EDGE * top] * len(at), zorder=4, **{**ABOVE, "color": colour})
            highest = max(highest, *(p[figure] for p in above))
    return highest


def _explained(hollow: bool, highest: float) -> list[Any]:
    """Entries of the legend for hollow points, where there are any, and for what is marked on the upper edge."""
    from matplotlib.lines import Line2D

    grey: dict[str, Any] = {"linestyle": "", "color": "#5a6270"}
    marks = []
    if hollow:
        marks.append(Line2D([], [], **grey, marker="o", fillstyle="none", label="hollow: saturated"))
    if highest:
        marks.append(Line2D([], [], **{**ABOVE, **grey}, label=f"off the scale: up to {highest:,.0f} cycles"))
    return marks


def _lines(label: str, inches: float) -> str:
    """The label of an axis in lines that fit beside one of so many inches, at most four fifths of it."""
    points = FontProperties(size=matplotlib.rcParams["axes.labelsize"]).get_size_in_points()
    return fill(label, max(10, int(0.8 * inches / (0.6 * points / 72))))


def _look(number: int) -> tuple[str, str]:
    """Colour and marker of a curve; markers move on by one with each round, so that no early curve looks the same."""
    return f"C{number}", MARKERS[(number + number // len(MARKERS)) % len(MARKERS)]


def _legend_columns(width: float, names: Sequence[str], size: float) -> tuple[int, int]:
    """Columns of a legend as wide as a figure (inches), and characters that fit into the line of one.

    >>> _legend_columns(7.2, ["torus:8x8, torus.dateline"] * 4, 9.5), _legend_columns(7.2, ["a" * 200] * 2, 9.5)
    ((2, 37), (1, 83))
    """
    letter, mark = 0.6 * size / 72, 0.6
    columns = max(1, min(3, len(names), int(width / (letter * max(map(len, names)) + mark))))
    return columns, max(20, int((width / columns - mark) / letter))
