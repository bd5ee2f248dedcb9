"""Workers struck while they start: no word of theirs is seen, whatever ends the command, and nothing is lost.

A struck group hears as from a terminal; one process alone as from `kill`. Instants are drawn from the first second
after the first worker is there: the interpreter before it, which nothing of ours runs in, has words of its own.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from tests.attack.ends import kills
from tests.draws import every_third

from jumpnet.process.threads import processors

STRIKES = 1
WAYS: dict[str, list[tuple[Callable[[int, int], None], int]]] = {
    "Ctrl-C": [(os.killpg, signal.SIGINT)],
    "Ctrl-C twice": [(os.killpg, signal.SIGINT)] * 2,
    "SIGTERM": [(os.kill, signal.SIGTERM)],
    "SIGTERM to all": [(os.killpg, signal.SIGTERM)],
    "SIGKILL": [(os.kill, signal.SIGKILL)],
}


def _struck(command: subprocess.Popen[str], way: str, draw: random.Random) -> list[str]:
    """Strike a command once it has a worker; what is wrong with its end."""
    while not kills.workers_of(command.pid):
        assert command.poll() is None
    for send, number in WAYS[way]:
        time.sleep(draw.choice((0.02, 0.3, 1.0)) * draw.random())
        with suppress(ProcessLookupError):
            send(command.pid, number)
    return kills.end_of(command, (0, *kills.ENDED))


@pytest.mark.parametrize("way", WAYS)
def test_workers_of_a_sweep_that_are_struck_while_they_start(tmp_path: Path, way: str) -> None:
    draw = random.Random(way)
    (tmp_path / "s.toml").write_text(kills.STUDY)
    for _ in range(STRIKES):
        assert _struck(kills.begin(tmp_path), way, draw) + kills.damage(tmp_path) == []


@pytest.mark.skipif(processors() < 2, reason="then the report has no workers")
@pytest.mark.parametrize("way", every_third(WAYS))
def test_workers_of_the_report_that_are_struck_while_they_start(tmp_path: Path, way: str) -> None:
    draw = random.Random(way)
    for _ in range(STRIKES):
        report = kills.begin(tmp_path, words=["paper", "li2009rdn", "--json"])
        assert _struck(report, way, draw) == []


KILLED = """
import multiprocessing, os, signal
from jumpnet.process.workers import track
track()
lock = multiprocessing.get_context("spawn").Lock()
print(lock._semlock.name, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name != "posix", reason="no such semaphores are there")
def test_semaphores_of_a_killed_process_are_put_away_without_a_word() -> None:
    """Python's own tracker puts them away, and warns of it on the terminal where it is let."""
    found = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, timeout=60, check=False)
    assert (found.returncode, found.stderr) == (-signal.SIGKILL, "")
    assert not Path(f"/dev/shm/sem.{found.stdout.strip()[1:]}").exists()


LEFT_ALONE = """
import os, signal
from jumpnet.process.workers import Workers
print(Workers(1).submit(os.getpid).result(), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
GONE_S = 10
"""A worker looks every half second whether its parent is there."""


@pytest.mark.skipif(os.name != "posix", reason="no such signal is there")
def test_a_worker_ends_when_its_parent_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", LEFT_ALONE], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    until = time.monotonic() + GONE_S
    try:
        while time.monotonic() < until:
            os.kill(worker, 0)
            time.sleep(0.05)
    except ProcessLookupError:
        worker = 0
    finally:
        if worker:
            os.kill(worker, signal.SIGKILL)
        parent.communicate()
    assert not worker
