"""Reader of adjacency matrices as comma-separated text: a row for each router, in each cell a number of links.

As NumPy, pandas and spreadsheets write them; the meaning is that of `networkx.from_numpy_array` with parallel edges.
Used by the family `file`.
"""

from __future__ import annotations

import csv
from pathlib import Path

from jumpnet.spec import plain
from jumpnet.topology._linkfile import LinkFile

__all__ = ["read_matrix"]

MAX_PARALLEL = 4096
Row = tuple[int, list[int]]
"""The number of a line, and in it the number of links to each router."""


def _count(file: LinkFile, word: str) -> int:
    """The number of links in a cell: blank is none, and whole numbers may be written as 1.0 or 1e+00."""
    try:
        value = float(plain(word or "0"))
    except ValueError:
        value = -1.0
    if not (0 <= value <= MAX_PARALLEL and value == int(value)):
        file.fail(f"{file.shown(word)} found, a number of links from 0 to {MAX_PARALLEL} expected")
    return int(value)


def read_matrix(path: Path, lines: list[str]) -> LinkFile:
    """Parse the rows; raises JumpnetError with `path:line`.

    A first row whose first cell is blank names the routers, and then each row begins with its own name. Links are
    two-way where the matrix is symmetric; in any other, row r lists the one-way links from r. Comments start with #.
    """
    file = LinkFile(path)
    names, rows = _names_and_rows(file, lines)
    for file.line, name in enumerate(names or map(str, range(len(rows))), 1):
        if name in file.number:
            file.fail(f"router {file.shown(name)} found twice in the heading")
        file.router(name)
    file.directed = any(
        count != rows[there][1][here] for here, (_, row) in enumerate(rows) for there, count in enumerate(row)
    )
    for here, (file.line, row) in enumerate(rows):
        for there, count in enumerate(row):
            for _ in range(count if file.directed or there >= here else 0):
                file.link(here, there)
    return file


def _cells(file: LinkFile, line: str) -> list[str]:
    """The cells of a line, without spaces around them."""
    try:
        return [cell.strip() for cell in next(csv.reader([line]))]
    except csv.Error as error:  # a lone carriage return, or a cell beyond what a reader takes
        file.fail(f"{str(error).partition(' - ')[0]} found, cells of numbers expected")


def _names_and_rows(file: LinkFile, lines: list[str]) -> tuple[list[str], list[Row]]:
    """The names of the heading, none without one, and the rows of a square matrix."""
    names: list[str] = []
    rows: list[Row] = []
    for file.line, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells = _cells(file, line)
        if not rows and not names and cells[0] == "" and any(cells):
            names = cells[1:]
            continue
        if names:
            name, *cells = cells
            if len(rows) >= len(names) or name != names[len(rows)]:
                expected = file.shown(names[len(rows)]) if len(rows) < len(names) else "the end"
                file.fail(f"row {file.shown(name)} found, {expected} expected, as in the heading")
        if rows and len(cells) != len(rows[0][1]):
            file.fail(f"{len(cells)} cells found, {len(rows[0][1])} expected as in the first row")
        rows.append((file.line, [_count(file, cell) for cell in cells]))
    if rows and len(rows) != len(rows[0][1]):
        file.fail(f"{len(rows)} rows of {len(rows[0][1])} cells found, a square matrix expected")
    return names, rows
