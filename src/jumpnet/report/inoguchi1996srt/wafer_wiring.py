"""The SRT report's reason for the SRT: its wiring on a wafer against that of the RDT, laid out on a line and a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from jumpnet.graph.layout import CORNERS, GridWiring, grid_wiring, linear_layout
from jumpnet.networks import Network
from jumpnet.report._formulas import yes
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.topology import build

TITLE = "Wiring on a wafer: SRT against RDT"
ORDER = 55

SIDES = (16, 32, 64)
NETWORKS = {
    "2-D torus": "torus:{side}x{side}",
    "2D-SRT(1sft)": "srt2d:{side}",
    "LS-2D-SRT(uni)": "srt2d:{side},variant=ls,shift=uniform",
    "SS-2D-SRT(uni)": "srt2d:{side},variant=ss,shift=uniform",
    "RDT(2,4,1)/alpha": "rdt:{side}",
}
RDT = "RDT(2,4,1)/alpha"
READINGS = {"x first": "x_first", "y first": "y_first", "any corners": "any"}


class Wiring(NamedTuple):
    """The networks of one size, each laid out on the same wafer."""

    side: int
    built: dict[str, Network]
    grids: dict[str, GridWiring]
    on_a_line: dict[str, int]
    """Tracks with all nodes on one line."""
    by_corner: dict[str, GridWiring]
    """The RDT by each choice of a corner for its diagonal links."""


def wiring(side: int) -> Wiring:
    """Lay out each network on a wafer of side x side nodes."""
    built = {name: build(spec.format(side=side)) for name, spec in NETWORKS.items()}
    grids = {name: grid_wiring(net) for name, net in built.items()}
    on_a_line = {name: linear_layout(net).cut_width for name, net in built.items()}
    return Wiring(side, built, grids, on_a_line, {corner: grid_wiring(built[RDT], corner) for corner in CORNERS})


def _less(mine: Sequence[int], other: Sequence[int]) -> bool:
    """Whether each figure of a network is less than the other's."""
    return all(a < b for a, b in zip(mine, other, strict=True))


def _figures(found: Wiring, name: str, grid: GridWiring) -> list[Cell | None]:
    side, (rows, columns) = found.side, grid.tracks
    least = [Cell(None, tracks / side) for tracks in grid.least_tracks]
    values = (rows / side, columns / side, grid.length, grid.longest, grid.bent, found.on_a_line[name])
    cells = [Cell(None, value) for value in (found.built[name].links, *values)]
    return [*cells[:3], *least, *cells[3:]]


def _verdicts(golden: Golden, found: Wiring, name: str) -> list[Cell | None]:
    """Whether an SRT needs less than the RDT, by each choice of the RDT's corners."""
    if "SRT" not in name:
        return [None] * 3
    grid, rdt = found.grids[name], found.grids[RDT]
    areas = {corner: way.area for corner, way in found.by_corner.items()} | {"any corners": rdt.least_area}
    mine, others = (grid.length, found.on_a_line[name], grid.area), (rdt.length, found.on_a_line[RDT])
    return [
        claimed(golden, "rdt_wiring", yes(_less(mine, (*others, area))), reading=f"corners:{READINGS[corner]}",
                detail=f"The RDT's area over this one: {area / grid.area:.2f}.")
        for corner, area in areas.items()
    ]  # fmt: skip


def _rows(golden: Golden, found: Wiring) -> Rows:
    rows: Rows = []
    for name, grid in found.grids.items():
        for corner, way in found.by_corner.items() if name == RDT else [("", grid)]:
            label = f"{found.side}x{found.side}, {name}{corner and ', '}{corner}"
            rows.append((label, [*_figures(found, name, way), *_verdicts(golden, found, name)]))
    return rows


def _picture(found: Sequence[Wiring]) -> Figure:
    columns: dict[str, list[Any]] = {"side": [each.side for each in found]}
    for name in NETWORKS:
        for k, of in enumerate(("a row", "a column")):
            columns[f"{name}, tracks of {of}"] = [each.grids[name].tracks[k] / each.side for each in found]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for name in NETWORKS:
            axes.plot(columns["side"], columns[f"{name}, tracks of a row"], marker="o", label=name)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log", base=2)
        axes.set_xlabel("side of the wafer (nodes)")
        axes.set_ylabel("tracks beside a row, on average")
        axes.legend()

    return Figure("srt-wafer-wiring", "Tracks beside a row of nodes", "ours; not in the paper", draw, columns)


def section(golden: Golden, progress: Progress) -> Section:
    """Tracks, wire lengths and diagonal links of each network on the same wafer."""
    found = []
    for done, side in enumerate(SIDES):
        progress(done, len(SIDES))
        found.append(wiring(side))
    names = ("links", "tracks of a row", "tracks of a column", "of a row, any corners",
             "of a column, any corners", "wire length", "longest wire", "diagonal links",
             "tracks on a line", *(f"less than the RDT, {corner}" for corner in READINGS))  # fmt: skip
    rows = [row for each in found for row in _rows(golden, each)]
    table = Table("Wires on a grid of nodes", "inoguchi1996srt, section 1", names, rows, NOTE)
    return Section(TITLE, TEXT, (table,), (_picture(found),))


NOTE = """Averages over the rows and the columns. Less: fewer tracks over all rows times those over all columns, less
wire, and fewer tracks with all nodes on one line in order of their numbers. Lengths in steps from node to node. `any
corners`: below these tracks no choice of a corner for each link gets, since the wires over a line across the wafer are
as many whichever row or column they lie in."""
TEXT = """The paper wants a network that is wired more easily than the RDT, and shows no figures of it. Here the nodes
stand on a square grid in the order of their coordinates. A link runs along the row of one end and the column of the
other, in channels beside the nodes; links over the wrap-around run back across. The tracks of a channel are the most
wires over one gap, the least that these ways need. Only the RDT has diagonal links, which turn at one of two corners:
from the end with the lower number along the row first (x first) or along the column first (y first). What no choice of
corners can do with less than stands beside them, so the comparison does not rest on the way links are bent."""
