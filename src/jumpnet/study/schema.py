"""The tables of a store, their version, and the migration of older files, whole or not at all.

Version 1 kept every figure of a point in one text; since version 2 long figures (histograms) lie in a table of their
own, so that listing many points does not read them. Used by `study/store.py`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from jumpnet.study.names import canonical

__all__ = ["SCHEMA_VERSION", "insert", "open_tables"]

SCHEMA_VERSION = 2
"""Version of the tables; a store of a newer one is refused, an older one is migrated when it is opened."""

LONG_CHARACTERS = 500
"""A figure whose JSON takes more is kept in `long_figures`."""

_META = "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
_TABLES = (
    """CREATE TABLE IF NOT EXISTS results (
        hash TEXT PRIMARY KEY,
        config TEXT NOT NULL,
        result TEXT NOT NULL,
        provenance TEXT NOT NULL
    )""",
    """CREATE TABLE IF NOT EXISTS long_figures (
        hash TEXT NOT NULL,
        figure TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (hash, figure)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS claims (
        hash TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        until REAL NOT NULL
    ) WITHOUT ROWID""",
    # What a curve's settings mean, by a hash of them and of the sources that said so: may be deleted at any time.
    """CREATE TABLE IF NOT EXISTS meanings (
        settings TEXT PRIMARY KEY,
        sources TEXT NOT NULL,
        config TEXT NOT NULL
    ) WITHOUT ROWID""",
)


def open_tables(db: sqlite3.Connection) -> str:
    """Make the tables of a new file, or bring those of an older version up to date, in one transaction.

    The version found afterwards: SCHEMA_VERSION, or another that this program does not know and has not touched.
    Nothing is written when there is nothing to do, so that a full disk can still be read.
    """
    if db.execute("SELECT 1 FROM sqlite_master WHERE name='meta'").fetchone():
        (version,) = db.execute("SELECT value FROM meta WHERE key='schema'").fetchone()
        if version != "1":
            return str(version)
    db.execute("BEGIN IMMEDIATE")
    try:
        db.execute(_META)
        db.execute("INSERT OR IGNORE INTO meta VALUES ('schema', ?)", (str(SCHEMA_VERSION),))
        (version,) = db.execute("SELECT value FROM meta WHERE key='schema'").fetchone()
        if version == "1":
            _from_version_1(db)
            version = str(SCHEMA_VERSION)
        if version == str(SCHEMA_VERSION):
            for table in _TABLES:
                db.execute(table)
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
    return str(version)


def insert(db: sqlite3.Connection, name: str, config: str, result: Mapping[str, Any], provenance: str) -> None:
    """Add a point unless it is there: short figures in its row, each long one in a row of `long_figures`."""
    texts = {key: canonical(value) for key, value in result.items()}
    long = {key: text for key, text in texts.items() if len(text) > LONG_CHARACTERS}
    short = canonical({key: value for key, value in result.items() if key not in long})
    added = db.execute("INSERT OR IGNORE INTO results VALUES (?,?,?,?)", (name, config, short, provenance))
    if added.rowcount:
        rows = [(name, key, text) for key, text in long.items()]
        db.executemany("INSERT OR REPLACE INTO long_figures VALUES (?,?,?)", rows)


def _from_version_1(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE results RENAME TO results_1")
    for table in _TABLES:
        db.execute(table)
    for name, config, result, provenance in db.execute("SELECT * FROM results_1"):
        insert(db, name, config, json.loads(result), provenance)
    db.execute("DROP TABLE results_1")
    db.execute("UPDATE meta SET value=? WHERE key='schema'", (str(SCHEMA_VERSION),))
