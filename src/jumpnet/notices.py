"""What is said beside an answer: one line on the error stream, and none where `JUMPNET_QUIET` is `1` (`--quiet`).

A variable of the environment, so that the processes of a sweep keep quiet too. Errors are no notices.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

__all__ = ["as_before", "be_quiet", "counted", "is_quiet", "notice"]

QUIET = "JUMPNET_QUIET"
LOUD = ("", "0", "false", "no")
"""Values of it that mean not."""


def be_quiet() -> None:
    """No notice and no progress from now on, in this process and those that it starts."""
    os.environ[QUIET] = "1"


def is_quiet() -> bool:
    """Whether notices and progress are not wanted: JUMPNET_QUIET is set, and not to 0, false or no."""
    return os.environ.get(QUIET, "").lower() not in LOUD


@contextlib.contextmanager
def as_before() -> Iterator[None]:
    """After this, notices are wanted or not as they were."""
    before = os.environ.get(QUIET)
    try:
        yield
    finally:
        os.environ.pop(QUIET, None)
        if before is not None:
            os.environ[QUIET] = before


def notice(words: str) -> None:
    """Say one line; an error stream that takes none is no error."""
    if not is_quiet():
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"jumpnet: {words}\n")


def counted(number: int, thing: str, several: str = "") -> str:
    """So many of a thing, in words; `several` where its plural is not an s.

    >>> counted(1, "point"), counted(2, "point"), counted(0, "dependency", "dependencies")
    ('1 point', '2 points', '0 dependencies')
    """
    return f"{number} {thing if number == 1 else several or thing + 's'}"
