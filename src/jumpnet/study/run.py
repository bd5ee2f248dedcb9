"""Runs a study: takes points from its curves, skips finished ones, keeps every core busy, writes each result at once.

Used by `jumpnet sweep`. Knows neither the simulator nor the scheduler: the pool evaluates a configuration to its
`result` and what is known `about` it; `resolve` turns a curve's point and a load into the configuration that names it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from jumpnet.study.claims import LEASE_S
from jumpnet.study.loads import next_loads
from jumpnet.study.names import Names, Resolve, names_before, point_hash
from jumpnet.study.plan import Curve, Plan
from jumpnet.study.store import Store

__all__ = ["Pool", "Progress", "run_plan", "states"]

Config = dict[str, Any]


AHEAD = 4
"""Points claimed for each worker: enough to keep it busy, few enough to leave other sweeps on the store their share."""


class Pool(Protocol):
    """What runs points: `study.pool.LocalPool`, or `study.cluster.DaskPool`."""

    @property
    def workers(self) -> int:
        """Processes that run points."""

    @property
    def busy(self) -> int:
        """Points under way."""

    def submit(self, task: tuple[str, Config]) -> None:
        """Run a point: its hash and its configuration."""

    def wait(self, timeout_s: float | None = None) -> list[tuple[str, Config]]:
        """Hashes and results of points that have ended, one or more; none once the time is over."""


@dataclass(frozen=True)
class Progress:
    """What a progress display needs after each step."""

    finished: int
    """Points of the study that have a result."""
    known: int
    """Points known so far (adaptive curves find theirs)."""
    started: int
    """Points run by this call."""
    newest: Config | None
    """Result of the point that finished last, None at the start."""


@dataclass
class _CurveState:
    """Where one curve stands: results by load, and the configurations by hash of loads asked for."""

    curve: Curve
    saturated: dict[float, bool] = field(default_factory=dict)
    asked: dict[float, str] = field(default_factory=dict)


def states(plan: Plan, store: Store, names: Names) -> Iterator[tuple[Curve, float, str, Config | None]]:
    """Every point known from the store: (curve, load, hash, figures without long ones or None), loads ascending.

    Curves come in the order of the file.
    """
    for curve in plan.curves:
        meaning = names.meaning(curve.point)
        name = names.of_meaning(meaning)
        found: dict[str, Config] = {}
        hashes: dict[float, str] = {}
        saturated: dict[float, bool] = {}
        while True:
            wanted = [load for load in next_loads(curve.loads, saturated) if load not in hashes]
            if not wanted:
                break
            asked = {load: name(load) for load in wanted}
            hashes |= asked
            found |= store.figures(asked.values())
            if not isinstance(curve.loads, tuple):
                known = ((load, found[key]) for load, key in asked.items() if key in found)
                saturated |= {load: bool(figures.get("saturated")) for load, figures in known}
            missing = [
                {**meaning, "load": load} if "load" in meaning else meaning
                for load, key in asked.items()
                if key not in found
            ]
            store.tell_unsure(str(curve.point.get("network")), names_before(missing, names.model))
        for load in sorted(hashes):
            yield curve, load, hashes[load], found.get(hashes[load])


class _Runner:
    """One call of `run_plan`."""

    def __init__(self, plan: Plan, store: Store, pool: Pool, resolve: Resolve, model: str, about: Config):
        self.curves = [_CurveState(curve) for curve in plan.curves]
        self.store, self.pool, self.resolve, self.model, self.about = store, pool, resolve, model, about
        self.configs: dict[str, Config] = {}
        self.wanted_by: dict[str, list[tuple[_CurveState, float]]] = {}
        self.waiting: deque[str] = deque()
        self.elsewhere: set[str] = set()
        self.finished: set[str] = set()
        self.started = 0

    def ask(self, state: _CurveState) -> None:
        """Submit what a curve wants next; finished points answer at once, which may make it want more."""
        while True:
            fresh = [load for load in next_loads(state.curve.loads, state.saturated) if load not in state.asked]
            if not fresh:
                return
            new = []
            for load in dict.fromkeys(fresh):
                config = self.resolve(state.curve.point, load)
                name = point_hash(config, self.model)
                state.asked[load] = name
                if name not in self.configs:
                    new.append(name)
                self.configs[name] = config
                self.wanted_by.setdefault(name, []).append((state, load))
            names = {state.asked[load] for load in fresh}
            for name, figures in self.store.figures(sorted(names)).items():
                self.note(name, figures)
            missing = [name for name in sorted(new) if name not in self.finished]
            before = names_before((self.configs[name] for name in missing), self.model)
            self.store.tell_unsure(str(state.curve.point.get("network")), before)
            self.waiting.extend(missing)

    def note(self, name: str, result: Config) -> None:
        """A point is finished: tell the curves that wait for it."""
        self.finished.add(name)
        for state, load in self.wanted_by[name]:
            state.saturated[load] = bool(result.get("saturated"))

    def fill(self) -> None:
        """Claim and submit waiting points until the workers have enough."""
        while self.waiting and self.pool.busy < AHEAD * max(1, self.pool.workers):
            self.start(self.waiting.popleft())

    def start(self, name: str) -> None:
        """Run a point here unless another sweep on the same store has it."""
        if self.store.claim(name):
            self.pool.submit((name, self.configs[name]))
            self.started += 1
        else:
            self.elsewhere.add(name)

    def answer(self, name: str, answer: Config) -> None:
        result = answer["result"]
        self.store.finish(name, self.configs[name], result, {**self.about, **answer["about"]})
        self.note(name, result)
        for state, _ in list(self.wanted_by[name]):
            self.ask(state)

    def look_elsewhere(self) -> None:
        """Collect what other sweeps have finished; take over what they gave up."""
        for name, figures in self.store.figures(sorted(self.elsewhere)).items():
            self.elsewhere.discard(name)
            self.note(name, figures)
            for state, _ in list(self.wanted_by[name]):
                self.ask(state)
        if not self.waiting:  # else others may finish them yet
            for name in sorted(self.elsewhere):
                self.elsewhere.discard(name)
                self.start(name)

    def progress(self, newest: Config | None) -> Progress:
        return Progress(len(self.finished), len(self.configs), self.started, newest)


def _nothing(seconds: float) -> list[tuple[str, Config]]:
    """No answers, after a while: other sweeps have the points that are left."""
    time.sleep(seconds)
    return []


def run_plan(
    plan: Plan,
    store: Store,
    pool: Pool,
    resolve: Resolve,
    model: str,
    about: Config,
    show: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Run every point of a plan that the store lacks; returns when all have a result.

    `model` is the version that names points with their configuration; `about` is provenance written with each, besides
    what its evaluation tells.
    An interruption (KeyboardInterrupt) gives the claims up; what is finished stays.
    """
    runner = _Runner(plan, store, pool, resolve, model, about)
    renewed = time.monotonic()
    names = Names(store, resolve, model)
    for curve in plan.curves:
        names.of(curve.point)
    names.save()
    try:
        for state in runner.curves:
            runner.ask(state)
        show(runner.progress(None))
        while True:
            runner.fill()
            if not pool.busy and not runner.elsewhere:
                return runner.progress(None)
            answers = pool.wait(1.0) if pool.busy else _nothing(0.2)
            for name, answer in answers:
                runner.answer(name, answer)
                show(runner.progress(answer["result"]))
            if time.monotonic() - renewed > LEASE_S / 4:
                store.renew()
                renewed = time.monotonic()
            if runner.elsewhere:
                runner.look_elsewhere()
    finally:
        store.release()
