"""The runner: resumes, shares, survives lost workers and kills, and ends with the same bits as an undisturbed run."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.study.study_evaluate import evaluate, resolve

from jumpnet.errors import JumpnetError
from jumpnet.study.loads import next_loads, saturation
from jumpnet.study.names import Names
from jumpnet.study.plan import AdaptiveLoads, Curve, Plan, RisingLoads
from jumpnet.study.pool import LocalPool
from jumpnet.study.run import run_plan, states
from jumpnet.study.store import Store


class _InlinePool:
    """Evaluates at once, in this process."""

    workers = 1

    def __init__(self, work: Callable[[dict], dict] = evaluate) -> None:
        self.work, self.done = work, list[tuple[str, dict]]()
        self.runs = 0

    @property
    def busy(self) -> int:
        return len(self.done)

    def submit(self, task: tuple[str, dict]) -> None:
        self.runs += 1
        self.done.append((task[0], self.work(task[1])))

    def wait(self, timeout_s: float | None = None) -> list[tuple[str, dict]]:
        answers, self.done = self.done, []
        return answers


def _plan(count: int, **point: object) -> Plan:
    loads = tuple(round((k + 1) / (2 * count), 6) for k in range(count))
    return Plan("test", (Curve({"seed": 1, **point}, loads), Curve({"seed": 2, **point}, loads)))


def test_finished_points_are_never_run_again(tmp_path: Path) -> None:
    with Store(tmp_path / "s") as store:
        first, second = _InlinePool(), _InlinePool()
        done = run_plan(_plan(5), store, first, resolve, "m", {})
        assert (done.finished, done.known, first.runs) == (10, 10, 10)
        again = run_plan(_plan(7), store, second, resolve, "m", {})
        shared = set(_plan(5).curves[0].loads) & set(_plan(7).curves[0].loads)
        assert (again.finished, second.runs) == (14, 14 - 2 * len(shared))
        other = _InlinePool()
        run_plan(_plan(5), store, other, resolve, "another model", {})
        assert other.runs == 10


def test_the_same_point_wanted_twice_is_run_once(tmp_path: Path) -> None:
    curve = Curve({"seed": 1}, (0.1, 0.2))
    with Store(tmp_path / "s") as store:
        pool = _InlinePool()
        run_plan(Plan("twice", (curve, curve)), store, pool, resolve, "m", {})
        assert pool.runs == 2
        known = list(states(Plan("twice", (curve, curve)), store, Names(store, resolve, "m")))
        assert [(load, row is not None) for _, load, _, row in known] == [(0.1, True), (0.2, True)] * 2


@pytest.mark.parametrize("loads", [(0.1, 0.1), RisingLoads(loads=(0.1, 0.1))])
def test_a_load_named_twice_in_a_curve_is_run_once(tmp_path: Path, loads: tuple[float, ...] | RisingLoads) -> None:
    plan = Plan("twice", (Curve({"seed": 1}, loads),))
    with Store(tmp_path / "s") as store:
        pool = _InlinePool()
        done = run_plan(plan, store, pool, resolve, "m", {})
        assert (done.finished, done.known, pool.runs) == (1, 1, 1)


def test_points_that_take_no_load_are_run_once_for_all_loads(tmp_path: Path) -> None:
    plan = Plan("same", (Curve({"seed": 1}, (0.1, 0.2)),))
    with Store(tmp_path / "s") as store:
        pool = _InlinePool()
        done = run_plan(plan, store, pool, lambda point, load: resolve(point, 0.5), "m", {})
        assert (done.finished, pool.runs) == (1, 1)


def test_two_sweeps_on_one_store_share_its_points(tmp_path: Path) -> None:
    """Neither runs a point of the other; the second finds some to run while the first is at work."""
    at_work, joined = threading.Event(), threading.Event()

    class _First(_InlinePool):
        def wait(self, timeout_s: float | None = None) -> list[tuple[str, dict]]:
            at_work.set()
            joined.wait(10)
            return super().wait()

    class _Second(_InlinePool):
        def submit(self, task: tuple[str, dict]) -> None:
            super().submit(task)
            joined.set()

    def sweep(pool: _InlinePool) -> None:
        with Store(tmp_path / "s") as store:
            assert run_plan(_plan(30), store, pool, resolve, "m", {}).finished == 60

    pools = _First(), _Second()
    first = threading.Thread(target=sweep, args=pools[:1])
    first.start()
    assert at_work.wait(60)
    sweep(pools[1])
    first.join()
    assert pools[0].runs >= 4 and pools[1].runs >= 1 and pools[0].runs + pools[1].runs == 60


def test_a_full_disk_can_still_be_listed(tmp_path: Path) -> None:
    """Opening a store that is up to date writes nothing; what cannot be kept is found again."""
    plan = _plan(3)
    with Store(tmp_path / "s") as store:
        run_plan(plan, store, _InlinePool(), resolve, "m", {})
    with Store(tmp_path / "s") as store:
        store._db.execute("PRAGMA query_only=1")  # any write is refused from here on
        store._open()
        names = Names(store, resolve, "m")
        assert sum(figures is not None for *_, figures in states(plan, store, names)) == 6


KEPT_APART = {0.01: 20, 0.05: 15, 0.2: 6}
"""So many loads fit below any saturation by tolerance: those nearer to each other than a quarter of it are left out."""


@given(st.floats(0.02, 1.2), st.integers(2, 20), st.sampled_from(sorted(KEPT_APART)))
def test_adaptive_loads_end_close_to_saturation_and_none_far_beyond(
    limit: float, points: int, tolerance: float
) -> None:
    rule = AdaptiveLoads(points=points, tolerance=tolerance)
    seen: dict[float, bool] = {}
    for _ in range(200):
        wanted = next_loads(rule, seen)
        if not wanted:
            break
        assert not set(wanted) & set(seen)
        seen.update({load: load >= limit for load in wanted})
    found = saturation(rule, seen)
    assert found is not None and found <= limit
    if limit <= 1:
        assert limit - found <= tolerance * limit * 1.01 + 1e-5
    under = [load for load, full in seen.items() if not full]
    assert len(under) >= min(points, KEPT_APART[tolerance])
    over = [load for load, full in seen.items() if full]
    assert all(load <= max(2 * limit, 0.0625) + 1e-6 for load in over)


def test_the_grid_is_run_up_to_saturation() -> None:
    rule = AdaptiveLoads(points=3, tolerance=0.1, grid=(0.05, 0.1, 0.2, 0.4, 0.8))
    seen: dict[float, bool] = {}
    while wanted := next_loads(rule, seen):
        assert not set(wanted) & set(seen)
        seen.update({load: load >= 0.37 for load in wanted})
    assert set(seen) >= {0.05, 0.1, 0.2} and not set(seen) & {0.4, 0.8}


def test_an_adaptive_curve_resumes_where_it_was(tmp_path: Path) -> None:
    plan = Plan("adaptive", (Curve({"limit": 0.37}, AdaptiveLoads(points=8)),))
    with Store(tmp_path / "whole") as store:
        pool = _InlinePool()
        run_plan(plan, store, pool, resolve, "m", {})
        want = [(row.hash, row.result) for row in store.rows()]
    with Store(tmp_path / "parts") as store:
        total = 0
        for _ in range(40):
            pool = _InlinePool()

            def stop(progress: object, pool: _InlinePool = pool) -> None:
                if pool.runs >= 2:
                    raise KeyboardInterrupt

            try:
                run_plan(plan, store, pool, resolve, "m", {}, stop)
            except KeyboardInterrupt:
                total += pool.runs
                continue
            break
        assert [(row.hash, row.result) for row in store.rows()] == want


def test_a_lost_worker_is_replaced_and_its_points_run_again(tmp_path: Path) -> None:
    pool = LocalPool(evaluate, 2)
    try:
        with Store(tmp_path / "s") as store:
            done = run_plan(_plan(4, die_once=str(tmp_path / "trap")), store, pool, resolve, "m", {})
            assert done.finished == 8
        assert (tmp_path / "trap").exists()
    finally:
        pool.close()


def test_what_cannot_be_copied_to_a_worker_is_refused_before_one_starts() -> None:
    with pytest.raises(JumpnetError, match=r"points cannot be sent to workers \(.*lambda.*\): networks of classes"):
        LocalPool(lambda config: config, 1)


def test_a_point_that_always_kills_its_worker_is_named(tmp_path: Path) -> None:
    pool = LocalPool(evaluate, 1)
    try:
        with Store(tmp_path / "s") as store, pytest.raises(JumpnetError, match="lost its worker 3 times"):
            run_plan(Plan("p", (Curve({"die_always": True}, (0.1,)),)), store, pool, resolve, "m", {})
    finally:
        pool.close()


def test_a_worker_that_died_is_met_when_the_next_point_is_handed_out(tmp_path: Path) -> None:
    """Nobody has waited since it died: the point is not lost, nor the one before it."""
    pool = LocalPool(evaluate, 1)
    configs = [{"curve": 0, "load": load} for load in (0.1, 0.2)]
    try:
        pool.submit(("first", configs[0]))
        while not (workers := list((pool._executor._processes or {}).values())):
            time.sleep(0.01)
        workers[0].kill()
        while not pool._executor._broken:
            time.sleep(0.01)
        pool.submit(("second", configs[1]))
        found: dict[str, object] = {}
        while pool.busy:
            found |= dict(pool.wait())
    finally:
        pool.close()
    assert found == {"first": evaluate(configs[0]), "second": evaluate(configs[1])}


SWEEP = """
import sys
from tests.study.study_evaluate import evaluate, resolve
from tests.study.test_run import _plan
from jumpnet.study.pool import LocalPool
from jumpnet.study.run import run_plan
from jumpnet.study.store import Store
if __name__ == "__main__":
    pool = LocalPool(evaluate, 2)
    print("go", flush=True)
    with Store(sys.argv[1]) as store:
        run_plan(_plan(20, seconds=0.01), store, pool, resolve, "m", {"version": 1})
    pool.close()
    print("whole", flush=True)
"""


def test_forty_points_killed_ten_times_equal_an_undisturbed_run(tmp_path: Path) -> None:
    script = tmp_path / "sweep.py"
    script.write_text(SWEEP)
    draw = random.Random(3)
    words = [sys.executable, script, tmp_path / "k"]
    there = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    for _ in range(10):
        with subprocess.Popen(words, env=there, stdout=subprocess.PIPE, text=True) as sweep:
            assert sweep.stdout is not None and sweep.stdout.readline() == "go\n"
            time.sleep(draw.uniform(0.0, 0.6))
            sweep.send_signal(signal.SIGKILL)
    last = subprocess.run(words, env=there, capture_output=True, text=True, check=True)
    assert "whole" in last.stdout
    with Store(tmp_path / "whole") as store:
        run_plan(
            _plan(20, seconds=0.0),
            store,
            _InlinePool(),
            lambda p, x: resolve({**p, "seconds": 0.01}, x),
            "m",
            {"version": 1},
        )
        want = list(store.rows())
    with Store(tmp_path / "k") as store:
        assert list(store.rows()) == want
    assert len(want) == 40
