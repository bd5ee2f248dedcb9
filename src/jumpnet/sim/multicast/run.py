"""A multicast run's phases: warm-up, measured window, drain; and the figures of what was created in the window.

As `sim.phases` for single destinations: the same tests of warm-up, precision and lag, batch means by delivery. Every
message's times are kept, so that all statistics are of arrays. Used by `simulate`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.network import Network
from jumpnet.sim.config import SimConfig
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory import message_layout as cast
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.creation import UNICAST, Creation
from jumpnet.sim.multicast.engine import MulticastEngine
from jumpnet.sim.multicast.trees import Trees
from jumpnet.sim.phases import GROUPS, LAG_LIMIT, LEAST_BATCHES, sent_flits
from jumpnet.sim.reuse import settle_reuse
from jumpnet.sim.statistics import half_width, merge_batches, mser
from jumpnet.terms import I64, NO_ROUTER

__all__ = ["MulticastRun"]

AHEAD = 2000
"""Cycles for which messages are made at a time."""
DRAIN_STEP = 256
KINDS = ("packet", "multicast", "acknowledge")


class MulticastRun:
    """A run from cycle 0; `finish` takes it to its end."""

    def __init__(
        self, net: Network, routing: str, config: SimConfig, cast: MulticastConfig, trees: Trees | None = None
    ) -> None:
        """trees: those of a run before, kept; made as the settings say when None."""
        self.network, self.config, self.cast = net, config, cast
        self.trees = trees or Trees(
            net, cast.multicast, routing, config.vcs, cast.scheme, cast.tree_routing, config.least_vcs
        )
        if self.trees.routing is not None:
            self.config = settle_reuse(config, self.trees.routing)
        self.creation = Creation(net, config, cast, self.trees)
        self.engine: MulticastEngine | None = None
        self.groups = np.zeros(0, np.int64)
        self.made = self.cycle = self.start = self.end = 0
        self.warm = self.saturated = self.drained = False
        self.arrived: list[int] = []
        """Flits that receivers had, at the start of the window and after each of its batches."""
        self.sent = self.counts = np.zeros(0, np.int64)
        """Flits over each link, and the kernel's counters: before the window, and once it is over in the window."""

    # Advancing.

    def _create(self, cycle: int) -> None:
        """Make the messages up to a cycle."""
        while self.made < cycle:
            self.made += AHEAD
            new = self.creation.until(self.made)
            if new is None:
                if self.engine is None and self.made > self.config.max_cycles:
                    raise JumpnetError(
                        f"no packet in {self.config.max_cycles} cycles at load {self.config.load:g} found"
                    )
                continue
            self.groups = np.concatenate([self.groups, new.group])
            forest = self.trees.forest()
            if self.engine is None:
                self.engine = MulticastEngine(
                    self.network, self.trees.vcs, forest, new.messages, self.config, self.cast.answers,
                    routing=self.trees.routing,
                )  # fmt: skip
            else:
                self.engine.add(forest, new.messages)

    def advance(self, cycles: int) -> bool:
        """So many cycles; False when nothing moved for `deadlock_cycles`."""
        last = self.cycle + cycles
        self._create(last)
        while self.engine is None:
            self._create(self.made + AHEAD)
        if not self.engine.go(last - self.engine.cycle) and not self.engine.still:
            self.engine.pass_by(last)
        self.cycle = self.engine.cycle
        return not self.engine.still

    def finish(self) -> None:
        """Warm up, measure, drain."""
        moved = self._warm_up()
        self.start = self.end = self.cycle
        moved = moved and self._measure()
        self.end = self.cycle
        assert self.engine is not None
        self.sent, self.counts = self._link_flits() - self.sent, self.engine.state.counter - self.counts
        self.saturated = not moved or self.lag() > LAG_LIMIT
        if self.config.drain and not self.saturated:
            self._drain()
        self.engine.check()

    def _warm_up(self) -> bool:
        """The cycles given, or until MSER sees the start-up of every kind of message pass."""
        c, moved = self.config, True
        if c.warmup_cycles is not None:
            moved = self.advance(c.warmup_cycles) if c.warmup_cycles else True
            self.warm = moved
        while c.warmup_cycles is None and moved and not self.warm and self.cycle < c.max_cycles // 2:
            moved = self.advance(min(c.batch_cycles, c.max_cycles // 2 - self.cycle))
            self.warm = self._started()
        self._create(self.cycle + 1)
        while self.engine is None:
            self._create(self.made + AHEAD)
        self.sent, self.counts = self._link_flits(), self.engine.state.counter.copy()
        self.arrived = [int(self.counts[at.C_ARRIVED])]
        return moved

    def _started(self) -> bool:
        size, found = self.config.batch_cycles, False
        for times in self.times().values():
            known = times[(times[:, 2] >= 0) & (times[:, 2] < self.cycle // size * size)]
            if not len(times):
                continue
            sums = np.bincount(known[:, 2] // size, known[:, 2] - known[:, 1])
            counts = np.bincount(known[:, 2] // size)
            means = sums[counts > 0] / counts[counts > 0]
            if len(means) < LEAST_BATCHES or 2 * mser(means) >= len(means):
                return False
            found = True
        return found

    def _measure(self) -> bool:
        """The cycles given, or until the latencies are known to the precision."""
        c, moved = self.config, True
        end = self.start + c.measure_cycles if c.measure_cycles else max(c.max_cycles, self.start + c.batch_cycles)
        while moved and self.cycle < end:
            moved = self.advance(min(c.batch_cycles, end - self.cycle))
            assert self.engine is not None
            self.arrived.append(int(self.engine.state.counter[at.C_ARRIVED]))
            if c.measure_cycles is None and self._precise():
                break
        return moved

    def _precise(self) -> bool:
        c, cycles = self.config, self.cycle - self.start
        if cycles < LEAST_BATCHES * c.batch_cycles:
            return False
        self.end = self.cycle
        bands = [self.band(times) for times in self.times().values() if len(times)]
        return bool(bands) and all(w <= c.precision * m and cycles >= 4 * m for m, w in bands)

    def _drain(self) -> None:
        """Go on, with traffic, until all measured messages are done, or too long."""
        limit = self.end + max(10_000, 4 * (self.end - self.start))
        while True:
            self.drained = all((times[:, 2] >= 0).all() for times in self._of_window().values())
            if self.drained or self.cycle >= limit or not self.advance(DRAIN_STEP):
                break
        self.saturated = not self.drained

    # What is known of messages.

    def times(self) -> dict[str, I64]:
        """(n, 3) of each kind of message: multicast, cycle of creation, cycle when the last part was done, else -1."""
        assert self.engine is not None
        message = self.engine.messages
        created, group = message[:, cast.CREATED], self.groups
        arrival = np.where(message[:, cast.RECEIVED] == self.engine.wanted, message[:, cast.LAST_ARRIVAL], -1)
        alone = group == UNICAST
        found = {"packet": np.stack([group[alone], created[alone], arrival[alone]], axis=1)}
        first = np.flatnonzero(~alone & (np.append(UNICAST, group[:-1]) != group))
        ends = {"multicast": arrival}
        if self.cast.acknowledge != "none":
            ends["acknowledge"] = message[:, cast.ACKNOWLEDGED]
        for kind, last in ends.items():
            done = np.zeros(0, np.int64)
            if len(first):  # the parts of a multicast stand together; packets between them would not count
                part = np.flatnonzero(~alone)
                begin = np.searchsorted(part, first)
                done = np.maximum.reduceat(last[part], begin)
                done = np.where(np.minimum.reduceat(last[part], begin) < 0, -1, done)
            found[kind] = np.stack([group[first], created[first], done], axis=1)
        return found

    def _of_window(self) -> dict[str, I64]:
        return {k: t[(t[:, 1] >= self.start) & (t[:, 1] < self.end)] for k, t in self.times().items()}

    def measured_times(self) -> dict[str, I64]:
        """Those created in the window and done."""
        return {kind: times[times[:, 2] >= 0] for kind, times in self._of_window().items()}

    def band(self, times: I64) -> tuple[float, float]:
        """Mean and half width of a latency by batch means of groups of the whole batches of the window, by delivery."""
        size = self.config.batch_cycles
        first, last = -(-self.start // size), self.end // size
        batch = times[:, 2] // size
        known = times[(batch >= first) & (batch < last)]
        if last <= first:
            return math.nan, math.inf
        place = known[:, 2] // size - first
        sums = np.bincount(place, known[:, 2] - known[:, 1], minlength=last - first)
        means = merge_batches(sums, np.bincount(place, minlength=last - first), GROUPS)
        return (float(means.mean()) if means.size else math.nan), half_width(means)

    def lag(self) -> float:
        """By what part of the time so far the sources are behind with sending messages or acknowledges."""
        assert self.engine is not None
        terminals, now = self.engine.shape.terminals, max(1, self.cycle)
        state, casts = self.engine.state, self.engine.casts
        pending, answer = casts.pending[::2], state.terminal[:, at.ANSWER_FIRST]
        created = casts.message[pending[pending >= 0] + cast.CREATED]
        ready = state.packet[answer[answer >= 0] // at.PACKET_FIELDS, at.READY]
        behind = np.maximum(self.cycle - created, 0).sum() / (terminals * now)
        return max(float(behind), float(np.maximum(self.cycle - ready, 0).sum() / (terminals * now)))

    def _link_flits(self) -> I64:
        """(R, P) flits sent over each link so far."""
        assert self.engine is not None
        return sent_flits(self.engine)[:, : self.engine.shape.link_outputs]

    def figures(self) -> dict[str, Any]:
        """Everything measured."""
        assert self.engine is not None
        cycles, counter = self.end - self.start, self.engine.state.counter
        known, terminals = self.times(), self.network.endpoints
        bands = {kind: self.band(times) for kind, times in known.items()}
        measured = self.measured_times()
        there = self.network.neighbor != NO_ROUTER
        loads = self.sent[there] / max(1, cycles)
        flits = np.diff(self.arrived)
        whole = flits[: cycles // self.config.batch_cycles]
        per_batch = np.full(len(whole), self.config.batch_cycles * terminals)
        seen = [kind for kind, times in known.items() if len(times)]
        precise = all(bands[kind][1] <= self.config.precision * bands[kind][0] for kind in seen)
        created = self.engine.messages[:, cast.CREATED]
        in_window = (self.groups != UNICAST) & (created >= self.start) & (created < self.end)
        multicasts = max(1, len(np.unique(self.groups[in_window])))
        found: dict[str, Any] = {
            "offered_load": self.config.load,
            "accepted_load": float(flits.sum() / max(1, cycles) / terminals),
            "accepted_load_half_width": half_width(merge_batches(whole, per_batch, GROUPS)),
        }
        for kind in KINDS if 0.0 < self.cast.multicast_share < 1.0 else seen:
            if kind in known:
                found |= _latency(kind, measured[kind], bands[kind][1])
        return found | {
            "converged": bool(self.warm and not self.saturated and seen and precise),
            "saturated": self.saturated,
            "warmup_detected": self.warm,
            "warmup_cycles": self.start,
            "measured_cycles": cycles,
            "cycles": self.cycle,
            "drained": self.drained,
            "packets": len(measured["packet"]),
            "multicasts": len(measured["multicast"]),
            "receivers_per_multicast": float(self.engine.wanted[in_window].sum() / multicasts),
            "remade_per_multicast": int(self.counts[at.C_REMADE]) / multicasts,
            "fallbacks_per_multicast": int(self.counts[at.C_FALLBACKS]) / multicasts,
            "link_flits_per_multicast": int(self.counts[at.C_LINK_FLITS]) / multicasts,
            "ack_link_flits_per_multicast": int(self.counts[at.C_ACK_LINK_FLITS]) / multicasts,
            "flit_hops": int(counter[at.C_FLIT_HOPS]),
            "cpu_seconds": self.engine.cpu_seconds,
            "flit_hops_per_cpu_second": int(counter[at.C_FLIT_HOPS]) / max(self.engine.cpu_seconds, 1e-9),
            "source_lag": self.lag(),
            "channel_load_mean": float(loads.mean()) if loads.size else math.nan,
            "channel_load_max": float(loads.max()) if loads.size else math.nan,
            "deadlocked": self.engine.still,
            "deadlock": self.engine.ring,
        }


def _latency(kind: str, times: I64, width: float) -> dict[str, Any]:
    """Mean, half width, percentiles and maximum of a latency."""
    latency = times[:, 2] - times[:, 1]
    name, ordered = f"{kind}_latency", np.sort(latency)
    found: dict[str, Any] = {
        f"{name}_mean_cycles": int(latency.sum()) * (1.0 / len(latency)) if len(latency) else math.nan,
        f"{name}_half_width_cycles": width,
    }
    for q in (50, 90, 99):
        place = math.ceil(q / 100 * len(latency)) - 1
        found[f"{name}_p{q}_cycles"] = float(ordered[place]) if len(latency) else math.nan
    found[f"{name}_max_cycles"] = int(ordered[-1]) if len(latency) else math.nan
    return found
