"""The one way to open a file that comes from anywhere: a regular file, of at most so many bytes, else one line.

A pipe or a device is never waited for and never read without end. Used by every reader.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import IO

from jumpnet.errors import JumpnetError, file_error

__all__ = ["must_be_regular", "open_regular", "read_bytes", "read_text"]

PIECE = 1 << 20
"""Bytes read at a time."""


def open_regular(path: Path, expected: str) -> IO[bytes]:
    """A regular file, open for reading; raises JumpnetError for anything else. The caller closes it."""
    if not str(path).isprintable():
        raise JumpnetError(f"{str(path)!r} found, a file name expected")
    try:
        if path.is_dir():
            raise JumpnetError(f"{path}: not a regular file; {expected}")
        # Never wait for a pipe, and look at what was opened, not at what had that name before.
        file = open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb")  # noqa: SIM115 - the caller's
    except (OSError, ValueError) as error:
        if isinstance(error, JumpnetError):
            raise
        raise file_error(path, error, expected) from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise JumpnetError(f"{path}: not a regular file; {expected}")
    return file


def must_be_regular(path: str | os.PathLike[str], expected: str) -> None:
    """Raise JumpnetError, with what is expected, unless there is a regular file that can be read."""
    open_regular(Path(path), expected).close()


def read_bytes(path: str | os.PathLike[str], most: int, expected: str) -> bytes:
    """The bytes of a regular file; raises JumpnetError for anything else, and for more than `most` bytes.

    >>> read_bytes("/dev/null", 100, "a study file expected")
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: /dev/null: not a regular file; a study file expected
    """
    pieces, left = [], most + 1
    with open_regular(Path(path), expected) as file:
        try:
            if os.fstat(file.fileno()).st_size > most:  # told before it is read; it may still grow meanwhile
                left = 0
            # In pieces: at once it would take the memory for `most`, however few they are.
            while left and (piece := file.read(min(PIECE, left))):
                pieces.append(piece)
                left -= len(piece)
        except OSError as error:
            raise file_error(path, error, expected) from None
    if not left:
        raise JumpnetError(f"{os.fspath(path)}: more than {most} bytes found, at most {most} expected")
    return b"".join(pieces)


def read_text(path: str | os.PathLike[str], most: int, expected: str, encoding: str = "utf-8") -> str:
    """The same as text, whose lines end in a newline; raises JumpnetError for bytes that are none."""
    try:
        text = read_bytes(path, most, expected).decode(encoding)
    except UnicodeDecodeError as error:
        raise file_error(path, error, expected) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")
