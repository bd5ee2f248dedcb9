"""jumpnet's side of a table, run again without BookSim, whose figures stay as they were recorded.

`python -m validation again rules` runs jumpnet with the settings and seeds of the accepted loads and latencies in
`results/rules.csv` (or examples, or drawn), and judges them by BookSim's recorded mean and by the recorded band, as the
table has no single runs. `--examples` names the folder of BookSim's example files.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.sim.result import Result
from validation._compare import LATENCY_BAR, THROUGHPUT_BAR, judge_means
from validation._points import write_rows
from validation.drawn import PERIOD, shares_of, written
from validation.examples import ENDLESS, EXAMPLES, Example, of_class, run_here
from validation.recorded import RESULTS
from validation.rules import FOLDER, RULES

__all__ = ["main", "run_again"]

FIGURES = {
    "accepted_load": ("accepted", THROUGHPUT_BAR, ENDLESS),
    "packet_latency": ("packet_latency", LATENCY_BAR, dict[str, str]()),
}
"""Of each figure: its short name, the largest difference that agrees, and what is set besides."""


def _drawn(row: dict[str, str], folder: Path) -> tuple[Example, Path]:
    """What a row of `drawn.csv` ran, its file made again from its settings."""
    settings = dict(word.split("=", 1) for word in row["settings"].split())
    file = written(int(row["file"].removeprefix("drawn_")), settings, folder)
    return Example(file.name, (), (), 0.0, PERIOD, 0, shares_of(settings)), file


def _of_files(table: str, examples: Path) -> dict[str, tuple[Example, Path]]:
    """What each name in the rows of `examples.csv` or `rules.csv` stands for, and its file."""
    found, folder = (EXAMPLES, examples) if table == "examples" else (RULES, FOLDER)
    return {example.file: (example, example.path(folder)) for example in found}


@cache
def _runs(example: Example, file: Path, rate: float, runs: int, figure: str) -> list[Result]:
    return [run_here(example, file, rate, seed, FIGURES[figure][2]) for seed in range(1, runs + 1)]


def run_again(row: dict[str, str], example: Example, file: Path) -> dict[str, str]:
    """The row with jumpnet's mean over as many seeds as before, its difference and its verdict."""
    whole = next(name for name in FIGURES if row["figure"].startswith(name))
    c = int(row["figure"].removeprefix(whole).strip("_") or 0)
    name, bar, _ = FIGURES[whole]
    results = _runs(example, file, float(row["injection_rate"]), int(row["runs_each"]), whole)
    mean = sum(of_class(result, name, len(example.shares) or 1, c) for result in results) / len(results)
    difference, verdict = judge_means(float(row["booksim"]), mean, float(row["band_half_width"]), bar)
    verdict = "beyond" if row["verdict"] == "beyond" else verdict
    return {**row, "jumpnet": f"{mean:.6g}", "difference_percent": f"{100 * difference:+.2f}", "verdict": verdict}


def _chosen(row: dict[str, str], only: str, figure: str) -> bool:
    return only in row["file"] and figure in row["figure"] and row["figure"].startswith(tuple(FIGURES))


def _rows(rows: list[dict[str, str]], options: argparse.Namespace, folder: Path) -> Iterator[dict[str, str]]:
    """All rows in their order, the chosen ones again."""
    known = {} if options.table == "drawn" else _of_files(options.table, options.examples)
    for row in rows:
        if not _chosen(row, options.only, options.figure):
            yield row
            continue
        found = run_again(row, *(known[row["file"]] if known else _drawn(row, folder)))
        print(f"{row['file']:55} {row['figure']:16} {row['injection_rate']:>7} {row['booksim']:>10} "
              f"{row['jumpnet']:>10} now {found['jumpnet']:>10} "
              f"{row['difference_percent']:>7} now {found['difference_percent']:>7} "
              f"{found['verdict']}", flush=True)  # fmt: skip
        yield found


def _inside(row: dict[str, Any]) -> bool:
    return abs(float(row["jumpnet"]) - float(row["booksim"])) <= float(row["band_half_width"])


def main(words: list[str]) -> bool:
    """Parse the options, run jumpnet, write the table; whether nothing differs."""
    parser = argparse.ArgumentParser(prog="validation again", description=__doc__)
    parser.add_argument("table", choices=("examples", "rules", "drawn"), help="whose rows")
    parser.add_argument("--only", default="", help="only files whose name contains this word")
    parser.add_argument("--figure", default="", choices=("", *FIGURES), help="only this figure")
    parser.add_argument("--examples", type=Path, default=Path("examples"), help="folder of BookSim's example files")
    parser.add_argument("--out", type=Path, help="file to write (the table itself)")
    options = parser.parse_args(words)
    if options.table == "examples" and not (options.examples / EXAMPLES[0].file).is_file():
        raise JumpnetError(f"{options.examples}: {EXAMPLES[0].file} not found, BookSim's example files expected")
    path = RESULTS / f"{options.table}.csv"
    with path.open(newline="", encoding="ascii") as file:
        before = list(csv.DictReader(file))
    with tempfile.TemporaryDirectory() as folder:
        rows = list(_rows(before, options, Path(folder)))
    write_rows(options.out or path, rows)
    done = [row for row in rows if _chosen(row, options.only, options.figure)]
    print(f"{len(done)} rows, {sum(map(_inside, done))} inside their band:", dict(Counter(r["verdict"] for r in done)))
    return bool(done) and all(row["verdict"] != "differs" for row in done)
