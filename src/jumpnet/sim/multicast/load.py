"""Multicast under load: random messages from every router, alone or among packets to one destination, and their times.

Destination sets as in kudoh1995rhbd section 5.2 (offsets normal in x and y); creation by Bernoulli processes. The same
seed makes the same multicasts whether they are sent as one packet or as one to each destination, so that runs compare
message by message. Called by the report; `engine` runs what is made here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from jumpnet._random import below, draw63, stream_key
from jumpnet.errors import JumpnetError
from jumpnet.multicast import scheme
from jumpnet.multicast._sample import draw_offset
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.multicast.plan import Plan, bit_map_plan
from jumpnet.multicast.sample import normal_thresholds
from jumpnet.network import Network
from jumpnet.sim.config import SimConfig
from jumpnet.sim.multicast.engine import Delivered, MulticastEngine
from jumpnet.sim.multicast.messages import COMBINED, DIRECT, NO_ACK, Acknowledge, Messages, forest
from jumpnet.terms import I64
from jumpnet.traffic import process as find_process
from jumpnet.traffic._process import LAST, MEMORY_WORDS

__all__ = ["MulticastLoad", "MulticastPoint", "MulticastTraffic"]

UNICAST = -1
"""Group of a packet that belongs to no multicast."""
ACKS = {"none": NO_ACK, "direct": DIRECT, "combined": COMBINED}


@dataclass(frozen=True)
class MulticastLoad:
    """One point."""

    multicasts: float
    """Multicasts per router and 1000 cycles."""
    as_unicast: bool = False
    """Whether a multicast is sent as one packet to each destination, instead of one that branches."""
    acks: Literal["none", "direct", "combined"] = "none"
    """How its receivers answer; packets to one destination answer directly."""
    unicasts: float = 0.0
    """Packets to one random router, per router and 1000 cycles, without an answer."""
    flits: int = 13
    """Length: 3 of header, one of address, 8 of a cache line, one of parity (nishi1997router section 4.2.3)."""
    cycles: int = 2000
    """Cycles in which messages are created. Those of the middle half are measured."""


@dataclass(frozen=True)
class MulticastPoint:
    """Means over the measured messages; nan where there are none, or not all were received."""

    finished: bool
    """Whether all was received within four times the cycles; else the load is too high."""
    measured: int
    """Multicasts measured."""
    last_arrival_cycles: float
    """From the creation of a multicast until its last receiver has it."""
    last_ack_cycles: float
    """Until the source knows."""
    unicast_cycles: float
    """From the creation of a packet to one destination until it is there, multicasts left out."""
    link_flits: float
    """Flits over links for each multicast, acknowledges and other packets included."""
    receivers: float
    """Terminals that receive a multicast."""
    fallbacks: float
    """Branchings of a multicast that processors counted."""


class MulticastTraffic:
    """Destination sets and plans on one network; plans are kept for further loads.

    >>> from jumpnet.sim.config import preset
    >>> from jumpnet.topology import build
    >>> traffic = MulticastTraffic(build("prdt:8"), "full", sigma=1.0, destinations=4)
    >>> point = traffic.run(MulticastLoad(1.0, acks="combined"), preset("jump1"))
    >>> point.finished, point.receivers, point.last_ack_cycles > point.last_arrival_cycles > 24
    (True, 4.0, True)
    """

    def __init__(
        self, net: Network, scheme_name: str, *, sigma: float, destinations: int, sets: int = 2, seed: int = 1
    ) -> None:
        self.network, self.scheme, self.seed = net, scheme(scheme_name), seed
        self.rules = chip_rules(net)
        self._plans: list[Plan] = []
        self._numbers: dict[tuple[int, tuple[int, ...]], int] = {}
        if not 1 <= destinations < net.routers // 2 or not 0.1 <= sigma <= self.rules.where.side:
            raise JumpnetError(
                f"{destinations} destinations at sigma {sigma:g} found, at most half of the {net.routers} routers and "
                f"sigma 0.1 to {self.rules.where.side} expected"
            )
        ends = normal_thresholds(sigma, max(2, math.ceil(9 * sigma)))
        self.sets = [[self._draw(r, k, destinations, ends) for k in range(sets)] for r in range(net.routers)]

    def _draw(self, source: int, number: int, destinations: int, ends: I64) -> tuple[int, ...]:
        """Different routers around a source, none the source."""
        key, found, k = stream_key(self.seed, 2 * source), dict.fromkeys([source]), number << 32
        while len(found) <= destinations:
            dx, dy = (int(draw_offset(ends, draw63(key, k + axis))) for axis in (0, 1))
            found[self.rules.where.moved(source, dx, dy)] = None
            k += 2
        return tuple(found)[1:]

    def _plan(self, source: int, to: tuple[int, ...]) -> int:
        """Number of a plan, made when it is first asked for."""
        number = self._numbers.setdefault((source, to), len(self._plans))
        if number == len(self._plans):
            self._plans.append(bit_map_plan(self.rules, self.scheme, source, to))
        return number

    def _creations(self, rate: float, cycles: int, stream: int) -> list[tuple[int, int, int]]:
        """(cycle, router, running number at the router) of a Bernoulli process at each router."""
        kind, options = find_process("bernoulli")
        own = kind.own(rate / 1000, options)
        found = []
        for r in range(self.network.routers):
            key, memory, number = stream_key(self.seed, 4 * r + stream), np.zeros(MEMORY_WORDS, np.int64), 0
            memory[LAST] = -1
            while (cycle := int(kind.advance(own, memory, key))) < cycles:
                found.append((cycle, r, number))
                number += 1
        return found

    def messages(self, load: MulticastLoad) -> tuple[Messages, I64]:
        """Messages of a load, and the multicast that each belongs to, or UNICAST."""
        rows: list[tuple[int, int, int, int]] = []  # cycle, group, plan, acknowledge
        for group, (cycle, r, number) in enumerate(self._creations(load.multicasts, load.cycles, 1)):
            to = self.sets[r][number % len(self.sets[r])]
            if load.as_unicast:
                ack = NO_ACK if load.acks == "none" else DIRECT
                rows += [(cycle, group, self._plan(r, (router,)), ack) for router in to]
            else:
                rows.append((cycle, group, self._plan(r, to), ACKS[load.acks]))
        for cycle, r, number in self._creations(load.unicasts, load.cycles, 3):
            other = below(draw63(stream_key(self.seed, 4 * r + 2), number), self.network.routers - 1)
            rows.append((cycle, UNICAST, self._plan(r, (int(other + (other >= r)),)), NO_ACK))
        if not rows:
            raise JumpnetError(f"multicast: no message in {load.cycles} cycles at {load.multicasts:g} in 1000 found")
        cycle, group, plan, ack = np.array(sorted(rows, key=lambda row: row[0]), np.int64).T
        return Messages(cycle, plan, np.full(len(rows), load.flits), ack), group

    def run(self, load: MulticastLoad, config: SimConfig, ack: Acknowledge | None = None) -> MulticastPoint:
        """Simulate a load. Cost: some microseconds a flit and link, and 0.1 ms for each new plan."""
        messages, group = self.messages(load)
        replies: dict[tuple[int, int], int] = {}
        for number in np.unique(messages.plan[messages.ack == DIRECT]).tolist():
            source = int(self._plans[number].router[0])
            for receiver in self._plans[number].receivers:
                if receiver != source:
                    replies[receiver, source] = self._plan(receiver, (source,))
        trees = forest(self.network, self._plans, replies)
        vcs = self.rules.vcs
        engine = MulticastEngine(self.network, vcs, trees, messages, config, ack)
        engine.advance(4 * load.cycles)
        engine.check()
        return _measured(load, messages, group, engine.result())


def _measured(load: MulticastLoad, messages: Messages, group: I64, done: Delivered) -> MulticastPoint:
    """Means over the messages created in the middle half."""
    middle = (messages.cycle >= load.cycles // 4) & (messages.cycle < load.cycles * 3 // 4)
    cast, single = middle & (group != UNICAST), middle & (group == UNICAST)
    known, first, place = np.unique(group[cast], return_index=True, return_inverse=True)
    created = messages.cycle[cast][first]

    def until(times: I64) -> float:
        """Mean time of the last part of each multicast."""
        last = np.zeros(len(known), np.int64)
        np.maximum.at(last, place, times[cast])
        return float((last - created).mean()) if done.finished and len(known) else math.nan

    total = max(1, len(np.unique(group[group != UNICAST])))
    alone = done.last_arrival[single] - messages.cycle[single]
    return MulticastPoint(
        finished=done.finished,
        measured=len(known),
        last_arrival_cycles=until(done.last_arrival),
        last_ack_cycles=until(done.acknowledged) if load.acks != "none" else math.nan,
        unicast_cycles=float(alone.mean()) if done.finished and len(alone) else math.nan,
        link_flits=done.link_flits / total,
        receivers=float(done.receipts[cast].sum() / max(1, len(known))),
        fallbacks=done.fallbacks / total,
    )
