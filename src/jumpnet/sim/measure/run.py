"""A run measured: warm-up, window, drain; some batches at a time, so that it can be saved and resumed.

`Run.step` advances by one batch (or a step of the warm-up or drain) and sets `facts.phase` to what comes next. Between
two steps all state is in the engine's arrays and in the run's fields; `checkpoint` saves both. What is counted here are
packets to one destination; `sim.multicast.run` counts messages that branch, and what they replace stands there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.measure.checks import check, longest_wait, occupancy
from jumpnet.sim.measure.deadlock import find_deadlock
from jumpnet.sim.measure.statistics import half_width, merge_batches, mser
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import BATCH_ROW, COUNTER, OUT_VC_ROW, PACKET_ROW, TERMINAL_ROW
from jumpnet.terms import F64, I64, Array

LAG_LIMIT = 0.02
"""A run is saturated when its sources fall behind by more than this fraction of the time."""
LEAST_BATCHES = 10
GROUPS = 20
"""Groups of neighboring batches that a confidence interval is made from (ten to twenty)."""
DRAIN_STEP = 256
MOST_MORE = 9
"""Batches that a step of the warm-up takes at most besides one: a run is saved between two steps."""
SLOWEST = 8
"""Cycles that the drain waits for each flit of a trace: they may all come at once and pass through one channel."""
NO_WINDOW = 1 << 40


@dataclass
class Facts:
    """What a run remembers besides arrays; plain numbers, so that it can be written as JSON."""

    phase: Literal["warm-up", "window", "drain", "done"] = "warm-up"
    warm: bool = False
    """Whether the end of the start-up transient was detected."""
    start: int = 0
    """First cycle of the measured window."""
    end: int = 0
    """First cycle after it, or after its batches so far."""
    accepted: float = 0.0
    """Accepted load in the window, flits per terminal and cycle."""
    class_accepted: list[float] = field(default_factory=list)
    """The same of each class, by packets delivered in the window."""
    class_before: list[int] = field(default_factory=list)
    """Flits of each class that were delivered before it."""
    lag: float = 0.0
    """By what fraction of the time the sources are behind at the end of the window."""
    drained: bool = False
    """Whether all that was measured has arrived."""
    saturated: bool = False
    deadlock: list[tuple[int, int, int]] | None = None
    """Channels (router, port, vc) that wait for each other, when a deadlock ended the run."""
    longest_wait: int = 0
    checked: int = -1
    """Cycle at which the conservation laws were last checked."""
    next_check: int = 0
    cpu_seconds: float = 0.0


class Run:
    """A run of an engine that stands at cycle 0."""

    arrivals: ClassVar[int] = COUNTER.ejected
    """Which of the kernel's counters counts flits that have arrived."""

    def __init__(self, engine: Engine, config: SimConfig | None = None) -> None:
        """config: what was asked for, where that is not what the engine is told."""
        self.engine, self.config, self.facts = engine, config or engine.config, Facts()
        self.arrived: list[int] = []
        """Flits that had arrived, at the start of the window and after each of its batches."""
        self.sent = np.zeros((0, 0), np.int64)
        """(R, outputs) flits sent: before the window, and once it is over in the window."""
        self.occupancy: list[float] = []
        """Mean flits of an input buffer, one sample a batch of the window."""
        self.buffered = np.zeros((0, 0, 0), np.int64)
        """(R, P, vcs) flits in the buffers at the far end of each channel, the samples added up."""
        self.trace_flits = int(engine.state.trace[:, 2].sum())
        engine.state.window[:] = NO_WINDOW
        self.facts.next_check = self.config.check_every_cycles

    def step(self) -> None:
        """Advance by a batch at most, in a warm-up by several, and go to the next phase when this one is over."""
        if self.facts.phase == "warm-up":
            self._warm_up()
        elif self.facts.phase == "window":
            self._window()
        elif self.facts.phase == "drain":
            self._drain()

    def _warm_up(self) -> None:
        """A batch of the warm-up, or some where its cycles are given: over after these, or when MSER finds the end."""
        c, facts, given = self.config, self.facts, self.config.warmup_cycles
        left = (c.max_cycles // 2 // c.batch_cycles * c.batch_cycles if given is None else given) - self.engine.cycle
        cycles = c.batch_cycles if given is None else self._cycles_at_once()
        moved = self.advance(min(cycles, left))
        if given is not None:
            facts.warm = moved
        elif moved and left > 0:
            facts.warm = self.started()
        if not moved or left <= cycles or (given is None and facts.warm):
            facts.start = facts.end = self.engine.cycle
            facts.phase = "window"
            self.open()
            if not moved:
                self._close(moved)

    def _cycles_at_once(self) -> int:
        """Cycles of so many batches that no deadlock can be found at the end of any but the last: one at least."""
        engine, c = self.engine, self.config
        unmoved = engine.cycle - int(engine.counter[COUNTER.moved])
        more = max(0, c.deadlock_cycles - unmoved) // c.batch_cycles
        return (1 + min(more, MOST_MORE)) * c.batch_cycles

    def _window(self) -> None:
        """One batch of the window: over after the cycles given, or when the latency is known to the precision."""
        c, facts = self.config, self.facts
        cycles = c.measure_cycles if c.measure_cycles is not None else max(c.max_cycles - facts.start, c.batch_cycles)
        moved = self.advance(min(c.batch_cycles, facts.start + cycles - self.engine.cycle))
        facts.end = self.engine.cycle
        self.sample(moved)
        if not moved or facts.end >= facts.start + cycles or (c.measure_cycles is None and self._precise()):
            self._close(moved)

    def _precise(self) -> bool:
        c, cycles = self.config, self.facts.end - self.facts.start
        if cycles < LEAST_BATCHES * c.batch_cycles:
            return False
        bands = self.bands()
        return bool(bands) and all(width <= c.precision * mean and cycles >= 4 * mean for mean, width in bands)

    def _close(self, moved: bool) -> None:
        """The window is over: the verdict on saturation, and whether to drain; a trace is drained, behind or not."""
        self.close()
        facts, stuck = self.facts, not moved or self.facts.deadlock is not None
        facts.saturated = facts.lag > LAG_LIMIT or stuck
        facts.phase = "drain" if self.config.drain and not (stuck if self.trace_flits else facts.saturated) else "done"

    def _drain(self) -> None:
        """Go on until all that was measured has arrived, or too long."""
        facts = self.facts
        facts.drained = self.all_arrived()
        limit = facts.end + max(10_000, 4 * (facts.end - facts.start), SLOWEST * self.trace_flits)
        if facts.drained or self.engine.cycle >= limit or not self.advance(DRAIN_STEP):
            facts.saturated = facts.saturated or not facts.drained
            facts.phase = "done"

    # What depends on what is sent.

    def advance(self, cycles: int) -> bool:
        """So many cycles; False when a deadlock ended the run."""
        engine, c, facts = self.engine, self.config, self.facts
        last = engine.cycle + cycles
        while engine.cycle < last and facts.deadlock is None:
            step = min(last, facts.next_check, engine.cycle + c.deadlock_cycles) - engine.cycle
            facts.cpu_seconds += engine.advance(step)
            still = engine.still
            if engine.cycle >= facts.next_check:
                facts.next_check += c.check_every_cycles
                self.check()
                wait = longest_wait(engine)
                facts.longest_wait = max(facts.longest_wait, wait)
                still = still or wait > c.deadlock_cycles
            if still and engine.flits_inside:
                facts.deadlock = find_deadlock(engine)
        return facts.deadlock is None

    def check(self) -> None:
        """The conservation laws, unless they were checked at this cycle."""
        if self.facts.checked != self.engine.cycle:
            check(self.engine)
            self.facts.checked = self.engine.cycle

    def started(self) -> bool:
        """Whether the start-up transient is over, as far as can be detected."""
        rows = self.engine.batches[: self.engine.cycle // self.config.batch_cycles]
        rows = rows[rows[:, BATCH_ROW.packets] > 0]
        return start_passed(rows[:, BATCH_ROW.latency] / rows[:, BATCH_ROW.packets])

    def open(self) -> None:
        """The window begins: keep what was counted before."""
        self.sent = sent_flits(self.engine)
        self.facts.class_before = self.engine.state.class_flits.tolist()
        self.arrived.append(int(self.engine.counter[self.arrivals]))
        self.engine.state.window[0] = self.engine.cycle

    def sample(self, moved: bool) -> None:
        """A batch of the window is over, or cut by a deadlock."""
        if not moved:
            return
        self.arrived.append(int(self.engine.counter[self.arrivals]))
        now = occupancy(self.engine)
        self.buffered = self.buffered + now if self.occupancy else now
        self.occupancy.append(float(now.sum() / max(1, self.engine.network.channels * self.engine.shape.vcs)))

    def bands(self) -> list[tuple[float, float]]:
        """Mean and half width of each latency that the window is to make precise; none while there is too little."""
        return [self.band(BATCH_ROW.latency)] if self.engine.counter[COUNTER.done_measured] >= 100 else []

    def close(self) -> None:
        """The window is over: subtract what was counted before, and find the accepted load and the lag."""
        engine, facts = self.engine, self.facts
        self.sent = sent_flits(engine) - self.sent
        engine.state.window[1] = facts.end
        cycles = max(1, facts.end - facts.start)
        facts.accepted = float(self.sent[:, engine.shape.link_outputs :].sum() / cycles / engine.shape.terminals)
        arrived = engine.state.class_flits - facts.class_before
        facts.class_accepted = (arrived / cycles / engine.shape.terminals).tolist()
        facts.lag = self.lag()
        if facts.deadlock is None:  # a short run may end before a deadlock has stopped everything
            facts.deadlock = find_deadlock(engine)

    def all_arrived(self) -> bool:
        """Whether all that was created in the window has arrived."""
        counter = self.engine.state.counter
        created = int(self.engine.state.terminal[:, TERMINAL_ROW.next_creation].min()) >= self.facts.end
        return bool(created and counter[COUNTER.created_measured] == counter[COUNTER.done_measured])

    def lag(self) -> float:
        """By what part of the time so far the sources are behind with creating packets, or with sending replies.

        Sources with a limited queue do not fall behind but create less: for them, by what part (noise taken off).
        """
        engine, c, terminal = self.engine, self.config, self.engine.state.terminal
        first = terminal[:, TERMINAL_ROW.reply_first]
        oldest = engine.state.packet[first[first >= 0] // at.PACKET_FIELDS, PACKET_ROW.created]
        replies = float(np.maximum(engine.cycle - oldest, 0).sum() / (max(1, engine.cycle) * len(terminal)))
        if c.source_queue_packets and (load := self.offered_load()) > 0.0:
            packets = load * engine.cycle * engine.shape.terminals / c.mean_packet_flits
            return max(replies, 1.0 - self.facts.accepted / load - 3.0 / math.sqrt(max(packets, 1.0)))
        behind = np.maximum(engine.cycle - terminal[:, TERMINAL_ROW.next_creation], 0)
        by_class = behind.reshape(1 + len(c.more_classes), -1).mean(axis=1)
        return max(replies, float(by_class.max() / max(1, engine.cycle)))

    def offered_load(self) -> float:
        """Load of the first class, its mean over the window so far where it changes."""
        return self.config.mean_load(self.facts.start, self.facts.end)

    # Figures.

    def band(self, sums: int, count: int = BATCH_ROW.packets) -> tuple[float, float]:
        """Mean and half width of one column of the batches over another; a batch holds what arrived in it."""
        rows = self.engine.batches[self.whole_batches()]
        return band(rows[:, sums], rows[:, count])

    def whole_batches(self) -> slice:
        """The batches, counted from cycle 0, that lie entirely in the window so far."""
        size = self.config.batch_cycles
        return slice(-(-self.facts.start // size), self.facts.end // size)

    def accepted_half_width(self) -> float:
        """Half width of the accepted load, from the whole batches since the start of the window."""
        size = self.config.batch_cycles
        flits = np.diff(self.arrived)[: (self.facts.end - self.facts.start) // size]
        return band(flits, np.full(len(flits), size * self.engine.shape.terminals))[1]

    def phase_figures(self) -> dict[str, Any]:
        """What each phase took, and how it ended."""
        facts, cycle = self.facts, self.engine.cycle
        names = ("saturated", "warmup_detected", "warmup_cycles", "measured_cycles", "cycles", "drained")
        found = (facts.saturated, facts.warm, facts.start, facts.end - facts.start, cycle, facts.drained)
        return dict(zip(names, found, strict=True))


def start_passed(means: F64) -> bool:
    """Whether MSER detects the end of the start-up transient in the means of a run's batches."""
    return len(means) >= LEAST_BATCHES and 2 * mser(means) < len(means)


def band(sums: Array, counts: Array) -> tuple[float, float]:
    """Mean and half width of batches' sums over their counts, by batch means of groups of neighboring batches."""
    means = merge_batches(sums, counts, GROUPS)
    return (float(means.mean()) if means.size else math.nan), half_width(means)


def sent_flits(engine: Engine) -> I64:
    """(R, outputs) flits sent so far."""
    s = engine.shape
    counts = engine.state.out_vc.reshape(s.routers, s.outputs, s.vcs, at.OUT_VC_FIELDS)[..., OUT_VC_ROW.sent]
    return counts.sum(axis=2, dtype=np.int64)
