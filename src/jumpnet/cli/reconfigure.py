"""`jumpnet reconfigure`: a network on a wafer with defects: places, switch settings, traced wires, or why not."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from jumpnet.analysis.reconfigure import WaferNetwork, array_for, reconfigure
from jumpnet.cli._command.output import emit_json, number, print_figures, print_rows
from jumpnet.cli._options.files import picture
from jumpnet.cli._options.shared import AsJson
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.fault.array import STATES, WaferArray
from jumpnet.fault.certificate import cut_holds, gaps_hold, none_together, severed_holds
from jumpnet.fault.defects import DENSITY, DefectModel
from jumpnet.fault.method import methods
from jumpnet.fault.yields import BOUND, YieldPoint, wafer_yield
from jumpnet.files import write_bytes
from jumpnet.notices import counted
from jumpnet.spec import plain
from jumpnet.topology import build

NAME = "reconfigure"
PANEL = "Wafers and faults"
EXAMPLE = "jumpnet reconfigure srt2d:16 --density 0.03 --seed 4 --draw wafer.svg"


def _certificate(made: WaferNetwork) -> dict[str, Any] | None:
    """The method's own certificate, checked again; else faults without a path and elements whose wires fail."""
    found = made.configuration
    if found.repaired:
        return None
    if found.certificate is not None:
        why = dict(found.certificate)
        if why["kind"] == "cut":
            why["checked"] = cut_holds(found.array, found.bad, why)
        elif why["kind"] in ("conflict", "lines"):
            why["checked"] = none_together(found.array, found.bad, why, found.breaks)
        elif found.breaks is not None:
            holds = severed_holds if why["kind"] == "severed" else gaps_hold
            why["checked"] = holds(found.array, found.breaks, why)
        return why
    index = np.arange(found.wires.east.size).reshape(found.wires.east.shape)
    lost = (found.wires.east != np.roll(index, -1, 1)) | (found.wires.south != np.roll(index, -1, 0))
    elements = np.argwhere(lost).tolist()
    return {"kind": "unmatched", "faults": found.unrepaired.tolist(), "unwired": elements, "final": False}


def _row(made: WaferNetwork) -> dict[str, Any]:
    found = made.configuration
    array = found.array
    row: dict[str, Any] = {
        "spec": made.network.spec,
        "method": found.method,
        "array": list(array.shape),
        "spares": {"north": array.north, "east": array.east, "south": array.south, "west": array.west},
        "tracks": array.tracks,
        "area_ratio": array.area_ratio,
        "defects": int(found.bad.sum()),
        "core_faults": len(found.faults),
        "broken_switches": 0 if found.breaks is None else found.breaks.count,
        "repaired": made.repaired,
        "verified": found.verified,
        "isomorphic": made.isomorphic,
        "longest_wire": made.longest_wire if made.repaired else None,
        "longest_base_wire": found.wires.longest if made.repaired else None,
        "added_segments_max": int(made.added_segments.max()) if made.repaired else None,
        "added_segments_mean": float(made.added_segments.mean()) if made.repaired else None,
        "turned_switches": int((found.row_switches > 1).sum() + (found.column_switches > 1).sum()),
        "unrepaired": found.unrepaired.tolist(),
        "certificate": _certificate(made),
        "paths": found.paths(),
    }
    row["mapping"] = found.place.reshape(-1, 2).tolist()
    row["switches"] = {
        "states": STATES,
        "horizontal_links": found.row_switches.tolist(),
        "vertical_links": found.column_switches.tolist(),
    }
    row["bypass"] = [
        {"axis": axis, "spans": bunch.span.tolist(), "connect": bunch.connect.astype(int).tolist()}
        for axis, bunch in zip(("row", "column"), made.bunches, strict=True)
        if bunch.span.size
    ]
    return row


def _why(certificate: dict[str, Any]) -> str:
    """A certificate in words."""
    if certificate["kind"] == "cut":
        enclosed, cut, region = (len(certificate[key]) for key in ("enclosed", "elements", "region"))
        which = "no configuration with rows and columns in order" if certificate["moves"] == "any" else "no shifting"
        return (
            f"{counted(region, 'logical element')} with {counted(enclosed, 'fault')} among them have only "
            f"{counted(cut, 'element')} to leave by: {which} can mend it"
        )
    if certificate["kind"] == "blocked":
        gaps = " and ".join(
            f"{name} {', '.join(map(str, certificate[name][:8]))}" for name in ("columns", "rows") if certificate[name]
        )
        return f"no choice of tracks gets all wires over the gap after physical {gaps}, where nothing shifts"
    if certificate["kind"] in ("lines", "severed"):
        lines = " and ".join(
            f"{name} {', '.join(map(str, certificate[name][:8]))}" for name in ("rows", "columns") if certificate[name]
        )
        if certificate["kind"] == "severed":
            return f"a link or switch is broken beside a spare of logical {lines}: no shifting can mend it"
        return f"no straight paths serve logical {lines} together"
    faults = ", ".join(f"({x}, {y})" for x, y in certificate["faults"][:8])
    more = " ..." if len(certificate["faults"]) > 8 else ""
    if certificate["kind"] == "conflict":
        return f"no straight paths serve these faults together: {faults}{more}"
    if not faults:
        unwired = ", ".join(f"({i}, {j})" for i, j in certificate["unwired"][:8])
        return f"wires from logical {unwired} do not arrive (--method exact says whether there is a way)"
    return f"no path found for {faults}{more} (--method exact says whether there is one)"


def _show(row: dict[str, Any]) -> None:
    skip = ("mapping", "switches", "bypass", "paths", "unrepaired", "certificate", "spares")
    cells = [(k, "x".join(map(str, v)) if k == "array" else v) for k, v in row.items() if k not in skip]
    print_figures(f"{row['spec']} on a wafer", cells)
    if row["certificate"]:
        print(_why(row["certificate"]))


def _draw(made: WaferNetwork, file: Path, kind: str) -> None:
    from jumpnet.plot.figure import render
    from jumpnet.plot.wafer import wafer_drawer, wafer_size_inches

    found = made.configuration
    drawer, size = wafer_drawer(found, made.network.spec), wafer_size_inches(found.array)
    write_bytes(file, render(drawer, name=made.network.spec, size_inches=size, formats=(kind,))[kind])


def _yield_row(spec: str, point: YieldPoint) -> dict[str, Any]:
    return {
        "spec": spec,
        "method": point.method,
        "density": point.density,
        "link_density": point.link_density,
        "switch_density": point.switch_density,
        "track_density": point.track_density,
        "pattern": point.pattern,
        "wafers": point.wafers,
        **point.figures(),
    }


def _densities(text: str, several: bool) -> list[float]:
    """The numbers of --density, more than one only where yields are asked for; none where it is left out."""
    if not text:
        return []
    try:
        found = [float(plain(word)) for word in text.split(",")]
    except ValueError:
        raise JumpnetError(f"--density {text!r} found, a number expected, or with --wafers such as 0.01,0.02") from None
    if len(found) > 1 and not several:
        raise JumpnetError(f"--density {text!r} without --wafers found, one number expected")
    return found


def _curves(points: list[YieldPoint], spec: str, file: Path, kind: str) -> None:
    from jumpnet.plot.figure import render
    from jumpnet.plot.yields import yield_drawer

    array, by_method = points[0].array, dict[str, list[YieldPoint]]()
    for point in sorted(points, key=lambda point: point.density):
        by_method.setdefault(point.method, []).append(point)
    title = f"{spec}, area x{array.area_ratio:.3f}, {array.tracks} track{'s' * (array.tracks > 1)}"
    write_bytes(file, render(yield_drawer(by_method, title), name=spec, formats=(kind,))[kind])


def _yields(
    spec: str,
    array: WaferArray,
    method: str,
    densities: list[float],
    drawing: tuple[Path, str] | None,
    as_json: bool,
    wafers: int,
    **drawn: Any,
) -> None:
    """A row of yield for each density and the method, or each method and the bound with `all`; and the curves."""
    known = [*methods(), BOUND]
    if method not in (*known, "all"):
        raise unknown_name("reconfiguration method", method, [*known, "all"])
    names = known if method == "all" else [method]
    points = [wafer_yield(array, density, wafers, method=name, **drawn) for density in densities for name in names]
    if drawing:
        _curves(points, spec, *drawing)
    rows = [_yield_row(spec, point) for point in points]
    if as_json:
        emit_json(rows)
    else:
        columns = ["density", "method", "wafers", "repaired", "yield", "low", "high", "yield_per_area"]
        cells = [[number(r[c], ".4f") if isinstance(r[c], float) else r[c] for c in columns] for r in rows]
        of_breaks = zip(("link", "switch", "track"), DefectModel(**drawn).of_breaks, strict=True)
        broken = "".join(f", {density:.2%} {what} breaks" for what, density in of_breaks if density)
        print_rows(f"{spec}{broken}, area x{array.area_ratio:.3f}, 95 % band", columns, cells)


@dataclass(frozen=True)
class Spares:
    """The array: spare lines and tracks round the core."""

    spares: Annotated[int, typer.Option("--spares", help="Spare lines on each side.")] = 1
    sides: Annotated[str, typer.Option("--sides", help="Sides with spare lines, e.g. ES.")] = "NESW"
    tracks: Annotated[int, typer.Option("--tracks", help="Tracks between elements, 1 or 2.")] = 1


@dataclass(frozen=True)
class Defects:
    """What is broken, as a map or drawn at random."""

    file: Annotated[
        str,
        typer.Option(
            "--defects", help="Defect map of the whole array: .csv, .json or .png; drawn at random if left out."
        ),
    ] = ""
    density: Annotated[
        str,
        typer.Option(
            "--density", help=f"Mean fraction of defective elements, {DENSITY} if left out; several with --wafers."
        ),
    ] = ""
    link_density: Annotated[
        float, typer.Option("--link-density", help="Probability of a broken link, when defects are drawn.")
    ] = 0.0
    switch_density: Annotated[
        float, typer.Option("--switch-density", help="Probability of a broken switch, when defects are drawn.")
    ] = 0.0
    track_density: Annotated[
        float, typer.Option("--track-density", help="Probability of a broken piece of track, when defects are drawn.")
    ] = 0.0
    pattern: Annotated[str, typer.Option("--pattern", help="How defects are drawn: random or clustered.")] = "random"
    seed: Annotated[int, typer.Option("--seed", help="Seed of the drawn defects.")] = 1

    def drawn(self) -> dict[str, Any]:
        """What was said of how defects are drawn, but for the density of elements."""
        said = (each for each in fields(DefectModel) if each.name != "density")
        return {each.name: found for each in said if (found := getattr(self, each.name)) != each.default}


def run(
    defects: Defects,
    array: Spares,
    spec: str = typer.Argument(..., metavar="SPEC", help="Two-dimensional network, e.g. srt2d:16 or torus:8x8."),
    method: str = typer.Option(
        "local", "--method", help="Method: local, graph or exact; with --wafers also all and bound."
    ),
    wafers: int = typer.Option(
        0, "--wafers", help="Measure the yield over this many wafers, with its confidence band, instead of one wafer."
    ),
    draw: str = typer.Option(
        "", "--draw", help="Picture of the wafer, or of the yield curves, to write: .svg, .png or .pdf."
    ),
    as_json: AsJson = False,
) -> None:
    """Reconfigure a wafer with defective elements, links and switches into a working network, and check every wire."""
    densities, drawing = _densities(defects.density, wafers != 0), picture(draw) if draw else None
    if wafers:
        if defects.file:
            raise JumpnetError("--wafers and --defects found, one of them expected")
        net = build(spec)
        made = array_for(net, array.spares, array.sides, array.tracks)
        _yields(net.spec, made, method, densities or [DENSITY], drawing, as_json, wafers, **defects.drawn())
        return
    if method in ("all", BOUND):
        raise JumpnetError(f"--method {method} found without --wafers")
    found = reconfigure(
        spec,
        defects.file or None,
        method=method,
        spares=array.spares,
        sides=array.sides,
        tracks=array.tracks,
        **({"density": densities[0]} if densities else {}),
        **defects.drawn(),
    )
    if drawing:
        _draw(found, *drawing)
    row = _row(found)
    if as_json:
        emit_json([row])
    else:
        _show(row)
