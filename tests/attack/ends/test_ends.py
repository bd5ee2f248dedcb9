"""How a command ends: its exit status, where Python or the output has a say in it too."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.attack.command_line.command import HANGS

from jumpnet.cli import compile as compiling
from jumpnet.cli._answers.sweep_display import SweepDisplay

MAIN = """
import os, signal, sys
import jumpnet.cli as cli
def run(words):
    exec("import os, time; os.kill(os.getpid(), %d); time.sleep(9)")
cli.run_words = run
cli.main()
"""


@pytest.mark.parametrize(("sent", "status", "word"), [(2, 130, "interrupted"), (15, 143, "terminated")])
def test_a_signal_while_python_makes_a_class_has_its_status(tmp_path: Path, sent: int, status: int, word: str) -> None:
    """Two of 24 commands that got SIGTERM died of SIGINT, after the word; only as a module, as `-m jumpnet` is."""
    (tmp_path / "struck.py").write_text(MAIN % sent)
    found = subprocess.run(
        [sys.executable, "-m", "struck"], cwd=tmp_path, capture_output=True, text=True, timeout=HANGS, env=os.environ,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    assert (found.returncode, found.stderr) == (status, f"jumpnet: {word}\n")


TORN = """
import jumpnet.cli as cli
def run(words):
    try:
        raise KeyboardInterrupt
    finally:
        raise RuntimeError("release unlocked lock")
cli.run_words = run
cli.main()
"""


def test_an_error_on_the_way_out_of_an_interruption_is_one(tmp_path: Path) -> None:
    """Ctrl-C within a lock's own code: a sweep that was struck while it waited said that an error was jumpnet's own."""
    found = subprocess.run([sys.executable, "-c", TORN], cwd=tmp_path, capture_output=True, text=True, timeout=HANGS)
    assert (found.returncode, found.stderr) == (130, "jumpnet: interrupted\n")


def test_an_interruption_of_compile_ends_what_it_has_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It went on to its end, and said again and again that Ctrl-C ends it."""
    late = "import sys, time; open(sys.argv[1], 'w'); time.sleep(20); open(sys.argv[2], 'w')"
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    monkeypatch.setattr(compiling, "_command", lambda group: [sys.executable, "-S", "-c", late, str(begun), str(ended)])
    monkeypatch.setattr(compiling, "GROUPS", ("a", "b", "c"))

    def strike() -> None:
        while not begun.exists():
            time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=strike).start()
    with pytest.raises(KeyboardInterrupt):
        next(compiling._compiled(1, "", tmp_path))
    signal.signal(signal.SIGINT, before)
    assert not ended.exists()


OUTPUTS = [
    ("metrics nosuch:3", "2>&-", 2, ""), ("metrics nosuch:3", "2>/dev/full", 2, ""),
    ("metrics torus:4x4 --json", ">&-", 2, "jumpnet: output: closed, a place to write expected"),
    ("--version", ">&-", 2, "jumpnet: output: closed, a place to write expected"),
    ("metrics torus:4x4", ">/dev/full", 2, "jumpnet: output: no space left on device, room to write expected"),
    ("--version", "| true", 0, ""), ("--help", "| head -c 1 >/dev/null", 0, ""),
    ("export torus:60x60", "| head -c 1 >/dev/null", 0, ""),
]  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file that is always full")
@pytest.mark.parametrize(("words", "where", "status", "said"), OUTPUTS)
def test_an_output_that_cannot_be_written(words: str, where: str, status: int, said: str) -> None:
    """An answer that is lost is an error, and a reader that leaves has what it wants; an error stays one."""
    line = f"set -o pipefail; {sys.executable} -m jumpnet {words} {where}"
    found = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=HANGS, check=False)
    assert (found.returncode, found.stderr.strip(), found.stdout) == (status, said, "")


def test_no_bar_shares_its_line_with_the_word_of_an_interruption(capsys: pytest.CaptureFixture[str]) -> None:
    """In a file or pipe there is no bar: the word of the interruption stood on the same line."""
    display = SweepDisplay("torus")
    with pytest.raises(KeyboardInterrupt), display.shown():
        raise KeyboardInterrupt
    assert capsys.readouterr().err == ""
