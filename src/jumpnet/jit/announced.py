"""Say once in a process that kernels are being compiled, when that takes as long as somebody notices.

Used by `jit.cache`, so that every command says so in the same way.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from jumpnet.notices import notice

__all__ = ["COMPILING", "Announced"]

AFTER_S = 1.5
"""Seconds of compiling, one kernel with the other; loading those of a run from disk takes a tenth of it."""
WORDS = "compiling what this needs, once for this version and kind of run (under a minute)"


class Announced:
    """Which kernels are being compiled, and how long that has taken altogether."""

    def __init__(self, say: Callable[[str], object] = notice, timer: Callable[..., Any] = threading.Timer) -> None:
        self._say, self._timer = say, timer
        self._under_way: set[object] = set()
        self._late: Any = None
        self._since = self._spent_s = 0.0
        self._lock = threading.RLock()
        self._said = False

    def begins(self, kernel: object) -> None:
        """A kernel is compiled from now on, here or by a process that is waited for."""
        with self._lock:
            if not self._under_way and not self._said:
                self._since = time.monotonic()
                self._late = self._timer(max(0.0, AFTER_S - self._spent_s), self._tell)
                self._late.daemon = True
                self._late.start()
            self._under_way.add(kernel)

    def ended(self, kernel: object) -> None:
        """It is there; nothing for one that was not begun."""
        with self._lock:
            self._under_way.discard(kernel)
            if not self._under_way and self._late is not None:
                self._late.cancel()
                self._late = None
                self._spent_s += time.monotonic() - self._since

    def _tell(self) -> None:
        with self._lock:
            if self._said or not self._under_way:
                return
            self._said = True
        self._say(WORDS)


COMPILING = Announced()
"""The one of this process."""
