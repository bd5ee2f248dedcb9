"""`jumpnet plot STUDY`: latency over accepted load of every curve of a study, as a picture."""

from __future__ import annotations

from pathlib import Path

import typer

from jumpnet.cli._files import picture, write
from jumpnet.cli._options import StoreFile, StudyFile
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.plot.curves import draw_curves, panel_count
from jumpnet.plot.figure import render
from jumpnet.sim.result import LATENCIES
from jumpnet.study.results import rows

NAME = "plot"
EXAMPLE = "jumpnet plot small.toml --out small.svg"
CURVE_SETTINGS = ("spec", "routing", "traffic", "injection", "packet_flits", "buffer_flits", "vcs", "seed")


def run(
    study: StudyFile,
    store: StoreFile = None,
    out: Path = typer.Option(
        None, help="Picture to write: .svg, .png or .pdf; the study's name with .svg if left out."
    ),
    latency: str = typer.Option("packet", help="Latency: packet, network (from the head's entry) or flit."),
) -> None:
    """Draw what a study has found so far."""
    path, kind = picture(out if out is not None else study.with_suffix(".svg"))
    if latency not in LATENCIES:
        raise unknown_name("latency", latency, LATENCIES)
    found = rows(study, store)
    if not found:
        raise JumpnetError(f"{study}: no finished points found; run `jumpnet sweep {study}` first")
    made = render(
        lambda figure: draw_curves(figure, found, CURVE_SETTINGS, study.stem, latency),
        name=study.stem,
        size_inches=(4.0 + 3.2 * panel_count(found, CURVE_SETTINGS), 5.0),
        formats=(kind,),
    )
    write(path, made[kind])
    print(f"{len(found)} points in {path}")
