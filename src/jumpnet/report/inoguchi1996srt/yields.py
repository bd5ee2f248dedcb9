"""Yield of reconfigured wafers: curves of our own, all methods on the same wafers; the paper prints none."""

from __future__ import annotations

from typing import Any

from jumpnet.analysis.paper_wafers import YIELD_CORE, YIELD_DENSITIES, YIELD_WAFERS
from jumpnet.analysis.reconfigure import array_for
from jumpnet.fault.array import WaferArray
from jumpnet.fault.method import methods
from jumpnet.fault.yields import BOUND, YieldPoint, wafer_yield
from jumpnet.report._kept import with_long_run
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, on_first_use
from jumpnet.topology import build

TITLE = "Yield of reconfigured wafers"
ORDER = 65

FULL_WAFERS = 2000
LAYOUTS = (("E", 1, 1), ("ES", 1, 1), ("NESW", 1, 1), ("NESW", 1, 2), ("NESW", 2, 2))
"""Sides with spare lines, lines on each, tracks."""
METHOD_LAYOUTS = (*LAYOUTS[:4], ("NESW", 2, 1), LAYOUTS[4])
METHOD_SIDE, METHOD_DENSITIES, METHOD_WAFERS = 12, (0.04, 0.08), 60
SIDES, LAYOUT_DENSITIES, LAYOUT_WAFERS = (8, 16, 32), (0.005, 0.02, 0.05), 300


def _layout(sides: str, spares: int, tracks: int) -> str:
    """A spare layout in words."""
    return f"{spares} spare{'s' * (spares > 1)} on {sides}, {tracks} track{'s' * (tracks > 1)}"


def _fraction(point: YieldPoint) -> Cell:
    return Cell(None, f"{point.fraction:.3f} ({point.band[0]:.3f} to {point.band[1]:.3f})")


def _methods(wafers: int) -> Table:
    """Yield of every method and the bound by spare layout, the same wafers for all."""
    rows: Rows = []
    names = [*methods(), BOUND]
    for sides, spares, tracks in METHOD_LAYOUTS:
        array = WaferArray.around(METHOD_SIDE, METHOD_SIDE, spares, sides, tracks)
        for density in METHOD_DENSITIES:
            cells = [_fraction(wafer_yield(array, density, wafers, method=name)) for name in names]
            label = f"{_layout(sides, spares, tracks)}, {density:.0%} defective"
            rows.append((label, [Cell(None, array.area_ratio), *cells]))
    title = f"Yield of all methods by spare layout, {METHOD_SIDE}x{METHOD_SIDE} ({wafers} wafers each)"
    note = f"`{BOUND}`: wafers with places enough for all elements, whether or not they can be wired."
    return Table(title, "ours; not in the paper", ["area", *names], rows, note)


def _layouts(wafers: int) -> Table:
    """Yield of the local method by size, spare layout and density, with Wilson's band, beside the area it costs."""
    rows: Rows = []
    for side in SIDES:
        for sides, spares, tracks in LAYOUTS:
            array = WaferArray.around(side, side, spares, sides, tracks)
            points = [wafer_yield(array, d, wafers) for d in LAYOUT_DENSITIES]
            cells = [Cell(None, array.area_ratio), *map(_fraction, points), Cell(None, points[-1].per_area)]
            rows.append((f"{side}x{side}, {_layout(sides, spares, tracks)}", [*cells]))
    columns = [
        "area",
        *(f"yield at {d:.1%}" for d in LAYOUT_DENSITIES),
        f"yield per area at {LAYOUT_DENSITIES[-1]:.1%}",
    ]
    title = f"Yield of the local method by size and spare layout ({wafers} wafers each)"
    return Table(title, "ours; not in the paper", columns, rows, "Area counts elements, not tracks and switches.")


def _curves(points: dict[str, list[YieldPoint]]) -> Figure:
    data: dict[str, list[Any]] = {"density": list(YIELD_DENSITIES)}
    for name, found in points.items():
        data[name] = [p.fraction for p in found]
        data[f"{name} low"], data[f"{name} high"] = ([p.band[k] for p in found] for k in (0, 1))
    draw = on_first_use("jumpnet.plot.yields", "yield_drawer", points, f"{YIELD_CORE}, one spare line a side")
    opened = "net=srt2d:8&panel=wafer"  # where the same curves stand
    return Figure("srt-yield", "Yield of reconfiguration", "ours; not in the paper", draw, data, explored=opened)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Yield curves of every method, by density, spare layout and size."""
    names = ["local", *(m for m in methods() if m != "local"), BOUND]
    array, points = array_for(build(YIELD_CORE)), dict[str, list[YieldPoint]]()
    for done, name in enumerate(names):
        progress(done, len(names) + 2)
        count = FULL_WAFERS if full or name == "local" else YIELD_WAFERS
        points[name] = [wafer_yield(array, d, count, method=name) for d in YIELD_DENSITIES]
    progress(len(names), len(names) + 2)
    layouts = _layouts(FULL_WAFERS if full else LAYOUT_WAFERS)
    progress(len(names) + 1, len(names) + 2)
    compared = _methods(FULL_WAFERS // 2 if full else METHOD_WAFERS)
    made = Section(TITLE, TEXT, (compared, layouts), (_curves(points),))
    return with_long_run("inoguchi1996srt", "yields", made, full)


TEXT = """The paper prints no yields. The same wafers were given to every method; bands are Wilson's 95 %. The bound
counts wafers on which all elements can have good places within reach of shifts along their row or column; no method
that shifts so can pass it, and with one spare line a side none that moves elements to neighbours."""
