"""Why a figure differs: notes of `report/<key>/notes.toml`, each for named cells and the values that it explains.

    [[note]]
    section = "table_2"                               # the section's file
    table = 1                                         # its table, from 1; left out: 1
    cells = [["CCC", "4096 diameter", "20"]]          # row, column, our figure as `figure_text` writes it
    text = "..."                                      # the reason
    surprise = "..."                                  # one line for the front of the report; may be left out

A note belongs to a figure: with another value in its cell it is not shown, and tests fail. Its words quote that value
as `{0}` (`{1}`, ... of further cells; `{0:.1f}`, `{0:,}` rounded or with thousands apart), so that they cannot say
another one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from jumpnet.errors import JumpnetError
from jumpnet.report._section import Cell, Section, Table, figure_text

__all__ = ["Note", "annotated", "notes", "surprises", "unused"]


@dataclass(frozen=True)
class Note:
    """One reason, and the figures that it explains."""

    section: str
    table: int
    """Number of the table in its section, from 1."""
    cells: tuple[tuple[str, str, str], ...]
    """(row, column, our figure)."""
    text: str
    surprise: str = ""
    """One line for the front of the report."""


@cache
def notes(key: str) -> tuple[Note, ...]:
    """The notes of a paper; none where it has no file. Raises JumpnetError for a note that is not whole.

    >>> all(note.text for note in notes("li2009rdn"))
    True
    """
    path = Path(__file__).parent / key / "notes.toml"
    if not path.exists():
        return ()
    found = []
    for n, entry in enumerate(tomllib.loads(path.read_text(encoding="utf-8")).get("note", []), 1):
        extra = set(entry) - {"section", "table", "cells", "text", "surprise"}
        if extra or not entry.get("cells") or not entry.get("text") or any(len(c) != 3 for c in entry["cells"]):
            raise JumpnetError(f"{path.name} of {key}: note {n} needs section, cells of three words and text, no more")
        cells = tuple((row, column, value) for row, column, value in entry["cells"])
        words, surprise = (_quoting(entry.get(part, ""), cells) for part in ("text", "surprise"))
        found.append(Note(entry["section"], entry.get("table", 1), cells, words, surprise))
    return tuple(found)


def _quoting(words: str, cells: Sequence[tuple[str, str, str]]) -> str:
    """The words with the values of the cells in their places."""
    values = [value for _, _, value in cells]
    return " ".join(words.split()).format(*(_number(value) for value in values))


def _number(value: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value


def _reasons(key: str, section: str) -> dict[tuple[int, str, str, str], str]:
    return {(note.table, *cell): note.text for note in notes(key) if note.section == section for cell in note.cells}


def annotated(key: str, name: str, section: Section) -> Section:
    """The section with the notes of its cells."""
    reasons = _reasons(key, name)

    def with_note(number: int, row: str, column: str, cell: Cell | None) -> Cell | None:
        if cell is None:
            return None
        return replace(cell, note=reasons.get((number, row, column, figure_text(cell.computed)), ""))

    def with_notes(number: int, table: Table) -> Table:
        rows = [
            (row, [with_note(number, row, column, cell) for column, cell in zip(table.columns, cells, strict=True)])
            for row, cells in table.rows
        ]
        return replace(table, rows=rows)

    return replace(section, tables=[with_notes(n, table) for n, table in enumerate(section.tables, 1)])


def surprises(key: str, name: str, section: Section) -> list[str]:
    """The lines for the front of the report, of the notes that stand beside a cell of the section."""
    cells = (cell for table in section.tables for _, row in table.rows for cell in row if cell is not None)
    said = {cell.note for cell in cells}
    return [note.surprise for note in notes(key) if note.section == name and note.surprise and note.text in said]


def unused(key: str, sections: Iterable[tuple[str, Section]]) -> Iterator[str]:
    """The notes of a paper's sections that no figure of theirs has: cells renamed, or figures that changed."""
    for name, section in sections:
        have = {
            (n, row, column, figure_text(cell.computed))
            for n, table in enumerate(section.tables, 1)
            for row, cells in table.rows
            for column, cell in zip(table.columns, cells, strict=True)
            if cell is not None
        }
        for place in _reasons(key, name):
            if place not in have:
                yield f"{key} {name}: {_said(place)}"


def _said(place: Sequence[object]) -> str:
    number, row, column, value = place
    return f"table {number}, {row}, {column} = {value}"
