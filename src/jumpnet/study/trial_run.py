"""A short run of a point, from which follows what the whole will take: CPU seconds of its first cycles, on this
machine.

A point without a precision runs its cycles; one with has ten batches of warm-up and so many measured as the mean of
packets of exponential latency takes for it, or all that it may where it saturates. Used by `forecast`.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.measure.run import LEAST_BATCHES
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.study.point import simulated

__all__ = ["Tried", "cycles_of", "tried"]

PART = 20
"""The whole run is so many times as long, within the bounds below."""
LEAST_CYCLES, MOST_CYCLES = 200, 1000
STEP_CYCLES = 100
ENOUGH_CPU_SECONDS = 0.3
"""No further step is begun after so long."""
NOISE = 3.0
"""Standard deviations of the packets' number that are no sign of saturation."""
SHORT_OF = 0.95
"""Part of the offered load below which a network is held to be saturated."""
LATENCY_SPREAD = 1.0
"""Standard deviation over mean of a packet's latency, with what neighboring packets have in common: a guess."""
SIGMAS = 2.0
"""Half of a confidence interval, in standard deviations."""
DRAIN_CYCLES = 256


@dataclass(frozen=True)
class Tried:
    """What a short run says of the whole one."""

    saturated: bool
    """Whether the network carries less than it is offered."""
    made_cpu_seconds: float
    """Until its first cycle; of the first such run in a process with the loading of its kernels."""
    cpu_seconds: float
    """Of all cycles of the whole run, at the speed of the last half of the short one."""


def tried(config: dict[str, Any]) -> Tried:
    """Run the first cycles of a resolved point; a twentieth of them, 200 to 1000. Raises what the point would raise."""
    started = time.process_time()
    bound, settings = simulated(config)
    engine = Engine(bound.network, bound, settings)
    made = time.process_time() - started
    whole = cycles_of(engine.config, engine.shape.terminals, False)
    last = min(whole, max(LEAST_CYCLES, min(MOST_CYCLES, whole // PART)))
    steps: list[tuple[int, float, int]] = [(0, 0.0, 0)]
    while engine.cycle < last and sum(seconds for _, seconds, _ in steps) < ENOUGH_CPU_SECONDS:
        seconds = engine.advance(min(STEP_CYCLES, last - engine.cycle))
        steps.append((engine.cycle, seconds, int(engine.counter[COUNTER.ejected])))
    half = steps[len(steps) // 2 :]
    before = steps[len(steps) // 2 - 1]
    cycles, spent = half[-1][0] - before[0], sum(seconds for _, seconds, _ in half)
    replies = 1 + engine.config.reply_flits / engine.config.mean_packet_flits
    load = engine.config.mean_load(before[0], half[-1][0])
    offered = load * replies * cycles * engine.shape.terminals
    noise = NOISE * math.sqrt(offered * engine.config.mean_packet_flits)
    saturated = half[-1][2] - before[2] < SHORT_OF * offered - noise
    whole = cycles_of(engine.config, engine.shape.terminals, saturated)
    return Tried(saturated, made, spent / max(1, cycles) * whole)


def cycles_of(config: SimConfig, terminals: int, saturated: bool) -> int:
    """Cycles of a run, with its drain, as far as they are known before.

    >>> from jumpnet.sim.config.sim_config import config_from
    >>> cycles_of(config_from({"warmup_cycles": 100, "measure_cycles": 300, "load": 0.1}), 64, False)
    656
    >>> cycles_of(config_from({"load": 0.1}), 64, False), cycles_of(config_from({"load": 0.5}), 64, True)
    (30256, 100000)
    """
    batches = LEAST_BATCHES * config.batch_cycles
    warm = config.warmup_cycles if config.warmup_cycles is not None else min(batches, config.max_cycles // 2)
    drain = DRAIN_CYCLES if config.drain and not saturated else 0
    if config.measure_cycles is not None:
        return warm + config.measure_cycles + drain
    packets = (SIGMAS * LATENCY_SPREAD / config.precision) ** 2
    a_cycle = config.load * terminals / config.mean_packet_flits
    needed = config.max_cycles if saturated or not a_cycle else max(batches, math.ceil(packets / a_cycle))
    return min(config.max_cycles, warm + needed) + drain
