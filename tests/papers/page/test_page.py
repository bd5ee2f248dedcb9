"""The cells and claims of the page as a reader sees them: every cell, count and link held against the cells."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from tests.papers.page.page_made import (
    EXACT,
    KEYS,
    LEFT,
    RIGHT,
    SAID,
    SIGN,
    Page,
    committed,
    exact,
    line,
    numeric,
    printed_number,
    verdict_of,
    whole_page,
)
from tests.papers.page.page_tree import Element, parsed

from jumpnet.papers import entries, golden
from jumpnet.report._claims import claims
from jumpnet.report._page import _claim_row


@pytest.fixture(scope="module")
def whole() -> Page:
    """The committed report, one section computed again, and the made cells."""
    return whole_page()


def test_every_cell_has_the_mark_of_its_verdict(whole: Page) -> None:
    seen: Counter[str] = Counter()
    for cell, shown in whole.cells():
        if cell is None:
            assert shown.text == "–"
            continue
        verdict = verdict_of(cell)
        seen[verdict] += 1
        marks = [mark for mark in shown.all("span") if mark.has("mark")]
        assert [mark.text for mark in marks] == ([] if verdict == "not printed" else [SIGN[verdict]]), cell
        assert SAID[verdict] in (marks[0] if marks else shown).attributes["title"], cell
        colour = {"conflicts": "stated", "not printed": "none"}.get(verdict, verdict)
        assert shown.classes() & {"equal", "rounded", "differs", "stated", "none"} == {colour}, cell
        assert shown.has("num") == (not isinstance(cell.computed, str) or numeric(cell.computed)), cell
    assert seen.keys() == SAID.keys() - {"shown"} and sum(seen.values()) > 9000


def test_every_cell_shows_our_figure(whole: Page) -> None:
    """Words as they are; a number rounded to the digits shown, which are two more than printed, or three that count."""
    for cell, shown in whole.cells():
        if cell is None:
            continue
        (text,) = [words for words in shown.words if words.strip()]
        ours = exact(cell.computed)
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
        printed, ours = printed_number(cell), exact(cell.computed)
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


def test_only_numbers_stand_right() -> None:
    assert all(map(numeric, RIGHT)) and not any(map(numeric, LEFT))


def claim_rows(whole: Page, key: str) -> list[Element]:
    return whole.root.by_id()[f"claims-{key}"].one("tbody").all("tr")


def mark(row: Element) -> str:
    return next(mark.text for mark in row.all("span") if mark.has("mark"))


def test_the_claims_and_the_readings_have_their_heads(whole: Page) -> None:
    boxes = [whole.root.by_id()[f"claims-{key}"] for key in KEYS]
    (readings,) = [box for box in whole.root.all("table") if box.has("claims") and not box.within(boxes.__contains__)]
    for box in boxes:
        assert [head.text for head in box.one("thead").all("th")] == ["claim", "printed", "computed"]
    heads = [head.text for head in readings.one("thead").all("th")]
    assert heads == ["what is open", "reading", "printed figures it gives"]


def test_every_entry_of_the_golden_files_has_a_row_and_no_other(whole: Page) -> None:
    for key in KEYS:
        rows = [row for row in claim_rows(whole, key) if not row.has("other")]
        said = [(row.one("th").one("a").text, row.one("th").one("small").text) for row in rows]
        assert said == [(entry["text"], entry["where"]) for entry in entries(golden(key)).values()]
        counted = whole.root.by_id()[f"claims-{key}"].one("summary").text
        marks = Counter(map(mark, rows))
        tally = " ".join(f"{sign} {marks[sign]}" for sign in SIGN.values() if marks[sign])
        assert counted == f"{golden(key)['short']}: {len(rows)} claims {tally}"


def test_the_tiles_count_the_rows_of_the_claims(whole: Page) -> None:
    rows = [row for key in KEYS for row in claim_rows(whole, key) if not row.has("other")]
    counted = Counter(map(mark, rows))
    tiles = [tile for tile in whole.root.all("div") if tile.has("tile")]
    wanted = {verdict: sign for verdict, sign in SIGN.items() if verdict != "shown"}
    assert [tile.one("b").text for tile in tiles] == [f"{sign} {counted[sign]}" for sign in wanted.values()]
    for verdict, tile in zip(wanted, tiles, strict=True):
        assert SAID[verdict] in tile.one("span").text
    (bar,) = [box for box in whole.root.all("div") if box.has("bar")]
    parts = [(part.attributes["class"], part.attributes["style"]) for part in bar.all("i")]
    total = sum(counted[sign] for sign in wanted.values())
    colours = {"conflicts": "stated", "not printed": "none"}
    assert parts == [
        (colours.get(verdict, verdict), f"width:{100 * counted[sign] / total:.3f}%")
        for verdict, sign in wanted.items()
        if counted[sign]
    ]
    assert f"{counted['·']} more are drawn" in whole.root.one("main").all_text


def test_a_claim_has_the_mark_of_its_verdict_and_leads_to_its_cell(whole: Page) -> None:
    """To a cell of that claim and verdict; to the section where it is drawn only."""
    cells = {shown.attributes["id"]: cell for cell, shown in whole.cells() if cell is not None and cell.claim}
    drawn = {f"{p.key}-{p.name}": [figure.claim for figure in p.section.figures] for p in whole.parts}
    at, found = whole.root.by_id(), claims(whole.parts)
    shown = [row for key in KEYS for row in claim_rows(whole, key)]
    for claim, row in zip(found, shown, strict=True):
        (sign,) = [part for part in row.walk() if part.has("mark")]
        assert SAID[claim.verdict] in sign.attributes["title"]
        assert mark(row) == SIGN[claim.verdict] and row.has("other") != claim.default
        printed, ours = row.all("td")
        assert printed.text == line(claim.printed)
        assert ours.text.startswith(line(f"{SIGN[claim.verdict]}{claim.computed}")) and ours.text.endswith(claim.note)
        reading = "reading " + " = ".join(claim.reading.split(":"))
        below = [line(words) for words in (reading if claim.reading else "", claim.note) if words]
        assert [small.text for small in ours.all("small")] == below, claim
        to = row.one("th").one("a").attributes["href"].removeprefix("#")
        assert to in at and to.startswith(f"{claim.paper}-")
        if claim.table is None:
            assert claim.claim in drawn[to]
        else:
            assert cells[to].claim == claim.claim, to
            assert claim.verdict == verdict_of(cells[to]).replace("not printed", "shown") or claim.verdict == "stated"


def test_a_long_text_may_wrap_and_no_other(whole: Page) -> None:
    """A cell of more than 26 characters breaks into lines; a shorter one stays whole."""
    seen = [(len(cell.text), shown.has("long")) for cell, shown in whole.cells() if cell is not None]
    assert {long for length, long in seen if length > 26} == {True}
    assert {long for length, long in seen if length <= 26} == {False}


def test_words_of_a_claim_are_never_markup() -> None:
    found = next(claim for claim in claims(committed()) if claim.note)
    odd = "<b>&\"'"
    row = _claim_row(replace(found, text=odd, place=odd, printed=odd, computed=odd, note=odd, reading=odd))
    assert "<b>" not in row and parsed(row).text.count(odd) == 6
