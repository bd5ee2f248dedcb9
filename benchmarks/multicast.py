"""Receivers of bit-map schemes: sets of destinations a second on one core, beside the walk of the tree in Python.

CPU seconds, the better of `--rounds`, kernels warm. Each set has its own source and normally distributed destinations.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.multicast import scheme, schemes
from jumpnet.multicast.receivers import receivers_of_sets
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import leaves

WALKED = 200
"""Sets that the tree walk is timed on."""


def main(words: list[str]) -> None:
    """Parse the options, measure each network and scheme, print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks multicast", description=__doc__)
    parser.add_argument("specs", nargs="*", default=["prdt:128", "rdt:128", "prdt:256"])
    parser.add_argument("--sets", type=int, default=1_000_000)
    parser.add_argument("--destinations", type=int, default=4)
    parser.add_argument("--sigma", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args(words)
    if chosen.sets < 1 or chosen.rounds < 1 or chosen.destinations < 1:
        raise JumpnetError("sets, rounds or destinations below 1 found, positive numbers expected")
    rng = np.random.default_rng(1)
    print(f"{'':12}{'scheme':>8}{'sets/s':>14}{'tree walk sets/s':>18}{'receivers':>11}")
    for spec in chosen.specs:
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
