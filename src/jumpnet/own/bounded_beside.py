"""What `own.bounded` starts beside a process that checks a user's functions: it ends that one when its time is over.

Its input ends when the check does. Another pipe is that which the other process reads signals from: what lies in it for
long has not been heard there. This runs as a script without the package, which takes a while to load.
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


def watch(process: int, signals: int, seconds: float, words: str) -> None:
    """Wait for the end of the input; when the time is over say the words and kill the process.

    signals: number of the pipe, or -1.
    """
    last, unheard = time.monotonic() + seconds, 0.0
    while (now := time.monotonic()) < last:
        if _readable(0, min(last - now, LOOK_S if signals >= 0 else seconds)):
            return
        lies = signals >= 0 and _readable(signals, 0.0)
        unheard = unheard + LOOK_S if lies else 0.0
        if unheard >= GRACE_S:
            os.set_blocking(signals, False)
            try:
                words = SIGNALS[15 if 15 in os.read(signals, 64) else 2]
            except BlockingIOError:  # the other process has read it at last
                unheard = 0.0
                continue
            break
    os.write(2, f"jumpnet: {words}\n".encode(errors="replace"))
    os.kill(process, KILL)


if __name__ == "__main__":
    watch(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
