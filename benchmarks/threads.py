"""Threads: how much sooner the same work ends with two of them, by the clock, for simulations, proofs and searches.

One thread and `--threads` in turns, kernels warm; the least of `--rounds` of each. Simulations are warm, cycles alone;
a proof and a search begin anew each time. That says something only where so many processors have nothing else to do.
The last column says something on a busy machine too: CPU seconds with one thread over those along the longest path of
several, which is the most that can be gained.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from benchmarks._longest_path import longest_path
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.coherence.protocol import protocol
from jumpnet.coherence.search.model import Model
from jumpnet.coherence.search.states import States
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.routings import bind, default_routing
from jumpnet.sim.config import preset
from jumpnet.sim.engine import Engine
from jumpnet.topology import build

Work = Callable[[int], float]
"""Seconds by the clock with so many threads."""

SIMULATIONS = (
    ("torus:64x64", 0.02, "1", 2),
    ("torus:64x64", 0.02, "16", 2),
    ("torus:64x64", 0.02, "1", 8),
    ("mesh:64x64", 0.02, "5", 2),
    ("torus:16x16x16", 0.14, "16", 2),
    ("rdt:64", 0.02, "16", 3),
    ("rdt:64", 0.05, "1", 3),
    ("rdt:64", 0.05, "16", 3),
    ("rdt:64", 0.1, "16", 3),
    ("rdt:128", 0.02, "16", 3),
    ("rdt:128", 0.05, "1", 3),
    ("rdt:128", 0.05, "16", 3),
    ("rdt:256", 0.05, "16", 3),
)
"""Network, flits a terminal and cycle, flits a packet, virtual channels."""
WARM_UP, FLITS = 1000, 4_000_000
"""Cycles before the first round; flits that enter in a round, a sixteenth of them where packets have one flit."""
PROOFS = ("random:4096,d=4/up_down", "rdt:256/rdt.deadlock_free", "rdt:256/rdt.fixed", "rdt:256/rdt.duato")
WAYS = (
    "complete:4096/minimal",
    "random:65536,d=4/minimal",
    "torus:256x256/up_down",
    "random:16384,d=4/up_down",
    "hypercube:14/hypercube.duato",
    "torus:256x256/torus.duato",
    "star:8/star.sort",
    "rdt:128/rdt.duato",
    "torus:4x16384/torus.duato",
    "torus:4x4x4x4x4x4/torus.duato",
    "kautz:15,n=4/kautz.shift",
    "srt1d:16384/srt.hierarchical",
    "torus:16x16/torus.duato",
)
"""One proof for each way of the tables in `analysis.deadlock.dependency`, in their order, and one of all packets."""
SEARCHES = (("dragon", 6), ("dragon", 7))
"""Protocol, caches."""
FULL = {"simulations": SIMULATIONS, "proofs": PROOFS, "ways": WAYS, "searches": SEARCHES}
SMALL = {
    "simulations": (("torus:4x4", 0.1, "16", 2),),
    "proofs": ("torus:4x4/torus.dateline",),
    "ways": ("mesh:3x3/mesh.duato",),
    "searches": (("msi", 2),),
}


@dataclass(frozen=True)
class Row:
    """What was timed, and seconds by the clock: the least of all rounds with one thread, and with several."""

    name: str
    one: float
    several: float
    most: float | None
    """How much sooner they may end at most, by the CPU seconds along the longest path of threads; None where these are
    not started by `process.threads.share`."""

    @property
    def gain(self) -> float:
        """How much sooner several threads end."""
        return self.one / self.several


def _simulation(spec: str, load: float, flits: str, vcs: int, most: int) -> Work:
    net = build(spec)
    config = preset("booksim", load=load, packet_flits=flits, vcs=vcs)
    engines = {threads: Engine(net, default_routing(net), config, threads=threads) for threads in (1, most)}
    for engine in engines.values():
        engine.advance(WARM_UP)
    cycles = max(100, FLITS * int(flits) // int(16 * load * net.endpoints))

    def work(threads: int) -> float:
        before = time.perf_counter()
        engines[threads].advance(cycles)
        return time.perf_counter() - before

    return work


def _timed(begin: Callable[[int], object]) -> Work:
    def work(threads: int) -> float:
        before = time.perf_counter()
        begin(threads)
        return time.perf_counter() - before

    return work


def _search(name: str, caches: int) -> Work:
    return _timed(lambda threads: States(Model(protocol(name), caches, False, False), caches, threads).run())


def _proofs(cases: tuple) -> Iterator[tuple[str, Work]]:
    """Each proof with the way by which it is made (`Proof.by`)."""
    for case in cases:
        spec, _, name = case.rpartition("/")
        bound = bind(name, build(spec))
        yield f"{case}, {prove(bound, 1).by}", _timed(lambda threads, bound=bound: prove(bound, threads))  # type: ignore[misc]


def _works(kind: str, most: int, cases: tuple) -> Iterator[tuple[str, Work]]:
    if kind == "simulations":
        for spec, load, flits, vcs in cases:
            yield f"{spec}, load {load}, {flits} flits, {vcs} channels", _simulation(spec, load, flits, vcs, most)
    elif kind in ("proofs", "ways"):
        yield from _proofs(cases)
    else:
        for name, caches in cases:
            yield f"{name}, {caches} caches", _search(name, caches)


def rows(kinds: list[str], most: int, rounds: int, sizes: dict[str, tuple]) -> Iterator[Row]:
    """A row for each work, as soon as it is timed."""
    works = ((kind, *made) for kind in sizes if kind in kinds for made in _works(kind, most, sizes[kind]))
    for kind, name, work in works:
        work(1), work(most)
        taken = [(longest_path(partial(work, 1)), longest_path(partial(work, most))) for _ in range(rounds)]
        (one, path), (several, paths) = (map(min, zip(*runs, strict=True)) for runs in zip(*taken, strict=True))
        yield Row(name, one, several, path / paths if kind != "simulations" else None)


def main(words: list[str]) -> None:
    """Parse the options, measure, print a line for each work."""
    parser = argparse.ArgumentParser(prog="benchmarks threads", description=__doc__)
    parser.add_argument("kinds", nargs="*", default=list(FULL), metavar="KIND", help=", ".join(FULL))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--small", action="store_true", help="small networks, which says nothing of speed")
    chosen = parser.parse_args(words)
    for kind in chosen.kinds:
        if kind not in FULL:
            raise unknown_name("kind of work", kind, FULL)
    if chosen.rounds < 1 or chosen.threads < 2:
        raise JumpnetError("rounds below 1 or threads below 2 found, more expected")
    print(f"{'work':48}{'1 thread, s':>13}{f'{chosen.threads} threads, s':>14}{'gain':>7}{'at most':>9}")
    for row in rows(chosen.kinds, chosen.threads, chosen.rounds, SMALL if chosen.small else FULL):
        most = "" if row.most is None else f"{row.most:.2f}"
        print(f"{row.name:48}{row.one:13.4f}{row.several:14.4f}{row.gain:7.2f}{most:>9}", flush=True)
