"""Table 1 of the RDN paper: its formulas on networks small enough to build, and what section 3 says of their parts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from jumpnet.networks import Network
from jumpnet.papers import evaluate
from jumpnet.report._figures import figures
from jumpnet.report._formulas import by_formula
from jumpnet.report._section import Golden, Progress, Rows, Section, Table, claimed, table_cell
from jumpnet.report.li2009rdn._words import clusters_of
from jumpnet.terms import NO_ROUTER
from jumpnet.topology import build

TITLE = "Table 1: the formulas, on networks that are built"
ORDER = 30

CASES: dict[str, tuple[str, dict[str, float]]] = {
    "torus:4x4x4": ("3D Torus", {"x": 4, "y": 4, "z": 4}),
    "torus:4x6x8": ("3D Torus", {"x": 4, "y": 6, "z": 8}),
    "torus:5x5x6": ("3D Torus", {"x": 5, "y": 5, "z": 6}),
    "hypercube:6": ("n-cube", {"n": 6}),
    "ccc:4": ("CCC(n)", {"n": 4}),
    "ccc:5": ("CCC(n)", {"n": 5}),
    "ccc:6": ("CCC(n)", {"n": 6}),
    "ccc:8": ("CCC(n)", {"n": 8}),
    "dualcube:3": ("DC(n)", {"n": 3}),
    "dualcube:5": ("DC(n)", {"n": 5}),
    "wk:4,t=3": ("WK(n,t)", {"n": 4, "t": 3}),
    "wk:5,t=4": ("WK(n,t)", {"n": 5, "t": 4}),
    "rdn:3,k=2": ("RDN(m,k)", {"m": 3, "k": 2, "d0": 2, "D0": 1}),
    "rdn:5x5,k=1": ("RDN(m,k)", {"m": 25, "k": 1, "d0": 4, "D0": 4}),
}
"""Networks, their row of Table 1 and its sizes."""
OPEN = "Counted with the open link of each corner."
RATIOS = ("rdn:3,k=2", "rdn:5x5,k=1")
DEFINED = "By the definition from the degree, diameter and nodes that the search found; printed: Table 1's formula."
CUBES, WK = (2, 3, 4, 5), ((4, 3), (5, 3), (8, 2))


def by_formulas(golden: Golden, row: str, sizes: Mapping[str, float]) -> list[int | float]:
    """Nodes, degree, diameter and cost ratio as the formulas of a row give them for these sizes.

    >>> from jumpnet.papers import golden
    >>> by_formulas(golden("li2009rdn"), "n-cube", {"n": 6})
    [64, 6, 6, 2]
    """
    words = golden["table_1"]["rows"][row]
    nodes, degree, diameter = (evaluate(word, **sizes) for word in words[:3])
    return [nodes, degree, diameter, evaluate(words[3], **sizes, Nk=nodes, Dk=diameter)]


def _formulas(golden: Golden, row: str, sizes: Mapping[str, float]) -> list[str]:
    """The same as words."""
    *counts, ratio = by_formulas(golden, row, sizes)
    return [*map(str, counts), f"{ratio:.4f}".rstrip("0").rstrip(".")]


def _table(golden: Golden, progress: Progress) -> Table:
    rows: Rows = []
    for done, (spec, (row, sizes)) in enumerate(CASES.items()):
        progress(done, len(CASES))
        found = figures(spec)
        ours = (found.routers, found.degree, found.diameter, found.cost_ratio)
        columns = zip(golden["table_1"]["columns"], _formulas(golden, row, sizes), ours, strict=True)
        # The printed cell is the formula: it counts once, whatever networks of ours stand beside it.
        rows.append((f"{spec} ({row})", [table_cell(golden, "table_1", row, c, v, words=p) for c, p, v in columns]))
    data = golden["table_1"]
    return Table(
        "What the formulas give, and the search", f"li2009rdn, {data['where']}", data["columns"], rows, data["note"]
    )


def _clusters(net: Network) -> int:
    """Clusters of the one level of a dual-net, found as what hangs together without its cross edges."""
    return int(clusters_of(net).max()) + 1


def _wk_links(net: Network) -> int:
    """Links of each node of a WK network, its open ones counted; -1 where the nodes differ."""
    ports = (net.neighbor != NO_ROUTER).sum(axis=1)
    corners = np.flatnonzero((net.coord == net.coord[:, :1]).all(axis=1))
    ports[corners] += 1  # the open link of a corner
    found = np.unique(ports)
    return int(found[0]) if len(found) == 1 else -1


def section(golden: Golden, progress: Progress) -> Section:
    """Every formula of Table 1 on small networks, searched."""
    parts: Rows = []
    for n in CUBES:
        parts.append(
            (
                f"clusters of DC({n})",
                [by_formula(golden, "dual_cube_clusters", _clusters(build(f"dualcube:{n}")), {"n": n})],
            )
        )
    for n, t in WK:
        cell = by_formula(golden, "wk_links", _wk_links(build(f"wk:{n},t={t}")), {"n": n}, OPEN)
        parts.append((f"links of a node of WK({n},{t})", [cell]))
    for spec in RATIOS:
        value = _formulas(golden, *CASES[spec])[-1]
        cell = claimed(golden, "cost_ratio", figures(spec).cost_ratio, printed=value, detail=DEFINED)
        parts.append((f"cost ratio of {spec}", [cell]))
    of_parts = Table("What the networks consist of", "li2009rdn, section 3", ("count",), parts)
    return Section(TITLE, TEXT, (_table(golden, progress), of_parts))


TEXT = """The formulas of Table 1 are evaluated for networks small enough to be built, and compared with what a search
of those networks finds. That of the cube-connected cycles has no floor(n/2) - 2, and that of the torus no rounding of
odd sides."""
