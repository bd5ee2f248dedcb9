"""A run of one point to its end, and all the figures that it gives.

`measure` runs an `Engine` through its phases (`run`), with or without a checkpoint; what it adds up is in the engine's
arrays. Used by `simulate`, faults and the studies.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from jumpnet.arrays.checks import whole_numbers
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.measure.checkpoint import Checkpoint
from jumpnet.sim.measure.checks import longest_wait
from jumpnet.sim.measure.run import Run
from jumpnet.sim.measure.statistics import jain, percentile, spread
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.allocate import LAST_CYCLE
from jumpnet.sim.memory.fields import BATCH_ROW, COUNTER
from jumpnet.sim.result.point import LATENCIES, Result
from jumpnet.sim.result.point_name import own_parts
from jumpnet.terms import F64, I64, NO_ROUTER
from jumpnet.traffic import PacketList


def _offered(run: Run) -> float:
    """Offered load: the setting (its mean over the window where it changes), or the flits of a trace over the cycles up
    to its last packet."""
    if not len(trace := run.engine.state.trace):
        return sum([run.offered_load(), *(c.load for c in run.config.more_classes)])
    return run.trace_flits / (run.engine.shape.terminals * (int(trace[:, 0].max()) + 1))


def _latency_figures(sums: I64, packets: int, histograms: I64, name: str = "") -> dict[str, Any]:
    """Latencies and hops of some packets: `sums` from `latency_sum` on, their histograms; `name` goes before."""
    latency, network, flit, flits, hops = (int(n) for n in sums)
    per_packet = 1.0 / packets if packets else math.nan
    figures: dict[str, Any] = {
        f"{name}packet_latency_mean_cycles": latency * per_packet,
        f"{name}network_latency_mean_cycles": network * per_packet,
        f"{name}flit_latency_mean_cycles": flit / flits if flits else math.nan,
        f"{name}hops_mean": hops * per_packet,
    }
    for kind, row in zip(LATENCIES, histograms, strict=True):
        figures |= spread(f"{name}{kind}_latency", row)
    return figures


def _class_figures(histograms: I64, c: int, accepted: float) -> dict[str, Any]:
    """Latencies and throughput of one class of traffic, from its histograms; accepted: flits a terminal and cycle.

    A mean is nan when a latency was too long for them.
    """
    name, figures = f"class_{c}_", {}
    for kind, row in zip(LATENCIES, histograms, strict=True):
        count, whole = int(row.sum()), row[-1] == 0
        figures[f"{name}{kind}_latency_mean_cycles"] = (
            float(row @ np.arange(row.size)) / count if count and whole else math.nan
        )
        figures[f"{name}{kind}_latency_p99_cycles"] = percentile(row, 0.99)
    figures[f"{name}packets"] = int(histograms[0].sum())
    figures[f"{name}accepted_load"] = accepted
    return figures


def _all_latency_figures(engine: Engine, histograms: I64, accepted: list[float]) -> dict[str, Any]:
    """Those of all measured packets, and where there are several classes those of each."""
    counter = engine.state.counter
    both, done = histograms[..., : counter[COUNTER.max_latency] + 1], int(counter[COUNTER.done_measured])
    sums = counter[COUNTER.latency_sum : COUNTER.hops_sum + 1]
    figures = _latency_figures(sums, done, both.sum(axis=0))
    figures["packet_latency_max_cycles"] = int(counter[COUNTER.max_latency]) if done else math.nan
    if engine.config.more_classes:
        for c, of_class in enumerate(histograms):
            figures |= _class_figures(of_class, c, accepted[c])
    elif len(both) > 1:
        replies = counter[COUNTER.reply_latency_sum : COUNTER.reply_latency_sum + len(sums)]
        count = int(counter[COUNTER.reply_latency_sum + len(sums)])
        figures |= {"request_packets": done - count, "reply_packets": count}
        figures |= _latency_figures(sums - replies, done - count, both[0], "request_")
        figures |= _latency_figures(replies, count, both[1], "reply_")
    return figures


def _channel_figures(run: Run) -> tuple[dict[str, Any], F64, F64]:
    """Figures of channels, all and by rank; the (R, P) loads, and the flits in a buffer at their far end."""
    net, s = run.engine.network, run.engine.shape
    there = net.neighbor != NO_ROUTER
    sent = run.sent[:, : s.link_outputs] / max(1, run.facts.end - run.facts.start)
    samples = len(run.occupancy)
    load = np.where(there, sent, math.nan)
    held = np.where(there, run.buffered.sum(axis=2) / (samples * s.vcs) if samples else math.nan, math.nan)
    rank = np.full(there.shape, -1)
    rank[there] = net.class_rank[net.link_class[there]]
    places = {k: rank == k for k in sorted(set(rank[there].tolist()))}

    def by_rank(values: F64, of: Callable[[F64], Any]) -> dict[int, float]:
        return {k: float(of(values[here])) for k, here in places.items()}

    figures: dict[str, Any] = {
        "channel_load_mean": float(load[there].mean()) if there.any() else math.nan,
        "channel_load_max": float(load[there].max()) if there.any() else math.nan,
        "channel_load_by_rank": by_rank(load, np.mean),
        "channel_load_max_by_rank": by_rank(load, np.max),
        "buffer_occupancy_mean_flits": float(np.mean(run.occupancy)) if samples else math.nan,
        "buffer_occupancy_max_flits": float(np.max(run.occupancy)) if samples else math.nan,
        "buffer_occupancy_by_rank_flits": by_rank(held, np.mean) if samples else {},
    }
    return figures, load, held


def measure(engine: Engine, checkpoint: Checkpoint | None = None) -> Result:
    """Run an engine that is at cycle 0 under its configuration, and measure it.

    With a `checkpoint` the run resumes from its file when there is one, and is saved there from time to time; the
    result is the same bit for bit, however often the run was killed.
    """
    run = Run(engine)
    if checkpoint is not None:
        checkpoint.restore(run)
    while run.facts.phase != "done":
        run.step()
        if checkpoint is not None:
            checkpoint.keep(run)
    return _result(run)


def _result(run: Run) -> Result:
    """The figures of a run that is done."""
    engine, facts, c = run.engine, run.facts, run.engine.config
    run.check()
    counter, by_source = engine.state.counter, engine.state.by_source
    cycles = facts.end - facts.start
    histograms = engine.state.histogram.reshape(-1, at.HISTOGRAMS, engine.state.histogram.shape[1])
    packet, network, flit = histograms.sum(axis=0)
    mean, width = run.band(BATCH_ROW.latency)
    channels, channel_load, channel_buffer = _channel_figures(run)
    figures: dict[str, Any] = {
        "offered_load": _offered(run),
        "accepted_load": facts.accepted,
        "accepted_load_half_width": run.accepted_half_width(),
        **_all_latency_figures(engine, histograms, facts.class_accepted),
        "packet_latency_half_width_cycles": width,
        "network_latency_half_width_cycles": run.band(BATCH_ROW.network)[1],
        "flit_latency_half_width_cycles": run.band(BATCH_ROW.flit, BATCH_ROW.flits)[1],
        "converged": bool(facts.warm and not facts.saturated and width <= c.precision * mean),
        **run.phase_figures(),
        "packets": int(counter[COUNTER.done_measured]),
        "flit_hops": int(counter[COUNTER.flit_hops]),
        "cpu_seconds": facts.cpu_seconds,
        "flit_hops_per_cpu_second": float(counter[COUNTER.flit_hops]) / max(facts.cpu_seconds, 1e-9),
        "source_lag": facts.lag,
        **channels,
        "accepted_min_by_source": float(by_source.min() / max(1, cycles)),
        "accepted_max_by_source": float(by_source.max() / max(1, cycles)),
        "fairness_jain": jain(by_source),
        "longest_wait_cycles": max(facts.longest_wait, longest_wait(engine)),
        "starved": bool(facts.longest_wait > 10 * c.deadlock_cycles),
        "deadlocked": facts.deadlock is not None,
        "deadlock": facts.deadlock,
    }
    return Result(
        spec=engine.network.spec,
        routing=engine.routing.name,
        config=c if c.vcs == engine.routing.vcs else c.replace(vcs=engine.routing.vcs),
        figures=figures,
        latency_histogram=packet,
        network_latency_histogram=network,
        flit_latency_histogram=flit,
        reply_histograms=histograms[1].copy() if len(histograms) > 1 and not c.more_classes else None,
        channel_load=channel_load,
        channel_buffer=channel_buffer,
        buffer_occupancy=np.array(run.occupancy),
        batches=engine.batches[: -(-engine.cycle // c.batch_cycles), : len(BATCH_ROW)].copy(),
        events=engine.events() if c.events else None,
        trace=hashlib.sha256(engine.state.trace.tobytes()).hexdigest()[:16] if engine.state.trace_first.size else "",
        own=own_parts(engine.routing, engine.patterns),
    )


def for_trace(config: SimConfig, trace: PacketList | None) -> SimConfig:
    """The settings under which a trace is replayed: measured in full, unless they limit that themselves."""
    if trace is None:
        return config
    config.refuse(("load_steps",), "with a trace")
    warmup = config.warmup_cycles or 0
    cycle = whole_numbers("cycle of the trace", trace.cycle, 0, LAST_CYCLE, np.int64)
    whole = max(1, int(cycle.max(initial=0)) + 1 - warmup)
    measured = whole if config.measure_cycles is None else config.measure_cycles
    return config.replace(warmup_cycles=warmup, measure_cycles=measured)
