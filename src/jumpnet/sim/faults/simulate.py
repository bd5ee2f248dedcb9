"""One point with faults while it runs: `simulate` on the engine of `engine.py` beside it, for `jumpnet simulate`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from jumpnet.api.public import public
from jumpnet.networks import Network
from jumpnet.settings.settings import make
from jumpnet.sim.config.sim_config import preset, split_settings
from jumpnet.sim.faults.engine import FaultyEngine
from jumpnet.sim.faults.plan import Fault, FaultCounts, Recovery, parse_fault
from jumpnet.sim.measure.checkpoint import Checkpoint
from jumpnet.sim.measure.measure import for_trace, measure
from jumpnet.sim.result.point import Result
from jumpnet.topology import as_network
from jumpnet.traffic import PacketList

__all__ = ["FaultyResult", "simulate_with_faults"]


if TYPE_CHECKING:  # the counts are figures, and so attributes
    Counts = FaultCounts
else:
    Counts = object


class FaultyResult(Result, Counts):
    """One simulated point with faults on the way."""

    if TYPE_CHECKING:
        fault_verdicts: list[str]
        meetings: list[dict[str, Any]]
        endpoints_left: int


@public
def simulate_with_faults(
    network: str | Network,
    faults: Sequence[Fault | str],
    routing: str = "lash",
    *,
    name: str = "booksim",
    trace: PacketList | None = None,
    threads: int | None = None,
    checkpoint: Checkpoint | None = None,
    **settings: Any,
) -> FaultyResult:
    """As `simulate`, with faults while it runs; the figures gain the counts, and the proofs' verdicts.

    faults: as `Fault`s or in words such as `cycle=400,link=0-1`. The settings are those of `SimConfig`, on top of the
    preset `name`, and those of `plan.Recovery`: what is done about faults. `trace`: packets instead of traffic drawn.
    Raises JumpnetError for bad settings, and when the routing cannot go round a fault.

    >>> words = {"packet_flits": "4", "load": 0.2, "warmup_cycles": 200, "measure_cycles": 800}
    >>> point = simulate_with_faults("torus:4x4", ["cycle=400,link=0-1"], "up_down", retry_cycles=50, **words)
    >>> point.lost, point.fault_verdicts, point.drained
    (0, ['free'], True)
    """
    net = as_network(network)
    plan = [parse_fault(fault) if isinstance(fault, str) else fault for fault in faults]
    mine, recovery = split_settings(settings, Recovery, ("routing", "faults", "name", "trace", "threads", "checkpoint"))
    config = for_trace(preset(name, **mine), trace)
    engine = FaultyEngine(net, routing, config, plan, make(Recovery, recovery, "faults"), trace=trace, threads=threads)
    found = measure(engine, checkpoint)
    counts = asdict(engine.finish())
    figures = {
        **found.figures,
        **counts,
        "fault_verdicts": engine.verdicts,
        "meetings": engine.meetings,
        "endpoints_left": engine.network.endpoints,
    }
    parts = {part.name: getattr(found, part.name) for part in fields(found)}
    return FaultyResult(**{**parts, "spec": net.spec, "figures": figures})
