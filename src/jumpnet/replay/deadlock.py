"""A simulation that runs into a deadlock: the packets that a proof says wait for each other, posted so that they do.

First each of them once, timed so that all take their channel in the same cycle, other packets before them where one has
a choice that must be shut or a draw that must fall (`drawn_packets`); then with the times shifted at random;
then each of them again and again at random times; last heavy traffic. All that is tried is counted, a run is a
pure function of its settings, and the simulator's own watch says what a deadlock is. Used by `jumpnet prove --replay`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from jumpnet.analysis.deadlock.confirmed import confirmed
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.kept import kept
from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.analysis.deadlock.waiting.who_waits import Waiting, bound_of, channels_of, who_waits
from jumpnet.analysis.deadlock.waiting.witnesses import Witness
from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.replay.drawn_packets import nearby, with_draws
from jumpnet.routings import BoundRouting
from jumpnet.sim.config.sim_config import SimConfig, preset
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.measure.deadlock import find_deadlock
from jumpnet.sim.measure.measure import for_trace
from jumpnet.terms import I32, I64
from jumpnet.traffic import PacketList

__all__ = ["MOST_TRIES", "Replay", "replay_deadlock"]

TIMED, REPEATED = 64, 12
"""Runs of each kind that are tried at most."""
HEAVY = (("uniform", 1.0), ("uniform", 0.5), ("uniform", 0.3), ("random_permutation", 1.0))
"""Traffic and load of the runs under heavy traffic."""
MOST_TRIES = TIMED + REPEATED + len(HEAVY)
MOST_THINNED = 60
"""Runs by which repeated packets are thinned out, about."""
REPEATS = 40
"""Times that each packet is sent in a run of repeated ones."""
BEFORE = 10
"""Cycles by which packets that block other ways come before the others."""
LOOK = 64
"""Cycles between two looks for a deadlock."""
PATIENCE = 200
"""Cycles without movement after which a run that is repeated looks for a deadlock (`deadlock_cycles`)."""
MOST_FLIT_CYCLES = 1 << 23
"""Routers times cycles of a run under heavy traffic at most."""

How = Literal["timed", "repeated", "traffic"]
_End = tuple[int, tuple[tuple[int, int, int], ...]]
"""(cycle, ring) of a deadlock."""


@dataclass(frozen=True, eq=False)
class Replay:
    """A run that ended in a deadlock, or what was tried for one."""

    bound: BoundRouting
    waiting: Waiting
    """The packets that the proof says wait."""
    tries: int
    """Runs until this one, it included; all when none ended in a deadlock."""
    how: How | None = None
    """`timed`: each packet once; `repeated`: again and again; `traffic`: heavy traffic. None when none was found."""
    config: SimConfig | None = None
    """The settings of the run."""
    packets: PacketList | None = None
    """The packets of the run, None under heavy traffic."""
    cycle: int = 0
    """Cycle by which the simulator had found it."""
    ring: tuple[tuple[int, int, int], ...] = ()
    """Channels (router, port, vc) that wait for each other in the run."""
    same: bool = False
    """Whether they are all among those that the packets of the proof hold."""


@dataclass(frozen=True)
class _Try:
    """One run."""

    how: How
    config: SimConfig
    packets: PacketList | None
    cycles: int


@public
def replay_deadlock(proof: Proof, made: Dependencies | None = None, progress: Progress = silent) -> Replay:
    """Look for a run into the deadlock that a proof found; raises JumpnetError where the routing is free of deadlock,
    no packets are known that wait for each other (`unproved` without a cycle), or the proof was changed since it was
    made and says something else than its routing's (`confirmed`).

    `made`: the dependencies of its routing, when they are there already; `progress(done, total)` counts runs. Cost:
    without `made`, and where `kept` has them no more, that of the proof again; then as the words of `explain`, and at
    most `MOST_TRIES` short runs.

    >>> from jumpnet.analysis.deadlock.prove import prove
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> found = replay_deadlock(prove(bind("torus.dimension_order", build("torus:5"))))
    >>> found.how, found.tries, len(found.ring), found.same
    ('timed', 1, 5, True)
    """
    bound = bound_of(proof)
    proof, made = confirmed(proof, made, progress)
    if proof.verdict == "free":
        raise JumpnetError(f"{proof.routing} on {proof.spec} is free of deadlock: there is none to run into")
    made = kept(proof) if made is None else made
    if made is None or (not made.whole and made.to is None):
        made = dependencies(bound, progress=progress, beyond=True)
    if not made.whole and made.to is None:
        made = dependencies(bound, progress=progress)
    waiting = who_waits(proof, made, progress)
    held = {packet.holds for packet in waiting.packets} | set(channels_of(proof))
    if not waiting.packets:
        why = f"{proof.routing} on {proof.spec}: {proof.method}"
        raise JumpnetError(f"{why}: no packets that wait for each other are known, and no run is tried")
    # With fewer virtual channels than it needs a routing runs as its own negative control.
    allowed = BoundRouting(bound.routing.changed(vcs=bound.vcs), bound.network, bound.vcs, bound.options)
    tries = 0
    for tried in _all_tries(bound, waiting.packets, made.choices):
        progress(tries, MOST_TRIES)
        tries += 1
        found = _run(allowed, tried)
        if found is not None:
            tried, (cycle, ring) = _thinned(allowed, tried, found) if tried.how == "repeated" else (tried, found)
            numbers = {(r * bound.network.ports + p) * bound.vcs + v for r, p, v in ring}
            result = tried.how, tried.config, tried.packets, cycle, ring, numbers <= held
            return Replay(bound, waiting, tries, *result)
    return Replay(bound, waiting, tries)


def _run(bound: BoundRouting, tried: _Try) -> _End | None:
    """(cycle, ring) of the deadlock that a run ends in, None when it ends in none."""
    engine = Engine(bound.network, bound, for_trace(tried.config, tried.packets), tried.packets, 1)
    while engine.cycle < tried.cycles:
        engine.advance(LOOK)
        ring = find_deadlock(engine) if engine.flits_inside else None
        if ring is not None:
            return engine.cycle, tuple(ring)
    return None


def _thinned(bound: BoundRouting, tried: _Try, end: _End) -> tuple[_Try, _End]:
    """The same with fewer packets, as long as what is left still runs into a deadlock."""
    assert tried.packets is not None
    kept = np.flatnonzero(tried.packets.cycle <= end[0])
    part, runs = -(-len(kept) // 2), 0
    while part and runs < MOST_THINNED:
        for first in range(0, len(kept), part):
            fewer = np.delete(kept, np.s_[first : first + part])
            runs += 1
            less = replace(tried, packets=_chosen(tried.packets, fewer))
            again = _run(bound, less) if fewer.size else None
            if again is not None:
                kept, end = fewer, again
                break
        else:
            part //= 2
    return replace(tried, packets=_chosen(tried.packets, kept)), end


def _chosen(packets: PacketList, which: I64) -> PacketList:
    return PacketList(packets.cycle[which], packets.source[which], packets.destination[which], packets.flits[which])


def _all_tries(bound: BoundRouting, packets: tuple[Witness, ...], choices: bool) -> Iterator[_Try]:
    """All runs, the likeliest first."""
    ends = _Ends(bound, packets, choices)
    yield from (ends.timed(k) for k in range(TIMED))
    yield from (ends.repeated(k) for k in range(REPEATED))
    yield from (ends.heavy(*traffic) for traffic in HEAVY)


class _Ends:
    """The packets of a proof as the simulator knows them: by terminals, with the time to their channels."""

    def __init__(self, bound: BoundRouting, packets: tuple[Witness, ...], choices: bool) -> None:
        self.bound, self.choices = bound, choices
        self.hops = max(len(packet.path) for packet in packets)
        beside, abreast = ([wall for packet in packets for wall in self._walls(packet, same)] for same in (False, True))
        pairs = [(packet.source, packet.destination) for packet in packets] + beside + abreast
        self.base = self._base([source for source, _ in pairs])
        self.source, self.to = self._terminals(pairs)
        self.count = len(packets)
        """Packets of the proof; those after them block other ways."""
        self.sizes = list(dict.fromkeys([self.count, self.count + len(beside), len(pairs)]))
        """Packets of a run: without any that block, with those over other links, with all."""
        self.draw = np.array([packet.draw for packet in packets])
        self.lead = np.array([self._cycles_to(packet) for packet in packets])
        """Cycles from the creation of each packet alone in the network until it takes its channel; a constant less."""

    def _walls(self, packet: Witness, same: bool) -> list[tuple[int, int]]:
        """(router, neighbor) of packets over channels that another one might take instead of its way: those of other
        links, or (same) further channels of the links that it takes."""
        net, wide = self.bound.network, self.bound.network.ports * self.bound.vcs
        taken = {channel // self.bound.vcs for channel in packet.path}
        shut = [channel for channel in packet.aside if (channel // self.bound.vcs in taken) == same]
        if 0 <= packet.busy < net.ports and not same:  # the start hook finds the queue of this link filled
            shut.append(packet.source * wide + packet.busy * self.bound.vcs)
        ends = [(c // wide, int(net.neighbor[c // wide, c // self.bound.vcs % net.ports])) for c in shut]
        return [(here, there) for here, there in ends if net.terminals[here] and net.sinks[there] and here != there]

    def _terminals(self, pairs: list[tuple[int, int]]) -> tuple[I32, I32]:
        """(source, destination) terminals of packets between routers; those of a router take its terminals in turn."""
        net, before, number = self.bound.network, Counter[int](), []
        first = np.searchsorted(net.terminal_router, np.arange(net.routers))
        for source, _ in pairs:
            number.append(first[source] + before[source] % net.terminals[source])
            before[source] += 1
        to = np.searchsorted(net.sink_router, [to for _, to in pairs])
        return np.array(number, np.int32), to.astype(np.int32)

    def _base(self, sources: list[int]) -> SimConfig:
        """Settings that all runs share: small buffers, and input ports for all packets of a source at once."""
        net = self.bound.network
        ports = max(-(-count // max(1, int(net.terminals[r]))) for r, count in Counter(sources).items())
        changes: dict[str, Any] = {"vcs": self.bound.vcs, "buffer_flits": 2, "injection_ports": min(16, ports)}
        if self.bound.routing.bubble:
            changes |= {"flow_control": "cut_through", "packet_flits": "4", "buffer_flits": 8}
        elif self.choices:
            # Behind another packet's tail a head has chosen for good, and a proof speaks of packets that still may.
            changes["vc_reuse"] = "empty"
        return preset("booksim", deadlock_cycles=PATIENCE, drain=True, **changes)

    def _cycles_to(self, packet: Witness) -> int:
        c, net = self.base, self.bound.network
        step = c.routing_delay_cycles + c.allocation_delay_cycles + c.st_delay_cycles
        ports = net.ports * self.bound.vcs
        links = [(ch // ports, ch // self.bound.vcs % net.ports) for ch in packet.path[:-1]]
        return sum(step + (c.link_cycles if net.latency is None else int(net.latency[link])) for link in links)

    def _flits(self, short: bool) -> tuple[SimConfig, int]:
        """Settings and length: packets that hold all their way, or (short) exactly one buffer."""
        if self.base.flow_control == "cut_through":
            return self.base, 4
        return (self.base.replace(buffer_flits=4), 4) if short else (self.base, 4 * (self.hops + 4))

    def timed(self, k: int) -> _Try:
        """Each packet once, by turns long, short, and long with other ways blocked (where there are any); after the
        first of each with times, draws and choices of candidates that differ."""
        sizes = self.sizes[:1] if self.bound.routing.bubble else self.sizes  # one length of packets
        turn, kind = divmod(k, 1 + len(sizes))
        n = self.count if kind < 2 else sizes[kind - 1]
        config, flits = self._flits(short=kind == 1)
        shift = np.random.default_rng(k).integers(0, 1 + 2 * turn, self.count)
        cycle = np.zeros(n, np.int64)
        cycle[: self.count] = self.lead.max() - self.lead + shift + (BEFORE if n > self.count else 0)
        length = np.full(n, flits, np.int32)
        length[self.count :] += BEFORE + int(cycle.max())
        config = config.replace(seed=1 + k, selection=("round_robin", "first", "credits")[turn % 3])
        packets = self._drawn(PacketList(cycle, self.source[:n], self.to[:n], length), config.seed)
        last = int(packets.cycle.max()) + 40 * (self.hops + 4)
        return _Try("timed", config, packets, last + 2 * int(length.sum()))

    def _drawn(self, packets: PacketList, seed: int) -> PacketList:
        """The packets after others by which the start hook draws for them as in the proof, as far as it can be."""
        if self.bound.draws == 1:
            return packets
        wanted = np.full(len(packets.cycle), -1, np.int64)
        wanted[: self.count] = self.draw
        found = with_draws(packets, wanted, self.bound.draws, seed, nearby(self.bound.network))
        return packets if found is None else found

    def repeated(self, k: int) -> _Try:
        """Each packet again and again, with pauses up to as long as half a packet."""
        config, flits = self._flits(short=k % 3 == 2)
        draw, n = np.random.default_rng(k), self.count
        cycle = np.cumsum(flits + draw.integers(0, 1 + flits // 2, (REPEATS, n)), axis=0) - flits
        source, to = np.tile(self.source[:n], REPEATS), np.tile(self.to[:n], REPEATS)
        packets = PacketList(cycle.reshape(-1), source, to, np.full(n * REPEATS, flits, np.int32))
        return _Try("repeated", config.replace(seed=1 + k), packets, int(cycle.max()) + 8 * flits * n)

    def heavy(self, traffic: str, load: float) -> _Try:
        """Traffic of all terminals with the same settings, packets that are longer than a buffer."""
        flits = "4" if self.base.flow_control == "cut_through" else "16"
        cycles = min(8000, MOST_FLIT_CYCLES // self.bound.network.routers)
        config = self.base.replace(
            load=load, traffic=traffic, packet_flits=flits, injection_ports=1, max_cycles=max(1000, cycles)
        )
        return _Try("traffic", config, None, cycles)
