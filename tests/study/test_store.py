"""The store: finished points stay, claims end, damage is said, a killed writer loses at most its point in flight."""

from __future__ import annotations

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
from jumpnet.study.store import LEASE_S, Store, point_hash


def test_a_result_comes_back_and_is_never_replaced(tmp_path: Path) -> None:
    with Store(tmp_path / "s") as store:
        store.finish("aa", {"load": 0.1}, {"latency": 1.5}, {"seed": 1})
        store.finish("aa", {"load": 0.1}, {"latency": 9.9}, {"seed": 1})
        assert store.get("a").result == {"latency": 1.5}
        assert store.finished(["aa", "bb"]) == {"aa"}
    with Store(tmp_path / "s") as again:
        assert [row.hash for row in again.rows()] == ["aa"]
        assert again.get("aa").provenance == {"seed": 1}


def test_rows_come_in_the_order_asked(tmp_path: Path) -> None:
    with Store(tmp_path / "s") as store:
        for name in "cab":
            store.finish(name, {}, {"n": name}, {})
        assert [r.hash for r in store.rows()] == ["a", "b", "c"]
        assert [r.hash for r in store.rows(["b", "x", "a"])] == ["b", "a"]


def test_a_long_figure_may_be_left_out(tmp_path: Path) -> None:
    names = [f"{k:04d}" for k in range(1203)]
    with Store(tmp_path / "s") as store:
        for name in names[:3]:
            store.finish(name, {"k": name}, {"n": int(name), "histogram": [1, 2, 3]}, {})
        assert [r.result for r in store.rows(reversed(names), "histogram")] == [{"n": 2}, {"n": 1}, {"n": 0}]
        assert [r.result for r in store.rows(without="histogram")] == [{"n": 0}, {"n": 1}, {"n": 2}]
        assert next(store.rows()).result == {"n": 0, "histogram": [1, 2, 3]}


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
    with pytest.raises(JumpnetError, match="has version 99, at most 1 expected"):
        Store(tmp_path / "s")


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
