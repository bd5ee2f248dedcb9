"""Theorem 3 of the RDT paper: the diameter under simple vector routing, against every route and every shortest path."""

from __future__ import annotations

from jumpnet.paper._figures import figures
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.paper.yang2001rdt._vector import theorem_3, vector_steps
from jumpnet.papers import claim

TITLE = "Theorem 3: diameter of the PRDT with simple vector routing"
ORDER = 20

SIZES = (
    (16, 2, 2), (32, 2, 3), (64, 2, 3), (128, 2, 4), (256, 2, 4), (256, 2, 5), (64, 2, 1), (256, 2, 2),
    (18, 3, 2), (108, 3, 3), (324, 3, 4), (32, 4, 2), (256, 4, 3), (50, 5, 2), (72, 6, 2),
)  # fmt: skip
"""(N, n, R) on which every rank closes."""

BELOW = """No single offset has the worst remainder at every rank and the worst vector at the top rank, which the
formula adds up: it is an upper bound that is not met."""
GAP = "Two hops at this size: the vectors of low ranks are fixed first, too early."


def section(golden: Golden, progress: Progress) -> Section:
    """Every offset routed, every size searched; the paper's remark that the two differ by at most 1 is checked."""
    rows: list[tuple[str, list[Cell | None]]] = []
    most = int(claim(golden, "vector_gap"))
    for done, (side, n, R) in enumerate(SIZES):
        progress(done, len(SIZES))
        longest = int(vector_steps(side, n, R).max())
        diameter = figures(f"prdt:{side},n={n},R={R}").diameter
        formula = theorem_3(side, n, R)
        gap = longest - diameter
        cells = [
            Cell(f"{formula:g}", longest, BELOW if longest != formula else ""),
            Cell("yes", "yes" if longest <= formula else "no"),
            Cell(None, diameter),
            Cell("yes", "yes" if gap <= most else f"no: {gap}", "" if gap <= most else GAP),
        ]
        rows.append((f"N={side}, n={n}, R={R}", [*cells]))
    table = Table(
        "Longest simple vector route against Theorem 3, and the diameter",
        "yang2001rdt, Theorem 3 and section III.A",
        ("longest route (printed: D)", "at most D", "diameter by search", "longest route at most 1 longer"),
        rows,
        "Remainders of exactly n are rounded toward zero, as the text says.",
    )
    return Section(TITLE, TEXT, (table,))


TEXT = """Theorem 3 gives D = N·2^⌈(R−1)/2⌉/(2n)^R + nR. All N² offsets are routed by the paper's C fragment and the
longest route is compared with D; the diameter by search shows how far any routing could be better. Read as an upper
bound, the theorem holds at every size tried; as an equation it holds at none."""
