"""`jumpnet plot STUDY`: latency over accepted load of every curve of a study, or what its other points found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import typer

from jumpnet.cli._files import picture, write
from jumpnet.cli._options import AsJson, StoreFile, StudyFile
from jumpnet.cli._output import emit_json
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.plot.curves import LoadAxis, draw_curves, panel_count
from jumpnet.plot.figure import read_style, render
from jumpnet.plot.points import Panel, draw_points
from jumpnet.sim.result import LATENCIES
from jumpnet.study.kinds import kinds
from jumpnet.study.results import must_be_named, plan_and_rows

NAME = "plot"
EXAMPLE = "jumpnet plot small.toml --out small.svg"
LOADS = ("accepted", "offered")
UNITS = {"terminal": "terminal", "link": "link", "port": "port", "length": "unit of wire length"}
"""What loads may be shared out to, and what the axis calls it."""
CURVE_SETTINGS = ("spec", "routing", "traffic", "injection", "packet_flits", "buffer_flits", "vcs", "seed")


def _simulated(row: dict[str, Any]) -> bool:
    return row.get("kind") in (None, "simulate")


@cache
def _terminals_of_each(spec: str, unit: str) -> float:
    """Terminals of a network for each of its links, ports or link lengths (tiles of the grid layout)."""
    from jumpnet.graph.layout import grid_wiring
    from jumpnet.topology import build

    net = build(spec)
    counts: dict[str, Callable[[], float]] = {
        "link": lambda: net.links,
        "port": lambda: 2 * net.links + 2 * net.endpoints,
        "length": lambda: float(grid_wiring(net).length),
    }
    found = counts[unit]()
    if not found:
        raise JumpnetError(f"--per {unit} found, but {spec} has no link: --per terminal expected")
    return net.endpoints / found


def _axis(over: str, log: bool, per: str) -> LoadAxis:
    if over not in LOADS:
        raise unknown_name("load to draw over", over, LOADS)
    if per not in UNITS:
        raise unknown_name("unit of load", per, UNITS)
    share = (lambda spec: 1.0) if per == "terminal" else partial(_terminals_of_each, unit=per)
    return LoadAxis(f"{over}_load", log, UNITS[per], share)


def _drawer(
    found: Sequence[dict[str, Any]], title: str, latency: str, axis: LoadAxis
) -> tuple[Callable[[Any], None], int]:
    """What fills the figure, and its number of panels: curves where there are any, else a panel for each kind."""
    if _simulated(found[0]):
        panels = panel_count(found, CURVE_SETTINGS)
        return lambda figure: draw_curves(figure, found, CURVE_SETTINGS, title, latency, axis), panels
    names = dict.fromkeys(row["kind"] for row in found)
    drawn = [Panel(name, *kinds()[name].axes, ("spec", *kinds()[name].settings)) for name in names]
    return lambda figure: draw_points(figure, found, drawn, title), len(drawn)


def run(
    study: StudyFile,
    store: StoreFile = None,
    out: Path = typer.Option(
        None, help="Picture to write: .svg, .png or .pdf; the study file's name with .svg if left out."
    ),
    latency: str = typer.Option("packet", help="Latency: packet, network (from the head's entry) or flit."),
    over: str = typer.Option("accepted", help="Load across: accepted or offered."),
    log: bool = typer.Option(False, "--log", help="Latency on a logarithmic axis."),
    per: str = typer.Option(
        "terminal",
        help="What loads are shared out to, for networks of unlike cost: terminal, link, port (both ends of every "
        "link, those to terminals too) or (wire) length.",
    ),
    title: str = typer.Option("", help="Title; that of the study, or its name, if left out."),
    style: str = typer.Option("", help="Matplotlib style: a file .mplstyle or a name, e.g. ggplot."),
    as_json: AsJson = False,
) -> None:
    """Draw what a study has found so far."""
    must_be_named(study)
    path, kind = picture(out if out is not None else study.with_suffix(".svg"))
    if latency not in LATENCIES:
        raise unknown_name("latency", latency, LATENCIES)
    axis, chosen = _axis(over, log, per), read_style(style) if style else None
    plan, found = plan_and_rows(study, store)
    if not found:
        raise JumpnetError(f"{study}: no finished points found; run `jumpnet sweep {study}` first")
    drawn = [row for row in found if _simulated(row)] or found
    draw, panels = _drawer(drawn, title or plan.title or plan.name, latency, axis)
    made = render(draw, name=study.stem, size_inches=(4.0 + 3.2 * panels, 5.0), formats=(kind,), style=chosen)
    write(path, made[kind])
    if as_json:
        return emit_json([{"file": str(path), "points": len(drawn), "left_out": len(found) - len(drawn)}])
    left = f"; {len(found) - len(drawn)} of other kinds left out" if len(drawn) < len(found) else ""
    print(f"{len(drawn)} points in {path}{left}")
