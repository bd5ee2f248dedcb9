"""Random messages as sources create them: packets to one destination, multicasts, or multicasts sent one by one.

Packets to one destination come at the cycles, to the destinations and in the lengths of the simulator for single
destinations (same counters, same bits); a draw of its own says which of them is a multicast instead, so that runs that
differ in how multicasts are sent or answered have the same ones.
"""

from __future__ import annotations

import heapq
import math
from bisect import bisect_right

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.random import plain_below, plain_draw63, plain_stream_key
from jumpnet.multicast.sample import normal_thresholds
from jumpnet.multicast.territory import territories
from jumpnet.networks import Network
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.sim.engine.engine import process_of
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.messages import COMBINED, DIRECT, NO_ACK, UNICAST, Messages
from jumpnet.sim.multicast.trees import Trees
from jumpnet.traffic import bind as bind_traffic
from jumpnet.traffic.injection_process import LAST, MEMORY_WORDS

ACKS = {"none": NO_ACK, "direct": DIRECT, "combined": COMBINED}
OWN_STREAMS = 1 << 40
"""Streams from here on are those of multicasts: 2 i which packets of terminal i, 2 i + 1 to whom."""


class Creation:
    """The sources of a run; `until` gives what they create, in order of time."""

    def __init__(self, net: Network, config: SimConfig, cast: MulticastConfig, trees: Trees) -> None:
        self.network, self.config, self.cast, self.trees = net, config, cast, trees
        self.pattern = bind_traffic(config.traffic, net)
        process, own = process_of(config)
        self.process = process.plain(own)
        lengths, weights = packet_lengths(config.packet_flits)
        self.lengths: list[int] = lengths.tolist()
        self.up_to: list[float] = np.cumsum(weights).tolist()
        count = net.endpoints
        self.memory = np.zeros((count, MEMORY_WORDS), np.int64)
        self.memory[:, LAST] = -1
        self.keys, self.own_keys = (
            [[plain_stream_key(config.seed, first + 2 * i + k) for k in (0, 1)] for i in range(count)]
            for first in (0, OWN_STREAMS)
        )
        self.numbers, self.casts, self.groups = [0] * count, [0] * count, 0
        self.next = [(self._advance(i), i) for i in range(count)]
        heapq.heapify(self.next)
        self.is_cast = int(cast.multicast_share * 2.0**63)
        self._sets: dict[tuple[int, int], tuple[int, ...]] = {}
        self._check_sets()
        self._check_buffers()

    def _advance(self, i: int) -> int:
        return int(self.process(self.memory[i], self.keys[i][0]))

    def _check_sets(self) -> None:
        """Destinations must be there, and when they are drawn near the source, coordinates to draw them by."""
        c, count = self.cast, self.network.endpoints
        if c.sigma == 0.0:
            if c.destinations >= count:
                raise JumpnetError(f"{c.destinations} destinations found, fewer than the {count} terminals expected")
            return
        self.where = territories(self.network)
        if c.destinations >= count // 2 or not 0.1 <= c.sigma <= self.where.side:
            raise JumpnetError(
                f"{c.destinations} destinations at sigma {c.sigma:g} found, at most half of the {count} terminals and "
                f"sigma 0.1 to {self.where.side} expected"
            )
        self.thresholds: list[int] = normal_thresholds(c.sigma, max(2, math.ceil(9 * c.sigma))).tolist()

    def _check_buffers(self) -> None:
        """A multicast that branches and waits for empty buffers must fit one whole, as in the chip."""
        longest, room = max(self.lengths), self.config.buffer_flits
        branching = self.cast.multicast_share > 0.0 and not self.cast.repeated
        if branching and self.config.vc_reuse == "empty" and longest > room:
            raise JumpnetError(
                f"packet_flits {self.config.packet_flits} found, at most {room} (buffer_flits) expected: with vc_reuse "
                "empty, as in preset jump1, longer multicasts can deadlock"
            )

    def destinations(self, i: int, number: int) -> tuple[int, ...]:
        """Different terminals, none the source: uniform, or at normal offsets (kudoh1995rhbd section 5.2)."""
        known = self._sets.get((i, number))
        if known is not None:
            return known
        key, found, k = self.own_keys[i][1], dict.fromkeys([i]), number << 32
        while len(found) <= self.cast.destinations:
            if self.cast.sigma == 0.0:
                found[plain_below(plain_draw63(key, k), self.network.endpoints)] = None
                k += 1
            else:
                found[self.where.moved(i, self._offset(key, k), self._offset(key, k + 1))] = None
                k += 2
        return self._sets.setdefault((i, number), tuple(found)[1:])

    def _offset(self, key: int, number: int) -> int:
        """The offset along an axis that a draw stands for: that whose interval holds it."""
        last = len(self.thresholds) - 1
        return bisect_right(self.thresholds, plain_draw63(key, number), hi=last) - (last + 1) // 2

    def _length(self, i: int, number: int) -> int:
        if len(self.lengths) == 1:
            return self.lengths[0]
        share = plain_draw63(self.keys[i][1], 4 * number + 1) / 2.0**63
        return self.lengths[min(bisect_right(self.up_to, share), len(self.lengths) - 1)]

    def _create(self, cycle: int, i: int) -> list[tuple[int, ...]]:
        """Rows of terminal i's next packet, if it sends one, in the order that `until` takes them in."""
        number, c = self.numbers[i], self.cast
        self.numbers[i] = number + 1
        flits = self._length(i, number)
        if plain_draw63(self.own_keys[i][0], number) < self.is_cast:
            to = self.destinations(i, self.casts[i] % c.destination_sets)
            self.casts[i] += 1
            self.groups += 1
            parts = [(d,) for d in to] if c.repeated else [to]
            ack = min(ACKS[c.acknowledge], DIRECT) if c.repeated else ACKS[c.acknowledge]
            plans = [self.trees.number(i, part, ack == DIRECT, c.repeated) for part in parts]
            return [(cycle, i, self.groups - 1, plan, flits, ack, -1, number) for plan in plans]
        to_one = int(self.pattern(i, plain_below(plain_draw63(self.keys[i][1], 4 * number), self.pattern.draws)))
        if to_one < 0:
            return []
        plan = -1 if self.trees.routing is not None else self.trees.number(i, [to_one], alone=True)
        return [(cycle, i, UNICAST, plan, flits, NO_ACK, to_one, number)]

    def until(self, cycle: int) -> Messages | None:
        """What is created before a cycle and has not been given yet, in order of cycle; None when nothing is."""
        rows = []
        while self.next[0][0] < cycle:  # in order of cycle, so that groups number multicasts in order of time
            when, i = self.next[0]
            rows += self._create(when, i)
            heapq.heapreplace(self.next, (self._advance(i), i))
        if not rows:
            return None
        at, source, group, plan, flits, ack, to, number = np.array(rows, np.int64).T
        return Messages(at, plan, flits, ack, source, to, number, group)
