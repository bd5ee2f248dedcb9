"""What a study would take: points, memory, CPU time, before any of them is run. Used by `jumpnet sweep --dry-run`."""

from __future__ import annotations

from typing import Any

from jumpnet.graph.metrics import metrics
from jumpnet.study.names import Names
from jumpnet.study.plan import AdaptiveLoads, Plan
from jumpnet.study.point import memory_bytes, resolve
from jumpnet.study.run import states
from jumpnet.study.settings import varied
from jumpnet.study.store import Store
from jumpnet.topology import build

__all__ = ["PROCESS_BYTES", "forecast"]

PROCESS_BYTES = 160_000_000
"""What a process takes before its first point, as measured: Python, NumPy and compiled code; more while it compiles."""

SEARCH_STEPS = 10
"""Loads that a search for saturation tries, more or less."""
NS_A_FLIT_HOP = 100.0
"""CPU time of a flit's way through a router and over a link, where no finished point says it: 20 to 200 as measured."""


def forecast(plan: Plan, names: Names, store: Store) -> list[dict[str, Any]]:
    """A row for each curve: the settings in which curves differ, points in all and finished, bytes of the arrays of one
    and of the process that runs it, CPU seconds of those that are left.

    The points of an adaptive curve are guessed until they are known. CPU time is the mean of the curve's finished
    points where there are any; else the flit-hops of the longest run that the settings allow, at 100 ns each, which
    holds within a factor of some five. Points of other kinds than simulations have neither estimate.

    Raises JumpnetError for what a sweep would refuse. Cost: that of building every network.
    """
    known: dict[int, list[tuple[float, str, dict[str, Any] | None]]] = {}
    for curve, load, name, result in states(plan, store, names):
        known.setdefault(id(curve), []).append((load, name, result))
    rows, told = [], varied([curve.point for curve in plan.curves])
    for curve in plan.curves:
        points = known.get(id(curve), [])
        done = [(load, name) for load, name, result in points if result is not None]
        count = len(points)
        if isinstance(curve.loads, AdaptiveLoads) and len(done) < count:  # more will be asked for
            count = max(count, SEARCH_STEPS + curve.loads.points)
        config = resolve(curve.point, points[0][0] if points else 0.1)
        seconds = _seconds(
            config, [name for _, name in done], [load for load, _, result in points if result is None], store
        )
        memory = memory_bytes(config)
        rows.append(
            {
                "network": config["network"],
                "routing": config.get("routing"),
                **{key: config.get(key) for key in told if key != "routing"},
                "points": count,
                "finished": len(done),
                "memory_bytes": memory,
                "process_bytes": None if memory is None else memory + PROCESS_BYTES,
                "cpu_seconds_left": None if seconds is None else seconds * (count - len(done)),
            }
        )
    return rows


def _seconds(config: dict[str, Any], done: list[str], loads: list[float], store: Store) -> float | None:
    """CPU seconds of a point of a curve that is left."""
    spent = [row.provenance.get("cpu_seconds") for row in store.rows(done)] if done else []
    if any(spent):
        return sum(filter(None, spent)) / len(spent)
    if "kind" in config:
        return None
    net = build(config["network"])
    cycles = (
        (config["warmup_cycles"] or 0) + config["measure_cycles"] if config["measure_cycles"] else config["max_cycles"]
    )
    load = sum(loads) / len(loads) if loads else 0.5
    hops = float(metrics(net).average_distance or 0) + 1
    return load * net.endpoints * cycles * hops * NS_A_FLIT_HOP * 1e-9
