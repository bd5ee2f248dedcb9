"""jumpnet against recorded runs of BookSim 2: zero-load latency, latency up to 80% of saturation, and saturation.

Zero-load latency is checked packet by packet against BookSim's formula. Writes `results/recorded.csv`.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from jumpnet.sim.result.point_name import provenance
from validation._compare import Compared, compare_all
from validation._points import Point, read_points, write_rows
from validation.zero_load import main as zero_load

__all__ = ["compare_and_print", "main"]

RESULTS = Path(__file__).parent / "results"


def compare_and_print(points: Sequence[Point], seeds: int, workers: int, result: Path) -> bool:
    """Compare, print one line a point and the count of verdicts, write the rows; whether nothing differs."""
    done: list[Compared] = []
    print(f"{'network':15}{'traffic':24}{'flits':>5}{'buf':>4}{'load':>8}  figure {'BookSim':>10}{'jumpnet':>10}"
          f"{'band ±':>9}{'diff %':>8}  verdict")  # fmt: skip
    for c in compare_all(points, seeds, workers):
        done.append(c)
        row = c.row()
        figure = "thrpt " if c.figure == "accepted" else "latency"
        print(f"{row['spec']:15}{row['traffic']:24}{row['packet_flits']:5}{row['buffer_flits']:4}{row['load']:8.4g}"
              f"  {figure:7}{row['booksim']:>9}{row['jumpnet']:>10}{row['band_half_width']:>9}"
              f"{row['difference_percent']:>8}  {c.verdict}", flush=True)  # fmt: skip
    if not done:
        print("no point chosen")
        return False
    write_rows(result, (c.row() for c in done))
    judged = [c for c in done if c.verdict in ("agrees", "bands overlap", "differs")]
    print(", ".join(f"{count} {verdict}" for verdict, count in Counter(c.verdict for c in done).items()))
    print(f"inside the 95% band: {sum(c.inside for c in judged)} of {len(judged)} judged points")
    print(", ".join(f"{name} {version}" for name, version in provenance().items()))
    return all(c.verdict != "differs" for c in done)


def main(words: list[str]) -> bool:
    """Parse the options and compare; whether everything agrees."""
    parser = argparse.ArgumentParser(prog="validation recorded", description=__doc__)
    parser.add_argument("--only", default="", help="only networks or traffics that contain this word")
    parser.add_argument("--seeds", type=int, default=5, help="runs of jumpnet for each point, at least (2 or more)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="runs at a time")
    parser.add_argument("--out", type=Path, default=RESULTS / "recorded.csv", help="file to write")
    options = parser.parse_args(words)
    exact = zero_load([])
    points = [p for p in read_points() if options.only in p.spec or options.only in p.traffic]
    return compare_and_print(points, max(2, options.seeds), max(1, options.workers), options.out) and exact
