"""A bound on the time that a user's own function takes in plain Python, which holds where Python itself is deaf.

One step in C (10**10**8) lets no thread and no signal's handler of this process run, and an `except:` within a loop
without end hears no interruption. So a small process beside looks at the time while functions are checked, and at
signals that nobody hears. It is told when a check begins and when it is done, and ends this process where nothing else
does. The first check starts it, which takes longer than many a check; it ends with this process.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from itertools import count
from pathlib import Path
from typing import ParamSpec, TypeVar

__all__ = ["bounded", "signals_from"]

P = ParamSpec("P")
T = TypeVar("T")

LONGEST_S = 60.0
"""A checked pass takes a second; much more of it on a machine that is busy."""

_signals = [-1]


def signals_from(pipe: int) -> None:
    """From which pipe a thread of this process reads the numbers of signals (`cli._command.watch`)."""
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


class _Watcher:
    """The process beside, of one process of ours."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a check that is thrown away may be so while another is told
        self.numbers = count()
        self._signals = _signals[0]
        script = str(Path(__file__).with_name("bounded_beside.py"))
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", script, str(os.getpid()), str(self._signals)], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, start_new_session=True, pass_fds=[fd for fd in _signals if fd >= 0],
        )  # fmt: skip
        atexit.register(self.end)

    def tell(self, line: str) -> None:
        """Tell it of a check; nothing where somebody has ended it."""
        assert self._process.stdin is not None
        with self._lock, suppress(BrokenPipeError, ValueError):
            self._process.stdin.write(f"{line}\n".encode(errors="replace"))
            self._process.stdin.flush()

    def serves(self) -> bool:
        """Whether it lives, as a child of this very process, and looks at the pipe that signals come by now."""
        return self._process.poll() is None and self._signals == _signals[0]

    def end(self) -> None:
        """Let it end; in a process that was forked, which cannot wait for it, let go of it."""
        atexit.unregister(self.end)
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()


class _Check:
    """A check under way: until it is done, or nobody holds it, as an interruption may come before any step."""

    def __init__(self, watcher: _Watcher, words: str) -> None:
        self._watcher, self._number, self._done = watcher, next(watcher.numbers), False
        watcher.tell(f"{self._number} {LONGEST_S:g} {' '.join(words.split())}")

    def done(self) -> None:
        """Its time counts no longer."""
        if not self._done:
            self._watcher.tell(str(self._number))
            self._done = True

    __del__ = done


_watchers: list[_Watcher] = []
"""The one of this process, once a function has been checked."""
_starting = threading.Lock()


def _watcher() -> _Watcher:
    with _starting:
        if not (_watchers and _watchers[0].serves()):
            for old in _watchers:
                old.end()
            _watchers[:] = [_Watcher()]
        return _watchers[0]


@contextmanager
def _beside(words: str) -> Iterator[None]:
    """The process beside looks at the time while the block runs; not where there is no way to start one."""
    if os.name != "posix" or not sys.executable:
        yield
        return
    check = _Check(_watcher(), f"{words}: {LONGEST_S:g} s in plain Python, an end expected")
    try:
        yield
    finally:
        check.done()
