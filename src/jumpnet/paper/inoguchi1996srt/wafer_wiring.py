"""The SRT report's reason for the SRT: its wiring on a wafer against that of the RDT, laid out on a line and a grid."""

from __future__ import annotations

from typing import Any

from jumpnet.graph.layout import grid_wiring, linear_layout
from jumpnet.paper._formulas import yes
from jumpnet.paper._section import Cell, Figure, Golden, Progress, Section, Table, claimed
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


def section(golden: Golden, progress: Progress) -> Section:
    """Tracks, wire lengths and diagonal links of each network on the same wafer."""
    rows: list[tuple[str, list[Cell | None]]] = []
    columns: dict[str, list[Any]] = {"side": list(SIDES)}
    for done, side in enumerate(SIDES):
        progress(done, len(SIDES))
        built = {name: build(spec.format(side=side)) for name, spec in NETWORKS.items()}
        made = {name: grid_wiring(net) for name, net in built.items()}
        lines = {name: linear_layout(net).cut_width for name, net in built.items()}
        for name, grid in made.items():
            columns.setdefault(f"{name}, tracks of a row", []).append(grid.tracks[0] / side)
            columns.setdefault(f"{name}, tracks of a column", []).append(grid.tracks[1] / side)
            verdict = None
            if "SRT" in name:
                other = made[RDT]
                less = grid.area < other.area and grid.length < other.length and lines[name] < lines[RDT]
                verdict = claimed(
                    golden,
                    "rdt_wiring",
                    yes(less),
                    detail=f"The RDT's area over this one: {other.area / grid.area:.2f}.",
                )
            cells = [
                Cell(None, built[name].links),
                Cell(None, grid.tracks[0] / side),
                Cell(None, grid.tracks[1] / side),
                Cell(None, grid.length),
                Cell(None, grid.longest),
                Cell(None, grid.bent),
                Cell(None, lines[name]),
            ]
            rows.append((f"{side}x{side}, {name}", [*cells, verdict]))
    names = ("links", "tracks of a row", "tracks of a column", "wire length", "longest wire", "diagonal links",
             "tracks on a line", "less than the RDT")  # fmt: skip
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
wire, and fewer tracks with all nodes on one line in order of their numbers. Lengths in steps from node to node."""
TEXT = """The paper wants a network that is wired more easily than the RDT, and shows no figures of it. Here the nodes
stand on a square grid in the order of their coordinates. A link runs along the row of its end with the lower number
and the column of the other, in channels beside the nodes; links over the wrap-around run back across. The tracks of a
channel are the most wires over one gap, the least that these ways need. Diagonal links, which only the RDT has, could
turn at the other corner: what the best choice of corners would save is not searched."""
