"""Checkpoints of long searches in a folder: the states found so far, and how far they were expanded.

States never change once they have a number, so they stand in files from the beginning (`state_storage`). What is saved
from time to time is their number, the records of caches by number, and a digest of what is new. That record is sealed
(`jumpnet._seal`), and belongs to one protocol, network and version of the sources. The hash table is filled again.
Called by `states`; given by `check` and `cli`.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from jumpnet._seal import EVERY_CPU_SECONDS, keep_arrays, kept_arrays, must_be_interval, owners_key
from jumpnet.coherence.search.state_storage import FILES, StateStorage
from jumpnet.errors import JumpnetError
from jumpnet.notices import notice
from jumpnet.terms import Array

__all__ = ["Progress", "SearchCheckpoint"]

RECORD = "search.npz"
EXPECTED = "the record of this search expected"
OURS = ("about", "numbers", "told", "ends", "digests")
NUMBERS = 7
"""Fields of `Progress` that are numbers."""


class Progress(NamedTuple):
    """How far a search has come, but for its states."""

    found: int
    """States found."""
    begin: int
    """The first that is still to be expanded."""
    end: int
    """End of the level."""
    levels: int
    steps: int
    met: int
    """As in `Found`."""
    slots: int
    records: list[Any]
    """Records of caches by number, as lists."""
    rows: list[int]
    """Rows of the cache's table that a step has used, by place."""
    tables: dict[str, Array]
    """What was filled of the tables (`Filled.kept`)."""


class SearchCheckpoint:
    """The folder of one search, made where there is none.

    every_cpu_seconds: between two records. Raises JumpnetError at once for a bad interval, a folder that cannot be
    made or holds something else, and when there is no key to seal with.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     SearchCheckpoint(folder + "/mesi").folder.name
    'mesi'
    """

    def __init__(self, folder: str | os.PathLike[str], every_cpu_seconds: float = EVERY_CPU_SECONDS) -> None:
        self.folder, self.every = Path(folder), every_cpu_seconds
        must_be_interval(every_cpu_seconds)
        self._key = owners_key()
        try:
            self.folder.mkdir(exist_ok=True)
            others = {file.name for file in self.folder.iterdir()} - {RECORD, *FILES}
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise JumpnetError(f"{self.folder}: {reason}, a folder for states expected") from None
        strange = sorted(name for name in others if not name.startswith(RECORD))
        if strange:
            raise JumpnetError(f"{self.folder}: {strange[0]} found, a folder for the states of one search expected")
        self._ends: list[int] = [0]
        self._digests: list[bytes] = []
        self._last = time.process_time()

    @property
    def _record(self) -> Path:
        return self.folder / RECORD

    @property
    def is_due(self) -> bool:
        """Whether it is time for another record."""
        return time.process_time() - self._last >= self.every

    def read(self, about: str) -> Progress | None:
        """How far the search has come that is described so, None where nothing was kept."""
        if not self._record.exists():
            return None
        held = kept_arrays(self._record, self._key, EXPECTED)
        if not np.array_equal(held["about"], _bytes(about)):
            raise JumpnetError(f"{self.folder}: another search or version found, one of this search expected")
        told = json.loads(held["told"].tobytes())
        self._ends = [int(number) for number in held["ends"]]
        self._digests = [row.tobytes() for row in held["digests"]]
        numbers = [int(number) for number in held["numbers"]]
        tables = {name: array for name, array in held.items() if name not in OURS}
        return Progress._make([*numbers, told["records"], told["rows"], tables])

    def check(self, states: Array, parent: Array) -> None:
        """Raise JumpnetError unless the files hold what was kept; some 0.5 seconds a gigabyte."""
        for first, last, digest in zip(self._ends[:-1], self._ends[1:], self._digests, strict=True):
            if _digest(states, parent, first, last) != digest:
                raise JumpnetError(f"{self.folder}: states {first:,} to {last:,} are damaged, those kept expected")

    def write(self, about: str, progress: Progress, room: StateStorage) -> None:
        """Keep how far a search has come; its states, by number, stand in the folder."""
        try:
            room.flush()
            if progress.found > self._ends[-1]:
                self._digests.append(_digest(room.states, room.parent, self._ends[-1], progress.found))
                self._ends.append(progress.found)
            held = {
                "about": _bytes(about), "numbers": np.array(progress[:NUMBERS], np.int64),
                "told": _bytes(json.dumps({"records": progress.records, "rows": progress.rows})),
                "ends": np.array(self._ends, np.int64),
                "digests": np.frombuffer(b"".join(self._digests), np.uint8).reshape(-1, 32), **progress.tables,
            }  # fmt: skip
            keep_arrays(self._record, held, self._key)
        except OSError as error:
            notice(f"{self.folder}: {error.strerror}; the search goes on without a new record")
        self._last = time.process_time()


def _bytes(text: str) -> Array:
    return np.frombuffer(text.encode(), np.uint8)


def _digest(states: Array, parent: Array, first: int, last: int) -> bytes:
    digest = hashlib.sha256(states[first:last].data)
    digest.update(parent[first:last].data)
    return digest.digest()
