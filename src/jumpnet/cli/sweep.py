"""`jumpnet sweep STUDY`: runs what a study file describes and its store lacks; kill it and start it again at will."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table

from jumpnet.cli._options import AsJson, StoreFile, StudyFile
from jumpnet.cli._output import emit_json, printable
from jumpnet.errors import JumpnetError
from jumpnet.study.cluster import DaskPool
from jumpnet.study.kinds import kinds
from jumpnet.study.plan import Plan
from jumpnet.study.point import MODEL, evaluate, require_memory, resolve
from jumpnet.study.pool import LocalPool
from jumpnet.study.results import open_plan, store_path
from jumpnet.study.run import Progress, run_plan
from jumpnet.study.store import Store

NAME = "sweep"
EXAMPLE = "jumpnet sweep small.toml"

COLUMNS = ("spec", "routing", "traffic", "offered_load", "accepted_load", "packet_latency_mean_cycles", "saturated")
LAST_ROWS = 12


def _columns(newest: Sequence[Mapping[str, Any]]) -> list[str]:
    """What to show of some points: of other kinds, what is drawn of them.

    >>> _columns([{"spec": "torus:8x8", "kind": "yield", "method": "exact", "density": 0.1, "yield": 0.9}])
    ['spec', 'kind', 'density', 'yield']
    """
    others = [kinds()[row["kind"]] for row in newest if row.get("kind") in kinds()]
    keys = dict.fromkeys([*COLUMNS, *(["kind"] if others else []), *(key for kind in others for key in kind.axes)])
    return [key for key in keys if any(row.get(key) is not None for row in newest)]


class _Display:
    """A bar and the newest points, redrawn as they come."""

    def __init__(self, name: str):
        self.newest: list[dict[str, Any]] = []
        self.bar = Bar(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        self.task = self.bar.add_task(printable(name), total=None)
        self.live = Live(self.bar, console=Console(stderr=True), refresh_per_second=4)

    def show(self, progress: Progress) -> None:
        """Draw where the sweep stands."""
        if progress.newest is not None:
            self.newest = [*self.newest[-LAST_ROWS + 1 :], progress.newest]
        self.bar.update(self.task, completed=progress.finished, total=progress.known)
        table = Table(box=None, header_style="bold")
        columns = _columns(self.newest)
        for column in columns:
            table.add_column(column.replace("_", " "))  # a narrow screen breaks them between words
        for row in self.newest:
            cells = [f"{v:.4g}" if isinstance(v, float) else str(v) for v in (row.get(c, "") for c in columns)]
            table.add_row(*(escape(printable(cell)) for cell in cells))
        self.live.update(Group(table, self.bar))


def _first_points(study: Path, plan: Plan, workers: int) -> None:
    """Check every curve before the first point starts: names, settings, memory."""
    for curve in plan.curves:
        loads = curve.loads if isinstance(curve.loads, tuple) else (0.1,)
        try:
            require_memory(resolve(curve.point, loads[0] if loads else 0.1), workers)
        except JumpnetError as error:
            raise JumpnetError(f"{study}: {error}") from None


def _run(plan: Plan, path: Path, scheduler: str, workers: int, trusted: bool) -> Progress:
    """Run what the store at `path` lacks."""
    with Store(path) as store:
        if not store.writable:
            raise JumpnetError(f"store {path} cannot be written, nor its folder: one that can be is expected")
        store.checkpoints.mkdir(exist_ok=True)
        work = partial(evaluate, checkpoints=store.checkpoints.resolve(), threads=plan.threads)
        pool: LocalPool | DaskPool
        if scheduler:
            pool = DaskPool(work, None if scheduler == "local" else scheduler, workers, trusted)
        else:
            pool = LocalPool(work, workers)
        display = _Display(plan.name)
        try:
            with display.live:
                return run_plan(plan, store, pool, resolve, MODEL, {"study": plan.name}, display.show)
        finally:
            pool.close()
            with suppress(OSError):  # not empty: points in flight have left theirs
                store.checkpoints.rmdir()


def run(
    study: StudyFile,
    store: StoreFile = None,
    workers: int = typer.Option(0, help="Processes; as many as fill the cores if left out."),
    scheduler: str = typer.Option("", help="Dask scheduler to use, e.g. tls://host:8786; local starts one here."),
    trusted: bool = typer.Option(False, "--trust-scheduler", help="Use a scheduler elsewhere without TLS."),
    resume: bool = typer.Option(True, help="Keep finished points; --no-resume starts with an empty store."),
    as_json: AsJson = False,
) -> None:
    """Run a study: every point that its store does not have yet."""
    if workers < 0:
        raise JumpnetError(f"{workers} workers found, at least 1 expected")
    plan = open_plan(study)
    count = workers or max(1, (os.cpu_count() or 1) // (plan.threads or 1))
    if not scheduler:
        _first_points(study, plan, count)
    path = store_path(study, store)
    if not resume and path.exists():
        raise JumpnetError(f"{path} is there already; remove it yourself, or name another with --store")
    done = _run(plan, path, scheduler, count, trusted)
    if as_json:
        emit_json([{"study": plan.name, "store": str(path), "points": done.finished, "run": done.started}])
    else:
        print(f"{done.finished} points in {path}, {done.started} of them run now; see `jumpnet results {study}`")
