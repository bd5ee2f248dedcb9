"""A netrace trace whose packets wait for each other, on a simulated network: the network in the loop, as in a program.

A packet is sent at its recorded cycle, or when the last packet that it waits for has arrived, whichever is later: the
rule of netrace's library, here with an optional gap for what a node does in between. A packet inside a node takes no
time, but others wait for it. So a slow network slows the program down, which a replay at the recorded cycles hides.
Naive twin: tests/naive/dependences.py. Called by `cli`.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from jumpnet.api.public import public
from jumpnet.arrays.checks import MOST, whole_numbers
from jumpnet.errors import JumpnetError
from jumpnet.machine.trace.netrace import BYTES, Netrace
from jumpnet.memory import require
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, Routing
from jumpnet.sim.config.sim_config import SimConfig, preset
from jumpnet.sim.outside import Outside
from jumpnet.sim.terminals.posting import END_CYCLE
from jumpnet.terms import I64, Array
from jumpnet.topology import as_network

__all__ = [
    "MOST_CYCLE",
    "MOST_FLITS",
    "PACKET_BYTES",
    "Dependent",
    "Replayed",
    "dependent_packets",
    "places_of",
    "replay",
]

PACKET_BYTES = 200
"""Memory of a packet and what waits for it, about: netrace's have one or two dependants on average."""
RING_SHOWN = 12
"""So many packets of a ring are named."""
MOST_CYCLE, MOST_FLITS = 2**39, 1_000_000
"""The latest cycle and the longest packet of a trace."""
BATCH_CYCLES = 1_000_000
"""Nothing is averaged over batches here."""
MOST_AHEAD = 256
"""Cycles of a gap that the network is simulated at a time: it may be empty long before the end of one."""


@public
@dataclass(frozen=True)
class Dependent:
    """All packets of a trace by their place in it. Arrays (K,) int64 unless they say otherwise."""

    cycle: I64
    """Recorded cycle."""
    source: I64
    destination: I64
    flits: I64
    first: I64
    """(K + 1,): those that wait for packet k are waiting[first[k] : first[k + 1]]."""
    waiting: I64
    """(D,) places of the packets that wait."""
    unknown: int
    """Dependences on which a packet waits that is not in the trace; nothing waits then."""
    number: I64 | None = None
    """What the trace calls the packets, for messages; their places where left out."""

    def __post_init__(self) -> None:
        own, packets = self.__dict__, np.size(self.cycle)
        highest = (MOST_CYCLE, MOST, MOST, MOST_FLITS, packets - 1, np.size(self.waiting), 2**63 - 1)
        shapes = (*[(packets,)] * 4, (np.size(self.waiting),), (packets + 1,), (packets,))
        names = ("cycle", "source", "destination", "flits", "waiting", "first", "number")
        for name, high, shape in zip(names, highest, shapes, strict=True):
            if own[name] is not None or name != "number":
                found = whole_numbers(f"packets: {name}", own[name], int(name == "flits"), high, np.int64)
                if found.shape != shape:
                    raise JumpnetError(f"packets: {name} of shape {found.shape} found, {shape} expected")
                own[name] = found
        if self.first[0] != 0 or self.first[-1] != len(self.waiting) or (np.diff(self.first) < 0).any():
            raise JumpnetError(f"packets: first does not rise from 0 to the {len(self.waiting)} that wait")


@dataclass(frozen=True)
class Replayed:
    """Packets as they were sent and arrived. Arrays (K,) int64, in the order of the trace."""

    recorded: I64
    """Recorded cycles."""
    sent: I64
    """Cycle at which each packet was handed to its terminal, or taken inside its node."""
    arrived: I64
    """Cycle at which its last flit arrived; that of `sent` inside a node."""
    away: I64
    """Places of the packets that left their node."""

    @property
    def cycles(self) -> int:
        """From the recorded cycle of the first packet to the last arrival."""
        return int(self.arrived.max() - self.recorded.min()) if len(self.sent) else 0

    @property
    def latency_mean(self) -> float:
        """Cycles from the sending of a packet to its arrival, over packets that left their node."""
        taken = (self.arrived - self.sent)[self.away]
        return float(taken.mean()) if len(taken) else 0.0

    @property
    def delay_mean(self) -> float:
        """Cycles by which packets were sent later than recorded, over all packets."""
        return float((self.sent - self.recorded).mean()) if len(self.sent) else 0.0


def dependent_packets(trace: Netrace, flit_bytes: int = 8) -> Dependent:
    """The packets of a file with what waits for them, in memory.

    flit_bytes: bytes that a flit carries. Raises JumpnetError for a damaged file, a number that two packets have, and
    packets that do not fit in memory.
    """
    if flit_bytes < 1:
        raise JumpnetError(f"{flit_bytes} bytes a flit found, 1 or more expected")
    require(PACKET_BYTES * trace.packets, f"{trace.packets} packets with their dependences")
    blocks = list(trace.blocks())
    empty = np.zeros(0, np.int64)
    cycle, number, kind, source, destination, wanted, count = (
        np.concatenate([empty, *parts])
        for parts in (
            [b.cycle for b in blocks], [b.number for b in blocks], [b.kind for b in blocks],
            [b.source for b in blocks], [b.destination for b in blocks], [b.waiting for b in blocks],
            [np.diff(b.first) for b in blocks],
        )
    )  # fmt: skip
    at, known = places_of(trace.path.name, number, wanted)
    owner = np.repeat(np.arange(len(number)), count)[known]
    first = np.searchsorted(owner, np.arange(len(number) + 1))
    flits = -(-BYTES[kind] // flit_bytes)
    return Dependent(cycle, source, destination, flits, first, at[known], int((~known).sum()), number)


def places_of(name: str, number: I64, wanted: I64) -> tuple[I64, Array]:
    """The place in `number` of each of the wanted numbers, and whether it is there at all.

    Raises JumpnetError where two packets of the file `name` have one number.
    """
    order = np.argsort(number, kind="stable")
    ascending = number[order]
    twice = np.flatnonzero(ascending[1:] == ascending[:-1])
    if len(twice):
        raise JumpnetError(f"{name}: two packets with number {ascending[twice[0]]} found, one expected")
    if not len(order):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), np.bool_)
    at = np.minimum(np.searchsorted(ascending, wanted), len(order) - 1)
    return order[at], ascending[at] == wanted


class _Ready:
    """Packets whose dependences are met, by the cycle at which they are to be sent."""

    def __init__(self, packets: Dependent, gap: int, honoured: bool):
        self.packets, self.gap = packets, gap
        self.sent = packets.cycle.copy()
        self.left = np.bincount(packets.waiting, minlength=len(self.sent)) * honoured
        self.honoured, self.inside = honoured, packets.source == packets.destination
        start = np.flatnonzero(self.left == 0)
        self.heap = list(zip(self.sent[start].tolist(), start.tolist(), strict=True))
        heapify(self.heap)

    def arrive(self, place: int, cycle: int) -> None:
        """A packet has arrived: those for which it was the last may go."""
        p = self.packets
        if self.honoured:
            for other in p.waiting[p.first[place] : p.first[place + 1]].tolist():
                self.left[other] -= 1
                self.sent[other] = max(self.sent[other], cycle + self.gap)
                if self.left[other] == 0:
                    heappush(self.heap, (int(self.sent[other]), other))

    def due(self, horizon: int, arrived: I64) -> I64:
        """Packets to be sent before a cycle, by cycle and place; those inside a node arrive at once."""
        found: list[int] = []
        while self.heap and self.heap[0][0] < horizon:
            cycle, place = heappop(self.heap)
            if self.inside[place]:
                arrived[place] = cycle
                self.arrive(place, cycle)
            else:
                found.append(place)
        going = np.sort(np.array(found, np.int64))
        return going[np.argsort(self.sent[going], kind="stable")]


def _called(packets: Dependent, place: int) -> int:
    return place if packets.number is None else int(packets.number[place])


def _require_terminals(packets: Dependent, net: Network) -> None:
    """Raise JumpnetError, with the first packet of a trace that goes from or to a node without a terminal."""
    highest = net.endpoints - 1
    for end, nodes in (("source", packets.source), ("destination", packets.destination)):
        over = np.flatnonzero(nodes > highest)
        if len(over):
            who = f"packet {_called(packets, int(over[0]))}: {end} {nodes[over[0]]} found"
            raise JumpnetError(f"{who}, 0 to {highest} expected: {net.spec} has {net.endpoints} terminals")


def _require_cycles(packets: Dependent, gap: int) -> None:
    """Raise JumpnetError for a gap, and for the first recorded cycle, that lies beyond what a network can simulate."""
    expected = f"below {END_CYCLE} expected: no network is simulated for longer"
    if not 0 <= gap < END_CYCLE:
        raise JumpnetError(f"a gap of {gap} cycles found, " + ("0 or more expected" if gap < 0 else expected))
    if len(late := np.flatnonzero(packets.cycle >= END_CYCLE)):
        raise JumpnetError(f"packet {_called(packets, int(late[0]))}: cycle {packets.cycle[late[0]]} found, {expected}")


def _ring(packets: Dependent, stuck: Array) -> JumpnetError:
    """The error that names a ring among packets that are never sent, each of which waits for another of them."""
    before = np.repeat(np.arange(len(stuck)), np.diff(packets.first))
    both = stuck[before] & stuck[packets.waiting]
    waits_for = dict(zip(packets.waiting[both].tolist(), before[both].tolist(), strict=True))
    place = int(np.flatnonzero(stuck)[0])
    way = {place: 0}
    while (place := waits_for[place]) not in way:
        way[place] = len(way)
    ring = [_called(packets, each) for each in list(way)[way[place] :]][::-1]
    named = " -> ".join(map(str, [*ring[:RING_SHOWN], *["..."] * (len(ring) > RING_SHOWN)]))
    few = f"{len(ring)} packets wait for each other in a ring: {named}"
    return JumpnetError(f"{few}; with all that wait for those, {int(stuck.sum())} are never sent")


@public
def replay(
    packets: Dependent,
    network: str | Network,
    routing: str | Routing | BoundRouting | None = None,
    config: SimConfig | None = None,
    *,
    gap_cycles: int = 0,
    honoured: bool = True,
) -> Replayed:
    """Send the packets over a network; node i is terminal i.

    routing: the family's default unless named; config: the preset `booksim` unless given. gap_cycles: from the arrival
    of the last packet that another waits for to the sending of that other. honoured: False sends all packets at their
    recorded cycles. Raises JumpnetError for fewer terminals than nodes, packets that wait for each other in a ring, and
    what the simulator raises. Cost: that of the simulator, some 5 microseconds a packet and 40 for each step of a few
    cycles.

    >>> columns = [np.array(c) for c in ([0, 0], [0, 3], [3, 0], [4, 4], [0, 1, 1], [1])]
    >>> two = Dependent(*columns, 0)  # the second is the answer to the first
    >>> found = replay(two, "torus:4x4", config=preset("booksim", vcs=2))
    >>> found.sent.tolist(), bool(found.sent[1] == found.arrived[0])
    ([0, 15], True)
    """
    _require_cycles(packets, gap_cycles)
    net = as_network(network)
    _require_terminals(packets, net)
    chosen = (preset("booksim") if config is None else config).replace(batch_cycles=BATCH_CYCLES)
    outside = Outside(net, routing, chosen)
    ready, arrived = _Ready(packets, gap_cycles, honoured), np.full(len(packets.cycle), -1, np.int64)
    while ready.heap or outside.packets:
        if not outside.packets:
            outside.advance(max(outside.cycle, ready.heap[0][0]))
        # No packet that is under way or is sent from now on arrives, and lets others go, before this.
        horizon = outside.cycle + outside.least_cycles + min(gap_cycles, MOST_AHEAD)
        place = ready.due(horizon, arrived)
        outside.post(place, packets.source[place], packets.destination[place], ready.sent[place], packets.flits[place])
        outside.advance(horizon)
        for number, cycle in zip(*(column.tolist() for column in outside.take()[::2]), strict=True):
            arrived[number] = cycle
            ready.arrive(number, cycle)
    if (arrived < 0).any():
        raise _ring(packets, arrived < 0)
    return Replayed(packets.cycle, ready.sent, arrived, np.flatnonzero(packets.source != packets.destination))
