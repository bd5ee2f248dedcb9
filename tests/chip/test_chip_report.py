"""The report's sections on the chip: what is measured, and that a model that does otherwise is noticed."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.papers.page.page_made import committed

from jumpnet.chip import chip as units
from jumpnet.papers import entries, golden
from jumpnet.report._notes import annotated
from jumpnet.report._section import Cell, Section
from jumpnet.report.nishi1997router import sending

KEY = "nishi1997router"


def made(key: str, name: str) -> Section:
    """A section with its notes."""
    module: Any = importlib.import_module(f"jumpnet.report.{key}.{name}")
    return annotated(key, name, module.section(golden(key), lambda done, total: None))


def cells(section: Section) -> Iterator[tuple[str, str, Cell]]:
    """Every cell with its row and column."""
    for table in section.tables:
        for row, found in table.rows:
            yield from ((row, column, cell) for column, cell in zip(table.columns, found, strict=True) if cell)


@pytest.fixture(scope="module")
def sections() -> dict[str, Section]:
    """All sections of the chip's paper, as committed: `test_verdicts` computes them and compares."""
    return {part.name: part.section for part in committed() if part.key == KEY}


def test_every_entry_of_the_paper_is_shown(sections: dict[str, Section]) -> None:
    shown = {cell.claim for section in sections.values() for _, _, cell in cells(section)}
    shown |= {figure.claim for section in sections.values() for figure in section.figures}
    assert set(entries(golden(KEY))) <= shown


def test_what_differs_has_a_note_and_no_fewer_entries_are_measured(sections: dict[str, Section]) -> None:
    found = [cell for section in sections.values() for _, _, cell in cells(section) if cell.claim]
    assert all(cell.note for cell in found if cell.verdict == "differs")
    # Measured at the time of writing; an entry that becomes `stated` needs a reason and a smaller number here.
    assert len({cell.claim for cell in found if not cell.stated}) >= 58


def test_a_slower_crossbar_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chip whose map takes a clock more than it does: all sums of the section change."""

    def conflicts() -> int:
        return [c.verdict for row, _, c in cells(made(KEY, "latency")) if row == "flit 1 decides"].count("conflicts")

    before, decide = conflicts(), units.Chip._decide
    monkeypatch.setattr(units.Chip, "_decide", lambda chip, buffer: decide(chip, buffer) if buffer.count > 1 else None)
    assert (before, conflicts()) == (0, 2)


def test_the_later_paper_shows_its_tables() -> None:
    section = next(part.section for part in committed() if (part.key, part.name) == ("yang2001rdt", "table_7_8"))
    claims = {cell.claim for _, _, cell in cells(section)}
    assert {"table_7", "table_8", "chip_clocks"} <= claims
    assert all(cell.note for _, _, cell in cells(section) if cell.verdict == "differs")
    assert [cell.computed for _, column, cell in cells(section) if column == "clocks"] == [5, 6, 7]


def test_waiting_is_called_longer_only_where_the_seeds_agree() -> None:
    alike, apart = [[100.0, 105], [200, 212], [100, 104]], [[100.0, 120], [200, 190], [100, 101]]
    words = [sending._compared(*sending.band(np.array(clocks))) for clocks in (alike, apart)]
    assert words == ["above", "not certain"]
    assert sending._compared(*sending.band(np.array(alike)[:, ::-1])) == "not above"


def test_both_ways_of_sending_get_the_same_packets_and_each_seed_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "SEEDS", range(1, 3))
    monkeypatch.setattr(sending, "WAYS", dict.fromkeys("ab", sending.WAYS["waiting for all"]))
    latency, end = sending.both_ways.__wrapped__(0.005, 64)
    assert (latency[:, 0] == latency[:, 1]).all() and (end[:, 0] == end[:, 1]).all()
    assert latency[0, 0] != latency[1, 0]
