"""The surprise of the README, number by number, against the committed cells that it tells of."""

from __future__ import annotations

import re
from pathlib import Path

from jumpnet.papers import golden_folder
from jumpnet.report._verdicts import Row, read_verdicts, verdict_file

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
ROWS = [row for row in read_verdicts(verdict_file(golden_folder(), full=False)) if row["paper"] == "yang2001rdt"]
SURPRISE = re.compile(
    r"prints diameters (\d+) and (\d+) for ([\d,]+) and ([\d,]+) nodes of RDT\(2,4,1\)/α\. Its Definition 6, "
    r"taken literally, gives (\d+) and (\d+); the printed ones are the distances from one corner\. "
    r"And another torus assignment than α saves a hop at ([\d,]+) nodes\."
)


def cell(section: str, row: str, column: str) -> Row:
    """A cell of the first table of a section."""
    (found,) = [r for r in ROWS if (r["section"], r["table"], r["row"], r["column"]) == (section, 1, row, column)]
    return found


def test_the_surprise_is_what_the_cells_say() -> None:
    told = SURPRISE.search(" ".join(README.split()))
    assert told is not None
    said, (here, there, largest) = told.group(1, 2, 5, 6), (size.replace(",", "") for size in told.group(3, 4, 7))
    row = "Table I, floating vector routing, {}".format
    places = [cell("alpha_diameter", row(seen), size) for seen in ("corner", "everywhere") for size in (here, there)]
    assert said == tuple(found["computed"] for found in places)
    assert said[:2] == tuple(found["printed"] for found in places[:2])
    alpha, best = (cell("assignments", f"{largest} nodes", column)["computed"] for column in ("α", "best"))
    assert int(alpha) - int(best) == 1


def test_the_command_below_names_that_assignment_and_those_sizes() -> None:
    told = SURPRISE.search(" ".join(README.split()))
    words = re.search(r"^    jumpnet metrics (rdt:.*)$", README, re.MULTILINE)
    assert told is not None and words is not None
    *plain, last = words[1].split()
    sizes = [int(size.replace(",", "")) for size in told.group(3, 4, 7)]
    assert [int(spec.removeprefix("rdt:")) ** 2 for spec in plain] == sizes
    assert last == f"{plain[-1]},assignment={cell('assignments', f'{sizes[-1]} nodes', 'best assignment')['computed']}"
