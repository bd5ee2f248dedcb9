"""Table 2 of the RDN paper: searches of networks with millions of nodes, and what the text says of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jumpnet.report._figures import figures
from jumpnet.report._formulas import yes
from jumpnet.report._kept import kept
from jumpnet.report._measures import MUCH_TIMES, much_more
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed, golden_table, table_cell
from jumpnet.report.li2009rdn.table_1 import by_formulas

TITLE = "Table 2: cost ratio of networks of 2 to 50 million nodes"
ORDER = 35

SPECS = {
    "3D-torus": "torus:128x128x128",
    "WK(8,7)": "wk:8,t=7",
    "21-cube": "hypercube:21",
    "CCC(17)": "ccc:17",
    "DC(11)": "dualcube:11",
    "RDN(5^2,2)": "rdn:5x5,k=2",
    "RDN(3^3,2)": "rdn:3x3x3,k=2",
    "RDN(5,3)": "rdn:5,k=3",
}
SLOW = ("WK(8,7)",)
"""877 searches: run under --full, and shown from the committed results otherwise."""
FORMULAS: dict[str, tuple[str, dict[str, float]]] = {
    "3D-torus": ("3D Torus", {"x": 128, "y": 128, "z": 128}),
    "WK(8,7)": ("WK(n,t)", {"n": 8, "t": 7}),
    "21-cube": ("n-cube", {"n": 21}),
    "CCC(17)": ("CCC(n)", {"n": 17}),
    "DC(11)": ("DC(n)", {"n": 11}),
    "RDN(5^2,2)": ("RDN(m,k)", {"m": 25, "k": 2, "d0": 4, "D0": 4}),
    "RDN(3^3,2)": ("RDN(m,k)", {"m": 27, "k": 2, "d0": 6, "D0": 3}),
    "RDN(5,3)": ("RDN(m,k)", {"m": 5, "k": 3, "d0": 2, "D0": 2}),
}
"""Row of Table 1 and the sizes, for each row of Table 2."""


def _searched(row: str, columns: list[str]) -> dict[str, Any]:
    found = figures(SPECS[row])
    return dict(zip(columns, (found.routers, found.degree, found.diameter, found.cost_ratio), strict=True))


def _formulas(golden: Golden, columns: list[str]) -> Table:
    rows: Rows = []
    for row in golden["table_2"]["rows"]:
        values = by_formulas(golden, *FORMULAS[row])
        cells = [table_cell(golden, "table_2", row, c, v, stated=True) for c, v in zip(columns, values, strict=True)]
        rows.append((row, list(cells)))
    note = "lg is the logarithm to base 2. Both sides follow from what is printed."
    return Table("The same cells by the formulas of Table 1", "li2009rdn, Tables 1 and 2", columns, rows, note)


def _millions(nodes: int) -> str:
    """A number of nodes as the text writes it.

    >>> _millions(4_251_528)
    '4M'
    """
    return f"{nodes / 1e6:.0f}M"


def burdened(known: Mapping[str, Mapping[str, Any]], ours: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """What a known network has much more of than every dual-net of the table, links of a node or diameter."""
    more = {}
    for row, cells in known.items():
        for column, word in (("node-degree", "links"), ("diameter", "diameter")):
            if much_more(cells[column], max(net[column] for net in ours)):
                more[row] = word
    return more


def _known(golden: Golden, found: Mapping[str, Mapping[str, Any]]) -> Cell:
    """Whether more than half of the known topologies of Table 2 are so burdened."""
    ours = [cells for row, cells in found.items() if row.startswith("RDN")]
    known = {row: cells for row, cells in found.items() if not row.startswith("RDN")}
    more = burdened(known, ours)
    words = "most" if 2 * len(more) > len(known) else f"{len(more)} of {len(known)}"
    measures = {"links": "node-degree", "diameter": "diameter"}
    said = ", ".join(f"{row} {word} {known[row][measures[word]]}" for row, word in more.items())
    links, far = (max(net[column] for net in ours) for column in measures.values())
    detail = f"{len(more)} of {len(known)}: {said}; dual-nets at most {links} links, diameter {far}."
    return claimed(golden, "known_topologies", words, detail=detail)


def _text_claims(golden: Golden, found: Mapping[str, Mapping[str, Any]]) -> Table:
    """What the text says of the table, from the searches."""
    cost = {row: float(cells["CR"]) for row, cells in found.items()}
    ours = [value for row, value in cost.items() if row.startswith("RDN")]
    others = [value for row, value in cost.items() if not row.startswith("RDN")]
    spread = f"{min(ours):.3f} to {max(ours):.3f}, the others {min(others):.3f} to {max(others):.3f}."
    nodes = sorted(cells["number of nodes"] for row, cells in found.items() if row.startswith("RDN"))
    sizes = [_millions(count) for count in nodes]
    large, best = found["RDN(5^2,2)"], found["RDN(3^3,2)"]
    cells = {
        "RDN(25,2): diameter": claimed(golden, "diameter_25_2", large["diameter"]),
        "RDN(25,2): more than 3 million nodes": claimed(
            golden,
            "nodes_25_2",
            yes(large["number of nodes"] > 3_000_000),
            detail=f"{large['number of nodes']:,} nodes.",
        ),
        "RDN(25,2): links of a node": claimed(golden, "degree_25_2", large["node-degree"]),
        "128-ary 3-cube: diameter": claimed(golden, "torus_128", found["3D-torus"]["diameter"]),
        "dual-nets below all others in cost ratio": claimed(
            golden, "dual_nets_best", yes(max(ours) < min(others)), detail=spread
        ),
        "known networks with many links or a large diameter": _known(golden, found),
        "least cost ratio": claimed(golden, "best_of_all", min(cost, key=lambda row: cost[row])),
        "RDN(3^3,2): diameter": claimed(golden, "best_diameter", best["diameter"]),
        "RDN(3^3,2): links of a node": claimed(golden, "best_degree", best["node-degree"]),
        "dual-nets: fewest and most nodes": claimed(golden, "sizes_range", f"{sizes[0]} {sizes[-1]}"),
        "RDN(3^3,2): nodes in millions": claimed(golden, "best_nodes", best["number of nodes"] / 1e6),
        "RDN(3,3): nodes": claimed(golden, "base_of_size_3", figures("rdn:3,k=3").routers),
        "RDN(5,3): nodes": claimed(golden, "base_of_size_3", found["RDN(5,3)"]["number of nodes"]),
    }
    rows = [(k, [c]) for k, c in cells.items()]
    return Table("What the text says", "li2009rdn, sections 1 and 3", ("found",), rows, LARGE)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Search each network (the one with many orbits under --full), and evaluate the formulas of Table 1."""
    columns = list(golden["table_2"]["columns"])
    committed = None if full else kept("li2009rdn", "table_2")
    computed: dict[str, dict[str, Any]] = {}
    details: dict[tuple[str, str], str] = {}
    for done, row in enumerate(SPECS):
        progress(done, len(SPECS))
        if row not in SLOW or full:
            computed[row] = _searched(row, columns)
        elif committed is not None:
            computed[row] = dict(committed.data[row])
            details |= {(row, column): committed.said for column in columns}
    table = golden_table(golden, "table_2", computed, key="li2009rdn", details=details, note="All by search.")
    tables = (table, _text_claims(golden, computed), _formulas(golden, columns))
    return Section(TITLE, TEXT, tables, kept={row: computed[row] for row in SLOW} if full else {})


LARGE = f"""Many links, a large diameter: {float(MUCH_TIMES):g} times the most of any dual-net of the table or more; the
measure is ours."""
TEXT = """Diameters are found by breadth-first search, one for each orbit of known symmetries; networks of millions of
nodes are searched by their neighbor function, without a table. The last table evaluates the printed formulas: both of
its sides are the paper's."""
