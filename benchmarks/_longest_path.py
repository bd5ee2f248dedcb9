"""CPU seconds along the longest path of threads: what work takes at least by the clock, however busy the machine is.

A thread that waits for those that it started takes as long as the longest of them. Used by `threads`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from jumpnet.process import threads

__all__ = ["longest_path"]


class _Path:
    """What a thread took, and the longest of each crew that it waited for."""

    def __init__(self) -> None:
        self.began, self.waited, self.crew, self.ended = time.thread_time(), 0.0, list[_Timed](), False

    def wait(self) -> None:
        """Count the crew that ended."""
        self.waited += max((one.took for one in self.crew), default=0.0)
        self.crew, self.ended = [], False

    def seconds(self) -> float:
        """Up to now."""
        self.wait()
        return time.thread_time() - self.began + self.waited


_paths = threading.local()


class _Timed(threading.Thread):
    """A thread that says how long its path was."""

    def __init__(self, target: Callable[[], None], daemon: bool) -> None:
        super().__init__(target=target, daemon=daemon)
        self.took, self.of = 0.0, _paths.now
        if self.of.ended:  # another crew than the last
            self.of.wait()
        self.of.crew.append(self)

    def run(self) -> None:
        """Do the work, and note its path."""
        _paths.now = _Path()
        super().run()
        self.took = _paths.now.seconds()

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        super().join(timeout)
        self.of.ended = True


def longest_path(work: Callable[[], float]) -> tuple[float, float]:
    """What `work` answers, and CPU seconds along the longest path of threads that `process.threads.share` starts."""
    before = threads.Thread
    _paths.now = _Path()
    threads.Thread = _Timed  # type: ignore[misc, assignment]
    try:
        found = work()
    finally:
        threads.Thread = before  # type: ignore[misc]
    return found, _paths.now.seconds()
