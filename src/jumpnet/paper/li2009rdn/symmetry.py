"""The RDN paper on symmetry, decided: node symmetric, edge symmetric, and the dual-cube as a case of the RDN."""

from __future__ import annotations

import numpy as np

from jumpnet.graph.symmetry import Verdict, symmetry
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.papers import claim
from jumpnet.topology import build, family

TITLE = "Symmetry: node symmetric yes, edge symmetric no"
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


def _yes(verdict: Verdict) -> str:
    return {True: "yes", False: "no", None: "not decided"}[verdict.transitive]


def _same(n: int) -> bool:
    """Whether DC(n) and RDN(2^(n-1), 1) over an (n-1)-cube have the same links."""
    a, b = build(f"dualcube:{n}"), build(f"rdn:{n - 1},k=1,base=hypercube")
    return bool(np.array_equal(np.sort(a.neighbor, axis=1), np.sort(b.neighbor, axis=1)))


def section(golden: Golden, progress: Progress) -> Section:
    """Decide both claims with a proof for each network, and compare dual-cubes link by link."""
    rows: list[tuple[str, list[Cell | None]]] = []
    for done, spec in enumerate(SPECS):
        progress(done, len(SPECS) + 1)
        found = symmetry(build(spec), family(spec).automorphisms(build(spec)))
        vertex, edge = _yes(found.vertex), _yes(found.edge)
        cells = [
            Cell(claim(golden, "node_symmetric"), vertex, "" if vertex == "yes" else found.vertex.reason),
            Cell(claim(golden, "edge_symmetric"), edge, "" if edge == "yes" else f"{CROSS} {found.edge.reason}."),
        ]
        rows.append((spec, [*cells]))
    claims = Table("Claims of the abstract", "li2009rdn", ("node symmetric", "edge symmetric"), rows)
    progress(len(SPECS), len(SPECS) + 1)
    cubes = [Cell(claim(golden, "dual_cube"), "yes" if _same(n) else "no") for n in CUBES]
    dual = Table(
        "DC(n) is RDN(2^(n-1),1) over an (n-1)-cube",
        "li2009rdn, section 3",
        [f"n = {n}" for n in CUBES],
        [("same links", cubes)],
    )
    return Section(TITLE, TEXT, (claims, dual))


CROSS = """Cross-edges and links of the base network differ:"""
TEXT = """That a network is node symmetric is proved by automorphisms that carry any node to any other; that it is not
edge symmetric by a figure that automorphisms would keep, such as the number of shortest cycles through a link. A
cross-edge lies on longer cycles than a link of the base network, so the claim of edge symmetry fails wherever the two
can be told apart."""
