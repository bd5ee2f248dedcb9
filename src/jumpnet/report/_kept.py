"""Results of runs too long for every day, committed with the version that gave them: `kept(key, section)`.

A section with a slow form gives its results as `Section.kept` when it is run in full, and shows those that are
committed otherwise. `jumpnet paper --full --record FOLDER` writes them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.files import read_text, write_bytes
from jumpnet.papers import golden_folder
from jumpnet.report._section import Cell, Section, Table

__all__ = ["Kept", "kept", "kept_file", "kept_or_empty", "long_and_short", "packed", "with_long_run", "write_kept"]

MOST_BYTES = 100_000_000


@dataclass(frozen=True)
class Kept:
    """The committed results of one section."""

    version: str
    """The version of jumpnet that gave them."""
    command: str
    """The command that gives them again."""
    data: Mapping[str, Any]
    """What the section put into `Section.kept`."""

    @property
    def said(self) -> str:
        """Where the figures come from, for the reader."""
        if not self.version:
            return "No committed results are at hand."
        return f"Committed results of jumpnet {self.version}; `{self.command}` gives them again."


def kept_file(folder: Path, key: str, section: str) -> Path:
    """Where a section's results lie below the golden files."""
    return folder / "kept" / f"{key}-{section}.json"


def kept(key: str, section: str) -> Kept | None:
    """The committed results of a section, None when there are none. Raises JumpnetError when they are damaged."""
    path = kept_file(golden_folder(), key, section)
    if not path.exists():
        return None
    text = read_text(path, MOST_BYTES, "committed results expected")
    try:
        found = json.loads(text)
        return Kept(found["version"], found["command"], found["data"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise JumpnetError(f"{path}: damaged results found, an object of version, command and data expected") from None


def kept_or_empty(key: str, section: str) -> Kept:
    """The same, without data where there are none, which it then says."""
    return kept(key, section) or Kept("", "", {})


def write_kept(folder: Path, key: str, section: str, version: str, data: Mapping[str, Any]) -> Path:
    """Write the results of a section that was run in full."""
    path = kept_file(folder, key, section)
    path.parent.mkdir(parents=True, exist_ok=True)
    command = f"jumpnet paper {key} --only {section} --full"
    made = {"version": version, "command": command, "data": data}
    write_bytes(path, (json.dumps(made, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode())
    return path


def packed(table: Table) -> dict[str, Any]:
    """A table in which nothing is printed, as it is kept."""
    rows = [[label, [None if cell is None else cell.computed for cell in cells]] for label, cells in table.rows]
    return {"title": table.title, "columns": list(table.columns), "rows": rows, "note": table.note}


def _unpacked(data: Mapping[str, Any], source: str, said: str) -> Table:
    rows = [(label, [None if v is None else Cell(None, v) for v in cells]) for label, cells in data["rows"]]
    return Table(data["title"], source, data["columns"], rows, f"{data['note']} {said}".strip())


def long_and_short(known: Kept, ran: Sequence[Table]) -> list[Table]:
    """The kept tables of a long run, which say so, then those of the short run that was just made."""
    pairs = zip(known.data["tables"], ran, strict=True)
    long = [_unpacked(each, table.source, known.said) for each, table in pairs]
    return [*long, *(replace(table, title=f"{table.title}: short run") for table in ran)]


def with_long_run(key: str, name: str, section: Section, full: bool) -> Section:
    """A section whose tables are figures of ours: in full they are to be kept, else the kept ones come before them."""
    if full:
        return replace(section, kept={"tables": [packed(table) for table in section.tables]})
    known = kept(key, name)
    return section if known is None else replace(section, tables=long_and_short(known, section.tables))
