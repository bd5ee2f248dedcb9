"""The words of the page as a reader sees them: heads, sentences, captions, notes, readings, surprises."""

from __future__ import annotations

import re

import pytest
from tests.papers.page.page_made import KEYS, MODULES, TEXTS, Page, line, pieces, verdict_of, whole_page
from tests.papers.page.page_tree import Element

from jumpnet.papers import bibliography, golden
from jumpnet.report._texts import FRONT

FRONT_WORDS = {row["piece"]: row["words"] for row in TEXTS if (row["paper"], row["section"]) == FRONT}
"""The committed words of the page itself."""


@pytest.fixture(scope="module")
def whole() -> Page:
    """The committed report, one section computed again, and the made cells."""
    return whole_page()


def test_the_committed_words_of_the_front_page_stand_on_it(whole: Page) -> None:
    text = whole.root.one("main").text
    for name, words in FRONT_WORDS.items():
        # The meaning of a mark stands beside it: `test_every_cell_has_the_mark_of_its_verdict`.
        assert name == "tab" or name.startswith("mark ") or words in text, name


def test_the_page_has_its_title_its_head_and_its_navigation(whole: Page) -> None:
    """As committed: the tab of the browser, the one head, each part by its name, each paper by its short one."""
    assert whole.root.one("title").text == FRONT_WORDS["tab"]
    assert [head.text for head in whole.root.all("h1")] == [FRONT_WORDS["head"]]
    parts = [(name, FRONT_WORDS[f"heading {name}"]) for name in ("claims", "readings", "surprises", "appendix")]
    heads = {head.attributes["id"]: head.text for head in whole.root.all("h2")}
    assert [(name, heads[name]) for name, _ in parts] == parts
    (front,) = [box for box in whole.root.one("nav").all("ol") if box.has("front")]
    said = [(f"#{name}", words.partition(":")[0]) for name, words in parts]
    assert [(link.attributes["href"], link.text) for link in front.all("a")] == said
    papers = [(name.one("a").attributes["href"], name.text) for name in whole.root.one("nav").all("b")]
    assert papers == [(f"#{key}", FRONT_WORDS[f"named {key}"]) for key in KEYS]
    listed = [whole.root.by_id()[f"claims-{key}"].one("summary").text for key in KEYS]
    assert [words.partition(":")[0] for words in listed] == [FRONT_WORDS[f"named {key}"] for key in KEYS]


def test_below_the_tiles_stands_how_many_are_not_compared(whole: Page) -> None:
    (bar,) = [box for box in whole.root.all("div") if box.has("bar")]
    count, _, words = _next(bar, "p").text.partition(" ")
    assert count.isdecimal() and words == FRONT_WORDS["drawn"]


def test_a_section_leads_to_its_further_figures_and_they_lead_back(whole: Page) -> None:
    at, seen = whole.root.by_id(), 0
    for part in whole.parts:
        anchor = f"{part.key}-{part.name}"
        links = [(a.attributes["href"], a.text) for a in at[anchor].all("a")]
        more = [href for href, words in links if words == "Further figures, in the appendix"]
        assert more == ([f"#{anchor}-more"] if f"{anchor}-more" in at else []), anchor
        for href in more:
            back = at[href[1:]].all("a")[0]
            assert (back.attributes["href"], back.text) == (f"#{anchor}", "The section"), anchor
            seen += 1
    assert seen > 5


def test_a_table_has_its_columns_title_source_note_and_file(whole: Page) -> None:
    after = {box.attributes["id"]: box for box in whole.root.all("div") if "id" in box.attributes}
    for table, box in whole.tables():
        assert [head.text for head in box.one("thead").all("th")] == ["", *(line(c) for c in table.columns)]
        assert box.one("caption").text == line(table.title)
        below = _next(after[box.attributes["id"]], "p")
        assert below.text == line(f"{table.source}. {table.note} CSV")
        section, number = box.attributes["id"].rsplit("-", 1)
        assert below.one("a").attributes["href"] == f"{section.split('-', 1)[1]}.{number}"


def test_a_figure_has_its_picture_title_note_source_and_files(whole: Page) -> None:
    at, seen, bare = whole.root.by_id(), 0, 0
    for part in whole.parts:
        for figure in part.section.figures:
            shown, seen = at[f"figure-{figure.name}"], seen + 1
            assert shown.one("svg").text == f"of {figure.name}"
            assert shown.one("svg").attributes["aria-label"] == figure.title
            kinds = ("svg", "png", "csv") if figure.data else ("svg", "png")
            words = f"{figure.title}. {figure.note} ({figure.source}) {' '.join(kinds).upper()}"
            assert shown.one("figcaption").text == line(words)
            files = [a.attributes["href"] for a in shown.all("a")]
            assert files == [f"figures/{figure.name}.{kind}" for kind in kinds]
            at_home = [at[name] for name in (f"{part.key}-{part.name}", f"{part.key}-{part.name}-more") if name in at]
            assert shown.within(at_home.__contains__)
            bare += not figure.data
    assert seen == len(whole.root.all("figure")) > bare > 0


def test_a_section_has_its_title_and_its_words(whole: Page) -> None:
    at = whole.root.by_id()
    named = {a.attributes["href"]: a.text for a in whole.root.one("nav").all("a")}
    for part in whole.parts:
        anchor = f"{part.key}-{part.name}"
        shown, title = at[anchor], line(part.section.title)
        told = [words.text for words in shown.all("p") if not words.has("source")]
        assert told == [line(words) for words in part.section.text.split("\n\n") if words.strip()], anchor
        in_story = f"#{anchor}" in named
        assert shown.one("h3").text == (title if in_story else f"{golden(part.key)['short']}: {title}")
        assert named.get(f"#{anchor}", title) == title
        more = at.get(f"{anchor}-more")
        assert more is None or more.one("h3").text == f"{golden(part.key)['short']}: {title}"


def test_the_surprises_lead_to_their_sections(whole: Page) -> None:
    (listed,) = [box for box in whole.root.all("ul") if box.all("li")]
    shown = [(item.text, item.one("a").attributes["href"]) for item in listed.all("li")]
    said = [(row, golden(key)["short"]) for key, name in MODULES for row in pieces(key, name, "surprise")]
    assert shown == [(f"{row['words']} {short}", f"#{row['paper']}-{row['section']}") for row, short in said]


def test_tables_and_figures_stand_in_the_order_of_their_section(whole: Page) -> None:
    at = whole.root.by_id()
    for part in whole.parts:
        anchor, section = f"{part.key}-{part.name}", part.section
        inside = [box for name in (anchor, f"{anchor}-more") if name in at for box in [at[name]]]
        for box in inside:
            numbers = [int(found["id"].rsplit("-", 1)[1]) for found in _attributes(box, "div") if "id" in found]
            assert numbers == sorted(numbers), anchor
        figures = [found["id"] for box in inside for found in _attributes(box, "figure")]
        assert figures == [f"figure-{figure.name}" for figure in section.figures]


def _attributes(box: Element, tag: str) -> list[dict[str, str]]:
    return [part.attributes for part in box.all(tag)]


def test_the_page_ends_with_what_computed_it(whole: Page) -> None:
    assert whole.root.one("footer").text == "Computed by a test."


def _next(box: Element, tag: str) -> Element:
    """The first element of that name after another one."""
    assert box.parent is not None
    beside = [part for part in box.parent.inside if isinstance(part, Element)]
    return next(part for part in beside[beside.index(box) :] if part.tag == tag)


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
        assert words.endswith(f", {re.findall('[0-9]+', key)[0]}. `{key}`")


def test_the_readings_of_the_page_are_those_of_the_golden_files(whole: Page) -> None:
    """What is open, where, on which network; every option, the default in bold, figures given of those compared."""
    (box,) = [box for box in whole.root.all("div") if box.has("scroll") and "what is open" in box.all_text]
    shown = [(row.all("td")[0], row.all("td")[1].text) for row in box.one("tbody").all("tr")]
    heads = [[line("".join(head.words)), *(part.text for part in head.all("small"))] for head in box.all("th")[3:]]
    assert heads == [
        [line(data["text"]), f"{golden(key)['short']}, {data['where']}"]
        + ([f"default on {data['network']}"] if "network" in data else [])
        for key in KEYS
        for data in golden(key).get("readings", {}).values()
    ]
    wanted = [
        (key, f"{name}:{option}", words, option == reading["default"])
        for key in KEYS
        for name, reading in golden(key).get("readings", {}).items()
        for option, words in reading["options"].items()
    ]
    cells = [(part.key, c) for part in whole.parts for t in part.section.tables for _, line in t.rows for c in line]
    for (key, option, words, default), (told, count) in zip(wanted, shown, strict=True):
        name = told.one("b").text if default else line("".join(told.words))
        assert name == option.partition(":")[2]
        assert told.one("small").text == words and bool(told.all("b")) == default
        kinds = [verdict_of(c) for paper, c in cells if c is not None and (paper, c.reading) == (key, option)]
        compared = [kind for kind in kinds if kind in ("equal", "rounded", "differs")]
        assert count == f"{sum(kind != 'differs' for kind in compared)} of {len(compared)}", option
