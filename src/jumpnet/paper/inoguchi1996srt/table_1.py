"""Table 1 of the SRT report: diameter and links of a node of fourteen networks at five sizes, by search."""

from __future__ import annotations

from jumpnet.paper._figures import figures
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.papers import printed

TITLE = "Table 1: diameter and links by node"
ORDER = 10

BITS = {"256": 8, "1k": 10, "4k": 12, "16k": 14, "64k": 16}
"""Columns: the networks have 2^bits nodes."""
VARIANTS = {"": "standard", "LS-": "ls", "SS-": "ss"}
SHIFTS = {"1sft": "1", "uni": "uniform"}


def spec_of(row: str, bits: int) -> str:
    """The network of a row with 2^bits nodes.

    >>> spec_of("LS-2D-SRT(uni)", 12)
    'srt2d:64,variant=ls,shift=uniform'
    """
    side = 2 ** (bits // 2)
    if "D-SRT" in row:
        variant = VARIANTS[row.partition("1D")[0].partition("2D")[0]]
        if "1D" in row:
            return f"srt1d:{2**bits},variant={variant}"
        return f"srt2d:{side},variant={variant},shift={SHIFTS[row.partition('(')[2].rstrip(')')]}"
    if row == "3D Torus":
        a, b = bits // 3, (bits + 1) // 3
        return f"torus:{2**a}x{2**b}x{2 ** (bits - a - b)}"
    return {
        "RDT(2,4,1)": f"rdt:{side}",
        "2D Torus": f"torus:{side}x{side}",
        "Hyper cube": f"hypercube:{bits}",
        "Xed Cube": f"crossedcube:{bits}",
    }[row]


def _note(row: str, column: str) -> str:
    if row == "RDT(2,4,1)":
        return RDT
    return TORUS_3D if (row, column) == ("3D Torus", "64k") else ""


def section(golden: Golden, progress: Progress) -> Section:
    """Every cell, also those the table leaves empty up to 16k nodes of the 1-D networks."""
    data = golden["table_1"]
    rows: list[tuple[str, list[Cell | None]]] = []
    for done, row in enumerate(data["rows"]):
        cells: list[Cell | None] = []
        for column, bits in BITS.items():
            progress(done * len(BITS) + len(cells), len(data["rows"]) * len(BITS))
            word = printed(golden, "table_1", row, column)
            if word is None and ("1D" not in row or bits > 14):
                cells.append(None)
                continue
            found = figures(spec_of(row, bits))
            computed = f"{found.diameter}/{found.degree}"
            cells.append(Cell(word, computed, "" if word in (None, computed) else _note(row, column)))
        rows.append((row, cells))
    table = Table(data["title"], f"inoguchi1996srt, {data['where']}", data["columns"], rows, data["note"])
    return Section(TITLE, TEXT, (table,))


RDT = """Exact search of the assignment that the RDT paper prints. The papers on the RDT disagree with one another as
well: see the diameter of RDT(2,4,1)/alpha in the part on yang2001rdt."""
TORUS_3D = """32 x 32 x 64 = 65,536 nodes have diameter 64; the printed 48 belongs to 32 x 32 x 32 = 32,768 nodes."""
TEXT = """All SRT cells are exact searches. A level-l node has bypass links of span 2^l; the nodes 0 and N/2 have none
in the standard form, are joined in the long span form, and lie on a ring with N/4 and 3N/4 in the short span form.
The uniform 2-D forms are taken with the shift 2^⌈(n−1)/2⌉+1 (standard) and 2^⌊(n−2)/2⌋+1 (long and short span), with
which every printed cell of theirs comes out."""
