"""Table II of the RDT paper: diameter and degree of fourteen networks of about 4096 and 65,536 nodes, by search."""

from __future__ import annotations

from math import isqrt

from jumpnet.papers import claim, evaluate
from jumpnet.report._degrees import fewer_links
from jumpnet.report._figures import Figures, figures
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed, golden_table, table_cell
from jumpnet.report.yang2001rdt.alpha_diameter import ASSIGNMENTS, SMALL, spec_of
from jumpnet.topology import build

TITLE = "Table II: diameter and degree of direct networks"
ORDER = 40

SPECS = {
    "2D Torus": ("torus:64x64", "torus:256x256"),
    "3D Torus": ("torus:16x16x16", "torus:32x32x64"),
    "4D Torus": ("torus:8x8x8x8", "torus:16x16x16x16"),
    "Hypercube": ("hypercube:12", "hypercube:16"),
    "De Bruijn": ("debruijn:2,n=12", "debruijn:2,n=16"),
    "Kautz": ("kautz:2,n=11", "kautz:2,n=15"),
    "Pradhan": ("pradhan:12", "pradhan:16"),
    "Circular omega": ("circularomega:10", "circularomega:13"),
    "n-Star graph": ("star:7", "star:8"),
    "CCC": ("ccc:9", "ccc:12"),
    "Hypernet": ("hypernet:4,h=3", "hypernet:5,h=3"),
    "Crossed Cube": ("crossedcube:12", "crossedcube:16"),
    "Midimew": ("midimew:4096", "midimew:65536"),
}
"""Row of the table: our networks for the two columns, of the sizes that the column of notes gives."""


COUNTED = ("Kautz", "Circular omega", "n-Star graph", "CCC")
"""Rows whose note is a number of nodes, which follows from the network's definition."""
RDT = "RDT(2,4,1)/alpha"
PRADHAN = "the paper cited was not at hand: this definition was chosen because it has the printed figures"
HYPERNET = "the sizes (4, 3) and (5, 3) were chosen because they have the printed degree and number of nodes"
CHOSEN = {("Pradhan", column): PRADHAN for column in ("4096 diameter", "4096 degree", "65536 diameter", "65536 degree")}
CHOSEN |= {("Hypernet", column): HYPERNET for column in ("4096 degree", "65536 degree")}
"""Cells whose network was chosen by the printed figure: an agreement shows nothing."""
FITTED = {row for row, _ in CHOSEN}
"""Networks that so say nothing of the others."""
LARGEST = "The degree is the largest: where routers have fewer channels, it stands beside."


def _alpha(golden: Golden) -> Table:
    """The RDT's own row, under each reading of what its routers of rank 4 have at 4096 nodes."""
    columns = golden["table_2"]["columns"]
    rows: Rows = []
    for option in ASSIGNMENTS:
        cells: list[Cell | None] = []
        for column, side in zip(columns, (64, 64, 256, 256), strict=True):
            if side > SMALL and option != "none":
                cells.append(None)
                continue
            spec = spec_of(side, option)
            found, degree = figures(spec), "degree" in column
            value, detail = (found.degree, fewer_links(spec)) if degree else (found.diameter, "")
            reading = f"rank_4_missing:{option}" if side <= SMALL else ""
            cells.append(table_cell(golden, "table_2", RDT, column, value, reading=reading, detail=detail))
        rows.append((f"{RDT}, {option}", cells))
    options = "; ".join(f"{o}: {w}" for o, w in golden["readings"]["rank_4_missing"]["options"].items())
    note = f"What the routers of rank 4 have at 4096 nodes. {options}. At 65,536 nodes the readings are one. {LARGEST}"
    return Table("Table II, the row of the RDT", "yang2001rdt, Table II", columns, rows, note)


def _size(row: str, spec: str) -> tuple[str, int]:
    """What the column of notes has for a network of ours, and its routers."""
    routers = build(spec).routers
    sizes = spec.partition(":")[2]
    if row == "Hypernet":
        d, h = sizes.split(",h=")
        return f"{d}D{h}-hierarchy", routers
    if row in COUNTED:
        return f"{sizes}-{sizes} {routers} Nodes" if row == "CCC" else f"{routers} Nodes", routers
    return sizes.replace("x", "*") if "x" in sizes else f"{isqrt(routers)}*{isqrt(routers)}", routers


def _notes(golden: Golden) -> Table:
    """The column of notes, beside the networks that were built."""
    columns = golden["table_2_notes"]["columns"]
    computed: dict[str, dict[str, str]] = {}
    details = {}
    for row in golden["table_2_notes"]["rows"]:
        computed[row] = {}
        for column, spec in zip(columns, SPECS.get(row, ("rdt:64", "rdt:256")), strict=True):
            computed[row][column], routers = _size(row, spec)
            details[row, column] = f"{spec}: {routers} routers" + ("" if row in COUNTED else ", its size typed in")
    typed = [(row, column) for row in computed if row not in COUNTED for column in columns]
    return golden_table(
        golden, "table_2_notes", computed, key="yang2001rdt", stated=typed, details=details,
        note="Routers are counted where the note gives their number; stages or dimensions were chosen to come nearest.",
    )  # fmt: skip


def beaten(mine: Figures, other: Figures) -> bool:
    """Whether a network's diameter is larger, and not for want of degree: both together cost more (`cost_ratio`)."""
    return other.diameter > mine.diameter and other.cost_ratio > mine.cost_ratio


def most_of(count: int, total: int) -> str:
    """`most` for more than half.

    >>> most_of(6, 11), most_of(5, 10)
    ('most', '5')
    """
    return "most" if 2 * count > total else str(count)


def _larger(golden: Golden, spec: str, n: int, reading: str = "") -> Cell:
    """Which networks of column `n` have a larger diameter than the RDT of that spec, considering the degree."""
    tried = {row: figures(specs[n]) for row, specs in SPECS.items() if row not in FITTED}
    larger = [row for row, other in tried.items() if beaten(figures(spec), other)]
    detail = f"{len(larger)} of {len(tried)}: {', '.join(larger)}"
    words = most_of(len(larger), len(tried))
    return claimed(golden, "smaller_than_most", words, reading=reading, detail=detail)


def _claims(golden: Golden) -> Table:
    """What the text draws from Table II, and the degrees that the introduction names."""
    rows: Rows = []
    for option in ASSIGNMENTS:
        cell = _larger(golden, spec_of(64, option), 0, f"rank_4_missing:{option}")
        rows.append((f"4096 nodes, {option}", [cell, None, None, None]))
    mine, cube = figures("rdt:256"), figures(SPECS["Hypercube"][1])
    half = mine.degree * 2 == cube.degree
    words = "below" if mine.diameter < cube.diameter and half else "not below at half the degree"
    detail = f"{mine.diameter} with degree {mine.degree}, {cube.diameter} with {cube.degree}"
    large = [_larger(golden, "rdt:256", 1), claimed(golden, "half_degree", words, detail=detail)]
    first: list[list[Cell | None]] = [[None, None], [*large]]
    for n, nodes in enumerate((4096, 65536)):
        degrees = f"{figures(SPECS['2D Torus'][n]).degree} {figures(SPECS['3D Torus'][n]).degree}"
        printed = str(evaluate(claim(golden, "hypercube_degree"), M=nodes))
        degree = figures(SPECS["Hypercube"][n]).degree
        cube_cell = claimed(golden, "hypercube_degree", degree, printed=printed)
        rows.append((f"{nodes} nodes", [*first[n], claimed(golden, "mesh_degree", degrees), cube_cell]))
    return Table(
        "What the text says of these networks",
        "yang2001rdt, sections I and IV.A",
        (
            "larger diameters than the RDT's",
            "RDT against the hypercube",
            "degree, 2D and 3D torus",
            "degree, hypercube",
        ),
        rows,
        "A diameter counts as larger, considering the degree, where degree and diameter together, divided by the "
        "binary logarithm of the nodes, are more too. The measure is ours. Networks chosen by the printed figures are "
        "left out.",
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Search every network of the table from one router of each orbit."""
    columns = golden["table_2"]["columns"]
    computed: dict[str, dict[str, int]] = {}
    details = {}
    for done, (row, specs) in enumerate(SPECS.items()):
        progress(done, len(SPECS) + 2)
        computed[row] = {}
        for n, spec in enumerate(specs):
            found = figures(spec)
            computed[row] |= {columns[2 * n]: found.diameter, columns[2 * n + 1]: found.degree}
            details[row, columns[2 * n + 1]] = fewer_links(spec)
    details |= {place: "; ".join(filter(None, (words, details.get(place)))) for place, words in CHOSEN.items()}
    table = golden_table(
        golden, "table_2", computed, key="yang2001rdt", stated=CHOSEN, details=details,
        note=f"Networks: {_named()}. {LARGEST}",
    )  # fmt: skip
    progress(len(SPECS), len(SPECS) + 2)
    said = _claims(golden)
    tables = (table, _alpha(golden), said, _notes(golden))
    return Section(TITLE, _text(said), tables)


def _text(said: Table) -> str:
    """The sentence on the other networks, with the default reading and the letter of Definition 6."""
    rows = {"default": "4096 nodes, rank_1", "letter": "4096 nodes, none", "large": "65536 nodes"}
    column = said.columns[0]
    return TEXT.format(**{name: said.at(row, column).detail.partition(":")[0] for name, row in rows.items()})


def _named() -> str:
    return "; ".join(f"{row} = {small}, {large}" for row, (small, large) in SPECS.items())


TEXT = """Diameters are exact, by breadth-first search from one router of each orbit of known symmetries, or from
every router where too little is known. The degree is the largest number of channels that leave a router. Two networks
are not evidence: the definition of Pradhan's was not at hand and was chosen to have the printed figures, and the sizes
of Hypernet were chosen by the printed degrees; those cells are marked as stated.

The paper says that the RDT has a smaller diameter than most, considering its degree. Those two networks left out, the
diameter is larger, and so are degree and diameter together, for {default} others at 4096 nodes with rank 1 for rank 4,
the default ({letter} with Definition 6 to the letter), and for {large} at 65,536 nodes. There the RDT's is smaller
than the hypercube's with half its degree, as the paper says."""
