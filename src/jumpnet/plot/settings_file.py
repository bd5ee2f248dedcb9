"""The user's own matplotlibrc, before Matplotlib reads it: a regular file of text, else one line.

Matplotlib reads it as soon as it is imported, waits there for a pipe, and ends in a traceback where it is no UTF-8.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from jumpnet.files import read_text

__all__ = ["must_be_readable"]

NAME = "matplotlibrc"
MOST_BYTES = 1 << 20


def _candidates() -> Iterator[Path]:
    """Where Matplotlib looks, in its order (`matplotlib.matplotlib_fname`); what comes with it is left out."""
    yield Path(NAME)
    if given := os.environ.get("MATPLOTLIBRC"):
        yield from (Path(given), Path(given) / NAME)
    home = Path(os.path.expanduser("~"))
    if given := os.environ.get("MPLCONFIGDIR"):
        yield Path(given) / NAME
    elif sys.platform.startswith(("linux", "freebsd")):
        yield Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "matplotlib" / NAME
    else:
        yield home / ".matplotlib" / NAME


def must_be_readable() -> None:
    """Raise JumpnetError unless the matplotlibrc that Matplotlib will take can be read; there may be none."""
    for file in _candidates():
        if os.path.exists(file) and not os.path.isdir(file):
            read_text(file, MOST_BYTES, "a matplotlibrc expected, or none")
            return
