"""A run's phases: warm-up, measured window, drain; one batch at a time, so that a run can be kept and gone on with.

`Run.step` advances by one batch (or one step of the drain) and says by `phase` what comes next. Between two steps
everything that a run knows is in the engine's arrays and in the fields of `Run`; `checkpoint` writes both. Used by
`simulate`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from jumpnet.sim.checks import check, longest_wait, occupancy
from jumpnet.sim.deadlock import find_deadlock
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.sim.statistics import half_width, merge_batches, mser
from jumpnet.terms import F64, I64

__all__ = ["LAG_LIMIT", "Facts", "Phase", "Run", "sent_flits"]

LAG_LIMIT = 0.02
"""A run is saturated when its sources fall behind by more than this part of the time."""
LEAST_BATCHES = 10
GROUPS = 20
"""Groups of neighboring batches that a confidence interval is made from (ten to twenty)."""
DRAIN_STEP = 256
NO_WINDOW = 1 << 40
SLOWEST = 8
"""Cycles that the drain waits for each flit of a trace: they may all come at once and pass through one channel."""

Phase = Literal["warm-up", "window", "drain", "done"]


@dataclass
class Facts:
    """What a run remembers besides arrays; plain numbers, so that it can be written as JSON."""

    phase: Phase = "warm-up"
    warm: bool = False
    """Whether the start-up was seen to pass."""
    start: int = 0
    """First cycle of the measured window."""
    end: int = 0
    """First cycle after it."""
    accepted: float = 0.0
    """Accepted load in the window, flits per terminal and cycle."""
    lag: float = 0.0
    """By what part of the time the sources are behind at the end of the window."""
    drained: bool = False
    """Whether all measured packets have arrived."""
    saturated: bool = False
    deadlock: list[tuple[int, int, int]] | None = None
    """Channels (router, port, vc) that wait for each other, when a deadlock ended the run."""
    longest_wait: int = 0
    checked: int = -1
    """Cycle at which the conservation laws were checked last."""
    next_check: int = 0
    cpu_seconds: float = 0.0


@dataclass
class Run:
    """A run of an engine that stands at cycle 0."""

    engine: Engine
    facts: Facts = field(default_factory=Facts)
    occupancy: list[float] = field(default_factory=list)
    """Mean flits of an input buffer, one sample a batch of the window."""
    left: list[int] = field(default_factory=list)
    """Flits ejected so far, at the start of the window and after each of its batches."""
    held: I64 = field(default_factory=lambda: np.zeros((0, 0, 0), np.int64))
    """(R, P, vcs) flits in the buffers at the far end of each channel, the samples added up."""
    sent: I64 = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    """(R, outputs) flits sent: before the window, and once it is over in the window."""

    def __post_init__(self) -> None:
        self.engine.state.window[:] = NO_WINDOW
        self.facts.next_check = self.engine.config.check_every_cycles

    def step(self) -> None:
        """Advance by one batch at most, and go to the next phase when this one is over."""
        if self.facts.phase == "warm-up":
            self._warm_up()
        elif self.facts.phase == "window":
            self._window()
        elif self.facts.phase == "drain":
            self._drain()

    def advance(self, cycles: int) -> bool:
        """So many cycles, with the checks every so often; False when a deadlock ended the run."""
        engine, c, facts = self.engine, self.engine.config, self.facts
        last = engine.cycle + cycles
        while engine.cycle < last and facts.deadlock is None:
            step = min(last, facts.next_check, engine.cycle + c.deadlock_cycles) - engine.cycle
            facts.cpu_seconds += engine.advance(step)
            counter = engine.state.counter
            inside = counter[at.C_ENTERED] > counter[at.C_LEFT]
            still = engine.cycle - int(counter[at.C_MOVED]) > c.deadlock_cycles
            if engine.cycle >= facts.next_check:
                facts.next_check += c.check_every_cycles
                self.check()
                wait = longest_wait(engine)
                facts.longest_wait = max(facts.longest_wait, wait)
                still = still or wait > c.deadlock_cycles
            if inside and still:
                facts.deadlock = find_deadlock(engine)
        return facts.deadlock is None

    def check(self) -> None:
        """The conservation laws, unless they were checked at this cycle."""
        if self.facts.checked != self.engine.cycle:
            check(self.engine)
            self.facts.checked = self.engine.cycle

    def _warm_up(self) -> None:
        """One batch of the warm-up: over after the cycles given, or when MSER sees the start-up pass."""
        engine, c = self.engine, self.engine.config
        given = c.warmup_cycles
        left = (c.max_cycles // 2 // c.batch_cycles * c.batch_cycles if given is None else given) - engine.cycle
        moved = self.advance(min(c.batch_cycles, left))
        if given is None and moved and left > 0:
            full = _latency_means(engine, 0, engine.cycle // c.batch_cycles)
            self.facts.warm = len(full) >= LEAST_BATCHES and 2 * mser(full) < len(full)
        elif given is not None:
            self.facts.warm = moved
        if not moved or left <= c.batch_cycles or (given is None and self.facts.warm):
            self._open()

    def _open(self) -> None:
        """The measured window begins, or the run ends here by a deadlock."""
        self.facts.start = self.facts.end = self.engine.cycle
        self.engine.state.window[0] = self.engine.cycle
        self.sent, self.left = sent_flits(self.engine), [int(self.engine.state.counter[at.C_LEFT])]
        self.facts.phase = "window"
        if self.facts.deadlock is not None:
            self._close()

    def _window(self) -> None:
        """One batch of the window: over after the cycles given, or when the latency is known to the precision."""
        engine, c, start = self.engine, self.engine.config, self.facts.start
        end = start + c.measure_cycles if c.measure_cycles is not None else max(c.max_cycles, start + c.batch_cycles)
        moved = self.advance(min(c.batch_cycles, end - engine.cycle))
        if moved:
            now = occupancy(engine)
            self.held = self.held + now if self.occupancy else now
            self.occupancy.append(float(now.sum() / max(1, engine.network.channels * engine.shape.vcs)))
            self.left.append(int(engine.state.counter[at.C_LEFT]))
        if not moved or engine.cycle >= end or (c.measure_cycles is None and self._precise()):
            self._close()

    def _precise(self) -> bool:
        c, cycles = self.engine.config, self.engine.cycle - self.facts.start
        if cycles < LEAST_BATCHES * c.batch_cycles or self.engine.state.counter[at.C_DONE_MEASURED] < 100:
            return False
        mean, width = self.band(at.BATCH_LATENCY)
        return width <= c.precision * mean and cycles >= 4 * mean

    def _close(self) -> None:
        """The window is over: accepted load, the verdict on saturation, and whether to drain."""
        engine, facts = self.engine, self.facts
        facts.end = engine.cycle
        engine.state.window[1] = facts.end
        self.sent = sent_flits(engine) - self.sent
        cycles = max(1, facts.end - facts.start)
        facts.accepted = float(self.sent[:, engine.shape.link_outputs :].sum() / cycles / engine.shape.terminals)
        facts.lag = _lag(engine, facts.accepted)
        if facts.deadlock is None:  # a short run may end before a deadlock has stopped everything
            facts.deadlock = find_deadlock(engine)
        facts.saturated = facts.lag > LAG_LIMIT or facts.deadlock is not None
        ends = facts.deadlock is None if len(engine.state.trace) else not facts.saturated  # a trace does, behind or not
        facts.phase = "drain" if engine.config.drain and ends else "done"

    def _drain(self) -> None:
        """Go on until all measured packets have arrived, or too long."""
        engine, facts = self.engine, self.facts
        counter = engine.state.counter
        created = int(engine.state.terminal[:, at.NEXT_CREATION].min()) >= facts.end
        facts.drained = bool(created and counter[at.C_CREATED_MEASURED] == counter[at.C_DONE_MEASURED])
        at_once = SLOWEST * int(engine.state.trace[:, 2].sum())
        limit = facts.end + max(10_000, 4 * (facts.end - facts.start), at_once)
        if facts.drained or engine.cycle >= limit or not self.advance(DRAIN_STEP):
            facts.saturated = facts.saturated or not facts.drained
            facts.phase = "done"

    def band(self, sums: int, count: int = at.BATCH_PACKETS) -> tuple[float, float]:
        """Mean and half width of one column of the batches over another, from the whole batches of the window.

        Batch means of ten to twenty groups of neighboring batches; by delivery, a batch holds what arrived in it.
        """
        size = self.engine.config.batch_cycles
        last = self.facts.end if self.facts.phase in ("drain", "done") else self.engine.cycle
        rows = self.engine.state.batches[-(-self.facts.start // size) : last // size]
        if not len(rows):
            return math.nan, math.inf
        means = merge_batches(rows[:, sums], rows[:, count], GROUPS)
        return (float(means.mean()) if means.size else math.nan), half_width(means)

    def accepted_half_width(self) -> float:
        """Half width of the accepted load, from the whole batches of the window as in `band`."""
        size = self.engine.config.batch_cycles
        flits = np.diff(self.left)[: (self.facts.end - self.facts.start) // size]
        return half_width(merge_batches(flits, np.full(len(flits), size * self.engine.shape.terminals), GROUPS))


def _latency_means(engine: Engine, first: int, last: int) -> F64:
    """Mean packet latency of those batches first..last-1 that delivered packets."""
    rows = engine.state.batches[first:last]
    rows = rows[rows[:, at.BATCH_PACKETS] > 0]
    return np.asarray(rows[:, at.BATCH_LATENCY] / rows[:, at.BATCH_PACKETS])


def _lag(engine: Engine, accepted: float) -> float:
    """By what part of the time so far the sources are behind with creating packets, or with sending replies.

    Sources with a limited queue do not fall behind but create less: for them, by what part (noise taken off).
    """
    terminal = engine.state.terminal
    first = terminal[:, at.REPLY_FIRST]
    oldest = engine.state.packet[first[first >= 0] // at.PACKET_FIELDS, at.CREATED]
    replies = float(np.maximum(engine.cycle - oldest, 0).sum() / (max(1, engine.cycle) * len(terminal)))
    c = engine.config
    if c.source_queue_packets and c.load > 0.0:
        packets = c.load * engine.cycle * engine.shape.terminals / c.mean_packet_flits
        return max(replies, 1.0 - accepted / c.load - 3.0 / math.sqrt(max(packets, 1.0)))
    behind = engine.cycle - terminal[:, at.NEXT_CREATION]
    return max(replies, float(np.maximum(behind, 0).mean() / max(1, engine.cycle)))


def sent_flits(engine: Engine) -> I64:
    """(R, outputs) flits sent so far."""
    s = engine.shape
    counts = engine.state.outlet.reshape(s.routers, s.outputs, s.vcs, at.OUTLET_FIELDS)[..., at.COUNT]
    return counts.sum(axis=2, dtype=np.int64)
