"""Figure 14 of the RDT paper: the territories of a multicast around its source."""

from __future__ import annotations

from jumpnet.multicast.territory import Territories, territories
from jumpnet.paper._section import Cell, Figure, Golden, Progress, Section, Table
from jumpnet.plot.territory import territory_drawer

TITLE = "Figure 14: territories of a multicast"
ORDER = 91

NETWORKS = {"prdt:128": "the PRDT", "rdt:128": "RDT(2,4,1)/alpha"}
DRAWN_TOP = 2
TABLE_TOP = 3


def _hops_around(where: Territories, top: int) -> tuple[int, int]:
    """Largest h such that all routers within h base hops of router 0 lie in its territory; farthest one in it."""
    members = where.members(0, top)
    x, y = members % where.side, members // where.side
    hops = [min(int(a), where.side - int(a)) + min(int(b), where.side - int(b)) for a, b in zip(x, y, strict=True)]
    inside = 0
    while sum(h <= inside + 1 for h in hops) == 2 * (inside + 1) * (inside + 2) + 1:
        inside += 1
    return inside, max(hops)


def section(golden: Golden, progress: Progress) -> Section:
    """Draw ranks 0 to 2 on both networks; count and measure ranks 0 to 3."""
    rows: list[tuple[str, list[Cell | None]]] = []
    pictures = []
    for spec, name in NETWORKS.items():
        where = territories(spec)
        for top in range(TABLE_TOP + 1):
            inside, farthest = _hops_around(where, top)
            routers = len(where.members(0, top))
            cells: list[Cell | None] = [Cell(str(8 ** (top + 1)), routers), Cell(None, inside), Cell(None, farthest)]
            rows.append((f"{name}, top rank {top}", cells))
        pictures.append(
            Figure(
                f"rdt-figure-14-{where.spec.split(':')[0]}",
                f"Territories of top ranks 0 to {DRAWN_TOP} on {name}",
                "yang2001rdt, Figure 14",
                territory_drawer(where, 0, DRAWN_TOP),
                {f"top rank {r}": where.members(0, r).tolist() for r in range(DRAWN_TOP + 1)},
                "Routers by number y*128 + x in the data.",
            )
        )
    table = Table(
        "Territories of router (0,0)",
        "yang2001rdt, section V.B",
        ("routers (printed: 8 children each)", "all routers within this many hops", "farthest, hops"),
        rows,
    )
    return Section(TITLE, TEXT, (table,), pictures)


TEXT = """The paper says that the territory always surrounds the source. It holds the source, but leans to the south
of its rank at every rank, whose axes turn by 45 degrees: of the routers two hops away rank 0 reaches three."""
