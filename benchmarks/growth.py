"""Cost of a flit-hop as the network grows: RDTs of 64 to 65,536 routers under one load, one thread, cycles alone.

Every network runs until packets arrive as fast as they enter, then for about as many flit-hops as the others; rounds go
through all sizes in turn, and the median of each counts. A flit-hop is a flit through a switch. `growth` is the cost
beside that of the first size.
"""

from __future__ import annotations

import argparse
import statistics
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.routings import default_routing
from jumpnet.sim.config import preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import OUT_VC_ROW
from jumpnet.topology import build

__all__ = ["SIDES", "cost", "main", "measure"]

SIDES = (8, 16, 32, 64, 128, 256)
WARM_UP = 300
"""Cycles; a packet of 16 flits takes about a hundred."""


def _moved(engine: Engine) -> int:
    """Flits that have gone through switches."""
    return int(engine.state.out_vc.reshape(-1, at.OUT_VC_FIELDS)[:, OUT_VC_ROW.sent].sum(dtype=np.int64))


def cost(engine: Engine, flit_hops: int) -> float:
    """Nanoseconds of CPU time for a flit-hop, over about so many of them."""
    before, cycles, seconds = _moved(engine), 50, 0.0
    while _moved(engine) - before < flit_hops:
        seconds += engine.advance(cycles)
    return 1e9 * seconds / (_moved(engine) - before)


def measure(sides: tuple[int, ...], load: float, flit_hops: int, rounds: int) -> list[dict[str, Any]]:
    """A row for each size: median cost, and its ratio to the first."""
    engines = []
    for side in sides:
        net = build(f"rdt:{side}")
        engines.append(Engine(net, default_routing(net), preset("booksim", load=load), threads=1))
        engines[-1].advance(WARM_UP)
    costs: list[list[float]] = [[] for _ in sides]
    for _ in range(rounds):
        for engine, found in zip(engines, costs, strict=True):
            found.append(cost(engine, flit_hops))
    middle = [statistics.median(found) for found in costs]
    return [
        {
            "spec": e.network.spec,
            "routers": e.shape.routers,
            "load": load,
            "ns_per_flit_hop": ns,
            "growth": ns / middle[0],
        }
        for e, ns in zip(engines, middle, strict=True)
    ]


def main(words: list[str]) -> None:
    """Parse the options, measure, print a line for each size."""
    parser = argparse.ArgumentParser(prog="benchmarks growth", description=__doc__)
    parser.add_argument("--load", type=float, default=0.05, help="flits per node and cycle")
    parser.add_argument("--largest", type=int, default=SIDES[-1], help="side of the largest torus")
    parser.add_argument("--flit-hops", type=int, default=4_000_000, help="measured in each round")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(words)
    sides = tuple(side for side in SIDES if side <= options.largest)
    if not sides or options.rounds < 1:
        raise JumpnetError(
            f"--largest {options.largest} --rounds {options.rounds} found, a side from {SIDES[0]} expected"
        )
    print(f"{'network':10}{'routers':>8}{'ns/flit-hop':>13}{'growth':>8}")
    for row in measure(sides, options.load, options.flit_hops, options.rounds):
        print(f"{row['spec']:10}{row['routers']:8}{row['ns_per_flit_hop']:13.1f}{row['growth']:8.2f}", flush=True)
