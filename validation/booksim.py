"""jumpnet against a BookSim 2 binary, run now: every recorded point again, in BookSim and in jumpnet.

The binary is the user's own (`--binary`); it runs with settings, sample periods and seeds of the recorded points.
Writes `results/booksim.csv`; `--record FILE` keeps BookSim's new figures in the form of `data/*.csv`.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from validation._points import Point, read_points, write_rows
from validation._runner import NETWORKS, run
from validation.recorded import RESULTS, compare_and_print

__all__ = ["again", "main"]

WARMUP_PERIODS = 3
LIMIT_SECONDS = 3600.0


def settings_of(point: Point) -> tuple[dict[str, Any], int]:
    """BookSim's settings for a point, over the runner's defaults, and the sample period in cycles."""
    period = point.warmup_cycles // WARMUP_PERIODS
    settings = {
        **NETWORKS[point.spec],
        "traffic": point.booksim_traffic,
        "packet_size": point.packet_flits,
        "vc_buf_size": point.buffer_flits,
        "injection_rate": point.load,
        "sample_period": period,
        "seed": point.seed,
    }
    if point.kind == "overload":
        samples = WARMUP_PERIODS + point.measured_cycles // period
        settings |= {"sim_type": "throughput", "max_samples": samples, "latency_thres": 1e9}
    return settings, period


def again(point: Point, binary: Path) -> Point:
    """The point as the binary finds it now."""
    settings, period = settings_of(point)
    return point.with_figures(run(binary, settings, LIMIT_SECONDS), period, WARMUP_PERIODS)


def main(words: list[str]) -> bool:
    """Parse the options, run BookSim, compare; whether everything agrees."""
    parser = argparse.ArgumentParser(prog="validation booksim", description=__doc__)
    parser.add_argument("--binary", type=Path, required=True, help="BookSim 2's program")
    parser.add_argument("--only", default="", help="only networks or traffics that contain this word")
    parser.add_argument("--seeds", type=int, default=5, help="runs of jumpnet for each point, at least (2 or more)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="runs of jumpnet at a time")
    parser.add_argument("--record", type=Path, help="write BookSim's figures to this file as well")
    parser.add_argument("--out", type=Path, default=RESULTS / "booksim.csv", help="file to write")
    options = parser.parse_args(words)
    chosen = [
        p
        for p in read_points()
        if (options.only in p.spec or options.only in p.traffic) and (p.kind == "overload" or p.status == "stable")
    ]
    found = []
    for number, point in enumerate(chosen, 1):
        found.append(again(point, options.binary))
        print(f"BookSim {number}/{len(chosen)}: {point.spec} {point.traffic} {point.load:g}", file=sys.stderr)
    if options.record and found:
        write_rows(options.record, (asdict(point) for point in found))
    return compare_and_print(found, max(2, options.seeds), max(1, options.workers), options.out)
