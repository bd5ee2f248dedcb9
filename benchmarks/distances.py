"""All-pairs distances of a random regular graph: CPU seconds of jumpnet, libraries, a C kernel and ODP side by side.

Libraries search from a sample of sources, and their time is multiplied up to all of them (said in the table); jumpnet
and the programs search from all. Each round measures jumpnet and every program once, and the best round counts, so
that a busy machine hurts all alike.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._contenders import LIBRARIES, Program
from jumpnet.graph.distances import distance_counts
from jumpnet.topology import build

COLD = """
import time
from jumpnet.graph.distances import distance_counts
from jumpnet.topology import build
net = build("random:1024,d=8")
before = time.process_time()
distance_counts(net)
print(time.process_time() - before)
"""


def cold_compile_seconds() -> float:
    """CPU seconds of the first search with an empty kernel cache, in a new process."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "JUMPNET_CACHE_DIR": folder}
        done = subprocess.run([sys.executable, "-c", COLD], env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


def _row(name: str, seconds: float, how: str) -> dict[str, Any]:
    return {"name": name, "cpu_seconds": seconds, "how": how}


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """One row per contender: name, CPU seconds for all pairs, and how they were measured."""
    net = build(f"random:{options.routers},d={options.degree},seed={options.seed}")
    programs = {name: Program(path, net) for name, path in (("C kernel", options.c), ("ODP", options.odp)) if path}
    best: dict[str, float] = {}
    figures = distance_counts(net)  # loads the kernel
    expected = sum(d * n for d, n in enumerate(figures.counts))
    for _ in range(options.rounds):
        before = time.process_time()
        distance_counts(net)
        best["jumpnet"] = min(best.get("jumpnet", np.inf), time.process_time() - before)
        for name, program in programs.items():
            seconds, total = program.run()
            if total is not None and total != expected:
                raise AssertionError(f"{name} finds a sum of distances of {total}, jumpnet {expected}")
            best[name] = min(best.get(name, np.inf), seconds)
    rows = [_row(name, seconds, f"all sources, best of {options.rounds}") for name, seconds in best.items()]

    if not options.sample:
        return rows
    sources = np.random.default_rng(options.seed).integers(0, options.routers, options.sample)
    own = distance_counts(net, sources)
    for name, prepare in LIBRARIES.items():
        try:
            search = prepare(net)
        except ImportError:
            print(f"{name} is not installed, left out", file=sys.stderr)
            continue
        search(0)
        before = time.process_time()
        total = sum(search(int(source)) for source in sources)
        seconds = (time.process_time() - before) * options.routers / options.sample
        if total != sum(d * n for d, n in enumerate(own.counts)):
            raise AssertionError(f"{name} and jumpnet disagree on the distances from the sample")
        rows.append(_row(name, seconds, f"{options.sample} sources, times {options.routers / options.sample:g}"))
    return rows


def main(words: list[str]) -> None:
    """Parse the options, measure, print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks distances", description=__doc__)
    parser.add_argument("--routers", type=int, default=4096)
    parser.add_argument("--degree", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3, help="rounds of jumpnet and the programs")
    parser.add_argument("--sample", type=int, default=16, help="sources for each library; 0 leaves libraries out")
    parser.add_argument("--threads", type=int, default=1, help="threads of jumpnet; the programs and libraries use one")
    parser.add_argument(
        "--c", default=os.environ.get("BENCH_C_KERNEL"), help="program with a C kernel (BENCH_C_KERNEL)"
    )
    parser.add_argument("--odp", default=os.environ.get("BENCH_ODP"), help="program that calls ODP (BENCH_ODP)")
    parser.add_argument("--json", type=Path, help="write the rows to this file as well")
    options = parser.parse_args(words)
    os.environ["JUMPNET_THREADS"] = str(options.threads)
    compile_seconds = cold_compile_seconds()
    rows = measure(options)
    own = rows[0]["cpu_seconds"]
    print(f"all pairs of a random {options.degree}-regular graph of {options.routers:,} routers, CPU seconds")
    print(f"{'':18}{'CPU s':>10}{'/ jumpnet':>11}  measured from")
    for row in rows:
        print(f"{row['name']:18}{row['cpu_seconds']:10.3f}{row['cpu_seconds'] / own:11.2f}  {row['how']}")
    print(f"{'cold compile':18}{compile_seconds:10.3f}{'':11}  first search with an empty kernel cache")
    if options.json:
        rows.append(_row("cold compile", compile_seconds, "first search with an empty kernel cache"))
        options.json.write_text(json.dumps({**vars(options), "json": None, "rows": rows}, indent=1), encoding="utf-8")
