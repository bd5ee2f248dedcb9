"""What surrounds a command: variables of libraries, more workers than a machine has room for."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.attack.command import jumpnet, refused

from jumpnet.errors import JumpnetError
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


@pytest.mark.parametrize("workers", [-1, 0, MOST_WORKERS + 1, 10**100])
def test_more_workers_than_any_machine_has_are_refused(workers: int) -> None:
    with pytest.raises(JumpnetError, match=f"1 to {MOST_WORKERS} expected"):
        check_workers(workers)


def test_workers_beyond_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "1000000000")
    with pytest.raises(JumpnetError, match="64 workers needs about"):
        check_workers(64)
    check_workers(2)
