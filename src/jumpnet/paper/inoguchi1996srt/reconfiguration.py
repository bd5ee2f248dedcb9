"""Figures 9 to 12 of the SRT report: the fault-tolerance architecture and reconfigured arrays, from computed wafers.

The printed figures are lost; docs/decisions/0020 says how section 5 was read.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from jumpnet.analysis.reconfigure import WaferNetwork, array_for, on_wafer, reconfigure
from jumpnet.fault.array import EAST, STATES, WaferArray
from jumpnet.fault.configuration import configure
from jumpnet.fault.defects import from_places
from jumpnet.fault.method import methods
from jumpnet.fault.yields import BOUND, YieldPoint, wafer_yield
from jumpnet.paper._section import Cell, Figure, Golden, Progress, Section, Table
from jumpnet.topology import build

TITLE = "Figures 9 to 12: reconfiguration"
ORDER = 30

SPEC = "srt2d:8"
FAULT = (3, 5)
"""Physical place of the fault of Figures 11 and 12: the logical element in row 2, column 4, of level 2."""
ROW, COLUMN = 2, 4
FAULTS_10 = ((2, 4), (4, 2), (5, 2), (6, 7), (8, 5), (4, 6))
DENSITIES = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1)
WAFERS, FULL_WAFERS = 300, 2000
CORE = "torus:16x16"
LAYOUTS = (("E", 1, 1), ("ES", 1, 1), ("NESW", 1, 1), ("NESW", 1, 2), ("NESW", 2, 2))
"""Sides with spare lines, lines on each, tracks."""
METHOD_LAYOUTS = (*LAYOUTS[:4], ("NESW", 2, 1), LAYOUTS[4])
METHOD_SIDE, METHOD_DENSITIES, METHOD_WAFERS = 12, (0.04, 0.08), 60
SIDES, LAYOUT_DENSITIES, LAYOUT_WAFERS = (8, 16, 32), (0.005, 0.02, 0.05), 300


def _on_first_use(module: str, name: str, *args: Any) -> Any:
    """A drawing function whose file in `plot` is imported when it draws: a report without pictures needs none."""
    return lambda figure: getattr(import_module(module), name)(*args)(figure)


def _wafer(places: tuple[tuple[int, int], ...]) -> WaferNetwork:
    return reconfigure(SPEC, from_places(array_for(build(SPEC)), places), method="exact")


def _shifted_right() -> WaferNetwork:
    """The one fault of section 5.2, shifted to the right as the text has it."""
    net = build(SPEC)
    array = array_for(net)
    return on_wafer(net, configure(array, from_places(array, [FAULT]), np.array([EAST]), "shift right"))


def _switches(made: WaferNetwork) -> dict[str, list[Any]]:
    """The turned switches of a wafer as columns: links, gap, line, track, state."""
    found = made.configuration
    rows = [
        (name, g, x, t, STATES[states[g, x, t]])
        for name, states in (("horizontal", found.row_switches), ("vertical", found.column_switches))
        for g, x, t in zip(*(states > 1).nonzero(), strict=True)
    ]
    columns = ("links", "gap", "line", "track", "state")
    return {c: [row[k] if isinstance(row[k], str) else int(row[k]) for row in rows] for k, c in enumerate(columns)}


def _map(name: str, number: int, title: str, made: WaferNetwork, every_switch: bool = False) -> Figure:
    words = made.configuration, made.network.spec, every_switch
    draw = _on_first_use("jumpnet.plot.wafer", "wafer_drawer", *words)
    return Figure(name, title, f"inoguchi1996srt, Figure {number} (lost; redrawn)", draw, _switches(made))


def _levels(name: str, number: int, title: str, axis: int, ring: int, shown: list[tuple[str, WaferNetwork]]) -> Figure:
    draw = _on_first_use("jumpnet.plot.bunch", "bunch_drawer", shown, axis, ring)
    made = shown[-1][1]
    bunch, place = made.bunches[axis], made.configuration.place
    line = place[ring] if axis == 0 else place[:, ring]
    data: dict[str, list[Any]] = {"row": line[:, 0].tolist(), "column": line[:, 1].tolist()}
    for k, span in enumerate(bunch.span.tolist()):
        data[f"span {span}"] = ["connect" if c else "cross" for c in bunch.connect[ring, :, k].tolist()]
    return Figure(name, title, f"inoguchi1996srt, Figure {number} (lost; redrawn)", draw, data)


def _checks(cases: list[tuple[str, WaferNetwork]]) -> Table:
    rows: list[tuple[str, list[Cell | None]]] = []
    for name, made in cases:
        added = made.added_segments
        rows.append(
            (
                name,
                [
                    Cell(None, len(made.configuration.faults)),
                    Cell(None, "yes" if made.configuration.verified else "no"),
                    Cell(None, "yes" if made.isomorphic else "no"),
                    Cell(None, made.longest_wire),
                    Cell(None, int(added[-1])),
                    Cell(None, float(added.mean())),
                ],
            )
        )
    columns = (
        "faults",
        "every wire traced",
        f"traced links are {SPEC}",
        "longest link (segments)",
        "added, worst",
        "added, mean",
    )
    return Table("The reconfigured arrays", "inoguchi1996srt, section 5", columns, rows)


def _layout(sides: str, spares: int, tracks: int) -> str:
    """A spare layout in words."""
    return f"{spares} spare{'s' * (spares > 1)} on {sides}, {tracks} track{'s' * (tracks > 1)}"


def _methods(wafers: int) -> Table:
    """Yield of every method and the bound by spare layout, the same wafers for all."""
    rows: list[tuple[str, list[Cell | None]]] = []
    names = [*methods(), BOUND]
    for sides, spares, tracks in METHOD_LAYOUTS:
        array = WaferArray.around(METHOD_SIDE, METHOD_SIDE, spares, sides, tracks)
        for density in METHOD_DENSITIES:
            points = [wafer_yield(array, density, wafers, method=name) for name in names]
            cells = [Cell(None, f"{p.fraction:.3f} ({p.band[0]:.3f} to {p.band[1]:.3f})") for p in points]
            rows.append(
                (f"{_layout(sides, spares, tracks)}, {density:.0%} defective", [Cell(None, array.area_ratio), *cells])
            )
    title = f"Yield of all methods by spare layout, {METHOD_SIDE}x{METHOD_SIDE} ({wafers} wafers each)"
    note = f"`{BOUND}`: wafers with places enough for all elements, whether or not they can be wired."
    return Table(title, "ours; not in the paper", ["area", *names], rows, note)


def _layouts(wafers: int) -> Table:
    """Yield of the local method by size, spare layout and density, with Wilson's band, beside the area it costs."""
    rows: list[tuple[str, list[Cell | None]]] = []
    for side in SIDES:
        for sides, spares, tracks in LAYOUTS:
            array = WaferArray.around(side, side, spares, sides, tracks)
            points = [wafer_yield(array, d, wafers) for d in LAYOUT_DENSITIES]
            cells = [Cell(None, f"{p.fraction:.3f} ({p.band[0]:.3f} to {p.band[1]:.3f})") for p in points]
            gain = [Cell(None, p.per_area) for p in points[-1:]]
            rows.append(
                (f"{side}x{side}, {_layout(sides, spares, tracks)}", [Cell(None, array.area_ratio), *cells, *gain])
            )
    columns = [
        "area",
        *(f"yield at {d:.1%}" for d in LAYOUT_DENSITIES),
        f"yield per area at {LAYOUT_DENSITIES[-1]:.1%}",
    ]
    title = f"Yield of the local method by size and spare layout ({wafers} wafers each)"
    note = "Area counts elements, not tracks and switches."
    return Table(title, "ours; not in the paper", columns, rows, note)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """The architecture, an example, the level shifts of section 5.2, and yield curves of our own."""
    names = ["local", *(m for m in methods() if m != "local"), BOUND]
    total = 3 + len(names)
    progress(0, total)
    plain = _wafer(())
    progress(1, total)
    example = _wafer(FAULTS_10)
    progress(2, total)
    right = _shifted_right()
    shown = [("before", plain), (f"after: logical element ({ROW}, {COLUMN}) is defective", right)]
    figures = [
        _map("srt-figure-9", 9, "Fault-tolerance architecture: all core elements good", plain, True),
        _map("srt-figure-10", 10, "A reconfigured mesh torus", example),
    ]
    figures.append(_levels("srt-figure-11", 11, f"Level shift along row {ROW}", 0, ROW, shown))
    figures.append(_levels("srt-figure-12", 12, f"The same wafer along column {COLUMN}", 1, COLUMN, shown))
    array, points = array_for(build(CORE)), dict[str, list[YieldPoint]]()
    for done, name in enumerate(names, 3):
        progress(done, total)
        count = FULL_WAFERS if full or name == "local" else WAFERS
        points[name] = [wafer_yield(array, d, count, method=name) for d in DENSITIES]
    data: dict[str, list[Any]] = {"density": list(DENSITIES)}
    for name, found in points.items():
        data[name] = [p.fraction for p in found]
        data[f"{name} low"], data[f"{name} high"] = ([p.band[k] for p in found] for k in (0, 1))
    curves = _on_first_use("jumpnet.plot.yields", "yield_drawer", points, f"{CORE}, one spare line a side")
    figures.append(Figure("srt-yield", "Yield of reconfiguration", "ours; not in the paper", curves, data))
    cases = [("Figure 9", plain), ("Figure 10", example), ("Figures 11 and 12", right)]
    layouts = _layouts(FULL_WAFERS if full else LAYOUT_WAFERS)
    compared = _methods(FULL_WAFERS // 2 if full else METHOD_WAFERS)
    return Section(TITLE, TEXT, (_checks(cases), compared, layouts), tuple(figures))


TEXT = """The printed figures are lost in the copy at hand. These are drawn from wafers computed as the text of section
5 describes: switch settings, modes of the bypass lines and wires are results, and every wire was followed from element
to element.

The yield curves are ours: the same wafers for every method, with Wilson's 95 % bands. The bound counts wafers on which
all elements can have good places within reach of shifts along their row or column; no method that shifts so can pass
it, and with one spare line a side none that moves elements to neighbours."""
