"""The committed words of the report, `tests/golden/texts.jsonl`: what a reader sees besides the cells.

The words of each section, and those of the page itself: headings, sentences, marks, names of the papers, citations.

`jumpnet paper --record` writes the file beside the verdicts; `jumpnet paper --check` and the tests compare it: a
changed digit or word is seen, and recorded after it was read again. Of full runs only the verdicts are kept
(`_verdicts`): their words are the same but for the figures in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jumpnet.papers import entries, golden
from jumpnet.report._notes import surprises
from jumpnet.report._page import CLAIMS, DRAWN, HEAD, HEADINGS, LEAD, READINGS, TAB, citation
from jumpnet.report._pieces import MARKS, MEANING
from jumpnet.report._report import Computed
from jumpnet.report._section import Figure, Section, Table
from jumpnet.report._verdicts import Row, changes, place_said

__all__ = ["FRONT", "front_rows", "text_differences", "text_file", "text_rows"]

FRONT = ("report", "front")
"""What stands in the place of paper and section in the lines of the front page."""


def front_rows(keys: Iterable[str]) -> Iterator[Row]:
    """The words of the front page, and how each paper of `keys` is named and cited, as the lines of the file."""
    keys = list(keys)
    said = {"tab": TAB, "head": HEAD, "lead": LEAD, "claims": CLAIMS, "readings": READINGS, "drawn": DRAWN}
    said |= {f"heading {anchor}": words for anchor, words in HEADINGS.items()}
    said |= {f"named {key}": str(golden(key)["short"]) for key in keys}
    said |= {f"mark {verdict}": f"{MARKS[verdict]} {words}" for verdict, words in MEANING.items()}
    said |= {f"cited {key}": citation(key) for key in keys}
    for piece, words in said.items():
        yield {"paper": FRONT[0], "section": FRONT[1], "piece": piece, "words": _flowing(words)}


def text_file(folder: Path) -> Path:
    """The file of the words below the golden files."""
    return folder / "texts.jsonl"


def text_rows(part: Computed) -> Iterator[Row]:
    """The words of a section as the lines of the file: title, paragraphs, captions, claims, readings, surprises."""
    for piece in (*_own(part.section), *_of_the_paper(part), *_surprises(part)):
        yield {"paper": part.key, "section": part.name, **piece}


def _flowing(words: str) -> str:
    """Words without the line breaks of the source."""
    return " ".join(words.split())


def _own(section: Section) -> Iterator[Row]:
    yield {"piece": "title", "words": section.title}
    for n, words in enumerate(section.text.split("\n\n"), 1):
        yield {"piece": f"text {n}", "words": _flowing(words)}
    drawn: list[tuple[str, Table | Figure]] = [(f"table {n}", table) for n, table in enumerate(section.tables, 1)]
    for name, piece in [*drawn, *((f"figure {figure.name}", figure) for figure in section.figures)]:
        yield {"piece": name, "words": piece.title, "source": piece.source, "note": _flowing(piece.note)}


def _of_the_paper(part: Computed) -> Iterator[Row]:
    """The claims that the section shows, and the readings under which it does."""
    cells = [cell for table in part.section.tables for _, row in table.rows for cell in row if cell is not None]
    shown = dict.fromkeys([*(cell.claim for cell in cells), *(figure.claim for figure in part.section.figures)])
    said = entries(golden(part.key))
    for name in filter(None, shown):
        under = list(dict.fromkeys(cell.reading for cell in cells if cell.claim == name and cell.reading))
        yield {"piece": f"claim {name}", "words": said[name]["text"], "place": said[name]["where"], "readings": under}
    for name in dict.fromkeys(cell.reading.partition(":")[0] for cell in cells if cell.reading):
        reading = golden(part.key)["readings"][name]
        place, options = reading["where"], reading["options"]
        network = {"network": reading["network"]} if "network" in reading else {}
        words = {"words": reading["text"], "place": place, "default": reading["default"], **network}
        yield {"piece": f"reading {name}", **words}
        yield from ({"piece": f"reading {name}:{option}", "words": words} for option, words in options.items())


def _surprises(part: Computed) -> Iterator[Row]:
    for n, words in enumerate(surprises(part.key, part.name, part.section), 1):
        yield {"piece": f"surprise {n}", "words": _flowing(words)}


def text_differences(committed: Iterable[Row], found: Iterable[Row]) -> list[str]:
    """The texts that have changed, one line each, with the command that records them after they were read again.

    >>> row = {"paper": "p", "section": "s", "piece": "text 1", "words": "10 hops"}
    >>> print(*text_differences([row], [row | {"words": "11 hops"}]))
    p, s, text 1: words '10 hops' committed, '11 hops' found; read it, then jumpnet paper p --only s --record
    """
    committed, found = list(committed), list(found)
    known = {(row["paper"], row["section"]) for row in committed}
    new = dict.fromkeys((row["paper"], row["section"]) for row in found)
    said = [(place, "no words committed") for place in new if place not in known]
    said += changes(committed, (row for row in found if (row["paper"], row["section"]) in known))
    return [f"{place_said(place)}: {words}; read it, then {_recorded_by(place)}" for place, words in said]


def _recorded_by(place: Sequence[str]) -> str:
    """The shortest command that records a text again; the front page goes with every recording."""
    key, section = ("li2009rdn", "symmetry") if tuple(place[:2]) == FRONT else place[:2]
    return f"jumpnet paper {key} --only {section} --record"
