"""One call of a library that holds the global interpreter lock until it returns, in a child process.

While such a call runs here no other thread runs, and no signal is handled. A child process is only waited for, which an
interruption ends at once, and the child with it (decision 0078).
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from jumpnet.errors import JumpnetError
from jumpnet.process.workers import Workers

__all__ = ["in_child_process"]

T = TypeVar("T")
DIES_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux."""


def in_child_process(what: str, work: Callable[..., T], *given: Any) -> T:
    """`work(*given)`, from a child process: a function of a module of ours, its arguments and result copied.

    what: names the call in the message. Raises what the call raises, and JumpnetError where its process is killed.
    Called here after all in processes that may start none (daemons), and where Python does not know its own program.
    Cost: half a second and what the module imports.

    >>> in_child_process("a square root", abs, -4)
    4
    """
    if multiprocessing.current_process().daemon or not sys.executable:
        return work(*given)
    process = Workers(1, _end_with, (os.getpid(),))
    try:
        return process.submit(work, *given).result()
    except BrokenProcessPool:
        raise JumpnetError(f"{what}: its process was killed, or ran out of memory") from None
    finally:
        process.stop()


def _end_with(parent: int) -> None:
    """End this process at once when its parent is killed: the watch of all workers waits for the lock too."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIES_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
