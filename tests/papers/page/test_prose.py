"""Numbers typed in the report's prose are numbers of its tables: texts, notes and surprises quote nothing else.

What a section computes it puts into its sentences itself; every word of them is compared with what is committed
(`test_texts`, `test_verdicts`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import pytest

from jumpnet.papers import golden, golden_folder
from jumpnet.report._notes import notes
from jumpnet.report._report import papers
from jumpnet.report._verdicts import read_verdicts, verdict_file

QUOTED = re.compile(r"(?<![\w.:§,/-])(?:\d+\.\d+|\d{2,}(?:,\d{3})*)(?![\w./:]*\d)(?!-)")
"""Decimals, and whole numbers from 10 on; not parts of names, ratios, dates and specs."""
NUMBER = re.compile(r"\d+\.\d+|\d+")
SECTIONS = re.compile(r"[Ss]ections? \d+\.\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)*)*")


def numbers(words: Any) -> set[float]:
    """All numbers of a text, thousands separated or not."""
    return {float(word) for word in NUMBER.findall(str(words).replace(",", ""))}


def shown(key: str) -> set[float]:
    """All numbers in the cells of a paper's committed verdicts and in its golden file."""
    found = numbers(golden(key))
    for full in (False, True):
        for row in read_verdicts(verdict_file(golden_folder(), full)):
            if row["paper"] == key:
                for part in ("row", "column", "printed", "computed", "detail", "reading"):
                    found |= numbers(row.get(part) or "")
    return found


def unbacked(text: str, known: set[float]) -> list[str]:
    """Numbers of a text that no number is, rounded as written."""
    found = []
    for word in QUOTED.findall(SECTIONS.sub("", text)):
        digits = len(word.partition(".")[2])
        value, half = float(word.replace(",", "")), 0.5 * 10.0**-digits + 1e-9
        if not any(abs(number - value) <= half for number in known):
            found.append(word)
    return found


def test_a_number_that_was_not_shown_is_seen() -> None:
    known = numbers("32, 6.6149, 65,536")
    assert unbacked("6.61 hops and 32 of 65,536 at rdt:99, section 4.3", known) == []
    assert unbacked("6.62 hops, or 33", known) == ["6.62", "33"]


@pytest.mark.parametrize("key", sorted(papers()))
def test_prose_quotes_only_what_tables_show(key: str) -> None:
    known, wrong = shown(key), defaultdict(list)
    for module in papers()[key]:
        section = module.__name__.rpartition(".")[2]
        wrong[section] += unbacked(str(getattr(module, "TEXT", "")), known)
    for note in notes(key):
        wrong[note.section] += unbacked(f"{note.text} {note.surprise or ''}", known)
    assert not {section: words for section, words in wrong.items() if words}
