"""Calls of METIS and ARPACK hold Python's lock: from a process of their own, signals and deaths are heard meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tests.attack.command_line.command import HANGS

from jumpnet.errors import JumpnetError
from jumpnet.graph import _metis_arpack
from jumpnet.graph.bisection import bisection
from jumpnet.process.child_process import in_child_process
from jumpnet.topology import build

ROOT = Path(__file__).parents[3]


def _gone(process: int) -> bool:
    """Whether a process has ended; one that nobody has waited for yet has."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_a_process_apart_gives_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pymetis")
    net = build("random:800,d=3,seed=1")
    here = bisection(net)
    made: list[str] = []

    def told(what: str, *given: object) -> object:
        made.append(what)
        return in_child_process(what, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(_metis_arpack, "in_child_process", told)
    monkeypatch.setattr(_metis_arpack, "ALONE", 1)
    there = bisection(net)
    assert made == ["ARPACK", "METIS"]
    assert (there.upper, there.lower, there.method) == (here.upper, here.lower, here.method)
    assert there.connectivity == here.connectivity and np.array_equal(there.half, here.half)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="where the end of a process is read")
@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        (signal.SIGINT, 130, "jumpnet: interrupted\n"),
        (signal.SIGTERM, 143, "jumpnet: terminated\n"),
        (signal.SIGKILL, -signal.SIGKILL, ""),
    ],
)
def test_a_command_that_waits_for_a_deaf_call_is_ended(sent: signal.Signals, status: int, words: str) -> None:
    pytest.importorskip("pymetis")
    with subprocess.Popen(
        [sys.executable, "-m", "tests.attack.ends.lock_holder"], cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=os.environ | {"JUMPNET_SAY_AFTER": "0"},  # a busy machine may take ten seconds to be there
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as command:  # fmt: skip
        assert command.stdout is not None
        deaf = next(int(line) for line in command.stdout if line.strip().isdigit())
        assert not _gone(deaf)
        command.send_signal(sent)
        _, said = command.communicate(timeout=HANGS)
    assert (command.returncode, said) == (status, words)
    end = time.monotonic() + HANGS
    while not _gone(deaf) and time.monotonic() < end:
        time.sleep(0.02)
    assert _gone(deaf)


def test_a_process_apart_that_is_killed_is_one_line() -> None:
    with pytest.raises(JumpnetError, match=r"^METIS: its process was killed, or ran out of memory$"):
        in_child_process("METIS", signal.raise_signal, signal.SIGKILL)


def test_an_error_of_the_call_is_raised_here() -> None:
    with pytest.raises(FileNotFoundError):
        in_child_process("a look", os.stat, "/nowhere/at/all")
