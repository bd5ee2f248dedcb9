"""Files that are no stores, and folders that are none: left as they are, and told before any work."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from unittest import mock

import pytest
from tests.attack.command_line.verbs import say

from jumpnet.cli import compile as compiling
from jumpnet.errors import JumpnetError
from jumpnet.study.repair import check, repair
from jumpnet.study.store import Store

STUDY = '[study]\nname = "s"\n'


@pytest.mark.parametrize("data", [STUDY.encode(), b"\0" * 5000, b"PAR1" * 100, b"SQLite format 2\0" * 100])
def test_a_file_that_is_no_store_is_not_repaired(data: bytes, tmp_path: Path) -> None:
    """A study's own file became an empty store."""
    path = tmp_path / "s.toml"
    path.write_bytes(data)
    for work in (check, repair):
        with pytest.raises(JumpnetError, match="a store expected"):
            work(path)
    assert path.read_bytes() == data and len(list(tmp_path.iterdir())) == 1


def test_a_store_whose_first_words_are_damaged_gives_all_its_points(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        for k in range(3):
            store.finish(f"{k:064x}", {"k": k}, {"latency": 0.5 * k}, {"seed": k})
    data = bytearray(path.read_bytes())
    data[:16] = bytes(16)
    path.write_bytes(data)
    found, kept = repair(path)
    assert len(found.points) == 3 and not found.damaged and kept is not None
    assert check(path).whole and len(check(path).points) == 3


@pytest.mark.parametrize("version", ["9" * 5000, "\u0663", "-1", "", "1e999"])
def test_a_version_that_is_no_number_is_one_line(version: str, tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        store.finish(f"{1:064x}", {"k": 1}, {"latency": 0.5}, {"seed": 1})
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE meta SET value=? WHERE key='schema'", (version,))
        db.execute("ALTER TABLE results ADD COLUMN more")
        db.commit()
    for words in (["store", "check"], ["store", "repair"], ["replay", "1", "--store"]):
        said = say([*words, str(path)])
        assert said.status in (0, 1, 2) and len(said.err.splitlines()) == (said.status == 2), said


@pytest.mark.parametrize("place", ["/dev/null", "/proc/nowhere", "/dev/null/below"])
def test_kernels_are_not_compiled_for_no_folder(place: str) -> None:
    with mock.patch.object(compiling, "_compiled", side_effect=AssertionError("compiling")):
        said = say(["compile", "--into", place])
    assert said.status == 2 and place.split("/")[1] in said.err, said
