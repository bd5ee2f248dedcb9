"""Theorem 1 of the RDN paper on the bisection bandwidth, against cuts that exist."""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.dualnet import dual_halving
from jumpnet.graph.bisection import bisection
from jumpnet.networks import Network
from jumpnet.report._figures import figures
from jumpnet.report._formulas import by_formula
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.terms import Array
from jumpnet.topology import build, family

TITLE = "Theorem 1: bisection bandwidth"
ORDER = 25

CASES = {
    "rdn:3,k=1": ("torus:3", 1), "rdn:4,k=1": ("torus:4", 1), "rdn:5,k=1": ("torus:5", 1), "rdn:6,k=1": ("torus:6", 1),
    "rdn:8,k=1": ("torus:8", 1), "rdn:3x3,k=1": ("torus:3x3", 1), "rdn:5x5,k=1": ("torus:5x5", 1),
    "rdn:4,k=1,base=hypercube": ("hypercube:4", 1), "rdn:6,k=1,base=complete": ("complete:6", 1),
    "rdn:3,k=2": ("torus:3", 2), "rdn:4,k=2": ("torus:4", 2), "rdn:5,k=2": ("torus:5", 2),
}  # fmt: skip
"""Networks that are built, their base and k."""
LARGE = {"RDN(5^2,2)": ("torus:5x5", 2), "RDN(3^3,2)": ("torus:3x3x3", 2), "RDN(5,3)": ("torus:5", 3)}
"""The networks of Table 2."""
ODD = (3, 5, 7, 9)


def links_between(net: Network, half: Array) -> int:
    """Links between a set of routers and the others."""
    router, _, far = net.channel_ends
    return int((half[router] != half[far]).sum()) // 2


def _built(golden: Golden, spec: str, base: str, k: int) -> list[Cell | None]:
    """The theorem's figure against the least cut found, what is proved, and the two ways to cut."""
    net, member = build(spec), family(spec)
    found = bisection(net, member.halves(net))
    cuts = [links_between(net, half) for half in member.halves(net)]
    known = "exact" if found.exact is not None else f"at least {found.lower}"
    theorem = by_formula(golden, "theorem_1_bisection", found.upper, {"m": figures(base).routers, "k": k})
    if found.exact is None and theorem.verdict == "equal":  # a cut as large as the theorem's proves nothing
        theorem = Cell(
            None, f"at most {found.upper}", claim=theorem.claim, detail=f"The theorem says {theorem.printed}."
        )
    return [
        theorem,
        Cell(None, f"{known} ({found.method})"),
        Cell(None, cuts[0]),
        Cell(None, min(cuts[1:])),
    ]


def _odd(golden: Golden, m: int) -> Cell:
    """The cut of floor(m/2) clusters of type 0 and ceil(m/2) of type 1 over a ring of m."""
    net = build(f"rdn:{m},k=1")
    kind, cluster = net.coord[:, 2], net.coord[:, 1]
    half = np.where(kind == 0, cluster < m // 2, cluster < m - m // 2)
    assert 2 * int(half.sum()) == net.routers
    return by_formula(golden, "odd_halves", links_between(net, half), {"m": m})


def section(golden: Golden, progress: Progress) -> Section:
    """The least cuts found on built networks, and those lifted from them for the networks of Table 2."""
    rows: Rows = []
    for done, (spec, (base, k)) in enumerate(CASES.items()):
        progress(done, len(CASES) + 1)
        rows.append((spec, _built(golden, spec, base, k)))
    columns = ("least cut found", "lower bound", "whole clusters", "clusters cut alike")
    note = "Clusters cut alike: every cluster of one type is cut like the network below, those of the other stay whole."
    built = Table("Links between two halves", "li2009rdn, Theorem 1", columns, rows, note)
    progress(len(CASES), len(CASES) + 1)
    large: Rows = []
    for name, (base, k) in LARGE.items():
        found = dual_halving(build(base), k)
        large.append(
            (name, [by_formula(golden, "theorem_1_bisection", found.links, {"m": figures(base).routers, "k": k})])
        )
    lifted = Table(
        "The networks of Table 2", "li2009rdn, Theorem 1 and Table 2", ("links of a halving",), large, LIFTED
    )
    exact = bisection(build("rdn:3,k=1")).exact
    assert exact is not None
    odd: Rows = [(f"RDN({m},1)", [_odd(golden, m)]) for m in ODD]
    halves = Table("Halves of whole clusters, m odd", "li2009rdn, section 2", ("links between them",), odd)
    example = Table("The example", "li2009rdn, section 2", ("bisection",),
                    [("RDN(3,1), every halving tried", [claimed(golden, "bisection_3_1", exact)])])  # fmt: skip
    less = [row for row, cells in rows if cells[0] is not None and cells[0].verdict == "differs"]
    text = TEXT.format(count=len(less), all=len(rows), names=", ".join(less))
    return Section(TITLE, text, (built, lifted, halves, example))


LIFTED = """From the least cut found of the highest level with at most 10,000 nodes: its links, times the nodes of a
cluster of each level above, whose clusters of one type are all cut alike."""
TEXT = """The proof takes halves made of whole clusters, so that half of the cross edges of the top level are cut. There
are other halves: put cluster c of type 0 on the side of node c, and cut every cluster of type 1 alike; then no cross
edge of the top level is cut. Fewer links do than the theorem says on {count} of the {all} networks that were built
({names}). A cut that exists is a proof.

The search starts from both kinds of halves, from straight cuts, the spectrum and, where installed, METIS. Its best cut
is an upper bound; where the lower bound does not meet it, still fewer links might do."""
