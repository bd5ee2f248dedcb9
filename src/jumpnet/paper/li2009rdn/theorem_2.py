"""Theorem 2 of the RDN paper: the length of Algorithm 1's routes, over every route at feasible sizes."""

from __future__ import annotations

from jumpnet.analysis.paths import path_figures
from jumpnet.paper._figures import figures
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.papers import claim
from jumpnet.routing import bind
from jumpnet.topology import build

TITLE = "Theorem 2: routes of Algorithm 1"
ORDER = 40

SPECS = {
    "rdn:3,k=1": "torus:3",
    "rdn:3,k=2": "torus:3",
    "rdn:5,k=1": "torus:5",
    "rdn:5x5,k=1": "torus:5x5",
    "rdn:3,k=1,base=hypercube": "hypercube:3",
    "rdn:3,k=2,base=complete": "complete:3",
    "rdn:4,k=1,base=complete": "complete:4",
}
"""Networks and their base networks."""


def section(golden: Golden, progress: Progress) -> Section:
    """Longest and average route of Algorithm 1 against the theorem, and against the shortest paths."""
    formula = claim(golden, "theorem_2")
    rows: list[tuple[str, list[Cell | None]]] = []
    for done, (spec, base) in enumerate(SPECS.items()):
        progress(done, len(SPECS))
        net = build(spec)
        found = path_figures(bind("rdn.recursive", net))
        k, base_diameter = int(net.params[0]), figures(base).diameter
        bound = 2**k * base_diameter + 2 ** (k + 1) - 2
        cells: list[Cell | None] = [
            Cell(str(bound), found.maximum),
            Cell(None, found.average),
            Cell(None, found.shortest_average),
            Cell(None, found.stretch_maximum),
        ]
        rows.append((f"{spec} (D0 = {base_diameter})", cells))
    table = Table(
        f"Longest route of Algorithm 1 against {formula}",
        "li2009rdn, Theorem 2",
        ("longest route", "average route", "average distance", "largest stretch"),
        rows,
    )
    return Section(TITLE, TEXT, (table,))


TEXT = """Algorithm 1 is run between all ordered pairs of different nodes, with shortest paths in the base network. Its
longest route meets the bound of Theorem 2, which is the diameter, and every route is a shortest path on these networks
(largest stretch 1)."""
