"""`python -m jumpnet`, and what the `jumpnet` script calls: loads the command line and starts it."""

from __future__ import annotations

import signal

__all__ = ["start"]


def start() -> None:
    """Run a command. While it is loaded nothing is begun, so an interruption ends the process without a word."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heard:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from jumpnet.cli import main

    if heard:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    main()


if __name__ == "__main__":
    start()
