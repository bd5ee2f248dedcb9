"""Files that verbs write: whether one can be written is checked before the work, so that no long run is lost.

Used by every verb that writes.
"""

from __future__ import annotations

import os
from pathlib import Path

from jumpnet.errors import JumpnetError, file_error

__all__ = ["picture", "writable", "writable_folder"]


def writable(file: str | Path) -> Path:
    """A file that can be written, new or in the place of one that is there.

    Raises JumpnetError for a folder, for a file in a folder that is not there, and without the right to write.
    """
    path = Path(file)
    if path.is_dir():
        raise JumpnetError(f"{path}: a folder found, a file to write expected")
    if not path.parent.is_dir():
        raise JumpnetError(f"{path}: folder {path.parent} not found, an existing one expected")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise JumpnetError(f"{path}: no permission to write, a file that can be written expected")
    return path


def writable_folder(folder: str | Path) -> Path:
    """A folder that can be written to, made with those above it where it is missing; raises JumpnetError as above."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_error(path, error, "a folder to write expected") from None
    if not os.access(path, os.W_OK):
        raise JumpnetError(f"{path}: no permission to write, a folder that can be written expected")
    return path


def picture(file: str | Path) -> tuple[Path, str]:
    """A picture's file, which can be written, and its format; raises JumpnetError as `writable` and for an ending."""
    from jumpnet.plot.formats import picture_format  # what writes no picture asks nothing of Matplotlib's settings

    kind = picture_format(file)
    return writable(file), kind
