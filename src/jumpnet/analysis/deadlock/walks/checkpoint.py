"""Long proofs kept in a file: the walks that have ended, and the numbers of escape channels; after a kill they go on.

A proof is made of walks, one destination or pair after another, and all that they leave behind is a union: bits, counts
and flags. So any set of walks that have ended may be kept with what they left, and the others walked later, by as many
threads as one likes: the union is the same. Searches through the same walks, for circles and for numbers of escape
channels (Duato's condition on large networks, round after round), keep which walks have ended, and the numbers. The
file is sealed (`jumpnet._seal`) and belongs to one network, routing and version of the sources. Called by `dependency`,
`waiting.knots` and `conditions.escape_numbers`.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import time
from pathlib import Path
from threading import Lock

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
from jumpnet.analysis.deadlock.rows.blank import Graph, blank
from jumpnet.analysis.deadlock.walks.counters import counters_of, union
from jumpnet.analysis.deadlock.walks.packet_walk import STATES
from jumpnet.errors import JumpnetError
from jumpnet.jit.sources import source_key
from jumpnet.notices import notice
from jumpnet.own.strict import reads
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64, Array

__all__ = ["KeptSearch", "KeptWalks", "ProofCheckpoint", "identity"]

EXPECTED = "a checkpoint of this proof expected"
GRAPH = ("bits", "used", "escape", "counters")


def identity(bound: BoundRouting) -> str:
    """Hash of all that a proof depends on: network, routing with its tables, and the sources of both and of proofs."""
    net, routing = bound.network, bound.routing
    said = bound.vcs, bound.draws, bound.view.queues, routing.two_phases, routing.orders
    digest = hashlib.sha256(f"{net.spec}\n{bound.name}\n{said}".encode())
    digest.update(source_key(str(Path(__file__).parents[1] / "prove.py")).encode())
    for function in (routing.relation, routing.start, routing.outlook, routing.escape_class):
        if function is not None:
            digest.update(source_key(inspect.getsourcefile(inspect.unwrap(function)) or "").encode())
            digest.update(reads(function).encode())
    view = [part for part in bound.view if isinstance(part, np.ndarray)]
    add_arrays(digest, (*view, net.neighbor, net.far_port, net.terminals, net.sinks))
    return digest.hexdigest()


class ProofCheckpoint:
    """The file of one proof; nothing is read or written before the proof needs it.

    every_cpu_seconds: between two writings, of each thread. Raises JumpnetError at once for a bad interval, a folder
    that is not there, and when there is no key to seal with.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ProofCheckpoint(folder + "/proof.npz").path.exists()
    False
    """

    def __init__(self, path: str | os.PathLike[str], every_cpu_seconds: float = EVERY_CPU_SECONDS) -> None:
        self.path, self.every = Path(path), every_cpu_seconds
        must_be_interval(every_cpu_seconds)
        must_have_folder(self.path)
        self._key = owners_key()
        self._lock = Lock()
        self._held: dict[str, Array] = {}
        """What the file holds; beside `about`, arrays of walks and of numbers."""

    def _find(self, bound: BoundRouting) -> dict[str, Array]:
        """The arrays kept of this proof, read when first asked for; raises JumpnetError for those of another."""
        about = np.frombuffer(json.dumps({"proof": identity(bound)}).encode(), np.uint8)
        if not self._held and self.path.exists():
            self._held = kept_arrays(self.path, self._key, EXPECTED)
        if self._held and not np.array_equal(self._held["about"], about):
            raise JumpnetError(
                f"{self.path}: a checkpoint of another proof or version found, one of this proof expected"
            )
        self._held["about"] = about
        return self._held

    def _keep(self) -> None:
        try:
            keep_arrays(self.path, self._held, self._key)
        except OSError as error:
            notice(f"{self.path}: {error.strerror}; the proof goes on without a new checkpoint")

    def walks(self, bound: BoundRouting, chunks: int, workers: int) -> KeptWalks:
        """The walks of this proof that have ended, none where there is no file."""
        return self._of(bound, (chunks,), workers)

    def phases(self, bound: BoundRouting, chunks: int, workers: int) -> KeptWalks | None:
        """As `walks`, of the two phases of all routers; None where the file holds walks, which come after these."""
        held = self._find(bound)
        if "walked" in held and held["walked"].ndim == 1:
            return None
        return self._of(bound, (chunks, 2), workers)

    def _of(self, bound: BoundRouting, shape: tuple[int, ...], workers: int) -> KeptWalks:
        held = self._find(bound)
        fresh = dict(zip(GRAPH, (*blank(bound), counters_of(0)), strict=True))
        fresh["walked"] = np.zeros(shape, np.uint8)
        if not all(name in held and held[name].shape == array.shape for name, array in fresh.items()):
            held.update(fresh)
        return KeptWalks(self, held, workers)

    def numbers(self, bound: BoundRouting, first: I64) -> tuple[int, I64]:
        """(rounds done, the numbers they came to); 0 and `first` where none were kept."""
        held = self._find(bound)
        found = held.get("number", np.zeros(0))
        return (int(held.get("rounds", [0])[0]), found.copy()) if found.shape == first.shape else (0, first)

    def keep_numbers(self, bound: BoundRouting, rounds: int, number: I64) -> None:
        """Keep what a round of raising numbers came to."""
        held = self._find(bound)
        held["rounds"], held["number"] = np.array([rounds]), number.copy()
        self._keep()

    def search(self, bound: BoundRouting, turn: int, number: I64, chunks: int, workers: int) -> KeptSearch:
        """The walks of a round of raising numbers that have ended, or of the search for circles (turn -1)."""
        held, name = self._find(bound), "circled" if turn < 0 else "searched"
        about = {name: np.zeros(chunks, np.uint8), "turn": np.array([turn]), "raised": np.zeros(1, np.uint8)}
        if name not in held or len(held[name]) != chunks or (turn >= 0 and int(held["turn"][0]) != turn):
            held.update(about if turn >= 0 else {name: about[name]})
        return KeptSearch(self, held, name, number, workers)


class KeptWalks:
    """Walks that have ended, in chunks, and what they left behind; threads add to it."""

    def __init__(self, file: ProofCheckpoint, held: dict[str, Array], workers: int) -> None:
        self._file, self._held = file, held
        self._last = [time.process_time()] * workers
        self._new: list[list[int]] = [[] for _ in range(workers)]

    @property
    def graph(self) -> Graph:
        """What the walks that were kept left behind."""
        bits, used, escape, counters = (self._held[name] for name in GRAPH)
        return bits, used, escape, counters

    def is_done(self, chunk: int) -> bool:
        """Whether these walks were kept."""
        return bool(self._held["walked"][chunk].any())

    def add(self, worker: int, chunk: int, graph: Graph) -> None:
        """Note a chunk that has ended; when it is time, take over all that the thread has, and write the file."""
        if not self.is_done(chunk):
            self._new[worker].append(chunk)
        if not self._new[worker] or time.process_time() - self._last[worker] < self._file.every:
            return
        with self._file._lock:
            union([self.graph, graph])
            graph[3][STATES] = 0  # they are counted now
            self._held["walked"][self._new[worker]] = 1
            self._new[worker] = []
            self._file._keep()
        self._last[worker] = time.process_time()


class KeptSearch:
    """Walks of a search that have ended, in chunks, and the numbers that they came to; threads add to it."""

    def __init__(self, file: ProofCheckpoint, held: dict[str, Array], name: str, number: I64, workers: int) -> None:
        self._file, self._held, self._name, self._before = file, held, name, number.copy()
        self.raised = bool(len(number) and held["raised"][0])
        """Whether numbers had been raised in this round when the search was gone on with."""
        self._last = [time.process_time()] * workers
        self._new: list[list[int]] = [[] for _ in range(workers)]

    def is_done(self, chunk: int) -> bool:
        """Whether these walks were kept."""
        return bool(self._held[self._name][chunk])

    def add(self, worker: int, chunk: int, number: I64) -> None:
        """Note a chunk that has ended, and when it is time write the file, with the numbers as they are.

        Other threads may have raised some for walks that have not ended yet: what was raised is what differs.
        """
        self._new[worker].append(chunk)
        if time.process_time() - self._last[worker] < self._file.every:
            return
        with self._file._lock:
            if len(number):
                self._held["number"] = number.copy()
                self._held["raised"][0] = self.raised or bool((self._held["number"] != self._before).any())
            self._held[self._name][self._new[worker]] = 1
            self._new[worker] = []
            self._file._keep()
        self._last[worker] = time.process_time()
