"""Table 1 of the SRT report: diameter and links of a node of fourteen networks; readings of the uniform shift."""

from __future__ import annotations

from jumpnet.papers import printed
from jumpnet.report._degrees import fewer_links
from jumpnet.report._figures import figures
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, table_cell

TITLE = "Table 1: diameter and links by node"
ORDER = 40

BITS = {"256": 8, "1k": 10, "4k": 12, "16k": 14, "64k": 16}
"""Columns: the networks have 2^bits nodes."""
VARIANTS = {"": "standard", "LS-": "ls", "SS-": "ss"}
SHIFTS = {"1sft": "1", "uni": "uniform"}
UNIFORM = ("uniform", "uniform7", "uniform8", "uniform9", "uniform10")
"""Readings of the uniform shift; the first is that of the table."""


def spec_of(row: str, bits: int, uniform: str = "uniform") -> str:
    """The network of a row with 2^bits nodes.

    >>> spec_of("LS-2D-SRT(uni)", 12)
    'srt2d:64,variant=ls,shift=uniform'
    """
    side = 2 ** (bits // 2)
    if "D-SRT" in row:
        variant = VARIANTS[row.partition("1D")[0].partition("2D")[0]]
        if "1D" in row:
            return f"srt1d:{2**bits},variant={variant}"
        shift = SHIFTS[row.partition("(")[2].rstrip(")")]
        return f"srt2d:{side},variant={variant},shift={uniform if shift == 'uniform' else shift}"
    if row == "3D Torus":
        a, b = bits // 3, (bits + 1) // 3
        return f"torus:{2**a}x{2**b}x{2 ** (bits - a - b)}"
    return {
        "RDT(2,4,1)": f"rdt:{side}",
        "2D Torus": f"torus:{side}x{side}",
        "Hyper cube": f"hypercube:{bits}",
        "Xed Cube": f"crossedcube:{bits}",
    }[row]


def _cell(golden: Golden, row: str, column: str, uniform: str = "") -> Cell:
    """A cell by search; of a uniform row in the reading `uniform`."""
    spec = spec_of(row, BITS[column], uniform or "uniform")
    found = figures(spec)
    chosen = uniform == "uniform" and not row.startswith("2D")
    return table_cell(
        golden,
        "table_1",
        row,
        column,
        f"{found.diameter}/{found.degree}",
        reading=f"uniform_shift:{uniform}" if uniform else "",
        detail=" ".join(filter(None, (CHOSEN if chosen else "", fewer_links(spec)))),
    )


def _readings(golden: Golden) -> Table:
    """The uniform rows in every reading of the shift."""
    rows: Rows = []
    for uniform in UNIFORM:
        for row in golden["table_1"]["rows"]:
            if row.endswith("(uni)"):
                rows.append((f"{row}, shift={uniform}", [_cell(golden, row, column, uniform) for column in BITS]))
    return Table(
        "The uniform rows in five readings of the shift", "inoguchi1996srt, Table 1 and Definition 9", list(BITS), rows
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Every cell, also those the table leaves empty up to 16k nodes of the 1-D networks; the readings of the shift."""
    data = golden["table_1"]
    rows: Rows = []
    for done, row in enumerate(data["rows"]):
        cells: list[Cell | None] = []
        for column, bits in BITS.items():
            progress(done * len(BITS) + len(cells), len(data["rows"]) * len(BITS))
            empty = printed(golden, "table_1", row, column) is None and ("1D" not in row or bits > 14)
            cells.append(None if empty or row.endswith("(uni)") else _cell(golden, row, column))
        if any(cells):
            rows.append((row, cells))
    table = Table(data["title"], f"inoguchi1996srt, {data['where']}", data["columns"], rows, f"{data['note']} {REST}")
    readings = _readings(golden)
    literal = [row for row in readings.rows if row[0].endswith("shift=uniform9")]
    missed = sum(cell is not None and cell.verdict == "differs" for _, cells in literal for cell in cells)
    return Section(TITLE, TEXT.format(missed=missed), (table, readings))


CHOSEN = "The shift of this form was chosen to give the printed table: that it does is no evidence for it."
REST = "Ours is the largest degree: where nodes have fewer links, it stands beside. The uniform rows follow."
TEXT = """All cells are exact searches. A level-l node has bypass links of span 2^l; the nodes 0 and N/2 have none in
the standard form, are joined in the long span form, and lie on a ring with N/4 and 3N/4 in the short span form. The
number of links is that of the node with most: in the standard and the long span form, and on the RDT below 64k nodes,
it is not that of every node.

With the shifts that Definition 9 prints (its four equations give the same diameters, being transposes and mirror images
of each other) {missed} cells of the uniform long and short span rows come out larger than printed. They come out with
the shift 2^floor((n-2)/2)+1 for these two forms, a reading taken from the table itself."""
