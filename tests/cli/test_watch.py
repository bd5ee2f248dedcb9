"""The words that say that work goes on: when they come, and what shows it without them."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress

from jumpnet.cli import main, paper
from jumpnet.cli._command import watch as module
from jumpnet.cli._command.output import drawn
from jumpnet.cli._command.watch import WATCH, Watch, _first_word_s


@pytest.mark.parametrize("text", ["²", "abc", "-1", "nan", "inf", "1_0x"])
def test_seconds_that_are_no_number_are_one_line(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUMPNET_SAY_AFTER", text)
    monkeypatch.setattr(sys, "argv", ["jumpnet", "list", "topology"])
    with pytest.raises(SystemExit) as stop:
        main()
    said = f"jumpnet: JUMPNET_SAY_AFTER='{text}' found, a number of seconds expected, 0 for never\n"
    assert (stop.value.code, capsys.readouterr()) == (2, ("", said))


def test_commands_of_tests_leave_no_thread_and_no_handler(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stays would have words of its own, in the output of whatever runs then."""
    monkeypatch.setattr(sys, "argv", ["jumpnet", "list", "--json"])
    before = threading.enumerate(), sys.unraisablehook, signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit, match="0"):
        main()
    assert (threading.enumerate(), sys.unraisablehook, signal.getsignal(signal.SIGTERM)) == before


@pytest.mark.parametrize(("text", "seconds"), [("", 10.0), ("0", float("inf")), ("0.5", 0.5), ("1e2", 100.0)])
def test_seconds_until_the_first_word(text: str, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUMPNET_SAY_AFTER", text)
    assert _first_word_s() == seconds


class _Clock:
    """A time that tests set."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


def test_no_overdue_word_comes_when_a_drawing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, said = _Clock(), []
    monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(module, "MUCH_BYTES", 1 << 62)
    monkeypatch.setattr(module, "is_quiet", lambda: False)
    watch = Watch()
    monkeypatch.setattr(watch, "_write", said.append)
    with watch.drawn():
        clock.now = 100.0
        watch._tell(clock.now)
    watch._tell(clock.now + 1)
    assert said == []
    watch._tell(clock.now + 10)
    assert said == ["110 s so far; Ctrl-C ends it"]


@pytest.mark.parametrize("terminal", [False, True])
def test_nothing_is_said_beside_what_a_terminal_shows(terminal: bool) -> None:
    console = Console(file=io.StringIO(), force_terminal=terminal)
    with drawn(Progress(console=console)):
        assert WATCH._drawn == terminal
    assert WATCH._drawn == 0


def test_the_bar_of_a_report_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def compute(*_: object, **named: object) -> Iterator[Any]:
        seen.append(WATCH._drawn)
        yield from ()

    monkeypatch.setattr(paper, "compute", compute)
    monkeypatch.setattr(paper, "Console", lambda **named: Console(file=io.StringIO(), force_terminal=True))
    assert paper._computed([], False, "table") == [] and seen == [1]


LOST = """
import ctypes, os, signal, sys
from jumpnet.cli._command.watch import WATCH
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job has it ignored
WATCH.start()
def ask():
    os.kill(os.getpid(), signal.{which})
    for _ in range(1000):
        pass
    print("not interrupted")
called = ctypes.CFUNCTYPE(None)(ask)
try:
    called()
    for _ in range(10_000_000):
        pass
    print("lost")
except KeyboardInterrupt:
    WATCH.heard()
    print("heard")
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("which", ["SIGINT", "SIGTERM"])
def test_an_interruption_of_what_compiled_code_calls_is_heard_outside(which: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOST.format(which=which)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("heard\n", "")
