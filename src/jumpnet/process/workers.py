"""Worker processes that end with what started them, and say nothing of it.

Ctrl-C in a terminal reaches every process of its group. Workers do not hear it: what started them does, and ends them.
A signal waits until a new worker is told all that it begins with, since half of that is an error of the worker's own.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker, spawn
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

__all__ = ["Workers", "track"]

P = ParamSpec("P")
T = TypeVar("T")
FIRST_WORDS = """import os, sys
if sys.stderr is not None:
    write = sys.stderr.write
    sys.stderr.write = lambda text: write(text) if os.getppid() == {parent} else len(text)
"""
"""What a worker runs first: when its parent is gone, what fails is nobody's concern."""
SAFE_PATH = "PYTHONSAFEPATH"
"""Keeps Python from looking for its own modules in the folder it is started in, as `-P` does: one of the user's
that is named like one of these would end every worker before it begins. Where its parent looks, a worker is told."""


def _nothing() -> None:
    """What a worker runs before its first call, where nobody asks for more."""


def _begin(parent: int, prepare: Callable[..., None], given: tuple[Any, ...]) -> None:
    """End this worker when the process that started it is gone (killed), so that none is left behind."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    prepare(*given)


@contextmanager
def _held() -> Iterator[None]:
    """Signals that come meanwhile are acted on when it ends."""
    if threading.current_thread() is not threading.main_thread():  # the only one that acts on signals
        yield
        return
    came: list[int] = []
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    before = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in before:
        signal.signal(number, lambda which, frame: came.append(which))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for first in came[:1]:
            signal.raise_signal(first)


def track() -> None:
    """Start what puts away the semaphores of a process that was killed, and let it do so without a word."""
    if os.name != "posix":
        return
    before = os.environ.get(SAFE_PATH)
    sys.warnoptions.append("ignore:resource_tracker")  # it is given them
    os.environ[SAFE_PATH] = "1"
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove("ignore:resource_tracker")
        os.environ.pop(SAFE_PATH)
        if before is not None:
            os.environ[SAFE_PATH] = before


@contextmanager
def _unheard() -> Iterator[None]:
    """Processes that are started here hear no interruption."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    track()  # to start it later would let interruptions in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_script() -> Iterator[None]:
    """Processes that are started here do not run the user's script again, as those of `multiprocessing` do: what they
    are given comes from modules of ours, and a script that sweeps would start them without end."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


@contextmanager
def _quiet_at_the_end() -> Iterator[None]:
    """Processes that are started here begin with FIRST_WORDS, and do not look for modules in this folder."""
    usual = spawn.get_command_line

    def command_line(**about: Any) -> list[str]:
        words = usual(**about)
        if "-c" in words:
            words[words.index("-c") + 1] = FIRST_WORDS.format(parent=os.getpid()) + words[words.index("-c") + 1]
            words.insert(1, "-P")
        return words

    spawn.get_command_line = command_line
    try:
        yield
    finally:
        spawn.get_command_line = usual


class _Process(SpawnProcess):
    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        with _unheard(), _without_script(), _quiet_at_the_end():
            return SpawnProcess._Popen(process_obj)


class _Context(SpawnContext):
    Process = _Process


class Workers(ProcessPoolExecutor):
    """`count` processes that run calls; each runs `prepare(*given)` before its first."""

    def __init__(self, count: int, prepare: Callable[..., None] = _nothing, given: tuple[Any, ...] = ()) -> None:
        """No process is started before the first call."""
        with _held():
            track()
            super().__init__(count, _Context(), _begin, (os.getpid(), prepare, given))

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Queue a call."""
        with _held():  # a process that is started and not yet noted down would be waited for without end
            return super().submit(fn, *args, **kwargs)

    def stop(self) -> None:
        """End the processes; calls in flight are given up."""
        with _held():
            for process in list((self._processes or {}).values()):
                process.terminate()
            self.shutdown(wait=True, cancel_futures=True)
