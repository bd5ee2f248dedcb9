"""Whatever runs, one SIGTERM or two interruptions end it in one line, and long work says that it goes on.

SQLite counting without end stands for compiled code that hears nothing: a user's own function in a state that the
checked pass does not meet, a large call of NumPy's.
"""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.attack.command_line.command import HANGS
from tests.attack.ends import kills

ENDLESS = """
import sqlite3, sys, threading
import jumpnet.cli
def work(words):
    threading.Timer(0.5, print, ["at work"], {"flush": True}).start()  # by then it counts
    count = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
    sqlite3.connect(":memory:").execute(count).fetchall()
jumpnet.cli.run_words = work
jumpnet.cli.main()
"""
OWN = """
import sys, threading, time
import numpy as np
from jumpnet.traffic import Process

def tell():
    main, times = threading.main_thread().ident, 0
    while times < 40:  # as often within a call of the kernel, it does not come back
        frame, inside = sys._current_frames()[main], False
        while frame is not None:
            inside = inside or (frame.f_code.co_name == "_run" and frame.f_code.co_filename.endswith("engine.py"))
            frame = frame.f_back
        times = times + 1 if inside else 0
        time.sleep(0.05)
    print("at work", flush=True)

threading.Thread(target=tell, daemon=True).start()

def advance(own, memory, key):
    memory[0] += 1
    while memory[0] > 150:  # more packets than are tried
        memory[1] += 1
    return memory[0]

STUCK = Process("stuck", advance, lambda rate, options: np.zeros(1, np.int64))
"""


def _begun(*words: str, **variables: str) -> subprocess.Popen[str]:
    """A command in a process of its own that hears interruptions, whatever the shell of the tests does."""
    return subprocess.Popen(
        [sys.executable, *words], env=os.environ | variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip


def _ended(process: subprocess.Popen[str]) -> tuple[int, list[str]]:
    """Status and lines; a process that hears nothing fails."""
    try:
        _, said = process.communicate(timeout=HANGS)
    finally:
        process.kill()
    return process.returncode, said.splitlines()


def _at_work(**variables: str) -> subprocess.Popen[str]:
    process = _begun("-c", ENDLESS, JUMPNET_SAY_AFTER="0", **variables)
    assert process.stdout is not None and process.stdout.readline() == "at work\n"
    return process


def test_one_sigterm_ends_compiled_code_that_hears_nothing() -> None:
    process = _at_work()
    process.send_signal(signal.SIGTERM)
    assert _ended(process) == (143, ["jumpnet: terminated"])


def test_a_second_interruption_ends_compiled_code_that_hears_nothing() -> None:
    process = _at_work()
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    assert "Ctrl-C again ends it at once" in process.stderr.readline()  # nothing has heard the first
    process.send_signal(signal.SIGINT)
    assert _ended(process) == (130, ["jumpnet: interrupted"])


def test_long_work_says_so_where_no_bar_is_drawn() -> None:
    process = _begun("-c", ENDLESS, JUMPNET_SAY_AFTER="0.01")
    assert process.stderr is not None
    assert process.stderr.readline().endswith(" s so far; Ctrl-C ends it\n")
    process.send_signal(signal.SIGTERM)
    assert _ended(process)[0] == 143


def test_the_words_say_how_far_it_is() -> None:
    process = _begun("-m", "jumpnet", "metrics", "debruijn:2,n=19", JUMPNET_SAY_AFTER="0.01")
    assert process.stderr is not None
    while "searches of debruijn:2,n=19: " not in (line := process.stderr.readline()):
        assert line.endswith("Ctrl-C ends it\n")
    process.send_signal(signal.SIGINT)
    status, lines = _ended(process)
    assert status == 130 and lines[-1] == "jumpnet: interrupted"


def test_an_own_function_without_end_is_ended(tmp_path: Path) -> None:
    (tmp_path / "stuck.py").write_text(OWN)
    words = ["-m", "jumpnet", "--load", str(tmp_path / "stuck.py"), "simulate", "torus:4x4", "--load", "0.4"]
    process = _begun(*words, "--set", "injection=stuck", JUMPNET_SAY_AFTER="0")
    assert process.stdout is not None and process.stdout.readline() == "at work\n"
    process.send_signal(signal.SIGTERM)
    status, lines = _ended(process)
    assert (status, lines[-1]) == (143, "jumpnet: terminated")


def test_on_a_terminal_a_bar_is_all_that_is_said() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "jumpnet", "metrics", "debruijn:2,n=19"], stdout=subprocess.DEVNULL, stderr=theirs,
        env=os.environ | {"JUMPNET_SAY_AFTER": "0.01", "TERM": "xterm", "NO_COLOR": "1"}, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    said = b""
    try:
        while b"%" not in said:  # of the bar
            said += os.read(ours, 4096)
    finally:
        process.terminate()
        process.wait(HANGS)
        os.close(ours)
    assert b"searches of debruijn:2,n=19" in said


def test_an_interruption_of_a_whole_group_is_one_line(tmp_path: Path) -> None:
    """As a terminal sends it: to the workers too, which are still being loaded."""
    (tmp_path / "s.toml").write_text(kills.STUDY)
    sweep = kills.begin(tmp_path)
    while len(kills.workers_of(sweep.pid)) < 2:
        assert sweep.poll() is None
    os.killpg(sweep.pid, signal.SIGINT)
    assert kills.end_of(sweep, (130,)) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_work_that_hears_ends_by_itself(number: signal.Signals) -> None:
    heard = (
        ENDLESS.partition("jumpnet.cli.run_words")[0]
        + """
import time
def work(words):
    try:
        print("at work", flush=True)
        time.sleep(1000)
    finally:
        print("put away", file=sys.stderr)
jumpnet.cli.run_words = work
jumpnet.cli.main()
"""
    )
    process = _begun("-c", heard, JUMPNET_SAY_AFTER="0")
    assert process.stdout is not None and process.stdout.readline() == "at work\n"
    process.send_signal(number)
    word = "terminated" if number == signal.SIGTERM else "interrupted"
    assert _ended(process) == (128 + number, ["put away", f"jumpnet: {word}"])
