"""The committed words of the report: any changed digit or word is seen and told in one line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.papers import bibliography, golden_folder
from jumpnet.report import _notes, _texts
from jumpnet.report._notes import Note, annotated
from jumpnet.report._pieces import CLASS
from jumpnet.report._report import Computed, papers
from jumpnet.report._section import Cell, Figure, Section, Table
from jumpnet.report._texts import FRONT, front_rows, text_differences, text_file, text_rows
from jumpnet.report._verdicts import Row, read_verdicts, record

TEXTS = read_verdicts(text_file(golden_folder()))
SECTIONS = {(key, module.__name__.rsplit(".", 1)[-1]) for key, modules in papers().items() for module in modules}
WORD = re.compile(r"\d|[^\W\d]+")
GOLDEN = {
    "claims": {"a": {"value": "8", "where": "section 1", "text": "links"}},
    "readings": {
        "way": {"where": "section 2", "text": "which", "default": "x", "options": {"x": "one", "y": "other"},
                "network": "a ring"},
    },
}  # fmt: skip


def altered(words: str) -> Iterator[str]:
    """The words with each digit in turn counted up, and each word in turn left out."""
    for found in WORD.finditer(words):
        now = str((int(found.group()) + 1) % 10) if found.group().isdecimal() else ""
        yield words[: found.start()] + now + words[found.end() :]


def test_every_section_has_its_words_committed() -> None:
    assert {(row["paper"], row["section"]) for row in TEXTS} == {*SECTIONS, FRONT}
    assert {(row["paper"], row["section"]) for row in TEXTS if row["piece"] == "text 1" and row["words"]} == SECTIONS


def test_the_front_page_is_as_committed() -> None:
    """Its sentences, the meaning of each mark, the citations; a year is that of the key."""
    front = list(front_rows(papers()))
    assert text_differences(TEXTS, front) == []
    said = {row["piece"]: row["words"] for row in front}
    assert {f"mark {verdict}" for verdict in CLASS} <= said.keys() and {"lead", "claims", "readings"} <= said.keys()
    for key, entry in bibliography().items():
        assert re.findall(r"\d+", key) == [entry["year"]], key
    for key in papers():
        assert f"{bibliography()[key]['title']}. " in said[f"cited {key}"]
        assert said[f"cited {key}"].endswith(f", {re.findall(r'[0-9]+', key)[0]}.")


def test_any_altered_digit_or_word_is_seen() -> None:
    """Each digit and each word of each committed text in turn: one line names that text and no other."""
    sections: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in TEXTS:
        sections[row["paper"], row["section"]].append(row)
    for (key, name), rows in sections.items():
        for n, row in enumerate(rows):
            for part in row.keys() - {"paper", "section", "piece", "readings"}:
                for words in altered(row[part]):
                    (line,) = text_differences([row], [row | {part: words}])
                    assert line.startswith(f"{key}, {name}, {row['piece']}: {part} ")
                    at = "li2009rdn --only symmetry" if (key, name) == FRONT else f"{key} --only {name}"
                    assert line.endswith(f"jumpnet paper {at} --record")
            assert len(text_differences(rows, [*rows[:n], *rows[n + 1 :]])) == (len(rows) > 1)


def made(text: str = "10 against 11.\n\nMore.", note: str = "n", printed: str = "7") -> Computed:
    cells = [Cell(printed, 9, claim="a", reading="way:y")]
    figure = Figure("f", "A picture", "s", lambda figure: None, note="n")
    table = Table("T", "s", ["c"], [("r", cells)], note)
    return Computed("k", "s", annotated("k", "s", Section("S", text, (table,), (figure,))))


@pytest.fixture
def paper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_texts, "golden", lambda key: GOLDEN)
    monkeypatch.setattr(_notes, "notes", lambda key: (Note("s", 1, (("r", "c", "9"),), "because", "A surprise."),))


def test_what_a_reader_sees_is_written(paper: None) -> None:
    assert {row["piece"]: row["words"] for row in text_rows(made())} == {
        "title": "S", "text 1": "10 against 11.", "text 2": "More.", "table 1": "T", "figure f": "A picture",
        "claim a": "links", "reading way": "which", "reading way:x": "one", "reading way:y": "other",
        "surprise 1": "A surprise.",
    }  # fmt: skip
    assert [row["network"] for row in text_rows(made()) if "network" in row] == ["a ring"]


def test_check_tells_the_text_and_record_takes_it(paper: None, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed text is told with its place; one that was never recorded too."""
    file = text_file(tmp_path)
    (line,) = text_differences([], text_rows(made()))
    assert line.startswith("k, s: no words committed")
    record(file, [made()], "", text_rows)
    committed = read_verdicts(file)
    assert text_differences(committed, text_rows(made())) == []
    (line,) = text_differences(committed, text_rows(made("12 against 11.\n\nMore.")))
    assert line == (
        "k, s, text 1: words '10 against 11.' committed, '12 against 11.' found; "
        "read it, then jumpnet paper k --only s --record"
    )
    (line,) = text_differences(committed, text_rows(made(note="m")))
    assert "table 1: note 'n' committed, 'm' found" in line
    (line,) = text_differences(committed, text_rows(made("10 against 11.")))
    assert "text 2: committed, not found" in line
    record(file, [made("12 against 11.\n\nMore.")], "", text_rows)
    assert text_differences(read_verdicts(file), text_rows(made("12 against 11.\n\nMore."))) == []


def test_of_a_long_text_the_changed_place_is_told() -> None:
    long = "word " * 40
    row = {"paper": "p", "section": "s", "piece": "text 1"}
    (line,) = text_differences([row | {"words": f"{long}10 hops {long}"}], [row | {"words": f"{long}12 hops {long}"}])
    assert "10 hops" in line and "12 hops" in line and len(line) < 250


def test_a_sentence_quotes_a_cell_by_its_name() -> None:
    table = made().section.tables[0]
    assert table.at("r", "c").computed == 9
    with pytest.raises(JumpnetError, match="no cell 'r', 'd'"):
        table.at("r", "d")


def test_a_note_quotes_the_values_that_it_belongs_to() -> None:
    cells = (("r", "c", "16384"), ("r", "d", "308.805505"), ("r", "e", "none"))
    assert _notes._quoting("{0:,} nodes,\n {1:.1f} and {2}; {0}", cells) == "16,384 nodes, 308.8 and none; 16384"
