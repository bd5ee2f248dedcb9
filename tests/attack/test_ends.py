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
from tests.attack.command import HANGS

from jumpnet.cli import compile as compiling

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


def test_an_interruption_of_compile_ends_what_it_has_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It went on to its end, and said again and again that Ctrl-C ends it."""
    late = "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch(); time.sleep(20); pathlib.Path(sys.argv[2]).touch()"
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
