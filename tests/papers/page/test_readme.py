"""The surprises of the README, number by number: against the committed cells, and simulated again."""

from __future__ import annotations

import re
from pathlib import Path

from jumpnet.papers import golden_folder
from jumpnet.report._verdicts import Row, read_verdicts, verdict_file
from jumpnet.sim.simulate import simulate

README = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
ROWS = [row for row in read_verdicts(verdict_file(golden_folder(), full=False)) if row["paper"] == "yang2001rdt"]
WORDS = " ".join(README.split())
DIAMETERS = re.compile(
    r"this RDT, a recursive diagonal torus, prints diameters of (\d+) and (\d+) for ([\d,]+) and ([\d,]+) nodes\. "
    r"These are the largest distances from one corner; from some nodes the farthest is one hop more "
    r"\(`jumpnet metrics rdt:(\d+) rdt:(\d+)`\)"
)
SATURATED = re.compile(
    r"the curves drawn above show it full at a load of (0\.\d+), the mesh at (0\.\d+) \(flits a node and cycle\): .*"
    r"With four channels the torus wins, (0\.\d+) to (0\.\d+) "
)


def cell(section: str, row: str, column: str) -> Row:
    """A cell of the first table of a section."""
    (found,) = [r for r in ROWS if (r["section"], r["table"], r["row"], r["column"]) == (section, 1, row, column)]
    return found


def test_the_diameters_are_what_the_cells_say() -> None:
    told = DIAMETERS.search(WORDS)
    assert told is not None
    sizes = [size.replace(",", "") for size in told.group(3, 4)]
    assert [int(side) ** 2 for side in told.group(5, 6)] == [int(size) for size in sizes]
    row = "Table I, floating vector routing, {}".format
    corner, everywhere = (
        [cell("alpha_diameter", row(seen), size) for size in sizes] for seen in ("corner", "everywhere")
    )
    assert list(told.group(1, 2)) == [found["computed"] for found in corner] == [found["printed"] for found in corner]
    assert [int(found["computed"]) for found in everywhere] == [int(hops) + 1 for hops in told.group(1, 2)]


def test_the_torus_is_full_before_the_mesh_but_with_more_channels() -> None:
    told = SATURATED.search(WORDS)
    assert told is not None
    two, four = ([float(load) for load in told.group(*groups)] for groups in ((1, 2), (3, 4)))
    assert two[0] < two[1] and four[0] > four[1]
    for vcs, (torus, mesh) in ((2, two), (4, four)):
        for spec, load in (("torus:8x8", torus), ("mesh:8x8", mesh)):
            carries, not_more = (
                simulate(spec, load=load + more, vcs=vcs, measure_cycles=10_000, seed=5) for more in (-0.03, 0.03)
            )
            assert not carries.saturated and not_more.saturated, (spec, vcs)
