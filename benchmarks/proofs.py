"""Proofs of freedom from deadlock: CPU seconds and memory of shipped routings on large networks, up to 2^20 routers.

Each proof runs in a process of its own, kernels warm; the seconds are those of `prove` alone, the memory is the whole
process. `how` says whether packets were followed or not (see docs/proofs.md). `--longest` ends what takes longer.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

CASES = [
    "mesh:256x256/mesh.dimension_order",
    "mesh:256x256/mesh.west_first",
    "mesh:256x256/mesh.north_last",
    "mesh:256x256/mesh.negative_first",
    "mesh:256x256/mesh.odd_even",
    "mesh:256x256/mesh.duato",
    "mesh:256x256/mesh.valiant",
    "mesh:256x256/mesh.romm",
    "mesh:256x256/mesh.ugal",
    "torus:256x256/torus.dateline",
    "torus:16x16x16x16/torus.dateline",
    "torus:256x256/torus.dimension_order",
    "torus:256x256/torus.bubble",
    "torus:256x256/torus.duato",
    "torus:16x16x16x16/torus.duato",
    "torus:256x256/torus.valiant",
    "torus:256x256/torus.romm",
    "torus:256x256/torus.ugal",
    "torus:128x128/torus.booksim",
    "hypercube:16/hypercube.ecube",
    "hypercube:12/hypercube.duato",
    "hypercube:16/hypercube.duato",
    "hypercube:16/hypercube.valiant",
    "hypercube:16/hypercube.ugal",
    "hyperx:16x16x16x16/hyperx.dimension_order",
    "hyperx:16x16x16/hyperx.adaptive",
    "hyperx:16x16x16/hyperx.valiant",
    "hyperx:16x16x16/hyperx.ugal",
    "rdt:256/rdt.deadlock_free",
    "prdt:256,R=4/prdt.vector",
    "rdt:256/rdt.floating",
    "rdt:256/rdt.fixed",
    "rdt:64/rdt.duato",
    "rdt:64/rdt.turn_model",
    "srt2d:128/srt.hierarchical",
    "rdn:5,k=2/rdn.recursive",
    "rdn:7,k=2/rdn.recursive",
    "dragonfly:8/dragonfly.minimal",
    "dragonfly:25/dragonfly.minimal",
    "dragonfly:25/dragonfly.booksim",
    "dragonfly:25/dragonfly.valiant",
    "dragonfly:25/dragonfly.ugal",
    "dragonfly:25/dragonfly.ugal_g",
    "dragonfly:25/dragonfly.par",
    "fattree:16,n=4/fattree.nca",
    "fattree:25,n=4/fattree.nca",
    "fly:4,n=7/fly.destination_tag",
    "fly:2,n=13/fly.destination_tag",
    "ccc:12/ccc.ecube",
    "debruijn:2,n=16/debruijn.shift",
    "kautz:2,n=15/kautz.shift",
    "star:8/star.sort",
    "torus:1024x1024/torus.dateline",
]
PROOF = """
import json, resource, sys, time
from jumpnet.analysis.prove import prove
from jumpnet.routing import bind
from jumpnet.topology import build
spec, name = sys.argv[1:3]
bound = bind(name, build(spec))
before, wall = time.process_time(), time.perf_counter()
proof = prove(bound)
said = {"cpu": time.process_time() - before, "wall": time.perf_counter() - wall, "routers": bound.network.routers}
said |= {"verdict": proof.verdict, "channels": proof.channels, "dependencies": proof.dependencies, "by": proof.by}
print(json.dumps(said | {"GiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20}))
"""


def main(words: list[str]) -> None:
    """Print one row for each case, as soon as it is there."""
    parser = argparse.ArgumentParser(prog="benchmarks proofs", description=__doc__)
    parser.add_argument("cases", nargs="*", help="SPEC/ROUTING ...; all that are listed here without")
    parser.add_argument("--longest", type=float, default=300.0, help="seconds that a proof may take")
    options = parser.parse_args(words)
    print("| network | routers | routing | verdict | CPU s | wall s | GiB | dependencies | how |")
    print("|---|---|---|---|---|---|---|---|---|")
    for case in options.cases or CASES:
        spec, name = case.rsplit("/", 1)
        command = [sys.executable, "-c", PROOF, spec, name]
        try:
            ran = subprocess.run(command, capture_output=True, text=True, timeout=options.longest)
        except subprocess.TimeoutExpired:
            print(f"| {spec} | | {name} | not in {options.longest:.0f} s | | | | | |", flush=True)
            continue
        if ran.returncode != 0:
            print(f"| {spec} | | {name} | {ran.stderr.strip().splitlines()[-1][:80]} | | | | | |", flush=True)
            continue
        row = json.loads(ran.stdout)
        print(
            f"| {spec} | {row['routers']} | {name} | {row['verdict']} | {row['cpu']:.2f} | {row['wall']:.2f} "
            f"| {row['GiB']:.2f} | {row['dependencies']} | {row['by']} |",
            flush=True,
        )
