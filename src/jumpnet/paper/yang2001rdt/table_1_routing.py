"""Table I of the RDT paper, the rows of RDT(2,4,1)/alpha: every route of each routing, and the other readings."""

from __future__ import annotations

from functools import cache

from jumpnet.analysis.paths import PathFigures, path_figures
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, golden_table
from jumpnet.papers import printed
from jumpnet.routing import bind
from jumpnet.topology import build

__all__ = ["routes"]

TITLE = "Table I: routing on RDT(2,4,1)/α"
ORDER = 31

SIDES = {"1024": 32, "4096": 64, "16384": 128, "65536": 256}
ROWS = {
    "floating vector routing": "rdt.floating:ties=zero",
    "fixed vector routing": "rdt.fixed",
    "deadlock-free": "rdt.deadlock_free:ties=zero,moves=x",
    "closed partitioning": "rdt.partitioned",
}
"""Rows of the table and the reading that follows the paper's text most closely."""
READINGS = {
    "floating, best order, free ties (the default)": "rdt.floating",
    "fixed, ranks ascending": "rdt.fixed:order=ascending",
    "fixed, base moves that ignore the vector": "rdt.fixed:moves=plain",
    "deadlock-free, best neighbor, free ties (the default)": "rdt.deadlock_free",
    "deadlock-free, neighbor that leaves the least rank-0 vector": "rdt.deadlock_free:ties=zero,moves=near",
    "deadlock-free, base moves along x only, free ties": "rdt.deadlock_free:moves=x",
    "deadlock-free, shortest base walks": "rdt.deadlock_free:ties=zero,moves=best",
}
SLOW = ("closed partitioning", 65536)
"""The one row whose largest size takes half a minute: left to the complete form of the report."""


@cache
def routes(spec: str, routing: str) -> PathFigures:
    """Path figures of a routing on a network, computed once a process."""
    return path_figures(bind(routing, build(spec)))


def _columns(row: str, full: bool) -> list[str]:
    return [c for c in SIDES if full or (row, int(c)) != SLOW]


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """The printed rows beside our reading of each, then other readings, each over all pairs."""
    total, done = sum(len(_columns(r, full)) for r in ROWS) + 3 * len(READINGS), 0
    computed: dict[str, dict[str, object]] = {}
    notes: dict[tuple[str, str], str] = {}
    for row, name in ROWS.items():
        longest, average = f"{row} diameter", f"{row} average"
        computed[longest], computed[average] = {}, {}
        for column in _columns(row, full):
            progress(done, total)
            done += 1
            found = routes(f"rdt:{SIDES[column]}", name)
            computed[longest][column], computed[average][column] = found.maximum, found.average
            for key, value in ((longest, found.maximum), (average, found.average)):
                if Cell(printed(golden, "table_1", key, column), value).verdict == "differs":
                    notes[key, column] = NOTES[row]
    table = golden_table(golden, "table_1", computed, notes, key="yang2001rdt", note=COLUMN)
    rows: list[tuple[str, list[Cell | None]]] = []
    for label, name in READINGS.items():
        found_at = []
        for side in list(SIDES.values())[:3]:
            progress(done, total)
            done += 1
            found_at.append(routes(f"rdt:{side}", name))
        rows.append((f"{label}: longest", [Cell(None, f.maximum) for f in found_at]))
        rows.append((f"{label}: average", [Cell(None, f.average) for f in found_at]))
    other = Table("Other readings of the same rows", "computed here", list(SIDES)[:3], rows, "None is printed.")
    return Section(TITLE, TEXT, (table, other))


COLUMN = """The last column is lost in our copy of the paper for these rows; ours is given for it. For closed
partitioning, which has no translation symmetry, it takes half a minute: `jumpnet paper --full`."""
NOTES = {
    "floating vector routing": """The exact average of the printed algorithm with its best order of ranks. The printed
diameters 8 and 9 are below the exact diameters of the network, 9 and 10: no routing can have them.""",
    "fixed vector routing": """The paper gives no rule for the base moves between ranks; here the nearest pending rank
is next, with no look ahead. No reading tried gives the printed figures.""",
    "deadlock-free": """Base moves between ranks along x only, as the extra channel that the text gives to x links
suggests. The printed figures lie among our readings, but none of some 9500 rules for base moves, ties and vectors gives
them all (decision 0005 lists them); walking along x the way of the rank-0 vector comes within 0.01 at 4096 nodes.""",
    "closed partitioning": """The paper does not say how routes are kept inside; ours are shorter on average than the
printed ones, over routes of the floating kind, and longer at worst in small partitions.""",
}
TEXT = """Each row is the exact average and the longest of the routes between all ordered pairs of different nodes. The
paper leaves the order of ranks, the rounding of ties and the base moves between ranks open, so each row stands here in
the reading nearest to the text, and in others below it. The default of each routing is the one with the shortest
routes."""
