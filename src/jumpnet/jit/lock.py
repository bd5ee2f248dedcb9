"""One process compiles a kernel, others that want it wait and read it: a lock beside the file where it will stand.

The system gives a lock back when its process ends, however it ends. Used by `jit.cache`, for kernels of this
package: they compile without errors, so that who takes a lock comes to give it back.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import time
from pathlib import Path

try:
    import fcntl
except ImportError:  # not a system of the Unix family: every process compiles for itself
    fcntl = None  # type: ignore[assignment]

__all__ = ["give_back", "take"]

LONGEST_S = 60.0
"""A process that was stopped while it compiles, or interrupted and lives on, is not waited for longer."""
STEP_S = 0.02
_held: dict[Path, int] = {}


def take(path: Path) -> None:
    """Wait until no other process compiles what will stand at `path`, at most LONGEST_S; nothing where locks fail."""
    if fcntl is None or path in _held:
        return
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        handle = os.open(path.with_suffix(".lock"), flags, 0o600)
    except OSError:
        return
    end = time.monotonic() + LONGEST_S
    try:
        while path not in _held and time.monotonic() < end:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _held[path] = handle
                return
            time.sleep(STEP_S)
    except OSError:  # a file system without locks
        pass
    finally:
        if path not in _held:
            os.close(handle)


def give_back(path: Path) -> None:
    """Let the others go on, if this process holds the lock."""
    handle = _held.pop(path, None)
    if handle is not None:
        with contextlib.suppress(OSError):
            os.unlink(path.with_suffix(".lock"))
        fcntl.flock(handle, fcntl.LOCK_UN)  # a process forked meanwhile has the same lock
        os.close(handle)


@atexit.register
def _leave_none_behind() -> None:
    """Take away the files of locks that are held when the process ends: something went wrong while it compiled."""
    for path in list(_held):
        give_back(path)
