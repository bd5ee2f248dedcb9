"""Picture formats, by the ending of a file's name. Loads no Matplotlib: a bad name is refused before work begins.

Called by `cli`, `lab` and the drawings that write files.
"""

from __future__ import annotations

from pathlib import Path

from jumpnet.errors import unknown_name

__all__ = ["FORMATS", "picture_format"]

FORMATS = ("svg", "png", "pdf")


def picture_format(file: str | Path) -> str:
    """The format that a file's ending asks for; raises JumpnetError for another than FORMATS.

    >>> picture_format("wafer.PNG")
    'png'
    """
    kind = Path(file).suffix.lower().lstrip(".")
    if kind not in FORMATS:
        raise unknown_name("picture format", kind or str(file), FORMATS)
    return kind
