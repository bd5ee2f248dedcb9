"""The pieces of a report: cells with a verdict, tables, figures, sections. Computes nothing itself.

One file of `paper/<key>/` is one table, figure or claim of one paper: a module with `TITLE`, `ORDER` and
`section(golden, progress) -> Section`. `golden` is that paper's printed data (`jumpnet.papers.golden`),
`progress(done, total)` a callback, to be called between searches (it is also where an interrupt gets through).
A section with a slower, complete form takes a third argument `full`, true under `jumpnet paper --full`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from jumpnet.errors import JumpnetError
from jumpnet.papers import printed

__all__ = ["Cell", "Figure", "Golden", "Progress", "Section", "Table", "Verdict", "golden_table"]

Verdict = Literal["equal", "rounded", "differs", "not printed"]
Progress = Callable[[int, int], None]
Golden = Mapping[str, Any]


@dataclass(frozen=True)
class Cell:
    """One printed figure beside ours.

    >>> Cell("8.19", Fraction(81902, 10000)).verdict
    'rounded'
    """

    printed: str | None
    """The figure as printed, digit for digit; None where the paper prints none."""
    computed: int | float | Fraction | str
    """Our figure at full precision."""
    note: str = ""
    """Why it differs, when it does; required then."""

    @property
    def difference(self) -> float | None:
        """Computed minus printed, None when either is not a number."""
        try:
            return float(self.computed) - float(self.printed)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return None

    @property
    def verdict(self) -> Verdict:
        """equal, equal after rounding to the printed digits, differs, or not printed."""
        if self.printed is None:
            return "not printed"
        if self.difference is None:
            return "equal" if str(self.computed) == self.printed else "differs"
        if self.difference == 0:
            return "equal"
        digits = len(self.printed.partition(".")[2])
        return "rounded" if abs(self.difference) <= 0.5 * 10.0**-digits * (1 + 1e-12) else "differs"

    @property
    def text(self) -> str:
        """Our figure for a reader: as many digits as printed plus two, at most six."""
        if isinstance(self.computed, str | int):
            return str(self.computed)
        value = float(self.computed)
        if self.printed is None and 0 < abs(value) < 1:
            return f"{value:.3g}"
        digits = min(6, len((self.printed or "").partition(".")[2]) + 2)
        return str(value) if math.isinf(value) else f"{value:.{digits}f}"


@dataclass(frozen=True)
class Table:
    """A table of cells: `rows` are (row label, cells in column order); a missing cell is None."""

    title: str
    source: str
    """Bibliography key and table, e.g. `yang2001rdt, Table II`."""
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell | None]]]
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure drawn later by `plot/`: `draw(axes_or_figure)` receives a Matplotlib figure to fill."""

    name: str
    """File name without ending, unique in the report."""
    title: str
    source: str
    draw: Callable[[Any], None]
    data: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """The plotted numbers as columns, written beside the picture as CSV."""
    note: str = ""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """The figure as files by format, when it was drawn already (by another process)."""


@dataclass(frozen=True)
class Section:
    """One table, figure or claim of one paper, recomputed."""

    title: str
    text: str = ""
    """Plain paragraphs, separated by blank lines: what was found."""
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()


def golden_table(
    golden: Golden,
    table: str,
    computed: Mapping[str, Mapping[str, Any]],
    notes: Mapping[tuple[str, str], str] | None = None,
    *,
    key: str,
    columns: Sequence[str] | None = None,
    note: str = "",
) -> Table:
    """A table of the paper beside ours: `computed[row][column]`, in the rows and columns of the golden file.

    Rows without computed figures are left out. `notes` explains single cells, by (row, column). Raises JumpnetError
    for a row that the golden file lacks.

    >>> from jumpnet.papers import golden
    >>> made = golden_table(golden("li2009rdn"), "table_2", {"21-cube": {"diameter": 21}}, key="li2009rdn")
    >>> made.rows[0][1][2].verdict
    'equal'
    """
    data, notes = golden[table], notes or {}
    for row in computed:
        if row not in data["rows"]:
            raise JumpnetError(f"{key} {table}: row {row!r} found, one of the golden file's expected")
    chosen = list(columns or data["columns"])
    rows: list[tuple[str, list[Cell | None]]] = []
    for row in data["rows"]:
        if row in computed:
            have = computed[row]
            cells = [
                Cell(printed(golden, table, row, c), have[c], notes.get((row, c), "")) if c in have else None
                for c in chosen
            ]
            rows.append((row, cells))
    return Table(
        data["title"], f"{key}, {data['where']}", chosen, rows, " ".join(filter(None, (data.get("note"), note)))
    )
