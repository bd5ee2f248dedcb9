"""How a command ends: its exit status, where Python or the output has a say in it too."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.attack.command import HANGS

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
