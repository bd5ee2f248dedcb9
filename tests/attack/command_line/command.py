"""Runs the command line in a process of its own, so that a crash or a hang is a failed test and not the end of all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HANGS = 240
"""Seconds after which a command counts as hung: far more than any here takes, kernels compiled anew included."""


def jumpnet(*words: str, folder: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """`jumpnet WORDS`: ended by no signal, with no traceback. variables: added to the environment."""
    found = subprocess.run(
        [sys.executable, "-m", "jumpnet", *words],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=HANGS,
    )
    assert found.returncode >= 0, f"ended by signal {-found.returncode}"
    assert "Traceback" not in found.stderr, found.stderr
    return found


def refused(*words: str, folder: Path | None = None, **variables: str) -> str:
    """The one line of a command that is refused with status 2, without the notices that a cold cache brings."""
    found = jumpnet(*words, folder=folder, **({"JUMPNET_QUIET": "1"} | variables))
    assert found.returncode == 2, (found.returncode, found.stdout[-300:], found.stderr[-300:])
    (line,) = found.stderr.splitlines()
    return line
