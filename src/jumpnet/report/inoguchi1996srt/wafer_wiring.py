"""The SRT report's reason for the SRT: its wiring on a wafer against that of the RDT, laid out on a line and a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jumpnet.graph.layout import CORNERS, GridWiring, grid_wiring, linear_layout
from jumpnet.networks import Network
from jumpnet.report._formulas import yes
from jumpnet.report._section import Cell, Figure, Golden, Progress, Section, Table, claimed
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


def _figures(net: Network, grid: GridWiring, on_a_line: int, side: int) -> list[Cell | None]:
    rows, columns = grid.tracks
    least = [Cell(None, tracks / side) for tracks in grid.least_tracks]
    found = (net.links, rows / side, columns / side, grid.length, grid.longest, grid.bent, on_a_line)
    cells = [Cell(None, value) for value in found]
    return [*cells[:3], *least, *cells[3:]]


def _less(mine: Sequence[int], other: Sequence[int]) -> bool:
    """Whether each figure of a network is less than the other's."""
    return all(a < b for a, b in zip(mine, other, strict=True))


def section(golden: Golden, progress: Progress) -> Section:
    """Tracks, wire lengths and diagonal links of each network on the same wafer."""
    rows: list[tuple[str, list[Cell | None]]] = []
    columns: dict[str, list[Any]] = {"side": list(SIDES)}
    for done, side in enumerate(SIDES):
        progress(done, len(SIDES))
        built = {name: build(spec.format(side=side)) for name, spec in NETWORKS.items()}
        made = {name: grid_wiring(net) for name, net in built.items()}
        lines = {name: linear_layout(net).cut_width for name, net in built.items()}
        ways = {corner: grid_wiring(built[RDT], corner) for corner in CORNERS}
        for name, grid in made.items():
            columns.setdefault(f"{name}, tracks of a row", []).append(grid.tracks[0] / side)
            columns.setdefault(f"{name}, tracks of a column", []).append(grid.tracks[1] / side)
            rdt = (made[RDT].length, lines[RDT])
            areas = {corner: way.area for corner, way in ways.items()} | {"any corners": made[RDT].least_area}
            verdicts: list[Cell | None] = [
                claimed(golden, "rdt_wiring", yes(_less((grid.length, lines[name], grid.area), (*rdt, area))),
                        reading=f"corners:{READINGS[corner]}",
                        detail=f"The RDT's area over this one: {area / grid.area:.2f}.")
                for corner, area in areas.items()
            ] if "SRT" in name else []  # fmt: skip
            for corner, way in ways.items() if name == RDT else [("", grid)]:
                rows.append((f"{side}x{side}, {name}{corner and ', '}{corner}",
                             [*_figures(built[name], way, lines[name], side), *(verdicts or [None] * 3)]))  # fmt: skip
    names = ("links", "tracks of a row", "tracks of a column", "of a row, any corners",
             "of a column, any corners", "wire length", "longest wire", "diagonal links",
             "tracks on a line", *(f"less than the RDT, {corner}" for corner in READINGS))  # fmt: skip
    table = Table("Wires on a grid of nodes", "inoguchi1996srt, section 1", names, rows, NOTE)

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for name in NETWORKS:
            axes.plot(SIDES, columns[f"{name}, tracks of a row"], marker="o", label=name)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log", base=2)
        axes.set_xlabel("side of the wafer (nodes)")
        axes.set_ylabel("tracks beside a row, on average")
        axes.legend()

    figure = Figure("srt-wafer-wiring", "Tracks beside a row of nodes", "ours; not in the paper", draw, columns)
    return Section(TITLE, TEXT, (table,), (figure,))


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
