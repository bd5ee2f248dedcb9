"""Flit-hops per CPU-second of the simulator, side by side with a BookSim 2 binary when one is given.

Same network, load, packets and cycles, one core each, in turns within one run; the median of the runs counts. CPU
time is that of everything: building the network, the run, the statistics; kernels are compiled before. `loop` counts
jumpnet's time in the cycles alone: what a longer run tends to. The binary is
the user's own: `--binary PATH`, or the environment variable JUMPNET_BOOKSIM. A flit-hop is a router traversed by a
delivered flit. At the end BookSim lets its network run empty, without new packets: that time is counted, and its flits
are, but those cycles carry no load of their own. jumpnet stops, and what is on its way then does not count: in runs of
few latencies its figure is too low, so those of 4096 routers last some 25. `--cnsim PATH` adds meshes beside CNSim
(Yinxiao-Feng/chiplet-network-sim), in CPU seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any, NamedTuple

from validation._runner import NETWORKS, run

from benchmarks._cnsim import Setting
from benchmarks._meshes import MESHES, print_meshes, spec_of
from jumpnet.errors import JumpnetError
from jumpnet.sim.simulate import simulate

__all__ = ["CASES", "Case", "booksim_rate", "main", "measure"]


class Case(NamedTuple):
    """One network under one load: uniform traffic, 8-flit buffers."""

    spec: str
    routing: str
    load: float
    cycles: int
    flits: int = 16
    """Of a packet."""
    vcs: int = 2


CASES = (
    Case("torus:8x8", "torus.booksim", 0.01, 1_000_000),
    Case("torus:8x8", "torus.booksim", 0.15, 100_000),
    Case("torus:8x8", "torus.booksim", 0.29, 100_000),
    Case("mesh:8x8", "mesh.dimension_order", 0.01, 1_000_000),
    Case("mesh:8x8", "mesh.dimension_order", 0.15, 100_000),
    Case("mesh:8x8", "mesh.dimension_order", 0.29, 100_000),
    Case("torus:64x64", "torus.booksim", 0.02, 4_800),
    Case("torus:64x64", "torus.booksim", 0.036, 4_800),
    Case("torus:16x16x16", "torus.booksim", 0.08, 3_600),
    Case("torus:16x16x16", "torus.booksim", 0.14, 3_600),
    Case("torus:8x8", "torus.booksim", 0.2, 300_000, flits=1),
    Case("torus:8x8", "torus.booksim", 0.2, 300_000, flits=5),
    Case("mesh:8x8", "mesh.dimension_order", 0.2, 300_000, flits=1),
    Case("mesh:8x8", "mesh.dimension_order", 0.2, 300_000, flits=5),
    Case("torus:8x8", "torus.booksim", 0.2, 300_000, flits=1, vcs=8),
    Case("torus:8x8", "torus.booksim", 0.2, 300_000, flits=5, vcs=8),
    Case("torus:8x8", "torus.booksim", 0.29, 60_000, vcs=8),
    Case("mesh:8x8", "mesh.dimension_order", 0.2, 300_000, flits=1, vcs=8),
    Case("mesh:8x8", "mesh.dimension_order", 0.2, 300_000, flits=5, vcs=8),
    Case("mesh:8x8", "mesh.dimension_order", 0.29, 60_000, vcs=8),
    Case("torus:64x64", "torus.booksim", 0.02, 4_800, flits=1),
    Case("torus:64x64", "torus.booksim", 0.02, 4_800, flits=5),
    Case("torus:64x64", "torus.booksim", 0.02, 4_800, flits=1, vcs=8),
    Case("torus:64x64", "torus.booksim", 0.02, 4_800, flits=5, vcs=8),
    Case("torus:64x64", "torus.booksim", 0.036, 4_800, vcs=8),
)
PERIODS = 6
"""Sample periods of a BookSim run; it ends after them."""
AROUND = 3
"""Runs of jumpnet before and after each of BookSim, which takes fifty times as long: a machine's speed changes."""


def own_rates(case: Case, seed: int) -> tuple[float, float]:
    """Flit-hops per CPU-second of jumpnet: of everything, and of the cycles alone."""
    before = time.process_time()
    result = simulate(
        case.spec,
        case.routing,
        load=case.load,
        traffic="uniform:self=1",
        packet_flits=str(case.flits),
        buffer_flits=8,
        vcs=case.vcs,
        seed=seed,
        warmup_cycles=case.cycles // 2,
        measure_cycles=case.cycles - case.cycles // 2,
        drain=False,
    )
    whole = time.process_time() - before
    return float(result.flit_hops) / whole, float(result.flit_hops) / max(result.cpu_seconds, 1e-9)


def booksim_rate(case: Case, seed: int, binary: Path) -> float:
    """Flit-hops per CPU-second of BookSim: of what it was offered in its sample periods, all of which it delivers."""
    found = run(
        binary,
        {
            **NETWORKS[case.spec],
            "injection_rate": case.load,
            "packet_size": case.flits,
            "num_vcs": case.vcs,
            "sim_type": "throughput",
            "sample_period": case.cycles // PERIODS,
            "max_samples": PERIODS,
            "latency_thres": 1e9,
            "seed": seed,
        },
    )
    if not found["stable"]:
        raise JumpnetError(f"{binary}: gave up {case.spec} at load {case.load:g}")
    nodes = NETWORKS[case.spec]["k"] ** NETWORKS[case.spec]["n"]
    cycles = found["samples"] * (case.cycles // PERIODS)  # `cycles` has those in which the network runs empty as well
    return float(found["accepted"] * nodes * cycles * found["hops"] / found["cpu_seconds"])


def measure(case: Case, rounds: int, binary: Path | None) -> dict[str, Any]:
    """Median rates of one case, jumpnet and BookSim in turns, and their ratio."""
    own_rates(case._replace(cycles=20), 1)  # compiles
    rates: dict[str, list[float]] = {"jumpnet": [], "loop": [], "booksim": []}
    for seed in range(1, rounds + 1):
        for k in range(2 * AROUND):
            if k == AROUND and binary is not None:
                rates["booksim"].append(booksim_rate(case, seed, binary))
            whole, loop = own_rates(case, seed)
            rates["jumpnet"].append(whole)
            rates["loop"].append(loop)
    middle = {name: statistics.median(values) for name, values in rates.items() if values}
    row = {f"{name}_flit_hops_per_cpu_s": value for name, value in middle.items()}
    ratio = middle["jumpnet"] / middle["booksim"] if binary is not None else None
    loop_ratio = middle["loop"] / middle["booksim"] if binary is not None else None
    return {**case._asdict(), "rounds": rounds, **row, "ratio": ratio, "loop_ratio": loop_ratio}


def _print_cases(cases: list[Case], rounds: int, binary: Path | None, as_json: bool) -> None:
    """Measure every case and print a line each."""
    if cases and not as_json:
        print(
            f"{'network':16}{'load':>6}{'cycles':>8}{'flits':>6}{'vcs':>4}{'jumpnet':>10}{'loop':>10}{'BookSim':>10}{'ratio':>7}{'loop':>7}"
        )
    for case in cases:
        row = measure(case, rounds, binary)
        if as_json:
            print(json.dumps(row), flush=True)
            continue
        rates = "".join(f"{value:10.3g}" for key, value in row.items() if key.endswith("cpu_s"))
        ratio = f"{row['ratio']:7.1f}{row['loop_ratio']:7.1f}" if binary else ""
        print(f"{case.spec:16}{case.load:6g}{case.cycles:8}{case.flits:6}{case.vcs:4}{rates}{ratio}", flush=True)


def main(words: list[str]) -> None:
    """Parse the options, measure the cases, and the meshes when CNSim is given; with CNSim alone only those."""
    parser = argparse.ArgumentParser(prog="benchmarks simulator", description=__doc__)
    parser.add_argument("--binary", type=Path, default=os.environ.get("JUMPNET_BOOKSIM"), help="BookSim 2's program")
    parser.add_argument("--cnsim", type=Path, help="CNSim's program")
    parser.add_argument("--only", default="", help="only networks that contain this word")
    parser.add_argument("--flits", type=int, default=0, help="only packets of so many flits")
    parser.add_argument("--vcs", type=int, default=0, help="only so many virtual channels")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (odd is best)")
    parser.add_argument("--json", action="store_true", help="one object a line")
    options = parser.parse_args(words)
    binary = Path(options.binary) if options.binary else None

    def asked(spec: str, case: Case | Setting) -> bool:
        return options.only in spec and options.flits in (0, case.flits) and options.vcs in (0, case.vcs)

    cases = [case for case in CASES if asked(case.spec, case)] if binary or not options.cnsim else []
    meshes = [mesh for mesh in MESHES if asked(spec_of(mesh), mesh)] if options.cnsim else []
    if not (cases or meshes) or options.rounds < 1:
        raise JumpnetError(f"--only {options.only!r} --rounds {options.rounds} found, a network of the list expected")
    os.environ["JUMPNET_THREADS"] = "1"  # one core each
    _print_cases(cases, options.rounds, binary, options.json)
    print_meshes(meshes, options.rounds, options.cnsim, options.json)
