"""Latency over load of several networks and routings in one command: `jumpnet simulate SPEC SPEC --load 0.05..0.9`.

A study without a file: points are run on all cores, each up to the first load that saturates, and are kept and found
again. Used by the verb `simulate`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jumpnet.cli._command.output import emit_json, give_or_take, print_rows, printable
from jumpnet.cli._options.files import picture
from jumpnet.cli._options.shared import WITHOUT, names_from, only_with
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.files import write_bytes
from jumpnet.jit.cache import cache_folder
from jumpnet.lab.curve import curve
from jumpnet.notices import counted
from jumpnet.spec import plain

if TYPE_CHECKING:
    from jumpnet.cli._options.simulate import Output, Run
    from jumpnet.networks import Network
    from jumpnet.plot.curves import LoadAxis

__all__ = ["LoadAxes", "is_curve", "parts_of", "run_curves"]

STEPS = 10
"""Loads of a range that says no number."""
LEAST = 6
"""Loads below saturation that a curve of such a range has at least."""
MOST_LOADS = 1000
HEADS = ("load", "accepted load", "packet latency (cycles)", "saturated")
CURVE_SETTINGS = ("spec", "routing", "traffic")
RESOURCES = ("vcs",)
"""Settings that each routing may have set for itself: shown where curves differ in them."""


@dataclass(frozen=True)
class LoadAxes:
    """The axes of a picture of latency over load."""

    over: Annotated[
        str,
        typer.Option(
            "--over",
            help="Load on the horizontal axis: accepted or offered.",
            autocompletion=names_from("jumpnet.plot.axis", "LOADS"),
        ),
    ] = "accepted"
    per: Annotated[
        str,
        typer.Option(
            "--per",
            help="Unit that loads are divided by, to compare networks of unlike cost: terminal, link, port, pin (both "
            "ends of every link, those to terminals too) or length (of wire as drawn, in distances between the nearest "
            "two routers).",
            autocompletion=names_from("jumpnet.plot.axis", "UNITS"),
        ),
    ] = "terminal"
    log: Annotated[bool, typer.Option("--log", help="Latency on a logarithmic axis.")] = False

    def options(self) -> dict[str, bool]:
        """Which of its options differ from the defaults, by name."""
        return {"--over": self.over != "accepted", "--per": self.per != "terminal", "--log": self.log}

    def axis(self, networks: Mapping[str, Network] = MappingProxyType({})) -> LoadAxis:
        """The axes as `plot` draws them. Raises JumpnetError for words that name none.

        networks: by spec, those whose spec does not say how to build them.
        """
        from jumpnet.plot.axis import load_axis

        return load_axis(self.over, self.per, self.log, networks)


def is_curve(specs: list[str], load: str, plot: str) -> bool:
    """Whether more than one point is asked for, or a picture.

    >>> is_curve(["torus:8x8"], "0.1", ""), is_curve(["torus:8x8"], "0.1..0.5", "")
    (False, True)
    """
    return len(specs) > 1 or bool(plot) or ".." in load or "," in load or any(parts_of(spec)[1] for spec in specs)


def parts_of(spec: str) -> tuple[str, str]:
    """A network and the routing that it names, empty where it names none; names of files may hold any sign.

    >>> parts_of("torus:8x8@torus.duato"), parts_of("file:a@b.anynet")
    (('torus:8x8', 'torus.duato'), ('file:a@b.anynet', ''))

    Raises JumpnetError where nothing follows the `@`.
    """
    network, at, routing = (spec, "", "") if spec.startswith("file:") else spec.partition("@")
    if at and not routing:
        raise JumpnetError(f"{spec} found, a routing expected after the @")
    return network, routing


def store_at(fresh: bool) -> Path | None:
    """Where the points are kept: with the user's other files; None for this run alone, or where nothing can be kept."""
    place = cache_folder().with_name("curves.sqlite")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return None if fresh else place


def loads_of(text: str) -> tuple[float, ...]:
    """The loads that `0.1`, `0.1,0.2`, `0.1..0.5` or `0.1..0.5/9` (so many) name, rising.

    >>> loads_of("0.1..0.5/3"), loads_of("0.3,0.1")
    ((0.1, 0.3, 0.5), (0.1, 0.3))
    """
    expected = "loads such as 0.1,0.2 or 0.05..0.9 or 0.05..0.9/20 expected"
    first, dots, rest = text.partition("..")
    last, slash, count = rest.partition("/")
    try:
        steps = int(plain(count)) if slash else STEPS
        ends = [float(plain(word)) for word in ((first, last) if dots else text.split(","))]
    except ValueError:
        raise JumpnetError(f"--load {text!r} found, {expected}") from None
    if any(not 0.0 < end <= 1.0 for end in ends) or (dots and (ends[0] >= ends[1] or not 2 <= steps <= MOST_LOADS)):
        raise JumpnetError(f"--load {text!r} found, {expected}, rising, above 0 and up to 1")
    if dots:
        ends = [ends[0] + (ends[1] - ends[0]) * step / (steps - 1) for step in range(steps)]
    places = 4 if dots and ends[1] - ends[0] >= 0.01 else 6  # a load is a name too
    return tuple(sorted({round(end, places) for end in ends}))


def run_curves(
    specs: list[str],
    routing: str,
    run: Run,
    axes: LoadAxes,
    output: Output,
    fresh: bool,
    settings: dict[str, Any],
    left: Network | None = None,
) -> None:
    """Run the points that are not there yet; print them, and draw them into the file of `output`.

    A spec may name its routing, `torus:8x8@torus.duato`; others get `routing`, or the default of their family. left:
    what is simulated in place of the one network, whose points are not kept.
    """
    only_with("--plot", {} if output.plot else axes.options())
    drawn = picture(Path(output.plot)) if output.plot else None
    axis = axes.axis({left.spec: left} if left is not None else {}) if drawn is not None else None
    if not run.loads:
        raise JumpnetError("no --load found, loads such as 0.05..0.9 expected for curves")
    if left is not None:
        own = parts_of(specs[0])[1] or routing
        found = curve(left, loads_of(run.loads), own or WITHOUT, name=run.preset, **settings).rows()
    else:
        found = _kept_points(specs, routing, run, fresh, settings)
    _show(found, output.as_json)
    if drawn is not None:
        _draw(found, axis, *drawn)
        if not output.as_json:
            print(printable(f"{counted(len(found), 'point')} in {drawn[0]}"))


def _kept_points(
    specs: list[str], routing: str, run: Run, fresh: bool, settings: dict[str, Any]
) -> list[dict[str, Any]]:
    """The points of the curves, those that are kept among them."""
    from jumpnet.cli._answers.sweep_display import SweepDisplay
    from jumpnet.study.plan import Curve, RisingLoads
    from jumpnet.study.quick import run_curves as run_points
    from jumpnet.study.settings import PRESETS

    if run.preset not in PRESETS:
        raise unknown_name("preset", run.preset, PRESETS)
    counted_out = "/" in run.loads or ".." not in run.loads
    rising = RisingLoads(loads=loads_of(run.loads), points=0 if counted_out else LEAST)
    curves = []
    for spec in specs:
        network, own = parts_of(spec)
        point = {"network": network, **PRESETS[run.preset], **settings}
        if own or routing:
            point["routing"] = own or routing
        curves.append(Curve(point, rising))
    display = SweepDisplay("simulate")
    with display.shown():
        return run_points(curves, store_at(fresh), show=display.show).rows()


def _show(found: list[dict[str, Any]], as_json: bool) -> None:
    """The points, those of a curve side by side."""
    if as_json:
        emit_json([{key: value for key, value in row.items() if not isinstance(value, list | dict)} for row in found])
        return
    columns = _names(found)
    rows = []
    for row in found:
        latency, width = (row[f"packet_latency_{figure}_cycles"] for figure in ("mean", "half_width"))
        figures = (row["load"], row["accepted_load"], give_or_take(latency, width), row["saturated"])
        rows.append([*(row[key] for key in columns), *figures])
    print_rows("jumpnet simulate", [*columns, *HEADS], rows)


def _names(found: list[dict[str, Any]]) -> list[str]:
    """The settings that name a curve: what it costs too, where that differs."""
    return [*CURVE_SETTINGS, *(key for key in RESOURCES if len({row[key] for row in found}) > 1)]


def _draw(found: list[dict[str, Any]], axis: Any, path: Path, kind: str) -> None:
    """Latency over load, a line for each curve."""
    from jumpnet.plot.curves import draw_curves, panel_count, shared_name
    from jumpnet.plot.figure import render

    names = _names(found)
    panels = panel_count(found, names)
    made = render(
        lambda figure: draw_curves(figure, found, names, shared_name(found), "packet", axis),
        name=path.stem,
        size_inches=(4.0 + 3.2 * panels, 5.0),
        formats=(kind,),
    )
    write_bytes(path, made[kind])
