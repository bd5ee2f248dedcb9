"""The text of a Python file in the encoding that it names, as Python itself reads it (PEP 263)."""

from __future__ import annotations

import io
import os
import tokenize

from jumpnet.errors import JumpnetError, file_error
from jumpnet.files import read_bytes

__all__ = ["source_text"]

EXPECTED = "a Python file in UTF-8, or with a line such as `# coding: latin-1`, expected"


def source_text(path: str | os.PathLike[str], most: int) -> str:
    """The text, whose lines end in a newline, without a byte order mark.

    Raises JumpnetError for what is no regular file of at most `most` bytes, an encoding that Python does not know, and
    bytes that are no text in it.
    """
    given = read_bytes(path, most, "a Python file expected")
    try:
        text = given.decode(_encoding(given))
        text.encode()  # what some codecs give cannot be written again
    except UnicodeDecodeError as error:
        raise file_error(path, error, EXPECTED) from None
    except (SyntaxError, LookupError, UnicodeError) as error:
        raise JumpnetError(f"{os.fspath(path)}: {str(error).splitlines()[0]}; {EXPECTED}") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _encoding(given: bytes) -> str:
    """What the first lines name; raises SyntaxError for what Python does not know."""
    try:
        return tokenize.detect_encoding(io.BytesIO(given).readline)[0]
    except SyntaxError as error:
        if "declaration" not in str(error):
            raise
        return "utf-8"  # the first lines are no such text, as decoding says with the place
