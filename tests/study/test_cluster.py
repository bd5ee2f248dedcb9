"""The Dask pool: the same results as in one process, with a worker killed on the way."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from study_evaluate import evaluate, resolve
from test_run import _InlinePool, _plan

from jumpnet.errors import JumpnetError
from jumpnet.study.cluster import DaskPool
from jumpnet.study.run import Progress, run_plan
from jumpnet.study.store import Store

pytest.importorskip("distributed")


def test_a_killed_worker_costs_no_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), *sys.path]))
    plan = _plan(10, seconds=0.02)
    pool = DaskPool(evaluate, workers=2)
    killed: list[int] = []

    def kill_one(progress: Progress) -> None:
        if progress.finished == 5 and not killed:
            pid = next(iter(pool._client.run(os.getpid).values()))
            killed.append(pid)
            os.kill(pid, signal.SIGKILL)

    try:
        with Store(tmp_path / "dask") as store:
            run_plan(plan, store, pool, resolve, "m", {}, kill_one)
            got = list(store.rows())
    finally:
        pool.close()
    with Store(tmp_path / "one") as store:
        run_plan(plan, store, _InlinePool(), resolve, "m", {})
        assert got == list(store.rows())
    assert killed and len(got) == 20


def test_a_scheduler_that_does_not_answer_is_one_line() -> None:
    with pytest.raises(JumpnetError, match=r"scheduler 'tcp://127\.0\.0\.1:9': no answer"):
        DaskPool(evaluate, "tcp://127.0.0.1:9")
