"""The diameter of RDT(2,4,1)/alpha: what the papers print, exact search, and readings that explain them."""

from __future__ import annotations

from jumpnet.analysis.assignment import Candidate, compare, search
from jumpnet.graph.distances import distance_counts
from jumpnet.paper._figures import figures
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.papers import claim, golden, printed
from jumpnet.topology import build

TITLE = "The diameter of RDT(2,4,1)/α: the papers disagree"
ORDER = 41

SIDES = (32, 64, 128, 256)
COLUMNS = [str(side * side) for side in SIDES]
LOW_INSTEAD = "2.1.1.3.1.3.2.1"
"""Alpha with rank 1 for the classes of rank 4, for sizes without rank 4."""


def _printed_rows(data: Golden) -> list[tuple[str, list[str | None]]]:
    """Every printed diameter of the network, in the order of the columns."""
    floating = [printed(data, "table_1", "floating vector routing diameter", c) for c in COLUMNS]
    table_2 = [
        printed(data, "table_2", "RDT(2,4,1)/alpha", f"{c} diameter") if c in ("4096", "65536") else None
        for c in COLUMNS
    ]
    srt = [printed(golden("inoguchi1996srt"), "table_1", "RDT(2,4,1)", c) for c in ("1k", "4k", "16k", "64k")]
    return [
        ("Table I, floating vector routing", floating),
        ("Table II", table_2),
        ("abstract", [None, None, None, claim(data, "abstract_diameter")]),
        ("inoguchi1996srt, Table 1", [word.partition("/")[0] if word else None for word in srt]),
    ]


def _like_printed(progress: Progress) -> tuple[list[Candidate], int]:
    """Assignments of two classes per rank with diameters 7, 8, 9, 11, by filtering size after size; and how many."""
    wanted = dict(zip(SIDES, (7, 8, 9, 11), strict=True))
    first = search("rdt:32", "diameter", progress=lambda done, total: progress(1, 6))
    balanced = [c for c in first.candidates if c.balanced]
    left = [c for c in balanced if c.diameter == wanted[32]]
    for step, side in enumerate(SIDES[1:], 2):
        progress(step, 6)
        found = compare(f"rdt:{side}", [c.assignment for c in left])
        left = [c for c in found if c.diameter == wanted[side]]
    return left, len(balanced)


def section(golden: Golden, progress: Progress) -> Section:
    """Exact search beside every printed figure, then three readings, each computed."""
    ours = [figures(f"rdt:{side}").diameter for side in SIDES]
    rows: list[tuple[str, list[Cell | None]]] = []
    for label, words in _printed_rows(golden):
        cells = [
            None if word is None else Cell(word, mine, "" if str(mine) == word else SRT if "srt" in label else WHY)
            for word, mine in zip(words, ours, strict=True)
        ]
        rows.append((label, cells))
    rows.append(("average distance, shortest paths", [Cell(None, figures(f"rdt:{s}").average_distance) for s in SIDES]))
    table = Table(
        "Printed diameters against exact search over all pairs", "yang2001rdt and inoguchi1996srt", COLUMNS, rows
    )
    found, balanced = _like_printed(progress)
    example = found[0].assignment
    progress(5, 6)
    corner = [int(distance_counts(build(f"rdt:{side}"), [0]).eccentricity[0]) for side in SIDES]  # type: ignore[arg-type]
    low = [figures(f"rdt:{side},assignment={LOW_INSTEAD}").diameter for side in SIDES[:2]]
    other = [figures(f"rdt:{side},assignment={example}").diameter for side in SIDES]
    readings: list[tuple[str, list[Cell | None]]] = [
        ("eccentricity of node (0,0) alone", [Cell(None, v) for v in corner]),
        ("rank 1 for the classes of rank 4, where rank 4 has no links", [*(Cell(None, v) for v in low), None, None]),
        (f"another assignment, {example}", [Cell(None, v) for v in other]),
    ]
    text = TEXT.format(found=len(found), balanced=balanced, example=example)
    meets = sum(c.meets_all_ranks for c in found)
    claimed = Cell("yes", "yes" if compare("rdt:64", ["alpha"])[0].meets_all_ranks else "no")
    ranks = Table(
        "Every node has neighbors of the three other ranks",
        "yang2001rdt, section II.B",
        ["true of it"],
        [
            ("the printed assignment", [claimed]),
            (f"the {len(found)} others with 7, 8, 9, 11", [Cell(None, f"true of {meets}")]),
        ],
    )
    return Section(TITLE, text, (table, Table("Readings", "computed here", COLUMNS, readings), ranks))


WHY = """Exact search over all pairs of the printed assignment. The readings below give the printed figure; the papers
do not agree with one another either."""
SRT = """Exact search over all pairs of the printed assignment. The SRT report's figures at 1024 and 4096 nodes are
those of none of the readings below."""
TEXT = """Table I gives 7, 8, 9 for 1024, 4096 and 16,384 nodes, Table II gives 8 and 12, the abstract 11 for 65,536,
and the SRT report 8, 10, 10 and 12 for the four sizes. Exact search over all pairs of the printed assignment gives 7,
9, 10 and 12.

Three readings are computed. The eccentricity of node (0,0) alone is 7, 8, 9, 12: a search from one corner, as if the
network looked the same from everywhere. Where rank 4 has no links, its two classes may have been given rank 1: that
gives 8 at 4096 nodes, and also the 13 wires of Table III. And {found} of the {balanced} assignments with two classes
for each rank (equivalent ones counted once) have exactly 7, 8, 9 and 11, for example {example}; but not one of them
has the property, claimed for α and true of it as printed, that every node has neighbors of the three other ranks."""
