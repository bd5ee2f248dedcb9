"""Accepted load beyond saturation of the grid that `drawn` compares latencies of, beside a BookSim binary run now.

Of each of the configurations from seed 2001 on, at a load of 0.9. Many come to a deadlock there, where BookSim hangs,
as its network never drains: a run of it is ended after some time. Where a run of either does, the row says what both
did, and nothing is judged. Writes `results/beyond.csv`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.sim.result import Result
from jumpnet.study.booksim.run import configuration
from validation._compare import THROUGHPUT_BAR
from validation._points import write_rows
from validation._runner import parse
from validation.drawn import GRID_FROM, PERIOD, RATE_BEYOND, draw, written
from validation.examples import ENDLESS, NOT_COMPARED, Example, booksim, row_of, run_here
from validation.recorded import RESULTS

__all__ = ["beyond", "main"]


def _said(example: Example, words: str, results: list[Result]) -> dict[str, Any]:
    """The row of a configuration of which nothing is judged: what jumpnet accepts, and why."""
    mean = sum(result.accepted_load for result in results) / len(results)
    return {
        "file": example.file, "figure": "accepted_load", "injection_rate": RATE_BEYOND, "booksim": words,
        "jumpnet": f"{mean:.6g}", "difference_percent": "", "band_half_width": "", "runs_each": len(results),
        "verdict": NOT_COMPARED,
    }  # fmt: skip


def _accepted(example: Example, binary: Path, file: Path, runs: int, limit_seconds: float) -> list[float]:
    """What those runs of BookSim accept that tell it in time."""
    found: list[float] = []
    for run in range(1, runs + 1):
        try:
            text = booksim(binary, file, example.run(RATE_BEYOND, run, ENDLESS), limit_seconds)
        except JumpnetError as error:
            if "no answer within" not in str(error):
                raise
        else:
            found += parse(text)["by_class"]["accepted"]
    return found


def beyond(seed: int, binary: Path, runs: int, limit_seconds: float, folder: Path) -> dict[str, Any]:
    """The row of a drawn configuration; raises JumpnetError for what jumpnet refuses or BookSim does not run."""
    settings = draw(seed)
    file = written(seed, settings, folder)
    configuration(file, {"injection_rate": "0.1"})
    example = Example(file.name, (), (RATE_BEYOND,), 0.0, PERIOD, 0)
    results = [run_here(example, file, RATE_BEYOND, run, ENDLESS) for run in range(1, runs + 1)]
    stopped = sum(result.deadlocked for result in results)
    theirs = _accepted(example, binary, file, runs, limit_seconds)
    if stopped or len(theirs) < runs:
        words = f"{len(theirs)} of {runs} runs ended within {limit_seconds:g} s"
        words += f" ({sum(theirs) / len(theirs):.6g} accepted)" if theirs else ""
        words += f", jumpnet deadlocks in {stopped} of {runs}" if stopped else ""
        row = _said(example, words, results)
    else:
        ours = [float(result.accepted_load) for result in results]
        row = row_of(example, "accepted_load", RATE_BEYOND, theirs, ours, THROUGHPUT_BAR)
    return {**row, "settings": " ".join(f"{key}={value}" for key, value in settings.items())}


def main(words: list[str]) -> bool:
    """Parse the options, run both, write the table; whether nothing differs."""
    parser = argparse.ArgumentParser(prog="validation beyond", description=__doc__)
    parser.add_argument("--binary", type=Path, required=True, help="BookSim 2's program")
    parser.add_argument("--first", type=int, default=GRID_FROM, help="first seed that draws a configuration")
    parser.add_argument("--count", type=int, default=60, help="how many seeds")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each point, in both")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds after which a run of BookSim is ended")
    parser.add_argument("--out", type=Path, default=RESULTS / "beyond.csv", help="file to write")
    options = parser.parse_args(words)
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.count):
            try:
                row = beyond(seed, options.binary.resolve(), max(2, options.seeds), options.limit, Path(folder))
            except JumpnetError as error:
                print(seed, error, flush=True)
                continue
            print(" ".join(f"{value!s:>14}" for value in row.values()), flush=True)
            rows.append(row)
            write_rows(options.out, rows)
    return bool(rows) and all(row["verdict"] != "differs" for row in rows)
