"""The RDN paper on symmetry, decided: node symmetric, edge symmetric, and the dual-cube as a case of the RDN."""

from __future__ import annotations

import numpy as np

from jumpnet.graph.symmetry import Verdict, symmetry
from jumpnet.report._formulas import yes
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.topology import build, family

TITLE = "Symmetry: of nodes, of edges, and the dual-cube"
ORDER = 40

SPECS = (
    "rdn:3,k=1",
    "rdn:4,k=1",
    "rdn:5,k=1",
    "rdn:3x3,k=1",
    "rdn:3,k=1,base=hypercube",
    "rdn:5,k=1,base=complete",
    "rdn:3,k=2",
)
CUBES = (2, 3, 4, 5, 6)


def _word(verdict: Verdict) -> str:
    return {True: "yes", False: "no", None: "not decided"}[verdict.transitive]


def _same(n: int) -> bool:
    """Whether DC(n) and RDN(2^(n-1), 1) over an (n-1)-cube have the same links."""
    a, b = build(f"dualcube:{n}"), build(f"rdn:{n - 1},k=1,base=hypercube")
    return bool(np.array_equal(np.sort(a.neighbor, axis=1), np.sort(b.neighbor, axis=1)))


def section(golden: Golden, progress: Progress) -> Section:
    """Decide both claims with a proof for each network, and compare dual-cubes link by link."""
    rows: Rows = []
    for done, spec in enumerate(SPECS):
        progress(done, len(SPECS) + 1)
        net = build(spec)
        found = symmetry(net, family(spec).automorphisms(net))
        of = ((found.vertex, "node_symmetric"), (found.edge, "edge_symmetric"))
        rows.append((spec, [claimed(golden, name, _word(v), detail=f"{v.reason}.") for v, name in of]))
    columns = ("node symmetric", "edge symmetric")
    claims = Table("Claims of the abstract", "li2009rdn, abstract", columns, rows)
    progress(len(SPECS), len(SPECS) + 1)
    cubes: list[Cell | None] = [claimed(golden, "dual_cube", yes(_same(n))) for n in CUBES]
    dual = Table(
        "DC(n) is RDN(2^(n-1),1) over an (n-1)-cube",
        "li2009rdn, section 3",
        [f"n = {n}" for n in CUBES],
        [("same links", cubes)],
    )
    edges = [cells[1] for _, cells in rows]
    alike = [row for (row, _), cell in zip(rows, edges, strict=True) if cell is not None and cell.computed == "yes"]
    said = f"All but {', '.join(alike)} fail it." if alike else "No network of the table is edge symmetric."
    return Section(TITLE, TEXT.format(said=said), (claims, dual))


TEXT = """That a network is node symmetric is proved by automorphisms that carry any node to any other; that it is not
edge symmetric by a figure that automorphisms would keep, such as the number of shortest cycles through a link. A cross
edge and a link of the base network lie on different numbers of shortest cycles. {said}"""
