"""How verbs answer: Rich tables for a person, one JSON object per line with `--json`. Used by every verb."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from contextvars import ContextVar
from numbers import Rational
from typing import Any, TextIO, TypeVar

from jumpnet.cli._command.watch import WATCH
from jumpnet.errors import JumpnetError
from jumpnet.notices import is_quiet

__all__ = [
    "answer", "answer_alone", "as_shown", "drawn", "emit_json", "give_or_take", "number", "print_figures", "print_rows",
    "printable", "progress_bar", "progress_line", "say", "short_spec", "show_digits",
]  # fmt: skip

PLAIN_ROWS = 500
"""A longer table is written as plain columns: nobody reads it on a screen, and Rich would take seconds."""
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Characters that are none to see, but for the end of a line; and bytes of names that are no text."""
_digits: ContextVar[int | None] = ContextVar("digits", default=None)
"""Digits that count of the numbers in a table, where the user has said how many."""
MOST_DIGITS = 17
"""A number with as many is read back as it was."""
Shown = TypeVar("Shown", bound=Any)
FILE_WIDTH = 1000
"""Characters of a line in a file or pipe, where nothing is cut off to fit a screen."""


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):  # NumPy's arrays and scalars
        return value.tolist()
    if isinstance(value, Rational):  # fractions, without loading them
        return float(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def printable(text: str) -> str:
    """A text without control characters: a name from a file cannot move the cursor of a terminal, or worse.

    >>> printable("net\\x1b[2J")
    'net\\ufffd[2J'
    """
    return CONTROL.sub("\ufffd", text)


def say(line: str) -> None:
    """Write a line to the error stream; where that is closed, the exit status is all there is."""
    try:
        print(f"jumpnet: {line}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def show_digits(digits: int | None) -> None:
    """So many digits that count in the tables from now on; None for what each table is written with."""
    if digits is not None and not 1 <= digits <= MOST_DIGITS:
        raise JumpnetError(f"--digits {digits} found, 1 to {MOST_DIGITS} expected")
    _digits.set(digits)


def number(value: float, usual: str = ".4g") -> str:
    """A number of a table with the digits asked for, else in the format that its table has.

    >>> number(33.62039660056657), number(2.5, ".4f"), number(12345678.5)
    ('33.62', '2.5000', '12345678')
    """
    digits = _digits.get()
    text = f"{value:{usual}}" if digits is None else f"{value:.{digits}g}"
    return f"{value:.0f}" if "e+" in text else text  # more digits before the point than count


def short_spec(spec: str) -> str:
    """A long spec, such as that of a traffic matrix, by its beginning and its end.

    >>> short_spec("permutation:to=" + "-".join(map(str, range(64))))
    'permutation:to=0-1-2-3-4-5-6-7-8-9-10-11 ... 60-61-62-63 (196 characters)'
    """
    return spec if len(spec) <= LONGEST_SPEC else f"{spec[:40]} ... {spec[-11:]} ({len(spec)} characters)"


def as_shown(cell: Any) -> str:
    """A cell of a table; empty where there is nothing to say.

    >>> as_shown(33.62039660056657), as_shown(0.25), as_shown(7), as_shown(True), as_shown({0: 0.05741071428571428})
    ('33.62', '0.25', '7', 'yes', '0: 0.05741')
    """
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, dict):
        return ", ".join(f"{key}: {as_shown(value)}" for key, value in cell.items())
    return number(cell) if isinstance(cell, float) else str(cell)


ROUNDING = 1e-12
"""A width below this part of the mean is that of the computer's arithmetic."""


def give_or_take(value: float | None, half_width: float | None) -> str:
    """A mean with the half width of its confidence interval; empty where nothing was measured.

    >>> give_or_take(51.2552, 0.989906), give_or_take(12.5, None), give_or_take(1.818, 3e-16)
    ('51.26 ± 0.99', '12.5', '1.818')
    """
    if value is None:
        return ""
    if half_width is not None and half_width <= ROUNDING * abs(value):  # values that are all the same
        half_width = None
    return number(value) + ("" if half_width is None else f" ± {number(half_width, '.2g')}")


LONGEST_SPEC = 70
"""Characters of a spec that a table has whole."""
FOR_MACHINES = re.compile(r"(^|\0)(--json|--csv|(--out|--export|-o)[=\0]-|-o-)(\0|$)")
"""Words of a command whose answer another program reads, with zeros between them."""
_answer: ContextVar[TextIO | None] = ContextVar("answer", default=None)
"""The standard output, while `sys.stdout` is the error stream."""


def answer() -> TextIO:
    """Where the answer of a command goes: the standard output, also where what own code prints goes elsewhere."""
    return _answer.get() or sys.stdout


@contextmanager
def answer_alone(words: Sequence[str]) -> Iterator[None]:
    """Where a program reads the answer, whatever else is printed, as by functions of a user's own, goes to the error
    stream."""
    if "--help" in words or not FOR_MACHINES.search("\0".join(words)):
        yield
        return
    token = _answer.set(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _answer.reset(token)


def emit_json(rows: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object per line; Fractions become full-precision floats."""
    import json  # tables do without

    for row in rows:
        answer().write(json.dumps(row, default=_plain) + "\n")
        answer().flush()


def print_rows(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], file_width: int = FILE_WIDTH) -> None:
    """Print a table for a person: numbers to 4 digits that count, or as `--digits` says; `--json` has all of them.

    file_width: characters of a line in a file or pipe; sentences that are longer are broken.
    """
    title, columns = printable(title), [printable(name) for name in columns]
    cells = [[printable(as_shown(cell)) for cell in row] for row in rows]
    if len(cells) > PLAIN_ROWS:
        widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
        line = "  ".join(f"{{:{width}}}" for width in widths)
        sys.stdout.write(title + "\n" + "\n".join(line.format(*row).rstrip() for row in [columns, *cells]) + "\n")
        return
    from rich.console import Console  # verbs that answer in JSON do without
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=escape(title), title_justify="left", header_style="bold")
    for name in columns:
        table.add_column(escape(name), overflow="fold")  # no name is cut off: it may be needed again
    for row in cells:
        table.add_row(*map(escape, row))  # brackets are ours, not Rich's markup
    Console(width=None if sys.stdout.isatty() else file_width).print(table)


def print_figures(title: str, figures: Iterable[tuple[str, Any]]) -> None:
    """Print named figures for a person, a row each; names are those of `--json` with spaces."""
    print_rows(title, ["figure", "value"], [(name.replace("_", " "), value) for name, value in figures])


@contextmanager
def drawn(shown: Shown) -> Iterator[Shown]:
    """Show a bar, status or display of Rich's; where its console is a terminal, nothing else is said of the work."""
    terminal = shown.console.is_terminal
    try:
        with WATCH.drawn() if terminal else nullcontext(), shown:
            yield shown
    except BaseException:
        if not terminal:  # the last state of it stands there without an end of line
            shown.console.line()
        raise


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress(done, total) that shows a bar with the time left where the error stream is a terminal; elsewhere a
    line now and then (`watch`)."""
    if is_quiet():
        yield lambda done, total: None
        return
    if not sys.stderr.isatty():

        def tell(done: int, total: int) -> None:
            WATCH.under_way = f"{printable(what)}: {done:,} of {total:,}"

        with WATCH.at_work(printable(what)):
            yield tell
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:3.0f}%"),
        TimeRemainingColumn(),
    )
    with drawn(Progress(*columns, console=Console(stderr=True), transient=True)) as bar:
        task = bar.add_task(printable(what), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def progress_line(what: str = "") -> Iterator[Callable[[str], None]]:
    """A say(what is being done) that shows it with a sign of life where the error stream is a terminal; elsewhere a
    line now and then (`watch`). what: stands before all words."""
    before = f"{printable(what)}, " if what else ""

    def tell(words: str) -> None:
        WATCH.under_way = before + printable(words)

    if is_quiet():
        yield lambda words: None
        return
    if not sys.stderr.isatty():
        with WATCH.at_work(printable(what)):
            yield tell
        return
    from rich.console import Console
    from rich.markup import escape

    with drawn(Console(stderr=True).status("")) as status:
        yield lambda words: status.update(escape(before + printable(words)))
