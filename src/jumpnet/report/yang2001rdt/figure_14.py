"""Figure 14 of the RDT paper: the territories of a multicast around its source."""

from __future__ import annotations

from jumpnet.multicast.territory import Territories, territories
from jumpnet.plot.territory import territory_drawer
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report._territories import needed_top, place, sources, territories_at, unsurrounded

TITLE = "Figure 14: territories of a multicast"
ORDER = 91

KEY = "yang2001rdt"
NETWORKS = {"prdt:128": "the PRDT", "rdt:128": "RDT(2,4,1)/alpha"}
DRAWN_TOP = 2
TABLE_TOP = 3


def _rows(golden: Golden, where: Territories, name: str) -> Rows:
    """Size and place of the territories of each top rank, the worst over the classes of the source."""
    rows: Rows = []
    before = 0
    for top in range(TABLE_TOP + 1):
        found = [place(where, source, top) for source in sources(where)]
        inside, farthest = min(f.inside for f in found), max(f.farthest for f in found)
        outside = unsurrounded(where, top)
        routers = len(where.members(0, top))
        surrounds = "surrounds" if not outside else f"does not for {outside} of {len(found)} classes of sources"
        why = f"all routers within {inside} hops lie in it, whatever the class of the source" if inside >= 0 else (
            "for some class of sources the source itself lies outside"
        )  # fmt: skip
        wider = claimed(golden, "territory_wider", "wider" if routers > before else "not wider") if top else None
        cells = [
            Cell(None, routers, claim="figure_14"),
            wider,
            claimed(golden, "territory_surrounds", surrounds, detail=why),
            Cell(None, inside, claim="territory_surrounds"),
            Cell(None, farthest, claim="figure_14"),
        ]
        rows.append((f"{name}, top rank {top}", list(cells)))
        before = routers
    return rows


def _local(golden: Golden, where: Territories, name: str) -> tuple[str, list[Cell | None]]:
    """The top rank that a multicast to the four nodes next to the source needs."""
    answer, why = needed_top(where)
    return name, [claimed(golden, "territory_local", answer, detail=why)]


def section(golden: Golden, progress: Progress) -> Section:
    """Draw ranks 0 to 2 on both networks; count and measure ranks 0 to 3."""
    rows: Rows = []
    local, pictures = [], []
    for done, (spec, name) in enumerate(NETWORKS.items()):
        progress(done, len(NETWORKS))
        where = territories(spec)
        rows += _rows(golden, where, name)
        local.append(_local(golden, where, name))
        pictures.append(
            Figure(
                f"rdt-figure-14-{where.spec.split(':')[0]}",
                f"Territories of top ranks 0 to {DRAWN_TOP} on {name}",
                f"{KEY}, Figure 14",
                territory_drawer(where, 0, DRAWN_TOP),
                {f"top rank {r}": where.members(0, r).tolist() for r in range(DRAWN_TOP + 1)},
                "Routers by number y*128 + x in the data.",
                claim="figure_14",
                explored=territories_at(where, DRAWN_TOP),
            )
        )
    columns = ("routers", "against the rank below", "the territory", "all routers within hops", "farthest, hops")
    note = "`Surrounds`: the source and its four neighbors lie in it, for a source of every class."
    tables = (
        Table("Territories", f"{KEY}, section V.B", columns, rows, note),
        Table("A multicast to the four nodes next to the source", f"{KEY}, section V.B", ("needs",), local),
    )
    return Section(TITLE, TEXT, tables, pictures)


TEXT = """The paper says that a territory always surrounds its source. On a PRDT the source is the root of its own
multicast. Rank 0 holds it and its neighbors and leans to the south; the axes of each rank are turned by 45 degrees
against those of the rank below. On RDT(2,4,1)/alpha the base hops to the root and between the ranks move the
territory against the source, by an amount that depends on the class of the source: all eight are counted."""
