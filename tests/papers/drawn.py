"""The numbers in a picture, read back from Matplotlib and held against the figure's columns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from matplotlib import collections, lines, patches
from matplotlib.figure import Figure as Picture

from jumpnet.paper._section import Figure

EVALUATION = {"accepted_load": ("network_latency_mean_cycles",)}
MESSAGES = {"destinations": ("messages",)}
LOADS = "multicasts per router and 1000 cycles"
CURVES: dict[str, dict[str, tuple[str, ...]]] = {
    "srt-figure-7": {"nodes": ()}, "srt-figure-8": {"nodes": ()},
    "srt-degradation": {"faults": ()}, "srt-yield": {"density": ()}, "srt-wafer-wiring": {"side": ()},
    "rhbd-figure-9-1": MESSAGES, "rhbd-figure-9-2": MESSAGES, "rhbd-figure-9-3": MESSAGES, "rhbd-figure-9-4": MESSAGES,
    "rhbd-figure-10": {"destinations": ()}, "rhbd-figure-11": {"destinations": ()},
    "rhbd-figure-12": {"sigma (base links)": ()},
    "rhbd-remake": {"cycles": ("unnecessary receivers",)},
    "rhbd-simulated-acknowledges": {LOADS: ()}, "rhbd-simulated-mixed": {LOADS: ()},
    "rhbd-simulated-multicast": {LOADS: ()},
    "rdt-figure-6a": {"line: nodes": ("line: theorem_3",), "nodes": ("diameter_by_search",)},
    "rdt-figure-6b": {"line: nodes": ("line: theorem_3",), "nodes": ("diameter_by_search",)},
    "rdt-figure-9": EVALUATION, "rdt-figure-10": EVALUATION, "rdt-figure-11": EVALUATION, "rdt-65536": EVALUATION,
    "rdt-assignments": {"local_distance": ("average_distance",)},
    "rdt-figure-1": {"x": ("y",)}, "rhbd-figure-4": {"x": ("y",)},
}  # fmt: skip
"""Figures that are points of a plane: the columns of each abscissa; none named: every other column is one."""
BARS = ("rhbd-execution-time",)
"""Figures whose columns are lengths of bars."""
NOT_DRAWN = {
    " load_shift": "in the table of degradation: two panels are drawn, mean route and saturation",
    " reachable": "in the table of degradation likewise",
    " tracks of a column": "only the tracks beside a row are drawn",
}
"""Ends of columns that stand in the CSV only."""
SCALE = {"srt-yield": 100.0}
"""The abscissa is drawn so many times larger: in per cent."""
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
"""Figures that are no plot of their columns, by the reason."""
BANDS = (" 95% band ±", " half width")
Point = tuple[float, float]


def picture(figure: Figure) -> Any:
    """The figure drawn."""
    drawn = Picture()
    figure.draw(drawn)
    return drawn


def points(drawn: Any) -> set[Point]:
    """Every point of lines, scattered marks and bands, to ten digits."""
    found: set[Point] = set()
    for part in drawn.findobj():
        if isinstance(part, lines.Line2D):
            found |= _rounded(part.get_xydata())
        elif isinstance(part, collections.PathCollection):
            found |= _rounded(part.get_offsets())
        elif isinstance(part, collections.PolyCollection | collections.LineCollection):
            for path in part.get_paths():
                found |= _rounded(path.vertices)
    return found


def _rounded(pairs: Any) -> set[Point]:
    return {(_digits(x), _digits(y)) for x, y in np.ma.filled(np.ma.asarray(pairs, dtype=float), np.nan)}


def _digits(value: float) -> float:
    return float(f"{value:.10g}")


def lengths(drawn: Any) -> set[float]:
    """The lengths of all bars, lying or standing."""
    bars = [part for part in drawn.findobj() if isinstance(part, patches.Rectangle)]
    return {_digits(size) for bar in bars for size in (bar.get_width(), bar.get_height())}


def undrawn(figure: Figure) -> list[str]:
    """The numbers of a figure's columns that its picture does not hold, by column."""
    if figure.name in BARS:
        there = lengths(picture(figure))
        columns = {name: values for name, values in figure.data.items() if _numbers(values)}
        return [f"{name}: {v}" for name, values in columns.items() for v in values if _digits(v) not in there]
    at = points(picture(figure)) if figure.name in CURVES else set()
    return [
        f"{name}: {pair}"
        for x, names in CURVES.get(figure.name, {}).items()
        for name, pair in _wanted(figure, x, names)
        if pair not in at
    ]


def _numbers(values: Sequence[Any]) -> bool:
    return not any(isinstance(value, str) for value in values)


def _wanted(figure: Figure, x: str, names: tuple[str, ...]) -> Iterator[tuple[str, Point]]:
    """The points that the columns say, those at the edges of bands too; what is not a number has none."""
    scale = SCALE.get(figure.name, 1.0)
    for name in names or [name for name in figure.data if name != x]:
        if name.endswith(tuple(NOT_DRAWN)) or name.removesuffix(" half width").endswith(tuple(NOT_DRAWN)):
            continue
        middle = next((name.removesuffix(end) for end in BANDS if name.endswith(end)), "")
        around = figure.data[middle] if middle else [0.0] * len(figure.data[name])
        for at, value, centre in zip(figure.data[x], figure.data[name], around, strict=True):
            if None in (value, centre) or not math.isfinite(value + centre):
                continue
            for sign in (1, -1) if middle else (1,):
                yield name, (_digits(scale * at), _digits(centre + sign * value))
