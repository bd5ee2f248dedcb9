"""What is committed of the report: written and compared, each change told; the commands that list, compare and hurry.

Made-up sections stand in for the papers', so that nothing long is computed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.papers.page.page_made import KEYS, committed

from jumpnet.cli import main
from jumpnet.papers import entries, golden, golden_folder
from jumpnet.plot.describe import described
from jumpnet.plot.figure import render
from jumpnet.report import _committed, _report
from jumpnet.report._committed import check_committed, claim_file, claim_rows, record_committed, this_version
from jumpnet.report._report import Computed, compute
from jumpnet.report._section import Cell, Figure, Section, Table
from jumpnet.report._verdicts import Row, differences, read_verdicts

KEY = "li2009rdn"
CLAIM = "bisection_3_1"
"""Printed as 5."""
TRAILING = re.compile(r"(\d+(?:\.\d*[1-9])?)\.?0*(?!\d)")


def _draw(end: float, figure: Any) -> None:
    figure.subplots().plot([0, 1], [0, end])


def made(name: str, computed: Any = 6, *, title: str = "T", end: float = 1.0, kept: float = 1.5) -> Computed:
    """A section of one cell, one picture and one figure that is kept."""
    cell = Cell("5", computed, claim=CLAIM, place=("r", "c"), note="because")
    figures = [Figure(f"of-{name}", "F", "s", partial(_draw, end))]
    section = Section(title, "words", [Table("t", "s", ["c"], [("r", [cell])])], figures, {"a": [kept]})
    return Computed(KEY, name, section)


def _slow(golden: Any, progress: Any, full: bool = False) -> Section:
    """A section with a full form."""
    return Section("")


def _quick(golden: Any, progress: Any) -> Section:
    return Section("")


def _module(name: str, section: Callable[..., Section]) -> ModuleType:
    module = ModuleType(f"made.{name}")
    module.__dict__.update(section=section, TITLE=name, ORDER=1)
    return module


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty golden folder of a checkout; one paper of a section with a full form and one without."""
    place = tmp_path / "tests" / "golden"
    place.mkdir(parents=True)
    monkeypatch.setattr(_committed, "golden_folder", lambda: place)
    monkeypatch.setattr(_committed, "papers", lambda: {KEY: [_module("one", _slow), _module("two", _quick)]})
    return place


def test_what_was_recorded_is_as_committed(folder: Path) -> None:
    parts = [made("one"), made("two")]
    names = ["verdicts.jsonl", "texts.jsonl", "drawings.jsonl", "claims.jsonl"]
    assert [path.name for path in record_committed(parts, False)] == names
    assert check_committed(parts, False) == check_committed(parts[1:], False) == []
    names = ["verdicts-full.jsonl", f"{KEY}-one.json"]
    assert [path.name for path in record_committed(parts, True)] == names
    assert check_committed(parts, True) == []


CHANGED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a figure": ({"computed": 7}, [f"{KEY}, two, 1, r, c: computed '6' committed, '7' found",
                                   f"{KEY}, claims, {CLAIM}: computed '6 (0 of 2 as printed)' committed"]),
    "a verdict": ({"computed": 5}, ["computed '6' committed, '5' found", "verdict 'differs' committed, 'equal' found",
                                    "'6 (0 of 2 as printed)' committed, '1 of 2 as printed' found"]),
    "a title": ({"title": "U"}, [f"{KEY}, two, title: words 'T' committed, 'U' found"]),
    "a picture": ({"end": 2.0}, [f"{KEY}, two, drawing of-two: lines "]),
}  # fmt: skip


@pytest.mark.parametrize(("change", "told"), CHANGED.values(), ids=CHANGED)
def test_what_changed_is_told(folder: Path, change: dict[str, Any], told: Sequence[str]) -> None:
    record_committed([made("one"), made("two")], False)
    found = check_committed([made("one"), made("two", **change)], False)
    assert [line for line in told if not any(line in other for other in found)] == [], found
    assert all(f"{KEY}, two" in line or f"{KEY}, claims" in line for line in found)


def test_what_a_full_run_changes_is_told(folder: Path) -> None:
    """Its figures and all that is kept, of the sections that have a full form."""
    record_committed([made("one"), made("two")], True)
    (line,) = check_committed([made("one", kept=1.75), made("two", 9, kept=2.0)], True)
    assert line.startswith(f"{KEY}, one, kept, results, data: computed ")
    found = check_committed([made("one", 7)], True)
    assert f"{KEY}, one, 1, r, c: computed '6' committed, '7' found" in found


def test_claims_are_compared_where_the_paper_is_whole(folder: Path) -> None:
    record_committed([made("one"), made("two")], False)
    before = claim_file(folder).read_text(encoding="utf-8")
    record_committed([made("two", 7)], False)
    assert claim_file(folder).read_text(encoding="utf-8") == before and claim_rows([made("two", 7)]) == []


def _plain(rows: Sequence[Row]) -> list[Row]:
    """Claims without the last zeros of numbers: a committed cell does not tell 19.4 from 19.40, nor from words."""
    return [row | {"computed": TRAILING.sub(r"\1", row["computed"])} for row in rows]


def test_the_claims_of_the_committed_cells_are_as_committed() -> None:
    """What the page says of each: printed, computed ("N of M as printed"), verdict, reading, note."""
    known = read_verdicts(claim_file(golden_folder()))
    assert differences(_plain(known), _plain(claim_rows(committed()))) == []
    names = [(row["paper"], row["piece"]) for row in known if row["default"]]
    assert sorted(names) == sorted((key, name) for key in KEYS for name in entries(golden(key)))
    counts = [found for row in known for found in re.findall(r"(\d+) of (\d+) as printed", row["computed"])]
    assert len(counts) > 100 and all(int(same) <= int(all_) for same, all_ in counts)


def test_the_version_says_where_sources_are_not_as_committed(tmp_path: Path) -> None:
    place, source = tmp_path / "tests" / "golden", tmp_path / "src" / "a.py"
    for folder in (place, source.parent):
        folder.mkdir(parents=True)
    assert this_version(place) == version("jumpnet")
    source.write_text("1\n", encoding="utf-8")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=n", "-c", "user.email=n@n"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    assert re.fullmatch(re.escape(version("jumpnet")) + r"\+[0-9a-f]{12}", this_version(place))
    (place / "verdicts.jsonl").write_text("new\n", encoding="utf-8")
    assert not this_version(place).endswith("+changed"), "what a run writes is no change of sources"
    source.write_text("2\n", encoding="utf-8")
    assert this_version(place).endswith("+changed")


@pytest.fixture
def jumpnet(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Runs `jumpnet paper li2009rdn ...` on made-up sections; the exit status."""

    def run(*words: str, parts: Sequence[Computed] = ()) -> int:
        def instead(keys: Sequence[str], **more: Any) -> Iterator[Computed]:
            asked.append({"keys": list(keys), **more})
            return iter(parts)

        monkeypatch.setattr(import_module("jumpnet.cli.paper"), "compute", instead)
        monkeypatch.setattr("sys.argv", ["jumpnet", "paper", KEY, *words])
        with pytest.raises(SystemExit) as stop:
            main()
        return int(stop.value.code or 0)

    asked: list[dict[str, Any]] = []
    run.__dict__["asked"] = asked
    return run


def test_claims_are_listed_with_what_is_printed_and_computed(jumpnet: Any, capfd: pytest.CaptureFixture[str]) -> None:
    said = golden(KEY)["claims"][CLAIM]
    assert jumpnet("--claims", "--json", parts=[made("one")]) == 0
    (line,) = capfd.readouterr().out.splitlines()
    assert json.loads(line) == {
        "paper": KEY, "claim": CLAIM, "place": said["where"], "text": said["text"], "printed": "5", "computed": "6",
        "verdict": "differs", "reading": "", "default": True, "note": "because",
    }  # fmt: skip
    assert jumpnet("--claims", parts=[made("one")]) == 0
    rows = [[word.strip() for word in re.split("[│┃]", row)[1:-1]] for row in capfd.readouterr().out.splitlines()]
    heads = ["paper", "claim", "place", "printed", "computed", "verdict", "reading"]
    assert [row for row in rows if row] == [heads, [KEY, CLAIM, said["where"], "5", "6", "≠ differs", ""]]


def test_all_claims_are_listed_with_every_reading_and_counted(jumpnet: Any, capfd: pytest.CaptureFixture[str]) -> None:
    """A line for each reading of each committed claim of the paper; the summary counts each claim once."""
    known = [row for row in read_verdicts(claim_file(golden_folder())) if row["paper"] == KEY]
    parts = [part for part in committed() if part.key == KEY]
    assert len({part.name for part in parts}) > 5 and any(not row["default"] for row in known)
    assert jumpnet("--claims", parts=parts) == 0
    told = capfd.readouterr()
    rows = [[word.strip() for word in re.split("[│┃]", row)[1:-1]] for row in told.out.splitlines()]
    listed = [(row[1], row[6]) for row in rows if row and row[0] == KEY]
    assert sorted(listed) == sorted((row["piece"].partition(",")[0], row["reading"]) for row in known)
    counted = re.search(r"(\d+) claims: (.*)", " ".join(told.err.split()))
    assert counted is not None
    wanted = Counter(row["verdict"] for row in known if row["default"])
    assert int(counted[1]) == wanted.total()
    said = {verdict: int(count) for count, verdict in re.findall(r"(\d+) (\w+)", counted[2])}
    assert {verdict: count for verdict, count in said.items() if count} == wanted


def test_check_ends_with_an_error_where_something_changed(
    jumpnet: Any, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    parts = [made("one"), made("two")]
    assert jumpnet("--record", parts=parts) == jumpnet("--full", "--record", parts=parts) == 0
    told = capfd.readouterr().err
    assert all(f"wrote {path}" in told.replace("\n", "") for path in [*folder.glob("*.*"), *folder.glob("kept/*")])
    for words, changed in ((("--check",), made("two", 7)), (("--full", "--check"), made("one", 7))):
        assert jumpnet(*words, parts=parts) == 0
        assert "0 differences" in capfd.readouterr().err
        assert jumpnet(*words, parts=[changed]) == 1
        out = capfd.readouterr().out.splitlines()
        assert f"{KEY}, {changed.name}, 1, r, c: computed '6' committed, '7' found" in out
    assert [asked["full"] for asked in jumpnet.asked] == [False, True, False, False, True, True]
    assert {tuple(asked["keys"]) for asked in jumpnet.asked} == {(KEY,)}


SOURCE = """
import os
from jumpnet.report._section import Figure, Section
TITLE, ORDER = "{name}", 1
def draw(figure):
    figure.subplots().plot([0, 1], [0, {end}])
def draw_more(figure):
    figure.subplots().plot([0, 1], [0, {end} + 10])
def section(golden, progress, full=False):
    told = f"{{golden['key']}}, full: {{full}}, threads: {{os.environ['JUMPNET_THREADS']}}"
    figures = [Figure("of-{name}", "F", "s", draw), Figure("more-{name}", "F", "s", draw_more)]
    return Section("{name}", told, (), figures)
"""


def test_sections_computed_elsewhere_come_in_order_with_their_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes: order, full form, share of the machine, and pictures drawn there of each section's own."""
    names = ("made_elsewhere_one", "made_elsewhere_two")
    for end, name in enumerate(names, 1):
        (tmp_path / f"{name}.py").write_text(SOURCE.format(name=name, end=end), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    jobs = [(KEY, import_module(name)) for name in names]
    monkeypatch.setattr(_report, "chosen", lambda keys, only: jobs)
    monkeypatch.setattr(_report.os, "cpu_count", lambda: 6)
    monkeypatch.delenv("JUMPNET_THREADS", raising=False)
    steps: list[str] = []
    parts = list(compute(full=True, workers=2, step=lambda key, title, done, total: steps.append(title)))
    assert [part.name for part in parts] == [part.section.title for part in parts] == steps == list(names)
    assert {part.section.text for part in parts} == {f"{KEY}, full: True, threads: 3"}
    for end, part in enumerate(parts, 1):
        assert len(part.section.figures) == 2
        for more, figure in enumerate(part.section.figures):
            draw = partial(_draw, end + 10 * more)
            assert figure.pictures == render(draw, name=figure.name) and figure.described == described(draw)
    for name in names:
        sys.modules.pop(name)
    assert replace(parts[0], name="") != replace(parts[1], name="")
