"""Points to their end: threads, sets, kills between any two steps, the study's evaluation, the verb, and saturation.

What the phases measure is compared, all of it; `engines` compares the arrays.
"""

from __future__ import annotations

import json
import math
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from tests.attack.drawn.engine_draws import Case, build_case, drawn
from tests.attack.pairs import Seen
from typer.testing import CliRunner

from jumpnet.cli import app
from jumpnet.routings import BoundRouting
from jumpnet.sim.config import SimConfig
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.checkpoint import Checkpoint
from jumpnet.sim.measure.measure import _result, measure
from jumpnet.sim.measure.run import Run
from jumpnet.sim.result import Result, up_to_last
from jumpnet.sim.saturation import find_saturation
from jumpnet.sim.simulate import simulate
from jumpnet.study.names import canonical
from jumpnet.study.point import TIMING, evaluate, resolve
from jumpnet.topology import build

__all__ = ["TIMES", "compared", "unlike"]

MOST_ROUTERS = 64
TIMES = {*TIMING, "provenance"}


def _settings(draw: Random) -> tuple[Case, BoundRouting, SimConfig]:
    case, _ = drawn(str(draw.random()))
    while build(case.spec).routers > MOST_ROUTERS:
        case, _ = drawn(str(draw.random()))
    window = {
        "warmup_cycles": draw.choice([None, 0, 100, 333]),
        "measure_cycles": draw.choice([None, 1, 200, 777]),
        "max_cycles": draw.choice([500, 2000]),
        "drain": draw.random() < 0.7,
        "check_every_cycles": draw.choice([100, 2000]),
        "deadlock_cycles": draw.choice([300, 2000]),
        "precision": draw.choice([0.05, 0.3]),
    }
    case = case._replace(settings=case.settings | {k: v for k, v in window.items() if v is not None}, latencies=0)
    return case, *build_case(case)


def _told(found: Result) -> dict[str, Any]:
    """All that a point says, without times."""
    said = {key: value for key, value in found.figures.items() if key not in TIMES}
    arrays = {name: getattr(found, name) for name in
              ("latency_histogram", "network_latency_histogram", "flit_latency_histogram", "reply_histograms",
               "channel_load", "channel_buffer", "buffer_occupancy")}  # fmt: skip
    said |= {name: None if array is None else np.asarray(array) for name, array in arrays.items()}
    return {**said, "config": found.config}


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.shape == other.shape and bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f"))
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def unlike(one: dict[str, Any], other: dict[str, Any]) -> str:
    names = [*one, *(name for name in other if name not in one)]
    said = [f"{n}: {one.get(n)!s:.80} and {other.get(n)!s:.80}" for n in names if not _same(one.get(n), other.get(n))]
    return "; ".join(said[:4])


def _killed(draw: Random, case: Case, bound: BoundRouting, config: SimConfig) -> Result:
    """A run that ends now and then and goes on in another engine, with another number of threads."""
    with tempfile.TemporaryDirectory() as folder:
        file = Checkpoint(Path(folder) / "run.npz", 0.0)
        while True:
            run = Run(Engine(bound.network, bound, config, threads=draw.randint(1, 4)))
            run.engine.sets = draw.choice([None, True, False])
            file.restore(run)
            for _ in range(draw.choice([1, 1, 2, 5, 20])):
                if run.facts.phase == "done":
                    return _result(run)
                run.step()
            file.keep(run)


def _by_study(case: Case, config: SimConfig, expected: Result) -> str:
    """The study's evaluation of the same point."""
    given = {key: value for key, value in case.settings.items() if key != "load"}
    point = {"network": case.spec, "routing": case.routing, **given, "vcs": case.vcs}
    found = evaluate(resolve(json.loads(json.dumps(point)), case.settings["load"]))["result"]
    row = {key: value for key, value in expected.row().items() if key not in TIMES}
    row["latency_histogram"] = up_to_last(expected.latency_histogram)
    row["flit_latency_histogram"] = up_to_last(expected.flit_latency_histogram)
    return unlike(json.loads(canonical(row)), found)


def _by_verb(case: Case, expected: Result) -> str:
    """The verb with all settings named."""
    words = ["simulate", case.spec, "--routing", case.routing, "--json"]
    for key, value in {**case.settings, "vcs": case.vcs}.items():
        if isinstance(value, (list, tuple)):
            return ""
        words += ["--set", f"{key}={str(value).lower() if isinstance(value, bool) else value}"]
    done = CliRunner().invoke(app(), words)
    if done.exit_code not in (0, 1):
        return f"verb: {done.output}"
    found = json.loads(done.stdout)
    row = json.loads(json.dumps(expected.row(), default=lambda x: x.tolist() if hasattr(x, "tolist") else str(x)))
    shared = {key for key in row if key in found} - TIMES
    return unlike({k: _plain(row[k]) for k in shared}, {k: _plain(found[k]) for k in shared})


def _plain(value: Any) -> Any:
    """A value as JSON, which has no NaN, has it."""
    if isinstance(value, float) and math.isnan(value):
        return None
    return {str(k): _plain(v) for k, v in value.items()} if isinstance(value, dict) else value


def _saturation(draw: Random, case: Case, bound: BoundRouting, config: SimConfig) -> str:
    """The points of a search against each alone, and remembered ones."""
    if config.more_classes:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        given = case.spec, case.routing, config.replace(vcs=bound.vcs)
        ways = [find_saturation(*given, resolution=0.4, memory=Path(folder)) for _ in range(2)]
    first, again = ways
    if (first.load, first.saturated_load, first.throughput) != (again.load, again.saturated_load, again.throughput):
        return f"search: {first} and {again} remembered"
    for one, other in zip(first.points, again.points, strict=True):
        if how := unlike(_figures(one), _figures(other)):
            return f"search, remembered at load {one.config.load}: {how}"
    point = draw.choice(first.points)
    alone = simulate(case.spec, case.routing, point.config)
    how = unlike(_figures(point), _figures(alone))
    return f"search at load {point.config.load}: {how}" if how else ""


def _figures(point: Any) -> dict[str, Any]:
    return {key: value for key, value in point.figures.items() if key not in TIMES}


def compared(draw: Random, seen: Seen) -> tuple[Any, str]:
    """One point, and how it differs."""
    case, bound, config = _settings(draw)
    name = f"{case.spec} {case.routing} vcs {case.vcs} {case.settings}"
    whole = simulate(bound.network, bound, config, threads=1)
    expected = _told(whole)
    for key in ("saturated", "deadlocked", "converged", "drained"):
        seen[key] += bool(whole.figures[key])
    for sets in (True, False):
        found = measure(Engine(bound.network, bound, config, threads=draw.randint(1, 8), sets=sets))
        if how := unlike(expected, _told(found)):
            return name, f"sets {sets}: {how}"
    if how := unlike(expected, _told(_killed(draw, case, bound, config))):
        return name, f"killed: {how}"
    if how := _by_study(case, config, whole):
        return name, f"study: {how}"
    if draw.random() < 0.5 and (how := _by_verb(case, whole)):
        return name, f"verb: {how}"
    if draw.random() < 0.3:
        seen["searches"] += 1
        how = _saturation(draw, case, bound, config)
        return name, how
    return name, ""
