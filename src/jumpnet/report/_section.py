"""The pieces of a report: cells with a verdict, tables, figures, sections. Computes nothing itself.

One file of `report/<key>/` is one table, figure or theorem of one paper: a module with `TITLE`, `ORDER` and
`section(golden, progress) -> Section`. `golden` is that paper's printed data (`jumpnet.papers.golden`),
`progress(done, total)` a callback, to be called between searches (it is also where an interrupt gets through).
A section with a slower, complete form takes a third argument `full`, true under `jumpnet paper --full`.

A cell names the claim it shows (an entry of the golden file). Why a figure differs stands in `report/<key>/notes.toml`,
by cell and value (`_notes`); which ways a sentence can be read, in the golden file (`_readings`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from importlib import import_module
from typing import Any, Literal

from jumpnet.errors import JumpnetError
from jumpnet.papers import claim as printed_claim
from jumpnet.papers import printed
from jumpnet.report._measures import about

__all__ = [
    "Cell", "Figure", "Golden", "Progress", "Rows", "Section", "Table", "Verdict", "claimed", "figure_text",
    "golden_table", "on_first_use", "table_cell",
]  # fmt: skip

Verdict = Literal["equal", "rounded", "differs", "conflicts", "stated", "not printed"]
Progress = Callable[[int, int], None]
Golden = Mapping[str, Any]
Value = int | float | Fraction | str
ABOUT = "about "
"""Before a printed number: any that is much the same meets it."""


def figure_text(value: Value) -> str:
    """A figure as the notes and the committed verdicts name it: words and whole numbers whole, else 9 digits.

    >>> figure_text(Fraction(1, 3)), figure_text(12), figure_text(2.0)
    ('0.333333333', '12', '2')
    """
    return str(value) if isinstance(value, str | int) else f"{float(value):.9g}"


@dataclass(frozen=True)
class Cell:
    """One printed figure beside ours.

    >>> Cell("8.19", Fraction(81902, 10000)).verdict
    'rounded'
    >>> Cell("16", 16, stated=True).verdict
    'stated'
    >>> [Cell("about 10", found).verdict for found in (10, 11, 12)]
    ['equal', 'rounded', 'differs']
    """

    printed: str | None
    """The figure as printed, digit for digit, or what a printed formula gives; None where the paper prints none."""
    computed: Value
    """Our figure at full precision."""
    _: KW_ONLY
    claim: str = ""
    """The entry of the golden file that this cell shows: the name of a claim or of a table."""
    place: tuple[str, str] | None = None
    """Row and column of the printed cell, of a table: several figures may be compared with one printed cell."""
    stated: bool = False
    """Both sides are typed in, or follow from each other by arithmetic: an agreement shows nothing."""
    reading: str = ""
    """`name:option` of the golden file's readings, where the sentence can be read in several ways."""
    detail: str = ""
    """How our figure came about, for the reader, whatever the verdict."""
    note: str = ""
    """Why it differs. The report takes it from `notes.toml`; a section leaves it empty."""

    @property
    def difference(self) -> float | None:
        """Computed minus printed, None when either is not a number."""
        try:
            return float(self.computed) - float(self.printed.removeprefix(ABOUT))  # type: ignore[union-attr]
        except (AttributeError, TypeError, ValueError):
            return None

    @property
    def verdict(self) -> Verdict:
        """equal, equal after rounding to the printed digits, differs, stated (no computation of its own), not printed.

        A figure that is printed with `about` counts as rounded where ours is much the same (`_measures.about`).
        Two typed figures that disagree are in conflict: the papers contradict each other, or themselves.
        """
        if self.printed is None:
            return "not printed"
        if self.difference is None:
            same, near = str(self.computed) == self.printed, False
        else:
            digits = len(self.printed.partition(".")[2])
            same = self.difference == 0
            near = abs(self.difference) <= 0.5 * 10.0**-digits * (1 + 1e-12)
            if self.printed.startswith(ABOUT):
                near = about(float(self.computed), float(self.printed.removeprefix(ABOUT)))
        if not (same or near):
            return "conflicts" if self.stated else "differs"
        return "stated" if self.stated else "equal" if same else "rounded"

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


def claimed(
    golden: Golden,
    name: str,
    computed: Value,
    *,
    printed: str | None = None,
    stated: bool = False,
    reading: str = "",
    detail: str = "",
) -> Cell:
    """A claim of the text beside our figure. `printed` replaces the printed words, e.g. by a formula's value.

    Raises JumpnetError when the golden file has no such claim.

    >>> from jumpnet.papers import golden
    >>> claimed(golden("li2009rdn"), "bisection_3_1", 5).verdict
    'equal'
    """
    words = printed_claim(golden, name)
    return Cell(
        words if printed is None else printed, computed, claim=name, stated=stated, reading=reading, detail=detail
    )


def table_cell(
    golden: Golden,
    table: str,
    row: str,
    column: str,
    computed: Value,
    *,
    words: str | None = None,
    stated: bool = False,
    reading: str = "",
    detail: str = "",
) -> Cell:
    """A cell of a printed table beside our figure. `words` stand for the printed ones: the value of a printed formula.

    Raises JumpnetError for a row or column that the golden file lacks.

    >>> from jumpnet.papers import golden
    >>> table_cell(golden("li2009rdn"), "table_2", "21-cube", "diameter", 21).place
    ('21-cube', 'diameter')
    """
    found = printed(golden, table, row, column)
    return Cell(
        found if words is None else words,
        computed,
        claim=table,
        place=(row, column),
        stated=stated,
        reading=reading,
        detail=detail,
    )


Rows = list[tuple[str, list[Cell | None]]]
"""Label and cells of each row, as a section collects them."""


@dataclass(frozen=True)
class Table:
    """A table of cells: `rows` are (row label, cells in column order); a missing cell is None."""

    title: str
    source: str
    """Bibliography key and table, e.g. `yang2001rdt, Table II`."""
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell | None]]]
    note: str = ""

    def at(self, row: str, column: str) -> Cell:
        """The cell of that row and column, for a sentence that quotes it. Raises JumpnetError where there is none.

        >>> Table("t", "s", ["diameter"], [("rdt:16", [Cell("5", 5)])]).at("rdt:16", "diameter").text
        '5'
        """
        for label, cells in self.rows:
            for name, cell in zip(self.columns, cells, strict=True):
                if (label, name) == (row, column) and cell is not None:
                    return cell
        raise JumpnetError(f"no cell {row!r}, {column!r} found in the table {self.title!r}")


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
    claim: str = ""
    """The entry of the golden file that this figure shows."""
    explored: str = ""
    """Where it shows a network: what opens that in the page, as its links have it, e.g. `net=rdt:16&picked=3.9`."""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """The figure as files by format, when it was drawn already (by another process)."""
    described: Mapping[str, str] = field(default_factory=dict)
    """What is drawn, in short, likewise."""


def on_first_use(module: str, name: str, *args: Any, **keyed: Any) -> Callable[[Any], None]:
    """A drawing function whose file in `plot` is imported when it draws: a report without pictures needs none."""
    return lambda figure: getattr(import_module(module), name)(*args, **keyed)(figure)


@dataclass(frozen=True)
class Section:
    """One table, figure or claim of one paper, recomputed."""

    title: str
    text: str = ""
    """Plain paragraphs, separated by blank lines: what was found."""
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    kept: Mapping[str, Any] = field(default_factory=dict)
    """What a run too long for every day found, to be committed: `jumpnet paper --full --record` writes it to
    `tests/golden/kept/<key>-<section>.json`, and the section reads it back with `kept` when it is not run in full."""


def golden_table(
    golden: Golden,
    table: str,
    computed: Mapping[str, Mapping[str, Any]],
    *,
    key: str,
    stated: Collection[tuple[str, str]] = (),
    details: Mapping[tuple[str, str], str] | None = None,
    note: str = "",
) -> Table:
    """A table of the paper beside ours: `computed[row][column]`, in the rows and columns of the golden file.

    Rows without computed figures are left out. `stated` lists the cells, (row, column), that no computation of ours
    stands behind, `details` says how single figures came about. Raises JumpnetError for a row that the golden file
    lacks.

    >>> from jumpnet.papers import golden
    >>> made = golden_table(golden("li2009rdn"), "table_2", {"21-cube": {"diameter": 21}}, key="li2009rdn")
    >>> made.rows[0][1][2].verdict
    'equal'
    """
    data, details = golden[table], details or {}
    for row in computed:
        if row not in data["rows"]:
            raise JumpnetError(f"{key} {table}: row {row!r} found, one of the golden file's expected")

    def cell(row: str, column: str) -> Cell | None:
        if column not in computed[row]:
            return None
        return table_cell(
            golden,
            table,
            row,
            column,
            computed[row][column],
            stated=(row, column) in stated,
            detail=details.get((row, column), ""),
        )

    columns = list(data["columns"])
    rows = [(row, [cell(row, c) for c in columns]) for row in data["rows"] if row in computed]
    notes = " ".join(filter(None, (data.get("note"), note)))
    return Table(data["title"], f"{key}, {data['where']}", columns, rows, notes)
