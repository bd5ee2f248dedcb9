"""The simulated sections of the bit-map directory paper: every cell filled, and what their texts say of the numbers."""

from __future__ import annotations

import math

import pytest
from tests.papers.page.page_made import committed_sections, value

from jumpnet.papers import golden_folder
from jumpnet.report._drawings import drawing_file
from jumpnet.report._kept import kept
from jumpnet.report._verdicts import read_verdicts
from jumpnet.report.kudoh1995rhbd import simulated_acknowledges, simulated_multicast

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


def test_combining_wins_at_the_highest_load_of_the_short_run() -> None:
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


def test_a_curve_carries_the_loads_at_which_it_is_not_too_high() -> None:
    loads, nan = [0.5, 1.0, 2.0], math.nan
    single, full, sm = simulated_multicast.WAYS
    found = {sm: [30.0, 300.0, nan], full: [20.0, 25.0, 90.0], single: [80.0, 90.0, nan]}
    words = " ".join(simulated_multicast._told(loads, found).split())
    assert "overtake it between 0.5 and 1 multicasts" in words and f"{sm}: 1." in words and f"{full}: 2;" in words
    assert "overtake it nowhere" in simulated_multicast._told(loads, {**found, single: [80.0, 400.0, nan]})


def test_the_slowest_way_to_acknowledge_is_named_with_what_each_carries() -> None:
    ways = {way: [float(k), math.nan] for k, way in enumerate(simulated_acknowledges.WAYS)}
    words = simulated_acknowledges._told([0.1, 0.2], ways)
    assert f"is `{list(ways)[-1]}`" in words and all(f"{way}: 0.1" in words for way in ways)
