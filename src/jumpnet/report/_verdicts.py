"""The committed verdicts: every cell of every section as one line of `tests/golden/verdicts.jsonl`.

`jumpnet paper --record` writes the file, `jumpnet paper --check` and the tests compare it: a figure that changes is
seen. What only a full run gives stands in `verdicts-full.jsonl`, with the version that gave it. The words of the
report (`_texts`) are written and compared in the same way.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.files import read_text, write_bytes
from jumpnet.report._report import Computed, cell_rows
from jumpnet.report._section import Figure, figure_text

__all__ = [
    "Row", "changes", "differences", "full_rows", "kept_digest", "place_said", "read_verdicts", "record",
    "verdict_file", "verdict_rows", "versions",
]  # fmt: skip

Row = dict[str, Any]
"""One cell, figure or text."""
PLACE = ("paper", "section", "table", "row", "column", "piece")
"""What identifies a line: a cell's table, row and column; a figure has `figure` in `table`'s place, and its name in
`row`'s; what a full run keeps has `kept`; a text has a `piece` and none of these."""
MOST_BYTES = 100_000_000
EXPECTED = "a file written by `jumpnet paper --record` expected"
LONG_CHARACTERS, AROUND = 100, 30
"""Of words longer than this, so many characters are told before and after the first that differs."""


def verdict_file(folder: Path, full: bool) -> Path:
    """The file of the verdicts below the golden files."""
    return folder / ("verdicts-full.jsonl" if full else "verdicts.jsonl")


def _digest(figure: Figure) -> str:
    """The plotted numbers in short."""
    data = {name: [figure_text(v) for v in values] for name, values in figure.data.items()}
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()[:16]


def kept_digest(data: Mapping[str, Any]) -> str:
    """All results that are kept of a section, in short: those too that no cell shows."""
    written = json.loads(json.dumps(data))  # as it is read back: every key a word
    return hashlib.sha256(json.dumps(written, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


def verdict_rows(part: Computed) -> Iterator[Row]:
    """The cells of a section, then its figures, as the lines of the file."""
    for cell in cell_rows(part):
        yield {
            "paper": cell["paper"],
            "section": cell["section"],
            "table": cell["number"],
            "row": cell["row"],
            "column": cell["column"],
            "printed": cell["printed"],
            "computed": figure_text(cell["computed"]),
            **{k: cell[k] for k in ("verdict", "claim", "place", "reading", "detail", "note") if cell[k]},
        }
    for figure in part.section.figures:
        yield {
            "paper": part.key,
            "section": part.name,
            "table": "figure",
            "row": figure.name,
            "column": "data",
            "computed": _digest(figure),
            "claim": figure.claim,
        }


def full_rows(part: Computed) -> Iterator[Row]:
    """The same of a full run, and a digest of what it keeps."""
    yield from verdict_rows(part)
    if part.section.kept:
        yield {
            "paper": part.key,
            "section": part.name,
            "table": "kept",
            "row": "results",
            "column": "data",
            "computed": kept_digest(part.section.kept),
        }


def read_verdicts(path: Path) -> list[Row]:
    """The lines of a file of verdicts; its first line is a header. Raises JumpnetError when it is damaged."""
    return _read(path)[1]


def _read(path: Path) -> tuple[Mapping[str, Any], list[Row]]:
    """The header of a file, which counts the lines, and the lines: each an object that names its section."""
    text = read_text(path, MOST_BYTES, EXPECTED)
    try:
        header, *rows = map(json.loads, text.splitlines())
        whole = header["lines"] == len(rows) and all(isinstance(row[key], str) for row in rows for key in PLACE[:2])
        known = all(isinstance(said, str) for said in dict(header.get("versions", {})).values())
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        whole = known = False
    if not (whole and known):
        raise JumpnetError(f"{path}: no verdicts found, or not all of them; {EXPECTED}")
    return header, rows


def _by_place(rows: Iterable[Row]) -> dict[tuple[Any, ...], Row]:
    found: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        place = tuple(row[key] for key in PLACE if key in row)
        if place in found:
            raise JumpnetError(f"two cells of the report stand at {place_said(place)}")
        found[place] = row
    return found


def place_said(place: Sequence[Any]) -> str:
    """A place as the lines of a comparison name it."""
    return ", ".join(map(str, place))


def _where_it_differs(one: Any, other: Any) -> Any:
    """Of long words the part around the first character in which they differ."""
    if not (isinstance(one, str) and isinstance(other, str) and len(one) > LONG_CHARACTERS):
        return one
    alike = (a == b for a, b in zip(one, other, strict=False))
    at = next((n for n, same in enumerate(alike) if not same), min(len(one), len(other)))
    part = one[max(0, at - AROUND) : at + AROUND]
    return f"{'' if one.startswith(part) else '..'}{part}{'' if one.endswith(part) else '..'}"


def changes(committed: Iterable[Row], found: Iterable[Row]) -> Iterator[tuple[tuple[Any, ...], str]]:
    """What has changed, as place and words: new, gone, or another printed, computed, verdict, note, text.

    Only the sections that were found are compared.
    """
    new = _by_place(found)
    sections = {place[:2] for place in new}
    old = _by_place(row for row in committed if tuple(row[key] for key in PLACE[:2]) in sections)
    yield from ((place, "not committed") for place in new if place not in old)
    yield from ((place, "committed, not found") for place in old if place not in new)
    for place, row in new.items():
        for key in sorted({*row, *old.get(place, row)}):
            before, now = old.get(place, row).get(key), row.get(key)
            if before != now:
                was, found_now = _where_it_differs(before, now), _where_it_differs(now, before)
                yield place, f"{key} {was!r} committed, {found_now!r} found"


def differences(committed: Iterable[Row], found: Iterable[Row]) -> list[str]:
    """What has changed, one line for each cell.

    >>> row = {"paper": "p", "section": "s", "table": 1, "row": "r", "column": "c", "computed": "8"}
    >>> differences([row], [row | {"computed": "9"}])
    ["p, s, 1, r, c: computed '8' committed, '9' found"]
    """
    return [f"{place_said(place)}: {said}" for place, said in changes(committed, found)]


def versions(path: Path) -> dict[str, str]:
    """Which version gave the lines of each section, by "paper section"."""
    return dict(_read(path)[0].get("versions", {})) if path.exists() else {}


def record(
    path: Path,
    parts: Sequence[Computed],
    version: str,
    rows: Callable[[Computed], Iterator[Row]] = verdict_rows,
    more: Sequence[Row] = (),
) -> int:
    """Write the `rows` of sections, keeping the lines of those that were not computed; how many lines there are.

    `more` are lines that belong to no section.

    With a version, the first line says which one gave each section. Raises JumpnetError when two rows stand at one
    place.
    """
    kept: list[Mapping[str, Any]] = []
    given = {**versions(path), **{f"{part.key} {part.name}": version for part in parts}} if version else {}
    mine = {(part.key, part.name) for part in parts} | {(row["paper"], row["section"]) for row in more}
    if path.exists():
        kept = [row for row in read_verdicts(path) if (row["paper"], row["section"]) not in mine]
    made = _by_place([*map(dict, kept), *more, *(row for part in parts for row in rows(part))])
    # What a section gives stays in its order.
    ordered = [row for _, row in sorted(made.items(), key=lambda item: item[0][:2])]
    header = {"lines": len(ordered), **({"versions": dict(sorted(given.items()))} if given else {})}
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in (header, *ordered))
    write_bytes(path, text.encode())
    return len(ordered)
