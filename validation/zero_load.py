"""Zero-load latency, exactly: a packet alone in the network, every pair of terminals, against BookSim's formula.

With rd, va, sa the delays of routing, virtual-channel and switch allocation, X that of the crossbar, A = va + sa (the
longer of both under speculation), L the latency of a link, R routers and S flits, a packet takes
3 + R (rd + A + X) + (R - 1) L + S - 1 cycles. The formula is written here once more, with distances from coordinates.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from jumpnet.networks import Network
from jumpnet.sim.simulate import simulate
from jumpnet.terms import I64
from jumpnet.topology import build
from jumpnet.traffic import PacketList

__all__ = ["all_pairs", "formula_cycles", "main", "worst_difference"]

NETWORKS = (
    ("mesh:8x8", "mesh.dimension_order"),
    ("torus:8x8", "torus.booksim"),
    ("torus:4x4x4", "torus.dateline"),
    ("hypercube:6", "hypercube.ecube"),
)
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"routing_delay_cycles": 0},
    {"routing_delay_cycles": 3},
    {"vc_allocation_delay_cycles": 2},
    {"switch_allocation_delay_cycles": 3},
    {"speculation": True},
    {"speculation": True, "vc_allocation_delay_cycles": 2},
    {"st_final_delay_cycles": 2, "st_prepare_delay_cycles": 1},
    {"link_cycles": 4},
)
FLITS = (1, 5, 16)


def formula_cycles(routers: I64, flits: int, settings: dict[str, Any]) -> I64:
    """BookSim's zero-load packet latency for each number of routers.

    >>> formula_cycles(np.array([1, 3]), 16, {})
    array([22, 32])
    """
    rd = settings.get("routing_delay_cycles", 1)
    va, sa = settings.get("vc_allocation_delay_cycles", 1), settings.get("switch_allocation_delay_cycles", 1)
    a = max(va, sa) if settings.get("speculation") else va + sa
    x = settings.get("st_prepare_delay_cycles", 0) + settings.get("st_final_delay_cycles", 1)
    return np.asarray(3 + routers * (rd + a + x) + (routers - 1) * settings.get("link_cycles", 1) + flits - 1)


def all_pairs(net: Network) -> tuple[I64, I64, I64]:
    """Sources, destinations and routers on the way of all pairs, distances from the coordinates alone."""
    source, destination = (a.ravel().astype(np.int64) for a in np.indices((net.routers, net.routers)))
    steps = np.abs(net.coord[source].astype(np.int64) - net.coord[destination])
    if net.family == "torus":
        steps = np.minimum(steps, np.asarray(net.params) - steps)
    return source, destination, steps.sum(axis=1) + 1


def worst_difference(spec: str, routing: str, flits: int, settings: dict[str, Any]) -> int:
    """Largest difference in cycles between formula and packets, over the ordered latencies of all pairs."""
    net = build(spec)
    source, destination, routers = all_pairs(net)
    expected = formula_cycles(routers, flits, settings)
    apart = int(expected.max()) + 100
    cycle = np.arange(source.size, dtype=np.int64) * apart
    packets = PacketList(cycle, source.astype(np.int32), destination.astype(np.int32), np.full(source.size, flits))
    result = simulate(
        net,
        routing,
        trace=packets,
        warmup_cycles=0,
        measure_cycles=int(cycle[-1]) + apart,
        max_cycles=10**9,
        buffer_flits=32,
        vcs=2,
        **settings,
    )
    latencies = np.repeat(np.arange(result.latency_histogram.size), result.latency_histogram)
    if latencies.size != expected.size:
        raise AssertionError(f"{latencies.size} packets arrived of {expected.size}")
    return int(np.abs(latencies - np.sort(expected)).max())


def main(words: list[str]) -> bool:
    """Check every network, packet length and setting; whether all latencies are exact."""
    argparse.ArgumentParser(prog="validation zero_load", description=__doc__).parse_args(words)
    exact = True
    for spec, routing in NETWORKS:
        for settings in SETTINGS:
            worst = [worst_difference(spec, routing, flits, settings) for flits in FLITS]
            exact = exact and max(worst) == 0
            changed = ", ".join(f"{k}={v}" for k, v in settings.items()) or "defaults"
            verdict = "exact" if max(worst) == 0 else f"differs by up to {max(worst)} cycles"
            print(f"zero load {spec:12} {changed:60} packets of {', '.join(map(str, FLITS))}: {verdict}", flush=True)
    return exact
