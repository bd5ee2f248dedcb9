"""Archives of memory traces that Python's own reader ends with other errors than of a bad archive, or unpacks at a cost
that the file chooses."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.machine.trace import open_trace

UTF8 = 0x800
"""Of the flags of a file in an archive: its name is UTF-8."""


def archive(method: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as file:
        file.writestr("chunk.0000", bytes(1200))
    return made.getvalue()


def other_name(made: bytes) -> bytes:
    """The name before the packed bytes is no UTF-8, and said to be; that in the directory is as it was."""
    flags = (int.from_bytes(made[6:8], "little") | UTF8).to_bytes(2, "little")
    return made[:6] + flags + made[8:30] + b"\xdf" + made[31:]


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (other_name(archive(zipfile.ZIP_DEFLATED)), "damaged after offset 0: 'utf-8' codec"),
        (archive(zipfile.ZIP_LZMA), "chunk.0000 packed by method 14, 0 .stored. or 8 .deflated. expected"),
        (archive(zipfile.ZIP_BZIP2), "packed by method 12"),
    ],
)
def test_odd_archives_are_one_line(made: bytes, words: str, tmp_path: Path) -> None:
    (path := tmp_path / "a.trace.zip").write_bytes(made)
    with pytest.raises(JumpnetError, match=words):
        open_trace(path)
