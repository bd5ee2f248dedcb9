"""Theorem 1 of the RDN paper: degree, nodes, diameter and bisection of RDN(m, k), against built networks."""

from __future__ import annotations

import math

from jumpnet.graph.bisection import bisection
from jumpnet.paper._figures import figures
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.paper.li2009rdn.table_2 import evaluate
from jumpnet.papers import claim
from jumpnet.topology import build

TITLE = "Theorem 1: degree, nodes, diameter, bisection"
ORDER = 30

CASES = (
    ("rdn:3,k=1", 3, 2, 1, 1), ("rdn:4,k=1", 4, 2, 2, 1), ("rdn:5,k=1", 5, 2, 2, 1), ("rdn:3x3,k=1", 9, 4, 2, 1),
    ("rdn:4,k=1,base=hypercube", 16, 4, 4, 1), ("rdn:6,k=1,base=complete", 6, 5, 1, 1), ("rdn:5x5,k=1", 25, 4, 4, 1),
    ("rdn:3,k=2", 3, 2, 1, 2), ("rdn:4,k=2", 4, 2, 2, 2), ("rdn:5,k=2", 5, 2, 2, 2), ("rdn:3x3,k=2", 9, 4, 2, 2),
)  # fmt: skip
"""(spec, m, d0, D0, k)."""


def _bisection(golden: Golden, spec: str, m: int, k: int) -> tuple[Cell, Cell]:
    """The printed bisection against what is proved, and the bounds."""
    formula = claim(golden, "theorem_1_bisection").removeprefix("ceil(").removesuffix(")")
    expected = math.ceil(evaluate(formula, {"m": m, "k": k}))
    found = bisection(build(spec))
    bounds = f"{found.lower} to {found.upper}: {found.method}"
    if found.exact is not None:
        note = "" if found.exact == expected else EXACT
        return Cell(str(expected), found.exact, note), Cell(None, bounds)
    if found.lower <= expected <= found.upper:
        return Cell(str(expected), f"{found.lower} to {found.upper}", BOUNDS), Cell(None, bounds)
    return Cell(str(expected), f"at most {found.upper}", BETTER), Cell(None, bounds)


def section(golden: Golden, progress: Progress) -> Section:
    """Every formula of the theorem on networks that are built and searched."""
    rows: list[tuple[str, list[Cell | None]]] = []
    for done, (spec, m, d0, D0, k) in enumerate(CASES):
        progress(done, len(CASES))
        found = figures(spec)
        names: dict[str, float] = {"m": m, "k": k, "d0": d0, "D0": D0}
        printed = [evaluate(claim(golden, f"theorem_1_{f}"), names) for f in ("degree", "nodes", "diameter")]
        have = (found.degree, found.routers, found.diameter)
        cells: list[Cell | None] = [Cell(str(p), v) for p, v in zip(printed, have, strict=True)]
        rows.append((spec, [*cells, *_bisection(golden, spec, m, k)]))
    columns = ("node-degree", "nodes", "diameter", "bisection bandwidth", "what is known of the bisection")
    return Section(TITLE, TEXT, (Table("RDN(m,k)", "li2009rdn, Theorem 1", columns, rows),))


EXACT = """Exact: two halves of the nodes that fewer links join than the theorem says; halves need not be unions of
clusters, which its proof assumes."""
BOUNDS = """Not decided at this size: the printed number lies between a lower bound and the best cut found."""
BETTER = """A cut with fewer links than the theorem says was found, between halves that are not unions of clusters."""
TEXT = """Degree, nodes and diameter follow by search. The bisection bandwidth is the paper's only where no halves cut
through clusters: its proof takes halves made of whole clusters."""
