"""Packets alone in a network: what BookSim 2 says each takes, and what jumpnet does with the same pair of nodes.

BookSim tells of watched packets when they arrive. At a very low load most are alone: those that share no cycle with
another one are compared, packet by packet. Where a routing draws a way for each packet, jumpnet sends it several times,
and the nearest of their latencies counts. Used by `examples`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

import numpy as np

from jumpnet.sim.config import SimConfig
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.sim.resolve.by_routing import bound_with
from jumpnet.study.booksim.run import Target
from jumpnet.traffic import PacketList

__all__ = ["Alone", "alone", "latencies", "worst_difference"]

FLIT = re.compile(r"Enqueuing flit \d+ \(packet (\d+)\)")
TOLD = re.compile(r"(\d+) \| \S+ \| Retiring packet (\d+) \(plat = (\d+),.*src = (\d+), dest = (\d+)\)")
GAP_CYCLES = 1009
"""Between two packets of jumpnet: longer than any takes; odd, as a router of 1.5 steps a cycle goes by the cycle."""
DRAWS = 200
"""Times that a packet is sent whose routing draws a way, or whose routers do not do the same in each cycle."""


class Alone(NamedTuple):
    """A packet that met no other one."""

    source: int
    destination: int
    cycles: int
    """Packet latency."""
    flits: int = 0
    """0 where BookSim did not say."""


def alone(text: str, quiet: int = 0) -> list[Alone]:
    """The packets in BookSim's words that were alone, in order of their numbers.

    The last one is left out: it may have met one that was not watched. quiet: cycles for which another one counts
    after its arrival, as its last credits are on their way back.

    >>> line = "{} | node5 | Retiring packet {} (plat = 20, nlat = 20, frag = 0, src = 9, dest = 5)."
    >>> alone("\\n".join(line.format(*pair) for pair in [(50, 0), (90, 1), (95, 2), (200, 3)]))
    [Alone(source=9, destination=5, cycles=20, flits=0)]
    >>> [len(alone("\\n".join(line.format(50 * k, k) for k in range(4)), quiet)) for quiet in (30, 31)]
    [3, 1]
    """
    rows = sorted((int(number), int(end), int(cycles), int(source), int(to))
                  for end, number, cycles, source, to in TOLD.findall(text))  # fmt: skip
    found, flits = [], Counter(FLIT.findall(text))
    for number, end, cycles, source, to in rows[:-1]:
        begin = end - cycles
        if all(other == number or last + quiet <= begin or last - long >= end for other, last, long, _, _ in rows):
            found.append(Alone(source, to, cycles, flits[str(number)]))
    return found


def latencies(found: Target, config: SimConfig, packets: list[Alone]) -> list[int]:
    """Packet latencies in jumpnet, one packet after the other; nodes are numbered as in BookSim."""
    node = np.arange(found.network.endpoints) if found.node is None else found.node
    source, to = (node[[getattr(p, end) for p in packets]] for end in ("source", "destination"))
    start = GAP_CYCLES * np.arange(len(packets))
    flits = np.array([p.flits or int(config.packet_flits) for p in packets])
    bound = bound_with(found.routing, found.network, config.vcs)
    alone_config = config.replace(
        events=True, more_classes=(), class_priority=0, priority="none", priority_donation=False
    )
    engine = Engine(found.network, bound, alone_config, PacketList(start, source, to, flits))
    engine.advance(GAP_CYCLES * len(packets))
    rows = engine.events()
    rows = rows[rows[:, 1] == at.EVENT_ARRIVE]
    tails = rows[rows[:, 5] == flits[rows[:, 0] // GAP_CYCLES] - 1, 0]
    return [int(tail - begin) for tail, begin in zip(np.sort(tails), start, strict=True)]


def exchange_latencies(found: Target, config: SimConfig, packets: list[Alone]) -> list[int]:
    """The same for reads and writes: a packet as long as a request is sent, one as long as a reply is asked for.

    The four lengths differ, so that they tell what a packet is.
    """
    node = np.arange(found.network.endpoints) if found.node is None else found.node
    sizes = packet_lengths(config.packet_flits)[0].tolist()
    asks = [p.flits in sizes for p in packets]
    ends = [
        (p.source, p.destination) if ask else (p.destination, p.source) for p, ask in zip(packets, asks, strict=True)
    ]
    request = [
        p.flits if ask else sizes[config.exchange_lengths.index(p.flits)] for p, ask in zip(packets, asks, strict=True)
    ]
    source, to = node[np.array(ends)].T
    gap = 2 * GAP_CYCLES + 1  # odd too
    start = gap * np.arange(len(packets))
    bound = bound_with(found.routing, found.network, config.vcs)
    trace = PacketList(start, source, to, np.array(request))
    engine = Engine(found.network, bound, config.replace(events=True), trace)
    engine.advance(gap * len(packets))
    rows = engine.events()
    rows = rows[rows[:, 1] == at.EVENT_ARRIVE]
    asked, is_reply = rows[:, 0] // gap, rows[:, 4] % 2 == 1
    tails = [[rows[(asked == n) & (is_reply == k), 0].max() for k in (False, True)] for n in range(len(packets))]
    return [int(t[0] - b if ask else t[1] - t[0]) for t, b, ask in zip(tails, start, asks, strict=True)]


def worst_difference(text: str, found: Target, config: SimConfig) -> tuple[int, int, int]:
    """Of what BookSim printed for a configuration: packets compared, the largest difference in cycles, and how often
    jumpnet sent each, the nearest counting: once, or `DRAWS` times where that differs and the routing draws ways, or
    the routers do a whole number of steps in some cycles only.
    """
    links = found.network.latency
    back = int(links.max()) if links is not None else config.link_cycles
    packets = alone(text, back + config.credit_delay_cycles)
    if not packets:
        return 0, 0, 1
    send = exchange_latencies if config.exchange_flits else latencies
    here = send(found, config, packets)
    worst = max((abs(a - p.cycles) for a, p in zip(here, packets, strict=True)), default=0)
    once = config.internal_speedup.is_integer() and bound_with(found.routing, found.network, config.vcs).draws == 1
    if worst == 0 or once:
        return len(packets), worst, 1
    sent = np.reshape(send(found, config, [p for p in packets for _ in range(DRAWS)]), (-1, DRAWS))
    theirs = np.array([[p.cycles] for p in packets])
    return len(packets), int(abs(sent - theirs).min(axis=1).max()), DRAWS
