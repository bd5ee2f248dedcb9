"""Packets alone in a network: what BookSim 2 says each takes, and what jumpnet does with the same pair of nodes.

BookSim tells of watched packets when they arrive. At a very low load most are alone: those that share no cycle with
another one are compared, packet by packet. Used by `examples`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from jumpnet.sim.channels import bound_with
from jumpnet.sim.config import SimConfig
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.study.booksim.run import Target
from jumpnet.traffic import PacketList

__all__ = ["Alone", "alone", "latencies", "worst_difference"]

TOLD = re.compile(r"(\d+) \| \S+ \| Retiring packet (\d+) \(plat = (\d+),.*src = (\d+), dest = (\d+)\)")
GAP_CYCLES = 1000
"""Between two packets of jumpnet; longer than any takes."""


class Alone(NamedTuple):
    """A packet that met no other one."""

    source: int
    destination: int
    cycles: int
    """Packet latency."""


def alone(text: str) -> list[Alone]:
    """The packets in BookSim's words that were alone, in order of their numbers.

    The last one is left out: it may have met one that was not watched.

    >>> line = "{} | node5 | Retiring packet {} (plat = 20, nlat = 20, frag = 0, src = 9, dest = 5)."
    >>> alone("\\n".join(line.format(*pair) for pair in [(50, 0), (90, 1), (95, 2), (200, 3)]))
    [Alone(source=9, destination=5, cycles=20)]
    """
    rows = sorted((int(number), int(end), int(cycles), int(source), int(to))
                  for end, number, cycles, source, to in TOLD.findall(text))  # fmt: skip
    found = []
    for number, end, cycles, source, to in rows[:-1]:
        begin = end - cycles
        if all(other == number or last < begin or last - long > end for other, last, long, _, _ in rows):
            found.append(Alone(source, to, cycles))
    return found


def latencies(found: Target, config: SimConfig, packets: list[Alone]) -> list[int]:
    """Packet latencies in jumpnet, one packet after the other; nodes are numbered as in BookSim."""
    node = np.arange(found.network.endpoints) if found.node is None else found.node
    source, to = (node[[getattr(p, end) for p in packets]] for end in ("source", "destination"))
    start = GAP_CYCLES * np.arange(len(packets))
    flits = np.full(len(packets), int(config.packet_flits))
    bound = bound_with(found.routing, found.network, config.vcs)
    engine = Engine(found.network, bound, config.replace(events=True), PacketList(start, source, to, flits))
    engine.advance(GAP_CYCLES * len(packets))
    rows = engine.events()
    tails = rows[(rows[:, 1] == at.EVENT_ARRIVE) & (rows[:, 5] == int(config.packet_flits) - 1), 0]
    return [int(tail - begin) for tail, begin in zip(np.sort(tails), start, strict=True)]


def worst_difference(text: str, found: Target, config: SimConfig) -> tuple[int, int]:
    """Packets compared, and the largest difference in cycles, of what BookSim printed for a configuration."""
    packets = alone(text)
    here = latencies(found, config, packets)
    return len(packets), max((abs(a - p.cycles) for a, p in zip(here, packets, strict=True)), default=0)
