"""`jumpnet paper`: every table, figure and claim of the papers, recomputed, as a page, CSV files and pictures."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from jumpnet.cli._command.output import drawn, emit_json, print_rows, printable
from jumpnet.cli._command.watch import WATCH
from jumpnet.cli._options.files import writable_folder
from jumpnet.cli._options.shared import AsJson, names_from, not_with
from jumpnet.errors import JumpnetError, nearest, unknown_name
from jumpnet.notices import is_quiet
from jumpnet.process.threads import processors
from jumpnet.report import (
    MARKS,
    Computed,
    cell_rows,
    check_committed,
    chosen,
    claims,
    compute,
    papers,
    record_committed,
    tally,
    write_report,
)

NAME = "paper"
PANEL = "Papers"
EXAMPLE = "jumpnet paper yang2001rdt --only table_2 --out report"


def _none_like_it(only: str, names: list[str]) -> JumpnetError:
    """All names, as many as they are: no other place lists them."""
    return JumpnetError(f"unknown section {only!r}; expected one of {', '.join(sorted(set(names)))}")


def _computed(
    keys: list[str], full: bool, only: str, each: Callable[[Computed], None] = lambda part: None
) -> list[Computed]:
    """Compute the sections behind a progress bar on the error stream; `each` is called as soon as one is ready."""
    sections = len(chosen(keys, only))
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    done: list[Computed] = []
    bar = Progress(*columns, console=Console(stderr=True, quiet=is_quiet()), transient=True)
    with WATCH.at_work("papers"), drawn(bar):
        whole = bar.add_task("sections", total=sections)

        def step(key: str, title: str, part: int, total: int) -> None:
            WATCH.under_way = printable(f"{key}: {title} (section {len(done) + 1} of {sections})")
            bar.update(
                whole, description=escape(f"{key}: {title[:40]}"), completed=len(done) + (part / total if total else 0)
            )

        for part in compute(keys, full=full, only=only, workers=min(4, processors()), step=step):
            done.append(part)
            bar.update(whole, completed=len(done))
            each(part)
    return done


def _print_claims(parts: Sequence[Computed], as_json: bool) -> None:
    found = claims(parts)
    if as_json:
        emit_json(row.row() for row in found)
        return
    rows = [
        (row.paper, row.claim, row.place, row.printed, row.computed, f"{MARKS[row.verdict]} {row.verdict}", row.reading)
        for row in found
    ]
    print_rows("claims", ("paper", "claim", "place", "printed", "computed", "verdict", "reading"), rows)


def _committed(parts: Sequence[Computed], full: bool, record: bool, check: bool, console: Console) -> None:
    """Write the committed verdicts, texts and drawings, or compare them: exit status 1 when something changed."""
    if record:
        for path in record_committed(parts, full):
            console.print(f"wrote {escape(str(path))}", highlight=False)
    if check:
        changed = check_committed(parts, full)
        for line in changed:
            sys.stdout.write(line + "\n")
        console.print(f"{len(changed)} differences from what is committed", highlight=False)
        if changed:
            raise typer.Exit(1)


def run(
    key: str = typer.Argument(
        "",
        metavar="KEY",
        help="Bibliography key of one paper, e.g. yang2001rdt; all if left out.",
        autocompletion=names_from("jumpnet.papers", "golden_keys"),
    ),
    out: str = typer.Option(
        "", help="Folder to write; report if left out (nothing is written with --json or --check)."
    ),
    full: bool = typer.Option(
        False,
        "--full",
        help="The slow parts too: searches of 50 million routers (minutes), Figures 9 to 11 of yang2001rdt with all "
        "clocks (about 600 CPU seconds), its 65,536 nodes (as much, 2.5 GB). With --only, one of them alone.",
    ),
    only: str = typer.Option("", help="Only this section, e.g. table_2, or all sections whose names contain it."),
    claim: bool = typer.Option(
        False,
        "--claims",
        help="List the claims with their verdicts; no report is written. All papers take minutes: "
        "one named takes less.",
    ),
    check: bool = typer.Option(
        False,
        "--check",
        help="Compare every cell, claim, text and drawing with the committed ones; exit status 1 when one changed.",
    ),
    record: bool = typer.Option(
        False,
        "--record",
        help="Write verdicts, claims, texts, drawings (with --full: verdicts, results) into a checkout's tests/golden.",
    ),
    as_json: AsJson = False,
) -> None:
    """Recompute every table, figure and claim of the papers and render them beside the printed values."""
    known = papers()
    if key and key not in known:
        raise unknown_name("paper", key, known)
    names = [m.__name__.rsplit(".", 1)[-1] for k, ms in known.items() if not key or k == key for m in ms]
    if only and not any(only in name for name in names):
        raise unknown_name("section", only, names) if nearest(only, names) else _none_like_it(only, names)
    not_with("--check", {"--record": record and check, "--claims": claim and check, "--json": as_json and check})
    silent = as_json or claim or check or record
    folder = writable_folder(out or "report") if out or not silent else None
    cells = as_json and not claim
    each = (lambda part: emit_json(cell_rows(part))) if cells else (lambda part: None)
    done = _computed([key] if key else [], full, only, each)
    console = Console(stderr=True, quiet=is_quiet())
    if claim:
        _print_claims(done, as_json)
    if folder is not None:
        index = write_report(done, folder)
        console.print(f"wrote [bold]{escape(str(index))}[/] and its tables and figures", highlight=False)
    found = tally(claims(done))
    counted = "  ".join(f"{MARKS[verdict]} {count} {verdict}" for verdict, count in found.items())
    console.print(f"{sum(found.values())} claims:  {counted}", highlight=False)
    _committed(done, full, record, check, console)
