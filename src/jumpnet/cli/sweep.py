"""`jumpnet sweep STUDY`: runs what a study file describes and its store lacks; kill it and start it again at will."""

from __future__ import annotations

import shlex
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path

import typer

from jumpnet.cli._answers.sweep_display import SweepDisplay
from jumpnet.cli._command.output import emit_json, print_rows, printable
from jumpnet.cli._options.shared import AsJson, StoreFile, StudyFile
from jumpnet.errors import JumpnetError, nearest
from jumpnet.memory import readable
from jumpnet.notices import counted
from jumpnet.own import loaded, with_files
from jumpnet.process.threads import processors
from jumpnet.study.cluster import DaskPool
from jumpnet.study.names import Names
from jumpnet.study.networks import held
from jumpnet.study.plan import Plan
from jumpnet.study.point import MODEL, evaluate, require_memory, resolve
from jumpnet.study.pool import LocalPool, check_workers
from jumpnet.study.results import open_plan, store_path
from jumpnet.study.run import Progress, run_plan
from jumpnet.study.store import Store
from jumpnet.topology.named import graphs_in, with_graphs

NAME = "sweep"
PANEL = "Simulation and studies"
EXAMPLE = "jumpnet sweep small.toml"
LOCAL = "local"
"""The scheduler that is started here."""
ESTIMATES = ("points", "finished", "memory_bytes", "process_bytes", "process_cpu_seconds", "cpu_seconds_left")
"""Of a forecast, what is no setting."""


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
            raise JumpnetError(f"store {path}: no permission to write it or its folder, both writable expected")
        work = partial(evaluate, checkpoints=store.checkpoints.resolve(), threads=plan.threads)
        if graphs := graphs_in(str(curve.point["network"]) for curve in plan.curves):
            work = partial(with_graphs, graphs, work)
        if loaded():
            work = partial(with_files, loaded(), work)
        pool: LocalPool | DaskPool
        if scheduler:
            pool = DaskPool(work, None if scheduler == LOCAL else scheduler, workers, trusted)
        else:
            pool = LocalPool(work, workers)
        display = SweepDisplay(plan.name)
        store.checkpoints.mkdir(exist_ok=True)
        try:
            with display.shown():
                return run_plan(plan, store, pool, resolve, MODEL, {"study": plan.name}, display.show)
        finally:
            pool.close()
            with suppress(OSError):  # not empty: points in flight have left theirs
                store.checkpoints.rmdir()


def _tell(plan: Plan, path: Path, workers: int, as_json: bool) -> None:
    """What the sweep would take; a store that is not there is not made."""
    from jumpnet.study.forecast import forecast  # for this option alone

    with tempfile.TemporaryDirectory() as folder, Store(path if path.exists() else Path(folder) / "none") as store:
        rows = forecast(plan, Names(store, resolve, MODEL), store)
    if as_json:
        emit_json(rows)
        return
    told = [key for key in (rows[0] if rows else ()) if key not in ESTIMATES]
    cells = [
        [
            *("" if row[key] is None else row[key] for key in (*told, "points", "finished")),
            "not known" if row["process_bytes"] is None else readable(row["process_bytes"]),
            "not known" if row["cpu_seconds_left"] is None else _about(row["cpu_seconds_left"]),
        ]
        for row in rows
    ]
    heads = [*(key.replace("_", " ") for key in told), "points", "finished", "memory of a process", "CPU seconds left"]
    print_rows(plan.name, heads, cells)
    spent = [row["cpu_seconds_left"] for row in rows if row["points"] > row["finished"]]
    if known := [seconds for seconds in spent if seconds is not None]:
        begun = (1 + workers) * rows[0]["process_cpu_seconds"]
        others = (
            f", and those of {counted(len(spent) - len(known), 'row')} not known" if len(known) < len(spent) else ""
        )
        processes = counted(1 + workers, "process", "processes")
        seconds = f"about {_about(sum(known) + begun)} CPU seconds in all"
        compiled = "; compiling what your own files define is not in it" if loaded() else ""
        print(f"{seconds}, {_about(begun)} of them the start of {processes}{others}{compiled}")


def _about(seconds: float) -> str:
    """A time that is known roughly, by two digits that count.

    >>> _about(0.01234), _about(3.14), _about(1234.5)
    ('0.012', '3.1', '1200')
    """
    return f"{float(f'{seconds:.2g}'):.10g}"


def run(
    study: StudyFile,
    store: StoreFile = None,
    workers: int = typer.Option(0, help="Processes; as many as fill the cores if left out."),
    scheduler: str = typer.Option("", help="Dask scheduler to use, e.g. tls://host:8786; local starts one here."),
    trusted: bool = typer.Option(False, "--trust-scheduler", help="Use a scheduler elsewhere without TLS."),
    dry_run: bool = typer.Option(
        False, "--dry-run", help="Only estimate what it would take: points, memory, CPU time."
    ),
    resume: bool = typer.Option(True, help="Keep finished points; --no-resume starts with an empty store."),
    as_json: AsJson = False,
) -> None:
    """Run a study: every point that its store does not have yet."""
    if workers < 0:
        raise JumpnetError(f"{workers} workers found, at least 1 expected")
    if scheduler not in ("", LOCAL) and ":" not in scheduler:
        meant = f"; did you mean {LOCAL!r}?" if nearest(scheduler, [LOCAL]) else ""
        raise JumpnetError(f"scheduler {scheduler!r} found, {LOCAL} or an address and port expected{meant}")
    with held():
        _sweep(open_plan(study), study, store, workers, scheduler, trusted, dry_run, resume, as_json)


def _sweep(
    plan: Plan,
    study: Path,
    store: Path | None,
    workers: int,
    scheduler: str,
    trusted: bool,
    dry_run: bool,
    resume: bool,
    as_json: bool,
) -> None:
    """Run the plan of a study, or say what that would take."""
    count = workers or max(1, processors() // (plan.threads or 1))
    if workers and scheduler in ("", LOCAL):
        check_workers(count)
    if not scheduler:
        _first_points(study, plan, count)
    path = store_path(study, store)
    if dry_run:
        return _tell(plan, path, count, as_json)
    if not resume and path.exists():
        raise JumpnetError(f"{path} is there already; remove it yourself, or name another with --store")
    done = _run(plan, path, scheduler, count, trusted)
    if as_json:
        emit_json([{"study": plan.name, "store": str(path), "points": done.finished, "run": done.started}])
    else:
        said = f"{counted(done.finished, 'point')} in {path}, {done.started} of them run now"
        print(printable(f"{said}; see `jumpnet results {shlex.quote(str(study))}`"))
