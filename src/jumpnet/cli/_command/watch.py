"""A thread beside the command: it says that long work goes on, ends what hears no signal, and what takes all memory.

Python looks at signals between its own steps, so one call of compiled code (a user's own function without end, a large
array of NumPy's) hears nothing until it returns. The system's handler writes each signal to a pipe all the same; this
thread reads it, and leaves the work time to end by itself. Where a process has taken what memory there is, the system
would kill it, or another one, silently. `main` starts it; verbs say here what is under way.
"""

from __future__ import annotations

import _thread
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.memory import left_bytes, machine_bytes, readable
from jumpnet.notices import is_quiet
from jumpnet.own.bounded import signals_from
from jumpnet.spec import plain

__all__ = ["INTERRUPTED", "OUT_OF_MEMORY", "TERMINATED", "WATCH", "Watch"]

INTERRUPTED = 130
"""Exit status after Ctrl-C: 128 and the number of the signal."""
TERMINATED = 143
"""The same after SIGTERM."""
OUT_OF_MEMORY = 2
"""The same when memory runs out."""
FIRST_WORD_S = 10.0
"""After so long the first word that work goes on; the next one after twice the time, and so on."""
LONGEST_SILENCE_S = 600.0
MUCH_BYTES = 1 << 31
"""Memory of this process that is told as soon as it is taken."""
LARGE, LEAST_LEFT = 0.25, 0.03
"""A process with more than the first share of the machine's memory ends when less than the second is left."""
LOOK_S, LOOK_AT_LARGE_S = 1.0, 0.05
"""How often memory and time are looked at; arrays can fill some gigabytes in a second."""
HINT_S = 1.0
"""An interruption that nothing has heard for so long is answered with what ends the process."""
GRACE_S = {signal.SIGINT: 0.3, signal.SIGTERM: 0.7}
"""What the work gets to end by itself after a second interruption, and after SIGTERM."""
AGAIN_S = 0.01
"""Until then the call in which an interruption was lost has returned."""
SAY_VARIABLE = "JUMPNET_SAY_AFTER"
"""Environment variable: seconds instead of FIRST_WORD_S; 0 for no word at all."""
STATUS = Path("/proc/self/statm")


class Watch:
    """What is under way, how long, and which signals have come."""

    def __init__(self) -> None:
        self.under_way = ""
        """Words for a person; empty where nobody has said any."""
        self.terminated = False
        """Whether SIGTERM has come."""
        self._begin = time.monotonic()
        self._drawn = 0
        self._interruptions = self._raised_again = 0
        self._end_at = self._hint_at = float("inf")
        self._told_memory = self._heard = False
        self._next = self._silence = FIRST_WORD_S
        self._taken = 0

    def start(self) -> None:
        """Begin to watch; only in the main thread of a process, once, and where signals go to pipes.

        Raises JumpnetError where JUMPNET_SAY_AFTER is no number of seconds.
        """
        if os.name != "posix":
            return
        self._begin = time.monotonic()
        self._next = self._silence = _first_word_s()
        self._told_memory = self._next == float("inf")
        self._pipe, write = os.pipe()
        os.set_blocking(write, False)
        signals_from(self._pipe)
        signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        os.register_at_fork(after_in_child=lambda: signal.set_wakeup_fd(-1))
        if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self._terminate)
        sys.unraisablehook = self._lost
        threading.Thread(target=self._look, daemon=True, name="watch").start()

    def heard(self) -> None:
        """The command ends by itself and says so: no second word, and no interruption while it ends."""
        self._heard = True
        for number in (signal.SIGINT, signal.SIGTERM):
            if callable(signal.getsignal(number)):
                signal.signal(number, lambda number, frame: None)

    @contextmanager
    def drawn(self) -> Iterator[None]:
        """While something on the screen shows that work goes on, nothing is said, nor at once when it ends."""
        self._drawn += 1
        try:
            yield
        finally:
            self._drawn -= 1
            self._next = max(self._next, time.monotonic() - self._begin + self._silence)

    @contextmanager
    def at_work(self, words: str) -> Iterator[None]:
        """What is under way."""
        before, self.under_way = self.under_way, words
        try:
            yield
        finally:
            self.under_way = before

    def _terminate(self, number: int, frame: FrameType | None) -> Any:
        self.terminated = True
        raise KeyboardInterrupt

    def _lost(self, what: Any) -> None:
        """An interruption that comes while compiled code calls Python is lost there: it is raised again outside."""
        if issubclass(what.exc_type, KeyboardInterrupt):
            self._raised_again += 1
            threading.Timer(AGAIN_S, _thread.interrupt_main).start()
        elif not (self.terminated or self._interruptions):  # what an end leaves half made cannot be taken down
            sys.__unraisablehook__(what)

    def _look(self) -> None:
        waiting = select.poll()  # unlike `select`, also where a thousand files are open
        waiting.register(self._pipe, select.POLLIN)
        while True:
            now = time.monotonic()
            look = LOOK_AT_LARGE_S if self._is_large() else LOOK_S
            least = min(self._end_at, self._hint_at, now + look) - now
            if waiting.poll(1000 * max(least, 0.0)):
                for number in os.read(self._pipe, 64):
                    self._signalled(number)
            now = time.monotonic()
            if now >= self._end_at:
                self._end()
            if now >= self._hint_at:
                self._hint_at = float("inf")
                if not self._heard:
                    self._write("interrupted within compiled code, waiting for it; Ctrl-C again ends it at once")
            self._taken = _resident()
            if self._is_large() and (left := left_bytes()) < LEAST_LEFT * machine_bytes():
                self._write(f"memory ran out: {readable(self._taken)} taken, {readable(left)} left")
                os._exit(OUT_OF_MEMORY)
            self._tell(now - self._begin)

    def _is_large(self) -> bool:
        """Whether the process has much of the machine's memory."""
        return self._taken > LARGE * machine_bytes()

    def _signalled(self, number: int) -> None:
        now = time.monotonic()
        if number == signal.SIGTERM:
            self.terminated = True
            self._end_at = min(self._end_at, now + GRACE_S[signal.SIGTERM])
        elif number == signal.SIGINT and self._raised_again:
            self._raised_again -= 1
        elif number == signal.SIGINT:
            self._interruptions += 1
            if self._interruptions == 1:
                self._hint_at = now + HINT_S
            else:
                self._end_at = min(self._end_at, now + GRACE_S[signal.SIGINT])

    def _tell(self, seconds: float) -> None:
        """Say that work goes on, when it is time, and when it takes much memory."""
        taken = self._taken
        much = taken > MUCH_BYTES and not self._told_memory
        if self._drawn or is_quiet() or not (seconds >= self._next or much):
            return
        self._told_memory |= much
        while self._next <= seconds:
            self._next += min(self._next, LONGEST_SILENCE_S)
        memory = f" and {readable(taken)}" if taken > MUCH_BYTES else ""
        what = f", {self.under_way}" if self.under_way else ""
        self._write(f"{seconds:.0f} s{memory} so far{what}; Ctrl-C ends it")

    def _end(self) -> None:
        if not self._heard:
            self._write("terminated" if self.terminated else "interrupted")
        os._exit(TERMINATED if self.terminated else INTERRUPTED)

    def _write(self, words: str) -> None:
        try:
            os.write(sys.stderr.fileno(), f"jumpnet: {words}\n".encode(errors="replace"))
        except (OSError, ValueError, AttributeError):  # no place for words
            return


def _first_word_s() -> float:
    """Seconds until the first word; infinite for none."""
    text = os.environ.get(SAY_VARIABLE) or str(FIRST_WORD_S)
    try:
        wanted = float(plain(text))
    except ValueError:
        wanted = -1.0
    if not 0.0 <= wanted < float("inf"):
        raise JumpnetError(f"{SAY_VARIABLE}={text!r} found, a number of seconds expected, 0 for never")
    return wanted or float("inf")


def _resident() -> int:
    """Bytes of memory that this process has; 0 where the system does not say."""
    try:
        return int(STATUS.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


WATCH = Watch()
"""The one of this process; nothing before `start`."""
