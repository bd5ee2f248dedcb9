"""Stores with flipped bits, edited rows, foreign claims and no right to write: said in a line, never a wrong result."""

from __future__ import annotations

import json
import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.attack.command_line.command import jumpnet, refused
from tests.draws import every_third

from jumpnet.cli.sweep import _run as run_sweep
from jumpnet.errors import JumpnetError
from jumpnet.study import store as store_module
from jumpnet.study.claims import LEASE_S, Claims
from jumpnet.study.digest import text_digest
from jumpnet.study.names import point_hash
from jumpnet.study.plan import Plan
from jumpnet.study.repair import check, repair
from jumpnet.study.store import Row, Store

POINTS = 25
EDITS: tuple[Any, ...] = (
    None, "", "{", "[]", "{}", "1", "null", "[" * 5000, '{"saturated": "yes"}', '{"a": NaN}', "\x00", "\ud7ff", 7, 2.5,
    b"\xff\xfe", "x" * 100_000, '{"load": [1]}', "{},{}", "1:2:3", 1e308, -1,
)  # fmt: skip


def _result(k: int) -> dict[str, Any]:
    return {"latency": k / 7, "accepted_load": 0.2269 + k, "saturated": k % 3 == 0, "histogram": [k] * 300}


def _names() -> list[str]:
    return [point_hash({"k": k}, "m") for k in range(POINTS)]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("written") / "s"
    with Store(path) as store:
        for k, name in enumerate(_names()):
            store.finish(name, {"k": k}, _result(k), {"seed": k})
        store.keep_meanings({"settings": '{"network":"torus:4x4"}'}, "sources")
        store.claim("other")
    with sqlite3.connect(path) as db:
        db.execute("UPDATE claims SET owner='far:5:1', until=1e9")
    db.close()
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path, written: bytes) -> Path:
    path = tmp_path / "s.sqlite"
    path.write_bytes(written)
    return path


def _everything(path: Path) -> tuple[list[Row], dict[str, Any], list[Any], str | None]:
    """All that a store tells."""
    names = _names()
    with Store(path) as store:
        rows = list(store.rows())
        figures = store.figures(names)
        found = [(row.config, row.result, row.provenance) for row in store.rows(names)]
        meaning = store.meaning("settings", "sources")
        store.claim("other")
    return rows, figures, found, meaning


@pytest.mark.parametrize("seed", every_third(range(400)))
def test_a_flipped_bit_changes_no_result_unnoticed(tmp_path: Path, written: bytes, seed: int) -> None:
    """0.2269 once became 1.2269. A meaning that was damaged may be gone: it is found again."""
    path = tmp_path / "s"
    path.write_bytes(written)
    right = _everything(path)
    data, draw = bytearray(written), random.Random(seed)
    data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    path.write_bytes(data)
    try:
        found = _everything(path)
    except JumpnetError as error:
        assert "\n" not in str(error)
    else:
        assert found[:3] == right[:3] and found[3] in (right[3], None)
    made, kept = repair(path)
    assert made.points.keys() <= set(_names())
    if kept is not None:
        assert kept.read_bytes() != b"" and check(path).whole
    with Store(path) as store:
        for row in store.rows():
            assert row.result == _result(row.config["k"]) and row.hash == point_hash(row.config, "m")


@pytest.mark.parametrize("seed", every_third(range(500)))
def test_an_edited_row_is_one_line(tmp_path: Path, written: bytes, seed: int) -> None:
    """Some of them with the digest made anew, as a forger would."""
    path, draw = tmp_path / "s", random.Random(seed)
    path.write_bytes(written)
    table = draw.choice(["results"] * 4 + ["long_figures", "claims", "meanings", "meta"])
    with sqlite3.connect(path) as db:
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        column, value = draw.choice(columns), draw.choice(EDITS)
        row = draw.choice(db.execute(f"SELECT {columns[0]} FROM {table}").fetchall())
        try:
            db.execute(f"UPDATE {table} SET {column}=? WHERE {columns[0]}=?", (value, *row))
        except sqlite3.IntegrityError:  # the table takes no NULL
            return
        if "digest" in columns and draw.random() < 0.5:
            for texts in db.execute(f"SELECT {','.join(columns[:-1])} FROM {table}").fetchall():
                if all(isinstance(text, str) for text in texts):
                    db.execute(f"UPDATE {table} SET digest=? WHERE {columns[0]}=?", (text_digest(*texts), texts[0]))
    db.close()
    try:
        _everything(path)
    except JumpnetError as error:
        assert "\n" not in str(error)
    try:
        repair(path)
        with Store(path) as store:
            assert len([row.result for row in store.rows()]) >= POINTS - 1
    except JumpnetError as error:
        assert "\n" not in str(error)


def test_repair_drops_the_damaged_point_and_keeps_the_old_file(path: Path, written: bytes) -> None:
    name = _names()[7]
    with sqlite3.connect(path) as db:
        db.execute("UPDATE results SET result=replace(result, '7.2269', '8.2269') WHERE hash=?", (name,))
        db.execute("DELETE FROM claims")
    db.close()
    damaged = path.read_bytes()
    assert damaged != written
    with Store(path) as store, pytest.raises(JumpnetError, match=f"digest of point {name} does not fit"):
        store.figures([name])
    found = jumpnet("store", "check", str(path))
    assert found.returncode == 1 and f"{POINTS - 1} points whole, 1 damaged" in found.stdout and name in found.stdout
    assert path.read_bytes() == damaged
    found = jumpnet("store", "repair", str(path), "--json")
    about = json.loads(found.stdout)
    assert found.returncode == 0 and about["whole"] == POINTS - 1
    assert Path(about["kept"]).read_bytes() == damaged
    with Store(path) as store:
        assert store.finished(_names()) == set(_names()) - {name} and store.claim(name)
    assert jumpnet("store", "check", str(path)).returncode == 0
    assert repair(path) == (check(path), None)


def test_a_store_behind_a_link_is_repaired_where_it_lies(path: Path) -> None:
    """The link became a store, and the damaged one stayed in its place for whoever named it otherwise."""
    with sqlite3.connect(path) as db:
        db.execute("UPDATE results SET result=replace(result, '7.2269', '8.2269')")
        db.execute("DELETE FROM claims")
    db.close()
    damaged, link = path.read_bytes(), path.parent / "elsewhere" / "link.sqlite"
    link.parent.mkdir()
    link.symlink_to(path)
    _, kept = repair(link)
    assert kept is not None and kept.parent == path.parent and kept.read_bytes() == damaged
    assert link.is_symlink() and check(path).whole and check(link).whole and [*link.parent.iterdir()] == [link]


READS: dict[str, Callable[[Store, str], object]] = {
    "get": lambda store, name: store.get(name),
    "one row": lambda store, name: list(store.rows([name])),
    "rows": lambda store, name: list(store.rows()),
    "figures": lambda store, name: store.figures([name]),
}


@pytest.mark.parametrize("column", ["config", "result", "provenance"])
@pytest.mark.parametrize("read", READS)
def test_no_way_to_a_row_goes_past_its_digest(path: Path, read: str, column: str) -> None:
    name = _names()[7]
    with sqlite3.connect(path) as db:
        (text,) = db.execute(f"SELECT {column} FROM results WHERE hash=?", (name,)).fetchone()
        db.execute(f"UPDATE results SET {column}=? WHERE hash=?", (text.replace("}", " }"), name))
    db.close()
    with Store(path) as store, pytest.raises(JumpnetError, match=f"digest of point {name} does not fit"):
        READS[read](store, name)


def test_a_meaning_that_was_edited_is_found_again(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("UPDATE meanings SET config=replace(config, '4x4', '5x5')")
    db.close()
    with Store(path) as store:
        assert store.meaning("settings", "sources") is None


def test_pages_of_zeros_lose_only_what_was_on_them(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for page in range(8, len(data) // 4096, 5):
        data[page * 4096 : (page + 1) * 4096] = bytes(4096)
    path.write_bytes(data)
    with pytest.raises(JumpnetError, match=r"is damaged: .*; `jumpnet store repair` keeps what is whole"):
        Store(path)
    found, kept = repair(path)
    assert kept is not None and kept.read_bytes() == data
    with Store(path) as store:
        rows = list(store.rows())
    assert 0 < len(rows) < POINTS and len(rows) == len(found.points)
    assert all(row.result == _result(row.config["k"]) for row in rows)


def test_a_definition_that_is_no_text_is_one_line(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"config TEXT", b"co\xfffig TEXT"))
    with pytest.raises(JumpnetError, match="cannot be used: Could not decode") as told:
        Store(path)
    assert "\n" not in str(told.value)
    assert all("\n" not in line for line in check(path).file)
    assert len(repair(path)[0].points) == POINTS
    with Store(path) as store:
        assert [row.result for row in store.rows(_names())] == [_result(k) for k in range(POINTS)]


@pytest.mark.parametrize("table", ["meta", "results", "long_figures", "claims", "meanings"])
def test_a_table_whose_definition_is_damaged_is_read_all_the_same(path: Path, table: str) -> None:
    data = path.read_bytes()
    path.write_bytes(data.replace(f"CREATE TABLE {table} ".encode(), f"CREAPE TABLE {table} ".encode()))
    assert path.read_bytes() != data
    with pytest.raises(JumpnetError, match=r"malformed|damaged|no jumpnet store"):
        Store(path)
    assert len(repair(path)[0].points) == POINTS and len(check(path).points) == POINTS


@pytest.mark.parametrize("version", ["1", "2", "4", "x"])
def test_an_edited_version_is_told_by_the_tables(path: Path, version: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE meta SET value=?", (version,))
    with pytest.raises(JumpnetError, match=f"damaged: it says version {version}, .*`jumpnet store repair`"):
        Store(path)
    assert check(path).file == [f"version {version} found in `meta`, 3 expected as its tables are made"]
    assert len(repair(path)[0].points) == POINTS and check(path).whole
    with Store(path) as store:
        assert [row.result for row in store.rows(_names())] == [_result(k) for k in range(POINTS)]


def test_a_newer_version_is_not_repaired(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE meta SET value='4'")
        db.execute("CREATE TABLE newer (x)")
    with pytest.raises(JumpnetError, match="has version 4, at most 3 expected"):
        repair(path)


def test_a_store_without_a_table_yet_is_empty(tmp_path: Path) -> None:
    """A sweep that is ended between the file and its first table leaves that; the next one goes on with it."""
    path = tmp_path / "s.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=WAL")
    for _ in range(2):
        found = check(path)
        assert found.whole and not found.points and repair(path) == (found, None)
        Store(path).close()


def test_what_is_no_store_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("no store")
    with sqlite3.connect(tmp_path / "o") as db:
        db.execute("CREATE TABLE t (x)")
    db.close()
    assert "o: no table `meta` found, a jumpnet store expected" in refused("store", "repair", "o", folder=tmp_path)
    assert "absent" in refused("store", "check", "absent", folder=tmp_path)
    assert "file is not a database, a store expected" in refused("store", "check", "t", folder=tmp_path)
    assert (tmp_path / "t").read_text() == "no store"


def test_a_store_in_use_is_not_repaired(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("UPDATE results SET result='{}'")
        db.execute("UPDATE claims SET owner='elsewhere:5:1', until=1e12")
    db.close()
    with pytest.raises(JumpnetError, match=r"is used by a sweep \(elsewhere:5:1\)"):
        repair(path)
    assert repair(path, force=True)[1] is not None


def _files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("version", ["3", "1"])
def test_a_store_that_cannot_be_written_is_read(
    path: Path, version: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its folder stays as it is: no journal, and an old version is not brought up to date there."""
    right = _everything(path)
    if version == "1":
        path.unlink()
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
            db.execute("INSERT INTO meta VALUES ('schema', '1')")
            db.execute("CREATE TABLE results (hash TEXT PRIMARY KEY, config TEXT, result TEXT, provenance TEXT)")
            db.execute("CREATE TABLE claims (hash TEXT PRIMARY KEY, owner TEXT NOT NULL, until REAL NOT NULL)")
            texts = [(r.hash, r.config_text, json.dumps(r.result), r.provenance_text) for r in right[0]]
            db.executemany("INSERT INTO results VALUES (?,?,?,?)", texts)
        db.close()
    before = _files(path.parent)
    monkeypatch.setattr(store_module, "is_writable", lambda path: False)
    with Store(path) as store:
        assert [row.result for row in store.rows()] == [row.result for row in right[0]]
        assert store.figures(_names()) == right[1]
        if version == "3":
            with pytest.raises(JumpnetError, match="readonly database"):
                store.keep_meanings({"a": "{}"}, "other")
    assert _files(path.parent) == before
    said = capsys.readouterr().err
    assert said.endswith("had no digests; its 25 points are taken as they are\n") == (version == "1")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_rights_of_files_are_seen(path: Path) -> None:
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        with Store(path) as store:
            assert not store.writable and len(list(store.rows())) == POINTS
    finally:
        path.parent.chmod(0o755)


def test_a_claim_of_a_wrong_clock_ends_by_the_own_clock() -> None:
    clock, said = [0.0], []
    claims = Claims("me:1:1", lambda: clock[0], said.append)
    claim = ("far:7:1", 5000.0)
    assert not claims.free("p", claim, now=1000.0)
    clock[0] = LEASE_S - 1
    assert not claims.free("p", claim, now=1059.0) and not claims.free("q", claim, now=1059.0)
    clock[0] = LEASE_S + 1
    assert claims.free("p", claim, now=1061.0) and not claims.free("q", claim, now=1061.0)
    assert not claims.free("p", ("far:7:1", 5015.0), now=1061.0)  # renewed after all
    assert not claims.free("r", ("odd:7:1", 1e300), now=1061.0)
    line, odd = said
    assert "is 1e+300 s wrong" in odd
    assert "another run, 'far:7', computes what this one needs too (its clock or this one's is 3940 s wrong)" in line


def test_a_claim_of_a_right_clock_is_waited_for_with_a_word() -> None:
    said: list[str] = []
    claims = Claims("me:1:1", lambda: 0.0, said.append)
    assert not claims.free("p", ("far:7:1", 1050.0), now=1000.0)
    assert claims.free("p", ("far:7:1", 999.0), now=1000.0)
    assert claims.free("p", ("me:1:1", 1050.0), now=1000.0) and claims.free("p", None, now=1000.0)
    assert len(said) == 1 and "wrong" not in said[0]


@pytest.mark.parametrize("owner", ["", "x", "a:b:c", ":", 5, None, b"a:1:2", "far:1:"])
@pytest.mark.parametrize("until", [float("nan"), "soon", None, float("inf"), -1])
def test_a_claim_that_nobody_wrote(owner: object, until: object) -> None:
    free = Claims("me:1:1", lambda: 0.0, lambda line: None).free("p", (owner, until), now=0.0)
    assert free == (owner != "far:1:" or until != float("inf"))


def test_a_sweep_needs_a_store_that_can_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()
    monkeypatch.setattr(store_module, "is_writable", lambda path: False)
    with pytest.raises(JumpnetError, match="no permission to write it or its folder"):
        run_sweep(Plan("s", ()), path, "", 1, False)
    assert path.read_bytes() == before and len(list(path.parent.iterdir())) == 1


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT"


@pytest.mark.parametrize("verb", ["check", "repair"])
def test_a_view_without_end_is_not_asked(path: Path, verb: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE results RENAME TO once")
        db.execute(f"CREATE VIEW results AS {ENDLESS} once.* FROM once, c")
    found = check(path) if verb == "check" else repair(path)[0]
    assert found.file[0] == "view results is in it, tables alone expected"
    with pytest.raises(JumpnetError, match=r"no point|damaged"), Store(path) as store:
        store.get(_names()[0])


def test_a_trigger_that_takes_points_away_is_refused_and_taken_out(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TRIGGER thief AFTER INSERT ON results BEGIN DELETE FROM results WHERE hash=new.hash; END")
    with pytest.raises(JumpnetError, match="damaged: trigger thief is in it, tables alone expected"):
        Store(path)
    found, _ = repair(path)
    assert len(found.points) == POINTS and check(path).whole
    with Store(path) as store:
        store.finish("new", {"k": -1}, _result(1), {"seed": 1})
        assert len(list(store.rows())) == POINTS + 1
