"""Points of multicasts to their end: in Python, by study and verb, step by step, and in a search for saturation.

Networks, routings and settings are those of `pair_casts`. Without multicasts a point is that of `simulate`.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import numpy as np
from tests.attack.pairs import Seen
from tests.attack.pairs.casts import Drawn, multicasts_of
from tests.attack.pairs.points import TIMES, unlike
from typer.testing import CliRunner

from jumpnet.cli import app
from jumpnet.sim.multicast.run import MulticastRun
from jumpnet.sim.multicast.simulate import MulticastResult, find_multicast_saturation, simulate_multicasts
from jumpnet.sim.multicast.trees import trees_for
from jumpnet.sim.simulate import simulate
from jumpnet.study.names import canonical
from jumpnet.study.point import evaluate, resolve

__all__ = ["compared"]

MOST_ROUTERS = 40
ALIKE = ("packet_latency_mean_cycles", "packet_latency_max_cycles", "packet_latency_p99_cycles", "packets",
         "channel_load_mean", "channel_load_max")  # fmt: skip
"""Figures of a point without multicasts that `simulate` has too."""
OTHERS = {*TIMES, "hash", "trees"}


def _plain(value: Any) -> Any:
    """As JSON has it."""
    return json.loads(canonical(value))


def _figures(point: MulticastResult) -> dict[str, Any]:
    """All that a point says, and the times of its messages."""
    said: dict[str, Any] = {key: value for key, value in point.figures.items() if key not in TIMES}
    return said | {f"times of {kind}": np.asarray(times) for kind, times in point.times.items()}


def _given(what: Drawn, **more: Any) -> dict[str, Any]:
    """The settings that differ from what they are by default, in words."""
    cast = what.cast.model_dump(exclude_defaults=True)
    return {**what.config.model_dump(exclude_defaults=True), **cast, **more}


def _by_steps(draw: Random, what: Drawn) -> dict[str, Any]:
    """Two runs in turn, the other of another load on the same trees."""
    trees = trees_for(what.net, what.routing, what.config, what.cast)
    other = what.config.replace(load=what.config.load / 2)
    runs = [MulticastRun(what.net, what.routing, config, what.cast, trees) for config in (what.config, other)]
    while runs[0].facts.phase != "done":
        run = runs[0] if draw.random() < 0.7 or runs[1].facts.phase == "done" else runs[1]
        run.step()
    times = {f"times of {kind}": np.asarray(rows) for kind, rows in runs[0].measured_times().items()}
    return {**runs[0].figures(), **times}


def _by_study(what: Drawn, expected: dict[str, Any]) -> str:
    """The study's evaluation of the same point; there a warm-up of 0 cycles is one that is detected."""
    if what.config.warmup_cycles == 0:
        return ""
    given = {key: value for key, value in _given(what).items() if key != "load"}
    point = {"kind": "multicast", "network": what.spec, "routing": what.routing, **given}
    config = resolve(json.loads(json.dumps(point)), what.config.load)
    found = evaluate(config)["result"]
    mine = {key: expected[key] for key in expected if key in found and key not in config}
    return unlike(mine, {key: found[key] for key in mine}) if mine else "no figures"


def _by_verb(what: Drawn, expected: dict[str, Any]) -> str:
    """The verb with all settings named."""
    words = ["simulate", what.spec, "--multicast", what.cast.multicast, "--json"]
    words += ["--routing", what.routing] if what.routing else []
    for key, value in _given(what).items():
        if key != "multicast":
            words += ["--set", f"{key}={str(value).lower() if isinstance(value, bool) else value}"]
    done = CliRunner().invoke(app(), words)
    if done.exit_code not in (0, 1):
        return f"{words}: {done.output}"
    found = json.loads(done.stdout)
    mine = {key: value for key, value in expected.items() if key in found}
    return unlike(mine, {key: found[key] for key in mine}) if mine else "no figures"


def _saturation(draw: Random, what: Drawn) -> str:
    """The points of a search, which are all on the same trees, against each alone."""
    given = _given(what)
    search = find_multicast_saturation(what.net, what.routing, resolution=0.4, **given)
    point = draw.choice(search.points)
    given |= {"load": point.config.load, "drain": False}
    alone = simulate_multicasts(what.net, what.routing, **given)
    how = unlike(_figures(alone), _figures(point))
    return f"search at load {point.config.load}: {how}" if how else ""


def _without(what: Drawn, expected: dict[str, Any]) -> str:
    """A point without multicasts against the plain simulator."""
    plain = simulate(what.net, what.routing or None, what.config, threads=1)
    return unlike({k: expected[k] for k in ALIKE}, {k: getattr(plain, k) for k in ALIKE})


def compared(draw: Random, seen: Seen) -> tuple[Any, str]:
    """One point, and how it differs."""
    while True:
        about, what = multicasts_of(draw)
        if what.net.routers <= MOST_ROUTERS and what.net.latency is None:
            break
    window = {"warmup_cycles": draw.choice([None, 0, 333]), "measure_cycles": draw.choice([1, 200, 777]),
              "max_cycles": draw.choice([500, 2000]), "drain": draw.random() < 0.7,
              "deadlock_cycles": draw.choice([300, 2000]), "batch_cycles": draw.choice([50, 500])}  # fmt: skip
    what = what._replace(config=what.config.replace(**window, load=min(what.config.load, 0.4)))
    about = f"{about} {window}"
    whole = simulate_multicasts(what.net, what.routing, what.config, what.cast)
    expected = _figures(whole)
    row = _plain({key: value for key, value in whole.row().items() if key not in OTHERS})
    for key in ("saturated", "deadlocked", "drained"):
        seen[key] += bool(whole.figures[key])
    found = {key: value for key, value in _by_steps(draw, what).items() if key in expected}
    if how := unlike({key: expected[key] for key in found}, found):
        return about, f"step by step: {how}"
    ways = {"study": _by_study, "verb": _by_verb}
    if what.cast.multicast_share == 0.0 and what.routing and not whole.deadlocked:
        ways["the plain simulator"] = _without
    for name, way in ways.items():
        seen[name] += 1
        if how := way(what, row if name != "the plain simulator" else expected):
            return about, f"{name}: {how}"
    if draw.random() < 0.3:
        seen["searches"] += 1
        return about, _saturation(draw, what)
    return about, ""
