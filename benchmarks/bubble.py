"""Bubble flow control beside datelines on tori: saturation at equal buffer space, uniform traffic.

`python -m benchmarks bubble`. Saturation by search to 2%, cut-through; the buffers of a port hold as many flits in each
row: one virtual channel with all of them (`torus.bubble`), or two with half each (both routings). Three seeds.
"""

from __future__ import annotations

import argparse
from typing import Any

from jumpnet.routings import bind
from jumpnet.sim.saturation import find_saturation
from jumpnet.topology import build

SPECS = ["torus:8x8", "torus:4x4x4", "torus:16x16"]
LENGTHS = [4, 16]
PACKETS = [2, 4, 8]
"""Whole packets that the buffers of a port hold together."""
ROUTERS = [("torus.bubble", 1), ("torus.bubble", 2), ("torus.dateline", 2)]
SETTINGS: dict[str, Any] = {"flow_control": "cut_through", "warmup_cycles": 2000, "measure_cycles": 4000, "load": 0.1}


def _saturation(spec: str, name: str, vcs: int, flits: int, room: int) -> str:
    """Loads found with three seeds; a dash where bubbles would have less than two packets."""
    if name == "torus.bubble" and room // vcs < 2 * flits:
        return "-"
    net = build(spec)
    words = {**SETTINGS, "packet_flits": str(flits), "buffer_flits": room // vcs}
    found = [find_saturation(net, bind(name, net, vcs), seed=seed, **words).load for seed in (1, 2, 3)]
    return ", ".join(f"{load:.3f}" for load in found)


def main(words: list[str]) -> None:
    """Print the table; no words but `--help`."""
    argparse.ArgumentParser(prog="benchmarks bubble", description=__doc__).parse_args(words)
    print(
        "| network | flits a packet | flits a port | " + " | ".join(f"{name} ({vcs})" for name, vcs in ROUTERS) + " |"
    )
    print("|---" * (3 + len(ROUTERS)) + "|")
    for spec in SPECS:
        for flits in LENGTHS:
            for room in (flits * packets for packets in PACKETS):
                row = " | ".join(_saturation(spec, name, vcs, flits, room) for name, vcs in ROUTERS)
                print(f"| {spec} | {flits} | {room} | {row} |", flush=True)
