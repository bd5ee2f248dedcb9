"""Theorems 4, 5 and 6 of the RDT paper, checked over every offset and every route at feasible sizes."""

from __future__ import annotations

import numpy as np

from jumpnet.paper._figures import figures
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.paper.yang2001rdt.table_1_routing import routes

TITLE = "Theorems 4, 5 and 6: routes on the RDT and steps by rank"
ORDER = 22

ALPHA = ((16, 2), (32, 3), (64, 3), (128, 4))
"""Side and highest rank of the RDT(2,4,1)/alpha on which Theorem 4 is checked."""
SIZES = ((16, 2, 2), (32, 2, 3), (64, 2, 3), (128, 2, 4), (256, 2, 4), (18, 3, 2), (108, 3, 3), (32, 4, 2))
"""(N, n, R) on which every rank closes."""
NOT_R_1 = """One rank change more than R - 1 can be needed: the source itself may lack the first rank."""


def _by_rank(side: int, n: int, R: int) -> tuple[int, int, int]:
    """Most steps on one rank below R, on all of them together, and on rank R, over all offsets (ties toward zero)."""
    short = (np.arange(side) + (side - 1) // 2) % side - (side - 1) // 2
    b, a = np.meshgrid(short, short, indexing="ij")
    below, most = np.zeros((side, side), np.int64), 0
    for _ in range(R):
        g, f = (np.sign(v) * ((np.abs(v) + n - 1) // (2 * n)) for v in (a + b, b - a))
        hops = np.abs(a - n * (g - f)) + np.abs(b - n * (g + f))
        below, most = below + hops, max(most, int(hops.max()))
        a, b = g, f
    return most, int(below.max()), int((np.abs(a) + np.abs(b)).max())


def section(golden: Golden, progress: Progress) -> Section:
    """Theorem 4 by every route of the fixed and floating routing; 5 and 6 by every offset."""
    four: list[tuple[str, list[Cell | None]]] = []
    for done, (side, R) in enumerate(ALPHA):
        progress(done, len(ALPHA) + len(SIZES))
        perfect = figures(f"prdt:{side},R={R}").diameter
        bound = perfect + R - 1
        cells: list[Cell | None] = [Cell(None, perfect), Cell(None, bound)]
        for length in (
            figures(f"rdt:{side}").diameter,
            routes(f"rdt:{side}", "rdt.floating").maximum,
            routes(f"rdt:{side}", "rdt.fixed").maximum,
        ):
            over = length > bound
            cells.append(Cell("yes", f"no: {length}" if over else "yes", NOT_R_1 if over else ""))
        four.append((f"N={side}, R={R}", cells))
    five: list[tuple[str, list[Cell | None]]] = []
    for done, (side, n, R) in enumerate(SIZES):
        progress(len(ALPHA) + done, len(ALPHA) + len(SIZES))
        most, below, top = _by_rank(side, n, R)
        formula = side * 2.0 ** (R // 2) / (2 * n) ** R
        five.append(
            (
                f"N={side}, n={n}, R={R}",
                [
                    Cell("yes", "yes" if most <= n else f"no: {most}"),
                    Cell("yes", "yes" if below <= n * R else f"no: {below}"),
                    Cell(None, below),
                    Cell(None, f"{formula:g}"),
                    Cell("yes", "yes" if top <= formula else f"no: {top}", ROUNDED if top > formula else ""),
                    Cell(None, top),
                ],
            )
        )
    return Section(
        TITLE,
        TEXT,
        (
            Table(
                "Theorem 4: at most R - 1 more than the PRDT",
                "yang2001rdt, Theorem 4",
                ("diameter of PRDT(2,R)", "bound", "diameter within", "rdt.floating within", "rdt.fixed within"),
                four,
            ),
            Table(
                "Theorems 5 and 6: steps by rank, simple vector routing",
                "yang2001rdt, Theorems 5 and 6",
                (
                    "at most n on a rank below R",
                    "at most nR below R",
                    "most below R",
                    "formula on rank R",
                    "at most that on R",
                    "most on R",
                ),
                five,
            ),
        ),
    )


ROUNDED = """The proof divides without rounding; rounding to whole steps on the ranks below can add to the top rank."""
TEXT = """Theorem 4 bounds the routes of RDT(2,4,1)/α by the diameter of the PRDT plus R - 1. It fails: at 4096 nodes
even the exact diameter is one more, and the routes of vector routing pass it by up to five. It is checked against the
diameter and against the longest route of two routings. Theorem 5 says that a vector has at most n steps on each rank
below the highest, nR in all; Theorem 6 gives the steps on the highest rank. Both are checked over all N² offsets."""
