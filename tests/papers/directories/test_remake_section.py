"""The report on REMAKE: what it says follows from what was computed, and other figures give another verdict."""

from __future__ import annotations

import pytest
from tests.papers.page.page_made import committed_sections

from jumpnet.multicast.remake import remade
from jumpnet.papers import golden
from jumpnet.report._report import Computed
from jumpnet.report._section import Cell
from jumpnet.report.kudoh1995rhbd import remake as section

CLAIMS = ("remake_nodes", "remake_again", "remake_latency", "remake_fewer")


@pytest.fixture(scope="module")
def part() -> Computed:
    return committed_sections("kudoh1995rhbd", "remake")["remake"]


def _row(part: Computed, table: int, row: str) -> list[float]:
    cells = dict(part.section.tables[table].rows)[row]
    return [float(cell.computed) for cell in cells if cell is not None]


def test_every_sentence_has_a_verdict(part: Computed) -> None:
    cells = [cell for _, row in part.section.tables[0].rows for cell in row if cell is not None]
    assert tuple(cell.claim for cell in cells) == CLAIMS
    assert [cell.verdict for cell in cells] == ["equal"] * 4 and not any(cell.stated for cell in cells)


def test_only_destinations_receive_and_the_less_is_made_anew_the_more_others_do(part: Computed) -> None:
    assert _row(part, 1, "REMAKE") == [2.0, 4.0, 8.0, 16.0, 32.0] * 2
    rows = [row for row, _ in part.section.tables[2].rows]
    in_order = ["SM", *(row for row in rows if " for rank" in row), "REMAKE, 50 cycles a map"]
    receivers, made, last, _, flits = zip(*(_row(part, 2, row) for row in in_order), strict=True)
    assert len(in_order) == 4 and receivers[-1] == section.DESTINATIONS
    assert sorted(receivers, reverse=True) == list(receivers) and sorted(flits, reverse=True) == list(flits)
    assert sorted(made) == list(made) and sorted(last) == list(last)
    slow, quick = _row(part, 2, "REMAKE, 200 cycles a map"), _row(part, 2, "REMAKE, 0 cycles a map")
    assert [slow[k] - quick[k] for k in (2, 3)] == pytest.approx([4 * (last[-1] - quick[2])] * 2)


def test_the_three_schemes_fall_behind_first(part: Computed) -> None:
    highest = {row: str(cells[-2].computed) for row, cells in part.section.tables[3].rows if cells[-2] is not None}
    assert {row for row, text in highest.items() if text == "too high"} == {"SM", "LPRA", "LARP"}
    assert "the sources fall behind under SM, LPRA, LARP, and under no other" in part.section.text


def _verdicts(**changes: float) -> list[str]:
    """Verdicts of the claims when a figure of REMAKE is another one."""
    ways = {
        "SM": section.Alone(200, 0, 50, 150, 4000, 0),
        "REMAKE, 0 cycles a map": section.Alone(8, 9, 90, 200, 380, 9),
    }
    whole = section.Alone(8, 9, 190, 300, 380, 9)
    found = {**ways, f"REMAKE, {section.SHOWN} cycles a map": whole._replace(**changes)}
    table = section._claims(golden("kudoh1995rhbd"), section._receivers(), found, 9.0)
    return [cell.verdict for _, row in table.rows for cell in row if isinstance(cell, Cell)]


def test_other_figures_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(section, "TRIALS", 100)
    assert _verdicts() == ["equal"] * 4
    assert _verdicts(handed=8.0, started=8.0) == ["differs", "equal", "equal", "equal"]
    assert _verdicts(started=8.0) == ["equal", "differs", "equal", "equal"]
    assert _verdicts(last=90.0) == ["equal", "equal", "differs", "equal"]
    known = section.scheme
    monkeypatch.setattr(section, "scheme", lambda name: remade(9) if name == "REMAKE" else known(name))
    assert _verdicts() == ["equal", "equal", "equal", "differs"], "single maps all the way save nothing"
