"""What surrounds a command: variables of libraries, more workers than a machine has room for."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.attack.command_line.command import HANGS, jumpnet, refused

from jumpnet.cli._command.verbs import verbs
from jumpnet.errors import JumpnetError
from jumpnet.files import modules_in
from jumpnet.registry import _names
from jumpnet.study.pool import MOST_WORKERS, check_workers


@pytest.mark.parametrize(
    ("name", "value"), [("NUMBA_NUM_THREADS", "0"), ("NUMBA_NUM_THREADS", "abc"), ("NUMBA_OPT", "x")]
)
def test_values_that_numba_does_not_know_are_one_line(name: str, value: str, tmp_path: Path) -> None:
    """Where something must be compiled: with its kernels on the disk a command loads no Numba."""
    empty = {"JUMPNET_CACHE_DIR": str(tmp_path)}
    assert name in refused("prove", "random:12,d=3,seed=1", **empty, **{name: value})


def test_a_picture_is_drawn_whatever_backend_a_notebook_has(tmp_path: Path) -> None:
    said = jumpnet("draw", "torus:3x3", "--out", "\x1b[2Jd.svg", folder=tmp_path, MPLBACKEND="none of theirs")
    assert (said.returncode, said.stdout) == (0, "\ufffd[2Jd.svg: torus:3x3\n")


def test_a_picture_is_drawn_without_a_folder_for_matplotlib(tmp_path: Path) -> None:
    said = jumpnet("draw", "torus:3x3", "--out", "d.svg", folder=tmp_path, MPLCONFIGDIR="/dev/null")
    assert (said.returncode, said.stdout, said.stderr) == (0, "d.svg: torus:3x3\n", "")


def test_a_matplotlibrc_that_asks_for_tex_runs_none(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text("text.usetex: True\n")
    said = jumpnet("draw", "torus:3x3", "--out", "d.svg", folder=tmp_path, PATH="/nowhere")
    assert (said.returncode, said.stdout, said.stderr) == (0, "d.svg: torus:3x3\n", "")


def test_a_matplotlibrc_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    """It was an error of our own, and a pipe was waited for; what draws nothing does not care."""
    places = [tmp_path / "here", tmp_path / "named", tmp_path / "home", tmp_path / "xdg" / "matplotlib"]
    for folder in places:
        folder.mkdir(parents=True)
    here, named, home, xdg = (folder / "matplotlibrc" for folder in places)
    variables = [{}, {"MATPLOTLIBRC": str(named)}, {"MPLCONFIGDIR": str(home.parent)}, {"MPLCONFIGDIR": ""}]
    variables[3]["XDG_CONFIG_HOME"] = str(tmp_path / "xdg")
    for file, surroundings in zip((here, named, home, xdg), variables, strict=True):
        file.write_bytes(b"font.size: 9\xff")
        asked = ("draw", "torus:3x3", "--out", "d.svg")
        assert "byte 12 is no UTF-8 text" in refused(*asked, folder=places[0], **surroundings)
        file.unlink()
        os.mkfifo(file)
        assert "matplotlibrc: not a regular file" in refused(*asked, folder=places[0], **surroundings)
        assert jumpnet("metrics", "torus:3x3", folder=places[0], **surroundings).returncode == 0
        file.unlink()


def test_a_width_that_no_terminal_has_is_not_taken() -> None:
    """Help of a hundred million columns took minutes, and a word was an error of our own."""
    unset = {"COLUMNS": "", "TERMINAL_WIDTH": ""}
    usual = jumpnet("check", "--help", **unset).stdout
    for name in unset:
        for value in ("1000000", "abc", "-3"):
            assert jumpnet("check", "--help", **unset | {name: value}).stdout == usual, (name, value)
        assert max(map(len, jumpnet("check", "--help", **unset | {name: "0100"}).stdout.splitlines())) == 100, name


def test_a_place_to_complete_that_is_no_number_is_the_first() -> None:
    asked = {"_JUMPNET_COMPLETE": "complete_bash", "COMP_WORDS": "jumpnet met"}
    found = jumpnet(COMP_CWORD="abc", **asked)
    assert found.returncode == jumpnet(COMP_CWORD="0", **asked).returncode and "an error" not in found.stderr
    assert found.stdout == jumpnet(COMP_CWORD="0", **asked).stdout


@pytest.mark.parametrize("workers", [-1, 0, MOST_WORKERS + 1, 10**100])
def test_more_workers_than_any_machine_has_are_refused(workers: int) -> None:
    with pytest.raises(JumpnetError, match=f"1 to {MOST_WORKERS} expected"):
        check_workers(workers)


def test_workers_beyond_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "1000000000")
    with pytest.raises(JumpnetError, match="64 workers needs about"):
        check_workers(64)
    check_workers(2)


def test_a_module_of_the_users_takes_no_place_of_another(tmp_path: Path) -> None:
    """`python -m` looks in this folder first, where `random.py` made a traceback, and `numpy.py` an error of ours."""
    for name in ("random", "numpy", "errors", "hashlib"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('mine')\n")
    assert jumpnet("metrics", "torus:3x3", "--json", folder=tmp_path).returncode == 0


def test_workers_begin_beside_a_module_of_the_users(tmp_path: Path) -> None:
    """`multiprocessing` loads `socket`: each worker ended in a traceback, and the sweep said that memory ran out."""
    (tmp_path / "socket.py").write_text("raise RuntimeError('mine')\n")
    call = "from jumpnet.process.workers import Workers; print(Workers(1).submit(abs, -3).result())"
    words = [sys.executable, "-c", f"import sys; sys.path.pop(0); {call}"]  # `-P` would be handed on to workers
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=HANGS)
    assert (done.stdout, done.stderr) == ("3\n", "")


def test_folders_of_modules_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With too many files open, every verb was unknown."""
    (tmp_path / "b.py").touch()
    (tmp_path / "a.py").touch()
    assert modules_in([str(tmp_path), "/etc/hostname/inside"]) == ["a", "b"]

    def full(folder: str) -> list[str]:
        raise OSError(errno.EMFILE, "Too many open files", folder)

    monkeypatch.setattr(os, "listdir", full)
    for ask in (lambda: modules_in([str(tmp_path)]), verbs, lambda: _names.__wrapped__("jumpnet.topology")):
        with pytest.raises(JumpnetError, match="too many open files"):
            ask()
