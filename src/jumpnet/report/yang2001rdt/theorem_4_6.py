"""Theorems 4, 5 and 6 of the RDT paper, checked over every offset and every route at feasible sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from jumpnet.papers import claim, evaluate
from jumpnet.report._figures import figures
from jumpnet.report._formulas import yes
from jumpnet.report._prose import series
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.yang2001rdt._vector import Steps, by_rank, theorem_3, theorem_6
from jumpnet.report.yang2001rdt.alpha_diameter import ASSIGNMENTS, spec_of
from jumpnet.report.yang2001rdt.table_1_routing import routes

TITLE = "Theorems 4, 5 and 6: routes on the RDT and steps by rank"
ORDER = 22

ALPHA = (
    (16, 2, "none"),
    *((side, 3, option) for side in (32, 64) for option in ASSIGNMENTS),
    (128, 4, "none"),
)
"""Side and highest rank of the RDT(2,4,1)/alpha on which Theorem 4 is checked, and what its routers of rank 4 have."""
MISSING = {"rank_1": "rank 1 for rank 4", "ranks_1_3": "ranks 1 and 3 for rank 4", "none": "Definition 6 to the letter"}
"""Those readings, in words."""
BOUNDS = (("theorem_3", "Theorem 3"), ("exact", "exact"))
"""Options of the reading `theorem_4_bound`, and their labels."""
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


def lengths(side: int, R: int, option: str) -> Lengths:
    """Theorem 4's routes, by search and by every route of the two routings."""
    spec = spec_of(side, option)
    return Lengths(
        figures(f"prdt:{side},R={R}").diameter,
        figures(spec).diameter,
        routes(spec, "rdt.floating").maximum,
        routes(spec, "rdt.fixed").maximum,
    )


def _label(side: int, R: int, option: str) -> str:
    """A size, and the reading of the classes of rank 4 where there are several."""
    return f"N={side}, R={R}" + (f", {option}" if side in (32, 64) else "")


def _four(golden: Golden, found: Mapping[tuple[int, int, str], Lengths]) -> Table:
    """Theorem 4 with both readings of its D, a row for each size and reading of the classes of rank 4."""
    rows: Rows = []
    for option, label in BOUNDS:
        for (side, R, missing), length in found.items():
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
            rows.append((f"{_label(side, R, missing)}, D {label}: {D}", cells))
    said = "; ".join(f"{o}: {w}" for o, w in golden["readings"]["rank_4_missing"]["options"].items())
    return Table(
        "Theorem 4: at most R - 1 more than the PRDT's diameter D",
        "yang2001rdt, Theorem 4",
        ("bound", "diameter within", "rdt.floating within", "rdt.fixed within"),
        rows,
        f"What the routers of rank 4 have at 32 and 64. {said}. At 16 ranks 3 and 4 have no links.",
    )


def _five(golden: Golden, found: Mapping[tuple[int, int, int], Steps]) -> Table:
    """Theorems 5 and 6, a row for each size; Theorem 5 to the letter, and as Theorem 3's proof uses it."""
    rows: Rows = []
    for (side, n, R), steps in found.items():
        formula = {
            name: f"{evaluate(claim(golden, name), N=side, n=n, R=R):g}"
            for name in ("theorem_5_rank", "theorem_5", "theorem_6")
        }
        rows.append(
            (
                f"N={side}, n={n}, R={R}",
                [
                    claimed(golden, "theorem_5_rank", steps.one, printed=formula["theorem_5_rank"]),
                    claimed(golden, "theorem_5", steps.all, printed=formula["theorem_5"]),
                    Cell(None, steps.below, claim="theorem_5"),
                    claimed(golden, "theorem_6", steps.top, printed=formula["theorem_6"]),
                    Cell(None, yes(steps.below <= n * R), claim="theorem_5"),
                    Cell(None, yes(steps.top <= theorem_6(side, n, R)), claim="theorem_6"),
                ],
            )
        )
    return Table(
        "Theorems 5 and 6: steps by rank, simple vector routing",
        "yang2001rdt, Theorems 5 and 6",
        (
            "most on a rank below R (printed: n)",
            "most on all ranks (printed: nR)",
            "most on all ranks below R",
            "most on R (printed: the formula)",
            "at most nR below R",
            "at most the formula on R",
        ),
        rows,
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Theorem 4 by every route of the fixed and floating routing; 5 and 6 by every offset."""
    total = len(ALPHA) + len(SIZES)
    longest: dict[tuple[int, int, str], Lengths] = {}
    for done, at in enumerate(ALPHA):
        progress(done, total)
        longest[at] = lengths(*at)
    steps: dict[tuple[int, int, int], Steps] = {}
    for done, size in enumerate(SIZES):
        progress(len(ALPHA) + done, total)
        steps[size] = by_rank(*size)
    four, five = _four(golden, longest), _five(golden, steps)
    return Section(TITLE, _text(four, five), (four, five))


def _text(four: Table, five: Table) -> str:
    """The sentences with the bounds and where they fail, and with the sizes at which Theorem 5 holds."""
    column = five.columns[1]
    gaps = [five.at(row, column).difference or 0 for row, _ in five.rows]
    words = {
        "sizes": str(len(gaps)),
        "letter": str(gaps.count(0)),
        "above": str(sum(gap > 0 for gap in gaps)),
    }
    every = [row for row, _ in four.rows]
    for k, (option, _) in enumerate(BOUNDS):
        rows = every[k * len(ALPHA) : (k + 1) * len(ALPHA)]
        words[f"{option}_bounds"] = series(dict.fromkeys(four.at(row, "bound").text for row in rows))
        for column in four.columns[1:]:
            name = column.removesuffix(" within").removeprefix("rdt.")
            words[f"{option}_{name}"] = _failing([row for row in rows if four.at(row, column).text == "no"])
    return TEXT.format(**words)


def _failing(rows: Sequence[str]) -> str:
    """Where a bound fails: the sizes, each with its readings of rank 4 where it holds with another."""
    found = []
    for side in dict.fromkeys(side for side, _, _ in ALPHA):
        every = [_label(*at) for at in ALPHA if at[0] == side]
        fails = [label for label in every if any(row.startswith(f"{label}, D") for row in rows)]
        if fails:
            options = " and ".join(MISSING[label.rpartition(", ")[2]] for label in fails if len(fails) < len(every))
            found.append(f"{side} by {side}" + (f" ({options})" if options else ""))
    return f"at {series(found)} nodes" if found else "nowhere"


TEXT = """Theorem 4 bounds the routes of RDT(2,4,1)/α by the diameter D of the PRDT plus R - 1. Which diameter is
meant is open: the exact one, or Theorem 3's, the one of vector routing. So is what the routers of rank 4 have at 32 by
32 and 64 by 64 nodes.

With Theorem 3's D the bounds of the four sizes are {theorem_3_bounds}. They fail for the diameter
{theorem_3_diameter}, for the floating routes {theorem_3_floating}, and for the fixed routes {theorem_3_fixed}. With
the exact D they are {exact_bounds}, and fail for the diameter itself {exact_diameter}, for the floating routes
{exact_floating}, and for the fixed routes {exact_fixed}. The fixed routes are those with the ranks descending, and
both kinds take the base moves that make them shortest; other orders and moves are not tried here.

The proof counts one base hop for each change of rank but the first, while the source itself may lack the first rank,
and base hops to a rank are not always hops that the rank-0 vector needs.

Theorem 5 gives the diameter of the PRDT with vector routing as nR, and its proof counts the steps on all ranks. To
the letter that is so at {letter} of {sizes} sizes; the longest route has more hops at {above} of them. The proof
itself bounds the steps of one rank by n only where a higher rank takes the rest, and Theorem 3 adds the steps on the
highest rank, which Theorem 6 gives, to nR. Of the steps on all ranks below the highest, Theorem 5 would hold over
all N² offsets of all {sizes} networks, and so does Theorem 6, as bounds and as equations."""
