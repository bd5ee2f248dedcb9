"""The committed verdicts of full runs, too long to compute here: each follows from its figures and what is kept."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.papers.page.page_made import value

from jumpnet.papers import golden_folder
from jumpnet.report._kept import kept
from jumpnet.report._section import Cell
from jumpnet.report._verdicts import Row, kept_digest, read_verdicts, verdict_file, versions

FULL, DAILY = (
    [row for row in read_verdicts(verdict_file(golden_folder(), full)) if row["table"] not in ("figure", "kept")]
    for full in (True, False)
)
PLACE = ("paper", "section", "table", "row", "column")
KEPT = sorted(path.stem.split("-", 1) for path in (golden_folder() / "kept").glob("*.json"))
RUN = sorted({(row["paper"], row["section"]) for row in FULL})
"""Sections with a full form."""


def place(row: Row) -> tuple[Any, ...]:
    """Where a row stands in the report."""
    return tuple(row[key] for key in PLACE)


def follows(row: Row) -> bool:
    """Whether the verdict is that of the printed and the computed figure of the row."""
    stated = row["verdict"] in ("stated", "conflicts")
    return Cell(row["printed"], value(row["computed"]), stated=stated).verdict == row["verdict"]


def test_every_verdict_follows_from_its_figures() -> None:
    assert [place(row) for row in (*FULL, *DAILY) if not follows(row)] == []
    assert len(FULL) > 5000 and {row["verdict"] for row in FULL} >= {"equal", "differs", "stated", "not printed"}


def test_another_verdict_or_figure_would_be_seen() -> None:
    for row in FULL:
        if row["printed"] is not None:
            wrong = "differs" if row["verdict"] in ("equal", "rounded") else "equal"
            if row["verdict"] not in ("stated", "conflicts"):
                assert not follows(row | {"verdict": wrong}), place(row)
            if row["verdict"] in ("equal", "rounded"):
                assert not follows(row | {"computed": f"{row['computed']}9e9"}), place(row)


def test_a_difference_of_a_full_run_says_why() -> None:
    assert [place(row) for row in FULL if row["verdict"] in ("differs", "conflicts") and not row.get("note")] == []


def _figure(row: Row) -> tuple[Any, ...]:
    """A row without the number of its table: short runs are tables of their own."""
    return tuple(row.get(key) for key in ("row", "column", "printed", "computed", "verdict", "claim", "reading"))


@pytest.mark.parametrize(("key", "name"), RUN, ids=["-".join(names) for names in RUN])
def test_the_daily_report_shows_every_figure_of_the_full_run(key: str, name: str) -> None:
    """`test_verdicts` computes the daily figures, from kept results where the section is slow: both files are tied."""
    daily, full = ([row for row in rows if (row["paper"], row["section"]) == (key, name)] for rows in (DAILY, FULL))
    shown = {_figure(row) for row in daily}
    assert full and [place(row) for row in full if _figure(row) not in shown] == []
    assert [place(row) for row in full if _figure(row | {"computed": f"{row['computed']}9"}) in shown] == []


@pytest.mark.parametrize(("key", "name"), KEPT, ids=["-".join(names) for names in KEPT])
def test_kept_results_and_verdicts_are_of_one_run(key: str, name: str) -> None:
    found = kept(key, name)
    assert found is not None and found.command == f"jumpnet paper {key} --only {name} --full"
    one = r"[\d.]+\+[0-9a-f]{7,12}"
    assert re.fullmatch(f"{one}( and {one})*", found.version), "commits, their sources unchanged"
    assert versions(verdict_file(golden_folder(), full=True))[f"{key} {name}"] == found.version


def _leaves(data: Any) -> int:
    """How many figures and words are kept."""
    inside = data.values() if isinstance(data, dict) else data if isinstance(data, list) else None
    return 1 if inside is None else sum(map(_leaves, inside))


def _one_altered(data: Any, at: int) -> Any:
    """The data with the figure or word of that number altered."""
    if isinstance(data, dict | list):
        places = list(data.items() if isinstance(data, dict) else enumerate(data))
        for place, inside in places:
            if at < (count := _leaves(inside)):
                changed = {**data} if isinstance(data, dict) else [*data]
                changed[place] = _one_altered(inside, at)
                return changed
            at -= count
    if data is None or isinstance(data, bool):
        return not data
    return f"{data}1" if isinstance(data, str) else data + 1


def test_every_kept_figure_is_that_of_the_run() -> None:
    """Those too that no cell shows: `--full --record` writes the digest of all beside the verdicts."""
    rows = [row for row in read_verdicts(verdict_file(golden_folder(), full=True)) if row["table"] == "kept"]
    digests = {(row["paper"], row["section"]): row["computed"] for row in rows}
    assert sorted(map(list, digests)) == KEPT
    for (key, name), digest in digests.items():
        found = kept(key, name)
        assert found is not None and kept_digest(found.data) == digest, (key, name)


def test_another_kept_figure_gives_another_digest() -> None:
    data = {"a": [1, {"b": 0.5, "c": None}], "d": "word", "e": True, "2": [3], "10": []}
    digests = {kept_digest(data), *(kept_digest(_one_altered(data, at)) for at in range(_leaves(data)))}
    assert len(digests) == 1 + _leaves(data) == 7
    assert kept_digest({10: (1, 2), 2: 3}) == kept_digest({"10": [1, 2], "2": 3}), "as it is read back"


def test_kept_figures_stand_in_their_rows() -> None:
    """The one file that is kept by row and column of its table."""
    rows = {(row["section"], row["row"], row["column"]): row["computed"] for row in FULL}
    data = json.loads((golden_folder() / "kept" / "li2009rdn-table_2.json").read_text(encoding="utf-8"))["data"]
    for network, found in data.items():
        for column, number in found.items():
            assert float(rows["table_2", network, column]) == pytest.approx(number, rel=1e-8), (network, column)
