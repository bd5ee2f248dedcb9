"""The page as a reader sees it: every cell, count and link read back from the HTML and held against the cells.

The page is made of all committed verdicts, without computing them again, and of one cell of each kind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path

import pytest
from tests.papers.page_tree import Element, parsed

from jumpnet.paper import _page
from jumpnet.paper._claims import claims
from jumpnet.paper._page import page
from jumpnet.paper._report import Computed, computed, papers
from jumpnet.paper._section import Cell, Figure, Section, Table
from jumpnet.paper._texts import front_rows
from jumpnet.paper._verdicts import Row, read_verdicts, verdict_file
from jumpnet.papers import bibliography, entries, golden, golden_folder

KEYS = ("yang2001rdt", "inoguchi1996srt", "li2009rdn", "nishi1997router", "kudoh1995rhbd")
MODULES = {(key, m.__name__.rsplit(".", 1)[-1]): m for key, modules in papers().items() for m in modules}
SIGN = {"equal": "=", "rounded": "≈", "differs": "≠", "conflicts": "↯", "stated": "“", "shown": "·"}
SAID = {
    "equal": "computed, and equal to", "rounded": "computed, and equal after rounding", "differs": "and different",
    "stated": "repeated from the paper", "conflicts": "contradict each other", "shown": "drawn or listed",
    "not printed": "not printed in the paper",
}  # fmt: skip
"""Words that tell the meaning of each verdict from the others."""


def _value(word: str) -> int | float | str:
    """A committed figure as a number where it is one."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def _cell(row: Row) -> Cell:
    return Cell(
        row["printed"],
        _value(row["computed"]),
        claim=row.get("claim", ""),
        stated=row["verdict"] in ("stated", "conflicts"),
        reading=row.get("reading", ""),
        detail=row.get("detail", ""),
        note=row.get("note", ""),
    )


def _table(number: int, rows: Sequence[Row]) -> Table:
    """A table of committed verdicts; what it does not have is left empty."""
    labels, columns = (list(dict.fromkeys(row[key] for row in rows)) for key in ("row", "column"))
    cells = {(row["row"], row["column"]): _cell(row) for row in rows}
    return Table(
        f"t{number}", "source", columns, [(label, [cells.get((label, c)) for c in columns]) for label in labels]
    )


def _committed() -> Iterator[Computed]:
    """Every section as it was committed: its cells, and its figures without a drawing."""
    rows = read_verdicts(verdict_file(golden_folder(), full=False))
    for (key, name), module in MODULES.items():
        mine = [row for row in rows if (row["paper"], row["section"]) == (key, name)]
        numbers = range(1, 1 + max((row["table"] for row in mine if row["table"] != "figure"), default=0))
        tables = [_table(n, [row for row in mine if row["table"] == n]) for n in numbers]
        figures = [
            Figure(row["row"], row["row"], "source", lambda figure: None, claim=row["claim"])
            for row in mine
            if row["table"] == "figure"
        ]
        yield Computed(key, name, Section(module.TITLE, "Words.", tables, figures))


def _made() -> Computed:
    """One cell of each verdict and kind: whole, broken, small, large, negative, words, none."""
    cells = [
        Cell("12", 12), Cell("8.19", Fraction(81902, 10000)), Cell("8.19", 9.25), Cell("10", 7),
        Cell("16", 16, stated=True), Cell("17", 16, stated=True),
        Cell(None, 0.000123456), Cell(None, Fraction(2, 3)), Cell(None, 12345.678),
        Cell(None, 7), Cell("yes", "yes"), Cell("yes", "no, one cycle of 5 channels at the least"), Cell("-2", -3.5),
        Cell("1.234567", 1.2345678), Cell("5", float("inf")), None,
    ]  # fmt: skip
    columns = [str(n) for n in range(len(cells))]
    return Computed("li2009rdn", "made", Section("Made", "", [Table("made", "s", columns, [("r", cells)])]))


@dataclass(frozen=True)
class Page:
    """A page and what it was made of."""

    root: Element
    parts: Sequence[Computed]

    def tables(self) -> Iterator[tuple[Table, Element]]:
        """Each table of a section with its box on the page."""
        at = self.root.by_id()
        for part in self.parts:
            for n, table in enumerate(part.section.tables):
                yield table, at[f"{part.key}-{part.name}-{n}"]

    def cells(self) -> Iterator[tuple[Cell | None, Element]]:
        """Each cell with its place on the page: as many of them as there are."""
        for table, box in self.tables():
            lines = [row.all("td") for row in box.one("tbody").all("tr")]
            assert [row.one("th").text for row in box.one("tbody").all("tr")] == [label for label, _ in table.rows]
            for (_, cells), line in zip(table.rows, lines, strict=True):
                yield from zip(cells, line, strict=True)


@pytest.fixture(scope="module")
def whole() -> Page:
    """The committed report, one section computed again, and the made cells."""
    real = computed("yang2001rdt", MODULES["yang2001rdt", "table_5"])
    parts = [part if (part.key, part.name) != ("yang2001rdt", "table_5") else real for part in _committed()]
    at = max(n for n, part in enumerate(parts) if part.key == "li2009rdn") + 1
    parts.insert(at, _made())
    pictures = {figure.name: "<svg></svg>" for part in parts for figure in part.section.figures}
    files = {(f"{p.key}-{p.name}", n): "t.csv" for p in parts for n, _ in enumerate(p.section.tables)}
    return Page(parsed(page(parts, pictures, files, "Computed by a test.")), parts)


def _verdict(cell: Cell) -> str:
    """The verdict by the rule as it is written: what is typed in is stated, the rest equal, equal rounded, or not."""
    if cell.printed is None:
        return "not printed"
    printed, ours = _exact(cell.printed), _exact(cell.computed)
    if printed is None or ours is None:
        kind = "equal" if cell.printed == str(cell.computed) else "differs"
    else:
        half = Fraction(1, 2 * 10 ** len(cell.printed.partition(".")[2]))
        kind = "equal" if printed == ours else "rounded" if abs(ours - printed) <= half * (1 + EXACT) else "differs"
    return ("conflicts" if kind == "differs" else "stated") if cell.stated else kind


EXACT = Fraction(1, 10**12)


def _exact(value: object) -> Fraction | None:
    """A figure as an exact number, None for words and for what is not finite."""
    if isinstance(value, Fraction):
        return value
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return Fraction(number) if number.is_finite() else None


def test_every_cell_has_the_mark_of_its_verdict(whole: Page) -> None:
    seen: Counter[str] = Counter()
    for cell, shown in whole.cells():
        if cell is None:
            assert shown.text == "–"
            continue
        verdict = _verdict(cell)
        seen[verdict] += 1
        marks = [mark for mark in shown.all("span") if mark.has("mark")]
        assert [mark.text for mark in marks] == ([] if verdict == "not printed" else [SIGN[verdict]]), cell
        assert SAID[verdict] in (marks[0] if marks else shown).attributes["title"], cell
        colour = {"conflicts": "stated", "not printed": "none"}.get(verdict, verdict)
        assert shown.classes() & {"equal", "rounded", "differs", "stated", "none"} == {colour}, cell
        assert shown.has("num") == (not isinstance(cell.computed, str)), cell
    assert seen.keys() == SAID.keys() - {"shown"} and sum(seen.values()) > 9000


def test_every_cell_shows_our_figure(whole: Page) -> None:
    """Words as they are; a number rounded to the digits shown, which are two more than printed, or three that count."""
    for cell, shown in whole.cells():
        if cell is None:
            continue
        (text,) = [words for words in shown.words if words.strip()]
        ours = _exact(cell.computed)
        if isinstance(cell.computed, str | int) or ours is None:
            assert text == str(cell.computed), cell
            continue
        digits = -int(Decimal(text).as_tuple().exponent)
        assert abs(Fraction(text) - ours) <= Fraction(1, 2) / Fraction(10) ** digits + abs(ours) * EXACT, (cell, text)
        if cell.printed is None and 0 < abs(ours) < 1:
            assert abs(Fraction(text) - ours) <= abs(ours) / 200, (cell, text)
        else:
            assert digits == min(6, len((cell.printed or "").partition(".")[2]) + 2), (cell, text)


def test_every_cell_shows_what_is_printed_and_the_difference(whole: Page) -> None:
    for cell, shown in whole.cells():
        if cell is None:
            continue
        small = [part.text for part in shown.all("small")]
        if cell.printed is None:
            assert small == []
            continue
        (words,) = small
        assert words.startswith(f"printed {cell.printed}"), cell
        told = words.removeprefix(f"printed {cell.printed}")
        printed, ours = _exact(cell.printed), _exact(cell.computed)
        if printed is None or ours is None:
            assert told in ("", " · +inf"), cell
        elif abs(ours - printed) < EXACT:
            assert not told or abs(float(told.removeprefix(" · "))) < EXACT, cell
        else:
            found = re.fullmatch(r" · ([+-][\d.e+-]+)", told)
            assert found is not None, (cell, words)
            assert abs(Fraction(found[1]) - (ours - printed)) <= abs(ours - printed) / 1000 + EXACT, (cell, words)


def test_every_note_detail_and_reading_stands_below_its_table(whole: Page) -> None:
    at = whole.root.by_id()
    for cell, shown in whole.cells():
        if cell is not None:
            reading = f"Reading {cell.reading.replace(':', ' = ', 1)}." if cell.reading else ""
            wanted = [" ".join(words.split()) for words in (cell.note, cell.detail, reading) if words.strip()]
            assert [at[a.attributes["href"][1:]].text for a in shown.all("a")] == wanted, cell


def test_the_committed_words_of_the_front_page_stand_on_it(whole: Page) -> None:
    text = whole.root.one("main").text
    for row in front_rows(KEYS):
        # The meaning of a mark stands beside it: `test_every_cell_has_the_mark_of_its_verdict`.
        assert row["piece"].startswith("mark ") or row["words"] in text, row["piece"]


def _claim_rows(whole: Page, key: str) -> list[Element]:
    return whole.root.by_id()[f"claims-{key}"].one("tbody").all("tr")


def _mark(row: Element) -> str:
    return next(mark.text for mark in row.all("span") if mark.has("mark"))


def test_every_entry_of_the_golden_files_has_a_row_and_no_other(whole: Page) -> None:
    for key in KEYS:
        rows = [row for row in _claim_rows(whole, key) if not row.has("other")]
        said = [(row.one("th").one("a").text, row.one("th").one("small").text) for row in rows]
        assert said == [(entry["text"], entry["where"]) for entry in entries(golden(key)).values()]
        counted = whole.root.by_id()[f"claims-{key}"].one("summary").text
        marks = Counter(map(_mark, rows))
        tally = " ".join(f"{sign} {marks[sign]}" for sign in SIGN.values() if marks[sign])
        assert counted == f"{golden(key)['short']}: {len(rows)} claims {tally}"


def test_the_tiles_count_the_rows_of_the_claims(whole: Page) -> None:
    rows = [row for key in KEYS for row in _claim_rows(whole, key) if not row.has("other")]
    counted = Counter(map(_mark, rows))
    tiles = [tile for tile in whole.root.all("div") if tile.has("tile")]
    wanted = {verdict: sign for verdict, sign in SIGN.items() if verdict != "shown"}
    assert [tile.one("b").text for tile in tiles] == [f"{sign} {counted[sign]}" for sign in wanted.values()]
    for verdict, tile in zip(wanted, tiles, strict=True):
        assert SAID[verdict] in tile.one("span").text
    assert f"{counted['·']} more are drawn" in whole.root.one("main").all_text


def test_a_claim_has_the_mark_of_its_verdict_and_leads_to_its_cell(whole: Page) -> None:
    """To the table that holds a cell of that claim and verdict; to the section where it is drawn only."""
    tables = {box.attributes["id"]: table for table, box in whole.tables()}
    drawn = {f"{p.key}-{p.name}": [figure.claim for figure in p.section.figures] for p in whole.parts}
    at, found = whole.root.by_id(), claims(whole.parts)
    shown = [row for key in KEYS for row in _claim_rows(whole, key)]
    for claim, row in zip(found, shown, strict=True):
        assert _mark(row) == SIGN[claim.verdict] and row.has("other") != claim.default
        to = row.one("th").one("a").attributes["href"].removeprefix("#")
        assert to in at and to.startswith(f"{claim.paper}-")
        if claim.table is None:
            assert claim.claim in drawn[to]
        else:
            cells = [cell for _, line in tables[to].rows for cell in line if cell is not None]
            verdicts = {_verdict(cell).replace("not printed", "shown") for cell in cells if cell.claim == claim.claim}
            assert claim.verdict in verdicts, (claim.claim, to)


def test_the_page_tells_the_papers_in_their_order(whole: Page) -> None:
    heads = whole.root.all("h2")
    assert [head.attributes["id"] for head in heads] == ["claims", "readings", "surprises", *KEYS, "appendix"]
    titles = [bibliography()[key]["title"] for key in KEYS]
    assert [head.text for head in heads][:-1] == ["Claims", "Readings", "Surprises", *titles]
    links = {a.attributes["href"] for a in whole.root.one("nav").all("a")}
    assert links >= {f"#{head.attributes['id']}" for head in heads}
    sections = [part.attributes["id"].removesuffix("-more") for part in whole.root.all("section")]
    assert set(sections) == {f"{part.key}-{part.name}" for part in whole.parts}
    cited = [part.text for part in whole.root.all("p") if part.has("cite")]
    for key, words in zip(KEYS, cited, strict=True):
        assert words.endswith(f", {re.findall('[0-9]+', key)[0]}. {key}")


def test_the_readings_of_the_page_are_those_of_the_golden_files(whole: Page) -> None:
    """Every option, the default in bold, and how many figures it gives of those compared."""
    (box,) = [box for box in whole.root.all("div") if box.has("scroll") and "what is open" in box.all_text]
    shown = [(line.all("td")[0], line.all("td")[1].text) for line in box.one("tbody").all("tr")]
    wanted = [
        (key, f"{name}:{option}", words, option == reading["default"])
        for key in KEYS
        for name, reading in golden(key).get("readings", {}).items()
        for option, words in reading["options"].items()
    ]
    cells = [(part.key, c) for part in whole.parts for t in part.section.tables for _, line in t.rows for c in line]
    for (key, option, words, default), (told, count) in zip(wanted, shown, strict=True):
        assert told.one("small").text == words and bool(told.all("b")) == default
        kinds = [_verdict(c) for paper, c in cells if c is not None and (paper, c.reading) == (key, option)]
        compared = [kind for kind in kinds if kind in ("equal", "rounded", "differs")]
        assert count == f"{sum(kind != 'differs' for kind in compared)} of {len(compared)}", option


MEDIA = re.compile(r"(@media[^{]+)\{((?:[^{}]+\{[^{}]*\})+)\s*\}")


def _rules(style: str) -> dict[tuple[str, str], dict[str, str]]:
    """What a style sheet gives by (screen, selector); the screen is empty where a rule holds for all."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for screen, block in (("", MEDIA.sub("", style)), *MEDIA.findall(style)):
        for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", block):
            pairs = (pair.partition(":") for pair in body.split(";") if ":" in pair)
            given = {name.strip(): value.strip() for name, _, value in pairs}
            for selector in selectors.split(","):
                found.setdefault((screen.strip(), selector.strip()), {}).update(given)
    return found


def test_wide_tables_scroll_navigation_stays_numbers_stand_right(whole: Page) -> None:
    style = (Path(_page.__file__).parent / "_page.css").read_text(encoding="utf-8")
    assert whole.root.one("style").text.split() == style.split()
    given = _rules(style)
    assert given["", ".scroll"]["overflow-x"] == given["", ".picture"]["overflow-x"] == "auto"
    assert given["", "td.num"]["text-align"] == "right"
    screens = {screen for screen, _ in given if "-width: 6" in screen}
    assert len(screens) == 2
    for screen in screens:
        nav = given[screen, "nav"]
        assert (nav["position"], nav["top"], nav["overflow-y"]) == ("sticky", "0", "auto")
    assert given["", "main"]["min-width"] == "0"
    assert all(table.within(lambda box: box.has("scroll")) for table in whole.root.all("table"))
    assert all(svg.within(lambda box: box.has("picture")) for svg in whole.root.all("svg"))
