"""Table I of the RDT paper, the PRDT rows: diameters by search, simple vector routing by routing all offsets."""

from __future__ import annotations

from jumpnet.paper._figures import figures
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, golden_table
from jumpnet.paper.yang2001rdt._vector import Ties, vector_steps
from jumpnet.topology import build

TITLE = "Table I: diameters of the PRDT"
ORDER = 30

THEORETICAL = "PRDT theoretical diameter"
SIMPLE = "PRDT simple vector routing diameter"
SIDES = {"1024": 32, "4096": 64, "16384": 128, "65536": 256}


def _top_rank(side: int) -> int:
    """The highest rank that Definition 2 allows at this size."""
    net = build(f"prdt:{side}")
    return int(net.params[2])


def section(golden: Golden, progress: Progress) -> Section:
    """Both rows with ranks up to 4, which the RDT uses, and again with every rank that Definition 2 allows."""
    computed: dict[str, dict[str, int]] = {THEORETICAL: {}, SIMPLE: {}}
    ranks = {column: _top_rank(side) for column, side in SIDES.items()}
    for done, (column, side) in enumerate(SIDES.items()):
        progress(done, 2 * len(SIDES))
        top = min(4, ranks[column])
        computed[THEORETICAL][column] = figures(f"prdt:{side},R={top}").diameter
        computed[SIMPLE][column] = int(vector_steps(side, 2, top).max())
    table = golden_table(golden, "table_1", computed, {(SIMPLE, "65536"): RANK_5}, key="yang2001rdt")
    readings: list[tuple[str, list[Cell | None]]] = []
    ties: tuple[Ties, ...] = ("zero", "away")
    for name, most in (("ranks to 4", 4), ("every rank", 99)):
        for way in ties:
            longest = [int(vector_steps(side, 2, min(most, ranks[c]), way).max()) for c, side in SIDES.items()]
            readings.append((f"{name}: longest vector route, ties {TIES[way]}", [Cell(None, v) for v in longest]))
        progress(len(SIDES) + (most > 4), 2 * len(SIDES))
        found = [figures(f"prdt:{side},R={min(most, ranks[c])}") for c, side in SIDES.items()]
        readings.append((f"{name}: diameter", [Cell(None, f.diameter) for f in found]))
        readings.append((f"{name}: average distance", [Cell(None, f.average_distance) for f in found]))
    other = Table(
        "The same rows under other readings", "computed here", list(SIDES), readings, "None of these is printed."
    )
    return Section(TITLE, TEXT, (table, other))


TIES = {"zero": "toward zero", "away": "away from zero"}
RANK_5 = """With the ranks to 4 the longest route has 11 hops (ties toward zero). Rank 5 exists at 65,536 nodes, and
with it the longest vector route has the printed 10, but then the diameter is 8 instead of the printed 10: the two
rows of the table do not belong to the same ranks."""
TEXT = """The theoretical diameters are exact searches, simple vector routing is the paper's C fragment over all
offsets. A remainder of exactly n is rounded toward zero, as the text says; rounding it away from zero makes longer
routes at every size. Definition 2 allows the ranks 3, 3, 4 and 5 at the four sizes; the RDT of the paper uses the
ranks to 4."""
