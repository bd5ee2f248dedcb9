"""Studies swept by one process, by several, by Dask and in another order of curves: the same figures, bit for bit.

Each case starts processes and takes some ten CPU seconds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from tests.attack.drawn.engine_draws import drawn
from tests.attack.pairs import Seen

from jumpnet.study.point import evaluate, resolve
from jumpnet.topology import build

__all__ = ["compared"]

MOST_ROUTERS = 40
WAYS = [("--workers", "1"), ("--workers", "2"), ("--workers", "2", "--scheduler", "local")]
NAMES = ("spec", "routing", "seed", "offered_load")
"""Figures that name a point."""
OTHERS = ("cpu_seconds", "flit_hops_per_cpu_second", "hash")
"""What differs from run to run; and the name of the point, which is that of its study."""


def _curve(draw: Random) -> dict[str, Any]:
    """A curve of a drawn case."""
    while True:
        case, _ = drawn(str(draw.random()))
        plain = not (case.faults or case.packets or case.latencies or "more_classes" in case.settings)
        if plain and build(case.spec).routers <= MOST_ROUTERS and "onoff" not in case.settings["injection"]:
            break
    settings = {key: value for key, value in case.settings.items() if key != "load"}
    window = {"warmup_cycles": 100, "measure_cycles": 300, "max_cycles": 1000}
    return {"network": case.spec, "routing": case.routing, "vcs": case.vcs, **settings, **window}


def _toml(curves: list[dict[str, Any]], loads: list[float]) -> str:
    rows = ["[study]", 'name = "drawn"']
    for curve in curves:
        rows += ["", "[[sweep]]", f"load = {loads}"]
        rows += [f"{key} = {json.dumps(value)}" for key, value in curve.items()]
    return "\n".join(rows)


def _jumpnet(*words: str) -> Any:
    done = subprocess.run([sys.executable, "-m", "jumpnet", *words, "--json"], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr or done.stdout)
    return [json.loads(line) for line in done.stdout.splitlines()]


def compared(draw: Random, seen: Seen) -> tuple[Any, str]:
    """One study, and how it differs."""
    curves, loads = [_curve(draw) for _ in range(draw.randint(2, 3))], sorted(draw.sample([0.05, 0.1, 0.3, 0.6], 3))
    expected: list[Any] = []
    for curve in curves:
        for load in loads:
            found = json.loads(json.dumps(evaluate(resolve(curve, load))["result"]))
            expected.append({key: value for key, value in found.items() if "histogram" not in key})
    with tempfile.TemporaryDirectory() as folder:
        for k, way in enumerate(WAYS):
            study, store = Path(folder) / f"{k}.toml", str(Path(folder) / f"{k}.sqlite")
            order = curves if k == 0 else draw.sample(curves, len(curves))
            study.write_text(_toml(order, loads if k == 0 else draw.sample(loads, len(loads))))
            _jumpnet("sweep", str(study), "--store", store, *way)
            rows = _jumpnet("results", str(study), "--store", store)
            seen[" ".join(way)] += 1
            for one in expected:
                (row,) = [row for row in rows if all(row[name] == one[name] for name in NAMES)]
                unlike = [key for key in one if key in row and key not in OTHERS and row[key] != one[key]]
                if unlike:
                    said = "; ".join(f"{key} {row[key]}, {one[key]} expected" for key in unlike[:4])
                    return curves, f"{way}: {said}"
    return curves, ""
