"""Names from outside on a terminal: shown as they are, without markup and without control characters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.attack.command_line.command import jumpnet, refused

from jumpnet.cli._command.output import PLAIN_ROWS, print_rows

TRIANGLE = "0 1\n1 2\n2 0\n"
STUDY = (
    '[study]\nname = "{name}"\n[settings]\nload = 0.1\nmeasure_cycles = 100\nwarmup_cycles = 0\n'
    '[[sweep]]\nnetwork = "torus:4x4"\n'
)


@pytest.mark.parametrize("name", ["net[v2].txt", "net[bold].txt", "[red]net.txt", "d[/bold].txt"])
def test_brackets_in_a_path_are_no_markup(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TRIANGLE)
    found = jumpnet("metrics", f"file:{name}", folder=tmp_path)
    assert found.returncode == 0 and f"file:{name}" in found.stdout


@pytest.mark.parametrize("name", ["x[/bold]y", "x{task.missing}y", "x[v2]"])
def test_brackets_in_the_name_of_a_study(tmp_path: Path, name: str) -> None:
    (tmp_path / "s.toml").write_text(STUDY.format(name=name))
    assert jumpnet("sweep", "s.toml", folder=tmp_path).returncode == 0


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    line = refused("metrics", "torus:4\x1b[2Jx4\x07", folder=tmp_path)
    assert "\x1b" not in line and "\x07" not in line


def test_answers_come_without_an_error_stream() -> None:
    command = [sys.executable, "-m", "jumpnet", "metrics", "torus:4x4", "--json"]
    found = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", *command], capture_output=True, text=True, env=os.environ, check=True
    )
    assert json.loads(found.stdout)["routers"] == 16


def test_tables_show_their_words_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["net[v2]", "[red]net", "x[/bold]y"]
    print_rows(words[0], [words[1], "b"], [[words[2], words[0]]])
    said = capsys.readouterr().out
    assert [said.count(word) for word in words] == [2, 1, 1]


@pytest.mark.parametrize("rows", [1, PLAIN_ROWS + 1])
def test_no_word_of_a_table_moves_the_cursor(rows: int, capsys: pytest.CaptureFixture[str]) -> None:
    print_rows("a\x1b[2J", ["b\x07", "c"], [["d\x9b", "e\r"]] * rows)
    said = capsys.readouterr().out
    assert not set(said) & set("\x1b\x07\x9b\r") and said.count("\ufffd") == 2 + 2 * rows
