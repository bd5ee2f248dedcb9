"""`jumpnet plot STUDY`: latency over accepted load of every curve of a study, or what its other points found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer

from jumpnet.cli._answers.curves import LoadAxes
from jumpnet.cli._command.output import emit_json, printable
from jumpnet.cli._options.files import picture
from jumpnet.cli._options.shared import AsJson, StoreFile, StudyFile, names_from
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.files import write_bytes
from jumpnet.notices import counted
from jumpnet.plot.curves import LoadAxis, draw_curves, panel_count
from jumpnet.plot.figure import read_style, render
from jumpnet.plot.points import Panel, draw_points
from jumpnet.sim.result.point import LATENCIES
from jumpnet.study.kinds import kinds
from jumpnet.study.results import must_be_named, plan_and_rows, store_path
from jumpnet.study.settings import varied

NAME = "plot"
PANEL = "Simulation and studies"
EXAMPLE = "jumpnet plot small.toml --out small.svg"
CURVE_SETTINGS = ("spec", "routing", "traffic", "injection", "packet_flits", "buffer_flits", "vcs", "seed")


def _simulated(row: dict[str, Any]) -> bool:
    return row.get("kind") in (None, "simulate")


def _odd(row: dict[str, Any], latency: str, axis: LoadAxis) -> str | None:
    """The first figure that drawing a point needs and that is not there, or is no number: the point was edited."""
    width = ""
    if _simulated(row):
        across, upward = axis.over, f"{latency}_latency_mean_cycles"
        width = upward.replace("mean", "half_width")
        if not isinstance(row.get("saturated"), bool):
            return "saturated"
    elif row["kind"] in kinds():
        across, upward = kinds()[row["kind"]].axes
    else:
        return "kind"
    if upward not in row:
        return upward
    needed = [across, upward] if row[upward] is not None else []
    needed += [width] if row.get(width) is not None else []
    return next((key for key in needed if not isinstance(row.get(key), int | float)), None)


def _must_be_drawable(rows: Sequence[dict[str, Any]], latency: str, axis: LoadAxis, store: Path) -> None:
    for row in rows:
        if key := _odd(row, latency, axis):
            raise JumpnetError(
                f"store {store}: point {row['hash']} has {row.get(key)!r} as `{key}`, nothing to draw; it was not "
                "written by jumpnet, and without it the next sweep runs the point again"
            )


def _drawer(
    found: Sequence[dict[str, Any]], title: str, latency: str, axis: LoadAxis
) -> tuple[Callable[[Any], None], int]:
    """What fills the figure, and its number of panels: curves where there are any, else a panel for each kind."""
    if _simulated(found[0]):
        settings = tuple(dict.fromkeys([*CURVE_SETTINGS, *varied(found)]))
        return lambda figure: draw_curves(figure, found, settings, title, latency, axis), panel_count(found, settings)
    names = dict.fromkeys(row["kind"] for row in found)
    drawn = [Panel(name, *kinds()[name].axes, ("spec", *kinds()[name].settings)) for name in names]
    return lambda figure: draw_points(figure, found, drawn, title), len(drawn)


def run(
    study: StudyFile,
    store: StoreFile = None,
    out: Path = typer.Option(
        None, help="Picture to write: .svg, .png or .pdf; the study file's name with .svg if left out."
    ),
    latency: str = typer.Option(
        "packet",
        help="Latency: packet, network (from the head's entry) or flit.",
        autocompletion=names_from("jumpnet.sim.result", "LATENCIES"),
    ),
    axes: LoadAxes = LoadAxes(),
    title: str = typer.Option("", help="Title; if left out, that of the study, or its name."),
    style: str = typer.Option("", help="Matplotlib style: a file .mplstyle or a name, e.g. ggplot."),
    as_json: AsJson = False,
) -> None:
    """Draw what a study has found so far."""
    must_be_named(study)
    path, kind = picture(out if out is not None else study.with_suffix(".svg"))
    if latency not in LATENCIES:
        raise unknown_name("latency", latency, LATENCIES)
    axis, chosen = axes.axis(), read_style(style) if style else None
    plan, found = plan_and_rows(study, store, some=True)
    drawn = [row for row in found if _simulated(row)] or found
    _must_be_drawable(drawn, latency, axis, store_path(study, store))
    draw, panels = _drawer(drawn, title or plan.title or plan.name, latency, axis)
    made = render(draw, name=study.stem, size_inches=(4.0 + 3.2 * panels, 5.0), formats=(kind,), style=chosen)
    write_bytes(path, made[kind])
    if as_json:
        return emit_json([{"file": str(path), "points": len(drawn), "left_out": len(found) - len(drawn)}])
    left = f"; {len(found) - len(drawn)} of other kinds left out" if len(drawn) < len(found) else ""
    print(printable(f"{counted(len(drawn), 'point')} in {path}{left}"))
