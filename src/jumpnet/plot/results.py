"""Pictures of the results of the Python face: `result.plot()`. What has no picture of its own is drawn as a table.

`drawing` is found by a result's class; parts above this one register theirs. Called by `api.shown.Shown.plot`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, singledispatch
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.analysis.routes.paths import PathFigures, Route
from jumpnet.api.shown import PLAIN, Shown, ShownCurves, short
from jumpnet.errors import unknown_name
from jumpnet.files import write_bytes
from jumpnet.graph.bisection import Bisection
from jumpnet.graph.metrics import Metrics
from jumpnet.notices import counted
from jumpnet.plot.axis import load_axis
from jumpnet.plot.curves import draw_curves, panel_count, shared_name
from jumpnet.plot.cycle import cycle_drawer
from jumpnet.plot.degradation import degradation_drawer
from jumpnet.plot.draw import drawer, size_inches
from jumpnet.plot.figure import render
from jumpnet.plot.formats import Picture, picture_format
from jumpnet.sim.result.point import LATENCIES, Result
from jumpnet.study.degrade import Degradation
from jumpnet.study.settings import varied

__all__ = ["Drawing", "drawing", "picture_of", "picture_of_curves"]

CURVE_SETTINGS = ("spec", "routing", "traffic", "injection", "packet_flits", "buffer_flits", "vcs", "seed")
"""What tells curves in one picture apart."""
MOST_BARS = 200
"""More are one outline: single ones take seconds, and nobody tells them apart."""
MULTICASTS = ("multicast", "acknowledge")
"""Latencies of multicasts, which need not be among packets."""
MOST_ROWS, MOST_COLUMNS, MOST_CHARACTERS = 40, 8, 60
"""Of a table as a picture."""


class Drawing(NamedTuple):
    """How a result is drawn."""

    fill: Callable[[Any], None]
    """Fills a Matplotlib figure."""
    size: tuple[float, float] = (6.4, 4.0)
    """Inches."""


def picture_of(result: Shown, file: str | Path | None = None) -> bytes:
    """A result as SVG, or written to `file` in the format of its ending; raises JumpnetError for other endings."""
    kind = "svg" if file is None else picture_format(file)
    return _save(drawing(result), kind, file)


def picture_of_curves(
    result: ShownCurves, file: str | Path | None, *, over: str, per: str, log: bool, latency: str
) -> bytes:
    """Simulated points as latency over load; raises JumpnetError for axes and endings that there are not."""
    kind = "svg" if file is None else picture_format(file)
    rows, axis = result.rows(), load_axis(over, per, log, result.networks())
    if not rows:
        return _save(drawing(result), kind, file)
    known = [name for name in (*LATENCIES, *MULTICASTS) if f"{name}_latency_mean_cycles" in rows[0]]
    if latency and latency not in known:
        raise unknown_name("latency", latency, known)
    settings = tuple(dict.fromkeys([*CURVE_SETTINGS, *varied(rows)]))
    width = 4.0 + 3.2 * panel_count(rows, settings)
    fill = partial(
        draw_curves, rows=rows, settings=settings, title=shared_name(rows), latency=latency or known[0], kind=axis
    )
    return _save(Drawing(fill, (width, 5.0)), kind, file)


def _save(made: Drawing, kind: str, file: str | Path | None) -> bytes:
    """The picture's bytes in a format, written to `file` too where one is given."""
    picture = Picture(render(made.fill, name="result", size_inches=made.size, formats=(kind,))[kind])
    if file is not None:
        write_bytes(file, picture)
    return picture


@singledispatch
def drawing(result: Any) -> Drawing:
    """How a result is drawn: here its rows as a table, of one row its figures below each other."""
    rows = result.rows()
    if len(rows) == 1:
        cells = [[key, short(value)] for key, value in rows[0].items() if isinstance(value, PLAIN)]
        return _table(["", ""], cells)
    heads = list(dict.fromkeys(key for row in rows for key, value in row.items() if isinstance(value, PLAIN)))
    heads = heads[:MOST_COLUMNS]
    cells = [[short(row.get(head)) for head in heads] for row in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        cells.append([f"{len(rows) - MOST_ROWS} more", *[""] * (len(heads) - 1)])
    return _table(heads, cells)


def _table(heads: Sequence[str], cells: Sequence[Sequence[str]]) -> Drawing:
    """Lines of text in columns as wide as they need."""
    short_cells = [[cell[:MOST_CHARACTERS] for cell in row] for row in [heads, *cells]]
    widths = [max(map(len, column)) + 2 for column in zip(*short_cells, strict=True)] or [1]
    across, lines = sum(widths), len(short_cells)

    def fill(figure: Any) -> None:
        axes = figure.subplots()
        axes.axis("off")
        axes.set_xlim(0, across)
        axes.set_ylim(lines, 0)
        for line, row in enumerate(short_cells):
            at = 0
            for cell, width in zip(row, widths, strict=True):
                weight = "bold" if line == 0 else "normal"
                axes.text(at, line + 0.5, cell, va="center", family="monospace", weight=weight, parse_math=False)
                at += width

    return Drawing(fill, (max(2.0, 0.085 * across), max(1.0, 0.22 * lines)))


def _bars(title: str, across: str, upward: str, heights: Sequence[float], names: Sequence[str] = ()) -> Drawing:
    """Bars over 0, 1, 2, ... or over names."""

    def fill(figure: Any) -> None:
        axes = figure.subplots()
        if len(heights) > MOST_BARS:
            axes.stairs(heights, np.arange(len(heights) + 1) - 0.5, fill=True)
        else:
            axes.bar(range(len(heights)), heights)
        if names:
            axes.set_xticks(range(len(names)), names, parse_math=False)
        else:
            axes.xaxis.get_major_locator().set_params(integer=True)
        axes.set_xlabel(across)
        axes.set_ylabel(upward)
        axes.set_title(title, parse_math=False)

    return Drawing(fill)


@drawing.register
def _metrics(result: Metrics) -> Drawing:
    return _bars(result.spec, "distance (links)", "ordered pairs of routers", result.distance_counts)


@drawing.register
def _paths(result: PathFigures) -> Drawing:
    return _bars(f"{result.routing} on {result.spec}", "length of the route (links)", "routes", result.counts)


@drawing.register
def _bisection(result: Bisection) -> Drawing:
    found = {"at least": result.lower, "at most": result.upper}
    if result.straight_cut is not None:
        found["straight cut"] = result.straight_cut.links
    title = "bisection" if result.exact is None else f"bisection width {result.exact}"
    return _bars(title, "", "links", list(found.values()), list(found))


@drawing.register
def _route(result: Route) -> Drawing:
    net = result.network
    routers = [hop.router for hop in result] + [result.destination]
    title = f"{result.routing} on {net.spec}: {counted(len(result), 'link')}"
    return Drawing(drawer(net, routers, title), size_inches(net))


@drawing.register
def _proof(result: Proof) -> Drawing:
    if result.network is None or result.cycle is None:
        return drawing.dispatch(object)(result)
    return Drawing(cycle_drawer(result.network, result), (6.4, 6.4))


@drawing.register
def _result(result: Result) -> Drawing:
    counts = result.distributions()["packet_latency_histogram"]
    title = f"{result.routing} on {result.spec}, load {result.config.load:.4g}"
    return _bars(title, "packet latency (cycles)", "packets", counts)


@drawing.register
def _degradation(result: Degradation) -> Drawing:
    return Drawing(degradation_drawer({result[0]["spec"]: result}, result[0]["kind"]), (7.2, 4.0))
