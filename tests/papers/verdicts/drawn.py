"""The numbers in a picture, read back from Matplotlib line by line and held against the figure's columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer
from matplotlib.figure import Figure as Picture

from jumpnet.report._section import Figure

Point = tuple[float, float]


class Line(NamedTuple):
    """A line as the columns say it."""

    panel: int
    label: str
    """In the legend; empty where it has none."""
    points: Sequence[Point]
    band: Sequence[Point] = ()
    """The edges of the band around it."""


def columns(figure: Figure, x: str, end: str = "", panel: int = 0, scale: float = 1.0) -> Iterator[Line]:
    """Each column that ends so is a line of that name, beside it half widths or both edges of its band."""
    data = figure.data
    for name in data:
        if name == x or name.endswith(EDGES) or not name.endswith(end):
            continue
        at = [scale * value for value in data[x]]
        half = next((data[name + edge] for edge in HALF if name + edge in data), None)
        band = [data[name + edge] for edge in BOTH if name + edge in data]
        if half is not None:
            band = _around(data[name], half)
        edges = [(a, b) for edge in band for a, b in zip(at, edge, strict=True)]
        yield Line(panel, name.removesuffix(end), list(zip(at, data[name], strict=True)), edges)


def _around(middle: Sequence[Any], half: Sequence[Any]) -> list[list[Any]]:
    """Both edges of a band; without a width it lies on the line."""
    known = [0.0 if w is None or not math.isfinite(w) else w for w in half]
    return [[None if m is None else m + sign * w for m, w in zip(middle, known, strict=True)] for sign in (1, -1)]


def rows(figure: Figure, x: str, y: str, by: str = "", half: str = "", named: str = "{}") -> Iterator[Line]:
    """Each row is a point of the line that the column `by` names; without a name all are of one line."""
    data = figure.data
    names = data[by] if by else [""] * len(data[x])
    for name in dict.fromkeys(names):
        mine = [n for n, other in enumerate(names) if other == name]
        at, values = [data[x][n] for n in mine], [data[y][n] for n in mine]
        band = _around(values, [data[half][n] for n in mine]) if half else []
        edges = [(a, b) for edge in band for a, b in zip(at, edge, strict=True)]
        yield Line(0, named.format(name), list(zip(at, values, strict=True)), edges)


def degradation(figure: Figure) -> Iterator[Line]:
    """Two panels: mean route and saturation; the other figures stand in the tables only."""
    for panel, end in enumerate((" average_route", " saturation_load")):
        yield from columns(figure, "faults", end, panel)


def beside_a_full_map(figure: Figure) -> Iterator[Line]:
    """Two panels, time and traffic: a mark for each program, one below the other, for each directory."""
    for panel, end in enumerate((": execution time", ": traffic")):
        for name, values in figure.data.items():
            if name.endswith(end):
                yield Line(panel, name.removesuffix(end), [(value, place) for place, value in enumerate(values)])


def diameters(figure: Figure) -> Iterator[Line]:
    """A line for each cardinal number, and marks where a search confirms it."""
    yield from rows(figure, "line: nodes", "line: theorem_3", "line: n", named="n = {}")
    yield from rows(figure, "nodes", "diameter_by_search")


def messages(figure: Figure) -> Iterator[Line]:
    """Panels by protocol and what is counted, lines by entry; where the columns have no row, there is no message."""
    panels = [(counted, protocol) for counted in COUNTED for protocol in ("invalidate", "update")]
    data = figure.data
    for panel, (counted, protocol) in enumerate(panels):
        for entry, label in ENTRIES.items():
            found = {
                k: count
                for c, p, e, k, count in zip(*(data[name] for name in MESSAGES), strict=True)
                if (c, p, e) == (counted, protocol, entry)
            }
            if found:
                yield Line(panel, label, list(found.items()))


COUNTED = ("processors", "clusters of four")
MESSAGES = ("counted", "protocol", "entry", "destinations", "messages")
ENTRIES = {
    "line": "entry a line",
    "page never_cleared": "entry a page",
    "page valid_holders": "entry a page, valid holders",
}
HALF, BOTH = (" 95% band ±", " half width"), (" low", " high")
EDGES = (*HALF, *BOTH)
LOADS = partial(columns, x="multicasts per router and 1000 cycles")
EVALUATION = partial(
    rows, x="accepted_load", y="network_latency_mean_cycles", by="network", half="half_width_cycles"
)  # fmt: skip
CURVES: dict[str, Callable[[Figure], Iterator[Line]]] = {
    "srt-figure-7": partial(columns, x="nodes"),
    "srt-figure-8": partial(columns, x="nodes"),
    "srt-degradation": degradation,
    "srt-yield": partial(columns, x="density", scale=100.0),
    "srt-wafer-wiring": partial(columns, x="side", end=", tracks of a row"),
    **{f"rhbd-figure-9-{n}": messages for n in (1, 2, 3, 4)},
    "rhbd-figure-10": partial(columns, x="destinations"),
    "rhbd-figure-11": partial(columns, x="destinations"),
    "rhbd-figure-12": partial(columns, x="sigma (base links)"),
    "rhbd-answer-directories": beside_a_full_map,
    "rhbd-remake": partial(rows, x="cycles", y="unnecessary receivers", by="way"),
    "rhbd-simulated-acknowledges": LOADS,
    "rhbd-simulated-mixed": LOADS,
    "rhbd-simulated-multicast": LOADS,
    "rdt-figure-6a": diameters,
    "rdt-figure-6b": diameters,
    **dict.fromkeys(("rdt-figure-9", "rdt-figure-10", "rdt-figure-11", "rdt-65536"), EVALUATION),
    "rdt-assignments": partial(rows, x="local_distance", y="average_distance", named="every assignment{}"),
    "rdt-figure-1": partial(rows, x="x", y="y"),
    "rhbd-figure-4": partial(rows, x="x", y="y"),
}
"""Figures that are lines or points of a plane, by how their columns say them."""
ALSO = {
    "srt-yield": ("no spares",),
    "rhbd-figure-12": ("",),
    "rhbd-answer-directories": ("",),
    "rdt-assignments": ("two classes for each rank", "α", "least average", "best for local traffic"),
    "rdt-figure-1": ("", "a rank-1 torus", "a rank-2 torus"),
    **{f"rhbd-figure-9-{n}": tuple(ENTRIES.values()) for n in (1, 2, 3, 4)},
}
"""Lines that hold points besides those of the columns: what `drawings.jsonl` commits of them is compared."""
BARS = ("rhbd-execution-time",)
"""Figures whose columns are lengths of bars."""
OTHERWISE = {
    "a network: routers at places that a layout gives, the columns name routers, levels and ranks": (
        "srt-figure-1", "srt-figure-2a", "srt-figure-2b", "srt-figure-4", "srt-figure-5", "srt-figure-6",
        "rhbd-figure-1", "chip-figure-1", "rdn-figure-1", "rdn-figure-2", "rdn-figure-3", "rdn-figure-4",
        "rdn-figure-5", "rdn-figure-6", "rdt-figure-2", "rdt-figure-3", "rdt-figure-12", "rhbd-figure-3",
        "rhbd-figure-7",
    ),
    "wires and switches of a wafer or a line, as lines between places": (
        "srt-figure-3", "srt-figure-9", "srt-figure-10", "srt-figure-11", "srt-figure-12",
    ),
    "a way or a channel order drawn on a network": (
        "rdn-figure-7", "rdt-figure-4", "rdt-figure-5", "rdt-figure-13", "chip-figure-10", "chip-figure-14",
    ),
    "a tree or a territory: which routers are marked": (
        "rhbd-figure-5", "rhbd-figure-6", "rhbd-figure-8", "chip-figure-3", "chip-figure-4", "chip-figure-5",
        "chip-figure-6", "chip-figure-7", "chip-figure-8", "rdt-figure-14-prdt", "rdt-figure-14-rdt",
    ),
    "a block diagram or a model in words": (
        "rhbd-figure-2", "rhbd-figure-13", "chip-figure-2", "chip-figure-9", "chip-figure-11", "chip-figure-12",
        "chip-figure-13", "rdt-figure-7", "rdt-figure-8", "rdt-figure-15",
    ),
}  # fmt: skip
"""Figures that are no plot of their columns, by the reason: `drawings.jsonl` holds what is drawn."""


def picture(figure: Figure) -> Any:
    """The figure drawn."""
    drawn = Picture()
    figure.draw(drawn)
    return drawn


def _points(pairs: Iterable[Sequence[Any]]) -> list[Point]:
    """In order, to ten digits; what is not a number has no place."""
    known = ((float(x), float(y)) for x, y in pairs if None not in (x, y))
    return sorted((_digits(x), _digits(y)) for x, y in known if math.isfinite(x + y))


def _digits(value: float) -> float:
    return float(f"{value:.10g}")


Lines = dict[tuple[int, str], list[Point]]
"""Points by panel and label."""


def _said(figure: Figure) -> tuple[Lines, Lines]:
    """The lines of the columns, and the edges of their bands."""
    lines: Lines = {}
    bands: Lines = {}
    for line in CURVES[figure.name](figure):
        lines[line.panel, line.label] = _points(line.points)
        if line.band:
            bands[line.panel, line.label] = sorted(set(_points(line.band)))
    return lines, bands


def _drawn(figure: Figure) -> tuple[Lines, Lines]:
    """The lines of the picture, and the edges of the bands of their colours."""
    lines: Lines = {}
    bands: Lines = {}
    for panel, axes in enumerate(picture(figure).axes):
        colours = {}
        for line in axes.lines:
            label = "" if line.get_label().startswith("_") else line.get_label()
            lines.setdefault((panel, label), []).extend(_points(np.ma.filled(line.get_xydata(), np.nan)))
            colours[to_hex(line.get_color())] = label
        for part in axes.collections:
            assert isinstance(part, PolyCollection), part
            label = colours.get(to_hex(part.get_facecolor()[0]), "no line of its colour")
            corners = [corner for path in part.get_paths() for corner in path.vertices]
            bands[panel, label] = sorted({*bands.get((panel, label), ()), *_points(corners)})
    return {at: sorted(points) for at, points in lines.items()}, bands


def undrawn(figure: Figure) -> list[str]:
    """Where a picture is not what its columns say: lines by label, their points, their bands; bars by label."""
    if figure.name in BARS:
        bars = [part for part in picture(figure).axes[0].containers if isinstance(part, BarContainer)]
        lengths = {bars_.get_label(): [_digits(bar.get_width()) for bar in bars_] for bars_ in bars}
        said = {name: list(map(_digits, v)) for name, v in figure.data.items() if not isinstance(v[0], str)}
        return [f"{name}: {said.get(name)}, drawn {lengths.get(name)}" for name in _unlike(said, lengths)]
    if figure.name not in CURVES:
        return []
    found = []
    for kind, said, drawn in zip(("line", "band"), _said(figure), _drawn(figure), strict=True):
        for panel, label in _unlike(said, drawn):
            mine, there = said.get((panel, label), []), drawn.get((panel, label), [])
            missing, more = sorted(set(mine) - set(there)), sorted(set(there) - set(mine))
            if missing or label not in ALSO.get(figure.name, ()):
                found.append(
                    f"{kind} {label!r}: {len(mine)} points, {len(there)} drawn; {missing} not, {more} too many"
                )
    return found


def _unlike(one: dict[Any, Any], other: dict[Any, Any]) -> list[Any]:
    return [key for key in {**one, **other} if one.get(key) != other.get(key)]
