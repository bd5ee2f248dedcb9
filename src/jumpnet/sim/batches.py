"""Batches: every terminal sends so many packets as fast as it can, and a batch takes until the last has arrived.

The load is what comes of it: with a limit of packets under way a terminal waits for one of its own to arrive before it
sends the next. Source: BookSim 2, batch mode. Used by `study.booksim`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, Routing
from jumpnet.sim.config.sim_config import SimConfig, changed
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.sim.outside import Outside
from jumpnet.sim.result.point import Point, told
from jumpnet.terms import I64
from jumpnet.topology import as_network
from jumpnet.traffic import BoundPattern
from jumpnet.traffic import bind as bind_traffic


@dataclass(frozen=True, eq=False)
class Batches(Point):
    """The cycles that each batch took, as figures."""

    packets: int
    """That each terminal sends in a batch."""
    outstanding: int
    """Packets of a terminal that may be under way; 0 means any number."""

    def row(self) -> dict[str, Any]:
        """Everything as one flat object."""
        asked = {"batch_packets": self.packets, "outstanding": self.outstanding}
        return {"spec": self.spec, "routing": self.routing, **asked, **told(self.config, self.figures)}


class _Batch:
    """One batch under way: packet k of source i goes to terminal to[i, k], unless that is negative."""

    def __init__(self, network: Outside, first: int, start: int, to: I64, flits: I64) -> None:
        """first: number of its first packet; start: the cycle from which on it is sent."""
        self.network, self.first, self.count = network, first, (to >= 0).sum(axis=1)
        order = np.argsort(to < 0, axis=1, kind="stable")  # those that are sent, then the others
        self.to, self.flits = np.take_along_axis(to, order, 1), np.take_along_axis(flits, order, 1)
        self.posted = np.zeros(len(to), np.int64)
        self.start, self.last = start, start - 1

    def post(self, source: I64, created: I64) -> None:
        """The next packet of each source named, at its cycle; sources and, of each, cycles in order."""
        nth = np.arange(len(source)) - np.searchsorted(source, source)
        k = self.posted[source] + nth
        left = k < self.count[source]
        source, created, k = source[left], created[left], k[left]
        number = self.first + source * self.to.shape[1] + k
        self.network.post(number, source, self.to[source, k], created, self.flits[source, k])
        np.add.at(self.posted, source, 1)

    def run(self, outstanding: int) -> int:
        """Send it all; returns the cycle in which its last flit arrives.

        Steps are so short that nothing that happens in one arrives in it: an arrival is known before what follows.
        """
        network, packets = self.network, self.to.shape[1]
        at_once = min(packets, outstanding or packets)
        self.post(np.repeat(np.arange(len(self.to)), at_once), np.full(len(self.to) * at_once, self.start))
        source, cycle = np.zeros(0, np.int64), np.zeros(0, np.int64)
        sinks = len(self.to) * network.config.ejection_ports
        while network.packets or len(cycle):
            waits = bool((self.posted < self.count).any())
            step = network.least_cycles if waits else max(network.least_cycles, network.packets // sinks)
            network.advance(network.cycle + step)
            number, _, arrived = network.take()
            self.last = max(self.last, int(arrived.max(initial=-1)))
            source = np.concatenate([source, (number - self.first) // packets])
            cycle = np.concatenate([cycle, arrived])
            known = cycle < network.cycle + network.least_cycles
            if waits:
                order = np.lexsort((cycle[known], source[known]))
                self.post(source[known][order], cycle[known][order] + 1)
            source, cycle = source[~known], cycle[~known]
        return self.last


def _packets(pattern: BoundPattern, config: SimConfig, count: int, batch: int) -> tuple[I64, I64]:
    """(T, count) terminals to which the packets of a batch go, and their lengths; drawn by seed and batch."""
    draw = np.random.default_rng([config.seed, batch])
    terminals = pattern.network.endpoints
    drawn = draw.integers(pattern.draws, size=(terminals, count))
    to = [[pattern(i, d) for d in row] for i, row in enumerate(drawn.tolist())]
    lengths, weights = packet_lengths(config.packet_flits)
    return np.array(to, np.int64), draw.choice(lengths, (terminals, count), p=weights)


def send_batches(
    network: str | Network,
    routing: str | Routing | BoundRouting | None = None,
    config: SimConfig | None = None,
    *,
    packets: int = 1000,
    count: int = 1,
    outstanding: int = 0,
    **settings: Any,
) -> Batches:
    """The cycles that each of `count` batches takes, in which every terminal sends so many packets.

    A batch begins in the cycle after the last flit of the one before has arrived. outstanding: packets of a terminal
    that may be under way, 0 means any number. Load and injection process mean nothing here; the other settings are
    those of `simulate`. Raises JumpnetError as `simulate` does, and when the network comes to a deadlock.

    >>> alone = send_batches("torus:4x4", "torus.dateline", packets=1, traffic="tornado", packet_flits="4", vcs=2)
    >>> alone.batch_cycles
    [21]
    """
    for name, value, least in (("packets", packets, 1), ("count", count, 1), ("outstanding", outstanding, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise JumpnetError(f"{name} {value!r} found, a whole number from {least} on expected")
    net = as_network(network)
    chosen = changed(config, "booksim", settings)
    if chosen.priority == "sequence":  # packets of all sources are numbered together
        raise JumpnetError("priority sequence found, another one expected in batches")
    outside = Outside(net, routing, chosen)
    chosen = chosen.replace(traffic=outside.engine.config.traffic)  # `worst` is that of the run's routing
    pattern, start, cycles, flits = bind_traffic(chosen.traffic, net), 0, [], 0
    for batch in range(count):
        to, lengths = _packets(pattern, chosen, packets, batch)
        if (to >= net.endpoints).any():
            raise JumpnetError(f"traffic {chosen.traffic} gives a destination that is not there")
        end = _Batch(outside, batch * to.size, start, to, lengths).run(outstanding) + 1
        cycles.append(end - start)
        flits += int(lengths[to >= 0].sum())
        start = end
    figures = {
        "batch_cycles": cycles,
        "batch_min_cycles": min(cycles),
        "batch_mean_cycles": sum(cycles) / count,
        "batch_max_cycles": max(cycles),
        "accepted_load": flits / (net.endpoints * sum(cycles)) if sum(cycles) else 0.0,
    }
    bound = outside.engine.routing
    return Batches(net.spec, bound.name, chosen.replace(vcs=bound.vcs), figures, packets, outstanding)
