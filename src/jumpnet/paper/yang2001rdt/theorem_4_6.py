"""Theorems 4, 5 and 6 of the RDT paper, checked over every offset and every route at feasible sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from jumpnet.paper._figures import figures
from jumpnet.paper._prose import series
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.paper.yang2001rdt._tori import yes
from jumpnet.paper.yang2001rdt._vector import Steps, by_rank, theorem_3, theorem_6
from jumpnet.paper.yang2001rdt.table_1_routing import routes
from jumpnet.papers import claim, evaluate

TITLE = "Theorems 4, 5 and 6: routes on the RDT and steps by rank"
ORDER = 22

ALPHA = ((16, 2), (32, 3), (64, 3), (128, 4))
"""Side and highest rank of the RDT(2,4,1)/alpha on which Theorem 4 is checked."""
SIZES = (
    (16, 2, 2),
    (32, 2, 3),
    (64, 2, 3),
    (128, 2, 4),
    (256, 2, 4),
    (256, 2, 5),
    (18, 3, 1),
    (36, 3, 2),
    (108, 3, 3),
    (32, 4, 1),
)
"""(N, n, R): R is a rank that exists at that side."""


class Lengths(NamedTuple):
    """Longest routes on an RDT(2,4,1)/alpha, and the diameter of its PRDT."""

    perfect: int
    diameter: int
    floating: int
    fixed: int


def lengths(side: int, R: int) -> Lengths:
    """Theorem 4's routes, by search and by every route of the two routings."""
    return Lengths(
        figures(f"prdt:{side},R={R}").diameter,
        figures(f"rdt:{side}").diameter,
        routes(f"rdt:{side}", "rdt.floating").maximum,
        routes(f"rdt:{side}", "rdt.fixed").maximum,
    )


def _four(golden: Golden, found: Mapping[tuple[int, int], Lengths]) -> Table:
    """Theorem 4 with both readings of its D, a row for each size."""
    rows: list[tuple[str, list[Cell | None]]] = []
    for option, label in (("theorem_3", "Theorem 3"), ("exact", "exact")):
        for (side, R), length in found.items():
            D = int(theorem_3(side, 2, R)) if option == "theorem_3" else length.perfect
            reading = f"theorem_4_bound:{option}"
            bound = str(evaluate(claim(golden, "theorem_4"), D=D, R=R))
            cells: list[Cell | None] = [
                claimed(golden, "theorem_4", D + R - 1, printed=bound, stated=True, reading=reading)
            ]
            for most in length[1:]:
                words = yes(most <= D + R - 1)
                detail = f"longest {most}"
                cells.append(claimed(golden, "theorem_4", words, printed="yes", reading=reading, detail=detail))
            rows.append((f"N={side}, R={R}, D {label}: {D}", cells))
    return Table(
        "Theorem 4: at most R - 1 more than the PRDT's diameter D",
        "yang2001rdt, Theorem 4",
        ("bound", "diameter within", "rdt.floating within", "rdt.fixed within"),
        rows,
    )


def _five(golden: Golden, found: Mapping[tuple[int, int, int], Steps]) -> Table:
    """Theorems 5 and 6, a row for each size."""
    rows: list[tuple[str, list[Cell | None]]] = []
    names = ("theorem_5_rank", "theorem_5", "theorem_6")
    for (side, n, R), steps in found.items():
        cells: list[Cell | None] = []
        bounds = (n, n * R, theorem_6(side, n, R))
        for name, most, bound in zip(names, steps, bounds, strict=True):
            printed = evaluate(claim(golden, name), N=side, n=n, R=R)
            cells.append(claimed(golden, name, yes(most <= bound), printed="yes", detail=f"{most}, at most {bound:g}"))
            cells.append(claimed(golden, name, most, printed=f"{printed:g}") if name != "theorem_5_rank" else None)
        rows.append((f"N={side}, n={n}, R={R}", cells[:1] + cells[2:]))
    return Table(
        "Theorems 5 and 6: steps by rank, simple vector routing",
        "yang2001rdt, Theorems 5 and 6",
        (
            "at most n on a rank below R",
            "at most nR below R",
            "most below R (printed: nR)",
            "at most the formula on R",
            "most on R (printed: the formula)",
        ),
        rows,
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Theorem 4 by every route of the fixed and floating routing; 5 and 6 by every offset."""
    total = len(ALPHA) + len(SIZES)
    longest: dict[tuple[int, int], Lengths] = {}
    for done, at in enumerate(ALPHA):
        progress(done, total)
        longest[at] = lengths(*at)
    steps: dict[tuple[int, int, int], Steps] = {}
    for done, size in enumerate(SIZES):
        progress(len(ALPHA) + done, total)
        steps[size] = by_rank(*size)
    four = _four(golden, longest)
    bounds = series(four.at(row, "bound").text for row, _ in four.rows if "Theorem 3" in row)
    return Section(TITLE, TEXT.format(bounds=bounds), (four, _five(golden, steps)))


TEXT = """Theorem 4 bounds the routes of RDT(2,4,1)/α by the diameter D of the PRDT plus R - 1. Which diameter is
meant is open: the exact one, or Theorem 3's, the one of vector routing. With Theorem 3's the bound is {bounds}
and holds for the diameter at all four sizes, and for the floating routes at all but 16 by 16 nodes. With the
exact diameter it fails for the diameter itself at 64 by 64 nodes. For the fixed routes, whose ranks have an order,
it fails with either at every size: the proof counts one base hop for each change of rank but the first, while the
source itself may lack the first rank, and base hops to a rank are not always hops that the rank-0 vector needs.

Theorem 5 says that a vector has at most n steps on each rank below the highest, nR in all; Theorem 6 gives the
steps on the highest rank. Both are checked over all N² offsets of ten networks, and hold on all of them, as bounds
and as equations."""
