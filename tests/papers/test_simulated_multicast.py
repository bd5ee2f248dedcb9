"""The simulated sections of the bit-map directory paper: every cell filled, and what their texts say of the numbers."""

from __future__ import annotations

import math

import pytest
from tests.papers.page_made import committed_sections, value

from jumpnet.papers import golden_folder
from jumpnet.report._drawings import drawing_file
from jumpnet.report._kept import kept
from jumpnet.report._verdicts import read_verdicts

DRAWINGS = read_verdicts(drawing_file(golden_folder()))


def _cycles(text: str) -> float:
    """The mean of a cell `123 ± 4`; a load that is too high takes for ever."""
    return math.inf if text == "too high" else float(text.split(" ± ")[0])


def _cells(name: str) -> dict[str, list[float]]:
    part = committed_sections("kudoh1995rhbd", name)[name]
    rows = next(table.rows for table in part.section.tables if table.title.endswith("short run"))
    return {row: [_cycles(str(c.computed)) for c in cells if c is not None] for row, cells in rows}


def test_single_packets_hold_up_the_others_more_than_multicasts_do() -> None:
    cells = _cells("simulated_mixed")
    branching, single = (
        cells[f"{way}: packets to one destination"] for way in ("branching", "one packet to each destination")
    )
    assert branching[0] == single[0] and all(a < b for a, b in zip(branching[1:], single[1:], strict=True))


def test_combining_wins_at_the_highest_load() -> None:
    cells = _cells("simulated_acknowledges")
    last = {way: values[-4] for way, values in cells.items()}
    direct = last.pop("each receiver answers")
    assert len(last) == 4 and all(value < direct for value in last.values())
    first = {way: values[0] for way, values in cells.items()}
    assert max(first, key=lambda way: first[way]) == "combined by processors"


@pytest.mark.parametrize("name", ["simulated_multicast", "simulated_mixed", "simulated_acknowledges"])
def test_the_committed_long_run_is_shown_first_and_the_short_one_says_so(name: str) -> None:
    part = committed_sections("kudoh1995rhbd", name)[name]
    long = kept("kudoh1995rhbd", name)
    assert long is not None
    first = part.section.tables[0]
    assert first.title == long.data["tables"][0]["title"] and long.version in first.note
    shown = [[None if cell is None else cell.computed for cell in cells] for _, cells in first.rows]
    kept_rows = [
        [cell if cell is None else value(cell) for cell in cells] for _, cells in long.data["tables"][0]["rows"]
    ]
    assert shown == kept_rows
    drawn = next(row["words"] for row in DRAWINGS if row["section"] == name)
    assert set(drawn.split(" | ")) >= long.data["curves"].keys()
    short = [table for table in part.section.tables if table.title.endswith("short run")]
    assert short and all("Too short" in table.note for table in short)
