"""Figure 14 of the RDT paper: the territories of a multicast around its source."""

from __future__ import annotations

from jumpnet.multicast.territory import Territories, territories
from jumpnet.paper._section import Cell, Figure, Golden, Progress, Section, Table, claimed
from jumpnet.plot.territory import territory_drawer

TITLE = "Figure 14: territories of a multicast"
ORDER = 91

KEY = "yang2001rdt"
NETWORKS = {"prdt:128": "the PRDT", "rdt:128": "RDT(2,4,1)/alpha"}
DRAWN_TOP = 2
TABLE_TOP = 3


def _hops_around(where: Territories, source: int, top: int) -> tuple[int, int]:
    """Largest h such that all routers within h base hops of a source lie in its territory, -1 if it does not lie in
    it itself; and the farthest one in it."""
    side, members = where.side, where.members(source, top)
    x, y = (members % side - source % side) % side, (members // side - source // side) % side
    hops = [min(int(a), side - int(a)) + min(int(b), side - int(b)) for a, b in zip(x, y, strict=True)]
    inside = -1
    while sum(h <= inside + 1 for h in hops) == 2 * (inside + 1) * (inside + 2) + 1:
        inside += 1
    return inside, max(hops)


def _sources(where: Territories) -> list[int]:
    """A router of each class."""
    return [y * where.side + x for y in range(where.n) for x in range(2 * where.n)]


def _rows(golden: Golden, where: Territories, name: str) -> list[tuple[str, list[Cell | None]]]:
    """Size and place of the territories of each top rank, the worst over the classes of the source."""
    rows: list[tuple[str, list[Cell | None]]] = []
    before = 0
    for top in range(TABLE_TOP + 1):
        found = [_hops_around(where, source, top) for source in _sources(where)]
        inside, farthest = min(f[0] for f in found), max(f[1] for f in found)
        outside = sum(f[0] < 1 for f in found)
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
    tops = [
        where.address(s, [where.moved(s, *d) for d in ((1, 0), (-1, 0), (0, 1), (0, -1))]).top for s in _sources(where)
    ]
    answer = "lower rank" if max(tops) < where.top else "the top rank"
    why = f"top ranks over the classes of sources: {', '.join(map(str, sorted(set(tops))))}; highest rank {where.top}"
    return name, [claimed(golden, "territory_local", answer, detail=why)]


def section(golden: Golden, progress: Progress) -> Section:
    """Draw ranks 0 to 2 on both networks; count and measure ranks 0 to 3."""
    rows: list[tuple[str, list[Cell | None]]] = []
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
