"""Batches: by sets, by lists and as the engine chooses, against a closed loop around the plain-Python twin.

Networks, routings and settings are those that `engine_draws` draws, as far as packets from outside take them; each
packet's cycles of creation and arrival are compared.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
from tests.attack.drawn.engine_draws import build_case, drawn
from tests.attack.pairs.outside import REFUSED

from jumpnet.routings import BoundRouting
from jumpnet.sim.batches import _Batch, _packets, send_batches
from jumpnet.sim.config import SimConfig
from jumpnet.sim.measure.checks import check
from jumpnet.sim.memory import layout as at
from jumpnet.sim.outside import Outside
from jumpnet.sim.reference.simulation import Simulation
from jumpnet.terms import I64
from jumpnet.topology import build
from jumpnet.traffic import bind as bind_traffic

__all__ = ["compared"]

MOST_ROUTERS = 70
TWIN_WORK = 12_000
"""Routers times cycles of the plain-Python twin."""
LONG = 4000
"""Cycles: the twin gives up here."""

Plan = list[tuple[I64, I64]]
"""Of each batch the terminals to which packets go and their lengths, (T, count) each."""
Told = list[tuple[int, int, int]]
"""Number, creation and arrival of each packet."""


def _sent(bound: BoundRouting, config: SimConfig, plan: Plan, outstanding: int, sets: bool | None) -> Told:
    """The packets of all batches, as they arrived."""
    network, start = Outside(bound.network, bound, config, sets=sets), 0
    found: Told = []
    take = network.take

    def told() -> tuple[I64, I64, I64]:
        columns = take()
        found.extend(zip(*(column.tolist() for column in columns), strict=True))
        return columns

    network.take = told  # type: ignore[method-assign]
    for k, (to, flits) in enumerate(plan):
        start = _Batch(network, k * to.size, start, to, flits).run(outstanding) + 1
    check(network.engine)
    return sorted(found)


class _Loop:
    """A batch under way in the twin."""

    def __init__(self, slow: Simulation, first: int, to: I64, flits: I64) -> None:
        self.slow, self.first, self.count = slow, first, to.shape[1]
        rows = zip(to.tolist(), flits.tolist(), strict=True)
        self.waiting = [[(t, f) for t, f in zip(*row, strict=True) if t >= 0] for row in rows]
        self.sent = [0] * len(to)
        self.created: dict[int, int] = {}
        self.arrived: dict[int, int] = {}

    def send(self, i: int, cycle: int) -> None:
        """Terminal i creates the next of its packets, if any is left."""
        k = self.sent[i]
        if k < len(self.waiting[i]):
            number, (to, flits), terminal = self.first + i * self.count + k, self.waiting[i][k], self.slow.terminals[i]
            terminal.sources[0].queue.append(terminal.packet(to, flits, cycle, 0, number))
            self.created[number] = cycle
            self.sent[i] += 1

    def hear(self, event: tuple[int, ...]) -> None:
        """Whose packet has come whole sends the next one in the cycle after."""
        cycle, kind, source, number, _, flit, *_ = event
        if kind == at.EVENT_ARRIVE and flit == self.waiting[source][(number - self.first) % self.count][1] - 1:
            self.arrived[number] = cycle
            self.send(source, cycle + 1)

    def run(self, outstanding: int) -> Told:
        """Send it all."""
        start = self.slow.cycle
        for i in range(len(self.sent)):
            for _ in range(min(self.count, outstanding or self.count)):
                self.send(i, start)
        heard = len(self.slow.events)
        while self.slow.cycle < LONG and len(self.arrived) < len(self.created):
            self.slow.run(1)
            for event in sorted(self.slow.events[heard:]):
                self.hear(event)
            heard = len(self.slow.events)
        return sorted((number, cycle, self.arrived.get(number, -1)) for number, cycle in self.created.items())


def _twin(bound: BoundRouting, config: SimConfig, plan: Plan, outstanding: int) -> Told:
    """The batches in the twin: one begins in the cycle after the last flit of the one before has come."""
    slow, found = Simulation(bound.network, bound, config.replace(load=0.0)), list[tuple[int, int, int]]()
    for k, (to, flits) in enumerate(plan):
        found += _Loop(slow, k * to.size, to, flits).run(outstanding)
    return found


def compared(draw: Random, seen: Counter[str]) -> tuple[Any, str]:
    """One case, and how it differs."""
    while True:
        case, _ = drawn(str(draw.random()))
        if build(case.spec).routers <= MOST_ROUTERS:
            break
    settings = {name: value for name, value in case.settings.items() if name not in REFUSED}
    settings["priority"] = "age" if draw.random() < 0.1 and not settings.get("speculation") else "none"
    bound, config = build_case(case._replace(settings=settings))
    count, times, outstanding = draw.randint(1, 30), draw.randint(1, 3), draw.choice([0, 1, 2, 3, 8, 40])
    about = f"{case.spec} {case.routing} vcs {case.vcs} latencies {case.latencies} {settings}"
    about += f"; {times} batches of {count}, {outstanding} outstanding"
    whole = send_batches(bound.network, bound, config, packets=count, count=times, outstanding=outstanding)
    config = whole.config
    pattern = bind_traffic(config.traffic, bound.network)
    plan = [_packets(pattern, config, count, batch) for batch in range(times)]
    first = _sent(bound, config, plan, outstanding, False)
    seen["limited" if outstanding else "all at once"] += 1
    if not first:
        seen["nothing is sent"] += 1
        return about, ""
    for sets in (True, None):
        if (found := _sent(bound, config, plan, outstanding, sets)) != first:
            return about, f"sets {sets}: {_unlike(found, first)}"
    ends = [max((t for number, _, t in first if number // to.size == k), default=-1) for k, (to, _) in enumerate(plan)]
    if whole.batch_cycles != np.diff([-1, *ends]).tolist():
        return about, f"cycles of batches: {whole.batch_cycles}, {ends} the last arrivals"
    if bound.network.routers * ends[-1] <= TWIN_WORK:
        seen["the twin"] += 1
        if (slow := _twin(bound, config, plan, outstanding)) != first:
            return about, f"twin: {_unlike(slow, first)}"
    return about, ""


def _unlike(found: Told, expected: Told) -> str:
    rows = [pair for pair in zip(found, expected, strict=False) if pair[0] != pair[1]]
    return f"{rows[:2]}, {len(rows)} rows; {len(found)} and {len(expected)} packets"
