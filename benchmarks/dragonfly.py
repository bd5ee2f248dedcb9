"""What the routings of a dragonfly carry under uniform and under adversarial traffic (`bad_dragonfly`).

`python -m benchmarks dragonfly`. Saturation by search to 2%, packets of one flit, buffers of 32; beside it the largest
accepted load that was seen. With one virtual channel a class, a channel carries a one-flit packet every third cycle at
most (a head is routed, gets a channel, and gets the switch, before the next one begins); with four it can be full.
"""

from __future__ import annotations

import argparse
from typing import Any

from jumpnet.routings import bind
from jumpnet.sim.saturation import find_saturation
from jumpnet.topology import build

CASES = [("dragonfly:2", 1), ("dragonfly:2", 4), ("dragonfly:3", 4)]
"""Networks, and virtual channels of each class."""
ROUTINGS = ["minimal", "valiant", "ugal", "ugal_g", "par"]
SETTINGS: dict[str, Any] = {"packet_flits": "1", "buffer_flits": 32, "warmup_cycles": 2000, "measure_cycles": 4000}


def main(words: list[str]) -> None:
    """Print the table; no words but `--help`."""
    argparse.ArgumentParser(prog="benchmarks dragonfly", description=__doc__).parse_args(words)
    print("| network | routing | channels | uniform | accepted | bad_dragonfly | accepted |")
    print("|---|---|---|---|---|---|---|")
    for spec, share in CASES:
        net = build(spec)
        for name in (f"dragonfly.{one}" for one in ROUTINGS):
            bound = bind(name, net, share * bind(name, net).needed)
            found = [
                find_saturation(net, bound, traffic=traffic, load=0.1, **SETTINGS)
                for traffic in ("uniform", "bad_dragonfly")
            ]
            figures = " | ".join(f"{one.load:.3f} | {one.throughput:.3f}" for one in found)
            print(f"| {spec} | {name} | {bound.vcs} | {figures} |", flush=True)
