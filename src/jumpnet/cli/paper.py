"""`jumpnet paper`: every table, figure and claim of the papers, recomputed, as a page, CSV files and pictures."""

from __future__ import annotations

import os

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from jumpnet.cli._files import writable_folder
from jumpnet.cli._options import AsJson
from jumpnet.cli._output import emit_json
from jumpnet.errors import unknown_name
from jumpnet.paper._report import MARKS, Computed, cell_rows, compute, counts, papers
from jumpnet.paper._write import write_report

NAME = "paper"
EXAMPLE = "jumpnet paper yang2001rdt --only table_2 --out report"


def _computed(keys: list[str], full: bool, only: str, as_json: bool) -> list[Computed]:
    """Compute the sections behind a progress bar on the error stream; with --json, print each as it is ready."""
    sections = sum(only in m.__name__ for key, ms in papers().items() if not keys or key in keys for m in ms)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    done: list[Computed] = []
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        whole = bar.add_task("sections", total=sections)

        def step(key: str, title: str, part: int, total: int) -> None:
            bar.update(whole, description=f"{key}: {title[:40]}", completed=len(done) + (part / total if total else 0))

        for part in compute(keys, full=full, only=only, workers=min(4, os.cpu_count() or 1), step=step):
            done.append(part)
            bar.update(whole, completed=len(done))
            if as_json:
                emit_json(cell_rows(part))
    return done


def run(
    key: str = typer.Argument(
        "", metavar="[KEY]", help="Bibliography key of one paper, e.g. yang2001rdt; all if left out."
    ),
    out: str = typer.Option("", help="Folder to write; report if left out (with --json: nothing is written)."),
    full: bool = typer.Option(
        False,
        "--full",
        help="The slow parts too: searches of 50 million routers (minutes), Figures 9 to 11 of yang2001rdt with all "
        "clocks (about 600 CPU seconds), its 65,536 nodes (as much, 2.5 GB). With --only, one of them alone.",
    ),
    only: str = typer.Option("", help="Only the sections whose file name holds this word, e.g. table_2."),
    as_json: AsJson = False,
) -> None:
    """Recompute every table, figure and claim of the papers and render them beside the printed values."""
    known = papers()
    if key and key not in known:
        raise unknown_name("paper", key, known)
    names = [m.__name__.rsplit(".", 1)[-1] for k, ms in known.items() if not key or k == key for m in ms]
    if only and not any(only in name for name in names):
        raise unknown_name("section", only, names)
    folder = writable_folder(out or "report") if out or not as_json else None
    done = _computed([key] if key else [], full, only, as_json)
    console = Console(stderr=True)
    if folder is not None:
        index = write_report(done, folder)
        console.print(f"wrote [bold]{index}[/] and its tables and figures", highlight=False)
    found = counts(done)
    console.print("  ".join(f"{MARKS[verdict]} {count} {verdict}" for verdict, count in found.items()), highlight=False)
