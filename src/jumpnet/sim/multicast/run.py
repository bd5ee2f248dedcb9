"""A run with multicasts: what its phases count, and the figures of what was created in the window.

Every message's times are kept, so that all statistics are of arrays; batch means are by delivery. Used by `simulate`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.measure.run import Run, band, sent_flits, start_passed
from jumpnet.sim.measure.statistics import spread
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, PACKET_ROW, TERMINAL_ROW
from jumpnet.sim.memory.message_layout import MESSAGE_ROW
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.creation import Creation
from jumpnet.sim.multicast.engine import MulticastEngine
from jumpnet.sim.multicast.messages import UNICAST, Messages
from jumpnet.sim.multicast.trees import Trees, fitting, trees_for
from jumpnet.sim.resolve.by_routing import settled
from jumpnet.terms import I64, NO_ROUTER

__all__ = ["MulticastRun"]

AHEAD = 2000
"""Cycles for which messages are made at a time."""
COUNTED = ("remade", "fallbacks", "link_flits", "ack_link_flits")
"""Counters of which there are figures for each multicast."""


class MulticastRun(Run):
    """A run from cycle 0."""

    engine: MulticastEngine
    arrivals = COUNTER.arrived

    def __init__(
        self, net: Network, routing: str, config: SimConfig, cast: MulticastConfig, trees: Trees | None = None
    ) -> None:
        """trees: those of a run before, kept; made as the settings say when None. Raises JumpnetError for others."""
        self.network, self.cast = net, cast
        asked = trees_for(net, routing, config, cast)
        self.trees = asked if trees is None else fitting(trees, asked)
        if (bound := self.trees.routing) is not None:
            config = settled(config, bound)
        self.creation = Creation(net, config, cast, self.trees)
        self.made = 0
        """Cycle up to which messages have been made."""
        self.counts = np.zeros(0, np.int64)
        """The kernel's counters: before the window, and once it is over in the window."""
        while (first := self._make()) is None:
            if self.made > config.max_cycles:
                raise JumpnetError(f"no packet in {config.max_cycles} cycles at load {config.load:g} found")
        self.groups = np.asarray(first.group)
        trees = self.trees
        engine = MulticastEngine(net, trees.vcs, trees.forest(), first, config, cast, routing=bound)
        super().__init__(engine, config)
        self.trace_flits = 0  # what is to be sent is made on the way, and is no trace that must be drained

    def _make(self) -> Messages | None:
        """The messages of the next cycles, None without any."""
        self.made += AHEAD
        return self.creation.until(self.made)

    def advance(self, cycles: int) -> bool:
        last = self.engine.cycle + cycles
        while self.made < last:
            if (more := self._make()) is not None:
                self.groups = np.append(self.groups, np.asarray(more.group))
                self.engine.add(self.trees.forest(), more)
        if not self.engine.go(cycles) and not self.engine.still:
            self.engine.cycle = max(self.engine.cycle, last)  # nothing is left to do before it
        self.facts.cpu_seconds = self.engine.cpu_seconds
        return not self.engine.still

    def started(self) -> bool:
        size, found = self.config.batch_cycles, False
        for times in self.times().values():
            known = times[(times[:, 2] >= 0) & (times[:, 2] < self.engine.cycle // size * size)]
            if len(times):
                batch = known[:, 2] // size
                sums, counts = np.bincount(batch, known[:, 2] - known[:, 1]), np.bincount(batch)
                if not start_passed(sums[counts > 0] / counts[counts > 0]):
                    return False
                found = True
        return found

    def open(self) -> None:
        super().open()
        self.counts = self.engine.state.counter.copy()

    def sample(self, moved: bool) -> None:
        self.arrived.append(int(self.engine.state.counter[self.arrivals]))

    def bands(self) -> list[tuple[float, float]]:
        return [self.band_of(times) for times in self.times().values() if len(times)]

    def close(self) -> None:
        self.sent = sent_flits(self.engine) - self.sent
        self.counts, cycles = self.engine.state.counter - self.counts, self.facts.end - self.facts.start
        self.facts.accepted = float((self.arrived[-1] - self.arrived[0]) / max(1, cycles) / self.network.endpoints)
        self.facts.lag = self.lag()

    def all_arrived(self) -> bool:
        return all((times[:, 2] >= 0).all() for times in self._of_window().values())

    # What is known of messages.

    def times(self) -> dict[str, I64]:
        """(n, 3) of each kind of message: multicast, cycle of creation, cycle when the last part was done, else -1."""
        message, row = self.engine.messages, MESSAGE_ROW
        created, group = message[:, row.created], self.groups
        arrival = np.where(message[:, row.received] == self.engine.wanted, message[:, row.last_arrival], -1)
        alone = group == UNICAST
        found = {"packet": np.stack([group[alone], created[alone], arrival[alone]], axis=1)}
        first = np.flatnonzero(~alone & (np.append(UNICAST, group[:-1]) != group))
        ends = {"multicast": arrival}
        if self.cast.acknowledge != "none":
            ends["acknowledge"] = message[:, row.acknowledged]
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
        start, end = self.facts.start, self.facts.end
        return {kind: times[(times[:, 1] >= start) & (times[:, 1] < end)] for kind, times in self.times().items()}

    def measured_times(self) -> dict[str, I64]:
        """Those created in the window and done."""
        return {kind: times[times[:, 2] >= 0] for kind, times in self._of_window().items()}

    def band_of(self, times: I64) -> tuple[float, float]:
        """Mean and half width of a latency by batch means of groups of the whole batches of the window, by delivery."""
        batches, done = self.whole_batches(), times[:, 2] // self.config.batch_cycles
        count = max(0, batches.stop - batches.start)
        known = (done >= batches.start) & (done < batches.stop)
        place, latency = done[known] - batches.start, times[known, 2] - times[known, 1]
        return band(np.bincount(place, latency, minlength=count), np.bincount(place, minlength=count))

    def lag(self) -> float:
        """By what part of the time so far the sources are behind with sending messages or acknowledges."""
        terminals, now, terminal = self.engine.shape.terminals, self.engine.cycle, self.engine.state.terminal
        answer = terminal[:, TERMINAL_ROW.answer_first]
        ready = self.engine.state.packet[answer[answer >= 0] // at.PACKET_FIELDS, PACKET_ROW.ready]
        parts = terminal[:terminals, TERMINAL_ROW.next_creation], ready
        return max(float(np.maximum(now - part, 0).sum() / (terminals * max(1, now))) for part in parts)

    def figures(self) -> dict[str, Any]:
        """Everything measured."""
        cycles, known, counter = self.facts.end - self.facts.start, self.times(), self.engine.state.counter
        bands = {kind: self.band_of(times) for kind, times in known.items()}
        measured = self.measured_times()
        there = self.network.neighbor != NO_ROUTER
        loads = self.sent[:, : there.shape[1]][there] / max(1, cycles)
        seen = [kind for kind, times in known.items() if len(times)]
        precise = all(bands[kind][1] <= self.config.precision * bands[kind][0] for kind in seen)
        created = self.engine.messages[:, MESSAGE_ROW.created]
        in_window = (self.groups != UNICAST) & (created >= self.facts.start) & (created < self.facts.end)
        multicasts = max(1, len(np.unique(self.groups[in_window])))
        found: dict[str, Any] = {
            "offered_load": self.config.load,
            "accepted_load": self.facts.accepted,
            "accepted_load_half_width": self.accepted_half_width(),
        }
        for kind in known if 0.0 < self.cast.multicast_share < 1.0 else seen:
            found |= _latency(kind, measured[kind], bands[kind][1])
        return found | {
            "converged": bool(self.facts.warm and not self.facts.saturated and seen and precise),
            **self.phase_figures(),
            "packets": len(measured["packet"]),
            "multicasts": len(measured["multicast"]),
            "receivers_per_multicast": float(self.engine.wanted[in_window].sum() / multicasts),
            **{f"{name}_per_multicast": int(self.counts[getattr(COUNTER, name)]) / multicasts for name in COUNTED},
            "flit_hops": int(counter[COUNTER.flit_hops]),
            "cpu_seconds": self.facts.cpu_seconds,
            "flit_hops_per_cpu_second": int(counter[COUNTER.flit_hops]) / max(self.facts.cpu_seconds, 1e-9),
            "source_lag": self.lag(),
            "channel_load_mean": float(loads.mean()) if loads.size else math.nan,
            "channel_load_max": float(loads.max()) if loads.size else math.nan,
            "deadlocked": self.engine.still,
            "deadlock": self.engine.ring,
        }


def _latency(kind: str, times: I64, width: float) -> dict[str, Any]:
    """Mean, half width, percentiles and maximum of a latency."""
    latency, name = times[:, 2] - times[:, 1], f"{kind}_latency"
    return {
        f"{name}_mean_cycles": int(latency.sum()) * (1.0 / len(latency)) if len(latency) else math.nan,
        f"{name}_half_width_cycles": width,
        **spread(name, np.bincount(latency), (50, 90, 99)),
    }
