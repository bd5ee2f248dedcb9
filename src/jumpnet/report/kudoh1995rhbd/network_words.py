"""Section 2.2 of the bit-map directory paper in words: bypass links, low ranks, neighbors of every rank, routing."""

from __future__ import annotations

from jumpnet.report._assignments import SEARCHED, SIGMA, neighbors_table, searched
from jumpnet.report._measures import NEAR_OPTIMAL
from jumpnet.report._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.report.yang2001rdt.assignment_claims import local_table
from jumpnet.report.yang2001rdt.bypass import bypass_table
from jumpnet.report.yang2001rdt.near_optimal import BEST, SIDES, near, routed, shortest, told

TITLE = "Section 2.2 in words: bypass links, ranks and routing"
ORDER = 3

SOURCE = "kudoh1995rhbd, section 2.2"


def _routing(golden: Golden) -> Table:
    """The floating routing against shortest ways, as for yang2001rdt."""
    cells: list[Cell | None] = []
    for side in SIDES.values():
        mine, least = routed(side, BEST), shortest(f"rdt:{side}")
        cells.append(claimed(golden, "near_optimal", near(mine, least), detail=told(mine, least)))
    note = (
        f"The paper names no routing and gives no measure: ours are `{BEST}`, and at most {float(NEAR_OPTIMAL):.0%} "
        "more hops on average than shortest ways. Longest and average, in hops."
    )
    return Table("Routing against shortest ways", SOURCE, list(SIDES), [("floating routing on the RDT", cells)], note)


def section(golden: Golden, progress: Progress) -> Section:
    """What the paper says in the same words as yang2001rdt, by the same computations."""
    bypass = bypass_table(golden, SOURCE, progress)
    found = searched(SEARCHED, f"local:{SIGMA}")
    ranks = (local_table(golden, SOURCE, found), neighbors_table(golden, SOURCE))
    return Section(TITLE, TEXT, (bypass, *ranks, _routing(golden)))


TEXT = """These sentences return in the later paper on the RDT, and are computed as there. Diagonal bypass links beat
those along the axes, but not always those in other directions. The best assignment for local traffic has low ranks
only. A node next to all other ranks makes diameter and average distance smaller over all assignments of ranks to
classes, not among those that give every rank two classes."""
