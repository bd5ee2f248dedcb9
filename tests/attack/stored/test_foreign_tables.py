"""Stores made elsewhere whose tables run something: refused before anything of it runs, and repaired without it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.attack.command_line.command import jumpnet

from jumpnet.errors import JumpnetError
from jumpnet.study.repair import check, repair
from jumpnet.study.schema import PLAIN, texts
from jumpnet.study.store import Store, connect

POINTS = 5
SLOW = "hex(zeroblob(400000000))"
"""A gigabyte for every row."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Store(tmp_path / "s.sqlite") as store:
        for k in range(POINTS):
            store.finish(f"{k:064x}", {"k": k}, {"latency": 0.5 * k}, {"seed": k})
    return tmp_path / "s.sqlite"


def _to(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new)


FOREIGN = {
    "CHECK": _to("digest TEXT NOT NULL", f"digest TEXT NOT NULL CHECK (digest > {SLOW})"),
    "CHECK at random": _to("digest TEXT NOT NULL", "digest TEXT NOT NULL CHECK (digest > randomblob(100000000))"),
    "DEFAULT": _to("long TEXT NOT NULL", f"long TEXT NOT NULL DEFAULT ({SLOW})"),
    "generated": _to("digest TEXT NOT NULL", f"digest TEXT NOT NULL, more TEXT AS ({SLOW}) VIRTUAL"),
    "collation": _to("config TEXT", "config TEXT COLLATE elsewhere"),
    "foreign key": _to("config TEXT NOT NULL", "config TEXT NOT NULL REFERENCES claims ON DELETE CASCADE"),
    "comment": _to("config TEXT", "config TEXT /* CHECK (1) */"),
}
"""Ways to make the table of results that run something, or lean on something, when it is checked, read or written."""


def _remade(path: Path, change: Callable[[str], str]) -> None:
    """Give the file of a store another definition of its results, and leave the rows as they are."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA writable_schema=ON")
        (text,) = db.execute("SELECT sql FROM sqlite_master WHERE name='results'").fetchone()
        assert change(text) != text
        db.execute("UPDATE sqlite_master SET sql=? WHERE name='results'", (change(text),))
        db.commit()


@pytest.mark.parametrize("way", FOREIGN)
def test_a_table_that_is_more_than_columns_is_refused_before_anything_runs_in_it(path: Path, way: str) -> None:
    _remade(path, FOREIGN[way])
    with pytest.raises(JumpnetError, match="damaged: table results is more than columns, which alone are expected"):
        Store(path)
    assert check(path).file[0] == "table results is more than columns, which alone are expected"
    found, _ = repair(path)
    assert len(found.points) == POINTS and check(path).whole  # the rows are as they were


@pytest.mark.parametrize("made", [
    "CREATE INDEX slow ON results (hex(config)) WHERE config < 'a' AND hex(zeroblob(9)) IS NULL",
    "CREATE TABLE beside (a CHECK (a > randomblob(100000000)))",
    "CREATE VIRTUAL TABLE words USING fts5(text)",
])  # fmt: skip
def test_what_else_lies_in_a_file_and_runs_is_refused_and_taken_out(path: Path, made: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        try:
            db.execute(made)
        except sqlite3.OperationalError:
            pytest.skip("this SQLite has no such tables")
        db.commit()
    with pytest.raises(JumpnetError, match=r"damaged: (table|index) \w+ is more than columns"):
        Store(path)
    found, _ = repair(path)
    assert len(found.points) == POINTS and check(path).whole
    with Store(path) as store:
        assert len(list(store.rows())) == POINTS


@pytest.mark.parametrize("version", ["1", "2"])
def test_an_older_store_whose_tables_run_something_is_not_migrated(path: Path, version: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE meta SET value=?", (version,))
        db.execute("DROP TABLE results")
        db.execute(
            "CREATE TABLE results (hash TEXT PRIMARY KEY, config TEXT, result TEXT CHECK (abs(1)), provenance TEXT)"
        )
        db.commit()
    with pytest.raises(JumpnetError, match="damaged: table results is more than columns"):
        Store(path)


def test_the_example_of_the_issue_ends_in_one_line(path: Path, tmp_path: Path) -> None:
    _remade(path, FOREIGN["CHECK at random"])
    study = tmp_path / "s.toml"
    study.write_text('[study]\n[[sweep]]\nnetwork = "torus:4x4"\nload = [0.1]\n')
    for words in (
        ["sweep", str(study), "--store", str(path)],
        ["results", str(study), "--store", str(path)],
        ["store", "check", str(path)],
    ):
        found = jumpnet(*words)
        assert found.returncode in (1, 2) and "more than columns" in found.stdout + found.stderr


def test_what_we_make_is_plain() -> None:
    assert [name for name, text in texts().items() if not PLAIN.fullmatch(text)] == []


@pytest.mark.parametrize("writable", [True, False])
def test_a_connection_trusts_nothing_of_a_file(path: Path, writable: bool) -> None:
    """The second wall, behind the first: what a definition calls runs nothing, and cells are looked at as they come."""
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE VIEW beside AS SELECT f()")
    with closing(connect(path, writable)) as db:
        db.create_function("f", 0, lambda: 1)
        assert db.execute("SELECT f()").fetchone() == (1,)
        with pytest.raises(sqlite3.OperationalError, match="unsafe use of f"):
            db.execute("SELECT * FROM beside").fetchone()
        assert db.execute("PRAGMA cell_size_check").fetchone() == (1,)
