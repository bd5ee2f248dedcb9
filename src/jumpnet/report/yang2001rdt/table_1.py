"""Table I of the RDT paper, the PRDT rows: diameters by search, simple vector routing by routing all offsets."""

from __future__ import annotations

from jumpnet.report._figures import figures
from jumpnet.report._prose import series
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, table_cell
from jumpnet.report.yang2001rdt._vector import Ties, vector_steps
from jumpnet.topology.rdt_sizes import ranks_that_close

TITLE = "Table I: diameters of the PRDT"
ORDER = 30

THEORETICAL = "PRDT theoretical diameter"
SIMPLE = "PRDT simple vector routing diameter"
SIDES = {"1024": 32, "4096": 64, "16384": 128, "65536": 256}
READINGS: dict[str, tuple[int, Ties]] = {
    "to_4": (4, "zero"), "to_4_away": (4, "away"), "every": (99, "zero"), "every_away": (99, "away"),
}  # fmt: skip
"""Option: highest rank that is used where it exists, and where a remainder of exactly n goes."""


def section(golden: Golden, progress: Progress) -> Section:
    """Both rows under every reading: with ranks up to 4, which the RDT uses, and with every rank of Definition 2."""
    rows: Rows = []
    for done, (option, (most, ties)) in enumerate(READINGS.items()):
        progress(done, len(READINGS) + 1)
        found: dict[str, list[int]] = {THEORETICAL: [], SIMPLE: []}
        for side in SIDES.values():
            top = min(most, ranks_that_close(side, 2)[0])
            found[THEORETICAL].append(figures(f"prdt:{side},R={top}").diameter)
            found[SIMPLE].append(int(vector_steps(side, 2, top, ties).max()))
        for row, values in found.items():
            cells = [
                table_cell(golden, "table_1", row, c, v, reading=f"prdt_rows:{option}")
                for c, v in zip(SIDES, values, strict=True)
            ]
            rows.append((f"{row}, {option}", list(cells)))
    table = Table(
        "Table I, the rows of the PRDT, under each reading",
        f"yang2001rdt, {golden['table_1']['where']}",
        list(SIDES),
        rows,
    )
    averages = Table(
        "Average distance of the PRDT",
        "computed here",
        list(SIDES),
        [
            (f"ranks to {most}" if most < 99 else "every rank", [Cell(None, _average(s, most)) for s in SIDES.values()])
            for most in (4, 99)
        ],
    )
    last = list(SIDES)[-1]
    four, every = (table.at(f"{SIMPLE}, {option}", last) for option in ("to_4", "every"))
    exact = table.at(f"{THEORETICAL}, every", last)
    verdicts = [table.at(f"{THEORETICAL}, to_4", column).verdict for column in SIDES]
    text = TEXT.format(
        four=four.text, printed=four.printed, every=every.text, exact=exact.text, same=verdicts.count("equal"),
        sizes=len(verdicts), ranks=series(ranks_that_close(side, 2)[0] for side in SIDES.values()),
    )  # fmt: skip
    return Section(TITLE, text, (table, averages))


def _average(side: int, most: int) -> float:
    return float(figures(f"prdt:{side},R={min(most, ranks_that_close(side, 2)[0])}").average_distance)


TEXT = """The theoretical diameters are exact searches, simple vector routing is the paper's C fragment over all
offsets. A remainder of exactly n is rounded toward zero, as the text says; rounding it away from zero makes longer
routes at every size. Definition 2 allows ranks to {ranks} at the sizes of the table; the RDT of the paper uses the
ranks to 4. With those {same} of the {sizes} diameters are as printed, and vector routing has {four} hops at 65,536
nodes where {printed} are printed. With rank 5 the longest vector route is {every}, as printed, but then the diameter is
{exact}: the two rows of the last column do not belong to the same ranks."""
