"""Receivers of bit-map schemes: sets of destinations a second on one core, beside the walk of the tree in Python; with
`--simulator`, flits through routers a second in the multicast simulator, beside the simulator for single destinations.

CPU seconds, the better of `--rounds`, kernels warm. Each set has its own source and normally distributed destinations.
"""

from __future__ import annotations

import argparse
import itertools
import time
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.multicast import scheme, schemes
from jumpnet.multicast.receivers import receivers_of_sets
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import leaves
from jumpnet.sim.multicast.simulate import simulate_multicasts
from jumpnet.sim.simulate import simulate

WALKED = 200
"""Sets that the tree walk is timed on."""


RDTS = ["prdt:128", "rdt:128", "prdt:256"]
TORI = ["torus:8x8", "torus:16x16"]
LOADS = (0.01, 0.1)
SETTINGS: dict[str, Any] = {
    "packet_flits": "16", "buffer_flits": 16, "vcs": 2, "warmup_cycles": 1000, "measure_cycles": 9000,
}  # fmt: skip


def simulators(specs: list[str], rounds: int) -> None:
    """Flits through routers in a CPU second of the kernels: single destinations in both, then a tenth multicasts."""
    print(f"{'':14}{'load':>6}{'plain':>12}{'multicast':>12}{'a tenth multicasts':>20}")
    for spec, load in itertools.product(specs, LOADS):
        share: dict[str, Any] = {"multicast_share": 0.1, "acknowledge": "combined", "load": load / 2}
        rates = []
        for _ in range(rounds):
            plain = simulate(spec, "torus.dateline", load=load, **SETTINGS)
            alone = simulate_multicasts(spec, "torus.dateline", load=load, multicast_share=0.0, **SETTINGS)
            mixed = simulate_multicasts(spec, "torus.dateline", **share, **SETTINGS)
            assert alone.packet_latency_mean_cycles == plain.packet_latency_mean_cycles
            rates.append([point.flit_hops_per_cpu_second for point in (plain, alone, mixed)])
        best = np.max(rates, axis=0)
        print(f"{spec:14}{load:>6g}{best[0]:>12.2e}{best[1]:>12.2e}{best[2]:>20.2e}")


def main(words: list[str]) -> None:
    """Parse the options, measure each network and scheme, print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks multicast", description=__doc__)
    parser.add_argument("specs", nargs="*")
    parser.add_argument("--sets", type=int, default=1_000_000)
    parser.add_argument("--destinations", type=int, default=4)
    parser.add_argument("--sigma", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--simulator", action="store_true", help="the simulator instead of the receivers")
    chosen = parser.parse_args(words)
    if chosen.sets < 1 or chosen.rounds < 1 or chosen.destinations < 1:
        raise JumpnetError("sets, rounds or destinations below 1 found, positive numbers expected")
    if chosen.simulator:
        simulators(chosen.specs or TORI, chosen.rounds)
        return
    rng = np.random.default_rng(1)
    print(f"{'':12}{'scheme':>8}{'sets/s':>14}{'tree walk sets/s':>18}{'receivers':>11}")
    for spec in chosen.specs or RDTS:
        where = territories(spec)
        source = rng.integers(0, where.routers, chosen.sets)
        offset = np.rint(rng.normal(0, chosen.sigma, (chosen.sets, chosen.destinations, 2))).astype(np.int64)
        y = (source[:, None] // where.side + offset[..., 1]) % where.side
        to = y * where.side + (source[:, None] + offset[..., 0]) % where.side
        for name in schemes():
            used = scheme(name)
            receivers_of_sets(where, used, source[:8], to[:8])
            times = []
            for _ in range(chosen.rounds):
                begin = time.process_time()
                found, _ = receivers_of_sets(where, used, source, to)
                times.append(time.process_time() - begin)
            begin = time.process_time()
            walked = min(WALKED, chosen.sets)
            for s in range(walked):
                address = where.address(int(source[s]), to[s].tolist())
                assert sum(1 for _ in leaves(used, used.maps(address.digits), address.top, where.fanout)) == found[s]
            walk = walked / (time.process_time() - begin)
            print(f"{spec:12}{name:>8}{chosen.sets / min(times):>14,.0f}{walk:>18,.0f}{found.mean():>11.1f}")
