"""`python -m jumpnet`, and what the `jumpnet` script calls: loads the command line and starts it.

What comes before `start` is as little as can be, since an interruption of it ends in a traceback of Python's own.
"""

from __future__ import annotations

import _signal as signal  # the part in C: `signal` itself loads enumerations first
import sys

__all__ = ["start"]

INTERRUPTED = 130
"""Exit status, as in `cli`, which is not loaded yet."""


def start() -> None:
    """Run a command. While it is loaded nothing is begun, so an interruption ends the process without a word."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heard:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from jumpnet.cli import main

    try:
        if heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        main()
    except KeyboardInterrupt:  # where `main` has not begun, or is at its end
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    start()
