"""The report: verdicts of the quick sections, every difference explained, a page that escapes what it is given."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.paper._report import Computed, cell_rows, compute, counts, papers, unexplained
from jumpnet.paper._section import Cell, Figure, Section, Table
from jumpnet.paper._write import write_report

QUICK = ("theorem_1_2", "table_1", "table_3", "table_5", "symmetry", "theorem_2")
"""Sections (by file name, in any paper) that take a second or two."""


@pytest.fixture(scope="module")
def quick() -> dict[tuple[str, str], Computed]:
    """The quick sections, computed once."""
    return {(part.key, part.name): part for name in QUICK for part in compute(only=name)}


def _cells(part: Computed, table: str) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["row"], row["column"]): row for row in cell_rows(part) if row["table"].startswith(table)}


def test_every_difference_is_explained(quick: dict[tuple[str, str], Computed]) -> None:
    assert len(quick) >= len(QUICK)
    assert unexplained(list(quick.values())) == []


def test_every_srt_cell_of_table_1_reproduces(quick: dict[tuple[str, str], Computed]) -> None:
    cells = _cells(quick["inoguchi1996srt", "table_1"], "Diameter")
    srt = [cell for (row, _), cell in cells.items() if "SRT" in row and cell["printed"]]
    assert len(srt) == 40 and all(cell["verdict"] == "equal" for cell in srt)
    assert cells["3D Torus", "64k"]["verdict"] == "differs"


def test_wiring_widths_of_theorem_2_and_its_corollaries(quick: dict[tuple[str, str], Computed]) -> None:
    found = Counter(row["verdict"] for row in cell_rows(quick["inoguchi1996srt", "theorem_2"]) if row["printed"])
    assert set(found) == {"equal"}


def test_prdt_rows_of_table_1(quick: dict[tuple[str, str], Computed]) -> None:
    cells = _cells(quick["yang2001rdt", "table_1"], "Diameter and average")
    theory = [cell["verdict"] for (row, _), cell in cells.items() if row.startswith("PRDT theoretical")]
    simple = [cell["verdict"] for (row, _), cell in cells.items() if row.startswith("PRDT simple")]
    assert theory == ["equal"] * 4
    assert simple == ["equal"] * 3 + ["differs"]


def test_theorems_1_and_2_hold_everywhere(quick: dict[tuple[str, str], Computed]) -> None:
    assert counts([quick["yang2001rdt", "theorem_1_2"]])["differs"] == 0


def test_averages_of_table_5_after_rounding(quick: dict[tuple[str, str], Computed]) -> None:
    cells = _cells(quick["yang2001rdt", "table_5"], "Average path length")
    names = ("2D Torus", "3D Torus", "4D Torus", "Hypercube")
    assert [cells[name, "average path length"]["verdict"] for name in names] == ["rounded"] * 4
    assert [cells[name, "diameter"]["verdict"] for name in names] == ["equal"] * 4


def test_bisection_of_table_3(quick: dict[tuple[str, str], Computed]) -> None:
    cells = _cells(quick["yang2001rdt", "table_3"], "Bisection")
    differ = [at for at, cell in cells.items() if cell["verdict"] != "equal"]
    assert differ == [("RDT(2,4,1)/alpha", "4096")]


def test_the_rdn_is_node_but_not_edge_symmetric(quick: dict[tuple[str, str], Computed]) -> None:
    cells = _cells(quick["li2009rdn", "symmetry"], "Claims")
    assert {cell["computed"] for (_, column), cell in cells.items() if column == "node symmetric"} == {"yes"}
    assert {cell["computed"] for (_, column), cell in cells.items() if column == "edge symmetric"} == {"no"}


def test_verdicts_follow_the_printed_digits() -> None:
    assert Cell("8.0020", Fraction(80015, 10000)).verdict == "rounded" or Cell("8.0020", 8.00196).verdict == "rounded"
    assert Cell("8.0020", 8.00196).verdict == "rounded"
    assert Cell("8.0020", 8.0021).verdict == "differs"
    assert Cell("12", 12).verdict == "equal"
    assert Cell("7/8", "7/8").verdict == "equal"
    assert Cell("7/8", "6/8").verdict == "differs"
    assert Cell(None, 3).verdict == "not printed"


def test_an_unexplained_difference_is_found() -> None:
    table = Table("t", "s", ("a", "b"), [("r", [Cell("1", 2), Cell("1", 2, "because")])])
    assert len(unexplained([Computed("yang2001rdt", "x", Section("s", tables=(table,)))])) == 1


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen[tag] += 1
        if tag not in ("meta", "br", "link", "path", "use", "rect"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.seen[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                pass


def test_hostile_text_is_escaped_everywhere(tmp_path: Path) -> None:
    bad = '<script>alert("x")</script>&\'"'
    table = Table(bad, bad, (bad,), [(bad, [Cell(bad, bad + "y", bad)])], bad)

    def draw(figure: Any) -> None:
        figure.subplots().set_title(bad)

    figure = Figure("hostile", bad, bad, draw, {bad: [1, 2]}, bad)
    part = Computed("yang2001rdt", "hostile", Section(bad, f"{bad}\n\n{bad}", (table,), (figure,)))
    index = write_report([part], tmp_path / "report")
    text = index.read_text(encoding="utf-8")
    tags = _Tags()
    tags.feed(text)
    assert tags.seen["script"] == 0 and "<script" not in text
    assert tags.seen["td"] == 1 and tags.seen["svg"] == 1
    assert "http://" not in text.replace("http://www.w3.org", "") and "src=" not in text
    rows = list(csv.reader((tmp_path / "report/tables/yang2001rdt-hostile-1.csv").open(encoding="utf-8")))
    assert rows[1][0] == bad and rows[1][3] == bad + "y"


def test_pictures_are_the_same_bytes_every_time(tmp_path: Path) -> None:
    figure = Figure("f", "t", "s", lambda fig: fig.subplots().plot([1, 2, 3]), {"x": [1, 2, 3], "y": [1.5]})
    part = Computed("yang2001rdt", "x", Section("s", figures=(figure,)))
    first, second = (write_report([part], tmp_path / name).parent for name in ("a", "b"))
    for file in ("index.html", "figures/f.svg", "figures/f.png", "figures/f.csv"):
        assert (first / file).read_bytes() == (second / file).read_bytes(), file
    assert (first / "figures/f.csv").read_text(encoding="utf-8").splitlines() == ["x,y", "1,1.5", "2,", "3,"]


def test_every_link_of_the_page_leads_to_one_place(tmp_path: Path) -> None:
    """Two pictures with the same words in them, and a note: no id twice, none missing, every file there."""
    figures = [Figure(n, n, "s", lambda fig: fig.subplots().plot([1, 2], label="same"), {"x": [1, 2]}) for n in "fg"]
    table = Table("t", "s", ("c",), [("r", [Cell("1", 2, "why")])])
    index = write_report([Computed("yang2001rdt", "x", Section("s", "", (table,), figures))], tmp_path / "report")
    text = index.read_text(encoding="utf-8")
    ids = re.findall(r'\bid="([^"]+)"', text)
    used = re.findall(r'href="#([^"]+)"', text) + re.findall(r"url\(#([^)]+)\)", text)
    assert len(ids) == len(set(ids)) > 50 and len(used) > 20 and set(used) <= set(ids)
    files = re.findall(r' href="([^#"]+)"', text)
    assert len(files) == 1 + 2 * 3 and all((index.parent / file).is_file() for file in files)


def test_a_report_cannot_be_written_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("here", encoding="utf-8")
    with pytest.raises(JumpnetError, match="a folder to write expected"):
        write_report([], tmp_path / "taken")


def test_sections_say_what_they_are_and_where_they_stand() -> None:
    found = papers()
    assert {"yang2001rdt", "inoguchi1996srt", "li2009rdn"} <= set(found)
    for key, sections in found.items():
        assert [m.ORDER for m in sections] == sorted(m.ORDER for m in sections), key
        assert all(isinstance(m.TITLE, str) and m.TITLE and callable(m.section) for m in sections), key


def test_an_interrupt_gets_through_the_progress_callback() -> None:
    def step(key: str, title: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        next(compute(["li2009rdn"], only="symmetry", step=step))


def test_json_has_one_object_for_each_cell(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from jumpnet.cli import main

    monkeypatch.setattr("sys.argv", ["jumpnet", "paper", "yang2001rdt", "--only", "table_5", "--json"])
    with pytest.raises(SystemExit) as stop:
        main()
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert stop.value.code == 0
    assert lines[0] | {"printed": "32.0078", "verdict": "rounded", "row": "2D Torus"} == lines[0]
