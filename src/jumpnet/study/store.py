"""The store of a study: one SQLite file that survives being killed at any instant and that several sweeps may share.

A point is named by the hash of its resolved configuration and of the model's version. A finished point is written in
one transaction with `synchronous=FULL`, so that a crash loses at most the points in flight. Used by `study/run.py`
and by the verbs that read results.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from jumpnet.errors import JumpnetError
from jumpnet.files import must_be_regular
from jumpnet.study.names import canonical
from jumpnet.study.schema import SCHEMA_VERSION, insert, open_tables

__all__ = ["Row", "Store"]

LEASE_S = 60.0
"""Seconds after which a claim that was not renewed counts as abandoned."""

AT_ONCE = 500
"""Points that one query names at most."""


class Row(NamedTuple):
    """One finished point, as it is in the file; the JSON is read when asked for."""

    hash: str
    config_text: str
    result_text: str
    provenance_text: str
    long_texts: tuple[tuple[str, str], ...] = ()
    """Names and JSON of the long figures."""

    @property
    def config(self) -> dict[str, Any]:
        """The resolved configuration."""
        return json.loads(self.config_text)

    @property
    def result(self) -> dict[str, Any]:
        """The figures."""
        return json.loads(self.result_text) | {key: json.loads(text) for key, text in self.long_texts}

    @property
    def provenance(self) -> dict[str, Any]:
        """Versions, times and what else is known about the run."""
        return json.loads(self.provenance_text)


class Store:
    """Finished points by hash, in one file.

    Raises JumpnetError for a file that is no store, is damaged, or was made by a newer version.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)
        if self.path.exists():
            must_be_regular(self.path, "a store expected")
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
        version = open_tables(db)
        if version != str(SCHEMA_VERSION):
            raise JumpnetError(f"store {self.path} has version {version}, at most {SCHEMA_VERSION} expected")

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Turn SQLite's complaints about the file into one line."""
        try:
            yield
        except (sqlite3.DatabaseError, json.JSONDecodeError) as error:
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                raise
            raise JumpnetError(f"store {self.path} cannot be used: {error}") from None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, all of it or nothing."""
        with self._reporting():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

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
        with self._writing() as db:
            done = db.execute("SELECT 1 FROM results WHERE hash=?", (name,)).fetchone()
            held = db.execute("SELECT owner, until FROM claims WHERE hash=?", (name,)).fetchone()
            free = held is None or held[0] == self._owner or held[1] < now or _is_dead(held[0])
            if free and not done:
                db.execute("INSERT OR REPLACE INTO claims VALUES (?,?,?)", (name, self._owner, now + LEASE_S))
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
        with self._writing() as db:
            insert(db, name, canonical(config), result, canonical(about))
            db.execute("DELETE FROM claims WHERE hash=?", (name,))
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
            return self._whole(rows[0])

    def rows(self, hashes: Iterable[str] | None = None) -> Iterator[Row]:
        """Finished points, whole: those named, in the order named, or all in the order of their hashes."""
        with self._reporting():
            if hashes is None:
                yield from map(self._whole, self._db.execute("SELECT * FROM results ORDER BY hash"))
                return
            for name in hashes:
                found = self._db.execute("SELECT * FROM results WHERE hash=?", (name,)).fetchone()
                if found:
                    yield self._whole(found)

    def figures(self, hashes: Iterable[str]) -> dict[str, dict[str, Any]]:
        """The figures of those of the given points that are finished, by hash, without long ones such as histograms."""
        names = list(hashes)
        found: dict[str, dict[str, Any]] = {}
        with self._reporting():
            for first in range(0, len(names), AT_ONCE):
                some = names[first : first + AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT hash, result FROM results WHERE hash IN ({marks})"
                rows = self._db.execute(query, some).fetchall()
                texts = ",".join(text for _, text in rows)  # read all at once: a third faster than one by one
                found.update(zip((name for name, _ in rows), json.loads(f"[{texts}]"), strict=True))
        return found

    def _whole(self, row: Sequence[str]) -> Row:
        name, config, result, provenance = row
        query = "SELECT figure, value FROM long_figures WHERE hash=? ORDER BY figure"
        return Row(name, config, result, provenance, tuple(self._db.execute(query, (name,))))

    def meaning(self, settings: str, sources: str) -> str | None:
        """The resolved configuration kept for the hash of a curve's settings, if these sources resolved it."""
        with self._reporting():
            query = "SELECT config FROM meanings WHERE settings=? AND sources=?"
            row = self._db.execute(query, (settings, sources)).fetchone()
        return row[0] if row else None

    def keep_meanings(self, found: Mapping[str, str], sources: str) -> None:
        """Keep resolved configurations by the hash of their settings, instead of those that other sources resolved."""
        with self._writing() as db:
            db.execute("DELETE FROM meanings WHERE sources<>?", (sources,))
            rows = [(settings, sources, config) for settings, config in found.items()]
            db.executemany("INSERT OR REPLACE INTO meanings VALUES (?,?,?)", rows)


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
