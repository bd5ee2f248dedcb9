"""`python -m jumpnet`, and what the `jumpnet` script calls: loads the command line and starts it.

What comes before `start` is as little as can be, since an interruption of it ends in a traceback of Python's own.
"""

from __future__ import annotations

import _signal as signal  # the part in C: `signal` itself loads enumerations first
import sys

__all__ = ["start"]

INTERRUPTED, REFUSED = 130, 2
"""Exit statuses, as in `cli`, which is not loaded yet."""


BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OPENBLAS_DEFAULT_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")
"""Where OpenBLAS, which comes with NumPy, looks for the number of its threads."""


def _one_blas_thread() -> None:
    """Ask for one BLAS thread in this process and those that it starts, unless the user has asked for a number.

    Threads begin when NumPy is loaded, a third of the time that it takes, and matrices here are small: two threads
    are slower, and give other last digits. What `import jumpnet` finds in another program stays as it is.
    """
    import os  # not before interruptions are silent

    if not any(map(os.environ.get, BLAS_THREADS)):
        os.environ[BLAS_THREADS[0]] = "1"


def _this_folder_last() -> None:
    """Look for modules in this folder after all others: `python -m` looks there first, so that a file of the user's
    named like one of these would take the place of Python's own. What it finds jumpnet by stays where it is."""
    import os

    if not getattr(sys.flags, "safe_path", False) and sys.path[0] != os.path.dirname(os.path.dirname(__file__)):
        sys.path.append(sys.path.pop(0))


def _refused(line: str) -> int:
    """Say why nothing is done; the exit status."""
    if sys.stderr is not None:
        print(f"jumpnet: {line}", file=sys.stderr)
    return REFUSED


def start() -> None:
    """Run a command. While it is loaded nothing is begun, so an interruption ends the process without a word."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heard:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    _one_blas_thread()
    try:
        from jumpnet.cli import main
    except (EOFError, ValueError, TypeError) as error:
        from jumpnet._bytecode import removed_damage

        if not (line := removed_damage(error)):
            raise
        sys.exit(_refused(line))
    try:
        if heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        main()
    except KeyboardInterrupt:  # where `main` has not begun, or is at its end
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    _this_folder_last()
    start()
