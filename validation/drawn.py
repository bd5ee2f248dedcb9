"""Configurations drawn at random from BookSim 2's language, beside a BookSim binary run now: nobody tuned for them.

A seed draws network, routing function, router, allocators, delays, traffic and packets together. Each is compared as
the examples are (see `examples`): packets alone, accepted load beyond saturation, latency at 35% and 70% of what is
carried; of batches their cycles. What jumpnet refuses is counted by its reason. Writes `results/drawn.csv`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.sim.result import Result
from jumpnet.study.booksim.run import configuration, run_file
from validation._choices import ROUTERS_OF_GRAPH, graph_text, with_choices
from validation._phases import of_grid
from validation._points import write_rows
from validation._rarer import rarer
from validation._runner import config_text
from validation._wider import ROUTERS_OF_TREE, tree_text, widened
from validation.examples import ENDLESS, Example, compare
from validation.recorded import RESULTS
from validation.rules import batches

__all__ = ["GRID_FROM", "PERIOD", "RATE_BEYOND", "draw", "loads_of", "main", "shares_of", "written"]

Settings = dict[str, Any]

ALLOCATORS = ("separable_input_first", "separable_output_first", "islip", "pim", "select", "wavefront", "rr_wavefront")
BY_BITS = ("transpose", "bitcomp", "bitrev", "shuffle")
PATTERNS = (
    *(
        "uniform",
        "tornado",
        "neighbor",
        "randperm",
        "diagonal",
        "asymmetric",
        "background({{0,3}})",
        "hotspot({{2,5},{1,2}})",
    ),
    *BY_BITS,
)
RATE_BEYOND = 0.9
PARTS = (0.35, 0.7)
"""Of the load that jumpnet carries: the loads at which latencies are compared."""
STEP = 0.85
"""Between loads that are tried, from what jumpnet accepts far beyond saturation on: under a permutation
some sources are saturated long before that."""
PERIOD = 2_000
"""Cycles of a sample period."""
WIDER_FROM = 301
"""First seed that may draw what is in `_wider` too; those before draw what they did when they were compared."""
CHOICES_FROM = 1001
"""First seed that draws what is in `_choices`."""
GRID_FROM = 2001
"""First seed that draws what is in `_phases`, of which latency is compared; what is accepted beyond
saturation, where some deadlock, by `beyond`."""
RARER_FROM = 3001
"""First seed that draws what is in `_rarer` besides what seeds from 301 on draw."""
PARTS_OF_GRID = (0.4, 0.8)
FLITS_EACH_CYCLE = 0.02
"""Of all terminals together, in runs whose packets shall hardly meet."""


def _grid(rng: Random) -> Settings:
    kind = rng.choice(("mesh", "torus"))
    k, n = rng.choice(((4, 2), (8, 2), (3, 3), (5, 2), (4, 3), (2, 5), (16, 1)) if kind == "mesh" else
                      ((4, 2), (8, 2), (4, 3), (5, 2), (16, 1), (3, 3)))  # fmt: skip
    name = "dim_order" if kind == "torus" else "dor"
    if kind == "mesh" and n == 2:
        name = rng.choice(("dor", "dor", "romm", "valiant", "xy_yx", "adaptive_xy_yx"))
    return {"topology": kind, "k": k, "n": n, "routing_function": name}


def _cmesh(rng: Random) -> Settings:
    side = rng.choice((4, 6))
    return {"topology": "cmesh", "k": side, "n": 2, "c": 4, "x": side, "y": side, "xr": 2, "yr": 2,
            "routing_function": rng.choice(("dor_no_express", "xy_yx_no_express"))}  # fmt: skip


def _tree(rng: Random) -> Settings:
    k, n = rng.choice(((2, 3), (2, 4), (4, 2), (3, 3), (4, 3)))
    kind, name = rng.choice((("fly", "dest_tag"), ("fattree", "nca"), ("fattree", "anca")))
    return {"topology": kind, "k": k, "n": n, "routing_function": name}


def _flatfly(rng: Random) -> Settings:
    return {"topology": "flatfly", "k": 4, "n": 2, "c": 4, "x": 4, "y": 4, "xr": 2, "yr": 2,
            "routing_function": rng.choice(("ran_min", "valiant", "ugal"))}  # fmt: skip


def _dragonfly(rng: Random) -> Settings:
    return {"topology": "dragonflynew", "k": 2, "n": 1, "routing_function": rng.choice(("min", "ugal"))}


NETWORKS = (_grid, _grid, _grid, _cmesh, _tree, _flatfly, _dragonfly)


def _terminals(found: Settings) -> int:
    k, n = found.get("k", 1), found.get("n", 1)
    of_file = ROUTERS_OF_GRAPH if found.get("network_file") == "graph" else ROUTERS_OF_TREE
    known = {"cmesh": 4 * k * k, "flatfly": 4 * k**n, "dragonflynew": 72, "anynet": of_file}
    return known.get(found["topology"], k**n)


def _packets(rng: Random, found: Settings) -> Settings:
    terminals = _terminals(found)
    known = [p for p in PATTERNS if terminals & terminals - 1 == 0 or p not in BY_BITS]
    if terminals.bit_length() % 2 == 0 and "transpose" in known:
        known.remove("transpose")
    pattern = rng.choice(["uniform", "uniform", *known])
    kind = rng.choice(("plain",) * 6 + ("exchange", "classes"))
    if kind == "exchange" and found["topology"] in ("mesh", "torus", "cmesh", "fattree"):
        sizes = rng.sample(range(1, 9), 4)
        keys = [f"{what}_{kind}_size" for kind in ("request", "reply") for what in ("read", "write")]
        fraction = rng.choice((0.2, 0.5, 0.7))
        return {"traffic": pattern, "injection_rate_uses_flits": 1, "use_read_write": 1, "write_fraction": fraction,
                **dict(zip(keys, sizes, strict=True))}  # fmt: skip
    if kind == "classes" and found["topology"] in ("mesh", "torus", "cmesh", "fly"):
        other, one, two = rng.choice(known), *rng.sample((1, 2, 4, 5, 8), 2)
        return {"traffic": f"{{{pattern},{other}}}", "injection_rate_uses_flits": 1, "classes": 2,
                "packet_size": f"{{{one},{two}}}"}  # fmt: skip
    size = rng.choice((1, 1, 2, 3, 4, 5, 7, 8, 12, 16, 20, "{{1,5}}", "{{2,3,9}}"))
    return {"traffic": pattern, "packet_size": size, "injection_rate_uses_flits": 1}


def _router(rng: Random, found: Settings) -> Settings:
    pairs = found["topology"] == "torus" or found["routing_function"] in (
        "romm", "valiant", "xy_yx", "adaptive_xy_yx", "xy_yx_no_express", "ugal")  # fmt: skip
    vcs = rng.choice((2, 4, 6, 8)) if pairs else rng.choice((1, 2, 3, 4, 6, 8))
    if found["topology"] == "dragonflynew":
        vcs = 3 if found["routing_function"] == "ugal" else rng.choice((2, 3, 4))
    if found.get("use_read_write"):
        vcs = rng.choice((4, 8))
    made: Settings = {
        "num_vcs": vcs, "vc_buf_size": rng.choice((2, 3, 4, 5, 8, 11, 16, 32)),
        "wait_for_tail_credit": rng.choice((0, 0, 1)), "use_noc_latency": rng.choice((0, 1)),
        "vc_allocator": rng.choice(ALLOCATORS), "sw_allocator": rng.choice(ALLOCATORS),
        "routing_delay": rng.choice((0, 1, 1, 2)), "credit_delay": rng.choice((0, 1, 2, 4)),
        "st_prepare_delay": rng.choice((0, 0, 1)), "st_final_delay": rng.choice((1, 1, 2)),
        "vc_alloc_delay": 1, "sw_alloc_delay": 1, "latency_thres": 1e9,
    }  # fmt: skip
    extras: tuple[Settings, ...] = (
        {}, {}, {}, {"input_speedup": 2}, {"output_speedup": 2}, {"internal_speedup": 2.0},
        {"internal_speedup": 1.5, "output_buffer_size": 4}, {"hold_switch_for_packet": 1}, {"speculative": 1},
        {"vct": 1, "vc_buf_size": 32}, {"output_buffer_size": rng.choice((1, 2, 8))}, {"priority": "age"},
        {"subnets": 2}, {"injection_process": "on_off", "burst_alpha": 0.5, "burst_beta": 0.05},
    )  # fmt: skip
    return {**made, **rng.choice(extras), **_ranges(found, vcs)}


def _ranges(found: Settings, vcs: int) -> Settings:
    """Of reads and writes the first half of the virtual channels is for requests, the other for replies."""
    if not found.get("use_read_write"):
        return {}
    half = vcs // 2
    return {f"{what}_{kind}_{end}_vc": half * (kind == "reply") + (half - 1) * (end == "end")
            for what in ("read", "write") for kind in ("request", "reply") for end in ("begin", "end")}  # fmt: skip


def draw(seed: int) -> Settings:
    """The settings that a seed draws.

    >>> draw(1) == draw(1), sorted(draw(2))[:3]
    (True, ['burst_alpha', 'burst_beta', 'credit_delay'])
    """
    if GRID_FROM <= seed < RARER_FROM:
        return of_grid(seed - GRID_FROM)
    rng = Random(seed)
    found = rng.choice(NETWORKS)(rng)
    found |= _packets(rng, found)
    found |= _router(rng, found)
    found = found if seed < WIDER_FROM else widened(seed, found)
    if seed >= RARER_FROM:
        return rarer(seed, found)
    return found if seed < CHOICES_FROM else with_choices(seed, found)


def shares_of(settings: Settings) -> tuple[float, ...]:
    """Of the load, of each class."""
    classes = int(settings.get("classes", 1))
    return (1.0 / classes,) * classes if classes > 1 else ()


def loads_of(file: Path, settings: Settings, parts: tuple[float, ...]) -> tuple[float, ...]:
    """Loads at which to compare latencies: parts of the largest that jumpnet carries, of some that are tried."""

    def result(load: float, **more: str) -> Result:
        words = Example(file.name, (), (), 0.0, 0, 0, shares_of(settings)).words(load)
        found = run_file(file, {"injection_rate": words, **more})
        assert isinstance(found, Result)
        return found

    far = result(RATE_BEYOND, sample_period="1000", **ENDLESS)
    load = RATE_BEYOND if far.deadlocked else min(RATE_BEYOND, float(far.figures["accepted_load"]))
    while result(float(f"{load:.3g}"), sample_period=str(PERIOD)).figures["saturated"]:
        load *= STEP
    return tuple(float(f"{part * load:.3g}") for part in parts)


def written(seed: int, settings: Settings, folder: Path) -> Path:
    """The file `drawn_SEED` of these settings, in a folder, with its tree or graph where it has one."""
    there: Settings = {}
    if named := settings.get("network_file"):
        there = {"network_file": folder / f"{named}.anynet"}
        text = graph_text(seed) if named == "graph" else tree_text(seed)
        there["network_file"].write_text(text, encoding="ascii")
    (folder / f"drawn_{seed}").write_text(config_text({**settings, **there}), encoding="ascii")
    return folder / f"drawn_{seed}"


def _compare(seed: int, binary: Path, seeds: int, folder: Path) -> list[dict[str, Any]]:
    """The rows of one drawn configuration; raises JumpnetError for what jumpnet refuses or BookSim does not run."""
    settings = draw(seed)
    file = written(seed, settings, folder)
    configuration(file, {"injection_rate": "0.1"})
    words = " ".join(f"{key}={value}" for key, value in settings.items())
    if settings.get("sim_type") == "batch":
        return [{**row, "settings": words} for row in batches(file, binary, seeds)]
    lowest = float(f"{FLITS_EACH_CYCLE / _terminals(settings):.2g}")
    beyond = (RATE_BEYOND,) if not settings.get("classes") and (seed < GRID_FROM or seed >= RARER_FROM) else ()
    loads = loads_of(file, settings, PARTS_OF_GRID if GRID_FROM <= seed < RARER_FROM else PARTS)
    example = Example(file.name, loads, beyond, lowest, PERIOD, 20_000, shares_of(settings))
    return [{**row, "settings": words} for row in compare(example, binary, folder, seeds)]


def main(words: list[str]) -> bool:
    """Parse the options, draw and run both, write the table; whether nothing differs."""
    parser = argparse.ArgumentParser(prog="validation drawn", description=__doc__)
    parser.add_argument("--binary", type=Path, required=True, help="BookSim 2's program")
    parser.add_argument("--first", type=int, default=1, help="first seed that draws a configuration")
    parser.add_argument("--count", type=int, default=20, help="how many seeds")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each point, in both")
    parser.add_argument("--out", type=Path, default=RESULTS / "drawn.csv", help="file to write")
    options = parser.parse_args(words)
    rows: list[dict[str, Any]] = []
    refused: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.count):
            try:
                found = _compare(seed, options.binary.resolve(), max(2, options.seeds), Path(folder))
            except JumpnetError as error:
                refused[str(error).split(": ", 1)[-1]] += 1
                print(seed, error, flush=True)
                continue
            for row in found:
                print(" ".join(f"{value!s:>14}" for value in row.values()), flush=True)
            rows += found
            write_rows(options.out, rows)
    for reason, times in refused.most_common():
        print(f"not compared {times} times: {reason}")
    return bool(rows) and all(row["verdict"] != "differs" for row in rows)
