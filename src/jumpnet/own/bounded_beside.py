"""What `own.bounded` starts beside a process that checks a user's functions: it ends that one when its time is over.

Its input is a line `NUMBER SECONDS WORDS` for each check that begins, and `NUMBER` when it is done; it ends with the
process. Another pipe is that which the process reads signals from: what lies in it for long has not been heard there.
This runs as a script without the package, which takes a while to load.
"""

import os
import select
import sys
import time

__all__ = ["watch"]

GRACE_S = 1.0
"""What a signal leaves the other process to end by itself."""
LOOK_S = 0.1
KILL = 9
SIGNALS = {2: "interrupted", 15: "terminated"}


def _readable(pipe: int, seconds: float) -> bool:
    """Whether something lies in a pipe, or its other end is closed; its number may be beyond those of `select`."""
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    return bool(waiting.poll(1000 * seconds))


class Checks:
    """The checks that are under way, by number: when the time of each is over, and what is said then."""

    def __init__(self) -> None:
        self._ends: dict[bytes, tuple[float, str]] = {}
        self._begun = b""

    def hear(self) -> bool:
        """Wait for what the input says, and note it; False when it has ended."""
        text = os.read(0, 1 << 16)
        *lines, self._begun = (self._begun + text).split(b"\n")
        for line in lines:
            number, _, more = line.partition(b" ")
            if more:
                seconds, _, words = more.partition(b" ")
                self._ends[number] = time.monotonic() + float(seconds), words.decode(errors="replace")
            else:
                self._ends.pop(number, None)
        return bool(text)

    def first(self) -> tuple[float, str] | None:
        """When the first of them must end, and what is said where it has not; None where none is under way."""
        return min(self._ends.values(), default=None)


def watch(process: int, signals: int) -> None:
    """Hear of checks until the input ends; when the time of one is over say the words and kill the process.

    signals: number of the pipe, or -1.
    """
    checks = Checks()
    while (words := _overdue(checks, signals)) == "":
        if not checks.hear():
            return
    os.write(2, f"jumpnet: {words}\n".encode(errors="replace"))
    os.kill(process, KILL)


def _overdue(checks: Checks, signals: int) -> str:
    """Wait for the input: empty once something lies there, else why the process is to be ended."""
    unheard = 0.0
    while (first := checks.first()) is not None:
        left, words = first[0] - time.monotonic(), first[1]
        if left <= 0:
            return words
        if _readable(0, min(left, LOOK_S) if signals >= 0 else left):
            return ""
        lies = signals >= 0 and _readable(signals, 0.0)
        unheard = unheard + LOOK_S if lies else 0.0
        if unheard >= GRACE_S:
            os.set_blocking(signals, False)
            try:
                return SIGNALS[15 if 15 in os.read(signals, 64) else 2]
            except BlockingIOError:  # the other process has read it at last
                unheard = 0.0
    return ""


if __name__ == "__main__":
    watch(int(sys.argv[1]), int(sys.argv[2]))
