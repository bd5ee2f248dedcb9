"""Proofs of freedom from deadlock: CPU seconds and memory of shipped routings on large networks, up to 2^20 routers.

Each proof runs in a process of its own, kernels warm; the seconds are those of `prove` alone, the memory is the whole
process. `how` says whether packets were followed or not (see docs/proofs.md). `--longest` ends what takes more CPU
seconds, loading and all, `--memory` what takes more. A case is SPEC/ROUTING, or SPEC/ROUTING@CHANNELS. `--survey` takes
every routing that is made for a family, and those for any graph, at the size nearest to 65,536 routers.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Iterator

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
    "torus:256x256/torus.bubble_adaptive",
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
NEAREST = {
    "ccc": "ccc:12",
    "clos": "clos:m=512,n=16,r=2048",
    "cmesh": "cmesh:256x256",
    "debruijn": "debruijn:2,n=16",
    "dragonfly": "dragonfly:25",
    "dualcube": "dualcube:8",
    "fattree": "fattree:25,n=4",
    "flatfly": "flatfly:16,n=4",
    "fly": "fly:2,n=13",
    "hypercube": "hypercube:16",
    "hyperx": "hyperx:16x16x16x16",
    "kautz": "kautz:2,n=15",
    "mesh": "mesh:256x256",
    "prdt": "prdt:256,R=4",
    "random": "random:65536,d=4",
    "rdn": "rdn:9,k=2",
    "rdt": "rdt:256",
    "srt1d": "srt1d:65536",
    "srt2d": "srt2d:256",
    "star": "star:8",
    "torus": "torus:256x256",
}
"""The size of each family nearest to 65,536 routers; of the Clos network a large one, whose table has a port a leaf."""
ANY_GRAPH = ("minimal", "up_down", "lash", "dfsssp", "nue")
"""Routings that keep a table of pairs for whatever network: tried on one without a structure."""
PROOF = """
import json, resource, sys, time
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.routings import bind
from jumpnet.topology import build
spec, name, vcs = sys.argv[1:4]
bound = bind(name, build(spec), int(vcs) or None)
before, wall = time.process_time(), time.perf_counter()
proof = prove(bound)
said = {"cpu": time.process_time() - before, "wall": time.perf_counter() - wall, "routers": bound.network.routers}
said |= {"verdict": proof.verdict, "channels": proof.channels, "dependencies": proof.dependencies, "by": proof.by}
said["cycle"] = len(proof.cycle or ())
print(json.dumps(said | {"GiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20}))
"""


def survey() -> Iterator[str]:
    """Every routing made for a family at its size nearest to 65,536 routers, and those for any graph at one."""
    from jumpnet.routings import routings
    from jumpnet.topology import build, families

    for family, spec in NEAREST.items():
        small = [build(sample) for sample in families()[family].samples]
        for name, routing in routings().items():
            if name not in ANY_GRAPH and any(routing.fits(net) is None for net in small):
                yield f"{spec}/{name}"
    for name in ANY_GRAPH:
        yield f"{NEAREST['random']}/{name}"


def row_of(case: str, longest: int, memory: int) -> str:
    """One row of the table; a proof that is ended, or refused, says so in place of a verdict."""

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (longest, longest + 1))
        resource.setrlimit(resource.RLIMIT_DATA, (memory << 30, memory << 30))

    spec, _, name = case.rpartition("/")
    name, _, vcs = name.partition("@")
    command = [sys.executable, "-c", PROOF, spec, name, vcs or "0"]
    ran = subprocess.run(command, capture_output=True, text=True, preexec_fn=bounded)
    name += f", {vcs} channel{'s' * (vcs != '1')}" if vcs else ""
    if ran.returncode < 0:
        return f"| {spec} | | {name} | not in {longest} CPU s | | | | | |"
    if ran.returncode > 0:
        why = ran.stderr.strip().splitlines()[-1]
        return f"| {spec} | | {name} | {f'not in {memory} GiB' if 'MemoryError' in why else why[:160]} | | | | | |"
    row = json.loads(ran.stdout)
    verdict = row["verdict"] + (f", {row['cycle']} channels" if row["cycle"] else "")
    return (
        f"| {spec} | {row['routers']} | {name} | {verdict} | {row['cpu']:.2f} | {row['wall']:.2f} "
        f"| {row['GiB']:.2f} | {row['dependencies']} | {row['by']} |"
    )


def main(words: list[str]) -> None:
    """Print one row for each case, as soon as it is there."""
    parser = argparse.ArgumentParser(prog="benchmarks proofs", description=__doc__)
    parser.add_argument("cases", nargs="*", help="SPEC/ROUTING ...; all that are listed here without")
    parser.add_argument("--survey", action="store_true", help="every routing of every family")
    parser.add_argument("--longest", type=int, default=300, help="CPU seconds that a proof may take")
    parser.add_argument("--memory", type=int, default=16, help="GiB that a proof may take")
    options = parser.parse_args(words)
    print("| network | routers | routing | verdict | CPU s | wall s | GiB | dependencies | how |")
    print("|---|---|---|---|---|---|---|---|---|")
    for case in options.cases or (survey() if options.survey else CASES):
        print(row_of(case, options.longest, options.memory), flush=True)
