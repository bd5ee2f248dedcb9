"""The tables of a store, their version, and the migration of older files, whole or not at all.

Version 1 kept every figure of a point in one text; since version 2 long figures (histograms) lie in a table of their
own, so that listing many points does not read them; since version 3 each row has a digest. Used by `study/store.py`.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from jumpnet.study.digest import long_digests, object_of, text_digest
from jumpnet.study.names import canonical

__all__ = [
    "SCHEMA_VERSION",
    "insert",
    "is_newest",
    "make_tables",
    "migrate",
    "missing",
    "old_rows",
    "texts",
    "transaction",
    "version_of",
]

SCHEMA_VERSION = "3"
"""Version of the tables; a store of a newer one is refused, an older one is migrated when it is opened."""

OLD_COLUMNS = {"1": 4, "2": 4}
"""Columns of `results` in the versions that can be migrated."""

LONG_CHARACTERS = 500
"""A figure whose JSON takes more is kept in `long_figures`."""

_TABLES = {
    "meta": """CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID""",
    # `long` are the digests of the point's long figures by name, `digest` is that of all columns before it.
    "results": """CREATE TABLE IF NOT EXISTS results (
        hash TEXT PRIMARY KEY,
        config TEXT NOT NULL,
        result TEXT NOT NULL,
        provenance TEXT NOT NULL,
        long TEXT NOT NULL,
        digest TEXT NOT NULL
    )""",
    "long_figures": """CREATE TABLE IF NOT EXISTS long_figures (
        hash TEXT NOT NULL,
        figure TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (hash, figure)
    ) WITHOUT ROWID""",
    "claims": """CREATE TABLE IF NOT EXISTS claims (
        hash TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        until REAL NOT NULL
    ) WITHOUT ROWID""",
    # What a curve's settings mean, by a hash of them and of the sources that said so: may be deleted at any time.
    "meanings": """CREATE TABLE IF NOT EXISTS meanings (
        settings TEXT PRIMARY KEY,
        sources TEXT NOT NULL,
        config TEXT NOT NULL,
        digest TEXT NOT NULL
    ) WITHOUT ROWID""",
}

COLUMN = r"\s*\w+(\s+(TEXT|REAL|INTEGER|BLOB))?(\s+(NOT\s+NULL|PRIMARY\s+KEY))*\s*"
PLAIN = re.compile(
    rf'CREATE\s+TABLE\s+("\w+"|\w+)\s*\({COLUMN}(,{COLUMN})*(,\s*PRIMARY\s+KEY\s*\(\s*\w+(\s*,\s*\w+)*\s*\)\s*)?\)'
    r"(\s*WITHOUT\s+ROWID)?\s*",
    re.IGNORECASE,
)
"""How SQLite keeps the making of a table that is nothing but columns, as those of every version are."""

Texts = tuple[str, str, str, str]
"""Hash, configuration, figures, provenance."""


def programs(db: sqlite3.Connection) -> list[str]:
    """What of a file would run when it is read, checked or written, some of it without end; a store has nothing of it.

    That are triggers and views, and in tables whatever is more than columns: CHECK, DEFAULT, generated columns, tables
    of other modules, indices of one's own. Reading the definitions runs none of them, so this comes first.
    """
    found = db.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").fetchall()
    return [
        f"{kind} {name} is in it, tables alone expected"
        if kind not in ("table", "index")
        else f"{kind} {name} is more than columns, which alone are expected"
        for kind, name, text in found
        if not PLAIN.fullmatch(str(text))
    ]


def version_of(db: sqlite3.Connection) -> str | None:
    """The version that a file says it has; None for a file without one."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name='meta'").fetchone():
        return None
    row = db.execute("SELECT value FROM meta WHERE key='schema'").fetchone()
    return str(row[0]) if row else ""


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All that is done to a file within, or nothing; no other process writes meanwhile."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def make_tables(db: sqlite3.Connection) -> None:
    """Make the tables of a new file, in one transaction; another process may be doing the same."""
    with transaction(db):
        for table in _TABLES.values():
            db.execute(table)
        db.execute("INSERT OR IGNORE INTO meta VALUES ('schema', ?)", (SCHEMA_VERSION,))


def _definitions(db: sqlite3.Connection) -> dict[str, str]:
    """How each table was made, without spaces."""
    rows = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {name: "".join(str(text).split()) for name, text in rows}


@cache
def texts() -> dict[str, str]:
    """How each table of this version is made, as SQLite keeps it."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    make_tables(db)
    return dict(db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall())


def missing(db: sqlite3.Connection) -> list[str]:
    """Tables of this version that a file lacks, or has with other columns or types."""
    found = _definitions(db)
    return sorted(name for name, text in texts().items() if found.get(name) != "".join(text.split()))


def is_newest(db: sqlite3.Connection) -> bool:
    """Whether a file has the tables of this version and no others, whatever version it says it has."""
    return _definitions(db).keys() == texts().keys() and not missing(db)


def insert(db: sqlite3.Connection, name: str, config: str, result: Mapping[str, Any], provenance: str) -> None:
    """Add a point unless it is there: short figures in its row, each long one in a row of `long_figures`."""
    texts = {key: canonical(value) for key, value in result.items()}
    long = {key: text for key, text in texts.items() if len(text) > LONG_CHARACTERS}
    short = canonical({key: value for key, value in result.items() if key not in long})
    row = (name, config, short, provenance, canonical(long_digests(long)))
    added = db.execute("INSERT OR IGNORE INTO results VALUES (?,?,?,?,?,?)", (*row, text_digest(*row)))
    if added.rowcount:
        rows = [(name, key, text) for key, text in long.items()]
        db.executemany("INSERT OR REPLACE INTO long_figures VALUES (?,?,?)", rows)


def old_rows(db: sqlite3.Connection, version: str, prefix: str = "") -> Iterator[tuple[Texts, dict[str, Any] | None]]:
    """The rows of an older version and all figures of each, None where they cannot be read.

    prefix: of the tables' names.
    """
    query = f"SELECT figure, value FROM {prefix}long_figures WHERE hash=?"
    for row in db.execute(f"SELECT hash, config, result, provenance FROM {prefix}results ORDER BY hash"):
        figures = object_of(row[2])
        texts = [] if version == "1" else db.execute(query, row[:1])
        long = {name: object_of(f'{{"":{text}}}') for name, text in texts}
        readable = all(isinstance(text, str) for text in row) and all(value is not None for value in long.values())
        if figures is None or not readable or object_of(row[1]) is None or object_of(row[3]) is None:
            yield row, None
        else:
            yield row, figures | {name: value[""] for name, value in long.items() if value is not None}


def migrate(db: sqlite3.Connection) -> int:
    """Bring the tables of an older version up to date, in one transaction; the number of points that got a digest.

    Another process may have done it in the meantime. Raises ValueError for tables that do not fit their version, and
    for rows that cannot be read.
    """
    with transaction(db):
        version = version_of(db)
        return _from(db, version) if version in OLD_COLUMNS else 0


def _from(db: sqlite3.Connection, version: str) -> int:
    """Make new tables and move what the old ones have, which have no digests."""
    if len(db.execute("PRAGMA table_info(results)").fetchall()) != OLD_COLUMNS[version]:
        raise ValueError(f"its tables are not those of version {version}")
    named = _definitions(db)
    moved: list[str] = [name for name in ("results", "long_figures", "claims") if name in named]
    for name in moved:
        db.execute(f"ALTER TABLE {name} RENAME TO old_{name}")
    db.execute("DROP TABLE IF EXISTS meanings")
    for name in ("results", "long_figures", "claims", "meanings"):
        db.execute(_TABLES[name])
    points = 0
    for (name, config, _, provenance), figures in old_rows(db, version, "old_"):
        if figures is None:
            raise ValueError(f"point {name} cannot be read")
        insert(db, name, config, figures, provenance)
        points += 1
    db.execute("INSERT INTO claims SELECT * FROM old_claims")
    for name in moved:
        db.execute(f"DROP TABLE old_{name}")
    db.execute("UPDATE meta SET value=? WHERE key='schema'", (SCHEMA_VERSION,))
    return points
