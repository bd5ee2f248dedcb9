"""Checkpoints: a long run is saved in a file from time to time; after a kill it resumes there, with the same bits.

The file is an npz archive of plain arrays (no pickle): the simulator's arrays, and what the run remembers as JSON. It
is written beside its place, flushed to the disk and renamed, so that a kill at any instant leaves the last one whole.
It belongs to one point, one network and one version of the simulator's sources; any other run refuses it. The arrays
point into each other and go to compiled code: the file is sealed with its owner's key, and read only when that fits.
"""

from __future__ import annotations

import glob
import hashlib
import inspect
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from jumpnet._seal import (
    EVERY_CPU_SECONDS,
    add_arrays,
    keep_arrays,
    kept_arrays,
    must_be_interval,
    must_have_folder,
    owners_key,
)
from jumpnet.errors import JumpnetError
from jumpnet.jit.sources import source_key
from jumpnet.notices import notice
from jumpnet.own import functions_of
from jumpnet.own.strict import reads
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.measure.run import Facts, Run
from jumpnet.sim.memory.state import State
from jumpnet.sim.result.point_name import point_hash
from jumpnet.terms import Array

EXPECTED = "a checkpoint of this run expected"

GROWING = ("packet", "flit", "event", "batches")
"""Arrays of the simulator that may have more rows than at the start."""


def identity(engine: Engine) -> str:
    """Hash of all that a run depends on: the point, every array that is only read, and the sources that run it.

    An engine with faults changes its network and routing on the way; it says itself how it began.
    """
    if (begun := getattr(engine, "begun", None)) is not None:
        return str(begun)
    program, net, routing = engine.memory.program, engine.network, engine.routing
    relation = inspect.getsourcefile(inspect.unwrap(routing.routing.relation))
    settings = engine.config.replace(vcs=routing.vcs)
    digest = hashlib.sha256(point_hash(net.spec, routing.name, settings).encode())
    digest.update(source_key(__file__).encode())
    digest.update(source_key(relation or "").encode())
    for function in (part for thing in engine.parts for part in functions_of(thing)):
        digest.update(reads(function).encode())
    view = [part for part in program.view if isinstance(part, np.ndarray)]
    latency = np.zeros(0) if net.latency is None else net.latency
    traffic = [array for calls in program.classes for array in (calls.pattern_own, calls.process_own)]
    trace = engine.state.trace_first, engine.state.trace
    add_arrays(digest, (*view, latency, net.terminals, net.sinks, *traffic, *trace))
    return digest.hexdigest()


class Checkpoint:
    """The file of one run: `restore` resumes from it when it exists, `keep` writes it when it is due.

    `optional` is for files that a sweep made by itself: one that does not fit or is damaged is then left alone, and the
    run starts over with a notice. Raises JumpnetError at once for a bad interval, when the folder is not there, and
    when there is no key to seal with (see `_seal`); an optional one is then neither read nor written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Checkpoint(folder + "/run.npz", every_cpu_seconds=0.0)
    ...     file.path.exists()
    False
    """

    def __init__(
        self, path: str | os.PathLike[str], every_cpu_seconds: float = EVERY_CPU_SECONDS, optional: bool = False
    ) -> None:
        self.path = Path(path)
        self.every, self.optional = every_cpu_seconds, optional
        self.resumed_cycle = 0
        """Cycle from which the run was resumed, 0 when it started from the beginning."""
        self._last = 0.0
        must_be_interval(every_cpu_seconds)
        must_have_folder(self.path)
        try:
            self._key: bytes | None = owners_key()
        except JumpnetError as error:
            if not optional:
                raise
            self._key = None
            notice(f"{error}; the run keeps no checkpoint")

    def keep(self, run: Run) -> None:
        """Write the file when enough CPU time has passed; a full disk is reported, and the run goes on."""
        if self._key is None or run.facts.phase == "done" or run.facts.cpu_seconds - self._last < self.every:
            return
        self._last = run.facts.cpu_seconds
        try:
            keep_arrays(self.path, _arrays(run), self._key)
        except OSError as error:
            notice(f"{self.path}: {error.strerror}; the run goes on without a new checkpoint")

    def restore(self, run: Run) -> bool:
        """Put a fresh run where the file says; False when there is no file (or an optional one that does not fit).

        Raises JumpnetError for a file that is damaged or belongs to another run.
        """
        if self._key is None or not self.path.exists():
            return False
        try:
            _put(run, kept_arrays(self.path, self._key, EXPECTED), self.path)
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
            wrong = f"{self.path}: is damaged ({type(error).__name__}), {EXPECTED}"
            known = error if isinstance(error, JumpnetError) else JumpnetError(wrong)
            if not self.optional:
                raise known from None
            notice(f"{known}; the point starts over")
            return False
        self._last, self.resumed_cycle = run.facts.cpu_seconds, run.engine.cycle
        return True

    def remove(self) -> None:
        """Delete the file and what a killed writer may have left, after the result is safe."""
        for file in self.path.parent.glob(f"{glob.escape(self.path.name)}*"):
            if file == self.path or file.suffix == ".partial":
                file.unlink(missing_ok=True)


MOST_CYCLES = 1 << 40
"""No run is so long."""


def _arrays(run: Run) -> dict[str, Array]:
    """Everything that a run knows, by name."""
    engine = run.engine
    more = engine.remember() if hasattr(engine, "remember") else None
    about = {"identity": identity(engine), "cycle": engine.cycle, "facts": asdict(run.facts), "more": more}
    return {
        "about": np.frombuffer(json.dumps(about).encode(), np.uint8),
        "buffered": run.buffered,
        "sent": run.sent,
        "arrived": np.array(run.arrived, np.int64),
        "occupancy": np.array(run.occupancy, np.float64),
        "events": engine.earlier_events(),
        **{f"state.{name}": array for name, array in engine.state._asdict().items()},
    }


def _put(run: Run, arrays: dict[str, Array], path: Path) -> None:
    """Put a fresh run where the arrays say."""
    about: dict[str, Any] = json.loads(arrays["about"].tobytes())
    engine = run.engine
    if about["identity"] != identity(engine):
        raise JumpnetError(f"{path}: a checkpoint of another point or version found, one of this run expected")
    fresh = engine.state._asdict()
    saved = {name: arrays.get(f"state.{name}", np.zeros(0)) for name in fresh}
    for name, array in saved.items():
        like = fresh[name]
        same = array.dtype == like.dtype and array.ndim == like.ndim and array.shape[1:] == like.shape[1:]
        if not same or len(array) < len(like) or (len(array) > len(like) and name not in GROWING):
            raise JumpnetError(f"{path}: damaged, array {name} does not fit")
    cycle = about["cycle"]
    if type(cycle) is not int or not 0 <= cycle <= MOST_CYCLES:
        raise JumpnetError(f"{path}: is damaged, cycle {cycle!r} found, 0 to {MOST_CYCLES} expected")
    facts = about["facts"]
    if facts["deadlock"] is not None:
        facts["deadlock"] = [tuple(channel) for channel in facts["deadlock"]]
    found = Facts(**facts)
    for name, usual in asdict(Facts()).items():
        if usual is not None and not isinstance(getattr(found, name), (type(usual), int)):
            raise JumpnetError(f"{path}: is damaged, {getattr(found, name)!r} found as {name}")
    if about["more"] is not None:
        engine.recall(about["more"])  # type: ignore[attr-defined]
    engine.go_on(cycle, State(**saved), arrays["events"])
    run.facts, run.buffered, run.sent = found, arrays["buffered"], arrays["sent"]
    run.arrived, run.occupancy = arrays["arrived"].tolist(), arrays["occupancy"].tolist()
