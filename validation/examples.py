"""BookSim 2's seven example files, unchanged but for the load, beside a BookSim binary run now.

Of each file: packets alone in the network one by one, latency at several loads, accepted load beyond saturation. A
sample period of the file may be made longer or shorter, for both. Writes `results/examples.csv`.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from jumpnet.errors import JumpnetError
from jumpnet.sim.result import Result
from jumpnet.study.booksim.run import configuration, run_file
from validation._alone import worst_difference
from validation._compare import LATENCY_BAR, LOADS_JUDGED, THROUGHPUT_BAR, judge
from validation._points import write_rows
from validation._runner import parse
from validation.recorded import RESULTS

__all__ = ["ENDLESS", "EXAMPLES", "Example", "booksim", "compare", "main", "of_class", "row_of", "run_all", "run_here"]

WATCHED = 200
ENDLESS = {"sim_type": "throughput", "latency_thres": "1e9", "max_samples": "6"}
"""A run beyond saturation: it measures all its samples."""
NOT_COMPARED = "not compared"
"""The verdict of a row that has nothing to compare: no failure, and no agreement either."""


class Example(NamedTuple):
    """A file, and the injection rates (as the file counts them) and sample periods that it is run with."""

    file: str
    """Its name; then settings over those of the file, as `key=value`."""
    rates: tuple[float, ...]
    beyond: tuple[float, ...]
    """Rates that the network cannot carry; the most that is accepted is the saturation throughput."""
    lowest: float
    """A rate at which packets hardly meet."""
    period: int
    period_alone: int
    shares: tuple[float, ...] = ()
    """Of each class, of the rate."""
    flits_a_flit: float = 1.0
    """Flits sent for each that is offered: more than one where there are replies."""

    def path(self, folder: Path) -> Path:
        """The file, in a folder."""
        return folder / self.file.split()[0]

    @property
    def changes(self) -> dict[str, str]:
        """What is set over the file."""
        return dict(word.split("=") for word in self.file.split()[1:])

    def run(self, rate: float, seed: int, more: dict[str, str]) -> dict[str, str]:
        """All that is set over the file in one run."""
        once = {"injection_rate": self.words(rate), "sample_period": str(self.period), "seed": str(seed)}
        return {**self.changes, **once, **more}

    def words(self, rate: float) -> str:
        """The rate in the file's words."""
        return "{" + ",".join(f"{rate * share:g}" for share in self.shares) + "}" if self.shares else str(rate)


EXAMPLES = (
    Example("singleconfig", (0.2, 0.4, 0.5), (0.8, 1.0), 0.004, 5_000, 3_000),
    Example("torus88", (0.05, 0.15, 0.2), (0.3, 0.5), 0.0002, 3_000, 3_000),
    Example("cmeshconfig", (0.03, 0.06, 0.1), (0.13, 0.2), 0.0002, 3_000, 3_000),
    Example("mesh88_lat", (0.002, 0.004, 0.006), (0.009, 0.012), 0.00005, 8_000, 12_000),
    Example("flatflyconfig", (0.2, 0.4, 0.5), (0.8, 1.0), 0.0003, 2_000, 3_000),
    Example("fattree_config", (0.2, 0.4, 0.6), (0.9, 1.0), 0.0002, 1_000, 3_000),
    Example("dragonflyconfig", (0.2, 0.5, 0.7), (1.0,), 0.00002, 500, 30_000),
)


def booksim(binary: Path, file: Path, changes: dict[str, str], limit_seconds: float = 1800.0) -> str:
    """What BookSim prints for a file with changes; raises JumpnetError when it does not run, or not to its end."""
    words = [str(binary), str(file), *(f"{key}={value}" for key, value in changes.items())]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=limit_seconds, check=False)
    except OSError as error:
        raise JumpnetError(f"{binary}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise JumpnetError(f"{binary}: no answer within {limit_seconds:g} s") from None
    if done.returncode < 0 or "Parse error" in done.stderr:
        said = done.stderr.strip().splitlines() or ["without a word"]
        raise JumpnetError(f"{binary} {file.name}: BookSim fails: {said[-1].strip()}")
    return done.stdout


def row_of(
    example: Example, figure: str, rate: float, theirs: list[float], ours: list[float], bar: float
) -> dict[str, Any]:
    """The row of a figure at one rate, of runs of both."""
    difference, half, verdict = judge(theirs, ours, bar)
    mean = [sum(values) / len(values) for values in (theirs, ours)]
    return {
        "file": example.file, "figure": figure, "injection_rate": rate, "booksim": f"{mean[0]:.6g}",
        "jumpnet": f"{mean[1]:.6g}", "difference_percent": f"{100 * difference:+.2f}",
        "band_half_width": f"{half:.3g}", "runs_each": len(theirs), "verdict": verdict,
    }  # fmt: skip


def _alone(example: Example, binary: Path, file: Path) -> dict[str, Any]:
    low = {"injection_rate": example.words(example.lowest), "sample_period": str(example.period_alone)}
    changes = {**example.changes, **low}
    watch = {"watch_packets": "{" + ",".join(map(str, range(WATCHED))) + "}", "watch_out": "-"}
    text = booksim(binary, file, {**changes, **watch})
    count, worst, times = worst_difference(text, *configuration(file, changes))
    each = f", nearest of {times} each" if times > 1 else ""
    said = f"{count} packets, worst difference {worst} cycles{each}" if count else "no packet was alone"
    verdict = ("exact" if worst == 0 else "differs") if count else NOT_COMPARED
    return {
        "file": example.file, "figure": "zero_load_latency", "injection_rate": example.lowest, "booksim": "",
        "jumpnet": said, "difference_percent": "", "band_half_width": "", "runs_each": 1, "verdict": verdict,
    }  # fmt: skip


def run_here(example: Example, file: Path, rate: float, seed: int, more: dict[str, str]) -> Result:
    """One run of jumpnet; without `more` it ends when its latency is known to 1%."""
    precise = {} if more else {"stopping_thres": "0.01"}
    result = run_file(file, {**example.run(rate, seed, more), **precise})
    assert isinstance(result, Result)
    return result


def of_class(result: Result, figure: str, classes: int, c: int) -> float:
    """A figure of a class, or of all packets where there is one class."""
    name = {"accepted": "accepted_load", "packet_latency": "packet_latency_mean_cycles"}[figure]
    return float(result.figures[f"class_{c}_{name}" if classes > 1 else name])


def _rows(
    example: Example, binary: Path, file: Path, rate: float, seeds: int, figure: str, more: dict[str, str]
) -> tuple[list[dict[str, Any]], float]:
    """A row for each class at one rate, and the load that is offered."""
    theirs: list[list[float]] = []
    ours: list[list[float]] = []
    load = 0.0
    for seed in range(1, seeds + 1):
        theirs.append(parse(booksim(binary, file, example.run(rate, seed, more)))["by_class"][figure])
        if not theirs[-1]:
            raise JumpnetError(f"{binary} {example.file}: no statistics found in what it printed, some expected")
        result = run_here(example, file, rate, seed, more)
        classes = len(theirs[-1])
        ours.append([of_class(result, figure, classes, c) for c in range(classes)])
        load = float(result.offered_load)
    bar = THROUGHPUT_BAR if figure == "accepted" else LATENCY_BAR
    name = "accepted_load" if figure == "accepted" else figure
    rows = []
    for c in range(len(theirs[0])):
        words = f"{name}_{c}" if len(theirs[0]) > 1 else name
        rows.append(row_of(example, words, rate, [x[c] for x in theirs], [x[c] for x in ours], bar))
    return rows, load


def compare(example: Example, binary: Path, folder: Path, seeds: int) -> Iterator[dict[str, Any]]:
    """The rows of one file: packets alone, saturation, latencies."""
    file = example.path(folder)
    yield _alone(example, binary, file)
    saturation = 0.0
    for rate in example.beyond:
        rows, _ = _rows(example, binary, file, rate, seeds, "accepted", ENDLESS)
        saturation = max(saturation, sum(float(row["booksim"]) for row in rows))
        yield from rows
    for rate in example.rates:
        rows, offered = _rows(example, binary, file, rate, seeds, "packet_latency", {})
        offered *= example.flits_a_flit
        beyond = bool(example.beyond) and offered > LOADS_JUDGED * saturation
        yield from ({**row, "verdict": "beyond"} if beyond else row for row in rows)


Job = tuple[str, Callable[[Path, int], Iterator[dict[str, Any]]]]
"""A file's name, and what compares it: its rows, given the binary and the number of seeds."""


def jobs(files: tuple[Example, ...], folder: Path | None) -> list[Job]:
    """The comparison of each file of a folder (None: the binary's examples)."""

    def job(example: Example) -> Job:
        return example.file, lambda binary, seeds: compare(example, binary, folder or binary.parent / "examples", seeds)

    return [job(example) for example in files]


def run_all(words: list[str], name: str, about: str, all_jobs: list[Job]) -> bool:
    """Parse the options, compare the files, write the table of that name; whether nothing differs."""
    parser = argparse.ArgumentParser(prog=f"validation {name}", description=about)
    parser.add_argument("--binary", type=Path, required=True, help="BookSim 2's program; its examples lie beside it")
    parser.add_argument("--only", default="", help="only files whose name contains this word")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each point, in both")
    parser.add_argument("--out", type=Path, default=RESULTS / f"{name}.csv", help="file to write")
    options = parser.parse_args(words)
    binary, rows = options.binary.resolve(), []
    for file, compare_file in all_jobs:
        if options.only in file:
            for row in compare_file(binary, max(2, options.seeds)):
                print(" ".join(f"{value!s:>14}" for value in row.values()), flush=True)
                rows.append(row)
    write_rows(options.out, rows)
    return bool(rows) and all(row["verdict"] != "differs" for row in rows)


def main(words: list[str]) -> bool:
    """Parse the options, run both, write the table; whether nothing differs."""
    return run_all(words, "examples", __doc__ or "", jobs(EXAMPLES, None))
