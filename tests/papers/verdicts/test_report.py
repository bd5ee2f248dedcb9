"""The report's pieces: verdicts, order, a page that escapes what it is given. Its figures: `test_verdicts`."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

import pytest
from tests.papers.page.page_made import EXACT, exact, printed_number, verdict_of, whole_page

from jumpnet.errors import JumpnetError
from jumpnet.papers import golden_folder
from jumpnet.report._report import Computed, chosen, compute, papers, unexplained
from jumpnet.report._section import Cell, Figure, Section, Table
from jumpnet.report._write import write_report


def test_verdicts_follow_the_printed_digits() -> None:
    assert Cell("8.0020", Fraction(80015, 10000)).verdict == "rounded" or Cell("8.0020", 8.00196).verdict == "rounded"
    assert Cell("8.0020", 8.00196).verdict == "rounded"
    assert Cell("8.0020", 8.0021).verdict == "differs"
    assert Cell("12", 12).verdict == "equal"
    assert Cell("7/8", "7/8").verdict == "equal"
    assert Cell("7/8", "6/8").verdict == "differs"
    assert Cell(None, 3).verdict == "not printed"
    assert Cell("12", 12, stated=True).verdict == Cell("8.19", 8.1902, stated=True).verdict == "stated"
    assert Cell("17", 16, stated=True).verdict == "conflicts", "a paper that contradicts itself"


def test_an_unexplained_difference_is_found() -> None:
    table = Table("t", "s", ("a", "b"), [("r", [Cell("1", 2), Cell("1", 2, note="because")])])
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
    table = Table(bad, bad, (bad,), [(bad, [Cell(bad, bad + "y", note=bad, detail=bad)])], bad)

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


def test_the_file_of_a_table_has_every_cell(tmp_path: Path) -> None:
    """Every table of the report read back: figures in full, their difference, verdict and note."""
    parts = [replace(part, section=replace(part.section, figures=())) for part in whole_page().parts]
    folder, seen = write_report(parts, tmp_path / "report").parent / "tables", 0
    for part in parts:
        for n, table in enumerate(part.section.tables, 1):
            with (folder / f"{part.key}-{part.name}-{n}.csv").open(encoding="utf-8", newline="") as file:
                head, *rows = csv.reader(file)
            assert head == ["row", "column", "printed", "computed", "difference", "verdict", "note"]
            places = [(label, *pair) for label, cells in table.rows for pair in zip(table.columns, cells, strict=True)]
            wanted = [(label, column, cell) for label, column, cell in places if cell is not None]
            for (label, column, cell), row in zip(wanted, rows, strict=True):
                assert row[:3] == [label, column, cell.printed or ""] and row[5:] == [verdict_of(cell), cell.note], row
                _figures_read_back(cell, *row[3:5])
                seen += 1
    assert seen > 9000


def _figures_read_back(cell: Cell, computed: str, difference: str) -> None:
    """Our figure of a line, and how far it is from the printed one; no difference between words."""
    ours, printed = exact(cell.computed), printed_number(cell)
    if ours is None or isinstance(cell.computed, str):
        assert computed == str(cell.computed), cell
    else:
        assert abs(Fraction(computed) - ours) <= abs(ours) * EXACT, cell
    if ours is None or printed is None:
        assert difference in ("", "inf"), cell
    else:
        assert abs(Fraction(difference) - (ours - printed)) <= (1 + abs(ours)) * EXACT, cell


def test_pictures_are_the_same_bytes_every_time(tmp_path: Path) -> None:
    figure = Figure("f", "t", "s", lambda fig: fig.subplots().plot([1, 2, 3]), {"x": [1, 2, 3], "y": [1.5]})
    part = Computed("yang2001rdt", "x", Section("s", figures=(figure,)))
    first, second = (write_report([part], tmp_path / name).parent for name in ("a", "b"))
    for file in ("index.html", "figures/f.svg", "figures/f.png", "figures/f.csv"):
        assert (first / file).read_bytes() == (second / file).read_bytes(), file
    assert (first / "figures/f.csv").read_text(encoding="utf-8").splitlines() == ["x,y", "1,1.5", "2,", "3,"]


def test_a_figure_without_numbers_has_no_file_of_them(tmp_path: Path) -> None:
    figure = Figure("f", "t", "s", lambda fig: fig.subplots().plot([1, 2, 3]))
    index = write_report([Computed("yang2001rdt", "x", Section("s", figures=(figure,)))], tmp_path)
    assert sorted(file.name for file in (tmp_path / "figures").iterdir()) == ["f.png", "f.svg"]
    assert re.findall(r' href="([^#"]+)"', index.read_text(encoding="utf-8")) == ["figures/f.svg", "figures/f.png"]


def test_every_link_of_the_page_leads_to_one_place(tmp_path: Path) -> None:
    """Two pictures with the same words in them, and a note: no id twice, none missing, every file there."""
    figures = [Figure(n, n, "s", lambda fig: fig.subplots().plot([1, 2], label="same"), {"x": [1, 2]}) for n in "fg"]
    table = Table("t", "s", ("c",), [("r", [Cell("1", 2, note="why")])])
    index = write_report([Computed("yang2001rdt", "x", Section("s", "", (table,), figures))], tmp_path / "report")
    text = index.read_text(encoding="utf-8")
    ids = re.findall(r'\bid="([^"]+)"', text)
    used = re.findall(r'href="#([^"]+)"', text) + re.findall(r"url\(#([^)]+)\)", text)
    assert len(ids) == len(set(ids)) > 50 and len(used) > 20 and set(used) <= set(ids)
    files = re.findall(r' href="([^#"]+)"', text)
    assert len(files) == 1 + 2 * 3 and all((index.parent / file).is_file() for file in files)


def test_the_page_names_the_versions_that_made_it(tmp_path: Path) -> None:
    text = write_report([], tmp_path / "report").read_text(encoding="utf-8")
    (words,) = re.findall("<footer>(.*)</footer>", text)
    made = ", ".join(f"{name} {version(name)}" for name in ("jumpnet", "numpy", "numba", "matplotlib"))
    assert words.startswith(f"Computed by {made}, Python {python_version()}.")


def test_a_report_cannot_be_written_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("here", encoding="utf-8")
    with pytest.raises(JumpnetError, match="a folder to write expected"):
        write_report([], tmp_path / "taken")


def test_sections_say_what_they_are_and_where_they_stand() -> None:
    found = papers()
    assert list(found) == ["yang2001rdt", "inoguchi1996srt", "li2009rdn", "nishi1997router", "kudoh1995rhbd"]
    for key, sections in found.items():
        assert all(isinstance(m.TITLE, str) and m.TITLE and callable(m.section) for m in sections), key


def test_sections_stand_in_the_order_of_the_story() -> None:
    """A section that is added, or moved, is written into the story as well."""
    told = tomllib.loads((golden_folder() / "story.toml").read_text(encoding="utf-8"))
    assert told == {key: [m.__name__.rpartition(".")[2] for m in sections] for key, sections in papers().items()}


@pytest.mark.parametrize(
    ("keys", "only", "names"),
    [
        (["kudoh1995rhbd"], "directory_traces", ["directory_traces"]),
        (["kudoh1995rhbd"], "directory_traces_", ["directory_traces_choices", "directory_traces_rest"]),
        (["kudoh1995rhbd"], "y_traces", ["directory_traces", "directory_traces_choices", "directory_traces_rest"]),
        (["yang2001rdt"], "table_1", ["table_1"]),
        ([], "report", []),
    ],
)
def test_a_file_of_that_name_is_meant_before_those_whose_names_hold_it(keys, only, names) -> None:
    assert [module.__name__.rpartition(".")[2] for _, module in chosen(keys, only)] == names


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
