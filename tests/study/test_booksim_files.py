"""`jumpnet booksim` with several files, folders and settings in any order."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from jumpnet.cli import run_words
from jumpnet.errors import JumpnetError

FILE = """// a small torus
topology = torus; k = 4; n = 2; routing_function = dim_order;
num_vcs = 2; packet_size = 4; injection_rate = 0.02; sample_period = 500;
"""


def _verb(*words: object) -> tuple[int, str, str]:
    """Exit status, output and error stream of the verb."""
    printed, said = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(said):
        status = run_words(["booksim", *map(str, words)])
    return status, printed.getvalue(), said.getvalue()


def test_several_files_are_runs_of_their_own_and_settings_are_over_each(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text(FILE + "seed=5;")
    two.write_text(FILE.replace("k = 4", "k = 3"))  # were it read over the first, its seed would be 5
    alone = [_verb(file, "packet_size=2") for file in (one, two)]
    assert alone[0][1] != alone[1][1] and {status for status, _, _ in alone} == {0}
    both = "".join(f"file {file}\n{said}" for file, (_, said, _) in zip((one, two), alone, strict=True))
    assert _verb(one, "packet_size=2", two) == (0, both, "")
    rows = [json.loads(line) for line in _verb(one, two, "packet_size=2", "--json")[1].splitlines()]
    assert [row["file"] for row in rows] == [str(one), str(two)]
    assert [(row["spec"], row["seed"], row["packet_flits"]) for row in rows] == [
        ("torus:4x4", 5, "2"), ("torus:3x3", 0, "2"),
    ]  # fmt: skip


def test_settings_may_stand_before_the_files(tmp_path: Path) -> None:
    (one := tmp_path / "one").write_text(FILE)
    assert _verb("packet_size=2", one) == _verb(one, "packet_size=2") != _verb(one)
    with pytest.raises(JumpnetError, match="no FILE found beside k=3, one expected"):
        _verb("k=3")


def test_what_is_refused_of_several_files_does_not_stop_the_others(tmp_path: Path) -> None:
    good, bad, no_text = tmp_path / "good", tmp_path / "bad", tmp_path / "no_text"
    good.write_text(FILE)
    bad.write_text("topology = qtree;")
    no_text.write_bytes(b"\xff")
    status, printed, said = _verb(no_text, bad, good)
    assert status == 2 and printed == f"file {good}\n{_verb(good)[1]}"
    assert [line.split(":")[1].strip() for line in said.splitlines()] == [str(no_text), str(bad)]
    assert "qtree" in said


def test_folders_among_files_are_left_out_and_told(tmp_path: Path) -> None:
    """`jumpnet booksim examples/*` names BookSim's folder `anynet` too."""
    one, two, folder = tmp_path / "one", tmp_path / "two", tmp_path / "three"
    one.write_text(FILE)
    two.write_text(FILE.replace("k = 4", "k = 3"))
    folder.mkdir()
    (folder / "inside").write_text(FILE)
    told = f"jumpnet: {folder} is a folder and left out; name the configurations in it to run them\n"
    assert _verb(folder, one, two) == (0, _verb(one, two)[1], told)
    assert _verb(one, folder) == (0, _verb(one)[1], told)
    with pytest.raises(JumpnetError, match=r"three: a folder found, a BookSim configuration expected, as .*three/FILE"):
        _verb(folder, folder)


def test_a_word_that_is_neither_a_file_nor_a_setting_is_refused_before_any_run(tmp_path: Path) -> None:
    (tmp_path / "t.cfg").write_text(FILE)
    with pytest.raises(JumpnetError, match="'nothing' found, key=value or another file expected"):
        _verb(tmp_path / "t.cfg", "nothing")
    for words in (("",), (tmp_path / "t.cfg", "")):
        with pytest.raises(JumpnetError, match=r"^'' found, a BookSim configuration or key=value expected$"):
            _verb(*words)
