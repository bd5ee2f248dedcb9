"""Claims and readings from hand-made sections: what counts, what stands beside it, what is only shown."""

from __future__ import annotations

import json

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.report import _claims, _kept, _notes
from jumpnet.report._claims import claims, readings, tally
from jumpnet.report._kept import kept, kept_file, write_kept
from jumpnet.report._notes import Note, annotated, unused
from jumpnet.report._report import Computed, unexplained
from jumpnet.report._section import Cell, Figure, Section, Table, claimed, table_cell
from jumpnet.report._verdicts import differences, read_verdicts, record, verdict_rows, versions

KEY = "made2026up"
GOLDEN = {
    "key": KEY,
    "short": "M",
    "table_1": {"title": "sizes", "where": "Table 1", "columns": ["c", "d"], "rows": {"r": ["1", "2"], "s": ["3", ""]}},
    "claims": {
        "a": {"value": "8", "where": "section 1", "text": "links"},
        "b": {"value": "7", "where": "section 2", "text": "receivers"},
        "c": {"value": "", "where": "Figure 1", "text": "a picture"},
        "d": {"value": "60", "where": "section 3", "text": "clock"},
        "e": {"value": "5", "where": "section 4", "text": "shown nowhere"},
    },
    "readings": {"way": {"where": "section 2", "text": "which", "default": "x", "options": {"x": "one", "y": "other"}}},
}


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_claims, "golden", lambda key: GOLDEN)


def part(*cells: Cell, figures: tuple[Figure, ...] = (), name: str = "s") -> Computed:
    table = Table("t", "s", [str(n) for n in range(len(cells))], [("r", list(cells))])
    return Computed(KEY, name, Section("S", tables=(table,), figures=figures))


PART = part(
    claimed(GOLDEN, "a", 8),
    claimed(GOLDEN, "b", 7, reading="way:x"),
    claimed(GOLDEN, "b", 9, reading="way:y"),
    claimed(GOLDEN, "d", 60, stated=True),
    table_cell(GOLDEN, "table_1", "r", "c", 2),
    table_cell(GOLDEN, "table_1", "r", "d", 2),
    Cell(None, 3),
    figures=(Figure("f", "f", "s", lambda figure: None, claim="c"),),
)


def test_a_claim_names_every_reading_that_its_figures_hang_on(monkeypatch: pytest.MonkeyPatch) -> None:
    where = {"where": "section 2", "text": "what", "default": "u", "options": {"u": "one", "v": "other"}}
    monkeypatch.setitem(GOLDEN["readings"], "size", where)
    cells = [claimed(GOLDEN, "b", 7, reading=reading) for reading in ("way:x", "", "size:u", "way:x", "size:v")]
    assert [(row.default, row.reading) for row in claims([part(*cells)])] == [
        (True, "way:x, size:u"),
        (False, "size:v"),
    ]


def test_the_default_reading_counts_and_the_others_stand_beside_it() -> None:
    found = {(row.claim, row.default): row for row in claims([PART])}
    assert {place: row.verdict for place, row in found.items()} == {
        ("table_1", True): "differs",
        ("a", True): "equal",
        ("b", True): "equal",
        ("b", False): "differs",
        ("c", True): "shown",
        ("d", True): "stated",
    }
    assert (found["b", True].reading, found["b", False].reading) == ("way:x", "way:y")
    assert found["table_1", True].computed == "1 of 3 as printed; 1 without a figure of ours"
    assert tally(claims([PART])) == {"equal": 2, "rounded": 0, "differs": 1, "conflicts": 0, "stated": 1, "shown": 1}


def test_figures_that_contradict_what_is_compared_are_named_beside_it() -> None:
    right, wrong, clash = claimed(GOLDEN, "a", 8), claimed(GOLDEN, "a", 9), claimed(GOLDEN, "a", 7, stated=True)
    said = "contradicted by other printed figures"
    kinds = {
        (right, clash): f"8; 1 {said}",
        (right, wrong, clash, clash): f"1 of 2 as printed; 2 {said}",
        (clash,): "7",
        (right, wrong): "1 of 2 as printed",
    }
    assert {cells: row.computed for cells in kinds for row in claims([part(*cells)])} == kinds


@pytest.mark.parametrize(("computed", "repeated", "verdict"), [(2, 1, "equal"), (1, 1, "stated"), (1, 2, "stated")])
def test_a_claim_that_is_mostly_repeated_is_not_counted_as_computed(computed: int, repeated: int, verdict: str) -> None:
    cells = [claimed(GOLDEN, "a", 8, stated=n >= computed) for n in range(computed + repeated)]
    assert [row.verdict for row in claims([part(*cells)])] == [verdict]


def test_a_table_that_is_mostly_repeated_is_stated() -> None:
    values = [("r", "c", 1), ("r", "d", 2), ("s", "c", 3)]
    for known, verdict in ((1, "stated"), (2, "equal")):
        cells = [table_cell(GOLDEN, "table_1", *value, stated=n >= known) for n, value in enumerate(values)]
        assert _table_1(*cells)[0][2] == verdict


def _table_1(*cells: Cell) -> list[tuple[str, str, str]]:
    return [(row.printed, row.computed, row.verdict) for row in claims([part(*cells)])]


def test_a_printed_cell_of_a_table_counts_once() -> None:
    """Shown twice, it is as printed if both figures are; a network that the table does not have is not counted."""
    once, again, wrong = (table_cell(GOLDEN, "table_1", "r", "c", n) for n in (1, 1.0, 7))
    typed, ours = table_cell(GOLDEN, "table_1", "s", "c", 3, stated=True), Cell("9", 9, claim="table_1")
    other = table_cell(GOLDEN, "table_1", "r", "d", 2, reading="way:x")
    assert _table_1(once, again, typed, ours, other) == [
        ("3 figures", "2 of 3 as printed; 1 repeated only", "equal"),
    ]
    assert _table_1(once, wrong, typed, other)[0] == (
        "3 figures", "1 of 3 as printed; 1 repeated only", "differs",
    )  # fmt: skip
    beside = table_cell(GOLDEN, "table_1", "r", "d", 5, reading="way:y")
    assert _table_1(once, again, other, beside) == [
        ("3 figures", "2 of 3 as printed; 1 without a figure of ours", "equal"),
        ("1 figures", "0 of 1 as printed", "differs"),
    ]
    with pytest.raises(JumpnetError, match="unknown column of table_1 'e'"):
        table_cell(GOLDEN, "table_1", "r", "e", 1)


def test_a_claim_with_many_reasons_says_how_many_differ_and_where(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [
        Note("s", 1, (("r", "0", "2"),), "first"),
        Note("s", 1, (("r", "1", "3"),), "second", "A surprise."),
        Note("s", 1, (("r", "2", "4"),), "third", "Another."),
    ]
    for module in (_claims, _notes):
        monkeypatch.setattr(module, "notes", lambda key: tuple(made))
    cells = (Cell("1", 2, claim="a"), Cell("1", 3, claim="a"), Cell("1", 4, claim="a"), Cell("1", 1, claim="a"))
    lead = Table("before", "s", ["c"], [("r", [Cell("1", 1, claim="b")])])
    for n, note in ((4, "3 figures differ; the tables say why. A surprise."), (1, "first")):
        (row,) = claims([Computed(KEY, "s", annotated(KEY, "s", part(*cells[:n]).section))])
        assert row.note == note
    counted = (*cells[:2], Cell("9", 1, claim="a", stated=True, note="other"), Cell("1", 1, claim="a"))
    (row,) = claims([Computed(KEY, "s", annotated(KEY, "s", part(*counted).section))])
    assert row.computed == "1 of 3 as printed; 1 contradicted by other printed figures"
    assert row.note == (
        "2 figures differ, 1 of what is printed contradicts other printed figures; the tables say why. A surprise."
    )
    two = Section("S", tables=(lead, part(Cell("1", 1, claim="a")).section.tables[0], part(*cells).section.tables[0]))
    assert {row.claim: (row.section, row.table, row.cell) for row in claims([Computed(KEY, "s", two)])} == {
        "a": ("s", 3, (1, 1)), "b": ("s", 1, (1, 1)),
    }  # fmt: skip


def test_readings_are_counted_over_the_figures_that_are_compared() -> None:
    assert [(o.option, o.reproduced, o.compared, o.default) for o in readings([PART])] == [
        ("x", 1, 1, True),
        ("y", 0, 1, False),
    ]
    assert readings([part(claimed(GOLDEN, "a", 8))]) == []


def test_a_note_belongs_to_its_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    note = Note("s", 1, (("r", "0", "9"), ("r", "1", "2")), "because")
    monkeypatch.setattr(_notes, "notes", lambda key: (note,))
    right, wrong = (part(Cell("8", 9), Cell("8", n)) for n in (2, 3))
    for made, unsaid in ((right, []), (wrong, ["1"])):
        shown = Computed(KEY, "s", annotated(KEY, "s", made.section))
        assert [row["column"] for row in unexplained([shown])] == unsaid
        assert len(list(unused(KEY, [("s", shown.section)]))) == len(unsaid)


def test_verdicts_are_written_and_compared(tmp_path) -> None:
    file = tmp_path / "verdicts.jsonl"
    other = part(Cell("1", 1), name="t")
    assert record(file, [PART, other], "1") == 9
    assert record(file, [other], "2") == 9, "sections that were not computed keep their lines"
    assert sorted(versions(file).values()) == ["1", "2"], "and the version that gave them"
    committed = read_verdicts(file)
    assert differences(committed, verdict_rows(PART)) == differences(committed, verdict_rows(other)) == []
    changed = part(Cell("1", 2), name="t")
    assert [line.partition(": ")[2] for line in differences(committed, verdict_rows(changed))] == [
        "computed '1' committed, '2' found",
        "verdict 'equal' committed, 'differs' found",
    ]
    doubled = Computed(KEY, "t", Section("S", tables=(Table("t", "s", ["a", "a"], [("r", [Cell("1", 1)] * 2)]),)))
    with pytest.raises(JumpnetError, match="two cells"):
        differences(committed, verdict_rows(doubled))
    with pytest.raises(JumpnetError, match="--record"):
        read_verdicts(tmp_path / "none")


@pytest.mark.parametrize("key", ["printed", "computed", "verdict", "claim", "place", "reading", "detail", "note"])
def test_whatever_changes_in_a_line_is_seen(key: str) -> None:
    cell = Cell("7", 9, claim="b", place=("r", "c"), reading="way:y", detail="nine", note="because")
    (row,) = verdict_rows(part(cell))
    assert key in row and len(differences([row], [row | {key: "another"}])) == 1


def test_a_changed_curve_is_seen() -> None:
    one, two = (part(figures=(Figure("f", "f", "s", lambda figure: None, {"x": [1, 2.0, n]}),)) for n in (3, 4))
    assert differences(verdict_rows(one), verdict_rows(one)) == []
    assert len(differences(verdict_rows(one), verdict_rows(two))) == 1


def test_kept_results_name_the_version_that_gave_them(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_kept, "golden_folder", lambda: tmp_path)
    assert kept(KEY, "s") is None
    write_kept(tmp_path, KEY, "s", "1.2", {"x": [1]})
    found = kept(KEY, "s")
    assert found is not None and found.data == {"x": [1]} and "jumpnet 1.2" in found.said and "--full" in found.said
    path = kept_file(tmp_path, KEY, "s")
    path.write_text(json.dumps({"version": "1"}), encoding="utf-8")
    with pytest.raises(JumpnetError, match="damaged results"):
        kept(KEY, "s")
