"""Runs another simulator's binary on one configuration, and measures the CPU time of its process."""

from __future__ import annotations

import resource
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from jumpnet.errors import JumpnetError

__all__ = ["Ended", "run_on"]


class Ended(NamedTuple):
    """A process that has ended: what it printed, its exit status, and CPU seconds of its own and of the system."""

    text: str
    status: int
    user_s: float
    system_s: float


def run_on(binary: Path, name: str, text: str, timeout_s: float) -> Ended:
    """Run a binary on a file `name` of this text.

    Raises JumpnetError when it cannot be started, or has not ended in time.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="ascii")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            done = subprocess.run(
                [str(binary.resolve()), str(path)],
                capture_output=True,
                text=True,
                timeout=timeout_s,
                cwd=folder,
                check=False,
            )
        except OSError as error:
            raise JumpnetError(f"{binary}: {error.strerror}") from None
        except subprocess.TimeoutExpired:
            raise JumpnetError(f"{binary}: no answer within {timeout_s:g} s") from None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Ended(done.stdout, done.returncode, after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime)
