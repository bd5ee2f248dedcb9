"""Simulate one point: warm up, measure, drain, and report whether it converged, saturated or deadlocked.

`simulate("torus:8x8", load=0.2)` is the whole interface; `measure.measure` does the same with an existing `Engine`.
Used by the command line, the search for saturation and the papers' figures.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, Routing
from jumpnet.sim.config.sim_config import SimConfig, changed
from jumpnet.sim.config.unknown import refuse_unknown
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.measure.checkpoint import Checkpoint
from jumpnet.sim.measure.measure import for_trace, measure
from jumpnet.sim.result.point import Result
from jumpnet.topology import as_network
from jumpnet.traffic import PacketList

__all__ = ["simulate"]


@public
def simulate(
    network: str | Network,
    routing: str | Routing | BoundRouting | None = None,
    config: SimConfig | None = None,
    *,
    name: str = "booksim",
    trace: PacketList | None = None,
    checkpoint: Checkpoint | None = None,
    threads: int | None = None,
    **settings: Any,
) -> Result:
    """Latency, throughput and the rest of one network under one load.

    `network` is a spec or a Network; `routing` a name, None for the family's default; the settings are those of
    `SimConfig`, on top of `config` or else of the preset `name`; `trace` replays recorded packets instead of the
    traffic, and measures them all unless the settings name a warm-up or a window; `checkpoint` keeps a long run in a
    file and goes on from it; `threads` share one run of a large network out, None means as many as pay
    (`team.threads_for`), and the result is the same for any number. Raises JumpnetError for bad settings and for runs
    that do not fit in memory.

    >>> point = simulate("torus:4x4", "torus.dimension_order", load=0.05, packet_flits="1", vcs=2)
    >>> point.saturated, round(point.accepted_load, 2), round(point.hops_mean, 1)
    (False, 0.05, 3.1)
    """
    net = as_network(network)
    refuse_unknown(settings, SimConfig.model_fields, ("routing", "config", "name", "trace", "checkpoint", "threads"))
    chosen = changed(config, name, settings)
    if trace is not None and (chosen.reply_flits or chosen.exchange_flits or chosen.more_classes):
        raise JumpnetError("a trace with reply_flits, exchange_flits or more_classes found, one of them expected")
    if trace is not None and not isinstance(trace, PacketList):
        raise JumpnetError(f"trace {trace!r:.40} found, a PacketList (as jumpnet.traffic.read_packets gives) expected")
    if threads is not None and (not isinstance(threads, int) or threads < 1):
        raise JumpnetError(f"{threads!r} threads found, at least 1 expected")
    if checkpoint is not None and not isinstance(checkpoint, Checkpoint):
        raise JumpnetError(
            f"checkpoint {checkpoint!r:.40} found, a jumpnet.sim.measure.checkpoint.Checkpoint(path) expected"
        )
    engine = Engine(net, routing, for_trace(chosen, trace), trace, threads)
    return replace(measure(engine, checkpoint), bound=engine.routing)
