"""Theorem 3 of the RDT paper: the diameter under simple vector routing, against every route and every shortest path."""

from __future__ import annotations

from jumpnet.papers import claim, evaluate
from jumpnet.report._figures import figures
from jumpnet.report._formulas import yes
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt._vector import theorem_3, vector_steps

TITLE = "Theorem 3: diameter of the PRDT with simple vector routing"
ORDER = 20

SIZES = (
    (16, 2, 2), (32, 2, 3), (64, 2, 3), (128, 2, 4), (256, 2, 4), (256, 2, 5), (64, 2, 1), (256, 2, 2),
    (18, 3, 1), (36, 3, 2), (108, 3, 3), (324, 3, 3), (32, 4, 1), (256, 4, 3), (50, 5, 1), (72, 6, 1),
)  # fmt: skip
"""(N, n, R): R is a rank that exists at that side."""


def section(golden: Golden, progress: Progress) -> Section:
    """Every offset routed, every size searched; the paper's remark that the two differ by at most 1 is checked."""
    rows: Rows = []
    theorem, most = claim(golden, "theorem_3"), claim(golden, "vector_gap")
    over = set()
    for done, (side, n, R) in enumerate(SIZES):
        progress(done, len(SIZES))
        longest = int(vector_steps(side, n, R).max())
        diameter = figures(f"prdt:{side},n={n},R={R}").diameter
        formula = evaluate(theorem, N=side, n=n, R=R)
        gap = longest - diameter
        over.add(theorem_3(side, n, R) - longest)
        cells = [
            claimed(golden, "theorem_3", longest, printed=f"{formula:g}"),
            Cell(None, yes(longest <= theorem_3(side, n, R)), claim="theorem_3"),
            Cell(None, diameter),
            claimed(golden, "vector_gap", "at most 1" if gap <= 1 else str(gap), printed=f"at most {most}"),
        ]
        rows.append((f"N={side}, n={n}, R={R}", [*cells]))
    table = Table(
        "Longest simple vector route against Theorem 3, and the diameter",
        "yang2001rdt, Theorem 3 and section III.A",
        ("longest route (printed: D)", "at most D", "diameter by search", "longer than the diameter by"),
        rows,
        "Remainders of exactly n are rounded toward zero, as the text says.",
    )
    by = " or ".join(f"{v:g}" for v in sorted(over))
    return Section(TITLE, TEXT.format(by=by, sizes=len(SIZES)), (table,))


TEXT = """Theorem 3 gives D = N·2^⌈(R−1)/2⌉/(2n)^R + nR. All N² offsets are routed by the paper's C fragment and the
longest route is compared with D; the diameter by search shows how far any routing could be better. At all {sizes} sizes
tried the formula is too large by {by}: a bound, never the diameter. No single offset has the worst remainder on every
rank and the longest vector on the highest, which the formula adds up. The paper's own Table I has these shorter
diameters, not those of the theorem."""
