"""Picture formats, by the ending of a file's name, and pictures as bytes that a notebook shows.

Loads no Matplotlib: a bad name is refused before work begins.

Called by `cli`, `lab` and the drawings that write files.
"""

from __future__ import annotations

from pathlib import Path

from jumpnet.errors import unknown_name

__all__ = ["FORMATS", "Picture", "picture_format"]

FORMATS = ("svg", "png", "pdf")
SIGNS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
"""How a file of each begins."""


def picture_format(file: str | Path) -> str:
    """The format that a file's ending asks for; raises JumpnetError for another than FORMATS.

    >>> picture_format("wafer.PNG")
    'png'
    """
    kind = Path(file).suffix.lower().lstrip(".")
    if kind not in FORMATS:
        raise unknown_name("picture format", kind or str(file), FORMATS)
    return kind


class Picture(bytes):
    """A picture as the bytes of its file: a notebook shows it, and a prompt says what it is in place of the bytes.

    >>> Picture(b"<?xml ...")
    <picture: svg, 9 bytes>
    """

    def _kind(self) -> str:
        return next((kind for kind, sign in SIGNS.items() if self.startswith(sign)), "unknown")

    def __repr__(self) -> str:
        """Its format and size."""
        return f"<picture: {self._kind()}, {len(self):,} bytes>"

    def _repr_svg_(self) -> str | None:
        """What a notebook shows of an SVG."""
        return self.decode() if self._kind() == "svg" else None

    def _repr_png_(self) -> bytes | None:
        """What a notebook shows of a PNG."""
        return bytes(self) if self._kind() == "png" else None
