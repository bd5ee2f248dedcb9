"""Table V of the RDT paper: average path lengths and diameters of the five networks that it simulates."""

from __future__ import annotations

from jumpnet.paper._figures import figures
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, golden_table
from jumpnet.paper.yang2001rdt.table_1_routing import routes

TITLE = "Table V: average path length"
ORDER = 70

SPECS = {
    "2D Torus": "torus:64x64",
    "3D Torus": "torus:16x16x16",
    "4D Torus": "torus:8x8x8x8",
    "Hypercube": "hypercube:12",
}
RDT = "RDT(2,4,1)/alpha"
ROUTING = "rdt.deadlock_free:ties=zero,moves=x"
RULE = """Deadlock-free routing with base moves between ranks along x only; the paper does not give its rule for base
moves (see Table I for others)."""


def section(golden: Golden, progress: Progress) -> Section:
    """Exact averages over ordered pairs of different nodes; the RDT's shortest paths beside its printed routes."""
    columns = golden["table_5"]["columns"]
    computed = {}
    for done, (row, spec) in enumerate(SPECS.items()):
        progress(done, len(SPECS) + 1)
        found = figures(spec)
        computed[row] = dict(zip(columns, (found.average_distance, found.diameter), strict=True))
    routed = routes("rdt:64", ROUTING)
    computed[RDT] = dict(zip(columns, (routed.average, routed.maximum), strict=True))
    table = golden_table(golden, "table_5", computed, {(RDT, c): RULE for c in columns}, key="yang2001rdt")
    shortest = figures("rdt:64")
    extra = Table(
        "RDT(2,4,1)/α of 4096 nodes, shortest paths",
        "computed here",
        columns,
        [("shortest paths", [Cell(None, shortest.average_distance), Cell(None, shortest.diameter)])],
        "The printed 8.1902 and 12 belong to the deadlock-free routing, which is not a shortest-path routing.",
    )
    return Section(TITLE, TEXT, (table, extra))


TEXT = """Averages are over ordered pairs of different nodes: with the zero distances of a node to itself the 2D torus
would have 32.0000, not the printed 32.0078. For the RDT the paper prints the routes of its deadlock-free routing; the
second table has the shortest paths."""
