"""An offered load on a network of chips: random messages or multicasts on the compiled model, and what came of it.

No paper prints such figures for the chip. Every router creates a packet in a clock with the same probability; it goes
to routers drawn from the territory of a rank around its source. Called by `jumpnet chip load` and the report.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from jumpnet.chip.compiled.network import FastNetwork, Sending
from jumpnet.chip.configuration import Wiring, wire
from jumpnet.chip.messages import multicast_packet
from jumpnet.chip.packet import LONGEST, MODES, total_flits
from jumpnet.chip.remake import DirectoryMap, directory, remake_packet
from jumpnet.chip.settings import Settings
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.memory import require
from jumpnet.settings.typed import fits_word

__all__ = ["Drawn", "Load", "Loaded", "drawn", "run_load"]

KEYS = 1 << 16
"""Compressed addresses; those of live multicasts differ as long as a run has no more of them."""
PATH = "LARP:path"
"""The other reading of LARP, which takes chips wired for it (`wire`)."""
DRAIN = 50_000
"""Most clocks that a run goes on after the last packet has been created."""
STEP = 200
"""Clocks between two looks whether a run is through."""


@dataclass(frozen=True)
class Load:
    """What every router offers."""

    rate: float = 0.002
    """Packets that a router creates in a clock, 0 to 1."""
    clocks: int = 2000
    """Clocks in which packets are created."""
    scheme: str = "SM"
    destinations: int = 1
    """Destinations of a packet; 1 is a message."""
    rank: int | None = None
    """Rank whose territory the destinations are drawn from; the highest that four maps can name if None."""
    body: int = 8
    """Body flits."""
    acknowledged: bool = True
    seed: int = 1

    def check(self) -> None:
        """Raise JumpnetError for values out of range."""
        if self.scheme not in (*MODES, PATH):
            raise unknown_name("scheme of the chip", self.scheme, (*MODES, PATH))
        if not 0 < self.rate <= 1:
            raise JumpnetError(f"load of {self.rate} packets a router and clock found, above 0 to 1 expected")
        for name in ("clocks", "destinations"):
            if getattr(self, name) < 1:
                raise JumpnetError(f"{name} {getattr(self, name)} found, at least 1 expected")
        if self.seed < 0 or not fits_word(self.seed):
            raise JumpnetError(f"seed {self.seed} found, 0 to {(1 << 63) - 1} expected")
        most = LONGEST - total_flits(0, int(self.acknowledged))
        if not 0 <= self.body <= most:
            raise JumpnetError(f"body of {self.body} flits found, 0 to {most} expected in {LONGEST} flits")
        if self.scheme == "REMAKE" and not self.acknowledged:
            raise JumpnetError("REMAKE without acknowledges found, a compressed address expected: it names the maps")


@dataclass(frozen=True)
class Loaded:
    """What came of a load."""

    packets: int
    """Packets created."""
    wanted: int
    """Destinations of them all."""
    received: int
    """Copies that MBPs took as receivers."""
    reached: int
    """Destinations among them."""
    restarts: int
    """Multicasts that MBPs started again, under REMAKE."""
    answered: int
    """Packets whose source has been told that all have answered."""
    end_clock: int
    """Clock of the last thing that reached an MBP."""
    latency: float
    """Mean clocks from a packet's creation to its last destination."""
    answer: float
    """Mean clocks from a packet's creation to its acknowledge; 0 without acknowledges."""
    flit_moves: int
    """Flits put on lines."""


class Drawn(NamedTuple):
    """The packets of a load, which any chips may be given."""

    packets: list[Sending]
    maps: list[DirectoryMap]
    """For REMAKE."""
    known: dict[int, tuple[int, frozenset[int]]]
    """(clock of creation, destinations) by compressed address or body."""


def drawn(wiring: Wiring, load: Load) -> Drawn:
    """Draw the packets of a load. Raises JumpnetError for a load that the network cannot take."""
    load.check()
    require(9 * load.clocks * wiring.chips, f"{load.clocks} clocks of {wiring.chips} routers")
    where, rng = wiring.where, random.Random(load.seed)
    rank = min(where.top, 3) if load.rank is None else load.rank
    numbers = np.random.default_rng(load.seed).random((load.clocks, wiring.chips)) < load.rate
    made: list[Sending] = []
    maps: list[DirectoryMap] = []
    known: dict[int, tuple[int, frozenset[int]]] = {}
    pools = [where.members(router, rank).tolist() for router in range(wiring.chips)]
    for clock, router in zip(*(place.tolist() for place in numbers.nonzero()), strict=True):
        number = len(made)
        if number == KEYS:
            raise JumpnetError(f"more than {KEYS} packets found, one compressed address of 16 bits each expected")
        pool = pools[router]
        if len(pool) < load.destinations:
            raise JumpnetError(f"{load.destinations} destinations found, at most {len(pool)} expected at rank {rank}")
        to = rng.sample(pool, load.destinations)
        key = number if load.acknowledged else None
        body = (number, *(rng.randrange(1 << 18) for _ in range(load.body - 1)))[: load.body]
        if load.scheme == "REMAKE":
            packet = remake_packet(where, router, to, key=number, body=body)
            maps += directory(where, router, to, number)
        else:
            packet = multicast_packet(where, load.scheme, router, to, key=key, body=body)
        made.append(Sending(router, clock, packet.flits()))
        known[number] = clock, frozenset(to)
    return Drawn(made, maps, known)


def run_load(spec: str | Wiring, load: Load, settings: Settings | None = None, given: Drawn | None = None) -> Loaded:
    """Offer a load and run until nothing is left. Raises JumpnetError when something is left after 50,000 clocks more.

    given: its packets, where they have been drawn already. Cost: about 20,000 clocks a second for 256 chips, compiled
    once in 20 s.

    >>> found = run_load("rdt:4", Load(rate=0.01, clocks=200))
    >>> found.reached == found.received == found.wanted == found.answered > 20
    True
    """
    wiring = wire(spec, load.scheme) if isinstance(spec, str) else spec
    packets, maps, known = given or drawn(wiring, load)
    if load.body == 0 and not load.acknowledged:
        raise JumpnetError(
            "packets of no body flits and without acknowledges found, either expected to distinguish them"
        )
    net = FastNetwork(wiring, packets, settings, maps=maps)
    net.run(load.clocks)
    while not (net.idle and net.unanswered == 0):
        if net.clock > load.clocks + DRAIN:
            raise JumpnetError(f"{DRAIN} clocks after the last packet found, an empty network expected before")
        net.run(STEP)
        if net.errors():
            router, text = net.errors()[0]
            limit = net.settings.watchdog_clocks
            raise JumpnetError(
                f"{text} at router {router} found: a lower load or a watchdog_clocks above {limit} expected"
            )
    last, wanted = dict.fromkeys(known, 0), {number: to for number, (_, to) in known.items()}
    received = reached = end = 0
    for clock, router, word in net.delivered(3):  # in order of time
        number = word >> 2 & 0xFFFF if load.acknowledged else word
        received, end = received + 1, clock
        if router in wanted[number]:
            reached, last[number] = reached + 1, clock
    done = [(d.clock, d.key) for d in net.completed()]
    return Loaded(
        packets=len(packets),
        wanted=sum(len(to) for _, to in known.values()),
        received=received,
        reached=reached,
        restarts=len(net.started()),
        answered=len(done),
        end_clock=max([end, *(clock for clock, _ in done)]),
        latency=float(np.mean([last[n] - clock for n, (clock, _) in known.items()])) if known else 0.0,
        answer=float(np.mean([clock - known[key][0] for clock, key in done])) if done else 0.0,
        flit_moves=net.flit_moves,
    )
