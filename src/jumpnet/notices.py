"""What is said beside an answer: one line on the error stream, and none where `JUMPNET_QUIET` is set (`--quiet`).

A variable of the environment, so that the processes of a sweep keep quiet too. Errors are no notices.
"""

from __future__ import annotations

import contextlib
import os
import sys

__all__ = ["be_quiet", "is_quiet", "notice"]

QUIET = "JUMPNET_QUIET"


def be_quiet() -> None:
    """No notice and no progress from now on, in this process and those that it starts."""
    os.environ[QUIET] = "1"


def is_quiet() -> bool:
    """Whether notices and progress are not wanted."""
    return bool(os.environ.get(QUIET))


def notice(words: str) -> None:
    """Say one line; an error stream that takes none is no error."""
    if not is_quiet():
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"jumpnet: {words}\n")
