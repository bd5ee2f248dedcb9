"""The store of a study: one SQLite file that survives being killed at any instant and that several sweeps may share.

A point is named by the hash of its resolved configuration and of the model's version. A finished point is written in
one transaction with `synchronous=FULL`, so that a crash loses at most the points in flight, and with a digest, so that
damage is seen when it is read. Used by `study/run.py` and by the verbs that read results.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from jumpnet.errors import JumpnetError
from jumpnet.files import must_be_regular
from jumpnet.notices import notice
from jumpnet.study.claims import LEASE_S, Claims, owner_name
from jumpnet.study.digest import fault_of, figures_of, is_whole, object_of, text_digest
from jumpnet.study.names import canonical
from jumpnet.study.schema import (
    OLD_COLUMNS,
    SCHEMA_VERSION,
    insert,
    is_newest,
    make_tables,
    migrate,
    missing,
    programs,
    transaction,
    version_of,
)

__all__ = ["Row", "Store", "connect", "is_store", "is_writable"]

AT_ONCE = 500
"""Points that one query names at most."""
SHOWN = 64
"""Characters of a damaged point's hash."""


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
        return self._read(self.config_text)

    @property
    def result(self) -> dict[str, Any]:
        """The figures."""
        long = (self._read(f"{{{json.dumps(key)}:{text}}}") for key, text in self.long_texts)
        return {name: value for part in (self._read(self.result_text), *long) for name, value in part.items()}

    @property
    def provenance(self) -> dict[str, Any]:
        """Versions, times and what else is known about the run."""
        return self._read(self.provenance_text)

    def _read(self, text: str) -> dict[str, Any]:
        found = object_of(text)
        if found is None:
            raise JumpnetError(f"point {self.hash} of the store holds no JSON by name; `jumpnet store repair` drops it")
        return found


def is_writable(path: Path) -> bool:
    """Whether a store may be written: the file, and its folder, where SQLite keeps its journal."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def connect(path: Path, writable: bool) -> sqlite3.Connection:
    """A connection to the file, to which SQLite trusts nothing; one that may not write leaves no trace beside it."""
    name, journal = str(path), path.with_name(f"{path.name}-wal")
    if not writable:
        mode = "mode=ro" if journal.exists() and journal.stat().st_size else "immutable=1"
        name = f"{path.absolute().as_uri()}?{mode}"
    db = sqlite3.connect(name, uri=not writable, timeout=60, isolation_level=None)
    db.execute("PRAGMA trusted_schema=OFF")
    db.execute("PRAGMA cell_size_check=ON")
    return db


SQLITE = b"SQLite format 3\0"
"""What a store begins with."""


def is_store(path: Path) -> bool:
    """Whether a file begins as SQLite's do."""
    if not path.is_file():  # a pipe is not opened: that would wait
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except OSError:
        return False


class Store:
    """Finished points by hash, in one file; one that cannot be written is read all the same.

    Raises JumpnetError for a file that is no store, is damaged, or was made by a newer version.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)
        if self.path.exists():
            must_be_regular(self.path, "a store expected")
        for beside in ("-journal", "-wal", "-shm"):  # SQLite waits for a pipe
            if (file := self.path.with_name(self.path.name + beside)).exists():
                must_be_regular(file, "a file of SQLite's expected, or none")
        self._claims = Claims(owner_name())
        self._notified: set[str] = set()
        self.writable = not self.path.exists() or is_writable(self.path)
        """Whether results can be added."""
        with self._reporting():
            self._db = connect(self.path, self.writable)
            self._open()

    @property
    def checkpoints(self) -> Path:
        """The folder where long points in flight keep their state, one `HASH.npz` each."""
        return self.path.with_name(self.path.name + ".checkpoints")

    def _open(self) -> None:
        if found := programs(self._db):
            raise self._damaged(found[0])
        if self.writable:
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
        said = self._db.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if said != "ok":
            raise self._damaged(str(said).splitlines()[-1])
        tables = sorted(name for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE type='table'"))
        version = version_of(self._db)
        if version is None:
            if tables:
                raise JumpnetError(f"{self.path} is an SQLite file with tables {tables}, no jumpnet store")
            make_tables(self._db)
        elif version != SCHEMA_VERSION and is_newest(self._db):
            raise self._damaged(f"it says version {version}, its tables are those of version {SCHEMA_VERSION}")
        elif version in OLD_COLUMNS:
            self._migrate(version)
        elif version != SCHEMA_VERSION:
            raise JumpnetError(f"store {self.path} has version {version}, at most {SCHEMA_VERSION} expected")
        if wrong := missing(self._db):
            raise self._damaged(f"its tables {', '.join(wrong)} are not those of version {SCHEMA_VERSION}")

    def _migrate(self, version: str) -> None:
        """Bring an older version up to date, in memory where the file cannot be written."""
        if not self.writable:
            read, self._db = self._db, sqlite3.connect(":memory:", isolation_level=None)
            read.backup(self._db)
            read.close()
        try:
            points = migrate(self._db)
        except ValueError as error:
            raise self._damaged(str(error)) from None
        if points:
            notice(
                f"store {self.path} of version {version} had no digests; its {points} points are taken as "
                "they are" + (", and have digests from now on" if self.writable else "")
            )

    def _damaged(self, why: str) -> JumpnetError:
        return JumpnetError(f"store {self.path} is damaged: {why}; `jumpnet store repair` keeps what is whole")

    def _checked(self, row: Sequence[Any]) -> Sequence[Any]:
        """A row of `results`, or of `meanings`, if it is as it was written."""
        if not is_whole(row):
            raise self._damaged(f"the digest of point {row[0]} does not fit")
        return row

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Turn SQLite's complaints about the file into one line."""
        try:
            yield
        except JumpnetError:
            raise
        except (sqlite3.Error, ValueError, RecursionError) as error:
            why = " ".join(str(error).split())[:200]  # SQLite may quote what it found
            raise JumpnetError(f"store {self.path} cannot be used: {why}") from None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, all of it or nothing."""
        with self._reporting(), transaction(self._db):
            yield self._db

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

    def tell_unsure(self, network: str, before: Iterable[str]) -> None:
        """Say, once for each network, that points are there which leave open what the network was.

        before: names that the points had before they were named by their content.
        """
        if network not in self._notified and self.finished(before):
            self._notified.add(network)
            notice(
                f"store {self.path} has points of {network} that do not say what it was when they were run, as jumpnet "
                "kept them before; they stay there, marked in `jumpnet store check`, and count as not run"
            )

    def claim(self, name: str, now: float | None = None) -> bool:
        """Take a point for this process unless it is finished or another live process has it."""
        now = time.time() if now is None else now
        with self._writing() as db:
            done = db.execute("SELECT 1 FROM results WHERE hash=?", (name,)).fetchone()
            held = db.execute("SELECT owner, until FROM claims WHERE hash=?", (name,)).fetchone()
            free = self._claims.free(name, held, now)
            if free and not done:
                db.execute("INSERT OR REPLACE INTO claims VALUES (?,?,?)", (name, self._claims.owner, now + LEASE_S))
        return free and not done

    def renew(self, now: float | None = None) -> None:
        """Extend the leases of all points that this process has claimed."""
        now = time.time() if now is None else now
        with self._reporting():
            self._db.execute("UPDATE claims SET until=? WHERE owner=?", (now + LEASE_S, self._claims.owner))

    def release(self) -> None:
        """Give up the claims of this process (an orderly interruption)."""
        with self._reporting():
            self._db.execute("DELETE FROM claims WHERE owner=?", (self._claims.owner,))

    def finish(self, name: str, config: Mapping[str, Any], result: Mapping[str, Any], about: Mapping[str, Any]) -> None:
        """Write a result; a point that is finished already stays as it is."""
        with self._writing() as db:
            insert(db, name, canonical(config), result, canonical(about))
            db.execute("DELETE FROM claims WHERE hash=?", (name,))
        for file in self.checkpoints.glob(f"{name}.npz*"):
            file.unlink(missing_ok=True)

    def damaged(self) -> list[str]:
        """The hashes of all points whose digests do not fit, as they stand in the file. Cost: all of it is read."""
        with self._reporting():
            rows = self._db.execute("SELECT * FROM results")
            return [str(row[0])[:SHOWN] for row in rows if not is_whole(row)]

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
                query = f"SELECT * FROM results WHERE hash IN ({marks})"
                rows = [self._checked(row) for row in self._db.execute(query, some)]
                figures = figures_of([row[2] for row in rows])
                if figures is None:
                    faults = (f"point {row[0]}: {why}" for row in rows if (why := fault_of(row[2])))
                    raise self._damaged(next(faults, "its figures cannot be read"))
                found.update(zip((row[0] for row in rows), figures, strict=True))
        return found

    def _whole(self, row: Sequence[str]) -> Row:
        name, config, result, provenance, long, _ = self._checked(row)
        query = "SELECT figure, value FROM long_figures WHERE hash=? ORDER BY figure"
        found = dict(self._db.execute(query, (name,)))
        digests = object_of(long) or {}
        if {figure: text_digest(str(text)) for figure, text in found.items()} != digests:
            raise self._damaged(f"the digest of a long figure of point {name} does not fit")
        return Row(name, config, result, provenance, tuple(found.items()))

    def meaning(self, settings: str, sources: str) -> str | None:
        """The resolved configuration kept for the hash of a curve's settings, if these sources resolved it."""
        with self._reporting():
            query = "SELECT * FROM meanings WHERE settings=? AND sources=?"
            row = self._db.execute(query, (settings, sources)).fetchone()
        return row[2] if row and is_whole(row) else None

    def keep_meanings(self, found: Mapping[str, str], sources: str) -> None:
        """Keep resolved configurations by the hash of their settings, instead of those that other sources resolved."""
        with self._writing() as db:
            db.execute("DELETE FROM meanings WHERE sources<>?", (sources,))
            rows = [(settings, sources, config) for settings, config in found.items()]
            rows_with_digests = [(*row, text_digest(*row)) for row in rows]
            db.executemany("INSERT OR REPLACE INTO meanings VALUES (?,?,?,?)", rows_with_digests)
