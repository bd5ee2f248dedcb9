"""What a study would take: points, memory, CPU time, by short runs. Used by `jumpnet sweep --dry-run`."""

from __future__ import annotations

import time
from typing import Any

from jumpnet.memory import available_bytes
from jumpnet.study.loads import next_loads
from jumpnet.study.names import Names
from jumpnet.study.plan import Curve, Plan
from jumpnet.study.point import memory_bytes, resolve
from jumpnet.study.run import states
from jumpnet.study.settings import varied
from jumpnet.study.store import Store
from jumpnet.study.trial_run import Tried, tried

__all__ = ["PROCESS_BYTES", "forecast"]

PROCESS_BYTES = 160_000_000
"""What a process takes before its first point, as measured: Python, NumPy and compiled code; more while it compiles."""
MOST_TRIED = 6
"""Loads of a curve that are tried; others are taken to be like the next one of them."""


def forecast(plan: Plan, names: Names, store: Store) -> list[dict[str, Any]]:
    """A row for each curve: the settings in which curves differ, points in all and finished, bytes of the arrays of one
    and of the process that runs it, CPU seconds of a process before its first point and of the points that are left.

    CPU time is the mean of the curve's finished points where there are any, else what short runs say (`trial_run`),
    which say too where an adaptive curve will look for saturation. Points of other kinds than simulations, and of
    networks that this machine has no memory for, have no estimate of their time.

    Raises JumpnetError for what a sweep would refuse. Cost: that of building every network, and up to six short runs a
    curve.
    """
    start = time.process_time()
    known: dict[int, list[tuple[float, str, dict[str, Any] | None]]] = {}
    for curve, load, name, result in states(plan, store, names):
        known.setdefault(id(curve), []).append((load, name, result))
    rows, varying = [], varied([curve.point for curve in plan.curves])
    for curve in plan.curves:
        points = known.get(id(curve), [])
        done = {load: name for load, name, result in points if result is not None}
        full = {load: bool(result.get("saturated")) for load, _, result in points if result is not None}
        config = resolve(curve.point, points[0][0] if points else 0.1)
        memory = memory_bytes(config)
        runs = memory is not None and memory < available_bytes()
        spent = [row.provenance.get("cpu_seconds") for row in store.rows(list(done.values()))] if done else []
        left = _left(curve, full) if runs else {load: None for load, _, _ in points if load not in done}
        mean = sum(filter(None, spent)) / len(spent) if any(spent) else None
        made = min((run.made_cpu_seconds for run in left.values() if run is not None), default=0.0)
        each = [
            mean if mean is not None else made + run.cpu_seconds if run is not None else None for run in left.values()
        ]
        rows.append(
            {
                "network": config["network"],
                "routing": config.get("routing"),
                **{key: config.get(key) for key in varying if key != "routing"},
                "points": len(done) + len(left),
                "finished": len(done),
                "memory_bytes": memory,
                "process_bytes": None if memory is None else memory + PROCESS_BYTES,
                "process_cpu_seconds": start,
                "cpu_seconds_left": None if None in each else sum(filter(None, each)),
            }
        )
    return rows


def _left(curve: Curve, full: dict[float, bool]) -> dict[float, Tried | None]:
    """The loads of a curve that are left, in the order in which they are run, and what short runs say of them.

    full: which of the finished loads are saturated.
    """
    runs: dict[float, Tried] = {}
    full, left = dict(full), dict[float, Tried | None]()
    while wanted := next_loads(curve.loads, full):
        spread = sorted({round(step * (len(wanted) - 1) / (MOST_TRIED - 1)) for step in range(MOST_TRIED)})
        for load in wanted[:1] if len(wanted) == 1 else [wanted[at] for at in spread]:
            if len(runs) < MOST_TRIED:
                runs[load] = tried(resolve(curve.point, load))
        for load in wanted:
            like = min(runs, key=lambda other: abs(other - load))
            over = runs[like].saturated and load >= like
            left[load] = runs[like]
            full[load] = over
    return left
