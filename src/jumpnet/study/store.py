"""The store of a study: one SQLite file that survives being killed at any instant and that several sweeps may share.

A point is named by the hash of its resolved configuration and of the model's version. A finished point is written in
one transaction with `synchronous=FULL`, so that a crash loses at most the points in flight. Used by `study/run.py`
and by the verbs that read results.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from jumpnet.errors import JumpnetError

__all__ = ["SCHEMA_VERSION", "Row", "Store", "canonical", "point_hash"]

SCHEMA_VERSION = 1
"""Version of the tables; a store of a newer one is refused."""

LEASE_S = 60.0
"""Seconds after which a claim that was not renewed counts as abandoned."""

AT_ONCE = 500
"""Points that one query names at most."""

_TABLES = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS results (
    hash TEXT PRIMARY KEY,
    config TEXT NOT NULL,
    result TEXT NOT NULL,
    provenance TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS claims (
    hash TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    until REAL NOT NULL
) WITHOUT ROWID;
"""


class Row(NamedTuple):
    """One finished point, as it is in the file; the JSON is read when asked for."""

    hash: str
    config_text: str
    result_text: str
    provenance_text: str

    @property
    def config(self) -> dict[str, Any]:
        """The resolved configuration."""
        return json.loads(self.config_text)

    @property
    def result(self) -> dict[str, Any]:
        """The figures."""
        return json.loads(self.result_text)

    @property
    def provenance(self) -> dict[str, Any]:
        """Versions, times and what else is known about the run."""
        return json.loads(self.provenance_text)


def canonical(config: Mapping[str, Any]) -> str:
    """A configuration as JSON that is equal for equal configurations: keys in order, no spaces, no NaN.

    >>> canonical({"b": 1, "a": 0.1})
    '{"a":0.1,"b":1}'
    """
    return json.dumps(config, sort_keys=True, separators=(",", ":"), allow_nan=False)


def point_hash(config: Mapping[str, Any], model: str) -> str:
    """The name of a point: hash of its resolved configuration and of the version of the model.

    >>> len(point_hash({"load": 0.1}, "1"))
    32
    """
    return hashlib.sha256(f"{model}\n{canonical(config)}".encode()).hexdigest()[:32]


class Store:
    """Finished points by hash, in one file.

    Raises JumpnetError for a file that is no store, is damaged, or was made by a newer version.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)
        self._owner = f"{socket.gethostname()}:{os.getpid()}:{time.time_ns()}"
        try:
            self._db = sqlite3.connect(self.path, timeout=60, isolation_level=None)
            with self._reporting():
                self._open()
        except sqlite3.OperationalError as error:
            raise JumpnetError(f"store {self.path}: {error}") from None

    @property
    def checkpoints(self) -> Path:
        """The folder where long points in flight keep their state, one `HASH.npz` each."""
        return self.path.with_name(self.path.name + ".checkpoints")

    def _open(self) -> None:
        db = self._db
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise JumpnetError(f"store {self.path} is damaged: {found.splitlines()[-1]}")
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
        if tables and "meta" not in tables:
            raise JumpnetError(f"{self.path} is an SQLite file with tables {sorted(tables)}, no jumpnet store")
        db.execute("BEGIN IMMEDIATE")
        for statement in filter(str.strip, _TABLES.split(";")):
            db.execute(statement)
        db.execute("INSERT OR IGNORE INTO meta VALUES ('schema', ?)", (str(SCHEMA_VERSION),))
        db.execute("COMMIT")
        (version,) = db.execute("SELECT value FROM meta WHERE key='schema'").fetchone()
        if not version.isdigit() or int(version) > SCHEMA_VERSION:
            raise JumpnetError(f"store {self.path} has version {version}, at most {SCHEMA_VERSION} expected")

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Turn SQLite's complaints about the file into one line."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                raise
            raise JumpnetError(f"store {self.path} cannot be used: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def finished(self, hashes: Iterable[str]) -> set[str]:
        """Those of the given points that have a result."""
        with self._reporting():
            return {h for h in hashes if self._db.execute("SELECT 1 FROM results WHERE hash=?", (h,)).fetchone()}

    def claim(self, name: str, now: float | None = None) -> bool:
        """Take a point for this process unless it is finished or another live process has it."""
        now = time.time() if now is None else now
        with self._reporting():
            self._db.execute("BEGIN IMMEDIATE")
            done = self._db.execute("SELECT 1 FROM results WHERE hash=?", (name,)).fetchone()
            held = self._db.execute("SELECT owner, until FROM claims WHERE hash=?", (name,)).fetchone()
            free = held is None or held[0] == self._owner or held[1] < now or _is_dead(held[0])
            if free and not done:
                self._db.execute("INSERT OR REPLACE INTO claims VALUES (?,?,?)", (name, self._owner, now + LEASE_S))
            self._db.execute("COMMIT")
        return free and not done

    def renew(self, now: float | None = None) -> None:
        """Extend the leases of all points that this process has claimed."""
        now = time.time() if now is None else now
        with self._reporting():
            self._db.execute("UPDATE claims SET until=? WHERE owner=?", (now + LEASE_S, self._owner))

    def release(self) -> None:
        """Give up the claims of this process (an orderly interruption)."""
        with self._reporting():
            self._db.execute("DELETE FROM claims WHERE owner=?", (self._owner,))

    def finish(self, name: str, config: Mapping[str, Any], result: Mapping[str, Any], about: Mapping[str, Any]) -> None:
        """Write a result; a point that is finished already stays as it is."""
        with self._reporting():
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute(
                "INSERT OR IGNORE INTO results VALUES (?,?,?,?)",
                (name, canonical(config), canonical(result), canonical(about)),
            )
            self._db.execute("DELETE FROM claims WHERE hash=?", (name,))
            self._db.execute("COMMIT")
        for file in self.checkpoints.glob(f"{name}.npz*"):
            file.unlink(missing_ok=True)

    def get(self, name: str) -> Row:
        """One finished point by its hash or an unambiguous beginning of it."""
        with self._reporting():
            query = "SELECT * FROM results WHERE hash >= ? AND hash < ? LIMIT 3"
            rows = self._db.execute(query, (name, name + "g")).fetchall()
        if len(rows) != 1:
            found = "no point" if not rows else "several points"
            raise JumpnetError(f"store {self.path}: {found} found with hash {name!r}, one expected")
        return Row(*rows[0])

    def rows(self, hashes: Iterable[str] | None = None, without: str = "") -> Iterator[Row]:
        """Finished points: those named, in the order named, or all in the order of their hashes.

        `without` names a figure to leave out (a long one, such as a histogram): listing many points is much faster so.
        """
        result = "json_remove(result, ?)" if without else "coalesce(?, result)"
        query = f"SELECT hash, config, {result}, provenance FROM results"
        path = f"$.{without}" if without else None
        with self._reporting():
            if hashes is None:
                for row in self._db.execute(f"{query} ORDER BY hash", (path,)):
                    yield Row(*row)
                return
            names = list(hashes)
            for first in range(0, len(names), AT_ONCE):
                some = names[first : first + AT_ONCE]
                marks = ",".join("?" * len(some))
                found = {row[0]: row for row in self._db.execute(f"{query} WHERE hash IN ({marks})", (path, *some))}
                yield from (Row(*found[name]) for name in some if name in found)


def _is_dead(owner: str) -> bool:
    """Whether a claim's owner was a process of this machine that is no more (killed): its points are free at once."""
    host, pid, _ = owner.rsplit(":", 2)
    if host != socket.gethostname() or os.name != "posix":
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
