"""The diameter of RDT(2,4,1)/alpha: what the papers print, exact search, and readings that explain them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jumpnet.analysis.assignment.search import Candidate, compare, search
from jumpnet.graph.distances import distance_counts
from jumpnet.papers import claim, golden, printed
from jumpnet.report._figures import figures
from jumpnet.report._formulas import yes
from jumpnet.report._prose import series
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.topology import build

TITLE = "The diameter of RDT(2,4,1)/α: the papers disagree"
ORDER = 41

SIDES = (32, 64, 128, 256)
COLUMNS = [str(side * side) for side in SIDES]
ASSIGNMENTS = {"rank_1": "alpha_1", "ranks_1_3": "alpha_1_3", "none": "alpha"}
"""Options of the reading `rank_4_missing`, and the assignment that is each of them."""
SMALL = 64
"""Up to this side rank 4 does not exist."""
WANTED = (7, 8, 9, 11)
"""The least diameters that the paper prints for the four sizes. Not read from its figures: what is searched for may not
change with them, as a test asks of every section; another holds both equal."""


def spec_of(side: int, option: str) -> str:
    """The network of a side under an option of `rank_4_missing`."""
    return f"rdt:{side}" if option == "none" else f"rdt:{side},assignment={ASSIGNMENTS[option]}"


def _printed_rows(data: Golden) -> list[tuple[str, str, list[str | None]]]:
    """Every printed diameter of the network: label, entry of the golden file, figures in the order of the columns."""
    floating = [printed(data, "table_1", "floating vector routing diameter", c) for c in COLUMNS]
    table_2 = [
        printed(data, "table_2", "RDT(2,4,1)/alpha", f"{c} diameter") if c in ("4096", "65536") else None
        for c in COLUMNS
    ]
    return [
        ("Table I, floating vector routing", "table_1", floating),
        ("Table II", "table_2", table_2),
        ("abstract", "abstract_diameter", [None, None, None, claim(data, "abstract_diameter")]),
    ]


def _place(entry: str, column: str) -> tuple[str, str] | None:
    """The printed cell of a diameter; none of a sentence."""
    rows = {
        "table_1": ("floating vector routing diameter", column),
        "table_2": ("RDT(2,4,1)/alpha", f"{column} diameter"),
    }
    return rows.get(entry)


def _like_printed(progress: Progress) -> tuple[list[Candidate], int]:
    """Assignments of two classes per rank with the diameters WANTED, by filtering size after size; and how many."""
    wanted = dict(zip(SIDES, WANTED, strict=True))
    first = search("rdt:32", "diameter", progress=lambda done, total: progress(1, 6))
    balanced = [c for c in first.candidates if c.balanced]
    left = [c for c in balanced if c.diameter == wanted[32]]
    for step, side in enumerate(SIDES[1:], 2):
        progress(step, 6)
        found = compare(f"rdt:{side}", [c.assignment for c in left])
        left = [c for c in found if c.diameter == wanted[side]]
    return left, len(balanced)


def _missing(data: Golden) -> Table:
    """Printed diameters to 4096 nodes against exact search, under each reading of the classes of rank 4."""
    rows: Rows = []
    for option in ASSIGNMENTS:
        for label, entry, words in _printed_rows(data)[:2]:
            cells = [
                None
                if word is None
                else Cell(
                    word,
                    figures(spec_of(side, option)).diameter,
                    claim=entry,
                    place=_place(entry, column),
                    reading=f"rank_4_missing:{option}",
                )
                for side, column, word in zip(SIDES, COLUMNS[:2], words, strict=False)
            ]
            rows.append((f"{label}, {option}", cells))
        least = [int(build(spec_of(side, option)).degrees.min()) for side in SIDES[:2]]
        rows.append((f"least degree, {option}", [Cell(None, degree) for degree in least]))
    options = "; ".join(f"{o}: {w}" for o, w in data["readings"]["rank_4_missing"]["options"].items())
    return Table(
        "Diameters where rank 4 has no links", "yang2001rdt, Tables I and II", COLUMNS[:2], rows, options + "."
    )


def _searched(data: Golden) -> Table:
    """Printed diameters of all sizes against searches from one corner and from everywhere, on alpha as printed."""
    found = {
        "corner": [int(distance_counts(build(f"rdt:{s}"), np.zeros(1, np.int64)).eccentricity[0]) for s in SIDES],
        "everywhere": [figures(f"rdt:{s}").diameter for s in SIDES],
    }
    rows: Rows = []
    for option, values in found.items():
        for label, entry, words in _printed_rows(data):
            cells = [
                None
                if word is None
                else Cell(word, value, claim=entry, place=_place(entry, column), reading=f"searched_from:{option}")
                for word, value, column in zip(words, values, COLUMNS, strict=True)
            ]
            rows.append((f"{label}, {option}", cells))
    rows.append(("average distance, shortest paths", [Cell(None, figures(f"rdt:{s}").average_distance) for s in SIDES]))
    note = f"The SRT report (inoguchi1996srt, Table 1) prints {', '.join(_srt())} for the same network."
    return Table("Printed diameters against search, α as printed", "yang2001rdt", COLUMNS, rows, note)


def _srt() -> list[str]:
    """The diameters that the SRT report prints for the four sizes."""
    words = [printed(golden("inoguchi1996srt"), "table_1", "RDT(2,4,1)", c) for c in ("1k", "4k", "16k", "64k")]
    return [word.partition("/")[0] if word else "none" for word in words]


def _others(data: Golden, found: list[Candidate]) -> Table:
    """Other assignments that have the printed diameters, chosen for it, and the neighbors that they lack."""
    example = found[0].assignment
    words = _printed_rows(data)[0][2]
    cells: list[Cell | None] = [
        Cell(w, figures(f"rdt:{side},assignment={example}").diameter, claim="table_1", stated=True, detail=CHOSEN)
        if w
        else Cell(None, figures(f"rdt:{side},assignment={example}").diameter)
        for w, side in zip(words, SIDES, strict=True)
    ]
    return Table(
        "Another assignment with the printed diameters",
        "yang2001rdt, Table I",
        COLUMNS,
        [(example, cells)],
        CHOSEN + ".",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Exact search beside every printed figure, then further readings, each computed."""
    tables = [_searched(golden), _missing(golden)]
    found, balanced = _like_printed(progress)
    tables.append(_others(golden, found))
    progress(5, 6)
    meets = sum(c.meets_all_ranks for c in found)
    claimed_cell = claimed(golden, "other_ranks", yes(compare("rdt:128", ["alpha"])[0].meets_all_ranks), printed="yes")
    ranks = Table(
        "Every node has neighbors of the three other ranks",
        "yang2001rdt, section II.B",
        ["true of it"],
        [
            ("the printed assignment", [claimed_cell]),
            (f"the {len(found)} others with {', '.join(map(str, WANTED))}", [Cell(None, f"true of {meets}")]),
        ],
    )
    text = _text(golden, tables, balanced, found)
    return Section(TITLE, text, (*tables, ranks, _conclusion(golden)))


def _conclusion(golden: Golden) -> Table:
    """The RDT's diameter by the hypercube's, at 4096 nodes under each reading of the classes of rank 4."""

    def cell(rdt: str, cube: str, reading: str = "") -> Cell:
        mine, other = figures(rdt).diameter, figures(cube).diameter
        detail = f"{mine} hops against {other}"
        return claimed(golden, "almost_half", mine / other, reading=reading, detail=detail)

    small = [cell(spec_of(64, option), "hypercube:12", f"rank_4_missing:{option}") for option in ASSIGNMENTS]
    return Table(
        "The conclusion: almost half of the hypercube's diameter",
        "yang2001rdt, section VI",
        (*(f"4096 nodes, {option}" for option in ASSIGNMENTS), "65,536 nodes"),
        [("RDT by hypercube", [*small, cell("rdt:256", "hypercube:16")])],
    )


CHOSEN = "chosen among all assignments because it has the printed diameters"


def _text(data: Golden, tables: Sequence[Table], balanced: int, found: Sequence[Candidate]) -> str:
    searched, missing, others = tables
    printed_in = [*["Table I, floating vector routing"] * 3, "Table II"]
    sides = {
        option: series(searched.at(f"{row}, {option}", c).text for row, c in zip(printed_in, COLUMNS, strict=True))
        for option in ("corner", "everywhere")
    }
    names = ("table_1", "table_2", "abstract")
    said = {name: series(filter(None, words)) for name, (*_, words) in zip(names, _printed_rows(data), strict=True)}
    return TEXT.format(
        **sides,
        **said,
        srt=series(_srt()),
        rank_1=missing.at("Table II, rank_1", COLUMNS[1]).text,
        degree=missing.at("least degree, rank_1", COLUMNS[1]).text,
        smaller=missing.at("least degree, rank_1", COLUMNS[0]).text,
        found=len(found),
        balanced=balanced,
        example=found[0].assignment,
        wanted=series(others.at(others.rows[0][0], column).text for column in COLUMNS),
    )


TEXT = """Table I gives {table_1} for 1024, 4096 and 16,384 nodes, Table II gives {table_2} for 4096 and 65,536, the
abstract {abstract} for 65,536, and the SRT report {srt} for the four sizes. Exact search over all pairs of the printed
assignment gives {everywhere}.

One reading has all five figures of the two tables: the greatest distance from node (0,0) alone, {corner}, a
search from one corner, as if the network looked the same from everywhere. It does not: there are eight kinds of nodes.

Up to 64 by 64 nodes rank 4 does not exist, and the paper does not say what its routers have instead. With rank 1 for
them, or with rank 1 for one class and rank 3 for the other, the exact diameter at 4096 nodes is the printed {rank_1};
rank 1 also makes the printed bisection (Table III). With rank 1 no router of 4096 nodes has fewer than {degree} links;
at 1024 nodes, where the torus of rank 3 has two nodes, the least is {smaller}. The default network, `rdt:64`, is
Definition 6 to the letter; `rdt:64,assignment=alpha_1` is the reading that explains more of the printed figures.

And {found} of the {balanced} assignments with two classes for each rank (equivalent ones counted once) have exactly
{wanted}, for example {example}; but not one of them has the property, claimed for α and true of it as
printed, that every node has neighbors of the three other ranks."""
