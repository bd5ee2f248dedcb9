"""Table V of the RDT paper: average path lengths and diameters of the five networks that it simulates."""

from __future__ import annotations

from fractions import Fraction

from jumpnet.papers import printed
from jumpnet.report._figures import figures
from jumpnet.report._measures import against
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed, golden_table, table_cell
from jumpnet.report.yang2001rdt.table_1_routing import DEADLOCK_FREE, routes

TITLE = "Table V: average path length"
ORDER = 70

SPECS = {
    "2D Torus": "torus:64x64",
    "3D Torus": "torus:16x16x16",
    "4D Torus": "torus:8x8x8x8",
    "Hypercube": "hypercube:12",
}
RDT = "RDT(2,4,1)/alpha"


def section(golden: Golden, progress: Progress) -> Section:
    """Exact averages over ordered pairs of different nodes; the RDT's routes under every reading, and its distances."""
    columns = golden["table_5"]["columns"]
    computed = {}
    for done, (row, spec) in enumerate(SPECS.items()):
        progress(done, len(SPECS) + 1)
        found = figures(spec)
        computed[row] = dict(zip(columns, (found.average_distance, found.diameter), strict=True))
    table = golden_table(golden, "table_5", computed, key="yang2001rdt")
    rows: Rows = []
    four = figures(SPECS["4D Torus"]).diameter
    for option, reading in DEADLOCK_FREE.items():
        routed = routes("rdt:64", reading.routing)
        name = f"deadlock_free_route:{option}"
        values: list[Fraction | int] = [routed.average, routed.maximum]
        cells: list[Cell | None] = [
            table_cell(golden, "table_5", RDT, c, v, reading=name) for c, v in zip(columns, values, strict=True)
        ]
        words = claimed(golden, "table_5_diameter", against(routed.maximum, four), reading=name)
        rows.append((f"routes, {option}", [*cells, words]))
    shortest = figures("rdt:64")
    rows.append(("shortest paths", [Cell(None, shortest.average_distance), Cell(None, shortest.diameter), None]))
    routed_table = Table(
        "RDT(2,4,1)/α of 4096 nodes: routes of the deadlock-free routing, and shortest paths",
        "yang2001rdt, Table V",
        (*columns, "diameter against the 4D torus"),
        rows,
        "The readings are those of Table I.",
    )
    return Section(TITLE, _text(golden, table, routed_table), (table, routed_table))


def _text(golden: Golden, table: Table, routed: Table) -> str:
    average, diameter = golden["table_5"]["columns"]
    nodes = 64 * 64
    torus = table.at("2D Torus", average)
    with_itself = float(torus.computed) * (nodes - 1) / nodes
    off = min(abs(routed.at(f"routes, {option}", average).difference or 0) for option in DEADLOCK_FREE)
    averages, diameters = (
        [printed(golden, "table_5", row, column) or "" for row in (RDT, "4D Torus")] for column in (average, diameter)
    )
    return TEXT.format(
        with_itself=f"{with_itself:.4f}", torus=torus.printed, off=f"{off:.2f}", diameters=" against ".join(diameters),
        averages=" against ".join(f"{float(words):.2f}" for words in averages),
    )  # fmt: skip


TEXT = """Averages are over ordered pairs of different nodes: with the zero distances of a node to itself the 2D torus
would have {with_itself}, not the printed {torus}. For the RDT the paper prints the routes of its deadlock-free
routing; no reading of it has the printed average, the nearest differs by {off}.

The text says that the RDT's diameter is a little larger than the 4D torus's. Its own table has {diameters}: the
averages, {averages}, must be meant."""
