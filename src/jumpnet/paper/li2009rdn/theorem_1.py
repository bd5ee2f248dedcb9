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
    ("rdn:3,k=2", 3, 2, 1, 2), ("rdn:4,k=2", 4, 2, 2, 2), ("rdn:5,k=2", 5, 2, 2, 2),
)  # fmt: skip
"""(spec, m, d0, D0, k)."""


def _bisection(golden: Golden, spec: str, m: int, k: int) -> tuple[Cell, Cell]:
    """The printed bisection against the least cut found, and what is proved."""
    formula = claim(golden, "theorem_1_bisection").removeprefix("ceil(").removesuffix(")")
    expected = math.ceil(evaluate(formula, {"m": m, "k": k}))
    found = bisection(build(spec))
    note = "" if found.upper == expected else BETTER if found.upper < expected else WORSE
    known = "exact" if found.exact is not None else f"at least {found.lower}"
    return Cell(str(expected), found.upper, note), Cell(None, f"{known} ({found.method})")


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
    columns = ("node-degree", "nodes", "diameter", "bisection bandwidth (least cut found)", "lower bound")
    return Section(TITLE, TEXT, (Table("RDN(m,k)", "li2009rdn, Theorem 1", columns, rows),))


BETTER = """These halves are joined by fewer links than the theorem says: they are no unions of clusters, which its
proof assumes. A cut that exists is a proof."""
WORSE = """The search for cuts did not find the one of the theorem, halves made of whole clusters."""
TEXT = """Degree, nodes and diameter follow by search. The bisection bandwidth does not: the proof takes halves made
of whole clusters of the highest level, but from k = 2 on it is cheaper to cut through the clusters, and halves with
about half as many links between them exist."""
