"""Settings that nobody tuned for, drawn by a seed and run in jumpnet and BookSim 2: CPU time for the same cycles.

Each seed draws a network, its routing function, router, traffic and packets, all in BookSim's language. Both programs
run the same settings at parts of the load that jumpnet carries, with one thread each, in turns. `all` is BookSim's CPU
time over jumpnet's, with reading, building and figures (not the start of Python); for `cycles`, the second one, that of
jumpnet's kernels alone counts. The table is sorted by `all`, smallest first; then what was not compared, and why.
"""

from __future__ import annotations

import argparse
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
from jumpnet.study.booksim.run import configuration, run_file

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
    "more": (
        {},
        {},
        {},
        {"internal_speedup": 2.0},
        {"input_speedup": 2},
        {"output_speedup": 2},
        {"speculative": 1},
        {},
    ),
}
BY_BITS = ("transpose", "bitrev")
PARTS = (0.2, 0.8)
"""Of the load that jumpnet carries."""
FLITS = 250_000
"""Flits that a run has to bring, at least, where it need not take longer than LONGEST_PERIOD: its cycles follow."""
PERIODS = 10
"""Sample periods of a run."""
SHORTEST_PERIOD, LONGEST_PERIOD = 200, 35_000
"""Cycles. A dragonfly whose global links take 100 cycles carries so little with small buffers that so many flits would
take millions of cycles."""
AROUND = 2
"""Runs of jumpnet before and after each of BookSim: a machine's speed changes."""
TIMEOUT_SECONDS = 60
"""Of a run of BookSim, which hangs where its packets deadlock as it drains."""


class Row(NamedTuple):
    """One drawn configuration at one load."""

    seed: int
    load: float
    cycles: int
    rate: float
    """Flit-hops per CPU second of jumpnet, everything."""
    ratio: float
    """CPU seconds of BookSim over those of jumpnet for as many cycles: everything."""
    loop_ratio: float
    """The same with those of jumpnet's kernels alone."""
    settings: str


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
    found = run(binary, settings, timeout_s=TIMEOUT_SECONDS)
    if not found["stable"]:
        raise JumpnetError(f"{binary}: gave up at a load that jumpnet carries")
    return found["cpu_seconds"], found["samples"] * int(settings["sample_period"])


def _own_seconds(file: Path, changes: dict[str, str]) -> tuple[float, Result]:
    """CPU seconds of a run of jumpnet, everything, and its result."""
    before = time.process_time()
    result = run_file(file, changes)
    assert isinstance(result, Result)
    return time.process_time() - before, result


def _compare(file: Path, settings: Settings, load: float, binary: Path, rounds: int) -> tuple[int, float, float, float]:
    """Cycles of a run at a load, then medians over the rounds: flit-hops a CPU second of jumpnet, and both ratios."""
    terminals = configuration(file, {})[0].network.endpoints
    period = min(max(SHORTEST_PERIOD, round(FLITS / terminals / load / PERIODS)), LONGEST_PERIOD)
    cycles, rates, ratios, loops = PERIODS * period, [], [], []
    for seed in range(rounds):
        changes = {"injection_rate": str(load), "sample_period": str(period), "seed": str(seed)}
        own = [_own_seconds(file, changes) for _ in range(AROUND)]
        seconds, measured = _booksim_seconds(binary, {**settings, **changes})
        own += [_own_seconds(file, changes) for _ in range(AROUND)]
        whole, loop = (statistics.median(values) for values in zip(*((s, r.cpu_seconds) for s, r in own), strict=True))
        rates.append(own[0][1].flit_hops / whole)
        ratios.append(seconds * cycles / measured / whole)
        loops.append(seconds * cycles / measured / loop)
    return cycles, *(statistics.median(values) for values in (rates, ratios, loops))


def measure(seed: int, binary: Path, folder: Path, rounds: int) -> list[Row]:
    """The rows of one drawn configuration; raises JumpnetError for what either program does not run."""
    drawn = draw(seed)
    usual = {"sim_type": "throughput", "max_samples": PERIODS, "latency_thres": 1e9}
    settings = {**DEFAULTS, **drawn, **usual}
    file = written(seed, settings, folder)
    words = " ".join(f"{key}={value}" for key, value in drawn.items() if DEFAULTS.get(key) != value)
    rows = []
    for load in loads_of(file, settings, PARTS):  # which compiles, too
        rows.append(Row(seed, load, *_compare(file, settings, load, binary, rounds), words))
    return rows


def main(words: list[str]) -> None:
    """Parse the options, draw and run both, print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks drawn", description=__doc__)
    parser.add_argument("--binary", type=Path, help="BookSim 2's program")
    parser.add_argument("--first", type=int, default=0, help="first seed that draws a configuration")
    parser.add_argument("--count", type=int, default=len(KINDS), help="how many seeds")
    parser.add_argument("--rounds", type=int, default=1, help="runs of BookSim for each row (odd is best)")
    options = parser.parse_args(words)
    if options.binary is None:
        parser.error("no --binary found, the path of BookSim 2's program expected")
    os.environ["JUMPNET_THREADS"] = "1"  # one core each
    rows: list[Row] = []
    refused: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.count):
            try:
                rows += measure(seed, options.binary.resolve(), Path(folder), options.rounds)
            except JumpnetError as error:
                refused[str(error).split(": ", 1)[-1]] += 1
    print(f"{'seed':>4}{'load':>8}{'cycles':>8}{'jumpnet':>10}{'all':>7}{'cycles':>7}  settings")
    for row in sorted(rows, key=lambda row: row.ratio):
        ratios = f"{row.ratio:7.1f}{row.loop_ratio:7.1f}"
        print(f"{row.seed:4}{row.load:8g}{row.cycles:8}{row.rate:10.3g}{ratios}  {row.settings}")
    for reason, times in refused.most_common():
        print(f"not compared {times} times: {reason}")
