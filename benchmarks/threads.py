"""Threads: how much sooner the same work ends with two of them, by the clock, for simulations, proofs and searches.

One thread and `--threads` in turns, kernels warm; the least of `--rounds` of each. Simulations are warm, cycles alone;
a proof and a search begin anew each time. It says something only where so many processors have nothing else to do.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

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
SEARCHES = (("dragon", 6), ("dragon", 7))
"""Protocol, caches."""
FULL = {"simulations": SIMULATIONS, "proofs": PROOFS, "searches": SEARCHES}
SMALL = {
    "simulations": (("torus:4x4", 0.1, "16", 2),),
    "proofs": ("torus:4x4/torus.dateline",),
    "searches": (("msi", 2),),
}


@dataclass(frozen=True)
class Row:
    """What was timed, and seconds by the clock: the least of all rounds with one thread, and with several."""

    name: str
    one: float
    several: float

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


def _works(kinds: list[str], most: int, sizes: dict[str, tuple]) -> Iterator[tuple[str, Work]]:
    if "simulations" in kinds:
        for spec, load, flits, vcs in sizes["simulations"]:
            yield f"{spec}, load {load}, {flits} flits, {vcs} channels", _simulation(spec, load, flits, vcs, most)
    if "proofs" in kinds:
        for case in sizes["proofs"]:
            spec, _, name = case.rpartition("/")
            bound = bind(name, build(spec))
            yield case, _timed(lambda threads, bound=bound: prove(bound, threads))  # type: ignore[misc]
    if "searches" in kinds:
        for name, caches in sizes["searches"]:
            yield f"{name}, {caches} caches", _search(name, caches)


def rows(kinds: list[str], most: int, rounds: int, sizes: dict[str, tuple]) -> Iterator[Row]:
    """A row for each work, as soon as it is timed."""
    for name, work in _works(kinds, most, sizes):
        work(1), work(most)
        taken = [(work(1), work(most)) for _ in range(rounds)]
        yield Row(name, min(one for one, _ in taken), min(several for _, several in taken))


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
    print(f"{'work':48}{'1 thread, s':>13}{f'{chosen.threads} threads, s':>14}{'gain':>7}")
    for row in rows(chosen.kinds, chosen.threads, chosen.rounds, SMALL if chosen.small else FULL):
        print(f"{row.name:48}{row.one:13.4f}{row.several:14.4f}{row.gain:7.2f}", flush=True)
