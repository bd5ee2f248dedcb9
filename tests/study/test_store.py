"""The store: finished points stay, claims end, damage is said, a killed writer loses at most its point in flight."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.study.claims import LEASE_S
from jumpnet.study.names import point_hash
from jumpnet.study.store import Store


def test_a_result_comes_back_and_is_never_replaced(tmp_path: Path) -> None:
    with Store(tmp_path / "s") as store:
        store.finish("aa", {"load": 0.1}, {"latency": 1.5}, {"seed": 1})
        store.finish("aa", {"load": 0.1}, {"latency": 9.9}, {"seed": 1})
        assert store.get("a").result == {"latency": 1.5}
        assert store.finished(["aa", "bb"]) == {"aa"}
    with Store(tmp_path / "s") as again:
        assert [row.hash for row in again.rows()] == ["aa"]
        assert again.get("aa").provenance == {"seed": 1}


def test_a_beginning_of_a_hash_that_several_have_names_none(tmp_path: Path) -> None:
    with Store(tmp_path / "s") as store:
        for name in ("ab1", "ab2", "b"):
            store.finish(name, {}, {"n": name}, {})
        assert [store.get(name).hash for name in ("ab1", "ab2", "b")] == ["ab1", "ab2", "b"]
        for name, found in (("ab", "several points found with hash 'ab'"), ("c", "no point found with hash 'c'")):
            with pytest.raises(JumpnetError, match=found):
                store.get(name)


def test_rows_come_in_the_order_asked(tmp_path: Path) -> None:
    with Store(tmp_path / "s") as store:
        for name in "cab":
            store.finish(name, {}, {"n": name}, {})
        assert [r.hash for r in store.rows()] == ["a", "b", "c"]
        assert [r.hash for r in store.rows(["b", "x", "a"])] == ["b", "a"]


def test_long_figures_come_with_the_row_and_not_with_the_figures(tmp_path: Path) -> None:
    names = [f"{k:04d}" for k in range(1203)]
    long = list(range(1000))
    with Store(tmp_path / "s") as store:
        for name in names[:3]:
            store.finish(name, {"k": name}, {"n": int(name), "histogram": long, "short": [1]}, {})
        store.finish("0001", {}, {"histogram": [9] * 1000, "other": long}, {})
        want = {name: {"n": int(name), "short": [1]} for name in names[:3]}
        assert store.figures(reversed(names)) == want
        assert [r.result for r in store.rows()] == [{**w, "histogram": long} for w in want.values()]
        assert store.get("0001").result == {"n": 1, "histogram": long, "short": [1]}


def test_hash_depends_on_values_and_model_not_on_order() -> None:
    one = point_hash({"a": 1, "b": 0.1}, "m1")
    assert one == point_hash({"b": 0.1, "a": 1}, "m1")
    assert len({one, point_hash({"a": 1, "b": 0.2}, "m1"), point_hash({"a": 1, "b": 0.1}, "m2")}) == 3


def test_two_sweeps_share_a_store_without_doing_a_point_twice(tmp_path: Path) -> None:
    with Store(tmp_path / "s") as one, Store(tmp_path / "s") as two:
        assert one.claim("p", now=100.0)
        assert one.claim("p", now=101.0)
        assert not two.claim("p", now=101.0)
        assert two.claim("p", now=102.0 + LEASE_S)
        two.release()
        assert one.claim("p", now=103.0)
        one.renew(now=200.0)
        assert not two.claim("p", now=200.0 + LEASE_S - 1)
        one.finish("p", {}, {}, {})
        assert not two.claim("p", now=10_000.0)


def test_the_claims_of_a_killed_process_are_free_at_once(tmp_path: Path) -> None:
    code = "import sys; from jumpnet.study.store import Store; print(Store(sys.argv[1]).claim('p'))"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "s")], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
    with Store(tmp_path / "s") as store:
        assert store.claim("p")


def test_files_that_are_no_store_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database, but long enough to be read as one" * 100)
    with pytest.raises(JumpnetError, match="cannot be used: file is not a database"):
        Store(tmp_path / "text")
    with sqlite3.connect(tmp_path / "other") as db:
        db.execute("CREATE TABLE t (x)")
    with pytest.raises(JumpnetError, match="no jumpnet store"):
        Store(tmp_path / "other")
    with pytest.raises(JumpnetError, match="unable to open"):
        Store(tmp_path / "absent" / "s")


def test_a_newer_store_is_refused(tmp_path: Path) -> None:
    Store(tmp_path / "s").close()
    with sqlite3.connect(tmp_path / "s") as db:
        db.execute("UPDATE meta SET value='99' WHERE key='schema'")
        db.execute("CREATE TABLE newer (x)")  # else its tables tell that it was edited
    with pytest.raises(JumpnetError, match="has version 99, at most 3 expected"):
        Store(tmp_path / "s")


VERSION_1 = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE results (
    hash TEXT PRIMARY KEY, config TEXT NOT NULL, result TEXT NOT NULL, provenance TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE claims (hash TEXT PRIMARY KEY, owner TEXT NOT NULL, until REAL NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('schema', '1');
"""


def _version_1(path: Path, points: int) -> dict[str, dict]:
    """A store as version 1 wrote it; the results in it."""
    results = {f"{k:04d}": {"latency": k / 7, "histogram": [k] * 800, "deadlock": None} for k in range(points)}
    with sqlite3.connect(path) as db:
        db.executescript(VERSION_1)
        rows = [(name, f'{{"k":{int(name)}}}', json.dumps(result), '{"seed":1}') for name, result in results.items()]
        db.executemany("INSERT INTO results VALUES (?,?,?,?)", rows)
        db.execute("INSERT INTO claims VALUES ('claimed', 'elsewhere:1:2', 1e12)")
    db.close()
    return results


def test_a_store_of_version_1_is_brought_up_to_date(tmp_path: Path) -> None:
    results = _version_1(tmp_path / "s", 5)
    for _ in range(2):
        with Store(tmp_path / "s") as store:
            rows = list(store.rows())
            assert {row.hash: row.result for row in rows} == results
            assert [row.config for row in rows] == [{"k": k} for k in range(5)]
            assert rows[0].provenance == {"seed": 1}
            assert store.figures(["0003"]) == {"0003": {"latency": 3 / 7, "deadlock": None}}
            assert not store.claim("claimed") and not store.claim("0000")


def test_a_migration_killed_or_failed_leaves_the_old_store_whole(tmp_path: Path) -> None:
    results = _version_1(tmp_path / "s", 1000)
    code = "import sys; from jumpnet.study.store import Store; print('go', flush=True); Store(sys.argv[1])"
    draw = random.Random(5)
    for _ in range(4):
        command = [sys.executable, "-c", code, str(tmp_path / "s")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as opening:
            assert opening.stdout is not None and opening.stdout.readline() == "go\n"
            time.sleep(draw.uniform(0.0, 0.05))
            opening.send_signal(signal.SIGKILL)
    with Store(tmp_path / "s") as store:
        assert {row.hash: row.result for row in store.rows()} == results
    _version_1(tmp_path / "bad", 3)
    with sqlite3.connect(tmp_path / "bad") as db:
        db.execute("UPDATE results SET result='{' WHERE hash='0002'")
    with pytest.raises(JumpnetError, match="is damaged: point 0002 cannot be read"):
        Store(tmp_path / "bad")
    with sqlite3.connect(tmp_path / "bad") as db:
        assert db.execute("SELECT value FROM meta").fetchone() == ("1",)
        assert db.execute("SELECT count(*) FROM results").fetchone() == (3,)


def test_a_damaged_store_is_said_to_be_damaged(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with Store(path) as store:
        for k in range(400):
            store.finish(f"{k:04d}", {"k": k}, {"text": "x" * 200}, {})
    data = bytearray(path.read_bytes())
    for k in range(8192, len(data) - 4096, 4096):
        data[k : k + 64] = os.urandom(64)
    path.write_bytes(bytes(data))
    with pytest.raises(JumpnetError, match=r"damaged|cannot be used"):
        Store(path)


WRITER = """
import sys
from jumpnet.study.store import Store
store = Store(sys.argv[1])
print("open", flush=True)
for k in range(100000):
    name = f"{k:06d}"
    if store.claim(name):
        store.finish(name, {"k": k}, {"square": k * k, "pad": "x" * 500}, {})
        print(name, flush=True)
"""


def test_killed_writers_leave_every_point_they_reported(tmp_path: Path) -> None:
    path, draw = tmp_path / "s", random.Random(7)
    reported: set[str] = set()
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "open\n"
            time.sleep(draw.uniform(0.0, 0.2))
            writer.send_signal(signal.SIGKILL)
            reported.update(word for word in writer.stdout.read().split() if len(word) == 6)
    with Store(path) as store:
        rows = {row.hash: row for row in store.rows()}
    assert reported and reported <= set(rows)
    assert all(row.result["square"] == int(name) ** 2 for name, row in rows.items())
