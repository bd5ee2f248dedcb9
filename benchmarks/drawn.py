"""Settings that nobody tuned for, drawn by a seed and run in jumpnet and BookSim 2: CPU time for the same cycles.

Each seed draws a network, its routing function, router, traffic and packets, all in BookSim's language. Both programs
run the same file (`validation.drawn` writes it) at parts of the load that jumpnet carries, with one thread each, in
turns. `all` is the ratio of CPU seconds with reading, building and figures, `cycles` that of BookSim's to those of
jumpnet's kernels. What either program refuses is counted by its reason. The table is sorted by `all`, smallest first.
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from validation._runner import DEFAULTS, run
from validation.drawn import loads_of, written

from jumpnet.errors import JumpnetError
from jumpnet.sim.result import Result
from jumpnet.study.booksim.run import run_file

__all__ = ["Row", "draw", "main", "measure"]

Settings = dict[str, Any]

SIDES: dict[str, Settings] = {
    "8x8": {"k": 8, "n": 2},
    "4x4x4": {"k": 4, "n": 3},
    "2^6": {"k": 2, "n": 6},
    "concentrated": {"k": 4, "n": 2, "c": 4, "x": 4, "y": 4, "xr": 2, "yr": 2},
    "tree": {"k": 4, "n": 3},
    "dragonfly": {"k": 2, "n": 1},
}
KINDS: tuple[tuple[str, str, str, tuple[int, ...]], ...] = (
    ("torus", "8x8", "dim_order", (2, 4, 6, 8, 16)),
    ("mesh", "8x8", "dor", (1, 2, 3, 4, 6, 8, 16)),
    ("torus", "4x4x4", "dim_order", (2, 4, 6, 8, 16)),
    ("mesh", "4x4x4", "dor", (1, 2, 3, 4, 6, 8)),
    ("mesh", "2^6", "dor", (1, 2, 3, 4, 6, 8)),
    ("mesh", "8x8", "min_adapt", (2, 3, 4, 8)),
    ("torus", "8x8", "min_adapt", (4, 6, 8)),
    ("mesh", "8x8", "romm", (2, 4, 6, 8)),
    ("mesh", "8x8", "valiant", (2, 4, 6, 8)),
    ("mesh", "8x8", "xy_yx", (2, 4, 8)),
    ("mesh", "8x8", "adaptive_xy_yx", (2, 4, 8)),
    ("cmesh", "concentrated", "dor_no_express", (1, 2, 3, 4, 8, 16)),
    ("flatfly", "concentrated", "ran_min", (1, 2, 4, 8)),
    ("flatfly", "concentrated", "ugal", (2, 4, 8)),
    ("fattree", "tree", "nca", (1, 2, 3, 4, 8)),
    ("fattree", "tree", "anca", (1, 2, 4, 8)),
    ("dragonflynew", "dragonfly", "ugal", (3,)),
    ("dragonflynew", "dragonfly", "min", (2, 3, 4)),
)
"""Topology, sides, routing function, channels; all of 64 terminals, the dragonfly of 72."""
ANY: dict[str, tuple[Any, ...]] = {
    "packet_size": (1, 2, 3, 4, 5, 7, 16, "{{1,5}}"),
    "vc_buf_size": (2, 4, 8, 16, 32),
    "traffic": ("uniform", "uniform", "transpose", "tornado", "bitrev", "uniform"),
    "routing_delay": (1, 1, 0, 2),
    "credit_delay": (0, 1, 2),
    "wait_for_tail_credit": (0, 0, 0, 1),
    "vc_allocator": ("separable_input_first", "separable_input_first", "islip", "separable_output_first"),
    "sw_allocator": ("separable_input_first", "separable_input_first", "islip", "separable_output_first"),
    "more": ({}, {}, {}, {"internal_speedup": 2.0}, {"input_speedup": 2}, {"output_speedup": 2}, {"speculative": 1}, {}),
}
BY_BITS = ("transpose", "bitrev")
PARTS = (0.2, 0.8)
"""Of the load that jumpnet carries."""
FLITS = 250_000
"""Flits that a run has to bring, at least: its cycles follow from that."""
PERIODS = 10
"""Sample periods of a run."""


class Row(NamedTuple):
    """One drawn configuration at one load."""

    seed: int
    settings: str
    load: float
    cycles: int
    rate: float
    """Flit-hops per CPU second of jumpnet, everything."""
    ratio: float
    """CPU seconds of BookSim over those of jumpnet for as many cycles: everything."""
    loop_ratio: float
    """The same with those of jumpnet's kernels alone."""


def _in_turn(name: str, values: tuple[Any, ...], place: int) -> Any:
    """One of the values: each comes once in so many places, in an order of its own."""
    several, which = divmod(place, len(values))
    return Random(f"{name} {several}").sample(list(values), len(values))[which]


def draw(seed: int) -> Settings:
    """The settings that a seed draws; all values of a key come equally often.

    >>> draw(0) == draw(0), draw(0)["topology"], draw(1)["routing_function"]
    (True, 'torus', 'dor')
    """
    topology, sides, function, channels = KINDS[seed % len(KINDS)]
    found = {key: _in_turn(key, values, seed) for key, values in ANY.items()}
    if found["traffic"] in BY_BITS and topology == "dragonflynew":
        found["traffic"] = "uniform"
    extra = found.pop("more")
    found["num_vcs"] = _in_turn(f"{topology} {sides} {function}", channels, seed // len(KINDS))
    return {"topology": topology, **SIDES[sides], "routing_function": function, **found, **extra}


def _booksim_seconds(binary: Path, settings: Settings) -> tuple[float, int]:
    """CPU seconds of a run of BookSim, and the cycles that it measured in them."""
    found = run(binary, settings, timeout_s=60)
    if not found["stable"]:
        raise JumpnetError(f"{binary}: gave up load {settings['injection_rate']:g}")
    return found["cpu_seconds"], found["samples"] * settings["sample_period"]


def _own_seconds(file: Path, changes: dict[str, str]) -> tuple[float, Result]:
    """CPU seconds of a run of jumpnet, everything, and its result."""
    before = time.process_time()
    result = run_file(file, changes)
    assert isinstance(result, Result)
    return time.process_time() - before, result


def measure(seed: int, binary: Path, folder: Path, rounds: int) -> list[Row]:
    """The rows of one drawn configuration; raises JumpnetError for what either program does not run."""
    usual = {"sim_type": "throughput", "max_samples": PERIODS, "latency_thres": 1e9, "warmup_periods": 3}
    settings = {**DEFAULTS, **draw(seed), **usual}
    file = written(seed, settings, folder)
    rows = []
    for load in loads_of(file, settings, PARTS):
        _, tried = _own_seconds(file, {"injection_rate": str(load), "sample_period": "200"})  # compiles, too
        terminals = tried.channel_load.shape[0] if settings["topology"] not in ("cmesh", "flatfly", "fattree") else 64
        period = max(200, round(FLITS / terminals / load / PERIODS))
        changes = {"injection_rate": str(load), "sample_period": str(period)}
        ratios, loops, rates = [], [], []
        for turn in range(rounds):
            own = [_own_seconds(file, {**changes, "seed": str(turn)}) for _ in range(2)]
            seconds, cycles = _booksim_seconds(binary, {**settings, "injection_rate": load, "sample_period": period, "seed": turn})
            own += [_own_seconds(file, {**changes, "seed": str(turn)}) for _ in range(2)]
            each = seconds / cycles
            ratios.append(each * PERIODS * period / statistics.median(s for s, _ in own))
            loops.append(each * PERIODS * period / statistics.median(r.cpu_seconds for _, r in own))
            rates.append(own[0][1].flit_hops / statistics.median(s for s, _ in own))
        middle = [statistics.median(values) for values in (rates, ratios, loops)]
        words = " ".join(f"{key}={value}" for key, value in draw(seed).items() if DEFAULTS.get(key) != value)
        rows.append(Row(seed, words, load, PERIODS * period, *middle))
    return rows


def main(words: list[str]) -> None:
    """Parse the options, draw and run both, print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks drawn", description=__doc__)
    parser.add_argument("--binary", type=Path, required=True, help="BookSim 2's program")
    parser.add_argument("--first", type=int, default=0, help="first seed that draws a configuration")
    parser.add_argument("--count", type=int, default=2 * len(KINDS), help="how many seeds")
    parser.add_argument("--rounds", type=int, default=1, help="runs of BookSim for each row (odd is best)")
    options = parser.parse_args(words)
    os.environ["JUMPNET_THREADS"] = "1"  # one core each
    rows: list[Row] = []
    refused: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.count):
            try:
                found = measure(seed, options.binary.resolve(), Path(folder), options.rounds)
            except JumpnetError as error:
                refused[str(error).split(": ", 1)[-1]] += 1
                print(seed, error, flush=True)
                continue
            rows += found
            for row in found:
                print(*row, flush=True)
