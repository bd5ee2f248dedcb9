"""The process beside functions that are checked: one for all checks, each of which has its own time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="no such process is started")

BEGIN = """
import os, signal, sys, time
from jumpnet.own import bounded
bounded.LONGEST_S = 0.5

def beside():
    return bounded._watcher()._process

"""


def _run(program: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-W", "error", "-c", BEGIN + program]
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


def test_a_check_that_is_done_is_not_ended_and_the_next_has_its_own_time() -> None:
    """Two checks, one after the other, take longer than one may; so does what comes after them."""
    found = _run("""
with bounded._beside("first"):
    time.sleep(0.3)
with bounded._beside("second"):
    time.sleep(0.3)
time.sleep(0.8)
print("alive")
""")
    assert (found.returncode, found.stdout, found.stderr) == (0, "alive\n", "")


def test_the_first_of_two_at_once_is_ended_though_the_other_is_done() -> None:
    found = _run("""
with bounded._beside("first\\nof two"):
    with bounded._beside("second"):
        pass
    time.sleep(30)
""")
    assert found.returncode == -signal.SIGKILL
    assert found.stderr == "jumpnet: first of two: 0.5 s in plain Python, an end expected\n"


def test_a_check_that_nobody_holds_is_not_under_way() -> None:
    found = _run("""
bounded._Check(bounded._watcher(), "thrown away")
time.sleep(1)
print("alive")
""")
    assert (found.returncode, found.stdout, found.stderr) == (0, "alive\n", "")


def test_one_process_is_started_for_all_checks_and_ends_with_them() -> None:
    found = _run("""
for _ in range(3):
    with bounded._beside("x"):
        print(beside().pid)
""")
    assert (found.returncode, found.stderr) == (0, "")
    first, *others = map(int, found.stdout.split())
    assert others == [first, first] and _gone(first)


def test_it_ends_when_the_process_is_killed() -> None:
    found = _run("""
with bounded._beside("x"):
    print(beside().pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
""")
    until, beside = time.monotonic() + 30, int(found.stdout)
    while not _gone(beside) and time.monotonic() < until:
        time.sleep(0.02)
    assert _gone(beside)


def test_where_it_is_killed_another_takes_its_place() -> None:
    found = _run("""
with bounded._beside("first"):
    old = beside()
    old.kill()
    old.wait()
with bounded._beside("second"):
    time.sleep(30)
""")
    assert found.returncode == -signal.SIGKILL
    assert found.stderr == "jumpnet: second: 0.5 s in plain Python, an end expected\n"


def test_a_forked_process_has_one_of_its_own() -> None:
    found = _run("""
with bounded._beside("x"):
    mine = beside().pid
if os.fork() == 0:
    with bounded._beside("y"):
        print(beside().pid != mine, flush=True)
    sys.exit()
os.wait()
with bounded._beside("z"):
    print(beside().pid == mine)
""")
    assert (found.returncode, found.stdout, found.stderr) == (0, "True\nTrue\n", "")


def test_another_looks_at_another_pipe_of_signals() -> None:
    found = _run("""
for _ in range(2):
    bounded.signals_from(os.pipe()[0])
    with bounded._beside("x"):
        print(beside().pid)
""")
    assert (found.returncode, found.stderr) == (0, "")
    first, second = map(int, found.stdout.split())
    assert first != second and _gone(first) and _gone(second)


def _gone(process: int) -> bool:
    """Whether a process has ended; one that nobody has waited for yet has."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True
