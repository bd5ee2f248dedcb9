"""What a command finds around it: widths of terminals, variables of the compiler, outputs that are closed."""

from __future__ import annotations

import io
import os
import re
import sys
import warnings

from jumpnet.errors import JumpnetError

__all__ = ["OUTPUT", "check_compiler", "forget_odd_widths", "open_outputs"]

WIDTH = re.compile(r"0*[1-9][0-9]{0,3}")
"""Columns of a terminal, 1 to 9999."""
OUTPUT = 1
"""Number of the standard output."""


def _closed() -> io.TextIOWrapper:
    """A stand-in for an output that the caller has closed, which keeps what is lost; it takes the descriptor."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), OUTPUT)
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def forget_odd_widths() -> None:
    """Leave widths to the terminal where the environment has one that no terminal has: each line would be as long."""
    for name in ("COLUMNS", "TERMINAL_WIDTH"):
        if not WIDTH.fullmatch(os.environ.get(name, "")):
            os.environ.pop(name, None)


def check_compiler() -> None:
    """Refuse values of Numba's own variables that it answers with a traceback, or a page of warnings, when loaded."""
    warnings.filterwarnings("error", "Environment variable 'NUMBA", RuntimeWarning)
    text = os.environ.get("NUMBA_NUM_THREADS", "1")
    if not re.fullmatch(r"\s*\+?0*[1-9][0-9]*\s*", text):
        raise JumpnetError(f"NUMBA_NUM_THREADS={text} found, a positive number of threads expected")


def open_outputs() -> io.TextIOWrapper | None:
    """Make both outputs such as can be written; the stand-in for standard output where the caller has closed it."""
    lost = None
    if sys.stdout is None:
        sys.stdout = lost = _closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of files need not be valid text
        sys.stdout.reconfigure(errors="backslashreplace")
    return lost
