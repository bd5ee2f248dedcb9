"""A bound on the time that a user's own function takes in plain Python, which holds where Python itself is deaf.

One step in C (10**10**8) lets no thread and no signal's handler of this process run, and an `except:` within a loop
without end hears no interruption. So a small process beside looks at the time while functions are checked, and at
signals that nobody hears. It is told when the check is done, and ends this process where nothing else does.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

__all__ = ["bounded", "signals_from"]

P = ParamSpec("P")
T = TypeVar("T")

LONGEST_S = 60.0
"""A checked pass takes a second; much more of it on a machine that is busy."""

_signals = [-1]


def signals_from(pipe: int) -> None:
    """From which pipe a thread of this process reads the numbers of signals (`cli._watch`)."""
    _signals[0] = pipe


def bounded(name: Callable[P, str]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorator of what runs a user's functions: the process ends with a line that begins with the name, or returns."""

    def decorate(work: Callable[P, T]) -> Callable[P, T]:
        @wraps(work)
        def run(*given: P.args, **named: P.kwargs) -> T:
            with _beside(name(*given, **named)):
                return work(*given, **named)

        return run

    return decorate


@contextmanager
def _beside(words: str) -> Iterator[None]:
    """The process beside, while the block runs; none where there is no way to start one."""
    if os.name != "posix" or not sys.executable:
        yield
        return
    line = f"{words}: {LONGEST_S:g} s in plain Python, an end expected"
    script = str(Path(__file__).with_name("bounded_beside.py"))
    command = [sys.executable, "-I", "-S", script, str(os.getpid()), str(_signals[0]), str(LONGEST_S), line]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True,
        pass_fds=[fd for fd in _signals if fd >= 0],
    ) as beside:  # fmt: skip
        assert beside.stdin is not None
        try:
            yield
        finally:
            beside.stdin.close()
