"""What is whole in a store and what is damaged; and a new store of what is whole. Used by `jumpnet store`.

Reads the file as far as SQLite can follow it, row by row where need be, and trusts rows whose digests fit. A row of a
version without digests is trusted when it can be read.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.files import must_be_regular, read_bytes
from jumpnet.memory import require
from jumpnet.spec import is_count
from jumpnet.study.claims import Claims, owner_name
from jumpnet.study.digest import fault_of, is_whole, object_of, text_digest
from jumpnet.study.names import is_unsure
from jumpnet.study.schema import (
    OLD_COLUMNS,
    SCHEMA_VERSION,
    insert,
    is_newest,
    make_tables,
    missing,
    old_rows,
    programs,
    texts,
    version_of,
)
from jumpnet.study.store import connect, is_writable

__all__ = ["Found", "check", "repair"]

UNREADABLE = (sqlite3.Error, UnicodeError)
"""What SQLite raises where it cannot follow a file, and where the names in it are no text."""

MAGIC = b"SQLite format 3\0"
"""How a file of SQLite begins."""
JOURNAL = slice(18, 20)
"""Where the head of a file says what kind of journal it has."""

FAR = 10_000
"""Rows are numbered in the order of their writing: behind so many that cannot be read, none is expected."""

Point = tuple[str, str, dict[str, Any], str]
"""Hash, configuration, all figures, provenance."""


@dataclass
class Found:
    """What is in the file of a store."""

    version: str = "unknown"
    points: dict[str, Point] = field(default_factory=dict)
    """Those that are whole, by hash."""
    damaged: list[str] = field(default_factory=list)
    """One line for each point that is not: as much of its hash as can be read, and why."""
    file: list[str] = field(default_factory=list)
    """What is wrong with the file as a whole."""

    @property
    def unsure(self) -> list[str]:
        """One line for each point whole that leaves open what its network was, as earlier versions kept it."""
        configs = ((name, object_of(config) or {}) for name, (_, config, _, _) in sorted(self.points.items()))
        return [
            f"{name}: {config.get('network')}, which may have been another network"
            for name, config in configs
            if is_unsure(config)
        ]

    @property
    def whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.damaged and not self.file


def check(path: Path) -> Found:
    """Read all of a store, and write nothing; raises JumpnetError for what is no store at all."""
    must_be_regular(path, "a store expected")
    found = Found()
    try:
        db = connect(path, False)
        db.text_factory = lambda data: data.decode(errors="replace")
        try:
            _read(db, found, path)
        finally:
            db.close()
    except UNREADABLE as error:
        found.file.append(_line(error))
    if found.file and not found.points and not found.damaged:
        with suppress(*UNREADABLE), closing(_mended(path)) as db:
            _read(db, found, path)
        if not found.points and not found.damaged and not _was_store(path):
            raise JumpnetError(f"{path}: {found.file[0]}, a store expected")
    return found


def _was_store(path: Path) -> bool:
    """Whether a file that nothing can be read of has anything of a store: SQLite's first words, or a table's name."""
    require(path.stat().st_size, str(path))
    data = read_bytes(path, path.stat().st_size, "a store expected")
    return data.startswith(MAGIC) or any(f"TABLE {name}".encode() in data for name in texts())


def _mended(path: Path) -> sqlite3.Connection:
    """A copy in memory whose tables have the definitions of this version: where one is damaged, none can be read.

    What lies in a journal beside the file is not in it.
    """
    require(3 * path.stat().st_size, str(path))
    data = bytearray(read_bytes(path, path.stat().st_size, "a store expected"))
    data[: len(MAGIC)] = MAGIC
    data[JOURNAL] = b"\1\1"  # a copy in memory has no journal beside it
    damaged, copy = (sqlite3.connect(":memory:", isolation_level=None) for _ in range(2))
    with closing(damaged):
        damaged.deserialize(bytes(data))
        damaged.execute("PRAGMA writable_schema=ON")
        for name, text in texts().items():
            damaged.execute("UPDATE sqlite_master SET sql=? WHERE type='table' AND name=?", (text, name))
        marks = ",".join("?" * len(texts()))
        more = f"type IN ('table', 'index') AND sql IS NOT NULL AND name NOT IN ({marks})"
        damaged.execute(f"DELETE FROM sqlite_master WHERE {more}", tuple(texts()))
        copy.deserialize(damaged.serialize())
    copy.text_factory = lambda data: data.decode(errors="replace")
    return copy


def _line(error: Exception) -> str:
    """What SQLite says, which may quote what it found, as one line."""
    return " ".join(str(error).split())[:200]


def _of_integrity(db: sqlite3.Connection) -> list[str]:
    """What SQLite finds wrong with the whole file."""
    try:
        said = [line for (text,) in db.execute("PRAGMA integrity_check(20)") for line in text.splitlines()]
    except UNREADABLE as error:
        return [_line(error)]
    return [] if said == ["ok"] else said


def _read(db: sqlite3.Connection, found: Found, path: Path) -> None:
    more = programs(db)
    found.file += more
    if any(not words.startswith("trigger") for words in more):
        return  # whatever is asked for may be one, and a look at the whole file would run it
    found.file += _of_integrity(db)
    version = version_of(db)
    if version is None:
        if found.file or db.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise JumpnetError(f"{path}: no table `meta` found, a jumpnet store expected")
        found.version = SCHEMA_VERSION  # a sweep was ended before its first table: the next one goes on
        return
    if version != SCHEMA_VERSION and is_newest(db):  # `meta` was edited: the tables tell
        found.file.append(f"version {version} found in `meta`, {SCHEMA_VERSION} expected as its tables are made")
        version = SCHEMA_VERSION
    found.version = version
    if version in OLD_COLUMNS:
        _read_old(db, found, version)
    else:
        _read_new(db, found, version)


def _read_old(db: sqlite3.Connection, found: Found, version: str) -> None:
    """The points of a store of an older version."""
    for (name, config, _, provenance), figures in old_rows(db, version):
        if figures is None:
            found.damaged.append(f"{name}: it cannot be read")
        else:
            found.points[name] = name, config, figures, provenance


def _read_new(db: sqlite3.Connection, found: Found, version: str) -> None:
    """The points of a store of this version, or of one that is newer, which its tables may be like."""
    if version != SCHEMA_VERSION:
        found.file.append(f"version {version} found, at most {SCHEMA_VERSION} expected")
    found.file += [f"table {name} is not that of version {SCHEMA_VERSION}" for name in missing(db)]
    for row in _rows(db, found):
        point = _point(row, _long_figures(db, row[0]))
        if isinstance(point, str):
            found.damaged.append(f"{row[0]}: {point}")
        else:
            found.points[point[0]] = point
    found.damaged = sorted({line for line in found.damaged if line.partition(":")[0] not in found.points})


def _rows(db: sqlite3.Connection, found: Found) -> Iterator[tuple[Any, ...]]:
    """The rows of `results`; where SQLite stops on the way, those that it finds one by one."""
    try:
        yield from db.execute("SELECT * FROM results NOT INDEXED").fetchall()
        return
    except UNREADABLE as error:
        found.file.append(f"table results: {_line(error)}")
    number = last = 0
    while number <= last + FAR:
        number += 1
        with suppress(*UNREADABLE):
            for row in db.execute("SELECT * FROM results WHERE rowid=?", (number,)).fetchall():
                last = number
                yield row


def _long_figures(db: sqlite3.Connection, name: object) -> dict[str, str]:
    """The long figures of a point, as far as they can be read."""
    try:
        return dict(db.execute("SELECT figure, value FROM long_figures WHERE hash=?", (name,)).fetchall())
    except UNREADABLE:
        return {}


def _point(row: tuple[Any, ...], long: dict[str, str]) -> Point | str:
    """A point from its row and its long figures, or what is wrong with it."""
    if not is_whole(row):
        return "its digest does not fit"
    name, config, result, provenance, digests, _ = row
    expected = object_of(digests)
    if fault := fault_of(result):
        return fault
    figures = object_of(result)
    if figures is None or expected is None or object_of(config) is None or object_of(provenance) is None:
        return "it holds no JSON by name"
    for figure, digest in expected.items():
        text = long.get(figure)
        if text is None or text_digest(str(text)) != digest:
            return f"the digest of {figure} does not fit"
        figures |= object_of(f'{{"{figure}":{text}}}') or {}
    return name, config, figures, provenance


def repair(path: Path, force: bool = False) -> tuple[Found, Path | None]:
    """Rebuild the store from what is whole; the old file is kept under the name returned.

    Points that are lost count as not done, so that the next sweep runs them. Nothing is done to a store that is whole.
    Raises JumpnetError where it cannot be written, is of a newer version, or, without `force`, is used by a sweep.
    """
    found = check(path)
    if found.whole:
        return found, None
    if path.is_symlink():  # beside its file lie the journal and the place of the new one
        path = Path(os.path.realpath(path))
    if not is_writable(path):
        raise JumpnetError(f"store {path}: no permission to write it or its folder, both writable expected")
    newer = not is_count(found.version) or int(found.version) > int(SCHEMA_VERSION)
    if found.version.isdecimal() and newer:
        raise JumpnetError(f"store {path} has version {found.version}, at most {SCHEMA_VERSION} expected")
    if not force and (user := _user(path)):
        raise JumpnetError(f"store {path} is used by a sweep ({user}): end it first, or --force if it has ended")
    made = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        _write(made, found.points.values())
        shutil.copymode(path, made)
        kept = next(name for k in range(1, 10**6) if not (name := path.with_name(f"{path.name}.damaged-{k}")).exists())
        for end in ("-wal", "-shm", ""):  # the journal first: it must never lie beside another store
            part = path.with_name(path.name + end)
            if part.exists():
                part.rename(kept.with_name(kept.name + end))
        made.rename(path)
    except OSError as error:
        raise JumpnetError(f"store {path} cannot be repaired: {error.strerror or error}") from None
    finally:
        made.unlink(missing_ok=True)
    return found, kept


def _user(path: Path) -> str:
    """A live process that has points of the store under way, as far as that can be read; empty if there is none."""
    claims = Claims(owner_name(), say=lambda line: None)
    try:
        db = connect(path, False)
        try:
            rows = db.execute("SELECT owner, until FROM claims").fetchall()
        finally:
            db.close()
    except UNREADABLE:
        return ""
    return next((str(row[0]) for row in rows if not claims.free("", row, time.time())), "")


def _write(path: Path, points: Iterable[Point]) -> None:
    try:
        db = sqlite3.connect(path, isolation_level=None)
        try:
            make_tables(db)
            db.execute("BEGIN")
            for name, config, figures, provenance in points:
                insert(db, name, config, figures, provenance)
            db.execute("COMMIT")
        finally:
            db.close()
    except UNREADABLE as error:
        raise JumpnetError(f"{path}: {_line(error)}") from None
