"""Runs points on the cores of this machine: a small pool of processes that outlives lost workers.

`Pool.submit` and `Pool.wait` are all that `study/run.py` needs; `study/cluster.py` has the same face over Dask.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.memory import require
from jumpnet.process.workers import Workers

__all__ = ["LocalPool", "check_workers"]

ATTEMPTS = 3
"""Times a point is started again after its worker was lost."""

MOST_WORKERS = 1024
"""Processes of a sweep on one machine, more than the processors of any."""
WORKER_BYTES = 100 << 20
"""What a process takes before its first point, at least."""

Task = tuple[str, dict[str, Any]]
Answer = tuple[str, dict[str, Any]]


def check_workers(workers: int) -> None:
    """Refuse more processes than a machine has memory for, or than MOST_WORKERS."""
    if not 1 <= workers <= MOST_WORKERS:
        raise JumpnetError(f"{workers} workers found, 1 to {MOST_WORKERS} expected")
    require(workers * WORKER_BYTES, f"a sweep with {workers} workers")


def _check_sendable(work: Callable[..., Any]) -> None:
    """Refuse what cannot be copied to another process, such as a function or class made inside a function."""
    try:
        pickle.dumps(work)
    except Exception as error:  # whatever an object of a user's may raise
        why = f"{type(error).__name__}: {' '.join(str(error).split())}"
        expected = "networks of classes and functions that stand in a module expected"
        raise JumpnetError(f"points cannot be sent to workers ({why}): {expected}") from None


class LocalPool:
    """`workers` processes that evaluate configurations; a worker that dies is replaced and its points run again."""

    def __init__(self, evaluate: Callable[[dict[str, Any]], dict[str, Any]], workers: int):
        _check_sendable(evaluate)
        self.workers = workers
        self._evaluate = evaluate
        self._pending: dict[Future[dict[str, Any]], tuple[Task, int]] = {}
        self._executor = Workers(workers)

    def submit(self, task: Task, attempt: int = 1) -> None:
        """Queue a point (hash, configuration)."""
        try:
            future = self._executor.submit(self._evaluate, task[1])
        except BrokenProcessPool:  # a worker has died, and nobody has waited since
            self._restart([(task, attempt)])
        else:
            self._pending[future] = task, attempt

    @property
    def busy(self) -> int:
        """Points queued or running."""
        return len(self._pending)

    def wait(self, timeout_s: float | None = None) -> list[Answer]:
        """The points that finished next (none when the time ran out); raises JumpnetError for one that cannot run."""
        done, _ = wait(self._pending, timeout_s, FIRST_COMPLETED)
        answers, lost = [], []
        for future in done:
            task, attempt = self._pending.pop(future)
            try:
                answers.append((task[0], future.result()))
            except BrokenProcessPool:
                lost.append((task, attempt))
        if lost:
            self._restart(lost)
        return answers

    def _restart(self, lost: list[tuple[Task, int]]) -> None:
        """A worker died: the executor is broken and every point still pending is lost with it."""
        lost += self._pending.values()
        self._pending = {}
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = Workers(self.workers)
        for task, attempt in lost:
            if attempt == ATTEMPTS:
                raise JumpnetError(f"point {task[0]} lost its worker {ATTEMPTS} times (out of memory, or killed)")
            self.submit(task, attempt + 1)

    def close(self) -> None:
        """Stop the workers; points in flight are given up."""
        self._executor.stop()
