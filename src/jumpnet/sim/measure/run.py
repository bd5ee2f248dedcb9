"""A run of packets to one destination each: what its phases count. Between two steps, all its state is in the
engine's arrays and in its fields; `checkpoint` saves both. Used by `simulate`.
"""

from __future__ import annotations

import math

import numpy as np

from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.measure.checks import check, longest_wait, occupancy
from jumpnet.sim.measure.deadlock import find_deadlock
from jumpnet.sim.measure.phases import Phases, band, start_passed
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import BATCH_ROW, COUNTER, PACKET_ROW, TERMINAL_ROW

__all__ = ["Run"]

NO_WINDOW = 1 << 40


class Run(Phases):
    """A run of an engine that stands at cycle 0."""

    arrivals = COUNTER.ejected

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine.config)
        self.engine = engine
        self.occupancy: list[float] = []
        """Mean flits of an input buffer, one sample a batch of the window."""
        self.buffered = np.zeros((0, 0, 0), np.int64)
        """(R, P, vcs) flits in the buffers at the far end of each channel, the samples added up."""
        self.trace_flits = int(engine.state.trace[:, 2].sum())
        engine.state.window[:] = NO_WINDOW
        self.facts.next_check = self.config.check_every_cycles

    def advance(self, cycles: int) -> bool:
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
        rows = self.engine.state.batches[: self.engine.cycle // self.config.batch_cycles]
        rows = rows[rows[:, BATCH_ROW.packets] > 0]
        return start_passed(rows[:, BATCH_ROW.latency] / rows[:, BATCH_ROW.packets])

    def open(self) -> None:
        super().open()
        self.engine.state.window[0] = self.engine.cycle

    def sample(self, moved: bool) -> None:
        engine = self.engine
        if moved:
            super().sample(moved)
            now = occupancy(engine)
            self.buffered = self.buffered + now if self.occupancy else now
            self.occupancy.append(float(now.sum() / max(1, engine.network.channels * engine.shape.vcs)))

    def bands(self) -> list[tuple[float, float]]:
        return [self.band(BATCH_ROW.latency)] if self.engine.state.counter[COUNTER.done_measured] >= 100 else []

    def close(self) -> None:
        super().close()
        engine, facts = self.engine, self.facts
        engine.state.window[1] = facts.end
        cycles = max(1, facts.end - facts.start)
        facts.accepted = float(self.sent[:, engine.shape.link_outputs :].sum() / cycles / engine.shape.terminals)
        facts.lag = _lag(engine, facts.accepted)
        if facts.deadlock is None:  # a short run may end before a deadlock has stopped everything
            facts.deadlock = find_deadlock(engine)

    def all_arrived(self) -> bool:
        counter = self.engine.state.counter
        created = int(self.engine.state.terminal[:, TERMINAL_ROW.next_creation].min()) >= self.facts.end
        return bool(created and counter[COUNTER.created_measured] == counter[COUNTER.done_measured])

    def band(self, sums: int, count: int = BATCH_ROW.packets) -> tuple[float, float]:
        """Mean and half width of one column of the batches over another; a batch holds what arrived in it."""
        rows = self.engine.state.batches[self.whole_batches()]
        return band(rows[:, sums], rows[:, count])


def _lag(engine: Engine, accepted: float) -> float:
    """By what part of the time so far the sources are behind with creating packets, or with sending replies.

    Sources with a limited queue do not fall behind but create less: for them, by what part (noise taken off).
    """
    terminal = engine.state.terminal
    first = terminal[:, TERMINAL_ROW.reply_first]
    oldest = engine.state.packet[first[first >= 0] // at.PACKET_FIELDS, PACKET_ROW.created]
    replies = float(np.maximum(engine.cycle - oldest, 0).sum() / (max(1, engine.cycle) * len(terminal)))
    c = engine.config
    if c.source_queue_packets and c.load > 0.0:
        packets = c.load * engine.cycle * engine.shape.terminals / c.mean_packet_flits
        return max(replies, 1.0 - accepted / c.load - 3.0 / math.sqrt(max(packets, 1.0)))
    behind = np.maximum(engine.cycle - terminal[:, TERMINAL_ROW.next_creation], 0)
    by_class = behind.reshape(1 + len(c.more_classes), -1).mean(axis=1)
    return max(replies, float(by_class.max() / max(1, engine.cycle)))
