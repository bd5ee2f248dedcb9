"""Writes a report: `index.html`, a CSV for each table; SVG, PNG and CSV for a figure. Called by `cli` and `lab`."""

from __future__ import annotations

import csv
import io
import platform
from collections.abc import Iterable, Sequence
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from itertools import zip_longest
from pathlib import Path
from typing import Any

from jumpnet.errors import JumpnetError, file_error
from jumpnet.explore.written import write_page
from jumpnet.files import write_bytes
from jumpnet.plot.figure import render
from jumpnet.report._page import page
from jumpnet.report._pieces import EXPLORED, spec_of
from jumpnet.report._report import Computed
from jumpnet.report._section import Figure, Table

__all__ = ["write_report"]


def _csv(rows: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


def _table_csv(table: Table) -> str:
    """A table as tidy rows: one line for each cell."""
    lines: list[Sequence[Any]] = [("row", "column", "printed", "computed", "difference", "verdict", "note")]
    for label, cells in table.rows:
        for column, cell in zip(table.columns, cells, strict=True):
            if cell is not None:
                lines.append(
                    (label, column, cell.printed, _plain(cell.computed), cell.difference, cell.verdict, cell.note)
                )
    return _csv(lines)


def _figure_csv(figure: Figure) -> str:
    """The plotted numbers, a column each; a shorter one is filled up with nothing."""
    columns = [list(map(_plain, values)) for values in figure.data.values()]
    return _csv([list(figure.data), *zip_longest(*columns, fillvalue="")])


def _provenance() -> str:
    found = []
    for name in ("jumpnet", "numpy", "numba", "matplotlib"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} (not installed)")
    return f"Computed by {', '.join(found)}, Python {platform.python_version()}. Made by `jumpnet paper`."


def write_report(parts: Sequence[Computed], out: Path) -> Path:
    """Write the report into folder `out` and return the page; files of the same names are replaced.

    Raises JumpnetError when `out` is a file or cannot be written. Cost: about 0.5 s a figure.
    """
    try:
        for folder in (out, out / "tables", out / "figures"):
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_error(out, error, "a folder to write expected") from None
    pictures: dict[str, str] = {}
    table_files: dict[tuple[str, int], str] = {}
    for part in parts:
        for n, table in enumerate(part.section.tables):
            file = f"tables/{part.key}-{part.name}-{n + 1}.csv"
            table_files[f"{part.key}-{part.name}", n] = file
            write_bytes(out / file, _table_csv(table).encode())
        for figure in part.section.figures:
            if figure.name in pictures:
                raise JumpnetError(f"two figures of the report are called {figure.name!r}")
            made = figure.pictures or render(figure.draw, name=figure.name)
            for kind, data in made.items():
                write_bytes(out / "figures" / f"{figure.name}.{kind}", data)
            if figure.data:
                write_bytes(out / "figures" / f"{figure.name}.csv", _figure_csv(figure).encode())
            pictures[figure.name] = made["svg"].decode("utf-8")
    if explored := [spec for part in parts for figure in part.section.figures if (spec := spec_of(figure.explored))]:
        write_page(out, list(dict.fromkeys(explored)), name=EXPLORED)
    index = out / "index.html"
    write_bytes(index, page(parts, pictures, table_files, _provenance()).encode())
    return index
