"""Simulate one point: warm up, measure, drain, and say plainly whether it converged, saturated or deadlocked.

`simulate("torus:8x8", load=0.2)` is the whole interface; `measure` does the same with an `Engine` of one's own. Used by
the command line, the search for saturation, the studies and the papers' figures.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.network import Network
from jumpnet.routing import BoundRouting, Routing, default_routing
from jumpnet.sim import _layout as at
from jumpnet.sim.checks import check, find_deadlock, longest_wait, occupancy
from jumpnet.sim.config import SimConfig, preset
from jumpnet.sim.engine import Engine
from jumpnet.sim.result import Result
from jumpnet.sim.statistics import half_width, jain, merge_batches, mser, percentile
from jumpnet.terms import F64, I64, NO_ROUTER
from jumpnet.topology import build
from jumpnet.traffic import PacketList

__all__ = ["LAG_LIMIT", "measure", "simulate"]

LAG_LIMIT = 0.02
"""A run is saturated when its sources fall behind by more than this part of the time."""
LEAST_BATCHES = 10
DRAIN_STEP = 256


class _Run:
    """A run in progress: advances in steps, with the checks every so often."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.cpu_seconds = 0.0
        self.deadlock: list[tuple[int, int, int]] | None = None
        self.longest_wait = 0
        self.occupancy: list[float] = []
        self._next_check = engine.config.check_every_cycles

    def advance(self, cycles: int) -> bool:
        """So many cycles; False when a deadlock ended the run."""
        engine, c = self.engine, self.engine.config
        last = engine.cycle + cycles
        while engine.cycle < last and self.deadlock is None:
            step = min(last, self._next_check, engine.cycle + c.deadlock_cycles) - engine.cycle
            self.cpu_seconds += engine.advance(step)
            counter = engine.state.counter
            inside = counter[at.C_ENTERED] > counter[at.C_LEFT]
            still = engine.cycle - int(counter[at.C_MOVED]) > c.deadlock_cycles
            if engine.cycle >= self._next_check:
                self._next_check += c.check_every_cycles
                check(engine)
                wait = longest_wait(engine)
                self.longest_wait = max(self.longest_wait, wait)
                still = still or wait > c.deadlock_cycles
            if inside and still:
                self.deadlock = find_deadlock(engine)
        return self.deadlock is None

    def sample(self) -> None:
        """One sample of buffer occupancy."""
        self.occupancy.append(occupancy(self.engine))


def _latency_means(engine: Engine, first: int, last: int) -> F64:
    """Mean packet latency of the batches first..last-1, by delivery; nan for a batch without packets."""
    rows = engine.state.batches[first:last]
    return np.where(rows[:, 0] > 0, rows[:, 1] / np.maximum(rows[:, 0], 1), math.nan)


def _warm_up(run: _Run) -> bool:
    """Advance until the start-up has passed; False when it was not seen to pass."""
    engine, c = run.engine, run.engine.config
    if c.warmup_cycles is not None:
        return run.advance(c.warmup_cycles) or run.deadlock is None
    while engine.cycle + c.batch_cycles <= c.max_cycles // 2:
        if not run.advance(c.batch_cycles):
            return False
        series = _latency_means(engine, 0, engine.cycle // c.batch_cycles)
        full = series[~np.isnan(series)]
        if len(full) >= LEAST_BATCHES and 2 * mser(full) < len(full):
            return True
    return False


def _precision(engine: Engine, start: int, end: int) -> tuple[float, float]:
    """Mean and half width of packet latency from the whole batches between two cycles, in ten to twenty groups."""
    size = engine.config.batch_cycles
    rows = engine.state.batches[-(-start // size) : end // size]
    if not len(rows):
        return math.nan, math.inf
    means = merge_batches(rows[:, 1], rows[:, 0], 20)
    return (float(means.mean()) if means.size else math.nan), half_width(means)


def _run_window(run: _Run) -> None:
    """Advance through the measured window."""
    engine, c = run.engine, run.engine.config
    start = engine.cycle
    end = start + c.measure_cycles if c.measure_cycles is not None else max(c.max_cycles, start + c.batch_cycles)
    while engine.cycle < end and run.advance(min(c.batch_cycles, end - engine.cycle)):
        run.sample()
        if c.measure_cycles is None and engine.cycle - start >= LEAST_BATCHES * c.batch_cycles:
            mean, width = _precision(engine, start, engine.cycle)
            enough = engine.state.counter[at.C_DONE_MEASURED] >= 100
            if enough and width <= c.precision * mean and engine.cycle - start >= 4 * mean:
                return


def _lag(engine: Engine, accepted: float) -> float:
    """By what part of the time so far the sources are behind with creating packets.

    Sources with a limited queue do not fall behind but create less: for them, by what part (noise taken off).
    """
    c = engine.config
    if c.source_queue_packets and c.load > 0.0:
        packets = c.load * engine.cycle * engine.shape.terminals / c.mean_packet_flits
        return max(0.0, 1.0 - accepted / c.load - 3.0 / math.sqrt(max(packets, 1.0)))
    behind = engine.cycle - engine.state.terminal[:, at.NEXT_CREATION]
    return float(np.maximum(behind, 0).mean() / max(1, engine.cycle))


def _offered(engine: Engine) -> float:
    """Offered load: the setting, or the flits of a trace over the cycles up to its last packet."""
    trace = engine.state.trace
    if not len(trace):
        return engine.config.load
    return float(trace[:, 2].sum() / (engine.shape.terminals * (int(trace[:, 0].max()) + 1)))


def _drain(run: _Run, limit: int) -> bool:
    """Go on until all measured packets have arrived; False when they did not within the limit."""
    engine = run.engine
    last = engine.cycle + limit
    while True:
        counter = engine.state.counter
        created = int(engine.state.terminal[:, at.NEXT_CREATION].min()) >= engine.state.window[1]
        if created and counter[at.C_CREATED_MEASURED] == counter[at.C_DONE_MEASURED]:
            return True
        if engine.cycle >= last or not run.advance(DRAIN_STEP):
            return False


def _flits(engine: Engine) -> I64:
    """(R, outputs) flits sent so far."""
    s = engine.shape
    counts = engine.state.outlet.reshape(s.routers, s.outputs, s.vcs, at.OUTLET_FIELDS)[..., at.COUNT]
    return counts.sum(axis=2, dtype=np.int64)


def _latency_figures(engine: Engine) -> dict[str, Any]:
    counter, histogram = engine.state.counter, engine.state.histogram
    done = int(counter[at.C_DONE_MEASURED])
    per_packet = 1.0 / done if done else math.nan
    figures: dict[str, Any] = {
        "packet_latency_mean_cycles": float(counter[at.C_LATENCY_SUM]) * per_packet,
        "network_latency_mean_cycles": float(counter[at.C_NETWORK_SUM]) * per_packet,
        "flit_latency_mean_cycles": counter[at.C_FLIT_SUM] / counter[at.C_FLITS] if done else math.nan,
        "hops_mean": float(counter[at.C_HOPS_SUM]) * per_packet,
    }
    for name, row in (("packet", histogram[0]), ("network", histogram[1])):
        for q in (50, 90, 99):
            figures[f"{name}_latency_p{q}_cycles"] = percentile(row, q / 100)
    figures["packet_latency_max_cycles"] = int(counter[at.C_MAX_LATENCY]) if done else math.nan
    return figures


def _load_figures(engine: Engine, sent: I64, cycles: int) -> tuple[dict[str, Any], F64]:
    """Loads of channels by rank, and the (R, P) loads."""
    net, s = engine.network, engine.shape
    load = np.where(net.neighbor != NO_ROUTER, sent[:, : s.link_outputs] / max(1, cycles), math.nan)
    figures: dict[str, Any] = {"channel_load_mean": math.nan, "channel_load_max": math.nan, "channel_load_by_rank": {}}
    there = net.neighbor != NO_ROUTER
    if there.any():
        figures["channel_load_mean"], figures["channel_load_max"] = float(load[there].mean()), float(load[there].max())
        rank = net.class_rank[net.link_class[there]]
        figures["channel_load_by_rank"] = {int(k): float(load[there][rank == k].mean()) for k in np.unique(rank)}
    return figures, load


def measure(engine: Engine) -> Result:
    """Run an engine that stands at cycle 0 as its configuration says, and measure it."""
    c, run = engine.config, _Run(engine)
    engine.state.window[:] = 1 << 40
    warm = _warm_up(run)
    start = engine.cycle
    engine.state.window[0] = start
    before = _flits(engine)
    if run.deadlock is None:
        _run_window(run)
    end = engine.cycle
    cycles = end - start
    sent = _flits(engine) - before
    engine.state.window[1] = end
    terminals = engine.shape.terminals
    accepted = float(sent[:, engine.shape.link_outputs :].sum() / max(1, cycles) / terminals)
    lag = _lag(engine, accepted)
    mean, width = _precision(engine, start, end)
    saturated = lag > LAG_LIMIT or run.deadlock is not None
    drained = False
    if c.drain and not saturated:
        drained = _drain(run, max(10_000, 4 * cycles))
        saturated = (not drained and run.deadlock is None) or run.deadlock is not None
    check(engine)
    counter = engine.state.counter
    loads, channel_load = _load_figures(engine, sent, cycles)
    by_source = engine.state.by_source
    figures: dict[str, Any] = {
        "offered_load": _offered(engine),
        "accepted_load": accepted,
        **_latency_figures(engine),
        "packet_latency_half_width_cycles": width,
        "converged": bool(warm and not saturated and width <= c.precision * mean),
        "saturated": bool(saturated),
        "warmup_detected": bool(warm),
        "warmup_cycles": start,
        "measured_cycles": cycles,
        "cycles": engine.cycle,
        "drained": drained,
        "packets": int(counter[at.C_DONE_MEASURED]),
        "flit_hops": int(counter[at.C_FLIT_HOPS]),
        "cpu_seconds": run.cpu_seconds,
        "flit_hops_per_cpu_second": float(counter[at.C_FLIT_HOPS]) / max(run.cpu_seconds, 1e-9),
        "source_lag": lag,
        **loads,
        "buffer_occupancy_mean_flits": float(np.mean(run.occupancy)) if run.occupancy else math.nan,
        "accepted_min_by_source": float(by_source.min() / max(1, cycles)),
        "accepted_max_by_source": float(by_source.max() / max(1, cycles)),
        "fairness_jain": jain(by_source),
        "longest_wait_cycles": max(run.longest_wait, longest_wait(engine)),
        "starved": bool(run.longest_wait > 10 * c.deadlock_cycles),
        "deadlock": run.deadlock,
    }
    return Result(
        spec=engine.network.spec,
        routing=engine.routing.name,
        config=c.replace(vcs=engine.routing.vcs),
        figures=figures,
        latency_histogram=engine.state.histogram[0].copy(),
        network_latency_histogram=engine.state.histogram[1].copy(),
        channel_load=channel_load,
        buffer_occupancy=np.array(run.occupancy),
        events=engine.events() if c.events else None,
    )


def simulate(
    network: str | Network,
    routing: str | Routing | BoundRouting | None = None,
    config: SimConfig | None = None,
    *,
    name: str = "booksim",
    trace: PacketList | None = None,
    **settings: Any,
) -> Result:
    """Latency, throughput and the rest of one network under one load.

    `network` is a spec or a Network; `routing` a name, None for the family's default; the settings are those of
    `SimConfig`, on top of `config` or else of the preset `name`; `trace` replays recorded packets instead of the
    traffic. Raises JumpnetError for bad settings and for runs that do not fit in memory.

    >>> point = simulate("torus:4x4", "torus.dimension_order", load=0.05, packet_flits="1", vcs=2)
    >>> point.saturated, round(point.accepted_load, 2), round(point.hops_mean, 1)
    (False, 0.05, 3.1)
    """
    net = build(network) if isinstance(network, str) else network
    chosen = config.replace(**settings) if config is not None else preset(name, **settings)
    if trace is not None and chosen.reply_flits:
        raise JumpnetError("a trace together with reply_flits found, one of them expected")
    return measure(Engine(net, default_routing(net) if routing is None else routing, chosen, trace))
